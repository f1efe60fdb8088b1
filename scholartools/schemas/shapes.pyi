# Made by `make schema` of the models beside this file: what is in a record, and what its readers give by key.
from typing import Any, Literal, NotRequired, Protocol, TypedDict, overload

Record = dict[str, Any]

class Anchors(TypedDict):
    kept: list[str]
    lost: list[str]
    added: list[str]
    unfounded: list[str]

class Annotations(TypedDict):
    weaknesses: NotRequired[list[WeaknessSet] | None]
    facets: NotRequired[list[FacetSet] | None]
    limitations: NotRequired[list[LimitationCheck] | None]

class Author(TypedDict):
    system: str
    by: NotRequired[str | None]

class BatchPlace(TypedDict):
    pool: str
    round_scores: list[float | None]
    slots: list[int]
    mates: list[list[str]]

class Caption(TypedDict):
    id: str
    kind: Literal["figure", "table", "algorithm"]
    label: str
    text: str
    page: NotRequired[int | None]
    bbox: NotRequired[list[float] | None]
    image: NotRequired[str | None]
    image_bbox: NotRequired[list[float] | None]
    content: NotRequired[str | None]

class Choice(TypedDict):
    id: NotRequired[str | None]
    correct: bool
    answer: bool | None
    reason: NotRequired[str | None]
    failed: NotRequired[bool | None]

class Claim(TypedDict):
    text: str
    spans: list[Span]
    id: str
    by: str
    role: NotRequired[str | None]
    cue: NotRequired[str | None]
    shares: NotRequired[list[str] | None]
    match: NotRequired[str | None]

class ClaimKeywords(TypedDict):
    hits: list[Extract]

class ClaimList(TypedDict):
    system: str
    by: NotRequired[str | None]
    items: list[Claim]

class ClaimVote(TypedDict):
    order: Literal["given", "reversed"]
    targets: list[str] | None
    ranks: NotRequired[list[int] | None]
    custom: NotRequired[str | None]
    rejected: NotRequired[str | None]
    reason: NotRequired[str | None]

class Contamination(TypedDict):
    system: str
    by: NotRequired[str | None]
    texts: NotRequired[str | None]
    reviews: list[Continued]

class Continued(TypedDict):
    review: str
    longest: int | None
    run: str | None
    hidden: NotRequired[int | None]
    reason: NotRequired[str | None]

class Critique(TypedDict):
    system: str
    reviews: list[Critiqued]
    by: NotRequired[str | None]
    texts: NotRequired[str | None]

class Critiqued(TypedDict):
    id: str
    segments: list[Segment]
    by: NotRequired[str | None]

Cut = TypedDict("Cut", {"in": str, "start": int, "by": Literal["experiments", "role", "heading", "given"]})

class CutOff(TypedDict):
    date: str
    submitted: str | None
    side: Literal["before", "after", "unknown"]

class Decision(TypedDict):
    value: NotRequired[str | None]
    text: NotRequired[str | None]

class Draft(TypedDict):
    text: str
    heading: NotRequired[str | None]
    piece: NotRequired[int | None]
    drafts: NotRequired[list[int] | None]
    passages: NotRequired[list[str] | None]

class Edited(TypedDict):
    system: str
    by: NotRequired[str | None]
    text: str | None
    changed: NotRequired[bool | None]
    reason: NotRequired[str | None]
    anchors: NotRequired[Anchors | None]
    texts: NotRequired[str | None]

class Entailed(TypedDict):
    id: NotRequired[str | None]
    entailed: bool | None
    votes: NotRequired[list[bool | None] | None]
    similarity: NotRequired[float | None]
    reason: NotRequired[str | None]

class Entailment(TypedDict):
    system: str
    candidates: list[Entailed]
    references: list[Entailed]
    by: NotRequired[str | None]
    reference: NotRequired[str | None]
    candidate: NotRequired[str | None]
    texts: NotRequired[str | None]

class Equation(TypedDict):
    id: str
    latex: str
    span: Span
    label: NotRequired[str | None]
    labels: NotRequired[list[str] | None]

class Evidence(TypedDict):
    label: str
    text: NotRequired[str | None]
    spans: NotRequired[list[Span] | None]
    caption: NotRequired[str | None]
    paper: NotRequired[str | None]

class Extract(TypedDict):
    text: str
    spans: list[Span]

FacetRatings = TypedDict(
    "FacetRatings",
    {
        "system": str,
        "in": NotRequired[str | None],
        "reference": NotRequired[str | None],
        "by": NotRequired[str | None],
        "texts": NotRequired[str | None],
        "ratings": dict[Literal["background", "method", "result", "conclusion"], float | None],
        "reasons": NotRequired[dict[str, str] | None],
        "missing": NotRequired[list[Literal["background", "method", "result", "conclusion"]] | None],
        "samples": NotRequired[dict[str, list[int | None]] | None],
        "similarity": NotRequired[dict[str, float] | None],
        "n_cut": NotRequired[int | None],
    },
)
FacetSet = TypedDict(
    "FacetSet",
    {
        "in": str,
        "by": str,
        "texts": NotRequired[str | None],
        "background": Extract | None,
        "method": Extract | None,
        "result": Extract | None,
        "conclusion": Extract | None,
        "other": NotRequired[Extract | None],
        "sample": NotRequired[int | None],
        "reason": NotRequired[str | None],
    },
)

class Failure(TypedDict):
    command: str
    kind: str
    reason: str
    reply: NotRequired[str | None]
    endpoints: NotRequired[list[str | None] | None]
    calls: NotRequired[list[str] | None]
    answers: NotRequired[list[str] | None]
    task: NotRequired[str | None]
    missing: NotRequired[int | None]
    of: NotRequired[int | None]
    reasons: NotRequired[dict[str, int] | None]
    parts: NotRequired[list[str] | None]

class Fetched(TypedDict):
    source: str
    date: str

class FetchedFile(TypedDict):
    kind: Literal["latex", "jats", "pdf"]
    path: str
    sha256: str
    bytes: int
    url: str
    version: NotRequired[str | None]
    date: str
    licence: NotRequired[str | None]
    terms: str

class FocalClaim(TypedDict):
    text: str
    spans: list[Span]
    id: NotRequired[str | None]

class Footnote(TypedDict):
    text: str
    page: NotRequired[int | None]
    mark: NotRequired[str | None]

class Forum(TypedDict):
    id: str
    api: int
    venue: NotRequired[str | None]
    venueid: NotRequired[str | None]
    said: NotRequired[str | None]
    status: NotRequired[str | None]
    decision: NotRequired[Decision | None]
    meta_reviews: list[MetaReview]
    replies: list[ForumReply]
    form: NotRequired[str | None]
    left_out: dict[str, int]

class ForumReply(TypedDict):
    id: NotRequired[str | None]
    to: NotRequired[str | None]
    kind: Literal["rebuttal", "comment"]
    by: Literal["authors", "reviewer", "chairs", "public"]
    date: NotRequired[str | None]
    text: str

class FrontMatter(TypedDict):
    kind: Literal["authors", "affiliation", "email", "keywords", "subjects", "contents", "other"]
    text: str
    page: NotRequired[int | None]

class Generated(TypedDict):
    claims: NotRequired[list[ClaimList] | None]
    limitations: NotRequired[list[GeneratedList] | None]
    weaknesses: NotRequired[list[GeneratedList] | None]
    experiments: NotRequired[list[GeneratedList] | None]
    explanations: NotRequired[list[GeneratedList] | None]
    questions: NotRequired[list[QuestionList] | None]

class GeneratedItem(TypedDict):
    id: str
    text: str
    heading: NotRequired[str | None]
    passages: NotRequired[list[str] | None]
    piece: NotRequired[int | None]
    drafts: NotRequired[list[int] | None]

class GeneratedList(TypedDict):
    system: str
    by: NotRequired[str | None]
    items: list[GeneratedItem] | None
    sections: NotRequired[list[str] | None]
    passages: NotRequired[list[Passage] | None]
    similarity: NotRequired[dict[str, float] | None]
    pieces: NotRequired[int | None]
    cut: NotRequired[int | None]
    repeats: NotRequired[int | None]
    given: NotRequired[GivenPart | None]
    images: NotRequired[list[ShownImage] | None]
    images_missing: NotRequired[list[str] | None]
    unexplained: NotRequired[list[Unexplained] | None]
    missing: NotRequired[list[MissingPiece] | None]
    drafts: NotRequired[list[Draft] | None]
    uncombined: NotRequired[str | None]
    reason: NotRequired[str | None]
    leak: NotRequired[dict[str, Any] | None]

class GeneratedQuestion(TypedDict):
    id: str
    text: str
    problem: NotRequired[str | None]
    method: NotRequired[str | None]
    form: NotRequired[str | None]
    flags: NotRequired[list[str] | None]
    new_words: NotRequired[float | None]
    located: NotRequired[LocatedPhrases | None]
    spans: NotRequired[list[Span] | None]
    cue: NotRequired[str | None]

class GivenPart(TypedDict):
    before: Cut
    words: int
    cut: int
    sentences: int
    removed: list[Leak]
    share: float
    leak: dict[str, Any]
    sections_withheld: NotRequired[list[WithheldSection] | None]
    title_withheld: NotRequired[bool | None]
    headings_withheld: NotRequired[list[str] | None]
    figures_withheld: NotRequired[list[str] | None]

class Inference(TypedDict):
    system: str
    options: list[Choice]
    by: NotRequired[str | None]
    format: NotRequired[Literal["binary", "choice"] | None]
    context_words: NotRequired[int | None]
    words: NotRequired[list[int] | None]
    texts: NotRequired[str | None]
    choice: NotRequired[str | None]
    reason: NotRequired[str | None]
    failed: NotRequired[bool | None]
    orders: NotRequired[list[OrderedChoice] | None]

class IssueControl(TypedDict):
    claim: NotRequired[str | None]
    reviewer: str
    model: str
    verdict: Literal["same", "similar", "different"] | None
    votes: NotRequired[list[IssueVote] | None]
    reason: NotRequired[str | None]
    expected: Literal["same", "different"]

class IssuePair(TypedDict):
    claim: NotRequired[str | None]
    reviewer: str
    model: str
    verdict: Literal["same", "similar", "different"] | None
    votes: NotRequired[list[IssueVote] | None]
    reason: NotRequired[str | None]

class IssueVote(TypedDict):
    order: Literal["reviewer-first", "model-first"]
    verdict: Literal["same", "similar", "different"] | None
    sample: NotRequired[int | None]
    reason: NotRequired[str | None]

class Judgements(TypedDict):
    facets: NotRequired[list[FacetRatings] | None]
    vanilla: NotRequired[list[OverallRating] | None]
    match: NotRequired[list[Matched] | None]
    entail: NotRequired[list[Entailment] | None]
    equation: NotRequired[list[Inference] | None]
    review: NotRequired[list[Critique] | None]
    same_issue: NotRequired[list[SameIssue] | None]
    specificity: NotRequired[list[Specificity] | None]
    rate: NotRequired[list[Rated] | None]

Leak = TypedDict("Leak", {"in": str, "start": int, "end": int, "by": str, "cue": NotRequired[str | None]})

class Licence(TypedDict):
    id: NotRequired[str | None]
    said: NotRequired[str | None]
    url: NotRequired[str | None]
    of: Literal["paper", "metadata"]
    by: str

class Limitation(TypedDict):
    text: str
    spans: list[Span]
    id: str
    origin: Literal["author", "review", "both"]
    mode: Literal["explicit", "implicit"]
    by: str
    heading: NotRequired[str | None]
    cue: NotRequired[str | None]
    title: NotRequired[str | None]
    shares: NotRequired[list[str] | None]
    members: NotRequired[list[Limitation] | None]

class LimitationCheck(TypedDict):
    limitation: str
    rater: str
    verdict: Literal["limitation", "not-a-limitation", "wrong-passage"]
    mode: NotRequired[Literal["explicit", "implicit"] | None]

class LocatedPhrases(TypedDict):
    problem: NotRequired[Span | None]
    method: NotRequired[Span | None]

class Matched(TypedDict):
    system: str
    pairs: list[Pair]
    by: NotRequired[str | None]
    reference: NotRequired[str | None]
    candidate: NotRequired[str | None]
    texts: NotRequired[str | None]
    report: NotRequired[dict[str, Any] | None]
    n_cut: NotRequired[int | None]

class MatchedTitle(TypedDict):
    score: float | None
    second: float | None
    threshold: float
    why: NotRequired[str | None]
    runner_up: NotRequired[RunnerUp | None]

class Mention(TypedDict):
    text: str
    spans: list[Span]
    kind: Literal["line", "table", "figure", "section", "citation", "quote"]
    at: list[Span] | str | None

class MetaReview(TypedDict):
    id: NotRequired[str | None]
    date: NotRequired[str | None]
    text: str
    fields: NotRequired[list[ReviewField] | None]
    ratings: NotRequired[dict[str, Any] | None]

class MissingPiece(TypedDict):
    piece: int
    reason: str

class Notice(TypedDict):
    kind: str
    page: NotRequired[int | None]
    text: NotRequired[str | None]
    bbox: NotRequired[list[float] | None]
    span: NotRequired[Span | None]
    system: NotRequired[str | None]
    item: NotRequired[str | None]
    paper: NotRequired[str | None]
    passage: NotRequired[str | None]

class OrderedChoice(TypedDict):
    order: list[str]
    choice: str | None
    reason: NotRequired[str | None]
    failed: NotRequired[bool | None]

OverallRating = TypedDict(
    "OverallRating",
    {
        "system": str,
        "in": NotRequired[str | None],
        "reference": NotRequired[str | None],
        "by": NotRequired[str | None],
        "rating": float | None,
        "maximum": int,
        "reason": NotRequired[str | None],
        "samples": NotRequired[list[int | None] | None],
    },
)

class Pair(TypedDict):
    reference: str
    candidate: str
    match: bool | None
    votes: NotRequired[list[Vote] | None]
    similarity: NotRequired[float | None]
    reason: NotRequired[str | None]

class PaperStatus(TypedDict):
    withdrawn: NotRequired[bool | None]
    retracted: NotRequired[bool | None]
    by: str
    said: NotRequired[str | None]

class PaperVersion(TypedDict):
    id: str
    date: NotRequired[str | None]
    at: str

class Passage(TypedDict):
    id: str
    paper: str
    heading: NotRequired[str | None]
    text: str
    scores: dict[str, float | None]
    used: bool
    reason: NotRequired[str | None]

PrintedLine = TypedDict("PrintedLine", {"n": int, "in": str, "start": int, "end": int})

class Provenance(TypedDict):
    command: str
    task: NotRequired[str | None]
    version: str
    signature: str
    method: NotRequired[str | None]
    options: NotRequired[dict[str, Any] | None]
    input: NotRequired[str | None]
    counts: NotRequired[dict[str, Any] | None]
    model: NotRequired[str | None]
    prompts: NotRequired[dict[str, str] | None]
    parameters: NotRequired[dict[str, Any] | None]
    sampling: NotRequired[dict[str, Any] | None]
    response_formats: NotRequired[list[str] | None]
    endpoints: NotRequired[list[str | None] | None]
    calls: NotRequired[list[str] | None]
    answers: NotRequired[list[str] | None]

class PublishedAt(TypedDict):
    where: str
    text: str
    page: NotRequired[int | None]
    bbox: NotRequired[list[float] | None]

class QuestionList(TypedDict):
    system: str
    variant: NotRequired[str | None]
    by: NotRequired[str | None]
    items: list[GeneratedQuestion] | None
    sections: NotRequired[list[str] | None]
    reason: NotRequired[str | None]

Rated = TypedDict(
    "Rated",
    {
        "system": str,
        "item": str,
        "in": str,
        "method": str,
        "aspect": str,
        "by": str,
        "score": float | None,
        "normal": float | None,
        "scale": list[float] | None,
        "reason": NotRequired[str | None],
        "samples": NotRequired[list[float | None] | None],
        "unparsed": NotRequired[Unparsed | None],
        "spread": NotRequired[float | None],
        "from": Literal["single", "samples", "logprobs", "rounds"],
        "distribution": NotRequired[dict[str, float] | None],
        "mass": NotRequired[float | None],
        "sub_scores": NotRequired[dict[str, float | None] | None],
        "explanation": NotRequired[str | None],
        "batch": NotRequired[BatchPlace | None],
        "text": str,
        "seen_in_fit": bool,
        "usage": RatingUsage,
        "calls": NotRequired[list[str] | None],
        "replies": NotRequired[list[str | None] | None],
    },
)

class RatingUsage(TypedDict):
    replies: float
    prompt_tokens: NotRequired[float | None]
    completion_tokens: NotRequired[float | None]
    cost: NotRequired[float | None]

class Reference(TypedDict):
    id: str
    text: str
    key: NotRequired[str | None]
    title: NotRequired[str | None]
    venue: NotRequired[str | None]
    year: NotRequired[int | None]
    doi: NotRequired[str | None]
    arxiv: NotRequired[str | None]
    url: NotRequired[str | None]
    authors: NotRequired[list[str] | None]

Rejected = TypedDict(
    "Rejected",
    {
        "command": str,
        "text": str,
        "reason": str,
        "span": NotRequired[Span | None],
        "in": NotRequired[str | None],
        "title": NotRequired[str | None],
        "facet": NotRequired[Literal["background", "method", "result", "conclusion"] | None],
        "system": NotRequired[str | None],
        "step": NotRequired[str | None],
        "weakness": NotRequired[str | None],
        "verification": NotRequired[str | None],
        "label": NotRequired[str | None],
    },
)

class Review(TypedDict):
    id: str
    text: str
    fields: NotRequired[list[ReviewField] | None]
    ratings: NotRequired[dict[str, Any] | None]
    reviewer: NotRequired[str | None]
    date: NotRequired[str | None]
    modified: NotRequired[str | None]
    scores: NotRequired[dict[str, ReviewScore] | None]
    versions: NotRequired[list[ReviewVersion] | None]
    versions_unknown: NotRequired[str | None]
    claim_related: NotRequired[ClaimKeywords | None]
    weaknesses_by: NotRequired[str | None]
    segments: NotRequired[list[ReviewSegment] | None]

class ReviewField(TypedDict):
    name: str
    start: int
    end: int

class ReviewScore(TypedDict):
    value: float | int | None
    label: NotRequired[str | None]
    least: NotRequired[float | int | None]
    most: NotRequired[float | int | None]
    why: NotRequired[str | None]

class ReviewSegment(TypedDict):
    start: int
    end: int
    deficient: NotRequired[bool | None]
    explanation: NotRequired[str | None]

class ReviewVersion(TypedDict):
    date: str | None
    ratings: dict[str, Any]
    text: str

class RunnerUp(TypedDict):
    title: str | None
    year: int | None
    ids: NotRequired[dict[str, str] | None]

class SameIssue(TypedDict):
    system: str
    by: NotRequired[str | None]
    texts: NotRequired[str | None]
    pairs: list[IssuePair]
    controls: NotRequired[list[IssueControl] | None]
    report: NotRequired[dict[str, Any] | None]

class Score(TypedDict):
    metric: str
    system: str
    signature: str
    evidence: NotRequired[dict[str, Any] | None]
    values: dict[str, float | None]
    reasons: dict[str, str]
    item: NotRequired[str | None]
    weaknesses: NotRequired[list[dict[str, Any]] | None]
    n_items: NotRequired[int | None]
    n_reviewers: NotRequired[int | None]
    n_negative: NotRequired[int | None]
    n_empty_reviewers: NotRequired[int | None]
    n_empty: NotRequired[int | None]
    n_paired: NotRequired[int | None]
    paired_by: NotRequired[str | None]
    n_by_place: NotRequired[int | None]
    n_tied: NotRequired[int | None]
    n_missing: NotRequired[int | None]
    n_extra: NotRequired[int | None]
    missing: NotRequired[list[str] | None]
    extra: NotRequired[list[str] | None]
    n_unrated: NotRequired[int | None]
    n_unjudged: NotRequired[int | None]
    n_unreferenced: NotRequired[int | None]
    targets_by: NotRequired[dict[str, int] | None]
    n_renormalised: NotRequired[int | None]
    n_failed: NotRequired[int | None]
    n_none_deficient: NotRequired[int | None]
    n_shortened: NotRequired[int | None]
    n_incomplete: NotRequired[int | None]
    n_refused: NotRequired[int | None]
    without_refused: NotRequired[dict[str, float | None] | None]
    n_cut: NotRequired[int | None]

class Section(TypedDict):
    id: str
    number: NotRequired[str | None]
    heading: str
    level: int
    role: Literal[
        "abstract",
        "introduction",
        "related",
        "background",
        "method",
        "data",
        "experiment",
        "result",
        "discussion",
        "limitation",
        "ethics",
        "conclusion",
        "future",
        "acknowledgement",
        "reference",
        "appendix",
        "other",
    ]
    pages: NotRequired[list[int] | None]
    text: str

class Segment(TypedDict):
    deficient: bool | None
    explanation: NotRequired[str | None]
    start: NotRequired[int | None]
    end: NotRequired[int | None]
    answers: dict[str, SegmentAnswer | None]
    reasons: NotRequired[dict[str, str] | None]

class SegmentAnswer(TypedDict):
    deficient: bool
    explanation: NotRequired[str | None]

class ShownImage(TypedDict):
    caption: str
    sha256: str
    pieces: NotRequired[list[int] | None]

class ShownPart(TypedDict):
    before: Cut
    words: int
    cut: int
    sentences: int
    removed: list[Leak]
    share: float
    leak: dict[str, Any]
    sections_withheld: NotRequired[list[WithheldSection] | None]
    title_withheld: NotRequired[bool | None]
    headings_withheld: NotRequired[list[str] | None]
    figures_withheld: NotRequired[list[str] | None]
    sections: list[str]
    images: NotRequired[list[ShownImage] | None]
    images_missing: NotRequired[list[str] | None]
    text: str

class Source(TypedDict):
    path: str
    format: NotRequired[str | None]
    sha256: NotRequired[str | None]
    pages: NotRequired[int | None]

Span = TypedDict("Span", {"in": str, "start": int, "end": int})

class Specificity(TypedDict):
    system: str
    by: NotRequired[str | None]
    texts: NotRequired[str | None]
    targets: NotRequired[Author | None]
    pairs: list[SpecificityPair]
    controls: NotRequired[list[SpecificityControl] | None]
    report: NotRequired[dict[str, Any] | None]

class SpecificityControl(TypedDict):
    weakness: str
    winner: Literal["revised", "original", "tie"] | None
    votes: NotRequired[list[SpecificityVote] | None]
    reason: NotRequired[str | None]
    expected: Literal["original", "tie"]

class SpecificityPair(TypedDict):
    weakness: str
    winner: Literal["revised", "original", "tie"] | None
    votes: NotRequired[list[SpecificityVote] | None]
    reason: NotRequired[str | None]

class SpecificityVote(TypedDict):
    order: Literal["original-first", "revised-first"]
    winner: Literal["revised", "original", "tie"] | None
    sample: NotRequired[int | None]
    reason: NotRequired[str | None]

class Summary(TypedDict):
    system: str
    text: str

class Target(TypedDict):
    text: str
    spans: list[Span]
    claim: NotRequired[str | None]
    custom: bool
    inside: NotRequired[str | None]
    score: NotRequired[float | None]

class Targets(TypedDict):
    system: str
    by: NotRequired[str | None]
    items: list[Target] | None
    tentative: NotRequired[list[str] | None]
    reason: NotRequired[str | None]
    votes: NotRequired[list[ClaimVote] | None]
    ranks: NotRequired[list[int] | None]
    flips: NotRequired[float | None]
    texts: NotRequired[str | None]

class TextItem(TypedDict):
    id: str
    text: str
    spans: NotRequired[list[Span] | None]

class Tie(TypedDict):
    by: str
    contexts: NotRequired[list[str] | None]
    intents: NotRequired[list[str] | None]
    influential: NotRequired[bool | None]

class Topic(TypedDict):
    name: str
    relevant: bool
    by: NotRequired[str | None]

class Unexplained(TypedDict):
    id: str
    reason: str

class Unparsed(TypedDict):
    n: int
    reasons: dict[str, int]

class Verification(TypedDict):
    id: str
    system: str
    by: NotRequired[str | None]
    side: Literal["reviewer", "model"]
    claim: FocalClaim
    weakness: NotRequired[str | None]
    types: NotRequired[
        list[Literal["insufficient", "contradictory", "novelty", "clarity", "related_work", "other"]] | None
    ]
    text: str | None
    evidence: NotRequired[list[Evidence] | None]
    cited: NotRequired[list[str] | None]
    copied: NotRequired[int | None]
    control: NotRequired[bool | None]
    reason: NotRequired[str | None]
    targets: NotRequired[Author | None]
    texts: NotRequired[str | None]

class Vote(TypedDict):
    prompt: str
    order: Literal["reference-first", "candidate-first"]
    match: bool | None
    sample: NotRequired[int | None]
    reason: NotRequired[str | None]

class Weakness(TypedDict):
    id: str
    review: str
    text: str
    spans: NotRequired[list[Span] | None]
    by: NotRequired[str | None]
    groundedness: NotRequired[int | None]
    cues: NotRequired[list[str] | None]
    match: NotRequired[str | None]
    mentions: NotRequired[list[Mention] | None]
    targets: NotRequired[list[Targets] | None]
    labels: NotRequired[list[WeaknessLabels] | None]
    edited: NotRequired[list[Edited] | None]

class WeaknessLabels(TypedDict):
    system: str
    by: NotRequired[str | None]
    objectivity: NotRequired[int | None]
    agreement: NotRequired[int | None]
    types: NotRequired[
        list[Literal["insufficient", "contradictory", "novelty", "clarity", "related_work", "other"]] | None
    ]
    reasons: NotRequired[dict[str, str | None] | None]
    cues: NotRequired[dict[str, str] | None]
    comment: NotRequired[str | None]
    texts: NotRequired[str | None]

class WeaknessSet(TypedDict):
    rater: str
    review: str
    items: list[Weakness] | None

class WithheldSection(TypedDict):
    id: str
    heading: str

Key = Literal[
    "id",
    "source",
    "title",
    "authors",
    "abstract",
    "year",
    "venue",
    "doi",
    "arxiv",
    "ids",
    "date",
    "venueid",
    "track",
    "decision",
    "type",
    "keywords",
    "licence",
    "status",
    "versions",
    "tie",
    "unknown",
    "same_as",
    "matched",
    "unmatched",
    "files",
    "forum",
    "fetched",
    "front_matter_spans",
    "front_matter",
    "sections",
    "references",
    "captions",
    "footnotes",
    "equations",
    "reviews",
    "summaries",
    "facets",
    "limitations",
    "claims",
    "weaknesses",
    "verifications",
    "annotations",
    "topic",
    "cut_off",
    "contamination",
    "lines",
    "experiments",
    "experiments_input",
    "explanations",
    "vectors",
    "generated",
    "rejected",
    "judgements",
    "scores",
    "warnings",
    "provenance",
    "errors",
]

class Read(Protocol):
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["id"]) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["source"]) -> Source | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["title"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["authors"]) -> list[str] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["abstract"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["year"]) -> int | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["venue"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["doi"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["arxiv"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["ids"]) -> dict[str, str] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["date"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["venueid"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["track"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["decision"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["type"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["keywords"]) -> list[str] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["licence"]) -> Licence | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["status"]) -> PaperStatus | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["versions"]) -> list[PaperVersion] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["tie"]) -> Tie | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["unknown"]) -> dict[str, str] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["same_as"]) -> list[str] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["matched"]) -> MatchedTitle | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["unmatched"]) -> str | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["files"]) -> list[FetchedFile] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["forum"]) -> Forum | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["fetched"]) -> list[Fetched] | None: ...
    @overload
    def __call__(
        self, record: Record | PaperRecord, key: Literal["front_matter_spans"]
    ) -> dict[str, PublishedAt] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["front_matter"]) -> list[FrontMatter] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["sections"]) -> list[Section] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["references"]) -> list[Reference] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["captions"]) -> list[Caption] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["footnotes"]) -> list[Footnote] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["equations"]) -> list[Equation] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["reviews"]) -> list[Review] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["summaries"]) -> list[Summary] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["facets"]) -> list[FacetSet] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["limitations"]) -> list[Limitation] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["claims"]) -> list[Claim] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["weaknesses"]) -> list[Weakness] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["verifications"]) -> list[Verification] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["annotations"]) -> Annotations | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["topic"]) -> Topic | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["cut_off"]) -> CutOff | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["contamination"]) -> list[Contamination] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["lines"]) -> list[PrintedLine] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["experiments"]) -> list[TextItem] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["experiments_input"]) -> ShownPart | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["explanations"]) -> list[TextItem] | None: ...
    @overload
    def __call__(
        self, record: Record | PaperRecord, key: Literal["vectors"]
    ) -> dict[str, dict[str, list[float]]] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["generated"]) -> Generated | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["rejected"]) -> list[Rejected] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["judgements"]) -> Judgements | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["scores"]) -> list[Score] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["warnings"]) -> list[Notice] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["provenance"]) -> list[Provenance] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["errors"]) -> list[Failure] | None: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Key) -> Any: ...

class Need(Protocol):
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["id"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["source"], hint: str) -> Source: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["title"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["authors"], hint: str) -> list[str]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["abstract"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["year"], hint: str) -> int: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["venue"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["doi"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["arxiv"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["ids"], hint: str) -> dict[str, str]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["date"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["venueid"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["track"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["decision"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["type"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["keywords"], hint: str) -> list[str]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["licence"], hint: str) -> Licence: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["status"], hint: str) -> PaperStatus: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["versions"], hint: str) -> list[PaperVersion]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["tie"], hint: str) -> Tie: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["unknown"], hint: str) -> dict[str, str]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["same_as"], hint: str) -> list[str]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["matched"], hint: str) -> MatchedTitle: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["unmatched"], hint: str) -> str: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["files"], hint: str) -> list[FetchedFile]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["forum"], hint: str) -> Forum: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["fetched"], hint: str) -> list[Fetched]: ...
    @overload
    def __call__(
        self, record: Record | PaperRecord, key: Literal["front_matter_spans"], hint: str
    ) -> dict[str, PublishedAt]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["front_matter"], hint: str) -> list[FrontMatter]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["sections"], hint: str) -> list[Section]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["references"], hint: str) -> list[Reference]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["captions"], hint: str) -> list[Caption]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["footnotes"], hint: str) -> list[Footnote]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["equations"], hint: str) -> list[Equation]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["reviews"], hint: str) -> list[Review]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["summaries"], hint: str) -> list[Summary]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["facets"], hint: str) -> list[FacetSet]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["limitations"], hint: str) -> list[Limitation]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["claims"], hint: str) -> list[Claim]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["weaknesses"], hint: str) -> list[Weakness]: ...
    @overload
    def __call__(
        self, record: Record | PaperRecord, key: Literal["verifications"], hint: str
    ) -> list[Verification]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["annotations"], hint: str) -> Annotations: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["topic"], hint: str) -> Topic: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["cut_off"], hint: str) -> CutOff: ...
    @overload
    def __call__(
        self, record: Record | PaperRecord, key: Literal["contamination"], hint: str
    ) -> list[Contamination]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["lines"], hint: str) -> list[PrintedLine]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["experiments"], hint: str) -> list[TextItem]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["experiments_input"], hint: str) -> ShownPart: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["explanations"], hint: str) -> list[TextItem]: ...
    @overload
    def __call__(
        self, record: Record | PaperRecord, key: Literal["vectors"], hint: str
    ) -> dict[str, dict[str, list[float]]]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["generated"], hint: str) -> Generated: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["rejected"], hint: str) -> list[Rejected]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["judgements"], hint: str) -> Judgements: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["scores"], hint: str) -> list[Score]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["warnings"], hint: str) -> list[Notice]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["provenance"], hint: str) -> list[Provenance]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Literal["errors"], hint: str) -> list[Failure]: ...
    @overload
    def __call__(self, record: Record | PaperRecord, key: Key, hint: str) -> Any: ...

class PaperRecord(Protocol):
    def __contains__(self, key: object, /) -> bool: ...
    @overload
    def __getitem__(self, key: Literal["id"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["source"], /) -> Source: ...
    @overload
    def __getitem__(self, key: Literal["title"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["authors"], /) -> list[str]: ...
    @overload
    def __getitem__(self, key: Literal["abstract"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["year"], /) -> int: ...
    @overload
    def __getitem__(self, key: Literal["venue"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["doi"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["arxiv"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["ids"], /) -> dict[str, str]: ...
    @overload
    def __getitem__(self, key: Literal["date"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["venueid"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["track"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["decision"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["type"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["keywords"], /) -> list[str]: ...
    @overload
    def __getitem__(self, key: Literal["licence"], /) -> Licence: ...
    @overload
    def __getitem__(self, key: Literal["status"], /) -> PaperStatus: ...
    @overload
    def __getitem__(self, key: Literal["versions"], /) -> list[PaperVersion]: ...
    @overload
    def __getitem__(self, key: Literal["tie"], /) -> Tie: ...
    @overload
    def __getitem__(self, key: Literal["unknown"], /) -> dict[str, str]: ...
    @overload
    def __getitem__(self, key: Literal["same_as"], /) -> list[str]: ...
    @overload
    def __getitem__(self, key: Literal["matched"], /) -> MatchedTitle: ...
    @overload
    def __getitem__(self, key: Literal["unmatched"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["files"], /) -> list[FetchedFile]: ...
    @overload
    def __getitem__(self, key: Literal["forum"], /) -> Forum: ...
    @overload
    def __getitem__(self, key: Literal["fetched"], /) -> list[Fetched]: ...
    @overload
    def __getitem__(self, key: Literal["front_matter_spans"], /) -> dict[str, PublishedAt]: ...
    @overload
    def __getitem__(self, key: Literal["front_matter"], /) -> list[FrontMatter]: ...
    @overload
    def __getitem__(self, key: Literal["sections"], /) -> list[Section]: ...
    @overload
    def __getitem__(self, key: Literal["references"], /) -> list[Reference]: ...
    @overload
    def __getitem__(self, key: Literal["captions"], /) -> list[Caption]: ...
    @overload
    def __getitem__(self, key: Literal["footnotes"], /) -> list[Footnote]: ...
    @overload
    def __getitem__(self, key: Literal["equations"], /) -> list[Equation]: ...
    @overload
    def __getitem__(self, key: Literal["reviews"], /) -> list[Review]: ...
    @overload
    def __getitem__(self, key: Literal["summaries"], /) -> list[Summary]: ...
    @overload
    def __getitem__(self, key: Literal["facets"], /) -> list[FacetSet]: ...
    @overload
    def __getitem__(self, key: Literal["limitations"], /) -> list[Limitation]: ...
    @overload
    def __getitem__(self, key: Literal["claims"], /) -> list[Claim]: ...
    @overload
    def __getitem__(self, key: Literal["weaknesses"], /) -> list[Weakness]: ...
    @overload
    def __getitem__(self, key: Literal["verifications"], /) -> list[Verification]: ...
    @overload
    def __getitem__(self, key: Literal["annotations"], /) -> Annotations: ...
    @overload
    def __getitem__(self, key: Literal["topic"], /) -> Topic: ...
    @overload
    def __getitem__(self, key: Literal["cut_off"], /) -> CutOff: ...
    @overload
    def __getitem__(self, key: Literal["contamination"], /) -> list[Contamination]: ...
    @overload
    def __getitem__(self, key: Literal["lines"], /) -> list[PrintedLine]: ...
    @overload
    def __getitem__(self, key: Literal["experiments"], /) -> list[TextItem]: ...
    @overload
    def __getitem__(self, key: Literal["experiments_input"], /) -> ShownPart: ...
    @overload
    def __getitem__(self, key: Literal["explanations"], /) -> list[TextItem]: ...
    @overload
    def __getitem__(self, key: Literal["vectors"], /) -> dict[str, dict[str, list[float]]]: ...
    @overload
    def __getitem__(self, key: Literal["generated"], /) -> Generated: ...
    @overload
    def __getitem__(self, key: Literal["rejected"], /) -> list[Rejected]: ...
    @overload
    def __getitem__(self, key: Literal["judgements"], /) -> Judgements: ...
    @overload
    def __getitem__(self, key: Literal["scores"], /) -> list[Score]: ...
    @overload
    def __getitem__(self, key: Literal["warnings"], /) -> list[Notice]: ...
    @overload
    def __getitem__(self, key: Literal["provenance"], /) -> list[Provenance]: ...
    @overload
    def __getitem__(self, key: Literal["errors"], /) -> list[Failure]: ...
    @overload
    def get(self, key: Literal["id"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["source"], /) -> Source | None: ...
    @overload
    def get(self, key: Literal["title"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["authors"], /) -> list[str] | None: ...
    @overload
    def get(self, key: Literal["abstract"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["year"], /) -> int | None: ...
    @overload
    def get(self, key: Literal["venue"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["doi"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["arxiv"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["ids"], /) -> dict[str, str] | None: ...
    @overload
    def get(self, key: Literal["date"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["venueid"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["track"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["decision"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["type"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["keywords"], /) -> list[str] | None: ...
    @overload
    def get(self, key: Literal["licence"], /) -> Licence | None: ...
    @overload
    def get(self, key: Literal["status"], /) -> PaperStatus | None: ...
    @overload
    def get(self, key: Literal["versions"], /) -> list[PaperVersion] | None: ...
    @overload
    def get(self, key: Literal["tie"], /) -> Tie | None: ...
    @overload
    def get(self, key: Literal["unknown"], /) -> dict[str, str] | None: ...
    @overload
    def get(self, key: Literal["same_as"], /) -> list[str] | None: ...
    @overload
    def get(self, key: Literal["matched"], /) -> MatchedTitle | None: ...
    @overload
    def get(self, key: Literal["unmatched"], /) -> str | None: ...
    @overload
    def get(self, key: Literal["files"], /) -> list[FetchedFile] | None: ...
    @overload
    def get(self, key: Literal["forum"], /) -> Forum | None: ...
    @overload
    def get(self, key: Literal["fetched"], /) -> list[Fetched] | None: ...
    @overload
    def get(self, key: Literal["front_matter_spans"], /) -> dict[str, PublishedAt] | None: ...
    @overload
    def get(self, key: Literal["front_matter"], /) -> list[FrontMatter] | None: ...
    @overload
    def get(self, key: Literal["sections"], /) -> list[Section] | None: ...
    @overload
    def get(self, key: Literal["references"], /) -> list[Reference] | None: ...
    @overload
    def get(self, key: Literal["captions"], /) -> list[Caption] | None: ...
    @overload
    def get(self, key: Literal["footnotes"], /) -> list[Footnote] | None: ...
    @overload
    def get(self, key: Literal["equations"], /) -> list[Equation] | None: ...
    @overload
    def get(self, key: Literal["reviews"], /) -> list[Review] | None: ...
    @overload
    def get(self, key: Literal["summaries"], /) -> list[Summary] | None: ...
    @overload
    def get(self, key: Literal["facets"], /) -> list[FacetSet] | None: ...
    @overload
    def get(self, key: Literal["limitations"], /) -> list[Limitation] | None: ...
    @overload
    def get(self, key: Literal["claims"], /) -> list[Claim] | None: ...
    @overload
    def get(self, key: Literal["weaknesses"], /) -> list[Weakness] | None: ...
    @overload
    def get(self, key: Literal["verifications"], /) -> list[Verification] | None: ...
    @overload
    def get(self, key: Literal["annotations"], /) -> Annotations | None: ...
    @overload
    def get(self, key: Literal["topic"], /) -> Topic | None: ...
    @overload
    def get(self, key: Literal["cut_off"], /) -> CutOff | None: ...
    @overload
    def get(self, key: Literal["contamination"], /) -> list[Contamination] | None: ...
    @overload
    def get(self, key: Literal["lines"], /) -> list[PrintedLine] | None: ...
    @overload
    def get(self, key: Literal["experiments"], /) -> list[TextItem] | None: ...
    @overload
    def get(self, key: Literal["experiments_input"], /) -> ShownPart | None: ...
    @overload
    def get(self, key: Literal["explanations"], /) -> list[TextItem] | None: ...
    @overload
    def get(self, key: Literal["vectors"], /) -> dict[str, dict[str, list[float]]] | None: ...
    @overload
    def get(self, key: Literal["generated"], /) -> Generated | None: ...
    @overload
    def get(self, key: Literal["rejected"], /) -> list[Rejected] | None: ...
    @overload
    def get(self, key: Literal["judgements"], /) -> Judgements | None: ...
    @overload
    def get(self, key: Literal["scores"], /) -> list[Score] | None: ...
    @overload
    def get(self, key: Literal["warnings"], /) -> list[Notice] | None: ...
    @overload
    def get(self, key: Literal["provenance"], /) -> list[Provenance] | None: ...
    @overload
    def get(self, key: Literal["errors"], /) -> list[Failure] | None: ...
    @overload
    def get(self, key: Key, default: Any, /) -> Any: ...
