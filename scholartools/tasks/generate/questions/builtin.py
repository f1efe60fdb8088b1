"""Research questions without a model: verbatim sentences of the paper that ask or state an aim.

Nothing is generated from templates. The results are statements rather than questions in the published form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scholartools.records import Record, add_provenance
from scholartools.signature import library
from scholartools.tasks.generate.entries import COMMAND, number_items, with_generated
from scholartools.tasks.generate.questions.checks import describe_question
from scholartools.tasks.generate.questions.inputs import (
    TASK,
    ModelInput,
    read_input,
    with_missing,
)
from scholartools.tasks.shared.pieces import Part
from scholartools.text import sentences

SYSTEM = "stated-aims"

_WE = r"\b(?:we|this (?:paper|work|study|article)) (?:\w+ )?"
_AIM = r"(?:aim|goal|objective|purpose)s?\b"
_OWN_AIM = rf"\bour (?:\w+ )?{_AIM}|\b{_AIM} of (?:this|our|the present)\b|\bthis (?:paper|work|study|article) aims\b"
# Cues of a research question, in descending order of reliability.
_CUES = (
    ("question", r"\bresearch questions?\b|\bwe (?:ask|investigate|examine|study|explore) (?:whether|if|how)\b"),
    ("asks", r"\?[\"'”’)]*$"),
    ("aim", rf"{_OWN_AIM}|\bwe (?:aim|seek|intend) to\b"),
    ("address", rf"{_WE}(?:address|tackle|investigate|examine)(?:s|es)?\b|{_WE}stud(?:y|ies)\b"),
    ("propose", rf"{_WE}(?:propose|present|introduce|develop)s?\b"),
)


def stated_aims(record: Record, *, sections: Sequence[str], items: int = 1) -> Record:
    """Add the most reliable sentences under ``generated.questions`` to a copy of the record, each with its span.

    Ties are resolved by the order of the paper. Without any such sentence, ``items`` is empty with a ``reason``.

    Args:
        sections: roles or ids of the parts to read.
        items: maximum number of sentences.

    Raises:
        InputFault: none of the parts has text.
    """
    given = read_input(record, sections)
    source = ModelInput(given.parts, []).source()
    surest = sorted(_find_aims(given.parts), key=lambda one: one[0])[:items]
    found = [{**item, "form": describe_question(item["text"], source)["form"]} for _, item in surest]
    entry: Record = {"system": SYSTEM, "variant": "stated", "by": "builtin"}
    entry |= {"sections": [part.name for part in given.parts], "items": number_items(found)}
    if not found:
        entry["reason"] = "no sentence asks a question or states an aim"
    made = with_missing(with_generated(record, TASK, [entry]), given)
    options = {"system": SYSTEM, "sections": list(sections), "items": items, "sentences": library("nupunkt")}
    inputs = [list(part) for part in given.parts]
    add_provenance(made, COMMAND, TASK, method="builtin", options=options, input=inputs)
    return made


def _find_aims(parts: Sequence[Part]) -> Iterator[tuple[int, Record]]:
    """Sentences with a cue, each with the rank of its first cue."""
    for part in parts:
        for start, end in sentences.spans(part.text):
            text = part.text[start:end]
            rank = next((place for place, (_, cue) in enumerate(_CUES) if re.search(cue, text, re.I)), None)
            if rank is not None:
                span = {"in": part.name, "start": start, "end": end}
                yield rank, {"text": text, "spans": [span], "cue": _CUES[rank][0]}
