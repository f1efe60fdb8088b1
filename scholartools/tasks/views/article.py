"""Render a record as an article: texts with marks, cards beside them, and all other contents."""

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

#: Tasks whose lists by system are shown; generated claims are shown with the claims of the paper.
_WRITTEN = tuple(task for task in keys_at(["generated"]) if task != "claims")
# Keys with a dedicated form in an article, or hidden ones (vectors, lines, parts of the front matter); all others are
# shown generically.
_SHOWN = frozenset(
    "id title authors abstract sections captions footnotes references equations reviews summaries facets limitations "
    "claims weaknesses verifications annotations experiments explanations generated rejected judgements scores "
    "warnings provenance errors vectors lines front_matter front_matter_spans".split()
)


class Card(NamedTuple):
    """A card on an item.

    Attributes:
        anchor: anchor of the card; that of its first mark has the suffix "-mark".
        ref: letter of its kind, and number.
        has_mark: whether it is marked in the text.
        note: reason if it is not marked.
        facts: all further properties of the item.
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
    """The items that a system generated for a task, with their properties."""

    system: str
    facts: list[tuple[str, Node]]
    items: list[tuple[str, str, list[tuple[str, Node]]]]


class Table(NamedTuple):
    """A table of the page; each cell has a text and an expandable note."""

    caption: str
    columns: list[str]
    rows: list[tuple[str, list[tuple[str, str]]]]


class Equation(NamedTuple):
    """An equation in LaTeX, and as MathML if it can be converted."""

    name: str
    mathml: str | None
    latex: str
    facts: list[tuple[str, Node]]


class Article(NamedTuple):
    """A rendered record, with its data for an index.

    Attributes:
        counts: number of items by heading.
        problems: parts that could not be shown, with reasons.
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
    """Detects the first occurrence of a name: a card links to the first mark of its item."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, name: str) -> bool:
        new = name not in self._seen
        self._seen.add(name)
        return new


class _Parts:
    """Renders the parts of an article separately, so that a malformed key only affects its own part."""

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
    """Render the article of a record.

    Args:
        anchor: prefix of all anchors of the article; unique on the page.
        images: embeds the images of captions.

    Raises:
        InputFault: the texts or items of the record have no valid names.
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
    # rendered last, when all problems are known
    html = environment().get_template("article.html").render(**shown, problems=parts.problems)
    about = ", ".join(filter(None, (str(record.get("year") or ""), str(record.get("venue") or ""))))
    return Article(anchor, title, authors, about, abstract, dict(counts), len(errors), parts.problems, html)


def _rows(record: Record, anchor: str) -> list[Row]:
    """Texts of a record in order; summaries with facets are shown in the facet view instead."""
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
    """Place the cards of all items beside the texts and mark the spans; return the cards without a text."""
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
    """The spans at which an item is marked, and the reason if some are not marked."""
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
    """Lists of systems by task, after the paper's own list."""
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
    """Ratings of items: a row per item, a column per aspect, method and judge."""
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
    """Generated texts by system and id."""
    return {
        (entry["system"], item.get("id")): item["text"]
        for task in _WRITTEN
        for entry in (record.get("generated") or {}).get(task) or ()
        for item in entry["items"] or ()
    }


def _score_tables(record: PaperRecord) -> list[Table]:
    """A table per metric: a row per system (and scored part), a column per value."""
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
    """Judgements without a dedicated form: of whole summaries, reviews, and equations."""
    return [
        (task, facts(entry, links))
        for task in ("vanilla", "review", "equation")
        for entry in judgements.get(task) or ()
    ]


_QUESTION = frozenset({"equation", "context", "options", "paper"})


def _question(record: Entry, links: Links) -> Record:
    """A question of st-eqsynth: the text around an equation, and the options."""
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
    """Display equations of the paper, named by their labels if available."""
    return [
        Equation(
            entry.get("label") or entry["id"], mathml(entry["latex"]), entry["latex"],
            [("place", describe([entry["span"]], links))],
        )
        for entry in read(record, "equations") or ()
    ]  # fmt: skip


class Images:
    """Embeds images in a page as data URLs, up to a size limit, and counts the omitted ones."""

    def __init__(self, most: int = 20 * 2**20) -> None:
        """``most``: limit in bytes."""
        self._left, self.n_left_out = most, 0

    def data(self, path: str) -> str | None:
        """Data URL of an image; None if it cannot be read or exceeds the limit."""
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
    """Captions with their anchors, and data URLs of their images if embedded."""
    return [
        (one, f"{anchor}-caption-{place}", images.data(str(one["image"])) if images and one.get("image") else None)
        for place, one in enumerate(read(record, "captions") or (), 1)
    ]


def _about(record: Record) -> str:
    """One-line summary of the publication data."""
    source = read(record, "source")
    known = [record.get("year"), record.get("venue"), record.get("doi"), record.get("arxiv")]
    licence = lookup(record, "licence.id") if isinstance(record.get("licence"), dict) else None
    return " \N{MIDDLE DOT} ".join(
        str(one) for one in (*known, licence, source.get("path") if source else None) if isinstance(one, (str, int))
    )
