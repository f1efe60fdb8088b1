"""One record as an article of a page: its texts with marks, cards beside them, and what else the record holds."""

from __future__ import annotations

import functools
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.paths import lookup
from scholartools.records import Record, name_of, read, texts
from scholartools.table_files.types import keys_at, node_at
from scholartools.tasks.views import facet_page, pairs
from scholartools.tasks.views.cutting import Piece, cut
from scholartools.tasks.views.describing import Links, Node, as_number, describe, facts
from scholartools.tasks.views.kinds import KINDS, Item, Kind, entries
from scholartools.tasks.views.templates import environment
from scholartools.tasks.views.typeset import mathml

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord, Rated

#: The tasks of which systems write lists that are shown; those of claims are shown with the claims of the paper.
_WRITTEN = tuple(task for task in keys_at(["generated"]) if task != "claims")
# The keys that an article shows in a form of their own, or not at all (vectors, lines, pieces of the first pages); all
# others are shown as they are.
_SHOWN = frozenset(
    "id title authors abstract sections captions footnotes references equations reviews summaries facets limitations "
    "claims weaknesses verifications annotations experiments explanations generated rejected judgements scores "
    "warnings provenance errors vectors lines front_matter front_matter_spans".split()
)


class Card(NamedTuple):
    """What is known of an item.

    Attributes:
        anchor: of the card; that of its first mark ends in "-mark".
        ref: the letter of its kind and its number.
        has_mark: whether the text is marked.
        note: why it is not.
        facts: all that is known of it beside its text.
    """

    anchor: str
    ref: str
    kind: Kind
    item: Item
    has_mark: bool
    note: str | None
    facts: list[tuple[str, Node]]


@dataclass
class Row:
    """A text with the cards beside it."""

    anchor: str
    name: str
    heading: str
    level: int
    about: str
    text: str
    pieces: list[Piece] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)


class Written(NamedTuple):
    """What one system wrote for a task: its items, each with what else is known of it."""

    system: str
    facts: list[tuple[str, Node]]
    items: list[tuple[str, str, list[tuple[str, Node]]]]


class Table(NamedTuple):
    """A table of the page; a cell is its text and a note that a reader can open."""

    caption: str
    columns: list[str]
    rows: list[tuple[str, list[tuple[str, str]]]]


class Equation(NamedTuple):
    """An equation: as MathML where it can be typeset, and in LaTeX."""

    name: str
    mathml: str | None
    latex: str
    facts: list[tuple[str, Node]]


class Article(NamedTuple):
    """A rendered record, and what an index says of it.

    Attributes:
        counts: of its items, by heading.
        problems: what of the record could not be shown, and why.
    """

    anchor: str
    title: str
    authors: str
    about: str
    abstract: str
    counts: dict[str, int]
    n_errors: int
    problems: list[str]
    html: str


class _First:
    """Tells whether a name comes for the first time: the first mark of an item is the one that its card links to."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, name: str) -> bool:
        new = name not in self._seen
        self._seen.add(name)
        return new


class _Parts:
    """Makes the parts of an article, each for itself: a key that is not as it should be costs what is made of it."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def make(self, what: str, function: Callable[[], Any], instead: Any) -> Any:
        try:
            return function()
        except InputFault as fault:
            self.problems.append(f"{what}: {fault.reason}")
        except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
            self.problems.append(f"{what}: not as st-parse and the other commands write it ({error!r})")
        return instead


def render(record: Record, anchor: str, images: Images | None = None) -> Article:
    """The article of a record.

    Args:
        anchor: with which all anchors of the article begin; unique on the page.
        images: inlines the pictures of captions.

    Raises:
        InputFault: nothing of the record can be named.
    """
    parts, links = _Parts(), Links()
    title = parts.make("title", lambda: read(record, "title"), None) or name_of(record, "id") or "Untitled"
    authors = ", ".join(parts.make("authors", lambda: read(record, "authors"), None) or ())
    is_question = "options" in record and "equation" in record
    rows = [] if is_question else parts.make("texts", lambda: _rows(record, anchor), [])
    for row in rows:
        links.add("text", row.name, row.heading or row.name, row.anchor)
    loose: list[Card] = [] if is_question else _cards(record, anchor, rows, links, parts)
    judgements = parts.make("judgements", lambda: read(record, "judgements"), None) or {}
    counts: dict[str, int] = defaultdict(int)
    for card in (*loose, *(card for row in rows for card in row.cards)):
        counts[card.kind.heading] += 1
    abstract = parts.make("abstract", lambda: read(record, "abstract"), None) or ""
    errors = parts.make("errors", lambda: read(record, "errors"), None) or []
    shown = {
        "anchor": anchor, "title": title, "authors": authors, "id": record.get("id"),
        "about": parts.make("front matter", lambda: _about(record), ""),
        "errors": errors, "warnings": parts.make("warnings", lambda: read(record, "warnings"), None) or [],
        "rows": rows, "loose": loose, "letters": {kind.name: kind.letter for kind in KINDS}, "first": _First(),
        "facets": record.get("facets") and parts.make("facets", lambda: facet_page.render_panels(record), None),
        "comparisons": parts.make("judgements", lambda: list(pairs.comparisons(record, judgements, links)), []),
        "lists": parts.make("generated", lambda: list(_lists(record, links)), []),
        "tables": [
            *parts.make("ratings", lambda: _rating_tables(record, judgements), []),
            *parts.make("scores", lambda: _score_tables(record), []),
        ],
        "question": parts.make("question", lambda: _question(record, links), None) if is_question else None,
        "equations": [] if is_question else parts.make("equations", lambda: _equations(record, links), []),
        "captions": parts.make("captions", lambda: _captions(record, anchor, images), []),
        "references": parts.make("references", lambda: read(record, "references"), None) or [],
        "footnotes": parts.make("footnotes", lambda: read(record, "footnotes"), None) or [],
        "provenance": parts.make(
            "provenance", lambda: [facts(one, links) for one in read(record, "provenance") or ()], []
        ),
        "others": facts(record, links, _SHOWN | _QUESTION if is_question else _SHOWN),
        "judged": parts.make("judgements", lambda: _other_judgements(judgements, links), []),
    }  # fmt: skip
    # last, since what could not be shown is known only now
    html = environment().get_template("article.html").render(**shown, problems=parts.problems)
    about = ", ".join(filter(None, (str(record.get("year") or ""), str(record.get("venue") or ""))))
    return Article(anchor, title, authors, about, abstract, dict(counts), len(errors), parts.problems, html)


def _rows(record: Record, anchor: str) -> list[Row]:
    """The texts of a record in its order; summaries are shown with their facets where these are known."""
    headings = {"abstract": ("Abstract", 1, "")}
    for section in read(record, "sections") or ():
        number = f"{section['number']} " if section.get("number") else ""
        headings[section["id"]] = (number + section["heading"], section["level"], section["role"])
    for review in read(record, "reviews") or ():
        ratings = json.dumps(review["ratings"], ensure_ascii=False) if review.get("ratings") else ""
        headings[f"review:{review['id']}"] = (f"Review {review['id']}", 1, ratings.strip("{}").replace('"', ""))
    return [
        Row(f"{anchor}-t{place}", name, *headings.get(name, (name.replace("summary:", "Summary by "), 1, "")), text)
        for place, (name, text) in enumerate(texts(record).items(), 1)
        if not name.startswith("summary:") or not record.get("facets")
    ]


def _cards(record: Record, anchor: str, rows: list[Row], links: Links, parts: _Parts) -> list[Card]:
    """Put the cards of all items beside the texts, and mark these; returns the cards that are beside none."""
    named = {row.name: row for row in rows}
    found = [(kind, parts.make(kind.heading, functools.partial(_items, kind, record), [])) for kind in KINDS]
    for kind, items in found:
        for number, item in enumerate(items, 1):
            links.add(kind.name, item.id, f"{kind.letter}{number}", f"{anchor}-{kind.name}-{number}")
    marks: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    loose: list[Card] = []
    for kind, items in found:
        for number, item in enumerate(items, 1):
            places, note = parts.make(
                kind.heading, functools.partial(_places, item, named), ([], "its place cannot be read")
            )
            for span in places:
                marks[span["in"]].append((f"{kind.name}-{number}", span["start"], span["end"]))
            beside = named.get(places[0]["in"] if places else item.beside or "")
            known = facts(item.rest, links)
            card = Card(
                f"{anchor}-{kind.name}-{number}", f"{kind.letter}{number}", kind, item, bool(places), note, known
            )
            (loose if beside is None else beside.cards).append(card)
    for row in rows:
        row.pieces = list(cut(row.text, marks[row.name]))
    return loose


def _items(kind: Kind, record: Record) -> list[Item]:
    return list(kind.find(record))


def _places(item: Item, named: Mapping[str, Row]) -> tuple[list[Mapping[str, Any]], str | None]:
    """The spans at which an item is marked, and why others of it are not."""
    places: list[Mapping[str, Any]] = []
    note = None
    for span, text in item.spans:
        if not all(type(span[end]) is int and span[end] >= 0 for end in ("start", "end")):
            raise InputFault(f"a span from {span['start']!r} to {span['end']!r}", kind="invalid-key")
        row = named.get(span["in"])
        if row is None:
            note = f'the text "{span["in"]}" of its place is not shown'
        elif text and row.text[span["start"] : span["end"]] != text:
            note = f'its place in "{span["in"]}" holds another text now'
        elif span["start"] < min(span["end"], len(row.text)):
            places.append(span)
    return places, note


def _lists(record: Record, links: Links) -> Iterator[tuple[str, list[Written]]]:
    """What systems wrote, task by task, with the paper's own list first."""
    generated: Mapping[str, Any] = read(record, "generated") or {}
    for task in _WRITTEN:
        if not generated.get(task):
            continue
        own = entries(record, task) if node_at([task]) else None
        lists = [Written("the paper", [], [_written(one, links) for one in own])] if own else []
        for entry in generated[task]:
            items = [_written(one, links) for one in entry["items"] or ()]
            lists.append(Written(entry["system"], facts(entry, links, ("system", "items")), items))
        yield task, lists


def _written(item: Mapping[str, Any], links: Links) -> tuple[str, str, list[tuple[str, Node]]]:
    return item.get("id") or "", item["text"], facts(item, links, ("id", "text", "spans", "by", "mode", "origin"))


def _rating_tables(record: Record, judgements: Record) -> list[Table]:
    """The ratings of items: a row for each, a column for each aspect, method and judge."""
    rates = judgements.get("rate") or ()
    if not rates:
        return []
    columns = list(dict.fromkeys(_rating_column(rate) for rate in rates))
    cells: dict[tuple[str, str], dict[str, tuple[str, str]]] = defaultdict(dict)
    for rate in rates:
        score = as_number(rate["score"], 2) + (f" of {as_number(rate['scale'][1], 2)}" if rate["scale"] else "")
        note = rate.get("reason") or rate.get("explanation") or ""
        cells[rate["system"], rate["item"]].setdefault(_rating_column(rate), (score, note))
    names = _item_texts(record)
    rows = [
        (
            f"{system} {item}: {names.get((system, item), '')}".rstrip(": "),
            [row.get(name, ("", "")) for name in columns],
        )
        for (system, item), row in cells.items()
    ]
    return [Table("Ratings", columns, rows)]


def _rating_column(rate: Rated) -> str:
    return f"{rate['aspect']} ({rate['method']}, {rate['by']})"


def _item_texts(record: Record) -> dict[tuple[str, str], str]:
    """The texts that systems wrote, by system and id."""
    return {
        (entry["system"], item.get("id")): item["text"]
        for task in _WRITTEN
        for entry in (record.get("generated") or {}).get(task) or ()
        for item in entry["items"] or ()
    }


def _score_tables(record: PaperRecord) -> list[Table]:
    """A table for each metric: a row for each system (and part that is scored), a column for each value."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for entry in read(record, "scores") or ():
        found[entry["metric"]].append(entry)
    tables = []
    for metric, scores in found.items():
        columns = list(dict.fromkeys(name for entry in scores for name in entry["values"]))
        rows = [
            (
                " ".join(filter(None, (entry["system"], entry.get("item")))),
                [(as_number(entry["values"].get(name)), entry["reasons"].get(name, "")) for name in columns],
            )
            for entry in scores
        ]
        tables.append(Table(f"Score: {metric}", columns, rows))
    return tables


def _other_judgements(judgements: Record, links: Links) -> list[tuple[str, list[tuple[str, Node]]]]:
    """Judgements that have no form of their own: whole summaries, reviews, equations of a question."""
    return [
        (task, facts(entry, links))
        for task in ("vanilla", "review", "equation")
        for entry in judgements.get(task) or ()
    ]


_QUESTION = frozenset({"equation", "context", "options", "paper"})


def _question(record: Entry, links: Links) -> Record:
    """A question of st-eqsynth: the text around an equation, and the equations to choose from."""
    context = record["context"]
    options = [
        Equation(
            f"{option.get('id') or place}: {'right' if option['correct'] else 'wrong'}", mathml(option["latex"]),
            option["latex"], facts(option, links, ("id", "latex", "correct")),
        )
        for place, option in enumerate(record["options"], 1)
    ]  # fmt: skip
    return {"before": context["before"], "after": context["after"], "options": options}


def _equations(record: PaperRecord, links: Links) -> list[Equation]:
    """The display equations of the paper, named by their labels where they have one."""
    return [
        Equation(
            entry.get("label") or entry["id"], mathml(entry["latex"]), entry["latex"],
            [("place", describe([entry["span"]], links))],
        )
        for entry in read(record, "equations") or ()
    ]  # fmt: skip


class Images:
    """Takes pictures into a page as data, up to a bound, and counts those that it does not take."""

    def __init__(self, most: int = 20 * 2**20) -> None:
        """``most`` bytes of pictures."""
        self._left, self.n_left_out = most, 0

    def data(self, path: str) -> str | None:
        """The address of a picture that holds it; None where it cannot be read or is over the bound."""
        import base64
        from pathlib import Path

        kinds = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}
        try:
            file = Path(path)
            is_taken = file.suffix.lower() in kinds and file.is_file() and file.stat().st_size <= self._left
            content = file.read_bytes() if is_taken else b""
        except OSError:
            content = b""
        if not content.startswith((b"\x89PNG\r\n", b"\xff\xd8\xff")):
            self.n_left_out += 1
            return None
        self._left -= len(content)
        return f"data:image/{kinds[Path(path).suffix.lower()]};base64,{base64.b64encode(content).decode()}"


def _captions(
    record: PaperRecord, anchor: str, images: Images | None
) -> list[tuple[Mapping[str, Any], str, str | None]]:
    """Each caption with its anchor, and with the address of its picture where pictures are taken in."""
    return [
        (one, f"{anchor}-caption-{place}", images.data(str(one["image"])) if images and one.get("image") else None)
        for place, one in enumerate(read(record, "captions") or (), 1)
    ]


def _about(record: Record) -> str:
    """What is known of the publication, in a line."""
    source = read(record, "source")
    known = [record.get("year"), record.get("venue"), record.get("doi"), record.get("arxiv")]
    licence = lookup(record, "licence.id") if isinstance(record.get("licence"), dict) else None
    return " \N{MIDDLE DOT} ".join(
        str(one) for one in (*known, licence, source.get("path") if source else None) if isinstance(one, (str, int))
    )
