"""Definitions of the tables by the lists of a record. Columns are derived from the schema of their items."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scholartools.table_files.types import Node, keys_at, kind_of, node_at, resolve
from scholartools.tasks.tabulate.levels import Level


class Source(NamedTuple):
    """A source of rows of a table.

    Attributes:
        levels: path from the record to the object of a row.
        constants: constant values of columns.
        has_texts: whether the rows are pairs of items to which the texts are added.
    """

    levels: Sequence[Level]
    constants: Mapping[str, str] = {}
    has_texts: bool = False


class Table(NamedTuple):
    """A table: name, meaning of a row, and sources of rows."""

    name: str
    about: str
    sources: Sequence[Source]


def _table(name: str, about: str, *levels: Level) -> Table:
    return Table(name, about, [Source(levels)])


def _same(heading: str, values: Mapping[str, Sequence[Level]]) -> list[Source]:
    """Sources of rows that differ by a constant in one column."""
    return [Source(levels, {heading: value}) for value, levels in values.items()]


_COUNTED = (
    "front_matter sections references captions footnotes equations reviews summaries facets limitations claims "
    "weaknesses verifications contamination lines experiments explanations rejected scores warnings versions "
    "fetched files provenance errors"
)
_PARTS = "background,method,result,conclusion,other"
# Keys of all lists by systems, and names of the compared sides in judgements.
_BY = "system by"
_SIDES = "system by reference:reference_path candidate:candidate_path"
#: Tasks whose results are lists by system, according to the schema, and those with passages of other papers.
_WRITTEN = keys_at(["generated"])
_WITH_PASSAGES = tuple(name for name in _WRITTEN if node_at(["generated", name, 0, "passages"]))
_PARTS_OF_LISTS = "items passages images unexplained missing drafts"
_WEAKNESS = Level("weaknesses[]", keep="id review", id="weakness")

_OF_PAPERS = [
    _table(
        "papers", "a paper: title, authors, year, source, and the numbers of its parts",
        Level(
            "",
            skip="id front_matter_spans annotations experiments_input vectors generated judgements forum.meta_reviews "
            "forum.replies",
            counts=_COUNTED,
        ),
    ),
    _table(
        "front-matter", "a piece of the first pages that is no title, abstract or text",
        Level("front_matter[]", place="place"),
    ),
    _table("sections", "a section with its text", Level("sections[]", id="section")),
    _table("references", "an entry of the bibliography", Level("references[]", id="reference")),
    _table("captions", "the caption of a figure, a table or an algorithm", Level("captions[]", id="caption")),
    _table("footnotes", "a footnote", Level("footnotes[]", place="place")),
    _table("equations", "a display equation of a LaTeX source", Level("equations[]", id="equation")),
    _table("lines", "the position of a line with a printed number", Level("lines[]")),
    _table("versions", "a version of a paper at a service", Level("versions[]", id="version")),
    _table("fetched", "a service that gave metadata of a paper", Level("fetched[]", place="place")),
    _table("files", "a file of a paper, as a service gave it", Level("files[]", place="place")),
    _table("replies", "a rebuttal or a comment on a paper or a review", Level("forum.replies[]", id="reply")),
    _table(
        "meta-reviews", "the text of a chair about the reviews of a paper",
        Level("forum.meta_reviews[]", id="meta_review", counts="fields"),
    ),
    _table("reviews", "a review with its text", Level("reviews[]", id="review", counts="fields segments")),
    _table(
        "segments", "a segment of a review that people judged",
        Level("reviews[]", keep="id", id="review"), Level("segments[]", place="segment"),
    ),
    _table("summaries", "a summary that a system wrote", Level("summaries[]")),
]  # fmt: skip

_OF_MARKS = [
    _table(
        "facets", "a facet of a text; its text is empty where the facet is null",
        Level("facets[]", skip=_PARTS.replace(",", " ")), Level(f"{{{_PARTS}}}", key="facet"),
    ),
    _table("limitations", "a limitation, of the authors or of a review", Level("limitations[]", id="limitation")),
    _table("claims", "a claim of the paper", Level("claims[]", id="claim")),
    _table(
        "weaknesses", "a weakness in a review",
        Level("weaknesses[]", id="weakness", counts="mentions targets labels edited"),
    ),
    _table(
        "annotations", "a weakness that a rater or a system sees in a review (annotations.weaknesses)",
        Level("annotations.weaknesses[]", keep="rater"),
        Level("items[]", id="weakness", counts="mentions targets labels edited"),
    ),
    _table("mentions", "a part of the paper to which a weakness refers", _WEAKNESS, Level("mentions[]", place="place")),
    _table(
        "targets", "a claim that a weakness disputes, according to a system or rater",
        _WEAKNESS, Level("targets[]", keep=_BY), Level("items[]", place="place"),
    ),
    _table(
        "target-answers", "the claims that a weakness disputes according to a system or rater; possibly none",
        _WEAKNESS, Level("targets[]", counts="items votes"),
    ),
    _table(
        "target-votes", "the claims that a weakness disputes according to a model, in one order of the claims",
        _WEAKNESS, Level("targets[]", keep=_BY), Level("votes[]", place="vote"),
    ),
    _table("labels", "the labels of a weakness, by a system or rater", _WEAKNESS, Level("labels[]")),
    _table("edits", "a weakness as a system rewrote it", _WEAKNESS, Level("edited[]")),
    _table(
        "verifications", "the fault of a claim according to a reviewer or a model",
        Level("verifications[]", id="verification", counts="evidence"),
    ),
    _table(
        "evidence", "a passage of evidence for the verification of a claim",
        Level("verifications[]", keep="id system by side", id="verification"), Level("evidence[]", place="place"),
    ),
    _table(
        "contamination", "the text with which a model continues the first half of a review",
        Level("contamination[]", keep=_BY), Level("reviews[]"),
    ),
    _table("experiments", "an experiment that people listed", Level("experiments[]", id="experiment")),
    _table("explanations", "an explanation that people wrote", Level("explanations[]", id="explanation")),
]  # fmt: skip

_OF_SYSTEMS = [
    Table(
        "generated", "an item that a system wrote for a task: limitations, weaknesses, questions, ...",
        _same(
            "task",
            {
                name: [
                    Level(f"generated.{name}[]", keep=_BY),
                    Level("items[]", id="item", rename="by:item_by" if name == "claims" else ""),
                ]
                for name in _WRITTEN
            },
        ),
    ),
    Table(
        "lists",
        "the list of items that a system wrote for a task; it may be null, with a reason",
        _same(
            "task",
            {
                name: [Level(f"generated.{name}[]", counts=_PARTS_OF_LISTS if name in _WITH_PASSAGES else "items")]
                for name in _WRITTEN
            },
        ),
    ),
    Table(
        "passages", "a passage of another paper that was found for a system",
        _same(
            "task",
            {
                name: [Level(f"generated.{name}[]", keep=_BY), Level("passages[]", id="passage")]
                for name in _WITH_PASSAGES
            },
        ),
    ),
    Table(
        "matches", "a pair of items, whether they have the same meaning, and their texts",
        [Source([Level("judgements.match[]", keep=_SIDES), Level("pairs[]", counts="votes")], has_texts=True)],
    ),
    _table(
        "votes", "an answer to the question whether two items have the same meaning",
        Level("judgements.match[]", keep=_SIDES), Level("pairs[]", keep="reference candidate match:pair_match"),
        Level("votes[]", place="vote"),
    ),
    _table(
        "ratings", "the rating of a facet of a summary (judgements.facets)",
        Level("judgements.facets[]", keep=f"{_BY} in reference:reference_path"),
        Level(
            "ratings{}", key="facet", value="rating",
            beside={"reason": "reasons", "samples": "samples", "similarity": "similarity"},
        ),
    ),
    _table("overall", "the rating of a summary as a whole (judgements.vanilla)", Level("judgements.vanilla[]")),
    Table(
        "entailed",
        "an item, and whether it follows from the list of the other side",
        _same(
            "side",
            {
                side: [Level("judgements.entail[]", keep=_SIDES), Level(f"{side}s[]", id="item", place="place")]
                for side in ("candidate", "reference")
            },
        ),
    ),
    _table(
        "inferences", "an equation of a question, and whether a system called it correct",
        Level("judgements.equation[]", keep=f"{_BY} format"), Level("options[]", id="option", place="place"),
    ),
    _table(
        "choices", "the equation that a system chose, in one order of the equations",
        Level("judgements.equation[]", keep=f"{_BY} format"), Level("orders[]", place="place"),
    ),
    _table(
        "segment-answers", "the answer of a system about a segment of a review under one prompt",
        Level("judgements.review[]", keep=_BY), Level("reviews[]", keep="id", id="review"),
        Level("segments[]", keep="start end deficient:deficient_by_people", place="segment"),
        Level("answers{}", key="prompt", beside={"reason": "reasons"}),
    ),
    Table(
        "same-issue", "whether a reviewer and a model find the same fault; controls are pairs with a known answer",
        _same(
            "kind",
            {
                "pair": [Level("judgements.same_issue[]", keep=_BY), Level("pairs[]", counts="votes")],
                "control": [Level("judgements.same_issue[]", keep=_BY), Level("controls[]", counts="votes")],
            },
        ),
    ),
    Table(
        "specificity", "which version of a weakness is more specific; controls are pairs with a known answer",
        _same(
            "kind",
            {
                "pair": [Level("judgements.specificity[]", keep=f"{_BY} targets"), Level("pairs[]", counts="votes")],
                "control": [
                    Level("judgements.specificity[]", keep=f"{_BY} targets"), Level("controls[]", counts="votes"),
                ],
            },
        ),
    ),
    Table(
        "same-issue-votes",
        "an answer to the question whether two sides find the same fault, in one order of the sides",
        _same(
            "kind",
            {
                kind: [
                    Level("judgements.same_issue[]", keep=_BY),
                    Level(f"{kind}s[]", keep="claim reviewer model verdict:pair_verdict"),
                    Level("votes[]", place="vote"),
                ]
                for kind in ("pair", "control")
            },
        ),
    ),
    Table(
        "specificity-votes",
        "an answer to the question which version of a weakness is more specific, in one order",
        _same(
            "kind",
            {
                kind: [
                    Level("judgements.specificity[]", keep=_BY),
                    Level(f"{kind}s[]", keep="weakness winner:pair_winner"),
                    Level("votes[]", place="vote"),
                ]
                for kind in ("pair", "control")
            },
        ),
    ),
    _table("rates", "a rating of an item by a method (judgements.rate)", Level("judgements.rate[]")),
    _table(
        "scores", "a value of a metric for a system",
        Level("scores[]", skip="values reasons evidence weaknesses without_refused"),
        Level(
            "values{}", key="value", value="score",
            beside={"reason": "reasons", "without_refused": "without_refused"},
        ),
    ),
]  # fmt: skip


def of_judge_task(task: str) -> Iterator[Table]:
    """The tables of a judge task, from the schema of its entries.

    There is one for each list of objects in an entry, at any depth, and one for the entries if there is no list.

    The name of a table consists of the task and the keys of the lists. The description of the objects in the schema
    gives the meaning of a row.
    """
    for chain in _chains((task,)):
        about = re.split(r"\.(?: [A-Z]|$)", " ".join(_schema_of(chain)["description"].split()))[0]
        about = about[0].lower() + about[1:] if about[:2].istitle() else about
        yield Table("-".join(chain).replace("_", "-"), about, [Source(_levels(chain))])


def _schema_of(chain: Sequence[str]) -> Node:
    """Schema of the objects at the end of a chain of a task and list keys."""
    return node_at(["judgements", *(part for key in chain for part in (key, 0))]) or {}


def _lists_in(chain: Sequence[str]) -> list[str]:
    """Keys of the objects with lists of objects; a list of spans counts as a value."""
    found, span = _schema_of(chain), node_at(["front_matter_spans", 0])
    inner = {key: node_at([key, 0], found) for key in found["properties"]}
    return [key for key, node in inner.items() if node and "properties" in node and node is not span]


def _chains(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Chains of keys to the rows of each table of a task."""
    lists = _lists_in(chain)
    if len(chain) > 1 or not lists:
        yield chain
    for key in lists:
        yield from _chains((*chain, key))


def _levels(chain: Sequence[str]) -> list[Level]:
    """Levels of a table: columns for all keys of a row's object, and for the non-JSON values of enclosing objects.

    Columns whose heading is taken are prefixed by the kind of their object.
    """
    lists, made = _lists_in(chain), list[Level]()
    taken = {"id", *(f"n_{key}" for key in lists)}

    def free(heading: str, object_: str, key: str) -> str:
        while heading in taken:
            heading = key = f"{object_}_{key}"
        taken.add(heading)
        return heading

    for depth in range(len(chain), 0, -1):
        of, name = _schema_of(chain[:depth])["properties"], chain[depth - 1].removesuffix("s")
        name = name if depth > 1 else "entry"
        around = depth < len(chain)
        skip = [
            key for key, node in of.items() if around and kind_of(node) == "json" and "properties" not in resolve(node)
        ]
        rename = {key: free(key, name, key) for key in of if key not in (*skip, *lists, "id")}
        made.insert(
            0,
            Level(
                f"{chain[depth - 1]}[]" if depth > 1 else f"judgements.{chain[0]}[]",
                skip=" ".join(skip),
                rename=" ".join(f"{key}:{heading}" for key, heading in rename.items()),
                id=free(name, name, "id") if "id" in of else "",
                place="" if depth == 1 or "id" in of else free(name, name, "place"),
                counts="" if around else " ".join(lists),
            ),
        )
    return made


_DESCRIBED = {source.levels[0].to.removesuffix("[]") for table in _OF_SYSTEMS for source in table.sources}
_OF_JUDGE_TASKS = [
    table for task in keys_at(["judgements"]) if f"judgements.{task}" not in _DESCRIBED for table in of_judge_task(task)
]

_OF_RUNS = [
    _table("rejected", "text that was rejected, and the reason", Level("rejected[]", place="place")),
    _table("warnings", "a warning about the record", Level("warnings[]", place="place")),
    _table("errors", "a fault of a command on a record", Level("errors[]", place="place")),
    _table("provenance", "a command that worked on a record", Level("provenance[]", place="place")),
]

#: The tables by name.
TABLES: Mapping[str, Table] = {
    table.name: table for table in (*_OF_PAPERS, *_OF_MARKS, *_OF_SYSTEMS, *_OF_JUDGE_TASKS, *_OF_RUNS)
}
