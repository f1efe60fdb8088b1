"""The types of what commands and people mark in the texts of a paper: facets, limitations, claims, weaknesses."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from scholartools.schemas.base import Author, Extract, Model, Span
from scholartools.vocabulary import Facet, WeaknessType


class FacetSet(Model):
    """The facets of one text. A facet that is not there is null."""

    in_: str = Field(alias="in", description='"abstract" or "summary:SYSTEM"')
    by: str = Field(description='"builtin" or the model that was asked')
    background: Extract | None
    method: Extract | None
    result: Extract | None
    conclusion: Extract | None
    other: Extract | None = Field(default=None, description="sentences that are no facet (copyright, registration)")
    sample: int | None = Field(default=None, ge=0, description="which of several samples")
    reason: str | None = Field(default=None, description="why nothing is known of the facets, which then all are null")


class Limitation(Extract):
    """One limitation: a sequence of sentences, word for word; of merged ones all their texts, each word for word."""

    id: str
    origin: Literal["author", "review", "both"]
    mode: Literal["explicit", "implicit"]
    by: str = Field(description='"builtin" or the model that was asked')
    heading: str | None = Field(default=None, description="that the paper or the review gives it")
    cue: str | None = Field(default=None, description="keyword that it follows, as it stands in the text")
    title: str | None = Field(default=None, description="a few words for it by a model, found nowhere in the paper")
    shares: list[str] | None = Field(default=None, description="ids of others that have a sentence of this one")
    members: list[Limitation] | None = Field(default=None, description="the limitations merged into this one")


class ClaimKeywords(Model):
    """Where a review speaks of claims."""

    hits: list[Extract]


class Claim(Extract):
    """A claim of the paper, word for word: what it says of its findings, results, contributions or of related work."""

    id: str
    by: str = Field(description='"builtin", the model that was asked, or who else marked it')
    role: str | None = Field(default=None, description="novelty, relation, finding, result, contribution")
    cue: str | None = Field(default=None, description="the words it was found by, by the built-in method")
    shares: list[str] | None = Field(default=None, description="ids of others that overlap with it")
    match: str | None = Field(default=None, description="how a model's quotation differs from its place")


class Mention(Extract):
    """What a review points to in the paper."""

    kind: Literal["line", "table", "figure", "section", "citation", "quote"]
    at: list[Span] | str | None = Field(
        description="its spans in the paper, or the id of a caption, section, reference"
    )


class Target(Extract):
    """A claim that a weakness disputes; a custom one was no candidate and is copied from the paper."""

    claim: str | None = Field(default=None, description="id of the candidate")
    custom: bool
    inside: str | None = Field(default=None, description="id of the candidate that a custom one is a part of")
    score: float | None = Field(default=None, description="likeness to the weakness, where that decided")


class ClaimVote(Model):
    """One answer to the question which claims a weakness disputes, in one order of the candidates."""

    order: Literal["given", "reversed"]
    targets: list[str] | None = Field(description="ids of claims; null where the reply could not be used")
    ranks: list[int] | None = Field(default=None, description="the places in the list at which these were shown")
    custom: str | None = None
    rejected: str | None = Field(default=None, description="a custom target that stands nowhere in the paper")
    reason: str | None = None


class Targets(Model):
    """What one system or rater takes for the targets of a weakness; an empty list is that it has none."""

    system: str
    by: str | None = None
    items: list[Target] | None = Field(description="null: there is no usable answer")
    tentative: list[str] | None = Field(default=None, description="ids of claims marked before the final choice")
    reason: str | None = Field(default=None, description="why there is no answer, or the reasoning of a model")
    votes: list[ClaimVote] | None = None
    ranks: list[int] | None = Field(default=None, description="the numbers in the list of the candidates chosen")
    flips: float | None = Field(default=None, ge=0, le=1, description="share of targets chosen in one order alone")
    texts: str | None = Field(default=None, description="fingerprint of the weakness and of the candidates")


class WeaknessLabels(Model):
    """The labels of a weakness by one system or rater."""

    system: str
    by: str | None = None
    objectivity: int | None = Field(default=None, ge=1, le=5, description="1 subjective judgement, 5 objective facts")
    agreement: int | None = Field(default=None, ge=1, le=5, description="1 it is ill-founded, 5 it is fully convincing")
    types: list[WeaknessType] | None = Field(default=None, min_length=1, description="null where nothing tells them")
    reasons: dict[str, str] | None = None
    cues: dict[str, str] | None = Field(default=None, description="the words by which types were told")
    comment: str | None = None
    texts: str | None = Field(default=None, description="fingerprint of the weakness and of its targets")


class Anchors(Model):
    """The line numbers, tables, quotations, citations and numbers that a rewriting keeps, loses and adds."""

    kept: list[str]
    lost: list[str]
    added: list[str]
    unfounded: list[str] = Field(description="those of the added that nothing that was given has")


class Edited(Model):
    """A weakness as one system rewrote it, or left it."""

    system: str
    by: str | None = None
    text: str | None = Field(description="null: there is no usable answer")
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
    groundedness: int | None = Field(default=None, ge=1, le=5, description="how likely it has a target: 5 is certain")
    cues: list[str] | None = None
    match: str | None = Field(default=None, description="how a model's quotation differs from its place")
    mentions: list[Mention] | None = None
    targets: list[Targets] | None = None
    labels: list[WeaknessLabels] | None = None
    edited: list[Edited] | None = None


class WeaknessSet(Model):
    """The weaknesses that one rater or system sees in one review."""

    rater: str
    review: str
    items: list[Weakness] | None = Field(description="null: there is no usable answer")


class LimitationCheck(Model):
    """What a person says of a passage that was extracted as a limitation."""

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
    """Whether the paper is of a topic."""

    name: str
    relevant: bool
    by: str | None = None


class CutOff(Model):
    """Whether the paper was submitted before a model's training data end."""

    date: str = Field(description="on which the training data end, YYYY-MM-DD")
    submitted: str | None = Field(description="day of submission; null: the record does not tell")
    side: Literal["before", "after", "unknown"]


class Continued(Model):
    """What a model that was given the first half of a review says of the second, word for word."""

    review: str
    longest: int | None = Field(description="words of the longest shared run that the paper has not; null: see reason")
    run: str | None = Field(description="these words; null where there is none")
    hidden: int | None = Field(default=None, description="words of the second half; null: too short to be asked about")
    reason: str | None = None


class Contamination(Model):
    """The reviews of the paper as one model continues them."""

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
        default=None, description="id of a related paper that it is of; null: of the paper itself"
    )


class FocalClaim(Extract):
    """The claim that is verified."""

    id: str | None = None


class Verification(Model):
    """What is wrong with one claim, as a reviewer has it (distilled from a weakness) or as a model has it."""

    id: str
    system: str
    by: str | None = None
    side: Literal["reviewer", "model"]
    claim: FocalClaim
    weakness: str | None = Field(default=None, description="id of the weakness, on the reviewer's side")
    types: list[WeaknessType] | None = None
    text: str | None = Field(description="the reasoning; null: there is no usable answer")
    evidence: list[Evidence] | None = None
    cited: list[str] | None = Field(default=None, description="labels of evidence that the text cites")
    copied: int | None = Field(default=None, description="runs of eight words shared with the weakness")
    control: bool | None = Field(default=None, description="a claim that nobody disputed")
    reason: str | None = Field(default=None, description="why there is no answer")
    targets: Author | None = Field(default=None, description="whose target the claim is, or whom a control is beside")
    texts: str | None = Field(default=None, description="fingerprint of the claim and of the weakness")


class Rejected(Model):
    """Text that was not taken, and why."""

    command: str
    text: str
    reason: str
    span: Span | None = Field(default=None, description="where it stands, where that is known")
    in_: str | None = Field(default=None, alias="in", description="the text it was said to be in, or the list it is of")
    title: str | None = Field(default=None, description="a few words for it by a model")
    facet: Facet | None = Field(default=None, description="that it was quoted for")
    system: str | None = Field(default=None, description="that wrote it")
    step: str | None = Field(
        default=None, description='action of st-claims; "draft": of a list that another was made of'
    )
    weakness: str | None = Field(default=None, description="id of the weakness it was given for")
    verification: str | None = Field(default=None, description="id of the verification it was given for")
    label: str | None = Field(default=None, description="of the evidence")
