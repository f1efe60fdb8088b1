"""In-context examples of ratings, built-in or from a file ("A Facet-aware Metric", section 3.3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.resources import as_file, files

from pydantic import BaseModel, ConfigDict, ValidationError

from scholartools.errors import InputFault, UsageFault
from scholartools.io import Line, read_lines
from scholartools.metrics.items.facet_score import MAXIMA
from scholartools.parameters import parameter
from scholartools.tasks.judge.entries import OneToFour
from scholartools.vocabulary import FACETS, Facet

BUILTIN = "builtin"


class Example(BaseModel):
    """One pair of passages with its rating, which people gave or would give."""

    model_config = ConfigDict(frozen=True, strict=True)

    facet: Facet
    reference: str
    candidate: str
    rating: OneToFour


def read_examples(path: str) -> tuple[Example, ...]:
    """Read examples from a JSONL file; ``builtin`` is the packaged file.

    Raises:
        UsageFault: the file cannot be read, a line is not an example, or one of the two scales has no example.
    """
    if path == BUILTIN:
        with as_file(files("scholartools") / "prompts" / "judge-facets-examples.jsonl") as own:
            return _read_file(str(own))
    if path == "-":
        raise UsageFault(f"{parameter('few_shot')} reads a file; standard input is for records")
    return _read_file(path)


def on_scale_of(facet: str, examples: Iterable[Example]) -> list[Example]:
    """Examples rated on the scale of a facet, which another facet shares."""
    return [example for example in examples if MAXIMA[example.facet] == MAXIMA[facet]]


def format_examples(examples: Sequence[Example]) -> str:
    """Format examples for a prompt; passages are JSON strings, to delimit them safely."""
    return "".join(
        f"Example {number} ({example.facet})\n"
        f"Reference: {json.dumps(example.reference, ensure_ascii=False)}\n"
        f"Candidate: {json.dumps(example.candidate, ensure_ascii=False)}\n"
        f'Reply: {{"rating": {example.rating}}}\n\n'
        for number, example in enumerate(examples, 1)
    )


def _read_file(path: str) -> tuple[Example, ...]:
    try:
        examples = tuple(_read_line(line) for line in read_lines([path]))
    except InputFault as fault:
        raise UsageFault(f"{parameter('few_shot')} {fault.reason}") from None
    for facet in FACETS:
        if not on_scale_of(facet, examples):
            raise UsageFault(f"{parameter('few_shot')} {path}: no example on the scale of {facet}, 1..{MAXIMA[facet]}")
    return examples


def _read_line(line: Line) -> Example:
    if line.fault is not None:
        raise UsageFault(f"{parameter('few_shot')} {line.where}: {line.fault.reason}")
    try:
        example = Example.model_validate(line.record)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        reason = f'"{place}": {first["msg"][0].lower()}{first["msg"][1:]}'
        raise UsageFault(f"{parameter('few_shot')} {line.where}: {reason}") from None
    if example.rating > MAXIMA[example.facet]:
        reason = f"the rating {example.rating} of {example.facet} is not in 1..{MAXIMA[example.facet]}"
        raise UsageFault(f"{parameter('few_shot')} {line.where}: {reason}")
    return example
