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
    """Where a paper came from."""

    path: str = Field(description='as given on the command line; "-" for standard input')
    format: str | None = Field(default=None, description="pdf, latex, tei, jats, text; none where it cannot be read")
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$", description="of the file's bytes, likewise")
    pages: int | None = Field(default=None, ge=0)


class Section(Model):
    """One section, its text without the text of its subsections."""

    id: str = Field(description="unique in the record; spans name it")
    number: str | None = Field(default=None, description='as printed: "3.1", "A", or null')
    heading: str
    level: int = Field(ge=1, description="1 = top level")
    role: Role
    pages: list[int] | None = Field(default=None, description="first and last page, from 1; empty where there are none")
    text: str


class Reference(Model):
    """One entry of the bibliography."""

    id: str
    text: str
    key: str | None = Field(default=None, description="by which a LaTeX source cites it")
    title: str | None = None
    venue: str | None = Field(
        default=None, description="journal, proceedings or book that it appeared in, as printed; null where not sure"
    )
    year: int | None = None
    doi: str | None = None
    arxiv: str | None = None
    url: str | None = Field(default=None, description="another address than those of doi and arxiv")
    authors: list[str] | None = Field(
        default=None, description="as printed, in XML given names first as marked; null where they are not sure"
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
    image_bbox: list[float] | None = Field(default=None, description="the box of that picture, as bbox")
    content: str | None = Field(default=None, description="the steps of an algorithm or a listing, a line for each")


class PublishedAt(Model):
    """Where a file says something of the publication of its paper."""

    where: str = Field(description='"page", "metadata", a path of elements, or a command of LaTeX')
    text: str
    page: int | None = Field(default=None, ge=1)
    bbox: list[float] | None = None


class FrontMatter(Model):
    """A piece of the first pages that is neither title, abstract nor text, as printed (PDF)."""

    kind: Literal["authors", "affiliation", "email", "keywords", "subjects", "contents", "other"]
    text: str
    page: int | None = Field(default=None, ge=1)


class Footnote(Model):
    """A footnote, kept apart from the section it hangs on."""

    text: str
    page: int | None = Field(default=None, ge=1)
    mark: str | None = Field(default=None, description='what stands before it on the page: "1", "*"')


class Notice(Model):
    """Something a reader of the record should know before trusting it."""

    kind: str
    page: int | None = None
    text: str | None = None
    bbox: list[float] | None = Field(default=None, description="x0, y0, x1, y1 in points from the page's top left")
    span: Span | None = Field(default=None, description="where it stands, of an instruction to a model")
    system: str | None = Field(default=None, description="in what was given to which it stands, or what leaked into it")
    item: str | None = Field(default=None, description="id of the item of that system")
    paper: str | None = Field(default=None, description="id of a related paper that it stands in")
    passage: str | None = Field(default=None, description="id of the passage of that paper")


class Provenance(Model):
    """One command that worked on the record."""

    command: str
    task: str | None = Field(default=None, description="of a command that has several")
    version: str
    signature: str
    method: str | None = Field(default=None, description='"builtin", "model", or the format that st-parse read')
    options: dict[str, Any] | None = Field(default=None, description="all that changes the result, as resolved")
    input: str | None = Field(default=None, description="fingerprint of what the result was made of")
    counts: dict[str, Any] | None = Field(
        default=None, description="what happened on the way, and what was missing: none of it is signed"
    )
    model: str | None = Field(default=None, description="that was asked")
    prompts: dict[str, str] | None = Field(default=None, description="the fingerprint of each prompt's text and schema")
    parameters: dict[str, Any] | None = Field(default=None, description="of sampling")
    sampling: dict[str, Any] | None = Field(
        default=None, description="parameters by prompt, where prompts have own ones"
    )
    response_formats: list[str] | None = Field(default=None, description="in which the replies were asked for")
    endpoints: list[str | None] | None = Field(
        default=None, description="who gave the replies: a name or an address, default, or null where it is not known"
    )
    calls: list[str] | None = Field(default=None, description="keys of the calls, by which they are exported")
    answers: list[str] | None = Field(default=None, description="keys of the answers of services on the web")


class Failure(Model):
    """Why a command could not do its work on the record, or on parts of it."""

    command: str
    kind: str = Field(description='a stable word: "missing-parts" where the rest of the record is done')
    reason: str
    reply: str | None = Field(default=None, description="of a model, as it came, where it could not be used")
    endpoints: list[str | None] | None = Field(
        default=None, description="who gave the replies: a name or an address, default, or null where it is not known"
    )
    calls: list[str] | None = Field(default=None, description="keys of the calls, by which they are exported")
    answers: list[str] | None = Field(default=None, description="keys of the answers of services on the web")
    task: str | None = Field(default=None, description="of a command that has several")
    missing: int | None = Field(default=None, ge=1, description="how many parts have no usable reply")
    of: int | None = Field(default=None, ge=1, description="how many parts were asked about")
    reasons: dict[str, int] | None = Field(default=None, description="how many parts are missing for each reason")
    parts: list[str] | None = Field(default=None, description="systems or texts of which parts are missing")


class Equation(Model):
    """A display equation of a LaTeX source; its span names its LaTeX in the section's text."""

    id: str
    latex: str
    span: Span
    label: str | None = Field(default=None, description="the name its \\label gives it, the first where it has several")
    labels: list[str] | None = Field(default=None, description="all its names, where it has several")


class ReviewField(Model):
    """One field of a review form: where its answer stands in the review's text."""

    name: str = Field(description='as the form names it, in lower case with underscores: "weaknesses"')
    start: int = Field(ge=0, description="first code point")
    end: int = Field(ge=0, description="one past the last code point")


class ReviewSegment(Model):
    """A segment of a review's text, and what people found of it."""

    start: int = Field(ge=0, description="first code point")
    end: int = Field(ge=0, description="one past the last code point")
    deficient: bool | None = None
    explanation: str | None = Field(default=None, description="why it is deficient")


class ReviewScore(Model):
    """The number of a rating."""

    value: float | int | None
    label: str | None = Field(default=None, description="what the form says of the number")
    why: str | None = Field(default=None, description="why there is no number")


class Review(Model):
    """A review of the paper."""

    id: str
    text: str = Field(description="every field of the form that holds prose, each under its name")
    fields: list[ReviewField] | None = None
    ratings: dict[str, Any] | None = Field(default=None, description="answers that are a number or a choice, as given")
    reviewer: str | None = Field(default=None, description="the last part of the signature")
    date: str | None = Field(default=None, description="when it was first posted, as YYYY-MM-DD in UTC")
    modified: str | None = Field(default=None, description="when it was last changed, likewise")
    scores: dict[str, ReviewScore] | None = Field(default=None, description="the numbers of ratings, by question")
    claim_related: ClaimKeywords | None = Field(default=None, description="where it speaks of claims")
    weaknesses_by: str | None = Field(
        default=None, description='by whom the record\'s "weaknesses" of it are; absent: nobody looked for any'
    )
    segments: list[ReviewSegment] | None = Field(default=None, description="that people judged, in the text's order")


class Summary(Model):
    """What one system wrote as a summary of the paper."""

    system: str
    text: str


class PrintedLine(Model):
    """Where a line with a printed number stands in a text of the record."""

    n: int = Field(ge=1, description="the number as printed")
    in_: str = Field(alias="in")
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Licence(Model):
    """Under which licence a paper, or what is said of it, may be used."""

    id: str | None = Field(default=None, description="of SPDX; null where the source gives no version, or none")
    said: str | None = Field(default=None, description="as the source has it")
    url: str | None = None
    of: Literal["paper", "metadata"]
    by: str = Field(description="the source that says so")


class PaperStatus(Model):
    """Whether a paper was taken back."""

    withdrawn: bool | None = None
    retracted: bool | None = None
    by: str = Field(description="the source that says so")
    said: str | None = Field(default=None, description="in its words")


class Tie(Model):
    """What a service says of how two papers are related."""

    by: str = Field(description="the service, and which of its lists")
    contexts: list[str] | None = Field(default=None, description="sentences that cite the paper")
    intents: list[str] | None = None
    influential: bool | None = None


class RunnerUp(Model):
    """The paper that is most like the one whose title was looked for, and was not taken for it."""

    title: str | None
    year: int | None
    ids: dict[str, str] | None = None


class MatchedTitle(Model):
    """How a paper was known by its title."""

    score: float | None = Field(description="from 0 to 1, of the best candidate; null where there is none")
    second: float | None = Field(description="of the next candidate that is another work")
    threshold: float
    why: str | None = Field(
        default=None, description="why none was taken: low, words, tie, year, short, id-conflict, none"
    )
    runner_up: RunnerUp | None = None


class PaperVersion(Model):
    """A version of a paper."""

    id: str
    date: str | None = None
    at: str = Field(description="where it is")


class FetchedFile(Model):
    """A file of a paper, as a service gave it."""

    kind: Literal["latex", "jats", "pdf"]
    path: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)
    url: str
    version: str | None = None
    date: str = Field(description="of the answer, as YYYY-MM-DD in UTC")
    licence: str | None = Field(default=None, description="of SPDX; null where none is stated")
    terms: str = Field(description="what the service says of its files")


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
    to: str | None = Field(default=None, description="id of what it answers: the paper, a review, another reply")
    kind: Literal["rebuttal", "comment"]
    by: Literal["authors", "reviewer", "chairs", "public"]
    date: str | None = None
    text: str


class Forum(Model):
    """What everyone may read of the review of a paper, besides the reviews."""

    id: str
    api: int = Field(ge=1, le=2, description="version of OpenReview's interface")
    venue: str | None = Field(default=None, description="the group that the paper was submitted to")
    venueid: str | None = None
    said: str | None = Field(default=None, description="where it appeared, in the venue's words")
    status: str | None = Field(
        default=None, description="accepted, rejected, withdrawn, desk-rejected; null where none is known"
    )
    decision: Decision | None = None
    meta_reviews: list[MetaReview]
    replies: list[ForumReply]
    left_out: dict[str, int] = Field(description="notes that are not kept, by kind")


class Fetched(Model):
    """From which service, and when, the metadata came."""

    source: str
    date: str = Field(description="of the answer, as YYYY-MM-DD in UTC")


class Paper(Model):
    """A paper record, as st-parse writes it and the other commands extend it."""

    id: str
    source: Source | None = None
    title: str | None = None
    authors: list[str] | None = None
    abstract: str | None = None
    year: int | None = Field(default=None, description="of the paper itself; null where it is not sure")
    venue: str | None = Field(default=None, description="journal or proceedings, as printed or marked")
    doi: str | None = Field(default=None, description="without resolver")
    arxiv: str | None = Field(default=None, description='without "arXiv:" and version')
    ids: dict[str, str] | None = Field(
        default=None, description="doi, arxiv, openreview, openalex, s2, acl, pmid, pmcid, dblp"
    )
    date: str | None = Field(default=None, description="of publication, as YYYY-MM-DD")
    venueid: str | None = Field(default=None, description="of OpenReview, which says what became of the paper")
    track: str | None = Field(default=None, description="that it was submitted to")
    decision: str | None = Field(default=None, description="accepted, rejected, withdrawn, desk-rejected")
    type: str | None = Field(default=None, description="as the service calls it: article, preprint")
    keywords: list[str] | None = None
    licence: Licence | None = None
    status: PaperStatus | None = None
    versions: list[PaperVersion] | None = None
    tie: Tie | None = Field(default=None, description="how it is related to the paper that related_to names")
    unknown: dict[str, str] | None = Field(default=None, description="why a key is null, by key")
    same_as: list[str] | None = Field(
        default=None, description="ids of other records of the paper, or of what may be the paper: see warnings"
    )
    matched: MatchedTitle | None = Field(
        default=None, description="how sure it is that the paper is the one whose title was looked for; null: no paper"
    )
    unmatched: str | None = Field(default=None, description="why a reference has no identifier")
    files: list[FetchedFile] | None = None
    forum: Forum | None = None
    fetched: list[Fetched] | None = None
    front_matter_spans: dict[str, PublishedAt] | None = Field(
        default=None, description="where year, venue, doi and arxiv were found, by key"
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
