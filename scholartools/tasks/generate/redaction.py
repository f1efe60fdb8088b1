"""Redact a paper for a generator of limitations: remove the limitations that it states.

Removed are (as in BAGELS, section 4)

- sections of the role limitation, and those with extracted limitations under their heading, with their subsections;
- every span of ``limitations``, including members of merged ones, with the run-in heading before it; and the results of
  the built-in extraction, since a model may have omitted sentences, or only reviews were searched. It also searches the
  abstract and introduction here, unlike in an extraction;
- reviews, captions, footnotes and references: only the abstract and the sections are used.
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
    """The redacted paper, and the withheld texts."""

    title: str
    parts: list[Part]
    withheld: list[str]


def redact(record: Record) -> RedactedPaper:
    """Title, abstract and sections of a paper without its limitations.

    A section of the role abstract is left out where the record has an ``abstract``.

    Raises:
        InputFault: no ``limitations``, or some that do not match their spans; neither an abstract nor sections, or no
            text in them; a key of the wrong type.
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
    """Results of the built-in extraction, also in the abstract and introduction."""
    shown = [{**one, "role": "other"} if one["role"] in _OPENING else one for one in sections]
    if abstract is not None:
        shown.append({"id": "abstract", "heading": "", "level": 1, "role": "other", "text": abstract})
    return limits.extract({"sections": shown})["limitations"] if shown else []


def descendants(levels: Sequence[int], chosen: Sequence[bool]) -> Iterator[bool]:
    """For each section, by its level, whether it or one of its ancestors is chosen."""
    inside: int | None = None
    for level, is_chosen in zip(levels, chosen):
        if inside is None or level <= inside:
            inside = level if is_chosen else None
        yield inside is not None


def remove_spans(text: str, places: Iterable[Place]) -> str:
    """Remove places from a text, preserving boundaries of sentences and paragraphs."""
    made, position = "", 0
    for start, end in [*sorted(places), (len(text), len(text))]:
        made = _join_stretches(made, text[position:start])
        position = max(position, end)
    return made.strip()


def _join_stretches(left: str, right: str) -> str:
    """Join two stretches around a removal; stretches without a word are dropped."""
    if not _WORD.search(right):
        return left + ("\n\n" if _PARAGRAPH_END.search(right) else "")
    around = left[len(left.rstrip()) :] + "\0" + right[: len(right) - len(right.lstrip())]
    gap = "\n\n" if _PARAGRAPH_END.search(around) else " "
    return f"{left.rstrip()}{gap}{right.lstrip()}" if left.strip() else right


def _singles(item: Limitation) -> list[Limitation]:
    """A limitation, or its members, recursively."""
    members = item.get("members") or ()
    return [single for member in members for single in _singles(member)] or [item]


def _limitation_sections(sections: Sequence[Section], limitations: Iterable[Limitation]) -> list[str]:
    """Ids of sections devoted to limitations, with their subsections."""
    explicit = [item for item in limitations if item["mode"] == "explicit"]
    headed = {(span["in"], item.get("heading")) for item in explicit for span in item["spans"]}
    chosen = [one["role"] == "limitation" or (one["id"], one["heading"].strip()) in headed for one in sections]
    return [
        one["id"] for one, is_gone in zip(sections, descendants([one["level"] for one in sections], chosen)) if is_gone
    ]


def _places(limitations: Iterable[Limitation], named: Mapping[str, str]) -> defaultdict[str, list[Place]]:
    """Locations of limitations in each text, including run-in headings before them.

    Raises:
        InputFault: a span has an unknown text, or does not match the text of its limitation.
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
    """Start of a limitation, or of the run-in heading directly before it."""
    words = (heading or "").split()
    if not words:
        return start
    before = text[max(0, start - 2 * len(heading or "") - 20) : start]
    found = re.search(r"\s+".join(map(re.escape, words)) + r"[\s.:\u2014]*$", before)
    return start - len(before) + found.start() if found else start
