"""The types of what systems generate for a paper."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scholartools.schemas.annotations import ClaimList
from scholartools.schemas.base import Model, Span


class Passage(Model):
    """A passage of another paper that was retrieved for a paper, with its relevance."""

    id: str = Field(description="id, unique among the passages found for one list")
    paper: str = Field(description="id of the paper that contains the passage")
    heading: str | None = Field(default=None, description="heading of the passage's section")
    text: str
    scores: dict[str, float | None] = Field(description='"bm25", "dense", "both": their mean, 0..1; "relevance", 1..10')
    used: bool = Field(description="whether the generation could use it")
    reason: str | None = Field(default=None, description="reason why the relevance of the passage is not known")


class GeneratedItem(Model):
    """One thing that a system wrote about a paper, or chose from other papers."""

    id: str
    text: str
    heading: str | None = None
    passages: list[str] | None = Field(default=None, description="ids of the passages on which the text draws")
    piece: int | None = Field(
        default=None, ge=1, description="the piece of the paper from which the text was generated"
    )
    drafts: list[int] | None = Field(default=None, description="numbers of the drafts from which the text was made")


class Draft(Model):
    """A draft that was generated from one piece of a paper."""

    text: str
    heading: str | None = None
    piece: int | None = Field(
        default=None, ge=1, description="the piece of the paper from which the text was generated"
    )
    drafts: list[int] | None = Field(default=None, description="numbers of the drafts from which the text was made")
    passages: list[str] | None = Field(default=None, description="ids of the passages on which the text draws")


class MissingPiece(Model):
    """A piece of a paper without a usable reply."""

    piece: int = Field(ge=1)
    reason: str


class Cut(Model):
    """The end of the part of a paper that is shown."""

    in_: str = Field(alias="in", description="id of the section")
    start: int = Field(ge=0, description="offset in the section's text, in code points")
    by: Literal["experiments", "role", "heading", "given"] = Field(
        description="what determined the cut: spans, the section's role or heading, or the user"
    )


class Leak(Span):
    """A sentence that was removed because it describes the experiments."""

    by: str = Field(description='"builtin" or the model that named it')
    cue: str | None = Field(default=None, description='type of its cue in the built-in method; "words" without a cue')


class ShownImage(Model):
    """A picture that was shown with the text."""

    caption: str = Field(description="id of the picture's caption")
    sha256: str = Field(description="SHA-256 of the file")
    pieces: list[int] | None = Field(default=None, description="the piece of the paper that was shown")


class WithheldSection(Model):
    """A section that is not shown, or not shown after the cut."""

    id: str
    heading: str


class GivenPart(Model):
    """The part of a paper before its experiments, as it was shown."""

    before: Cut
    words: int = Field(description="number of words shown")
    cut: int = Field(description="number of words left out at the end, because of the limit on length")
    sentences: int = Field(description="number of sentences before any were removed")
    removed: list[Leak]
    share: float = Field(description="share of the sentences that were removed")
    leak: dict[str, Any] = Field(description="sequences of eight words shared with withheld text")
    sections_withheld: list[WithheldSection] | None = Field(
        default=None, description="sections from the first experiment on, and back matter, which are not shown"
    )
    title_withheld: bool | None = Field(
        default=None, description="true if the title describes the experiments and is withheld"
    )
    headings_withheld: list[str] | None = Field(
        default=None, description="ids of sections shown without their headings, because these describe the experiments"
    )
    figures_withheld: list[str] | None = Field(
        default=None,
        description="ids of captions of figures that the text mentions, but that come later or show results",
    )


class ShownPart(GivenPart):
    """The part of the paper with its text, if only the input is shown."""

    sections: list[str]
    images: list[ShownImage] | None = Field(default=None, description="pictures that would be shown")
    images_missing: list[str] | None = Field(default=None, description="ids of captions whose picture is not available")
    text: str


class Unexplained(Model):
    """An experiment without a usable explanation."""

    id: str
    reason: str


class GeneratedList(Model):
    """What one system generated for the paper."""

    system: str
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else wrote it')
    items: list[GeneratedItem] | None = Field(description="items of the list; null if there is no usable list")
    sections: list[str] | None = Field(default=None, description='input of the generation: "abstract", ids of sections')
    passages: list[Passage] | None = Field(default=None, description="passages found in other papers, best first")
    similarity: dict[str, float] | None = Field(
        default=None, description="similarity of each section, by which three sections were chosen"
    )
    pieces: int | None = Field(default=None, description="number of pieces in which the paper was read")
    cut: int | None = Field(default=None, description="number of words at the end of the paper that were not read")
    repeats: int | None = Field(
        default=None, description="weaknesses: number of items that repeat an earlier item word for word"
    )
    given: GivenPart | None = Field(default=None, description="experiments, explanations: the part that was shown")
    images: list[ShownImage] | None = Field(default=None, description="pictures that were shown with the text")
    images_missing: list[str] | None = Field(default=None, description="ids of captions whose picture is missing")
    unexplained: list[Unexplained] | None = Field(default=None, description="experiments without an explanation")
    missing: list[MissingPiece] | None = Field(default=None, description="pieces without a usable reply")
    drafts: list[Draft] | None = Field(
        default=None, description="drafts of the pieces that could not be merged into one list"
    )
    uncombined: str | None = Field(default=None, description="reason why repetitions in the items were kept")
    reason: str | None = Field(default=None, description="why no passage was used, or why items is null")
    leak: dict[str, Any] | None = Field(default=None, description="sequences of eight words shared with a limitation")


class LocatedPhrases(Model):
    """The spans of the parts of a question that occur word for word."""

    problem: Span | None = None
    method: Span | None = None


class GeneratedQuestion(Model):
    """A research question that a system wrote, or a sentence that states one."""

    id: str
    text: str
    problem: str | None = Field(default=None, description="the problem stated in the question, if the reply names it")
    method: str | None = Field(default=None, description="the method stated in the question, if the reply names it")
    form: str | None = Field(default=None, description='"can-by", the opening word, or "other"; by rule')
    flags: list[str] | None = Field(
        default=None,
        description='"no-question-mark", "short", "long", "several-sentences", "copied-sentence"; by rule',
    )
    new_words: float | None = Field(
        default=None, ge=0, le=1, description="share of the question's words that are not in the input"
    )
    located: LocatedPhrases | None = None
    spans: list[Span] | None = Field(default=None, description="spans of a sentence of the paper")
    cue: str | None = Field(default=None, description="reason why the sentence was selected")


class QuestionList(Model):
    """The research questions of one system."""

    system: str
    variant: str | None = Field(default=None, description='"plain", "format", "structured", "stated"')
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else wrote it')
    items: list[GeneratedQuestion] | None = Field(description="null: no usable reply")
    sections: list[str] | None = Field(default=None, description="sections that were read")
    reason: str | None = Field(default=None, description="why there is none")


class TextItem(Model):
    """A text that people wrote about the paper."""

    id: str
    text: str
    spans: list[Span] | None = Field(default=None, description="spans in the paper that describe it")


class Generated(Model):
    """What systems generated, by task; each list has one entry per system."""

    claims: list[ClaimList] | None = None
    limitations: list[GeneratedList] | None = None
    weaknesses: list[GeneratedList] | None = None
    experiments: list[GeneratedList] | None = None
    explanations: list[GeneratedList] | None = None
    questions: list[QuestionList] | None = None
