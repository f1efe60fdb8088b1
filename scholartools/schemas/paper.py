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

    path: str = Field(description='path of the file, as given on the command line; "-" for standard input')
    format: str | None = Field(
        default=None, description="format of the file: pdf, latex, tei, jats or text; absent if the file cannot be read"
    )
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$", description="SHA-256 of the file's bytes")
    pages: int | None = Field(default=None, ge=0, description="number of pages of the file")


class Section(Model):
    """A section of a paper. Its text does not contain the text of its subsections."""

    id: str = Field(description="id of the section, unique in the record; spans refer to this id")
    number: str | None = Field(
        default=None, description='number of the section as printed, such as "3.1" or "A"; null if no number is printed'
    )
    heading: str
    level: int = Field(ge=1, description="level of the section in the hierarchy of the paper; 1 is the top level")
    role: Role
    pages: list[int] | None = Field(
        default=None, description="first and last page of the section, counted from 1; empty if the source has no pages"
    )
    text: str


class Reference(Model):
    """One entry of the bibliography of a paper."""

    id: str
    text: str
    key: str | None = Field(default=None, description="key by which a LaTeX source cites the reference")
    title: str | None = None
    venue: str | None = Field(
        default=None,
        description="journal, proceedings or book that contains the cited work, as printed; null if uncertain",
    )
    year: int | None = None
    doi: str | None = None
    arxiv: str | None = None
    url: str | None = Field(
        default=None, description="web address in the entry, other than the addresses of the DOI and of arXiv"
    )
    authors: list[str] | None = Field(
        default=None,
        description=(
            "authors of the cited work, as printed, or as marked in an XML file (given names first); null if uncertain"
        ),
    )


class Caption(Model):
    """The caption of a figure, table or algorithm."""

    id: str
    kind: Literal["figure", "table", "algorithm"]
    label: str = Field(description='label of the figure, table or algorithm as printed, such as "Table 2"')
    text: str
    page: int | None = Field(default=None, ge=1)
    bbox: list[float] | None = Field(
        default=None,
        description="bounding box of the caption: x0, y0, x1, y1 in points from the top left corner of the page",
    )
    image: str | None = Field(
        default=None, description="path of the image file that `st-parse --figures` wrote for the caption"
    )
    image_bbox: list[float] | None = Field(
        default=None,
        description="bounding box of the image on the page: x0, y0, x1, y1 in points from the top left corner",
    )
    content: str | None = Field(default=None, description="the steps of an algorithm or listing, one line per step")


class PublishedAt(Model):
    """The place in a file of a paper that states where or when the paper was published."""

    where: str = Field(
        description='where the statement was found: "page", "metadata", a path of XML elements, or a LaTeX command'
    )
    text: str
    page: int | None = Field(default=None, ge=1)
    bbox: list[float] | None = None


class FrontMatter(Model):
    """A text on the first pages of a PDF, or before the first section of a text or Markdown file, that belongs to
    neither title, abstract nor body, or the key words of a JATS file.
    """

    kind: Literal["authors", "affiliation", "email", "keywords", "subjects", "contents", "other"]
    text: str
    page: int | None = Field(default=None, ge=1)


class Footnote(Model):
    """A footnote of a paper. The text of the footnote is not part of the text of any section."""

    text: str
    page: int | None = Field(default=None, ge=1)
    mark: str | None = Field(default=None, description='the mark printed before the footnote, such as "1" or "*"')


class Notice(Model):
    """A warning about the record, which a reader should know before trusting the record."""

    kind: str
    page: int | None = None
    text: str | None = None
    bbox: list[float] | None = Field(
        default=None,
        description="bounding box of the text on the page: x0, y0, x1, y1 in points from the top left corner",
    )
    span: Span | None = Field(
        default=None, description="span of the sentence in the paper that gives an instruction to a language model"
    )
    system: str | None = Field(
        default=None,
        description="name of the system whose input contains the sentence that the warning is about",
    )
    item: str | None = Field(default=None, description="id of the generated item that the warning is about")
    paper: str | None = Field(
        default=None, description="id of the related paper that contains the sentence that the warning is about"
    )
    passage: str | None = Field(
        default=None,
        description="id of the passage of the related paper that contains the sentence that the warning is about",
    )


class Provenance(Model):
    """One run of a command that added something to the record."""

    command: str
    task: str | None = Field(default=None, description="the task of the command, if the command has several tasks")
    version: str
    signature: str
    method: str | None = Field(
        default=None, description='the method: "builtin" (without a model), "model", or the format that st-parse read'
    )
    options: dict[str, Any] | None = Field(
        default=None,
        description="all options that change the result, including the defaults of options that were not given",
    )
    input: str | None = Field(default=None, description="hash of the input from which the run computed its result")
    counts: dict[str, Any] | None = Field(
        default=None,
        description=(
            "counts of events and of missing parts in the run; the signature of the run does not contain these counts"
        ),
    )
    model: str | None = Field(default=None, description="the language model that the run asked")
    prompts: dict[str, str] | None = Field(
        default=None, description="hash of the text and reply schema of each prompt, by name of the prompt"
    )
    parameters: dict[str, Any] | None = Field(
        default=None, description="sampling parameters of the model, such as the temperature"
    )
    sampling: dict[str, Any] | None = Field(
        default=None,
        description="sampling parameters of each prompt, if the prompts of the run have different parameters",
    )
    response_formats: list[str] | None = Field(
        default=None, description="the reply formats that the run requested from the model"
    )
    endpoints: list[str | None] | None = Field(
        default=None, description='the servers that gave the replies: a name, an address, "default", or null if unknown'
    )
    calls: list[str] | None = Field(
        default=None,
        description="keys under which the cache stores the model calls; `st-cache export --used-by` uses these keys",
    )
    answers: list[str] | None = Field(
        default=None, description="keys under which the cache stores the answers of web services"
    )


class Failure(Model):
    """An error: the reason why a command failed for the record or for parts of the record."""

    command: str
    kind: str = Field(
        description=(
            'the kind of the error as a fixed word for programs; "missing-parts" if the rest of the record is complete'
        )
    )
    reason: str
    reply: str | None = Field(default=None, description="the unusable reply of the model, unchanged")
    endpoints: list[str | None] | None = Field(
        default=None, description='the servers that gave the replies: a name, an address, "default", or null if unknown'
    )
    calls: list[str] | None = Field(
        default=None,
        description="keys under which the cache stores the model calls; `st-cache export --used-by` uses these keys",
    )
    answers: list[str] | None = Field(
        default=None, description="keys under which the cache stores the answers of web services"
    )
    task: str | None = Field(default=None, description="the task of the command, if the command has several tasks")
    missing: int | None = Field(
        default=None, ge=1, description="number of parts of the record for which the model gave no usable reply"
    )
    of: int | None = Field(
        default=None, ge=1, description="number of parts of the record about which the model was asked"
    )
    reasons: dict[str, int] | None = Field(default=None, description="number of missing parts for each reason")
    parts: list[str] | None = Field(default=None, description="the systems or texts that have missing parts")


class Equation(Model):
    """A display equation of a LaTeX source. `span` marks the LaTeX code of the equation in the text of its section."""

    id: str
    latex: str
    span: Span
    label: str | None = Field(default=None, description="the first \\label of the equation")
    labels: list[str] | None = Field(
        default=None, description="all \\label names of the equation, if the equation has several"
    )


class ReviewField(Model):
    """One field of a review form. `start` and `end` mark the answer to the field in the text of the review."""

    name: str = Field(description='name of the field on the form, in lower case with underscores, such as "weaknesses"')
    start: int = Field(ge=0, description="offset of the first code point of the answer in the text of the review")
    end: int = Field(ge=0, description="offset after the last code point of the answer in the text of the review")


class ReviewSegment(Model):
    """A segment of the text of a review, and the verdict of people about the segment."""

    start: int = Field(ge=0, description="offset of the first code point of the segment in the text of the review")
    end: int = Field(ge=0, description="offset after the last code point of the segment in the text of the review")
    deficient: bool | None = None
    explanation: str | None = Field(
        default=None, description="the reason that people gave why the segment of the review is deficient"
    )


class ReviewScore(Model):
    """A rating of a review as a number."""

    value: float | int | None
    label: str | None = Field(default=None, description="the meaning of the number, as stated on the review form")
    least: float | int | None = Field(default=None, description="lowest possible value on the review form of the venue")
    most: float | int | None = Field(default=None, description="highest possible value on the review form of the venue")
    why: str | None = Field(default=None, description="reason why the rating has no number")


class ReviewVersion(Model):
    """One version of a review: an earlier version, or the current version."""

    date: str | None = Field(description="date on which the review was changed to this version, YYYY-MM-DD in UTC")
    ratings: dict[str, Any]
    text: str


class Review(Model):
    """A review of the paper."""

    id: str
    text: str = Field(
        description=(
            "text of the review: the answers to all fields of the review form that contain prose, each after "
            "the name of the field"
        )
    )
    fields: list[ReviewField] | None = None
    ratings: dict[str, Any] | None = Field(
        default=None,
        description="answers of the review form that are a number or a choice, unchanged, by name of the field",
    )
    reviewer: str | None = Field(
        default=None, description="last part of the reviewer's signature, such as an anonymous id"
    )
    date: str | None = Field(default=None, description="date on which the review was first posted, YYYY-MM-DD in UTC")
    modified: str | None = Field(
        default=None, description="date on which the review was last changed, YYYY-MM-DD in UTC"
    )
    scores: dict[str, ReviewScore] | None = Field(
        default=None, description="the ratings of the review as numbers, by question of the review form"
    )
    versions: list[ReviewVersion] | None = Field(
        default=None, description="all versions of the review, from the first to the current version"
    )
    versions_unknown: str | None = Field(default=None, description="reason why `versions` is null")
    claim_related: ClaimKeywords | None = Field(
        default=None, description="keywords in the review that refer to claims, with their spans"
    )
    weaknesses_by: str | None = Field(
        default=None,
        description=(
            'who extracted the record\'s "weaknesses" from the review; absent if nobody extracted weaknesses '
            "from the review"
        ),
    )
    segments: list[ReviewSegment] | None = Field(
        default=None, description="the segments of the review that people judged, in the order of the text"
    )


class Summary(Model):
    """A summary of the paper that one system wrote."""

    system: str
    text: str


class PrintedLine(Model):
    """A line of the paper with a printed line number, and the span of the line in a text of the record."""

    n: int = Field(ge=1, description="the line number as printed")
    in_: str = Field(alias="in")
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Licence(Model):
    """The licence of a paper or of its metadata."""

    id: str | None = Field(
        default=None,
        description=(
            "SPDX identifier of the licence; null if the source states no licence or no version of the licence"
        ),
    )
    said: str | None = Field(default=None, description="the statement of the licence, unchanged from the source")
    url: str | None = None
    of: Literal["paper", "metadata"]
    by: str = Field(description="the service or file that states the licence")


class PaperStatus(Model):
    """Whether a paper was withdrawn or retracted, according to a service."""

    withdrawn: bool | None = None
    retracted: bool | None = None
    by: str = Field(description="the service that states whether the paper was withdrawn or retracted")
    said: str | None = Field(default=None, description="the statement about the paper in the words of the service")


class Tie(Model):
    """The relation of two papers, such as a citation, according to a service."""

    by: str = Field(
        description="the service that states the relation, and the list of the service that contains the relation"
    )
    contexts: list[str] | None = Field(
        default=None, description="sentences of the citing paper that contain the citation"
    )
    intents: list[str] | None = None
    influential: bool | None = None


class RunnerUp(Model):
    """The best candidate of a search for a paper by its title, if the search chose no candidate."""

    title: str | None
    year: int | None
    ids: dict[str, str] | None = None


class MatchedTitle(Model):
    """The result of a search for a paper by its title."""

    score: float | None = Field(
        description=(
            "similarity of the searched paper to the best candidate, by title, first author and year, from 0 to 1; "
            "null if no candidate was found"
        )
    )
    second: float | None = Field(
        description="similarity of the searched paper to the next best candidate that is a different work"
    )
    threshold: float
    why: str | None = Field(
        default=None,
        description="reason why no candidate was chosen, as a fixed word: low, words, tie, year, short, "
        "id-conflict or none",
    )
    runner_up: RunnerUp | None = None


class PaperVersion(Model):
    """A version of a paper, such as a preprint."""

    id: str
    date: str | None = None
    at: str = Field(description="name of the service that holds the version of the paper")


class FetchedFile(Model):
    """A file of a paper that was downloaded from a service."""

    kind: Literal["latex", "jats", "pdf"]
    path: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    bytes: int = Field(ge=0)
    url: str
    version: str | None = None
    date: str = Field(description="date of the download, YYYY-MM-DD in UTC")
    licence: str | None = Field(
        default=None, description="SPDX identifier of the licence of the file; null if no licence is stated"
    )
    terms: str = Field(description="terms of the service for the use of the downloaded file")


class Decision(Model):
    """The decision of a venue (such as a conference) about a paper."""

    value: str | None = None
    text: str | None = None


class MetaReview(Model):
    """The meta-review that a chair wrote about the reviews of a paper."""

    id: str | None = None
    date: str | None = None
    text: str
    fields: list[ReviewField] | None = None
    ratings: dict[str, Any] | None = None


class ForumReply(Model):
    """A rebuttal or a comment on a paper or a review."""

    id: str | None = None
    to: str | None = Field(default=None, description="id of the paper, review or reply to which the text responds")
    kind: Literal["rebuttal", "comment"]
    by: Literal["authors", "reviewer", "chairs", "public"]
    date: str | None = None
    text: str


class Forum(Model):
    """The public discussion of a paper under review, without the reviews."""

    id: str
    api: int = Field(ge=1, le=2, description="version of OpenReview's programming interface (API)")
    venue: str | None = Field(
        default=None,
        description="name of the group on OpenReview that stands for the venue to which the paper was submitted",
    )
    venueid: str | None = None
    said: str | None = Field(default=None, description="where the paper was published, in the words of the venue")
    status: str | None = Field(
        default=None,
        description="status of the submission: accepted, rejected, withdrawn or desk-rejected; null if unknown",
    )
    decision: Decision | None = None
    meta_reviews: list[MetaReview]
    replies: list[ForumReply]
    form: str | None = Field(
        default=None,
        description=(
            "key under which the cache stores the answer of OpenReview that contains the review form; null if the "
            "form is not public"
        ),
    )
    left_out: dict[str, int] = Field(
        description="number of notes (posts on OpenReview) that were left out of the record, by kind of note"
    )


class Fetched(Model):
    """The service from which metadata of the paper came, and the date."""

    source: str
    date: str = Field(description="date of the answer of the service, YYYY-MM-DD in UTC")


class Paper(Model):
    """A record of a paper. `st-parse` writes the record, and the other commands add keys to the record."""

    id: str = Field(description="id of the record")
    source: Source | None = Field(default=None, description="the file that st-parse read")
    title: str | None = Field(default=None, description="title of the paper")
    authors: list[str] | None = Field(default=None, description="names of the authors, in the order of the paper")
    abstract: str | None = Field(default=None, description="abstract of the paper")
    year: int | None = Field(default=None, description="year of publication of the paper itself; null if uncertain")
    venue: str | None = Field(
        default=None,
        description="journal or proceedings in which the paper was published, as printed or marked in the file",
    )
    doi: str | None = Field(default=None, description="DOI of the paper, without the address of a resolver")
    arxiv: str | None = Field(
        default=None, description='arXiv number of the paper, without "arXiv:" and without the version'
    )
    ids: dict[str, str] | None = Field(
        default=None,
        description="identifiers of the paper by kind: doi, arxiv, openreview, openalex, s2, acl, pmid, pmcid, dblp",
    )
    date: str | None = Field(default=None, description="date of publication of the paper, YYYY-MM-DD")
    venueid: str | None = Field(
        default=None, description="OpenReview's identifier of the venue, which shows the decision on the paper"
    )
    track: str | None = Field(default=None, description="the track of the venue to which the paper was submitted")
    decision: str | None = Field(
        default=None, description="decision of the venue on the paper: accepted, rejected, withdrawn or desk-rejected"
    )
    type: str | None = Field(
        default=None, description="type of the paper in the terms of the service, such as article or preprint"
    )
    keywords: list[str] | None = Field(default=None, description="key words of the paper")
    licence: Licence | None = Field(default=None, description="licence of the paper or of its metadata")
    status: PaperStatus | None = Field(default=None, description="whether the paper was withdrawn or retracted")
    versions: list[PaperVersion] | None = Field(default=None, description="known versions of the paper")
    tie: Tie | None = Field(default=None, description="the relation of the paper to the paper that `related_to` names")
    unknown: dict[str, str] | None = Field(
        default=None, description="by key of the record: the reason why the value of the key is null"
    )
    same_as: list[str] | None = Field(
        default=None,
        description="ids of other records that describe the same paper, certainly or possibly (see `warnings`)",
    )
    matched: MatchedTitle | None = Field(
        default=None, description="how certainly a searched title identifies the paper; null if no paper was identified"
    )
    unmatched: str | None = Field(default=None, description="reason why no identifier of the cited paper was found")
    files: list[FetchedFile] | None = Field(default=None, description="files of the paper that were downloaded")
    forum: Forum | None = Field(
        default=None, description="public discussion of the paper under review, without the reviews"
    )
    fetched: list[Fetched] | None = Field(default=None, description="services from which the metadata came")
    front_matter_spans: dict[str, PublishedAt] | None = Field(
        default=None, description="positions in the file at which year, venue, doi and arxiv were found, by key"
    )
    front_matter: list[FrontMatter] | None = Field(
        default=None, description="text on the first pages outside title, abstract and body"
    )
    sections: list[Section] | None = Field(default=None, description="sections of the paper, in the order of the paper")
    references: list[Reference] | None = Field(default=None, description="entries of the bibliography")
    captions: list[Caption] | None = Field(default=None, description="captions of figures, tables and algorithms")
    footnotes: list[Footnote] | None = Field(default=None, description="footnotes of the paper")
    equations: list[Equation] | None = Field(default=None, description="display equations of a LaTeX source")
    reviews: list[Review] | None = Field(default=None, description="reviews of the paper")
    summaries: list[Summary] | None = Field(default=None, description="summaries of the paper by systems")
    facets: list[FacetSet] | None = Field(
        default=None, description="background, method, result and conclusion of the abstract and of summaries"
    )
    limitations: list[Limitation] | None = Field(
        default=None, description="limitations that the authors or reviewers state"
    )
    claims: list[Claim] | None = Field(default=None, description="claims that the paper makes")
    weaknesses: list[Weakness] | None = Field(
        default=None, description="passages of reviews that dispute claims of the paper"
    )
    verifications: list[Verification] | None = Field(
        default=None, description="statements, by reviewers and models, of what is wrong with a claim of the paper"
    )
    annotations: Annotations | None = Field(
        default=None, description="answers of several annotators about the same texts, one entry per annotator and text"
    )
    topic: Topic | None = Field(default=None, description="whether the paper is about a given topic")
    cut_off: CutOff | None = Field(
        default=None, description="whether the paper was submitted before the last date of a model's training data"
    )
    contamination: list[Contamination] | None = Field(
        default=None, description="tests whether a model knows the reviews of the paper by heart"
    )
    lines: list[PrintedLine] | None = Field(
        default=None, description="list of the lines of the paper that have a printed line number"
    )
    experiments: list[TextItem] | None = Field(
        default=None, description="experiments of the paper, as people described them"
    )
    experiments_input: ShownPart | None = Field(
        default=None, description="the part of the paper that `st-generate experiments` would show to a model"
    )
    explanations: list[TextItem] | None = Field(
        default=None, description="reasons for the experiments, as people described them"
    )
    vectors: dict[str, dict[str, list[float]]] | None = Field(
        default=None,
        description=(
            "embeddings of texts, by model and by text; `--embedder vectors:MODEL` reads the embeddings of MODEL"
        ),
    )
    generated: Generated | None = Field(default=None, description="texts that systems generated for the paper, by task")
    rejected: list[Rejected] | None = Field(default=None, description="texts that a command rejected, with the reasons")
    judgements: Judgements | None = Field(default=None, description="judgements of generated texts, by task")
    scores: list[Score] | None = Field(default=None, description="scores of systems, one entry per metric and system")
    warnings: list[Notice] | None = Field(default=None, description="warnings about the record")
    provenance: list[Provenance] | None = Field(
        default=None, description="runs of commands that added something to the record"
    )
    errors: list[Failure] | None = Field(
        default=None, description="errors: why commands failed for the record or for parts of it"
    )


def schema() -> dict[str, Any]:
    """The JSON Schema of a paper record, with every type it holds."""
    described = Paper.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}


if __name__ == "__main__":
    import json

    print(json.dumps(schema(), indent=1, ensure_ascii=False))
