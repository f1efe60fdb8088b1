"""What a generator of limitations may see of a paper: its text without the limitations it states.

Left out are (as in BAGELS, section 4)

- sections of the role limitation, and those under whose heading limitations were extracted, with their subsections;
- every span of ``limitations``, of merged ones all members', with the run-in heading before it; and what the built-in
  extraction finds, for a model may have dropped sentences, or only reviewers' limitations were wanted. Here it looks at
  abstract and introduction too, where an extraction looks for none;
- reviews, captions, footnotes and references: nothing but the abstract and the sections is read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.errors import InputFault
from scholartools.records import Record, need, read, texts
from scholartools.tasks import limits
from scholartools.tasks.shared.pieces import Part, all_parts

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Limitation, Section

Place = tuple[int, int]

_OPENING = ("abstract", "introduction")

_HINT = "run st-extract-limits first, so that the limitations can be removed from the text that the generator sees"
_AGAIN = "run st-extract-limits again"
_PARAGRAPH_END = re.compile(r"\n[^\S\n]*\n|\u2029")
_WORD = re.compile(r"\w")


class RedactedPaper(NamedTuple):
    """What a generator may see of a paper, and the texts of which it must see nothing."""

    title: str
    parts: list[Part]
    withheld: list[str]


def redact(record: Record) -> RedactedPaper:
    """The title, abstract and sections of a paper without its limitations.

    A section of the role abstract is left out where the record has an ``abstract``.

    Raises:
        InputFault: no ``limitations``, or some that are not where their spans say; neither an abstract nor
            sections, or no text in them; a key of another type.
    """
    stated = [single for item in need(record, "limitations", _HINT) for single in _singles(item)]
    parts = all_parts(record)
    named = texts({key: record[key] for key in ("abstract", "sections") if key in record})
    sections = read(record, "sections") or []
    limitations = [*stated, *_find_limitations(named.get("abstract"), sections)]
    places = _places(limitations, named)
    gone = _limitation_sections(sections, limitations)
    shown = [part._replace(text="") if part.name in gone else part for part in parts]
    kept = [part._replace(text=remove_spans(part.text, places[part.name])) for part in shown]
    if not any(part.text for part in kept):
        raise InputFault("no text is left of the paper without its limitations", kind="no-text")
    withheld = list(dict.fromkeys([*(item["text"] for item in limitations), *(named[name] for name in gone)]))
    return RedactedPaper((read(record, "title") or "").strip(), kept, withheld)


def _find_limitations(abstract: str | None, sections: Sequence[Section]) -> list[Limitation]:
    """What the built-in extraction finds, with the abstract and the introduction as sections like any other."""
    shown = [{**one, "role": "other"} if one["role"] in _OPENING else one for one in sections]
    if abstract is not None:
        shown.append({"id": "abstract", "heading": "", "level": 1, "role": "other", "text": abstract})
    return limits.extract({"sections": shown})["limitations"] if shown else []


def descendants(levels: Sequence[int], chosen: Sequence[bool]) -> Iterator[bool]:
    """For each section, by its level, whether it or one that it is in is chosen."""
    inside: int | None = None
    for level, is_chosen in zip(levels, chosen):
        if inside is None or level <= inside:
            inside = level if is_chosen else None
        yield inside is not None


def remove_spans(text: str, places: Iterable[Place]) -> str:
    """A text without the places, joined so that sentences stay sentences and paragraphs paragraphs."""
    made, position = "", 0
    for start, end in [*sorted(places), (len(text), len(text))]:
        made = _join_stretches(made, text[position:start])
        position = max(position, end)
    return made.strip()


def _join_stretches(left: str, right: str) -> str:
    """Two stretches of a text between which something was taken out; one without a word is dropped."""
    if not _WORD.search(right):
        return left + ("\n\n" if _PARAGRAPH_END.search(right) else "")
    around = left[len(left.rstrip()) :] + "\0" + right[: len(right) - len(right.lstrip())]
    gap = "\n\n" if _PARAGRAPH_END.search(around) else " "
    return f"{left.rstrip()}{gap}{right.lstrip()}" if left.strip() else right


def _singles(item: Limitation) -> list[Limitation]:
    """A limitation, or those it was merged of, however deep."""
    members = item.get("members") or ()
    return [single for member in members for single in _singles(member)] or [item]


def _limitation_sections(sections: Sequence[Section], limitations: Iterable[Limitation]) -> list[str]:
    """The ids of sections that state limitations as a whole, with their subsections."""
    explicit = [item for item in limitations if item["mode"] == "explicit"]
    headed = {(span["in"], item.get("heading")) for item in explicit for span in item["spans"]}
    chosen = [one["role"] == "limitation" or (one["id"], one["heading"].strip()) in headed for one in sections]
    return [
        one["id"] for one, is_gone in zip(sections, descendants([one["level"] for one in sections], chosen)) if is_gone
    ]


def _places(limitations: Iterable[Limitation], named: Mapping[str, str]) -> defaultdict[str, list[Place]]:
    """Where limitations are in each text, with the run-in headings before them.

    Raises:
        InputFault: a span does not name a text of the record, or not the text that its limitation has.
    """
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for item in limitations:
        own = [span for span in item["spans"] if not span["in"].startswith(("review:", "summary:"))]
        if any(span["in"] not in named for span in own):
            raise InputFault(f'limitation "{item["id"]}" is in no text of the record: {_AGAIN}', kind="invalid-key")
        texts_of_spans = [named[span["in"]][span["start"] : span["end"]] for span in own]
        if len(own) == len(item["spans"]) and " ".join(texts_of_spans) != item["text"]:
            raise InputFault(f'limitation "{item["id"]}" is not what its spans name: {_AGAIN}', kind="invalid-key")
        for span in own:
            start = _with_heading(named[span["in"]], span["start"], item.get("heading"))
            places[span["in"]].append((start, span["end"]))
    return places


def _with_heading(text: str, start: int, heading: str | None) -> int:
    """Where a limitation begins, or the run-in heading right before it."""
    words = (heading or "").split()
    if not words:
        return start
    before = text[max(0, start - 2 * len(heading or "") - 20) : start]
    found = re.search(r"\s+".join(map(re.escape, words)) + r"[\s.:\u2014]*$", before)
    return start - len(before) + found.start() if found else start
