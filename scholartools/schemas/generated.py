"""The types of what systems generate for a paper."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scholartools.schemas.annotations import ClaimList
from scholartools.schemas.base import Model, Span


class Passage(Model):
    """A passage of another paper that was found for a paper, and how well it fits."""

    id: str = Field(description="unique among the passages found for one list")
    paper: str = Field(description="id of the paper it stands in")
    heading: str | None = Field(default=None, description="of the section it stands in")
    text: str
    scores: dict[str, float | None] = Field(description='"bm25", "dense", "both": their mean, 0..1; "relevance", 1..10')
    used: bool = Field(description="whether what was generated could draw on it")
    reason: str | None = Field(default=None, description="why its relevance is not known")


class GeneratedItem(Model):
    """One thing that a system wrote about a paper, or chose from other papers."""

    id: str
    text: str
    heading: str | None = None
    passages: list[str] | None = Field(default=None, description="ids of the passages it draws on")
    piece: int | None = Field(default=None, ge=1, description="of the paper that it was written from")
    drafts: list[int] | None = Field(default=None, description="numbers of the drafts that it is made of")


class Draft(Model):
    """What was written of one piece of a paper."""

    text: str
    heading: str | None = None
    piece: int | None = Field(default=None, ge=1, description="of the paper that it was written from")
    drafts: list[int] | None = Field(default=None, description="numbers of the drafts that it is made of")
    passages: list[str] | None = Field(default=None, description="ids of the passages it draws on")


class MissingPiece(Model):
    """A piece of a paper of which nothing could be had."""

    piece: int = Field(ge=1)
    reason: str


class Cut(Model):
    """Where the part of a paper that is shown ends."""

    in_: str = Field(alias="in", description="id of the section")
    start: int = Field(ge=0, description="code point in its text")
    by: Literal["experiments", "role", "heading", "given"] = Field(
        description="what told it: spans, the section's role or heading, or the user"
    )


class Leak(Span):
    """A sentence that was taken out because it tells of the experiments."""

    by: str = Field(description='"builtin" or the model that named it')
    cue: str | None = Field(
        default=None, description='the kind of its cue, of the built-in way; "words" where it has none'
    )


class ShownImage(Model):
    """A picture that was shown with the text."""

    caption: str = Field(description="id of its caption")
    sha256: str = Field(description="of the file")
    pieces: list[int] | None = Field(default=None, description="of the paper that it was shown with, of several")


class WithheldSection(Model):
    """A section of which nothing is shown, or nothing from the cut on."""

    id: str
    heading: str


class GivenPart(Model):
    """The part of a paper before its experiments, as it was shown."""

    before: Cut
    words: int = Field(description="that were shown")
    cut: int = Field(description="words that were left out at its end for want of room")
    sentences: int = Field(description="of the part before any was taken out")
    removed: list[Leak]
    share: float = Field(description="of its sentences that were taken out")
    leak: dict[str, Any] = Field(description="runs of eight words shared with what was withheld")
    sections_withheld: list[WithheldSection] | None = Field(
        default=None, description="sections from the first experiment on, and back matter: nothing of them is shown"
    )
    title_withheld: bool | None = Field(default=None, description="true where the title tells of the experiments")
    headings_withheld: list[str] | None = Field(
        default=None, description="ids of sections that are shown without their headings, which tell of the experiments"
    )
    figures_withheld: list[str] | None = Field(
        default=None, description="ids of captions of figures that are named, and stand later or tell of results"
    )


class ShownPart(GivenPart):
    """The part with its text, where nothing is generated."""

    sections: list[str]
    images: list[ShownImage] | None = Field(default=None, description="that would be shown")
    images_missing: list[str] | None = Field(default=None, description="ids of captions whose picture cannot be had")
    text: str


class Unexplained(Model):
    """An experiment without a usable explanation."""

    id: str
    reason: str


class GeneratedList(Model):
    """What one system generated for the paper."""

    system: str
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else wrote it')
    items: list[GeneratedItem] | None = Field(description="null where no list could be had")
    sections: list[str] | None = Field(default=None, description='what it was made from: "abstract", ids of sections')
    passages: list[Passage] | None = Field(default=None, description="what was found in other papers, the best first")
    similarity: dict[str, float] | None = Field(default=None, description="of each section, by which three were chosen")
    pieces: int | None = Field(default=None, description="in which the paper was read")
    cut: int | None = Field(default=None, description="words of the paper, from its end, that were not read")
    repeats: int | None = Field(default=None, description="weaknesses: items that repeat an earlier one word for word")
    given: GivenPart | None = Field(default=None, description="experiments, explanations: the part that was shown")
    images: list[ShownImage] | None = Field(default=None, description="that were shown with the text")
    images_missing: list[str] | None = Field(default=None, description="ids of captions whose picture is missing")
    unexplained: list[Unexplained] | None = Field(default=None, description="experiments without an explanation")
    missing: list[MissingPiece] | None = Field(default=None, description="pieces without a usable reply")
    drafts: list[Draft] | None = Field(default=None, description="of the pieces of which no one list could be had")
    uncombined: str | None = Field(default=None, description="why repetitions in the items were not dropped")
    reason: str | None = Field(default=None, description="why no passage was used, or why items is null")
    leak: dict[str, Any] | None = Field(default=None, description="runs of eight words shared with a limitation")


class LocatedPhrases(Model):
    """Where the parts of a question stand word for word."""

    problem: Span | None = None
    method: Span | None = None


class GeneratedQuestion(Model):
    """A research question that a system wrote, or a sentence that states one."""

    id: str
    text: str
    problem: str | None = Field(default=None, description="the problem in it, where the reply names it")
    method: str | None = Field(default=None, description="the method in it, likewise")
    form: str | None = Field(default=None, description='"can-by", the opening word, or "other"; by rule')
    flags: list[str] | None = Field(
        default=None,
        description='"no-question-mark", "short", "long", "several-sentences", "copied-sentence"; by rule',
    )
    new_words: float | None = Field(default=None, ge=0, le=1, description="share of its words not in what was read")
    located: LocatedPhrases | None = None
    spans: list[Span] | None = Field(default=None, description="of a sentence of the paper")
    cue: str | None = Field(default=None, description="why the sentence was taken")


class QuestionList(Model):
    """The research questions of one system."""

    system: str
    variant: str | None = Field(default=None, description='"plain", "format", "structured", "stated"')
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else wrote it')
    items: list[GeneratedQuestion] | None = Field(description="null where none could be had")
    sections: list[str] | None = Field(default=None, description="what was read")
    reason: str | None = Field(default=None, description="why there is none")


class TextItem(Model):
    """A text that people wrote about the paper."""

    id: str
    text: str
    spans: list[Span] | None = Field(default=None, description="where the paper tells of it")


class Generated(Model):
    """What systems generated, by task; each list has one entry per system."""

    claims: list[ClaimList] | None = None
    limitations: list[GeneratedList] | None = None
    weaknesses: list[GeneratedList] | None = None
    experiments: list[GeneratedList] | None = None
    explanations: list[GeneratedList] | None = None
    questions: list[QuestionList] | None = None
