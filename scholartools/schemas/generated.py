"""The types of what systems generate for a paper."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scholartools.schemas.annotations import ClaimList
from scholartools.schemas.base import Model, Span


class Passage(Model):
    """A passage of a related paper that was retrieved, with its relevance."""

    id: str = Field(description="id of the passage, unique within one generated list")
    paper: str = Field(description="id of the related paper that contains the passage")
    heading: str | None = Field(default=None, description="heading of the section that contains the passage")
    text: str
    scores: dict[str, float | None] = Field(
        description=(
            'similarity and relevance of the passage by method: "bm25", "dense" and "both" (their weighted mean) from '
            '0 to 1; "relevance" from 1 to 10'
        )
    )
    used: bool = Field(description="true if the passage is one of those from which the items were generated or copied")
    reason: str | None = Field(default=None, description="reason why the relevance of the passage is unknown")


class GeneratedItem(Model):
    """One item of a generated list, written by a system or chosen from other papers."""

    id: str
    text: str
    heading: str | None = None
    passages: list[str] | None = Field(
        default=None, description="ids of the retrieved passages on which the item is based"
    )
    piece: int | None = Field(
        default=None, ge=1, description="number of the piece of the paper from which the item was generated"
    )
    drafts: list[int] | None = Field(default=None, description="numbers of the drafts from which the item was merged")


class Draft(Model):
    """A draft of an item that was generated from one piece of a paper."""

    text: str
    heading: str | None = None
    piece: int | None = Field(
        default=None, ge=1, description="number of the piece of the paper from which the draft was generated"
    )
    drafts: list[int] | None = Field(default=None, description="numbers of the drafts from which the text was merged")
    passages: list[str] | None = Field(
        default=None, description="ids of the retrieved passages on which the draft is based"
    )


class MissingPiece(Model):
    """A piece of a paper for which the model gave no usable reply."""

    piece: int = Field(ge=1)
    reason: str


class Cut(Model):
    """The position in a paper at which the part that was shown to a model ends."""

    in_: str = Field(alias="in", description="id of the section in which the part that was shown to the model ends")
    start: int = Field(
        ge=0,
        description="offset (in code points) in the text of the section at which the part that was shown "
        "to the model ends",
    )
    by: Literal["experiments", "role", "heading", "given"] = Field(
        description=(
            "what determined where the part that was shown to the model ends: the spans of "
            'experiments ("experiments"), the role or '
            'heading of a section ("role", "heading"), or the user ("given")'
        )
    )


class Leak(Span):
    """A sentence that was removed from the text shown to the model, because the sentence describes the experiments."""

    by: str = Field(
        description='who found the sentence: "builtin" (a method without a model), or the model that was asked'
    )
    cue: str | None = Field(
        default=None,
        description=(
            'type of the cue by which the method without a model found the sentence; "words" if its classifier '
            "found the sentence without a cue"
        ),
    )


class ShownImage(Model):
    """An image that was shown to the model with the text."""

    caption: str = Field(description="id of the caption of the image")
    sha256: str = Field(description="SHA-256 of the image file")
    pieces: list[int] | None = Field(
        default=None, description="numbers of the pieces of the paper with which the image was shown"
    )


class WithheldSection(Model):
    """A section of the paper that was not shown to the model, or that was shown only in part."""

    id: str
    heading: str


class GivenPart(Model):
    """The part of a paper before its experiments that was shown to a model."""

    before: Cut
    words: int = Field(description="number of words that were shown to the model")
    cut: int = Field(
        description=(
            "number of words left out of the text before the experiments, because the text was longer than the "
            "maximum number of words"
        )
    )
    sentences: int = Field(
        description="number of sentences of the shown part, counted before sentences that describe experiments were "
        "removed"
    )
    removed: list[Leak]
    share: float = Field(
        description="share of the sentences of the shown part that were removed because they describe experiments"
    )
    leak: dict[str, Any] = Field(
        description="sequences of eight words that occur both in the text shown to the model and in the text "
        "withheld from the model"
    )
    sections_withheld: list[WithheldSection] | None = Field(
        default=None,
        description=(
            "sections that were not shown: sections whose sentences were all removed, sections after the maximum "
            "number of words, sections from the first experiment on, and back matter"
        ),
    )
    title_withheld: bool | None = Field(
        default=None, description="true if the title was not shown because the title describes the experiments"
    )
    headings_withheld: list[str] | None = Field(
        default=None,
        description=(
            "ids of sections that were shown without their headings, because the headings describe the experiments"
        ),
    )
    figures_withheld: list[str] | None = Field(
        default=None,
        description=(
            "ids of the captions of figures that the shown text mentions, but that were withheld because they "
            "come later in the paper or show results"
        ),
    )


class ShownPart(GivenPart):
    """The part of the paper that a model would see, with its text, as `st-generate experiments --input` writes it."""

    sections: list[str]
    images: list[ShownImage] | None = Field(
        default=None, description="images that `st-generate experiments` would send to the model with the text"
    )
    images_missing: list[str] | None = Field(
        default=None, description="ids of the captions of figures or tables whose image is missing"
    )
    text: str


class Unexplained(Model):
    """An experiment for which no usable explanation was generated."""

    id: str
    reason: str


class GeneratedList(Model):
    """The list of items that one system generated for the paper."""

    system: str
    by: str | None = Field(
        default=None,
        description=(
            'who wrote the list: "builtin" (a method without a model), the model that was asked, or another author'
        ),
    )
    items: list[GeneratedItem] | None = Field(description="the generated items; null if there is no usable list")
    sections: list[str] | None = Field(
        default=None,
        description='the parts of the paper that were used to generate the list: "abstract" or ids of sections',
    )
    passages: list[Passage] | None = Field(
        default=None, description="passages retrieved from related papers, most relevant first"
    )
    similarity: dict[str, float] | None = Field(
        default=None,
        description=(
            "similarity of each section to the limitations of related papers or, without such limitations, to a "
            "fixed description of limitations; the similarity decided which sections the model reads"
        ),
    )
    pieces: int | None = Field(default=None, description="number of pieces into which the paper was divided")
    cut: int | None = Field(
        default=None, description="number of words at the end of the paper that were not shown to the model"
    )
    repeats: int | None = Field(
        default=None,
        description="task weaknesses: number of items of the list that repeat an earlier item word for word",
    )
    given: GivenPart | None = Field(
        default=None,
        description="tasks experiments and explanations: the part of the paper that was shown to the model",
    )
    images: list[ShownImage] | None = Field(
        default=None, description="images that were shown to the model with the text"
    )
    images_missing: list[str] | None = Field(
        default=None, description="ids of the captions of figures or tables whose image is missing"
    )
    unexplained: list[Unexplained] | None = Field(
        default=None, description="experiments for which no usable explanation was generated"
    )
    missing: list[MissingPiece] | None = Field(
        default=None, description="pieces of the paper for which the model gave no usable reply, each with the reason"
    )
    drafts: list[Draft] | None = Field(
        default=None,
        description="drafts of items from the pieces of the paper, if the drafts could not be merged into one list",
    )
    uncombined: str | None = Field(default=None, description="reason why items that repeat each other were not merged")
    reason: str | None = Field(
        default=None, description="reason why no passage of a related paper was used, or why `items` is null"
    )
    leak: dict[str, Any] | None = Field(
        default=None,
        description=(
            "sequences of eight words that occur both in the input of the model and in a limitation of the paper"
        ),
    )


class LocatedPhrases(Model):
    """The spans of the problem and the method that a question names, if the paper contains these words."""

    problem: Span | None = None
    method: Span | None = None


class GeneratedQuestion(Model):
    """A research question that a system wrote, or a sentence of the paper that states a research question."""

    id: str
    text: str
    problem: str | None = Field(
        default=None, description="the problem that the question states, if the reply names the problem"
    )
    method: str | None = Field(
        default=None, description="the method that the question states, if the reply names the method"
    )
    form: str | None = Field(
        default=None,
        description='form of the question: "can-by" for questions like "Can X be solved by Y?", else the first word of '
        'the question, or "other"',
    )
    flags: list[str] | None = Field(
        default=None,
        description=(
            'properties of the question, found by rule: "no-question-mark", "short", "long", '
            '"several-sentences", "copied-sentence"'
        ),
    )
    new_words: float | None = Field(
        default=None, ge=0, le=1, description="share of the words of the question that do not occur in the input"
    )
    located: LocatedPhrases | None = None
    spans: list[Span] | None = Field(
        default=None, description="spans of the sentence of the paper that states the question"
    )
    cue: str | None = Field(default=None, description="reason why the sentence was selected as a research question")


class QuestionList(Model):
    """The research questions that one system generated for the paper."""

    system: str
    variant: str | None = Field(
        default=None, description='variant of the prompt: "plain", "format", "structured" or "stated"'
    )
    by: str | None = Field(
        default=None,
        description=(
            'who wrote the questions: "builtin" (a method without a model), the model that was asked, or another author'
        ),
    )
    items: list[GeneratedQuestion] | None = Field(
        description="the research questions; null if there is no usable reply"
    )
    sections: list[str] | None = Field(
        default=None, description="parts of the paper that were used to generate the questions"
    )
    reason: str | None = Field(default=None, description="reason why there are no questions")


class TextItem(Model):
    """A text that people wrote about the paper, such as the description of an experiment."""

    id: str
    text: str
    spans: list[Span] | None = Field(
        default=None,
        description="spans of the passages of the paper that report the described experiment or other subject",
    )


class Generated(Model):
    """Texts that systems generated for the paper, by task. Each list has one entry per system."""

    claims: list[ClaimList] | None = None
    limitations: list[GeneratedList] | None = None
    weaknesses: list[GeneratedList] | None = None
    experiments: list[GeneratedList] | None = None
    explanations: list[GeneratedList] | None = None
    questions: list[QuestionList] | None = None
