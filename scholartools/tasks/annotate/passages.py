"""Locate marked passages by offsets or by their copied text.

Tools count offsets in code points or UTF-16 units. The unit is determined once per file, since a repeated word may
match in both.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from scholartools.records import Record
from scholartools.tasks.annotate.description import MOVED_SPAN, UNKNOWN_VALUE, Fault, Part
from scholartools.text.quotes import Match, locate

Unit = Literal["code-points", "utf-16"]


def locate_passage(passage: str, part: Part, label: str | None = None) -> Record:
    """Span of a passage that was copied from a text.

    Raises:
        Fault: it does not occur, or occurs several times.
    """
    place = locate(passage, part.text)
    if not isinstance(place, Match):
        raise Fault(MOVED_SPAN, f'"{passage[:60]}" is not in the text: {place.reason}')
    # locate() matches whole words: the passage may also occur verbatim within a longer word
    n_places = place.occurrences + (part.text[place.start : place.end] != passage and passage in part.text)
    if n_places > 1:
        raise Fault(MOVED_SPAN, f'"{passage[:60]}" occurs {n_places} times: copy more of the text around it')
    return make_span(part, place.start, place.end, label)


def make_span(part: Part, start: int, end: int, label: str | None) -> Record:
    """A span with its verbatim text."""
    named = {"label": label} if label is not None else {}
    return {"in": part.in_ or part.name, "start": start, "end": end, "text": part.text[start:end], **named}


def fits(text: str, span: Record, unit: Unit) -> bool:
    """Whether the text of a span is at its offsets, allowing backslash and "n" for line breaks as in Label Studio.

    The conversion is applied to the known text, never to the given one, because backslash and "n" may be literal in
    LaTeX.
    """
    found = slice_of(text, span["start"], span["end"], unit)
    return found is not None and span["text"] in (found, with_written_line_ends(found))


def slice_of(text: str, start: int, end: int, unit: Unit) -> str | None:
    """The text between two offsets; None if they are invalid."""
    if not 0 <= start < end:
        return None
    if unit == "code-points":
        return text[start:end] if end <= len(text) else None
    units = _utf16(text)
    if end * 2 > len(units):
        return None
    try:
        return units[start * 2 : end * 2].decode("utf-16-le")
    except UnicodeDecodeError:  # an offset splits a character
        return None


@functools.lru_cache(maxsize=4)
def _utf16(text: str) -> bytes:
    """The text in UTF-16, cached for its other spans."""
    return text.encode("utf-16-le", "surrogatepass")


def with_written_line_ends(text: str) -> str:
    """Replace each CR and each LF by backslash and "n"."""
    return text.replace("\r", "\\n").replace("\n", "\\n")


def unit_of(spans: Iterable[tuple[str, Record]]) -> Unit:
    """Unit of the offsets in a file: code points if all or most spans match with these.

    Args:
        spans: each with the text that it refers to.

    Raises:
        Fault: some match only in code points and others only in UTF-16 units.
    """
    only_points = only_units = 0
    for text, span in spans:
        in_points, in_units = fits(text, span, "code-points"), fits(text, span, "utf-16")
        only_points += in_points and not in_units
        only_units += in_units and not in_points
    if only_points and only_units:
        reason = f"{only_points} spans fit in code points alone, {only_units} in UTF-16 units alone"
        raise Fault(MOVED_SPAN, f"{reason}: it is unclear which of them is meant")
    return "utf-16" if only_units else "code-points"


def placed_spans(
    given: Any, part: Part, unit: Unit, *, has_label: bool = True, rated: str | None = None
) -> tuple[list[Record], int]:
    """Spans at verified offsets, and the number of those located by their text.

    Args:
        given: a list of {start, end, text, label}; offsets may be missing if the text occurs once.
        rated: key of the rating of a passage.

    Raises:
        Fault: the value is not a list, or a passage does not occur or occurs several times.
    """
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise Fault(UNKNOWN_VALUE, "the answer is not a list of passages")
    made, n_moved = [], 0
    for span in given:
        if not isinstance(span, dict) or not isinstance(span.get("text"), str):
            raise Fault(UNKNOWN_VALUE, 'a passage has no "text"')
        label = str(span.get("label")) if has_label else None
        has_offsets = all(type(span.get(key)) is int for key in ("start", "end"))
        if has_offsets and fits(part.text, span, unit):
            before = slice_of(part.text, 0, span["start"], unit) if span["start"] else ""
            start = len(before or "")
            made.append(
                make_span(part, start, start + len(slice_of(part.text, span["start"], span["end"], unit) or ""), label)
            )
        else:
            made.append(locate_passage(span["text"], part, label))
            n_moved += has_offsets
        if rated is not None:
            made[-1][rated] = span.get(rated)
    return made, n_moved
