"""The types of what judges say of generated texts beside a reference."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scholartools.schemas.base import Author, Model
from scholartools.vocabulary import Facet


class FacetRatings(Model):
    """How far one system's summary has each facet of the reference."""

    system: str
    in_: str | None = Field(default=None, alias="in", description='"summary:SYSTEM", or the path of the text')
    reference: str | None = Field(default=None, description='"abstract", or the path of what it is rated against')
    by: str | None = Field(default=None, description="the model that was asked, or the person who rated")
    ratings: dict[Facet, float | None] = Field(
        description="1..3 for background and conclusion, 1..4 for method and result; null if the reference lacks "
        "the facet or the facet is in `missing`"
    )
    reasons: dict[str, str] | None = Field(
        default=None, description="why nobody was asked, or what is missing, by facet"
    )
    missing: list[Facet] | None = Field(default=None, description="facets without a rating because no reply was usable")
    samples: dict[str, list[int | None]] | None = Field(
        default=None, description="samples whose median is the rating; null for a sample without a usable reply"
    )
    similarity: dict[str, float] | None = Field(
        default=None, description="similarity by facet, if the rating comes from the similarity"
    )
    n_cut: int | None = Field(default=None, description="number of texts longer than the embedder reads")


class OverallRating(Model):
    """How far one system's summary says what the reference says, as a whole."""

    system: str
    in_: str | None = Field(default=None, alias="in", description='"summary:SYSTEM", or the path of the text')
    reference: str | None = Field(default=None, description='"abstract", or the path of what it is rated against')
    by: str | None = Field(default=None, description="the model that was asked, or the person who rated")
    rating: float | None = Field(ge=1, description="rating of the summary; null if there is no usable reply")
    maximum: int = Field(description="highest possible rating")
    reason: str | None = Field(default=None, description="why nobody was asked, or what is missing")
    samples: list[int | None] | None = Field(
        default=None, description="samples whose median is the rating; null for a sample without a usable reply"
    )


class Vote(Model):
    """One answer to the question whether two items have the same meaning."""

    prompt: str
    order: Literal["reference-first", "candidate-first"]
    match: bool | None = Field(description="null: no usable reply")
    sample: int | None = Field(default=None, description="number of the sample")
    reason: str | None = Field(default=None, description="why the match is null")


class Pair(Model):
    """Whether two items have the same meaning; null if there is no usable judgement."""

    reference: str = Field(description="id of a reference item")
    candidate: str = Field(description="id of a generated item")
    match: bool | None
    votes: list[Vote] | None = Field(default=None, description="votes from which the judgement comes")
    similarity: float | None = Field(default=None, description="cosine of the items' embeddings, if the cosine decided")
    reason: str | None = Field(default=None, description="why the match is null")


class Matched(Model):
    """The judged pairs of one system; a pair that is not listed was not judged, and counts as no match."""

    system: str
    pairs: list[Pair]
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else judged')
    reference: str | None = Field(default=None, description="dotted path of the reference items, if a path was given")
    candidate: str | None = Field(default=None, description="dotted path of the generated items, if a path was given")
    texts: str | None = Field(default=None, description="fingerprint of the ids and texts of both sides")
    report: dict[str, Any] | None = Field(
        default=None, description="counts of pairs, and how prompts and orders differ"
    )
    n_cut: int | None = Field(
        default=None, description="number of texts longer than the embedder of the prefilter reads"
    )


class Entailed(Model):
    """Whether an item follows from the other side's list; null if there is no usable judgement."""

    id: str | None = None
    entailed: bool | None
    votes: list[bool | None] | None = Field(
        default=None, description="votes of several samples; null for a sample without a usable reply"
    )
    similarity: float | None = Field(default=None, description="cosine to the nearest item, if the cosine decided")
    reason: str | None = Field(default=None, description="why nobody was asked, or what is missing")


class Entailment(Model):
    """``judgements.entail``: one judgement per item of either side."""

    system: str
    candidates: list[Entailed]
    references: list[Entailed]
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else judged')
    reference: str | None = Field(default=None, description="dotted path of the reference items, if a path was given")
    candidate: str | None = Field(default=None, description="dotted path of the system's items, if a path was given")
    texts: str | None = Field(default=None, description="fingerprint of the ids and texts of both sides, in any order")


class Choice(Model):
    """One equation of a question: whether it is right, and whether the system said so."""

    id: str | None = None
    correct: bool
    answer: bool | None = Field(
        description="answer of the system; null if the answer could not be parsed, which counts as wrong"
    )
    reason: str | None = Field(default=None, description="why the answer is null")
    failed: bool | None = Field(
        default=None,
        description="true if no reply came, so that the null answer is left out and does not count as wrong",
    )


class OrderedChoice(Model):
    """The equation that was chosen when all options were shown in one order."""

    order: list[str] = Field(description="ids of the options, in the order of their letters")
    choice: str | None = Field(description="id of the chosen option; null if there is no usable reply")
    reason: str | None = Field(default=None, description="why the choice is null")
    failed: bool | None = Field(default=None, description="true if no reply came")


class Inference(Model):
    """``judgements.equation``: answers to "is this equation correct?", or the choice of one."""

    system: str
    options: list[Choice]
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else judged')
    format: Literal["binary", "choice"] | None = Field(
        default=None, description='"choice": one of all options was chosen; absent: each option was judged alone'
    )
    context_words: int | None = Field(
        default=None,
        description="maximum number of words shown on each side of the equation; null if all words were shown",
    )
    words: list[int] | None = Field(default=None, description="number of words shown before and after the equation")
    texts: str | None = Field(default=None, description="fingerprint of the question: options, truth and context")
    choice: str | None = Field(
        default=None, description="id of the option chosen in most orders; null if there is none"
    )
    reason: str | None = Field(default=None, description="why the choice is null")
    failed: bool | None = Field(
        default=None, description="true if a call that might have decided the choice had no reply"
    )
    orders: list[OrderedChoice] | None = Field(default=None, description="the choice in each order that was shown")


class SegmentAnswer(Model):
    """What a system said of a segment under one prompt."""

    deficient: bool
    explanation: str | None = None


class Segment(Model):
    """A segment of a review: what people found, and what the system said under each prompt."""

    deficient: bool | None = Field(description="verdict of people; null if people have not judged the segment")
    explanation: str | None = Field(default=None, description="explanation by people why the segment is deficient")
    start: int | None = Field(default=None, ge=0, description="first code point of the segment in the review's text")
    end: int | None = Field(default=None, ge=0, description="one past the last code point")
    answers: dict[str, SegmentAnswer | None] = Field(
        description='answer under each prompt ("labeling-all", "select-deficient"); null: the reply could not be parsed'
    )
    reasons: dict[str, str] | None = Field(default=None, description="why an answer is null or lacks something")


class Critiqued(Model):
    """One review, cut into segments."""

    id: str
    segments: list[Segment]
    by: str | None = Field(
        default=None, description='who made the segments: "builtin" (by sentences) or "given" (by the record)'
    )


class Critique(Model):
    """``judgements.review``: which segments of each review a system calls deficient."""

    system: str
    reviews: list[Critiqued]
    by: str | None = Field(default=None, description='"builtin", the model that was asked, or who else judged')
    texts: str | None = Field(default=None, description="fingerprint of the reviews and their segments")


class IssueVote(Model):
    """One verdict on whether two sides find the same fault, in one order."""

    order: Literal["reviewer-first", "model-first"]
    verdict: Literal["same", "similar", "different"] | None
    sample: int | None = None
    reason: str | None = Field(default=None, description="reason why there is no verdict")


class IssuePair(Model):
    """A reviewer's and a model's verification of one claim, and whether they find the same fault."""

    claim: str | None = Field(default=None, description="id of the claim; null for a custom target")
    reviewer: str = Field(description="id of a verification")
    model: str = Field(description="id of a verification")
    verdict: Literal["same", "similar", "different"] | None
    votes: list[IssueVote] | None = None
    reason: str | None = Field(default=None, description='why there is no verdict: "inconsistent" where votes differ')


class IssueControl(IssuePair):
    """A control pair: a reviewer's side and itself, or and that of a weakness that disputes other claims."""

    expected: Literal["same", "different"]


class SameIssue(Model):
    """The pairs of one system."""

    system: str
    by: str | None = None
    texts: str | None = Field(default=None, description="fingerprint of the verifications that were compared")
    pairs: list[IssuePair]
    controls: list[IssueControl] | None = Field(default=None, description="pairs whose verdict is known")
    report: dict[str, Any] | None = Field(default=None, description="counts of verdicts, and by order")


class SpecificityVote(Model):
    """One verdict on which version of a weakness is more specific, in one order."""

    order: Literal["original-first", "revised-first"]
    winner: Literal["revised", "original", "tie"] | None
    sample: int | None = None
    reason: str | None = None


class SpecificityPair(Model):
    """A weakness and its rewriting, and which is more specific."""

    weakness: str
    winner: Literal["revised", "original", "tie"] | None
    votes: list[SpecificityVote] | None = None
    reason: str | None = Field(default=None, description='"unchanged", "inconsistent", or why votes are missing')


class SpecificityControl(SpecificityPair):
    """A pair whose winner is known: a weakness and itself, or a weakness and words that fit any paper."""

    expected: Literal["original", "tie"]


class Specificity(Model):
    """The rewritten weaknesses of one system."""

    system: str
    by: str | None = None
    texts: str | None = Field(default=None, description="fingerprint of the weaknesses, rewritings and targets")
    targets: Author | None = Field(default=None, description="system or rater whose targets the judge saw")
    pairs: list[SpecificityPair]
    controls: list[SpecificityControl] | None = Field(default=None, description="pairs whose winner is known")
    report: dict[str, Any] | None = Field(default=None, description="counts of winners, and of wins by the first shown")


class Unparsed(Model):
    """The samples of a rating without a score that can be parsed."""

    n: int = Field(ge=1)
    reasons: dict[str, int] = Field(description='number of samples without a score, by reason ("no number")')


class BatchPlace(Model):
    """The position of an item in batches that were rated in one call; lists have one value per round."""

    pool: str = Field(description="fingerprint of the items that were rated together")
    round_scores: list[float | None] = Field(
        description="score in each round; null if the reply to the batch was not usable"
    )
    slots: list[int] = Field(description="position in the batch, from 1")
    mates: list[list[str]] = Field(description='the other items of the batch, each "PAPER/SYSTEM/ITEM"')


class RatingUsage(Model):
    """The usage of a rating, for a batch divided by its items. Tokens and USD are null if not reported."""

    replies: float = Field(description="number of replies; one call may give several")
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    cost: float | None = Field(default=None, description="USD")


class Rated(Model):
    """``judgements.rate``: one aspect of one item by one method. There is an entry for each method and judge."""

    system: str
    item: str = Field(description="id of the item, or its position (from 1) if it has no id")
    in_: str = Field(alias="in", description="path of the item's text")
    method: str
    aspect: str
    by: str = Field(description='the model that was asked, or "builtin"')
    score: float | None = Field(description="score on `scale`; null with a reason")
    normal: float | None = Field(description="the score in 0..1; null where the scale is")
    scale: list[float] | None = Field(
        description="lowest and highest score; null for a count, which has no highest score", min_length=2, max_length=2
    )
    reason: str | None = Field(default=None, description="why the score is null")
    samples: list[float | None] | None = Field(
        default=None, description="scores of the samples; null for a sample without a score that can be parsed"
    )
    unparsed: Unparsed | None = None
    spread: float | None = Field(default=None, description="standard deviation of the samples or rounds (ddof 0)")
    from_: Literal["single", "samples", "logprobs", "rounds"] = Field(alias="from", description="parts of the score")
    distribution: dict[str, float] | None = Field(default=None, description="share of each score")
    mass: float | None = Field(
        default=None, description="total probability of all scores of the scale, before normalisation"
    )
    sub_scores: dict[str, float | None] | None = Field(default=None, description="scores of the sub-aspects, by name")
    explanation: str | None = Field(
        default=None, description="the model's explanation in the first sample with a score"
    )
    batch: BatchPlace | None = None
    text: str = Field(description="fingerprint of the item's text and of the context shown with it")
    seen_in_fit: bool = Field(description="true if criteria, steps or examples were made from this item's paper")
    usage: RatingUsage
    calls: list[str] | None = Field(default=None, description="keys of the replies in the cache")
    replies: list[str | None] | None = Field(default=None, description="raw replies, if requested")


class Judgements(Model):
    """Judgements of texts against a reference, by task. Each list has one entry per system;
    ``rate`` one for each system, item, method, aspect and judge.
    """

    facets: list[FacetRatings] | None = None
    vanilla: list[OverallRating] | None = None
    match: list[Matched] | None = None
    entail: list[Entailment] | None = None
    equation: list[Inference] | None = None
    review: list[Critique] | None = None
    same_issue: list[SameIssue] | None = None
    specificity: list[Specificity] | None = None
    rate: list[Rated] | None = None


#: The type of one entry of each task's judgements that are scored, in the order of the metrics.
JUDGEMENTS: dict[str, type[Model]] = {
    "facets": FacetRatings,
    "match": Matched,
    "entail": Entailment,
    "equation": Inference,
    "review": Critique,
    "specificity": Specificity,
    "same_issue": SameIssue,
}
