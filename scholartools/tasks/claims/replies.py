"""Schemas of the replies that the actions of st-claims request."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from scholartools.llm.replies import Closed, Items, Reason
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

_DIGITS = frozenset("12345")


def _read_rating(value: Any) -> Any:
    """Parse a scale value of 1 to 5, also a digit given as text; nothing else is rounded or guessed."""
    if isinstance(value, str) and value.strip() in _DIGITS:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("a whole number from 1 to 5 is needed")
    return value


def _read_number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("a whole number is needed")
    return value


Rating = Annotated[int, Field(ge=1, le=5), BeforeValidator(_read_rating)]
WholeNumber = Annotated[int, BeforeValidator(_read_number)]


class Topic(Closed):
    """Whether a paper is of a topic."""

    relevant: bool


class Continuation(Closed):
    """How a review goes on, as a model says."""

    continuation: str


class Claims(Closed, extra="forbid"):
    """The claims of a piece of a paper, copied from it, in their order."""

    claims: Items[str]


class Disputing(Closed):
    """A passage of a review, copied from it, and how likely the paper has a claim that it disputes."""

    quote: str
    groundedness: Rating


class Weaknesses(Closed, extra="forbid"):
    """The passages of a review that dispute claims or results."""

    weaknesses: Items[Disputing]


class Critical(Closed):
    """A passage of a review, copied from it, and how likely it disputes a claim of the paper; None: none."""

    quote: str
    groundedness: Rating | None


class AllWeaknesses(Closed, extra="forbid"):
    """All that a review finds wanting in the paper, or asks about it."""

    weaknesses: Items[Critical]


class Chosen(Closed):
    """A candidate: its number in the list, and its text."""

    number: WholeNumber
    text: str


class Association(Closed):
    """The claims that a weakness disputes."""

    reasoning: Reason
    targets: list[Chosen]
    custom: str | None


class Types(Closed, extra="forbid"):
    """Which types a weakness has."""

    insufficient: bool
    contradictory: bool
    novelty: bool
    clarity: bool
    related_work: bool
    other: bool

    def names(self) -> list[str]:
        """Names of the true types, in the order of the table of types."""
        return [name for name in WEAKNESS_TYPES if getattr(self, name)]


class Labels(Closed):
    """The labels of a weakness, each after its reasoning."""

    reasoning_objectivity: Reason
    objectivity: Rating
    reasoning_agreement: Reason
    agreement: Rating
    reasoning_types: Reason
    types: Types

    _n_repaired: int = PrivateAttr(default=0)

    @model_validator(mode="wrap")
    @classmethod
    def _count_repairs(cls, data: Any, handler: ModelWrapValidatorHandler[Labels]) -> Labels:
        made = handler(data)
        if isinstance(data, dict):
            made._n_repaired = sum(isinstance(data.get(name), str) for name in WEAKNESS_SCALES)
        return made

    @property
    def n_repaired(self) -> int:
        """Number of scale values given as text."""
        return self._n_repaired


class LabelsAndEdit(Labels):
    """The labels of a weakness, and the weakness rewritten or as it was."""

    reasoning_edit: Reason
    edited: str


class Edit(Closed):
    """A weakness rewritten or as it was."""

    reasoning_edit: Reason
    edited: str


class Piece(Closed):
    """A piece of evidence: of the paper (0) or of a related one (1, 2, ...), by its label; of a text also the quote."""

    paper: WholeNumber
    label: str
    quote: str | None


class Distilled(Closed):
    """A reviewer's point about one claim, on its own, with what it rests on."""

    evidence: list[Piece]
    reasoning: Reason


class Verified(Closed):
    """What is wrong with a claim, with what it rests on."""

    types: Types
    evidence: list[Piece]
    reasoning: Reason
