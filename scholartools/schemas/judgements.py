"""The types of what judges say of generated texts beside a reference."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scholartools.schemas.base import Author, Model
from scholartools.vocabulary import Facet

# Descriptions of keys that several judges write.
_WHO_JUDGED = 'who judged: "builtin" (a method without a model), the model that was asked, or another judge'
_REFERENCE_PATH = "dotted path of the reference items in the record, if `--reference` gave a path"


class FacetRatings(Model):
    """Ratings of how fully a system's summary contains each facet of the reference."""

    system: str
    in_: str | None = Field(
        default=None,
        alias="in",
        description='the rated text: "summary:SYSTEM", or the path of the rated text in the record',
    )
    reference: str | None = Field(
        default=None, description='the reference text: "abstract", or the path of the reference text in the record'
    )
    by: str | None = Field(default=None, description="the model that was asked, or the person who rated")
    texts: str | None = Field(
        default=None, description="hash of the facets of both texts that were rated, to detect later changes"
    )
    ratings: dict[Facet, float | None] = Field(
        description=(
            "rating of each facet: 1 to 3 for background and conclusion, 1 to 4 for method and result; null "
            "if the reference lacks the facet or if `missing` names the facet"
        )
    )
    reasons: dict[str, str] | None = Field(
        default=None,
        description=(
            "by facet: why the judge was not asked about the facet, or why replies about the facet are missing"
        ),
    )
    missing: list[Facet] | None = Field(default=None, description="facets without a rating because no reply was usable")
    samples: dict[str, list[int | None]] | None = Field(
        default=None,
        description=(
            "the ratings of several samples, whose median is the rating; null for a sample without a usable reply"
        ),
    )
    similarity: dict[str, float] | None = Field(
        default=None,
        description="similarity of the summary to the reference, by facet, if the similarity decided the rating",
    )
    n_cut: int | None = Field(
        default=None,
        description="number of texts that were shortened, because they are longer than the embedding model can read",
    )


class OverallRating(Model):
    """A rating of how far a system's summary as a whole says what the reference says."""

    system: str
    in_: str | None = Field(
        default=None,
        alias="in",
        description='the rated text: "summary:SYSTEM", or the path of the rated text in the record',
    )
    reference: str | None = Field(
        default=None, description='the reference text: "abstract", or the path of the reference text in the record'
    )
    by: str | None = Field(default=None, description="the model that was asked, or the person who rated")
    rating: float | None = Field(ge=1, description="rating of the summary; null if there is no usable reply")
    maximum: int = Field(description="highest possible rating")
    reason: str | None = Field(
        default=None, description="reason why the summary was not rated, or why replies about the summary are missing"
    )
    samples: list[int | None] | None = Field(
        default=None,
        description=(
            "the ratings of several samples, whose median is the rating; null for a sample without a usable reply"
        ),
    )


class Vote(Model):
    """One answer to the question whether two items have the same meaning."""

    prompt: str
    order: Literal["reference-first", "candidate-first"]
    match: bool | None = Field(
        description="true if the answer is that the two items have the same meaning; null if there is no usable reply"
    )
    sample: int | None = Field(default=None, description="number of the sample, if the model was asked several times")
    reason: str | None = Field(default=None, description="reason why `match` is null")


class Pair(Model):
    """A pair of items, and whether the two items have the same meaning. `match` is null if there is no usable
    judgement.
    """

    reference: str = Field(description="id of the reference item")
    candidate: str = Field(description="id of the generated item")
    match: bool | None
    votes: list[Vote] | None = Field(
        default=None, description="the answers of the judge from which `match` was computed"
    )
    similarity: float | None = Field(
        default=None, description="cosine of the embeddings of the two items, if the cosine decided the judgement"
    )
    reason: str | None = Field(default=None, description="reason why `match` is null")


class Matched(Model):
    """The pairs of a reference item and an item of one system that were judged. A pair that is not listed was
    not judged, and counts as not matching."""

    system: str
    pairs: list[Pair]
    by: str | None = Field(default=None, description=_WHO_JUDGED)
    reference: str | None = Field(default=None, description=_REFERENCE_PATH)
    candidate: str | None = Field(
        default=None, description="dotted path of the generated items in the record, if `--candidate` gave a path"
    )
    texts: str | None = Field(
        default=None,
        description="hash of the ids and texts of the reference items and of the generated items, to detect later "
        "changes",
    )
    report: dict[str, Any] | None = Field(
        default=None,
        description="number of judged pairs, and how often the answers differ between prompts and between orders of "
        "presentation",
    )
    n_cut: int | None = Field(
        default=None,
        description=(
            "number of texts that were shortened, because they are longer than the embedding model of --prefilter "
            "can read"
        ),
    )


class Entailed(Model):
    """An item of one list (the system's or the reference's), and whether the item follows from the other list.
    `entailed` is null if there is no usable judgement.
    """

    id: str | None = None
    entailed: bool | None
    votes: list[bool | None] | None = Field(
        default=None, description="verdicts of several samples; null for a sample without a usable reply"
    )
    similarity: float | None = Field(
        default=None,
        description=(
            "cosine of the embeddings of the item and of the most similar item in the other list, if the cosine "
            "decided the judgement"
        ),
    )
    reason: str | None = Field(
        default=None, description="reason why the item was not judged, or why replies about the item are missing"
    )


class Entailment(Model):
    """An entry of `judgements.entail`: one judgement for each item of the system and of the reference."""

    system: str
    candidates: list[Entailed]
    references: list[Entailed]
    by: str | None = Field(default=None, description=_WHO_JUDGED)
    reference: str | None = Field(default=None, description=_REFERENCE_PATH)
    candidate: str | None = Field(
        default=None, description="dotted path of the system's items in the record, if `--candidate` gave a path"
    )
    texts: str | None = Field(
        default=None,
        description=(
            "hash of the ids and texts of the two lists, to detect later changes; the order of the items has no effect"
        ),
    )


class Choice(Model):
    """One option of a question about equations: whether the option is correct, and whether the system called the
    option correct.
    """

    id: str | None = None
    correct: bool
    answer: bool | None = Field(
        description=(
            "whether the system called the option correct; null if the reply could not be parsed, which counts as wrong"
        )
    )
    reason: str | None = Field(default=None, description="reason why `answer` is null")
    failed: bool | None = Field(
        default=None,
        description="true if no reply came from the model; the option is then left out, and does not count as wrong",
    )


class OrderedChoice(Model):
    """The option that was chosen when all options were shown in one order."""

    order: list[str] = Field(description="ids of the options, in the order in which they were shown")
    choice: str | None = Field(description="id of the chosen option; null if there is no usable reply")
    reason: str | None = Field(default=None, description="reason why `choice` is null")
    failed: bool | None = Field(default=None, description="true if no reply came from the model")


class Inference(Model):
    """An entry of `judgements.equation`: the answers of a system to one question, which offers several equations. The
    system says of each equation whether it is correct, or chooses the one that is correct.
    """

    system: str
    options: list[Choice]
    by: str | None = Field(default=None, description=_WHO_JUDGED)
    format: Literal["binary", "choice"] | None = Field(
        default=None,
        description='"choice": the system chose one of all options; absent: the system judged each option alone',
    )
    context_words: int | None = Field(
        default=None,
        description="maximum number of words shown on each side of the equation; null if all words were shown",
    )
    words: list[int] | None = Field(
        default=None,
        description="two numbers: the words shown before the equation, and the words shown after the equation",
    )
    texts: str | None = Field(
        default=None,
        description="hash of the question (its options, its correct answer and its context), to detect later changes",
    )
    choice: str | None = Field(
        default=None,
        description="id of the option that a system chose in most of the orders in which the options were "
        "shown; null if no option was chosen in most orders",
    )
    reason: str | None = Field(default=None, description="reason why `choice` is null")
    failed: bool | None = Field(
        default=None, description="true if `choice` is null because the model gave no reply to at least one call"
    )
    orders: list[OrderedChoice] | None = Field(
        default=None, description="the chosen option for each order in which the options were shown"
    )


class SegmentAnswer(Model):
    """The answer of a system about a segment of a review under one prompt."""

    deficient: bool
    explanation: str | None = None


class Segment(Model):
    """A segment of a review, with the verdict of people and the answers of a system under each prompt."""

    deficient: bool | None = Field(
        description=(
            "the verdict of people whether the segment of the review is deficient; null if people have not "
            "judged the segment"
        )
    )
    explanation: str | None = Field(
        default=None, description="the reason that people gave why the segment of the review is deficient"
    )
    start: int | None = Field(
        default=None, ge=0, description="offset of the first code point of the segment in the text of the review"
    )
    end: int | None = Field(
        default=None, ge=0, description="offset after the last code point of the segment in the text of the review"
    )
    answers: dict[str, SegmentAnswer | None] = Field(
        description=(
            'answer of the system under each prompt ("labeling-all", "select-deficient"); null if the reply '
            "could not be parsed"
        )
    )
    reasons: dict[str, str] | None = Field(
        default=None, description="reason why the answer under a prompt is null or incomplete, by name of the prompt"
    )


class Critiqued(Model):
    """One review, divided into segments."""

    id: str
    segments: list[Segment]
    by: str | None = Field(
        default=None, description='how the segments were made: "builtin" (one per sentence) or "given" (by the record)'
    )


class Critique(Model):
    """An entry of `judgements.review`: the segments of each review that a system calls deficient."""

    system: str
    reviews: list[Critiqued]
    by: str | None = Field(default=None, description=_WHO_JUDGED)
    texts: str | None = Field(
        default=None, description="hash of the judged reviews and their segments, to detect later changes"
    )


class IssueVote(Model):
    """One answer to the question whether two verifications find the same fault, with the verifications shown in one
    order.
    """

    order: Literal["reviewer-first", "model-first"]
    verdict: Literal["same", "similar", "different"] | None
    sample: int | None = None
    reason: str | None = Field(default=None, description="reason why `verdict` is null")


class IssuePair(Model):
    """Two verifications of one claim (statements of what is wrong with it), by a reviewer and by a model, and whether
    both find the same fault.
    """

    claim: str | None = Field(
        default=None,
        description=(
            "id of the claim that both verifications are about; null if the claim is not in `claims` of the record"
        ),
    )
    reviewer: str = Field(
        description="id of the reviewer's statement of what is wrong with the claim (an entry of `verifications`)"
    )
    model: str = Field(
        description="id of the model's statement of what is wrong with the claim (an entry of `verifications`)"
    )
    verdict: Literal["same", "similar", "different"] | None
    votes: list[IssueVote] | None = None
    reason: str | None = Field(
        default=None,
        description=(
            'reason why `verdict` is null; "inconsistent" if the answers of the judge in `votes` do not agree on '
            "a verdict"
        ),
    )


class IssueControl(IssuePair):
    """A control pair, whose correct verdict is known: a reviewer's verification paired with itself, or with
    the verification of a weakness that disputes other claims.
    """

    expected: Literal["same", "different"]


class SameIssue(Model):
    """Pairs of verifications of a claim, one by a system and one by a reviewer, with the verdict whether both find the
    same fault.
    """

    system: str
    by: str | None = None
    texts: str | None = Field(
        default=None, description="hash of the verifications that were compared, to detect later changes"
    )
    pairs: list[IssuePair]
    controls: list[IssueControl] | None = Field(
        default=None, description="control pairs, whose correct verdict is known"
    )
    report: dict[str, Any] | None = Field(
        default=None, description="number of pairs by verdict, in total and by order of presentation"
    )


class SpecificityVote(Model):
    """One answer to the question which version of a weakness is more specific, with the versions shown in one order."""

    order: Literal["original-first", "revised-first"]
    winner: Literal["revised", "original", "tie"] | None
    sample: int | None = None
    reason: str | None = None


class SpecificityPair(Model):
    """A weakness and its rewritten version, and which of the two is more specific."""

    weakness: str
    winner: Literal["revised", "original", "tie"] | None
    votes: list[SpecificityVote] | None = None
    reason: str | None = Field(
        default=None,
        description=(
            'reason why `winner` is null, or "unchanged" if the weakness was not rewritten (`winner` is then '
            '"tie"); "inconsistent" if the answers in `votes` do not agree on a winner'
        ),
    )


class SpecificityControl(SpecificityPair):
    """A control pair, whose winner is known: a weakness paired with itself, or with a text that fits any paper."""

    expected: Literal["original", "tie"]


class Specificity(Model):
    """Verdicts whether the weaknesses that one system rewrote are more specific than the original weaknesses."""

    system: str
    by: str | None = None
    texts: str | None = Field(
        default=None,
        description="hash of the weaknesses, of their rewritten versions and of their targets, to detect later changes",
    )
    targets: Author | None = Field(
        default=None,
        description="system or rater that chose the targets (disputed claims) that were shown to the judge",
    )
    pairs: list[SpecificityPair]
    controls: list[SpecificityControl] | None = Field(
        default=None, description="control pairs, for which the more specific version is known"
    )
    report: dict[str, Any] | None = Field(
        default=None,
        description="number of pairs by winner, and how often the version that was shown first is the winner",
    )


class Unparsed(Model):
    """The samples of a rating from which no score could be parsed."""

    n: int = Field(ge=1)
    reasons: dict[str, int] = Field(
        description='number of samples without a score for each reason, such as "no number"'
    )


class BatchPlace(Model):
    """The batches of items in which an item was rated (one model call rates a batch). Each list has one value
    per rating round."""

    pool: str = Field(description="hash that identifies the set of items that were rated together")
    round_scores: list[float | None] = Field(
        description="score of the item in each round; null if the reply to the batch was not usable"
    )
    slots: list[int] = Field(description="for each rating round, the position of the item in its batch, counted from 1")
    mates: list[list[str]] = Field(
        description='the other items of the batch of each round, each as "PAPER/SYSTEM/ITEM"'
    )


class RatingUsage(Model):
    """Tokens and cost of one rating. If a call rates several items, the tokens and the cost of the call are
    divided by the number of items. A value that was not reported is null.
    """

    replies: float = Field(description="number of replies of the model; one call may give several replies")
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    cost: float | None = Field(default=None, description="cost in USD")


class Rated(Model):
    """An entry of `judgements.rate`: the rating of one aspect of one item by one method. Each method and each judge
    (model) has an entry of its own.
    """

    system: str
    item: str = Field(description="id of the rated item, or the position of the item (from 1) if the item has no id")
    in_: str = Field(alias="in", description="path of the rated text in the record")
    method: str
    aspect: str
    by: str = Field(description='the model that was asked, or "builtin" (a method without a model)')
    score: float | None = Field(description="the score, on the scale in `scale`; if null, `reason` says why")
    normal: float | None = Field(description="the score as a number from 0 to 1; null if `scale` is null")
    scale: list[float] | None = Field(
        description="lowest and highest possible score; null if the score is a count, which has no highest value",
        min_length=2,
        max_length=2,
    )
    reason: str | None = Field(default=None, description="reason why `score` is null")
    samples: list[float | None] | None = Field(
        default=None, description="score of each sample; null for a sample from which no score could be parsed"
    )
    unparsed: Unparsed | None = None
    spread: float | None = Field(
        default=None, description="standard deviation of the scores of the samples or rounds (ddof 0)"
    )
    from_: Literal["single", "samples", "logprobs", "rounds"] = Field(
        alias="from",
        description='the source of the score: "single" (one reply), "samples" (several replies), "logprobs" '
        '(probabilities of tokens) or "rounds" (items rated in batches, in several rounds)',
    )
    distribution: dict[str, float] | None = Field(
        default=None, description="share or probability of each score of the scale"
    )
    mass: float | None = Field(
        default=None, description="sum of the probabilities of all scores of the scale, before normalisation"
    )
    sub_scores: dict[str, float | None] | None = Field(
        default=None, description="scores of the sub-aspects, by name of the sub-aspect"
    )
    explanation: str | None = Field(
        default=None,
        description="the explanation of the score by the model, from the first sample with a score; null if the "
        "explanation cannot be used",
    )
    batch: BatchPlace | None = None
    text: str = Field(
        description="hash of the rated text and of the context that was shown with the text, to detect later changes"
    )
    seen_in_fit: bool = Field(description="true if criteria, steps or examples were made from the paper of the item")
    usage: RatingUsage
    calls: list[str] | None = Field(
        default=None, description="keys under which the cache stores the replies of the model"
    )
    replies: list[str | None] | None = Field(
        default=None, description="the unchanged replies of the model, if --keep-replies was given"
    )


class Judgements(Model):
    """Judgements of generated texts against a reference, by task. Each list has one entry per system. The list `rate`
    has one entry for each system, item, method, aspect and judge.
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
