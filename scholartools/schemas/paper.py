"""The types of a paper record, of which ``schemas/paper.json`` is made: ``make schema``.

Only what checks a key or describes them all imports this module: pydantic takes longer to import than most commands
take for a record.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from scholartools.schemas.annotations import (
    Annotations,
    Claim,
    ClaimKeywords,
    Contamination,
    CutOff,
    FacetSet,
    Limitation,
    Rejected,
    Topic,
    Verification,
    Weakness,
)
from scholartools.schemas.base import Model, Span
from scholartools.schemas.generated import Generated, ShownPart, TextItem
from scholartools.schemas.judgements import Judgements
from scholartools.schemas.scores import Score
from scholartools.vocabulary import Role


class Source(Model):
    """The source of a paper: its file and format."""

    path: str = Field(description='as given on the command line; "-" for standard input')
    format: str | None = Field(
        default=None, description="pdf, latex, tei, jats, text; absent if the file cannot be read"
    )
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$", description="SHA-256 of the file's bytes")
    pages: int | None = Field(default=None, ge=0)


class Section(Model):
    """One section, its text without the text of its subsections."""

    id: str = Field(description="id, unique in the record; spans refer to it")
    number: str | None = Field(default=None, description='as printed: "3.1", "A", or null')
    heading: str
    level: int = Field(ge=1, description="level of the section in the paper; 1 is the top level")
    role: Role
    pages: list[int] | None = Field(
        default=None, description="first and last page, from 1; empty if the source has no pages"
    )
    text: str


class Reference(Model):
    """One entry of the bibliography."""

    id: str
    text: str
    key: str | None = Field(default=None, description="key by which a LaTeX source cites the reference")
    title: str | None = None
    venue: str | None = Field(
        default=None, description="journal, proceedings or book that it appeared in, as printed; null if uncertain"
    )
    year: int | None = None
    doi: str | None = None
    arxiv: str | None = None
    url: str | None = Field(default=None, description="an address other than those of doi and arxiv")
    authors: list[str] | None = Field(
        default=None, description="as printed (from XML: given names first, as marked); null if uncertain"
    )


class Caption(Model):
    """The caption of a figure, table or algorithm."""

    id: str
    kind: Literal["figure", "table", "algorithm"]
    label: str = Field(description='as printed, e.g. "Table 2"')
    text: str
    page: int | None = Field(default=None, ge=1)
    bbox: list[float] | None = Field(default=None, description="x0, y0, x1, y1 in points from the page's top left")
    image: str | None = Field(default=None, description="path of the picture that st-parse --figures wrote")
    image_bbox: list[float] | None = Field(
        default=None, description="box of the picture in `image`, in the form of `bbox`"
    )
    content: str | None = Field(default=None, description="the steps of an algorithm or a listing, a line for each")


class PublishedAt(Model):
    """The position at which a file states the publication of its paper."""

    where: str = Field(description='"page", "metadata", a path of elements, or a command of LaTeX')
    text: str
    page: int | None = Field(default=None, ge=1)
    bbox: list[float] | None = None


class FrontMatter(Model):
    """A piece of the first pages that is neither title, abstract nor text, as printed (PDF), or key words (JATS)."""

    kind: Literal["authors", "affiliation", "email", "keywords", "subjects", "contents", "other"]
    text: str
    page: int | None = Field(default=None, ge=1)


class Footnote(Model):
    """A footnote. Its text is not part of the section that refers to it."""

    text: str
    page: int | None = Field(default=None, ge=1)
    mark: str | None = Field(default=None, description='mark before it on the page: "1", "*"')


class Notice(Model):
    """A warning that a reader of the record should know before trusting it."""

    kind: str
    page: int | None = None
    text: str | None = None
    bbox: list[float] | None = Field(default=None, description="x0, y0, x1, y1 in points from the page's top left")
    span: Span | None = Field(default=None, description="span of the instruction to a model")
    system: str | None = Field(
        default=None, description="the system whose input contains the sentence, or into whose input it leaked"
    )
    item: str | None = Field(default=None, description="id of the item of the system")
    paper: str | None = Field(default=None, description="id of the related paper that contains the sentence")
    passage: str | None = Field(default=None, description="id of the passage of the related paper")


class Provenance(Model):
    """One command that worked on the record."""

    command: str
    task: str | None = Field(default=None, description="task of a command that has several tasks")
    version: str
    signature: str
    method: str | None = Field(default=None, description='"builtin", "model", or the format that st-parse read')
    options: dict[str, Any] | None = Field(
        default=None, description="all options that change the result, with defaults resolved"
    )
    input: str | None = Field(default=None, description="fingerprint of the input of the result")
    counts: dict[str, Any] | None = Field(
        default=None, description="counts of events and of missing parts; the signature does not cover them"
    )
    model: str | None = Field(default=None, description="model that was asked")
    prompts: dict[str, str] | None = Field(default=None, description="the fingerprint of each prompt's text and schema")
    parameters: dict[str, Any] | None = Field(default=None, description="sampling parameters")
    sampling: dict[str, Any] | None = Field(
        default=None, description="parameters by prompt, if prompts have different ones"
    )
    response_formats: list[str] | None = Field(default=None, description="formats in which replies were requested")
    endpoints: list[str | None] | None = Field(
        default=None, description="servers that gave the replies: a name, an address, default, or null if unknown"
    )
    calls: list[str] | None = Field(default=None, description="keys of the calls, for st-cache export --used-by")
    answers: list[str] | None = Field(default=None, description="keys of the answers of services on the web")


class Failure(Model):
    """An error: why a command failed for the record, or for parts of it."""

    command: str
    kind: str = Field(description='a fixed word for programs: "missing-parts" if the rest of the record is complete')
    reason: str
    reply: str | None = Field(default=None, description="unusable reply of a model, unchanged")
    endpoints: list[str | None] | None = Field(
        default=None, description="servers that gave the replies: a name, an address, default, or null if unknown"
    )
    calls: list[str] | None = Field(default=None, description="keys of the calls, for st-cache export --used-by")
    answers: list[str] | None = Field(default=None, description="keys of the answers of services on the web")
    task: str | None = Field(default=None, description="task of a command that has several tasks")
    missing: int | None = Field(default=None, ge=1, description="number of parts without a usable reply")
    of: int | None = Field(default=None, ge=1, description="number of parts that the model was asked about")
    reasons: dict[str, int] | None = Field(default=None, description="number of missing parts, by reason")
    parts: list[str] | None = Field(default=None, description="systems or texts with missing parts")


class Equation(Model):
    """A display equation of a LaTeX source; its span names its LaTeX in the section's text."""

    id: str
    latex: str
    span: Span
    label: str | None = Field(default=None, description="name given by its first \\label")
    labels: list[str] | None = Field(default=None, description="all of its names, if it has several")


class ReviewField(Model):
    """One field of a review form, with the span of its answer in the review's text."""

    name: str = Field(description='as the form names it, in lower case with underscores: "weaknesses"')
    start: int = Field(ge=0, description="first code point")
    end: int = Field(ge=0, description="one past the last code point")


class ReviewSegment(Model):
    """A segment of a review's text, and what people found of it."""

    start: int = Field(ge=0, description="first code point")
    end: int = Field(ge=0, description="one past the last code point")
    deficient: bool | None = None
    explanation: str | None = Field(default=None, description="reason why the segment is deficient")


class ReviewScore(Model):
    """The number of a review's rating."""

    value: float | int | None
    label: str | None = Field(default=None, description="meaning of the number on the form")
    least: float | int | None = Field(default=None, description="lowest value of the venue's form")
    most: float | int | None = Field(default=None, description="highest value of the venue's form")
    why: str | None = Field(default=None, description="reason why there is no number")


class ReviewVersion(Model):
    """A review as it once was."""

    date: str | None = Field(description="date of the change, YYYY-MM-DD in UTC")
    ratings: dict[str, Any]
    text: str


class Review(Model):
    """A review of the paper."""

    id: str
    text: str = Field(description="all fields of the form with prose, each under its name")
    fields: list[ReviewField] | None = None
    ratings: dict[str, Any] | None = Field(default=None, description="answers that are a number or a choice, unchanged")
    reviewer: str | None = Field(default=None, description="last part of the reviewer's signature")
    date: str | None = Field(default=None, description="date of the first posting, YYYY-MM-DD in UTC")
    modified: str | None = Field(default=None, description="date of the last change, YYYY-MM-DD in UTC")
    scores: dict[str, ReviewScore] | None = Field(default=None, description="the numbers of ratings, by question")
    versions: list[ReviewVersion] | None = Field(
        default=None, description="all versions, from the first to the current one"
    )
    versions_unknown: str | None = Field(default=None, description="reason why `versions` is null")
    claim_related: ClaimKeywords | None = Field(default=None, description="keywords about claims, with their spans")
    weaknesses_by: str | None = Field(
        default=None, description='who found the record\'s "weaknesses" in the review; absent: nobody looked for any'
    )
    segments: list[ReviewSegment] | None = Field(
        default=None, description="segments that people judged, in the order of the text"
    )


class Summary(Model):
    """What one system wrote as a summary of the paper."""

    system: str
    text: str


class PrintedLine(Model):
    """The span of a line with a printed number in a text of the record."""

    n: int = Field(ge=1, description="the number as printed")
    in_: str = Field(alias="in")
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Licence(Model):
    """The licence of a paper or of its metadata."""

    id: str | None = Field(
        default=None, description="SPDX identifier; null if the source states no licence or no version"
    )
    said: str | None = Field(default=None, description="statement of the licence, unchanged from the source")
    url: str | None = None
    of: Literal["paper", "metadata"]
    by: str = Field(description="the source of the statement")


class PaperStatus(Model):
    """Whether a paper was retracted."""

    withdrawn: bool | None = None
    retracted: bool | None = None
    by: str = Field(description="the source of the statement")
    said: str | None = Field(default=None, description="statement about the paper in the words of the service")


class Tie(Model):
    """What a service says about the relation of two papers."""

    by: str = Field(description="the service and the list that it came from")
    contexts: list[str] | None = Field(default=None, description="sentences that cite the paper")
    intents: list[str] | None = None
    influential: bool | None = None


class RunnerUp(Model):
    """The paper with the next most similar title, which was not chosen."""

    title: str | None
    year: int | None
    ids: dict[str, str] | None = None


class MatchedTitle(Model):
    """How a paper was identified by its title."""

    score: float | None = Field(description="score of the best candidate, from 0 to 1; null without a candidate")
    second: float | None = Field(description="score of the next candidate that is another work")
    threshold: float
    why: str | None = Field(
        default=None, description="reason why no paper was chosen: low, words, tie, year, short, id-conflict, none"
    )
    runner_up: RunnerUp | None = None


class PaperVersion(Model):
    """A version of a paper."""

    id: str
    date: str | None = None
    at: str = Field(description="name of the service that has the version")


class FetchedFile(Model):
    """A file of a paper, as a service gave it."""

    kind: Literal["latex", "jats", "pdf"]
    path: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)
    url: str
    version: str | None = None
    date: str = Field(description="date of the answer, YYYY-MM-DD in UTC")
    licence: str | None = Field(default=None, description="SPDX identifier; null if no licence is stated")
    terms: str = Field(description="terms of the service about its files")


class Decision(Model):
    """What a venue decided."""

    value: str | None = None
    text: str | None = None


class MetaReview(Model):
    """What a chair wrote about the reviews."""

    id: str | None = None
    date: str | None = None
    text: str
    fields: list[ReviewField] | None = None
    ratings: dict[str, Any] | None = None


class ForumReply(Model):
    """A rebuttal or a comment on a paper or a review."""

    id: str | None = None
    to: str | None = Field(default=None, description="id of the paper, review or reply that the text answers")
    kind: Literal["rebuttal", "comment"]
    by: Literal["authors", "reviewer", "chairs", "public"]
    date: str | None = None
    text: str


class Forum(Model):
    """The public part of the reviewing of a paper, except for the reviews."""

    id: str
    api: int = Field(ge=1, le=2, description="version of OpenReview's interface")
    venue: str | None = Field(default=None, description="the group that the paper was submitted to")
    venueid: str | None = None
    said: str | None = Field(default=None, description="where the paper appeared, in the words of the venue")
    status: str | None = Field(
        default=None, description="accepted, rejected, withdrawn, desk-rejected; null where none is known"
    )
    decision: Decision | None = None
    meta_reviews: list[MetaReview]
    replies: list[ForumReply]
    form: str | None = Field(
        default=None, description="key of the answer with the form of the reviews; null if the form is not public"
    )
    left_out: dict[str, int] = Field(description="number of notes left out, by kind")


class Fetched(Model):
    """The service that the metadata came from, and the time."""

    source: str
    date: str = Field(description="date of the answer, YYYY-MM-DD in UTC")


class Paper(Model):
    """A paper record, as st-parse writes it and the other commands extend it."""

    id: str
    source: Source | None = None
    title: str | None = None
    authors: list[str] | None = None
    abstract: str | None = None
    year: int | None = Field(default=None, description="year of the paper itself; null if uncertain")
    venue: str | None = Field(default=None, description="journal or proceedings, as printed or marked")
    doi: str | None = Field(default=None, description="DOI without a resolver")
    arxiv: str | None = Field(default=None, description='without "arXiv:" and version')
    ids: dict[str, str] | None = Field(
        default=None, description="doi, arxiv, openreview, openalex, s2, acl, pmid, pmcid, dblp"
    )
    date: str | None = Field(default=None, description="date of publication, YYYY-MM-DD")
    venueid: str | None = Field(default=None, description="OpenReview's venueid, which shows the decision on the paper")
    track: str | None = Field(default=None, description="track of the venue that the paper was submitted to")
    decision: str | None = Field(default=None, description="accepted, rejected, withdrawn, desk-rejected")
    type: str | None = Field(default=None, description="type in the terms of the service: article, preprint")
    keywords: list[str] | None = None
    licence: Licence | None = None
    status: PaperStatus | None = None
    versions: list[PaperVersion] | None = None
    tie: Tie | None = Field(default=None, description="how it is related to the paper that related_to names")
    unknown: dict[str, str] | None = Field(default=None, description="reason why a key is null, by key")
    same_as: list[str] | None = Field(
        default=None, description="ids of other records of the same paper, or possibly of it: see warnings"
    )
    matched: MatchedTitle | None = Field(
        default=None, description="how certainly this is the paper with the given title; null if no paper was chosen"
    )
    unmatched: str | None = Field(default=None, description="why a reference has no identifier")
    files: list[FetchedFile] | None = None
    forum: Forum | None = None
    fetched: list[Fetched] | None = None
    front_matter_spans: dict[str, PublishedAt] | None = Field(
        default=None, description="spans at which year, venue, doi and arxiv were found, by key"
    )
    front_matter: list[FrontMatter] | None = None
    sections: list[Section] | None = None
    references: list[Reference] | None = None
    captions: list[Caption] | None = None
    footnotes: list[Footnote] | None = None
    equations: list[Equation] | None = None
    reviews: list[Review] | None = None
    summaries: list[Summary] | None = None
    facets: list[FacetSet] | None = None
    limitations: list[Limitation] | None = None
    claims: list[Claim] | None = None
    weaknesses: list[Weakness] | None = None
    verifications: list[Verification] | None = None
    annotations: Annotations | None = None
    topic: Topic | None = None
    cut_off: CutOff | None = None
    contamination: list[Contamination] | None = None
    lines: list[PrintedLine] | None = None
    experiments: list[TextItem] | None = None
    experiments_input: ShownPart | None = None
    explanations: list[TextItem] | None = None
    vectors: dict[str, dict[str, list[float]]] | None = Field(
        default=None, description="by model, then by text: what --embedder vectors:MODEL takes"
    )
    generated: Generated | None = None
    rejected: list[Rejected] | None = None
    judgements: Judgements | None = None
    scores: list[Score] | None = None
    warnings: list[Notice] | None = None
    provenance: list[Provenance] | None = None
    errors: list[Failure] | None = None


def schema() -> dict[str, Any]:
    """The JSON Schema of a paper record, with every type it holds."""
    described = Paper.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}


if __name__ == "__main__":
    import json

    print(json.dumps(schema(), indent=1, ensure_ascii=False))
