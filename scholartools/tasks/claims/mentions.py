"""Resolve what a review refers to in the paper: lines, tables, figures, sections, citations, quotations."""

from __future__ import annotations

import functools
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scholartools.records import Record, read
from scholartools.tasks.claims.base import paper_texts
from scholartools.text.anchors import Anchor, anchors, to_arabic
from scholartools.text.quotes import Match, Miss, locate

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PrintedLine, Reference

#: Minimum words of a quotation that is searched for in the paper: shorter ones may occur by chance.
QUOTE_WORDS = 3
#: Alternatively the minimum characters, for scripts without spaces between words.
QUOTE_CHARACTERS = 20
#: Reason for the rejection of shorter passages.
TOO_SHORT = f"too short to be a claim or a weakness: fewer than {QUOTE_WORDS} words"
#: Minimum words of a quotation that shows that a weakness is about a claim.
LONG_QUOTE_WORDS = 5

Key = TypeVar("Key", bound=Hashable)

_WORD = re.compile(r"\w+")
_KINDS = ("line", "table", "figure", "section", "citation", "quote")
_REFERENCE_NUMBER = re.compile(r"^\s*\[?(\d{1,3})[\].)]")
_FINAL_MARKS = ".!?"
# End of a sentence; the full stops in "1.5" and "e.g.," are none.
_ENDING = re.compile(rf"[{_FINAL_MARKS}]+(?=\s|$)")
#: End of the name of the first author of a reference.
_NEXT_AUTHOR = re.compile(r"[,;&]| and ")


class Quoted(NamedTuple):
    """Location of a quotation in one of several texts."""

    name: str
    match: Match


def mentions(text: str, name: str, start: int, end: int, places: Places) -> list[Record]:
    """The anchors in a stretch of a review, in order, each with its location in the paper (``at``).

    ``at`` is a list of spans (for printed lines and quotations), the id of a caption, section or reference, or null if
    the record has no such place.

    Args:
        text: text of the review.
        name: name of the review in spans.
        start: start of the stretch.
        end: end of the stretch.
        places: index of the paper.
    """
    return [
        {
            "text": text[one.start : one.end],
            "spans": [{"in": name, "start": one.start, "end": one.end}],
            "kind": one.kind,
            "at": places.of(one),
        }
        for one in anchors(text, start, end)
        if one.kind in _KINDS and (one.kind != "quote" or len(one.parts["quote"].split()) >= QUOTE_WORDS)
    ]


def quotations(text: str) -> list[str]:
    """The quotations in a text, without quotation marks; those of one or two words are left out."""
    found = (one.parts["quote"] for one in anchors(text) if one.kind == "quote")
    return [quote for quote in found if len(quote.split()) >= QUOTE_WORDS]


class Places:
    """Index of a paper that resolves numbers, names and quotations; built once."""

    def __init__(self, paper: Record) -> None:
        self._paper = paper
        self._known: dict[tuple[str, tuple[tuple[str, str], ...]], Any] = {}

    def of(self, anchor: Anchor) -> Any:
        """Location of an anchor: spans, the id of a caption, section or reference, or None."""
        key = anchor.kind, tuple(sorted(anchor.parts.items()))
        if key not in self._known:
            self._known[key] = self._find(anchor)
        found = self._known[key]
        return [dict(span) for span in found] if isinstance(found, list) else found

    def caption(self, kind: str, number: str) -> str | None:
        """Id of the caption of, for example, "Table 2"; None if there is none."""
        return self._captions.get((kind, number))

    def _find(self, anchor: Anchor) -> Any:
        parts = anchor.parts
        if anchor.kind == "line":
            return _spans_of_lines(parts, read(self._paper, "lines") or ())
        if anchor.kind in ("table", "figure", "algorithm"):
            return self.caption(anchor.kind, parts["number"])
        if anchor.kind == "section":
            return self._sections.get(parts["number"])
        if anchor.kind == "citation":
            return self._numbered.get(parts["number"]) if "number" in parts else self._dated(parts)
        if anchor.kind == "quote":
            found = find(parts["quote"], self._texts)
            return None if found is None else [{"in": found.name, "start": found.match.start, "end": found.match.end}]
        return None

    def _dated(self, parts: Mapping[str, str]) -> str | None:
        """Id of the first reference with the year and the first author's name."""
        surname = re.compile(rf"\b{re.escape(parts['name'])}\b")
        word = _WORD.match(parts["name"])
        among = self._authored.get(word[0], ()) if word else read(self._paper, "references") or ()
        dated = (one for one in among if parts["year"] in one["text"])
        return next((one["id"] for one in dated if surname.search(_first_author(one))), None)

    @functools.cached_property
    def _texts(self) -> dict[str, str]:
        return paper_texts(self._paper)

    @functools.cached_property
    def _sections(self) -> dict[str, str]:
        sections = read(self._paper, "sections") or ()
        return _first_of((number, one["id"]) for one in sections for number in _readings(one.get("number") or ""))

    @functools.cached_property
    def _captions(self) -> dict[tuple[str, str], str]:
        captions = read(self._paper, "captions") or ()
        printed = ((one, number) for one in captions for number in _readings(one["label"].rpartition(" ")[2]))
        return _first_of(((one["kind"], number), one["id"]) for one, number in printed)

    @functools.cached_property
    def _numbered(self) -> dict[str, str]:
        printed = ((_REFERENCE_NUMBER.match(one["text"]), one) for one in read(self._paper, "references") or ())
        return _first_of((hit[1], one["id"]) for hit, one in printed if hit)

    @functools.cached_property
    def _authored(self) -> dict[str, list[Reference]]:
        """References by each word before the second author."""
        found: dict[str, list[Reference]] = {}
        for one in read(self._paper, "references") or ():
            for word in dict.fromkeys(_WORD.findall(_first_author(one))):
                found.setdefault(word, []).append(one)
        return found


def _first_of(pairs: Iterable[tuple[Key, str]]) -> dict[Key, str]:
    """Map keys to their first value."""
    made: dict[Key, str] = {}
    for key, value in pairs:
        made.setdefault(key, value)
    return made


def _first_author(reference: Reference) -> str:
    return _NEXT_AUTHOR.split(reference["text"], 1)[0]


def find(quote: str, named: Mapping[str, str]) -> Quoted | None:
    """Locate a quotation in several texts: the closest match, the first if equal."""
    found = list(_locate_quotation(quote, named))
    return min(found, key=lambda one: (one.match.kind == "edited", one.match.distance), default=None)


def locate_passage(passage: str, named: Mapping[str, str]) -> Quoted | str:
    """Locate a copied claim or weakness in several texts, or give the reason why it is rejected."""
    if is_too_short(passage):
        return TOO_SHORT
    return find(passage, named) or why_missed(passage, named)


def final_end(text: str, start: int, end: int) -> int:
    """Normalised end of a passage: including the final mark of its sentence, excluding a comma or colon.

    So passages that two annotators mark with and without the full stop are equal.
    """
    bare = start + len(text[start:end].rstrip(",;: \n"))
    end = bare if bare > start else end
    ending = None if text[end - 1] in _FINAL_MARKS else _ENDING.match(text, end)
    return ending.end() if ending else end


def is_too_short(passage: str) -> bool:
    """Whether a passage is too short to be a claim or weakness: "no", "x" and "none" occur in most papers."""
    return len(passage.split()) < QUOTE_WORDS and len(passage) < QUOTE_CHARACTERS


def why_missed(quote: str, named: Mapping[str, str]) -> str:
    """Why a quotation is in none of the texts: the difference at the nearest place, if there is one."""
    misses = (locate(quote, text) for text in named.values())
    reasons = (miss.reason for miss in misses if isinstance(miss, Miss))
    return next((reason for reason in reasons if reason != "not in the text"), "not in the paper")


def _locate_quotation(quote: str, named: Mapping[str, str]) -> Iterator[Quoted]:
    """Location of a quotation in each text; a final mark may belong to the quoting sentence and is optional."""
    whole = quote.strip()
    for name, text in named.items():
        for wanted in dict.fromkeys((whole, whole.rstrip(".,;"))):
            found = locate(wanted, text)
            if isinstance(found, Match):
                yield Quoted(name, found)
                break


def _readings(printed: str) -> tuple[str, str]:
    """A printed number in the forms in which a text may refer to it; Roman numerals also as digits."""
    own = printed.strip(".:").upper()
    return own, to_arabic(own)


def _spans_of_lines(parts: Mapping[str, str], lines: Sequence[PrintedLine]) -> list[Record] | None:
    """Spans of printed lines, joined per text; None if the record has no line map."""
    first = int(parts["first"])
    last = max(first, int(parts.get("last", first)))
    found: list[Record] = []
    for line in lines:
        if first <= line["n"] <= last:
            if found and found[-1]["in"] == line["in"]:
                found[-1]["end"] = line["end"]
            else:
                found.append({"in": line["in"], "start": line["start"], "end": line["end"]})
    return found or None
