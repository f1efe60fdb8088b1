"""The types of what commands and people mark in the texts of a paper: facets, limitations, claims, weaknesses."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scholartools.schemas.base import Author, Extract, Model, Span
from scholartools.vocabulary import Facet, WeaknessType


class FacetSet(Model):
    """The facets of one text: background, method, result and conclusion. A facet that the text lacks is null."""

    in_: str = Field(alias="in", description='the text that was divided into facets: "abstract" or "summary:SYSTEM"')
    by: str = Field(description='the method: "builtin" (without a model), or the model that was asked')
    texts: str | None = Field(
        default=None, description="hash of the whole text that was divided into facets, to detect later changes"
    )
    background: Extract | None
    method: Extract | None
    result: Extract | None
    conclusion: Extract | None
    other: Extract | None = Field(
        default=None,
        description="sentences of the text that belong to no facet, such as a copyright notice or a registration",
    )
    sample: int | None = Field(
        default=None, ge=0, description="number of the sample, if the model was asked several times"
    )
    reason: str | None = Field(default=None, description="reason why all facets are null")


class Limitation(Extract):
    """One limitation: a sequence of sentences, copied word for word. The text of a merged limitation
    consists of the texts of the limitations that were merged.
    """

    id: str
    origin: Literal["author", "review", "both"]
    mode: Literal["explicit", "implicit"]
    by: str = Field(description='the method: "builtin" (without a model), or the model that was asked')
    heading: str | None = Field(
        default=None, description="heading of the section, or of the part of the review, that contains the limitation"
    )
    cue: str | None = Field(
        default=None, description="words because of which the text was extracted as a limitation, such as a keyword"
    )
    title: str | None = Field(
        default=None, description="a short title that a model wrote for the limitation; not a quotation from the paper"
    )
    shares: list[str] | None = Field(
        default=None, description="ids of other limitations that share a sentence with the limitation"
    )
    members: list[Limitation] | None = Field(
        default=None, description="the limitations that were merged into this limitation"
    )


class ClaimKeywords(Model):
    """The keywords in a review that refer to claims."""

    hits: list[Extract] = Field(description="the keywords of the review that refer to claims, each with its span")


class Claim(Extract):
    """A claim of the paper, copied word for word: a statement on findings, results, contributions or related work."""

    id: str
    by: str = Field(
        description=(
            'who marked the claim: "builtin" (a method without a model), the model that was asked, or another rater'
        )
    )
    role: str | None = Field(
        default=None, description="type of the claim: novelty, relation, finding, result or contribution"
    )
    cue: str | None = Field(default=None, description="words by which the method without a model found the claim")
    shares: list[str] | None = Field(default=None, description="ids of other claims that overlap with the claim")
    match: str | None = Field(
        default=None, description="how the model's quotation differs from the passage in the paper"
    )


class Mention(Extract):
    """A part of the paper that a review refers to."""

    kind: Literal["line", "table", "figure", "section", "citation", "quote"]
    at: list[Span] | str | None = Field(
        description=(
            "the part of the paper that the review refers to: its spans, or the id of a caption, section or reference"
        )
    )


class Target(Extract):
    """A claim that a weakness disputes. A custom target is not one of the candidate claims in the list that was shown,
    and is copied from the paper.
    """

    claim: str | None = Field(default=None, description="id of the candidate claim that the weakness disputes")
    custom: bool
    inside: str | None = Field(
        default=None, description="id of the candidate claim whose text contains the text of the custom target"
    )
    score: float | None = Field(
        default=None, description="similarity of the target to the weakness, if the similarity decided the choice"
    )


class ClaimVote(Model):
    """One answer of a model to the question "Which of these claims does the weakness dispute?". The model saw the
    candidate claims in the order that `order` names.
    """

    order: Literal["given", "reversed"]
    targets: list[str] | None = Field(description="ids of the chosen claims; null if there is no usable reply")
    ranks: list[int] | None = Field(
        default=None, description="positions of the chosen claims in the list of candidate claims that was shown"
    )
    custom: str | None = None
    rejected: str | None = Field(
        default=None,
        description=(
            "text that the model named as a disputed claim, rejected because the text is neither a candidate claim "
            "nor a passage of the paper"
        ),
    )
    reason: str | None = None


class Targets(Model):
    """The claims that a weakness disputes, according to one system or rater. An empty list means that the weakness
    disputes no claim.
    """

    system: str
    by: str | None = None
    items: list[Target] | None = Field(
        description="the claims that the weakness disputes; null if the model or rater gave no usable answer"
    )
    tentative: list[str] | None = Field(
        default=None,
        description="ids of the claims that the model or rater marked as possible targets before the final choice of "
        "the targets",
    )
    reason: str | None = Field(
        default=None,
        description=(
            "reason why `items` is null; if `items` is not null, the model's reasoning for its choice of claims"
        ),
    )
    votes: list[ClaimVote] | None = None
    ranks: list[int] | None = Field(
        default=None, description="positions of the chosen claims in the list of candidate claims that was shown"
    )
    flips: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description=(
            "share of the chosen claims that were chosen in only one of the two orders in which the candidates "
            "were shown"
        ),
    )
    texts: str | None = Field(
        default=None, description="hash of the weakness and of the candidate claims, to detect later changes"
    )


class WeaknessLabels(Model):
    """The labels that one system or rater gave to a weakness."""

    system: str
    by: str | None = None
    objectivity: int | None = Field(
        default=None,
        ge=1,
        le=5,
        description="objectivity of the weakness: from 1 (a subjective judgement) to 5 (objective facts)",
    )
    agreement: int | None = Field(
        default=None,
        ge=1,
        le=5,
        description=(
            "agreement with the weakness: from 1 (the weakness is ill-founded) to 5 (the weakness is fully convincing)"
        ),
    )
    types: list[WeaknessType] | None = Field(
        default=None, min_length=1, description="types of the weakness; null if no word of the text indicates a type"
    )
    reasons: dict[str, str | None] | None = None
    cues: dict[str, str] | None = Field(
        default=None, description="words of the weakness that indicate each type, by type"
    )
    comment: str | None = None
    texts: str | None = Field(
        default=None, description="hash of the weakness and of its targets, to detect later changes"
    )


class Anchors(Model):
    """The line numbers, tables, quotations, citations and numbers that a weakness keeps, loses or gets when it
    is rewritten."""

    kept: list[str]
    lost: list[str]
    added: list[str]
    unfounded: list[str] = Field(
        description="line numbers, citations, numbers and similar details that were added and that no part of the "
        "input contains"
    )


class Edited(Model):
    """A weakness as one system rewrote it, or left it unchanged."""

    system: str
    by: str | None = None
    text: str | None = Field(description="the rewritten weakness; null if the system gave no usable answer")
    changed: bool | None = None
    reason: str | None = None
    anchors: Anchors | None = None
    texts: str | None = Field(
        default=None, description="hash of the weakness and of its targets, to detect later changes"
    )


class Weakness(Model):
    """A passage of a review that disputes one or more claims, with the judgements of systems and raters."""

    id: str
    review: str = Field(description="id of the review that contains the weakness")
    text: str
    spans: list[Span] | None = None
    by: str | None = Field(
        default=None,
        description=(
            'who marked the weakness: "builtin" (a method without a model), the model that was asked, or another rater'
        ),
    )
    groundedness: int | None = Field(
        default=None,
        ge=1,
        le=5,
        description="how likely it is that the weakness disputes a claim of the paper, from 1 to 5 (certain)",
    )
    cues: list[str] | None = None
    match: str | None = Field(
        default=None, description="how the model's quotation differs from the passage in the review"
    )
    mentions: list[Mention] | None = None
    targets: list[Targets] | None = None
    labels: list[WeaknessLabels] | None = None
    edited: list[Edited] | None = None


class WeaknessSet(Model):
    """The weaknesses that one rater or system marked in one review."""

    rater: str
    review: str
    items: list[Weakness] | None = Field(
        description="the marked weaknesses; null if the rater or system gave no usable answer"
    )


class LimitationCheck(Model):
    """A person's answer about a passage that was extracted as a limitation."""

    limitation: str = Field(description="id of the limitation that was checked")
    rater: str
    verdict: Literal["limitation", "not-a-limitation", "wrong-passage"]
    mode: Literal["explicit", "implicit"] | None = None


class Annotations(Model):
    """The answers of several annotators about the same texts. Each entry is the answer of one annotator."""

    weaknesses: list[WeaknessSet] | None = None
    facets: list[FacetSet] | None = Field(default=None, description="the facets of texts as annotators marked them")
    limitations: list[LimitationCheck] | None = None


class Topic(Model):
    """Whether the paper is about a given topic."""

    name: str
    relevant: bool
    by: str | None = None


class CutOff(Model):
    """Whether the paper was submitted before the last date of a model's training data."""

    date: str = Field(description="last date of the model's training data, YYYY-MM-DD")
    submitted: str | None = Field(description="date on which the paper was submitted; null if unknown")
    side: Literal["before", "after", "unknown"]


class Continued(Model):
    """The comparison of the second half of a review with the text that a model wrote after the first half."""

    review: str
    longest: int | None = Field(
        description=(
            "number of words in the longest word sequence that occurs in the continuation and in the second "
            "half of the review, but not in the paper; if null, `reason` says why"
        )
    )
    run: str | None = Field(
        description="the longest sequence of words that the continuation shares with the second half of the review; "
        "null if none"
    )
    hidden: int | None = Field(
        default=None,
        description=(
            "number of words in the second half of the review; null if the second half is too short for the test"
        ),
    )
    reason: str | None = None


class Contamination(Model):
    """Continuations of reviews by one model, to test whether the model has memorised the reviews of the paper."""

    system: str
    by: str | None = None
    texts: str | None = Field(
        default=None, description="hash of the ids and texts of the reviews, to detect later changes"
    )
    reviews: list[Continued]


class ClaimList(Model):
    """The claims that one system extracted from the paper."""

    system: str
    by: str | None = None
    items: list[Claim]


class Evidence(Model):
    """A passage, table, figure or algorithm that supports a verification, that is, a statement of what is
    wrong with a claim."""

    label: str = Field(description='label of the evidence, such as "text_0" or "table_2"')
    text: str | None = None
    spans: list[Span] | None = None
    caption: str | None = Field(default=None, description="id of the caption of the table, figure or algorithm")
    paper: str | None = Field(
        default=None,
        description="id of the related paper that contains the evidence; null for evidence of the paper itself",
    )


class FocalClaim(Extract):
    """The claim about which a verification says what is wrong."""

    id: str | None = None


class Verification(Model):
    """A statement of what is wrong with one claim. The statement is by a model, or was distilled from a weakness that a
    reviewer wrote.
    """

    id: str
    system: str
    by: str | None = None
    side: Literal["reviewer", "model"]
    claim: FocalClaim
    weakness: str | None = Field(
        default=None, description="id of the weakness from which the reviewer's verification was distilled"
    )
    types: list[WeaknessType] | None = None
    text: str | None = Field(
        description="the reasoning about what is wrong with the claim; null if the answer of the system, or the "
        "reasoning in the answer, is not usable"
    )
    evidence: list[Evidence] | None = None
    cited: list[str] | None = Field(default=None, description="labels of the evidence that the reasoning cites")
    copied: int | None = Field(
        default=None, description="number of sequences of eight words that the reasoning shares with the weakness"
    )
    control: bool | None = Field(
        default=None, description="true if the claim is a control: a claim that no review disputes"
    )
    reason: str | None = Field(default=None, description="reason why `text` is null")
    targets: Author | None = Field(
        default=None,
        description="system or rater that chose the claim as a target; for a control claim, the system or rater for "
        "whose targets the control was added",
    )
    texts: str | None = Field(
        default=None, description="hash of the claim and of the weakness, to detect later changes"
    )


class Rejected(Model):
    """A text that a command rejected, with the reason."""

    command: str
    text: str
    reason: str
    span: Span | None = Field(default=None, description="span of the rejected text, if known")
    in_: str | None = Field(
        default=None,
        alias="in",
        description=(
            "the text from which the model claims to have quoted the rejected text, or the path of the list in which "
            "the rejected text would be"
        ),
    )
    title: str | None = Field(default=None, description="a short title that a model wrote for the rejected text")
    facet: Facet | None = Field(default=None, description="the facet for which a model quoted the rejected text")
    system: str | None = Field(default=None, description="system that generated the rejected text")
    step: str | None = Field(
        default=None,
        description=(
            'action of st-claims that rejected the text; "draft" if st-generate rejected the text from a draft '
            "of a list"
        ),
    )
    weakness: str | None = Field(
        default=None, description="id of the weakness for which a model gave the rejected text"
    )
    verification: str | None = Field(
        default=None, description="id of the verification for which a model gave the rejected text"
    )
    label: str | None = Field(default=None, description='label of the rejected evidence, such as "text_0" or "table_2"')
