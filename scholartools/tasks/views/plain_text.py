"""Format records as plain text for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scholartools.records import Record
from scholartools.vocabulary import FACETS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_WIDTH = 100
_BLANK_LINE = re.compile(rf"(?<!\s)\s{{{_WIDTH},}}")


def outline(record: PaperRecord) -> str:
    """Title, authors, and headings with roles, indented by level."""
    return _record_block(record, _outline_lines(record))


def text(record: PaperRecord) -> str:
    """Title, abstract and sections as readable text."""
    return _record_block(record, _text_lines(record))


def facets(record: Record) -> str:
    """Facets of each text, one paragraph per facet."""
    return _record_block(record, _facet_lines(record))


def limitations(record: PaperRecord) -> str:
    """Numbered limitations with their origin."""
    return _record_block(record, _limitation_lines(record))


def _record_block(record: PaperRecord, lines: Iterator[str]) -> str:
    return "\n".join([f"== {record.get('id', '(no id)')}", *lines]) + "\n\n"


def _outline_lines(record: PaperRecord) -> Iterator[str]:
    yield from _wrap_text(record.get("title") or "(no title found)", "")
    yield from _wrap_text(", ".join(record.get("authors") or ()), "")
    if record.get("abstract"):
        yield f"  {'abstract':18}{len(record['abstract'].split())} words"
    for section in record.get("sections") or ():
        number = f"{section['number']} " if section.get("number") else ""
        yield f"  {section['role']:18}{'  ' * (section['level'] - 1)}{number}{section['heading']}"
    counts = {key: len(record.get(key) or ()) for key in ("references", "captions", "footnotes", "warnings")}
    yield "  " + ", ".join(f"{count} {key}" for key, count in counts.items())
    for warning in record.get("warnings") or ():
        page = f" (page {warning['page']})" if warning.get("page") else ""
        yield from _wrap_text(f"warning: {warning['kind']}{page}: {warning.get('text') or ''}", "  ")


def _text_lines(record: PaperRecord) -> Iterator[str]:
    yield from _wrap_text(record.get("title") or "(no title found)", "")
    if record.get("abstract"):
        yield from ("", "Abstract", "")
        yield from _wrap_text(record["abstract"], "")
    for section in record.get("sections") or ():
        yield from (
            "",
            f"{'#' * section['level']} {section.get('number') or ''} {section['heading']}".replace("  ", " "),
        )
        for paragraph in section["text"].split("\n\n"):
            yield ""
            yield from _wrap_text(paragraph, "")


def _facet_lines(record: Record) -> Iterator[str]:
    for entry in record["facets"]:
        yield f"{entry['in']}, by {entry['by']}"
        for facet in FACETS:
            label = f"  {facet:12}"
            yield from _wrap_text(entry[facet]["text"] if entry[facet] else "-", label)


def _limitation_lines(record: PaperRecord) -> Iterator[str]:
    headings = {section["id"]: section["heading"] for section in record.get("sections") or ()}
    if not record["limitations"]:
        yield "no limitation found"
    for number, item in enumerate(record["limitations"], 1):
        members = item.get("members") or [item]
        label = f"{number:3}. "
        if item.get("title"):
            yield f"{label}{item['title']}"
            label = "     "
        for member in members:
            place = member["spans"][0]["in"]
            yield f"{label}{member['mode']}, in “{headings.get(place, place)}”"
            yield from _wrap_text(member["text"], "     ")
            label = "     "


def _wrap_text(text: str, label: str) -> list[str]:
    """Wrap a text. Long runs of blanks are collapsed first, because textwrap strips them slowly for each line."""
    text = _BLANK_LINE.sub(" ", text)
    return textwrap.wrap(text, _WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
