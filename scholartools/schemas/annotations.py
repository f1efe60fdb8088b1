"""The types of what commands and people mark in the texts of a paper: facets, limitations, claims, weaknesses."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scholartools.schemas.base import Author, Extract, Model, Span
from scholartools.vocabulary import Facet, WeaknessType


class FacetSet(Model):
    """The facets of one text. A missing facet is null."""

    in_: str = Field(alias="in", description='"abstract" or "summary:SYSTEM"')
    by: str = Field(description='"builtin" or the model that was asked')
    background: Extract | None
    method: Extract | None
    result: Extract | None
    conclusion: Extract | None
    other: Extract | None = Field(
        default=None, description="sentences that belong to no facet (copyright, registration)"
    )
    sample: int | None = Field(default=None, ge=0, description="number of the sample")
    reason: str | None = Field(default=None, description="reason why all facets are null")


class Limitation(Extract):
    """One limitation: a sequence of sentences, word for word. A merged limitation has all texts, each word for word."""

    id: str
    origin: Literal["author", "review", "both"]
    mode: Literal["explicit", "implicit"]
    by: str = Field(description='"builtin" or the model that was asked')
    heading: str | None = Field(
        default=None, description="heading of the section or of the part of the review that contains the limitation"
    )
    cue: str | None = Field(default=None, description="keyword before the limitation, as in the text")
    title: str | None = Field(default=None, description="a short title by a model, not a quotation from the paper")
    shares: list[str] | None = Field(
        default=None, description="ids of other limitations that share a sentence with this one"
    )
    members: list[Limitation] | None = Field(default=None, description="the limitations merged into this one")


class ClaimKeywords(Model):
    """The keywords about claims in a review."""

    hits: list[Extract]


class Claim(Extract):
    """A claim of the paper, word for word: a statement about its findings, results, contributions or related work."""

    id: str
    by: str = Field(description='"builtin", the model that was asked, or who else marked it')
    role: str | None = Field(default=None, description="novelty, relation, finding, result, contribution")
    cue: str | None = Field(default=None, description="words by which the built-in method found the item")
    shares: list[str] | None = Field(default=None, description="ids of other items that overlap with this item")
    match: str | None = Field(default=None, description="how a model's quotation differs from the passage in the text")


class Mention(Extract):
    """A part of the paper that a review refers to."""

    kind: Literal["line", "table", "figure", "section", "citation", "quote"]
    at: list[Span] | str | None = Field(
        description="spans of the part in the paper, or the id of a caption, section or reference"
    )


class Target(Extract):
    """A claim that a weakness disputes. A custom target was not among the candidates and is copied from the paper."""

    claim: str | None = Field(default=None, description="id of the candidate")
    custom: bool
    inside: str | None = Field(default=None, description="id of the candidate that contains the custom target")
    score: float | None = Field(
        default=None, description="similarity of the target to the weakness, if the similarity decided"
    )


class ClaimVote(Model):
    """One answer to the question which claims a weakness disputes, in one order of the candidates."""

    order: Literal["given", "reversed"]
    targets: list[str] | None = Field(description="ids of the chosen claims; null if there is no usable reply")
    ranks: list[int] | None = Field(default=None, description="positions of the targets in the list that was shown")
    custom: str | None = None
    rejected: str | None = Field(default=None, description="a custom target that does not occur in the paper")
    reason: str | None = None


class Targets(Model):
    """The targets of a weakness according to one system or rater. An empty list means that it has none."""

    system: str
    by: str | None = None
    items: list[Target] | None = Field(description="null if there is no usable answer")
    tentative: list[str] | None = Field(default=None, description="ids of claims marked before the final choice")
    reason: str | None = Field(default=None, description="why there is no answer, or the reasoning of a model")
    votes: list[ClaimVote] | None = None
    ranks: list[int] | None = Field(default=None, description="positions of the chosen candidates in the list")
    flips: float | None = Field(default=None, ge=0, le=1, description="share of targets chosen in one order only")
    texts: str | None = Field(default=None, description="fingerprint of the weakness and of the candidates")


class WeaknessLabels(Model):
    """The labels of a weakness by one system or rater."""

    system: str
    by: str | None = None
    objectivity: int | None = Field(
        default=None, ge=1, le=5, description="1 for a subjective judgement, 5 for objective facts"
    )
    agreement: int | None = Field(
        default=None, ge=1, le=5, description="1 if the weakness is ill-founded, 5 if it is fully convincing"
    )
    types: list[WeaknessType] | None = Field(
        default=None, min_length=1, description="types of the weakness; null if nothing in the text indicates a type"
    )
    reasons: dict[str, str] | None = None
    cues: dict[str, str] | None = Field(default=None, description="words that indicate the types")
    comment: str | None = None
    texts: str | None = Field(default=None, description="fingerprint of the weakness and of its targets")


class Anchors(Model):
    """The line numbers, tables, quotations, citations and numbers that a rewriting keeps, loses and adds."""

    kept: list[str]
    lost: list[str]
    added: list[str]
    unfounded: list[str] = Field(description="additions that no part of the input contains")


class Edited(Model):
    """A weakness as one system rewrote it, or left it."""

    system: str
    by: str | None = None
    text: str | None = Field(description="null if there is no usable answer")
    changed: bool | None = None
    reason: str | None = None
    anchors: Anchors | None = None
    texts: str | None = Field(default=None, description="fingerprint of the weakness and of its targets")


class Weakness(Model):
    """A passage of a review that disputes one or more claims, and what systems and raters say of it."""

    id: str
    review: str = Field(description="id of the review")
    text: str
    spans: list[Span] | None = None
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else marked it')
    groundedness: int | None = Field(
        default=None, ge=1, le=5, description="how likely the weakness disputes a claim: 5 is certain"
    )
    cues: list[str] | None = None
    match: str | None = Field(default=None, description="how a model's quotation differs from the passage in the text")
    mentions: list[Mention] | None = None
    targets: list[Targets] | None = None
    labels: list[WeaknessLabels] | None = None
    edited: list[Edited] | None = None


class WeaknessSet(Model):
    """The weaknesses that one rater or system sees in one review."""

    rater: str
    review: str
    items: list[Weakness] | None = Field(description="null if there is no usable answer")


class LimitationCheck(Model):
    """A person's answer about a passage that was extracted as a limitation."""

    limitation: str = Field(description="id of the limitation")
    rater: str
    verdict: Literal["limitation", "not-a-limitation", "wrong-passage"]
    mode: Literal["explicit", "implicit"] | None = None


class Annotations(Model):
    """Several authors' answers to one question, side by side."""

    weaknesses: list[WeaknessSet] | None = None
    facets: list[FacetSet] | None = Field(default=None, description="the facets of texts as people marked them")
    limitations: list[LimitationCheck] | None = None


class Topic(Model):
    """Whether the paper is about a topic."""

    name: str
    relevant: bool
    by: str | None = None


class CutOff(Model):
    """Whether the paper was submitted before a model's training data end."""

    date: str = Field(description="date on which the training data end, YYYY-MM-DD")
    submitted: str | None = Field(description="day of submission; null if unknown")
    side: Literal["before", "after", "unknown"]


class Continued(Model):
    """What a model writes, word for word, when it is given the first half of a review."""

    review: str
    longest: int | None = Field(
        description="number of words of the longest shared sequence that the paper lacks; null: see reason"
    )
    run: str | None = Field(description="words of the longest shared sequence; null if there is none")
    hidden: int | None = Field(
        default=None,
        description="number of words of the second half of the review; null if it is too short for the test",
    )
    reason: str | None = None


class Contamination(Model):
    """The reviews of the paper, as continued by one model."""

    system: str
    by: str | None = None
    reviews: list[Continued]


class ClaimList(Model):
    """The claims that one system extracted."""

    system: str
    by: str | None = None
    items: list[Claim]


class Evidence(Model):
    """A passage, or a table, figure or algorithm, that a verification rests on."""

    label: str = Field(description='"text_0", "table_2"')
    text: str | None = None
    spans: list[Span] | None = None
    caption: str | None = Field(default=None, description="id of the caption")
    paper: str | None = Field(
        default=None,
        description="id of the related paper that contains the evidence; null for evidence of the paper itself",
    )


class FocalClaim(Extract):
    """The claim that is verified."""

    id: str | None = None


class Verification(Model):
    """What is wrong with one claim, according to a reviewer (distilled from a weakness) or to a model."""

    id: str
    system: str
    by: str | None = None
    side: Literal["reviewer", "model"]
    claim: FocalClaim
    weakness: str | None = Field(default=None, description="id of the weakness, on the reviewer's side")
    types: list[WeaknessType] | None = None
    text: str | None = Field(description="reasoning of the verification; null if there is no usable answer")
    evidence: list[Evidence] | None = None
    cited: list[str] | None = Field(default=None, description="labels of evidence that the text cites")
    copied: int | None = Field(default=None, description="sequences of eight words shared with the weakness")
    control: bool | None = Field(default=None, description="a claim that nobody disputed")
    reason: str | None = Field(default=None, description="why there is no answer")
    targets: Author | None = Field(
        default=None, description="system or rater whose target the claim is, or to which the control belongs"
    )
    texts: str | None = Field(default=None, description="fingerprint of the claim and of the weakness")


class Rejected(Model):
    """Text that was rejected, and the reason."""

    command: str
    text: str
    reason: str
    span: Span | None = Field(default=None, description="span in the text, if known")
    in_: str | None = Field(
        default=None,
        alias="in",
        description="text that was said to contain the rejected text, or the list that it belongs to",
    )
    title: str | None = Field(default=None, description="a short title by a model")
    facet: Facet | None = Field(default=None, description="facet for which the passage was quoted")
    system: str | None = Field(default=None, description="system that generated the rejected text")
    step: str | None = Field(
        default=None, description='action of st-claims; "draft": the item is of a draft of another list'
    )
    weakness: str | None = Field(default=None, description="id of the weakness for which the text was given")
    verification: str | None = Field(default=None, description="id of the verification for which the text was given")
    label: str | None = Field(default=None, description="label of the evidence")
