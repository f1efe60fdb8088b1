"""What a review points to in the paper: lines, tables, figures, sections, citations, quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.records import Record, read
from scholartools.tasks.claims.base import paper_texts
from scholartools.text.anchors import Anchor, anchors, to_arabic
from scholartools.text.quotes import Match, Miss, locate

#: Words that a quotation must have to be looked for in the paper: of fewer some may stand there by chance.
QUOTE_WORDS = 3
#: Or else the characters: some scripts put no space between words.
QUOTE_CHARACTERS = 20
#: Why a shorter passage is taken for nothing.
TOO_SHORT = f"too short to be a claim or a weakness: fewer than {QUOTE_WORDS} words"
#: Words of a quotation that makes a weakness certain to be about a claim.
LONG_QUOTE_WORDS = 5

_KINDS = ("line", "table", "figure", "section", "citation", "quote")
_REFERENCE_NUMBER = re.compile(r"^\s*\[?(\d{1,3})[\].)]")
#: What ends the name of the first author of a reference.
_NEXT_AUTHOR = re.compile(r"[,;&]| and ")


class Quoted(NamedTuple):
    """A quotation that stands in one of several texts."""

    name: str
    match: Match


def mentions(text: str, name: str, start: int, end: int, paper: Record) -> list[Record]:
    """What a stretch of a review points to, in order, each with where that is in the paper (``at``).

    ``at`` is a list of spans (lines that the record has a map of, quotations), the id of a caption, a section or a
    reference, or null where nothing of the kind is in the record.

    Args:
        text: of the review.
        name: of the review, as spans name it.
        start: of the stretch.
        end: of the stretch.
        paper: the record.
    """
    return [
        {
            "text": text[one.start : one.end],
            "spans": [{"in": name, "start": one.start, "end": one.end}],
            "kind": one.kind,
            "at": place(one, paper),
        }
        for one in anchors(text, start, end)
        if one.kind in _KINDS and (one.kind != "quote" or len(one.parts["quote"].split()) >= QUOTE_WORDS)
    ]


def quotations(text: str) -> list[str]:
    """What a text quotes, without the marks; quotations of a word or two are left out."""
    found = (one.parts["quote"] for one in anchors(text) if one.kind == "quote")
    return [quote for quote in found if len(quote.split()) >= QUOTE_WORDS]


def place(anchor: Anchor, paper: Record) -> Any:
    """Where an anchor leads in a record: spans, the id of a caption, section or reference, or None for nowhere."""
    if anchor.kind == "line":
        return _spans_of_lines(anchor.parts, read(paper, "lines") or ())
    if anchor.kind in ("table", "figure", "algorithm"):
        return caption_id(anchor.kind, anchor.parts["number"], paper)
    if anchor.kind == "section":
        wanted = anchor.parts["number"]
        sections = read(paper, "sections") or ()
        return next((one["id"] for one in sections if _is_numbered(one.get("number") or "", wanted)), None)
    if anchor.kind == "citation":
        return _find_reference(anchor.parts, read(paper, "references") or ())
    if anchor.kind == "quote":
        found = find(anchor.parts["quote"], paper_texts(paper))
        return None if found is None else [{"in": found.name, "start": found.match.start, "end": found.match.end}]
    return None


def caption_id(kind: str, number: str, paper: Record) -> str | None:
    """The id of the caption of "Table 2", None where there is none."""
    captions = read(paper, "captions") or ()
    named = (one for one in captions if one["kind"] == kind and _is_numbered(one["label"].rpartition(" ")[2], number))
    return next((one["id"] for one in named), None)


def find(quote: str, named: Mapping[str, str]) -> Quoted | None:
    """Where a quotation stands in some texts: of several the one with the smallest difference, the first of equals."""
    found = list(_locate_quotation(quote, named))
    return min(found, key=lambda one: (one.match.kind == "edited", one.match.distance), default=None)


def locate_passage(passage: str, named: Mapping[str, str]) -> Quoted | str:
    """Where a claim or a weakness that somebody copied stands in some texts, or why it is taken for none."""
    if is_too_short(passage):
        return TOO_SHORT
    return find(passage, named) or why_missed(passage, named)


def is_too_short(passage: str) -> bool:
    """Whether a passage says too little to be a claim or a weakness: "no", "x" and "none" stand in most papers."""
    return len(passage.split()) < QUOTE_WORDS and len(passage) < QUOTE_CHARACTERS


def why_missed(quote: str, named: Mapping[str, str]) -> str:
    """Why a quotation stands in none of some texts: what differs at the nearest place, if any comes near."""
    misses = (locate(quote, text) for text in named.values())
    reasons = (miss.reason for miss in misses if isinstance(miss, Miss))
    return next((reason for reason in reasons if reason != "not in the text"), "not in the paper")


def _locate_quotation(quote: str, named: Mapping[str, str]) -> Iterator[Quoted]:
    """The place of a quotation in each text; a mark at its end may be the sentence's it is quoted in."""
    whole = quote.strip()
    for name, text in named.items():
        for wanted in dict.fromkeys((whole, whole.rstrip(".,;"))):
            found = locate(wanted, text)
            if isinstance(found, Match):
                yield Quoted(name, found)
                break


def _is_numbered(printed: str, number: str) -> bool:
    """Whether a printed number, perhaps a Roman one, is a number that a text names."""
    own = printed.strip(".:").upper()
    return number in (own, to_arabic(own))


def _spans_of_lines(parts: Mapping[str, str], lines: Sequence[Record]) -> list[Record] | None:
    """The stretches of the paper that printed lines are, those of one text joined; None where the record has no map."""
    first = int(parts["first"])
    last = max(first, int(parts.get("last", first)))
    found: list[Record] = []
    for line in lines:
        if first <= line["n"] <= last:
            if found and found[-1]["in"] == line["in"]:
                found[-1]["end"] = line["end"]
            else:
                found.append({key: line[key] for key in ("in", "start", "end")})
    return found or None


def _find_reference(parts: Mapping[str, str], references: Sequence[Record]) -> str | None:
    """The reference of a printed number, or of a year and the name of its first author."""
    if "number" in parts:
        printed = ((one["id"], _REFERENCE_NUMBER.match(one["text"])) for one in references)
        return next((name for name, hit in printed if hit and hit[1] == parts["number"]), None)
    surname = re.compile(rf"\b{re.escape(parts['name'])}\b")
    dated = (one for one in references if parts["year"] in one["text"])
    return next((one["id"] for one in dated if surname.search(_NEXT_AUTHOR.split(one["text"], 1)[0])), None)
