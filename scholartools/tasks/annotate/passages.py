"""Marked passages: places in a text, by offsets or by the words that were copied.

Tools count offsets in code points or in UTF-16 units. Which of both a file has is decided once for the file, since a
repeated word may fit at two places.
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
    """The span of a passage that was copied out of a text.

    Raises:
        Fault: it occurs nowhere in it, or at several places.
    """
    place = locate(passage, part.text)
    if not isinstance(place, Match):
        raise Fault(MOVED_SPAN, f'"{passage[:60]}" is not in the text: {place.reason}')
    # words are sought as wholes: within a longer one the passage may occur unchanged, and here in another writing
    n_places = place.occurrences + (part.text[place.start : place.end] != passage and passage in part.text)
    if n_places > 1:
        raise Fault(MOVED_SPAN, f'"{passage[:60]}" occurs {n_places} times: copy more of the text around it')
    return make_span(part, place.start, place.end, label)


def make_span(part: Part, start: int, end: int, label: str | None) -> Record:
    """A span with its text, word for word."""
    named = {"label": label} if label is not None else {}
    return {"in": part.in_ or part.name, "start": start, "end": end, "text": part.text[start:end], **named}


def fits(text: str, span: Record, unit: Unit) -> bool:
    """Whether a span's text is at its offsets; the text may have a backslash and "n" for each line end.

    So Label Studio writes them. The known text is changed in the same way, never the given one: in LaTeX a backslash
    and "n" are text.
    """
    found = slice_of(text, span["start"], span["end"], unit)
    return found is not None and span["text"] in (found, with_written_line_ends(found))


def slice_of(text: str, start: int, end: int, unit: Unit) -> str | None:
    """The text between two offsets; None where these are none of it."""
    if not 0 <= start < end:
        return None
    if unit == "code-points":
        return text[start:end] if end <= len(text) else None
    units = _utf16(text)
    if end * 2 > len(units):
        return None
    try:
        return units[start * 2 : end * 2].decode("utf-16-le")
    except UnicodeDecodeError:  # it begins or ends within a character
        return None


@functools.lru_cache(maxsize=4)
def _utf16(text: str) -> bytes:
    """The text in UTF-16, made once for all its spans."""
    return text.encode("utf-16-le", "surrogatepass")


def with_written_line_ends(text: str) -> str:
    """A text with a backslash and "n" for each CR and each LF."""
    return text.replace("\r", "\\n").replace("\n", "\\n")


def unit_of(spans: Iterable[tuple[str, Record]]) -> Unit:
    """In which unit the offsets of a file are: code points where all or most spans fit so.

    Args:
        spans: each with the text it is of.

    Raises:
        Fault: some fit in code points alone, and others in UTF-16 units alone.
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
    """Spans at their places, with the number of those that had to be sought by their words.

    Args:
        given: a list of {start, end, text, label}; offsets may lack where the text occurs at one place.
        rated: the key of its rating.

    Raises:
        Fault: the list is none, or a passage occurs nowhere, or at several places.
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
