"""Select the sections of a paper for a generator: all, named ones, or the three most similar to limitations.

BAGELS (section 4) selects the three sections with the highest cosine to a reference embedding of limitations. Here a
section is the abstract or a top-level section with its subsections; its vector is the mean over its chunks, so that no
part exceeds the length limit of the embedder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.tasks.generate.redaction import descendants
from scholartools.tasks.shared.pieces import Part
from scholartools.text.chunks import split_words

if TYPE_CHECKING:
    from numpy import ndarray

    from scholartools.text.embeddings.sentence import Embedder

ALL, TOP = "all", "top3"
_TOP = 3

#: Roles of sections that are only used if named.
_APPARATUS = frozenset(["reference", "acknowledgement"])

# Within the shortest common limit of embedders (256 tokens).
_PIECE_WORDS = 150

#: Reference text for limitations if the corpus has none: one for each kind that is common in science and engineering.
DESCRIPTION = """
The sample is small and comes from a single place, so the findings may not hold for other populations.
We tested the method on few data sets and in one language only, and it remains open how it does elsewhere.
The labels were made by few annotators and may be biased.
Some confounding factors could not be measured or controlled.
The model rests on assumptions that may fail in practice, and we did not examine what happens when they do.
Training takes much time and memory, which keeps the approach from large inputs.
We did not compare with more recent systems, nor did we run every ablation.
The evaluation uses automatic measures that agree only in part with the judgement of people.
The study is observational, so it cannot tell causes from correlations.
Future work should use more data, a longer follow-up and other settings.
"""


class Unit(NamedTuple):
    """A top-level section or the abstract, by id, with its parts that have text."""

    name: str
    parts: list[Part]


def check(wanted: Sequence[str]) -> None:
    """Validate a selection of sections.

    Raises:
        UsageFault: it is empty, includes limitations, or combines all or top3 with others.
    """
    if not wanted or not all(wanted):
        raise UsageFault(f"{parameter('sections')}: give all, top3, or roles and ids of sections, separated by commas")
    if "limitation" in wanted:
        raise UsageFault(
            f"{parameter('sections')}: a generator of limitations must not see the limitations that the paper states"
        )
    if len(wanted) > 1 and (together := {ALL, TOP} & set(wanted)):
        raise UsageFault(f'{parameter("sections")}: "{min(together)}" cannot be combined with others')


def select_named(parts: Sequence[Part], wanted: Sequence[str]) -> list[Part]:
    """The sections with these roles or ids that have text, with their subsections.

    Raises:
        InputFault: there are none.
    """
    chosen = [part.name in wanted or part.role in wanted for part in parts]
    found = [
        part for part, is_in in zip(parts, descendants([part.level for part in parts], chosen)) if is_in and part.text
    ]
    if not found:
        there = ", ".join(dict.fromkeys(part.role or part.name for part in parts if part.text))
        reason = f"no text in a section named {', '.join(wanted)} ({parameter('sections')}): the sections are {there}"
        raise InputFault(reason, kind="missing-key")
    return found


def units(parts: Sequence[Part]) -> list[Unit]:
    """Top-level sections with their subsections, without parts that are empty or not about the work.

    Raises:
        InputFault: there are none.
    """
    made: list[list[Part]] = []
    for part in parts:
        if not made or part.level <= made[-1][0].level:
            made.append([])
        made[-1].append(part)
    argued = [unit for unit in made if unit[0].role not in _APPARATUS]
    kept = [Unit(one[0].name, [part for part in one if part.text and part.role not in _APPARATUS]) for one in argued]
    if not any(unit.parts for unit in kept):
        raise InputFault("the only sections with text are references and acknowledgements", kind="no-text")
    return [unit for unit in kept if unit.parts]


def similarities(found: Sequence[Unit], reference: ndarray, embedder: Embedder) -> list[float]:
    """Cosine of each unit with the reference, rounded so that differences between processors do not matter."""
    return [round(float(_vector(unit, embedder) @ reference), 6) for unit in found]


def nearest(found: Sequence[Unit], cosines: Sequence[float]) -> list[Part]:
    """Parts of the three units with the highest cosines, in the order of the paper; ties are resolved by position."""
    best = sorted(range(len(found)), key=lambda place: (-cosines[place], place))[:_TOP]
    return [part for place in sorted(best) for part in found[place].parts]


def description_vector(embedder: Embedder) -> ndarray:
    """Vector of the generic limitations of :data:`DESCRIPTION`."""
    return unit_length(
        embedder.vectors([line for line in DESCRIPTION.split("\n") if line]).sum(axis=0, dtype="float64")
    )


def unit_length(vector: ndarray) -> ndarray:
    """Normalise a vector in double precision; zero vectors are unchanged."""
    import numpy as np

    vector = np.asarray(vector, dtype=np.float64)
    length = np.linalg.norm(vector)
    return vector / length if length else vector


def _vector(unit: Unit, embedder: Embedder) -> ndarray:
    pieces = [piece for part in unit.parts for piece in split_words(part.text, _PIECE_WORDS)]
    return unit_length(embedder.vectors(pieces).sum(axis=0, dtype="float64"))
