"""Front matter besides title and abstract: names as printed, addresses, key words, tables of contents."""

from __future__ import annotations

import re
from typing import Any

from scholartools.readers.common.front_text import kind_of_front_text
from scholartools.readers.common.hyphenation import Vocabulary, compose_accents, join_lines
from scholartools.readers.common.page import Line
from scholartools.readers.common.roles import ABSTRACT_LABEL, CHAPTER, CONTENTS_LABEL, number_of
from scholartools.readers.references.trust import letters_of

_LABELS = re.compile(rf"{ABSTRACT_LABEL.pattern}|a\s?r\s?t\s?i\s?c\s?l\s?e\s+i\s?n\s?f\s?o", re.IGNORECASE)
# A page number after dot leaders or a space.
_PAGED = re.compile(r"(?:(?:\s?[.·…])+\s?|\s)(\d{1,4}|[ivxl]{1,6}|[A-Z]-\d{1,3})$")
_LEADERS = re.compile(r"(?:\s?[.·…]){4,}\s*$")
_HEADING = re.compile(rf"(?:{CONTENTS_LABEL.pattern}){{1,2}}", re.IGNORECASE)
_RUNNING = re.compile(rf"(?:{CONTENTS_LABEL.pattern}){{2}}", re.IGNORECASE)  # the heading repeated at the top of a page
_OF_FLOAT = re.compile(r"(?:tab(?:le|ela|la|elle)|fig(?:ur[ea]|ure)?|abbildung|algorithm)\.?\s\d", re.IGNORECASE)
_LONGEST = 120  # maximum characters of a heading
_ENTRY = 3  # maximum lines of an entry of a table of contents
_LEAST = 3  # minimum lines of a table of contents under its heading; a list of figures may have one
_OF_FLOATS = re.compile(r"\b(?:list|index of)|figur|abbild|tabell|tabel|tablas|cuadros|abk", re.IGNORECASE)
_NEAR = 1.6  # maximum distance of the lines of one text, in multiples of the font size


def keywords_record(text: str, page: int) -> dict[str, Any]:
    """Front-matter record of key words that were found within another text."""
    return {"kind": "keywords", "text": text, "page": page}


def split_contents(lines: list[Line]) -> tuple[list[Line], list[list[Line]]]:
    """Split lines into those outside of tables of contents and lists of figures, and the lines of each such list."""
    opened = [index for index, line in enumerate(lines) if _HEADING.fullmatch(compose_accents(line.text))]
    kept: list[Line] = []
    lists: list[list[Line]] = []
    titles: set[str] = set()
    end = 0
    last_pages = _last_pages(lines) if opened else {}
    for index in opened:
        if index >= end:
            kept += lines[end:index]
            end = _contents_end(lines, index, titles, last_pages)
            lists += [lines[index:end]] if end > index else []
    return kept + lines[end:], lists


def _last_pages(lines: list[Line]) -> dict[str, int]:
    """The last page of each run of one to three lines that is short enough for a heading, by its letters."""
    found: dict[str, int] = {}
    for index, line in enumerate(lines):
        words = ""
        for below in lines[index : index + _ENTRY]:
            words += _words_of(below.text)
            if len(words) >= _LONGEST or below.page != line.page:
                break
            found[words] = line.page
    return found


def _contents_end(lines: list[Line], start: int, titles: set[str], last_pages: dict[str, int]) -> int:
    """Index after the last entry of the table of contents whose heading is at ``start``; ``start`` if there is none.

    An entry ends with a page number, which never decreases, or with dot leaders, or its words recur in a line of a
    later page. The list ends where a heading repeats an entry of this or an earlier list; ``titles`` collects the
    entries, in place.
    """
    if _RUNNING.fullmatch(compose_accents(lines[start].text)):
        return start + 1
    page, end = 0, start + 1
    while lines[end:] and not CONTENTS_LABEL.fullmatch(compose_accents(lines[end].text)):
        at = end + (CHAPTER.fullmatch(lines[end].text) is not None and end + 1 < len(lines))  # title below
        anew = lines[end].page > lines[end - 1].page and ABSTRACT_LABEL.fullmatch(lines[end].text)
        if anew or (_repeats(lines[at].text, titles) and not _is_paged(lines[at].text)):
            break
        ends = (at for at in range(end, min(end + _ENTRY, len(lines))) if _ends_entry(lines[end : at + 1], last_pages))
        last = next(ends, None)
        number = _PAGED.search(lines[last].text) if last is not None else None
        if last is None or (number and number[1].isdigit() and int(number[1]) < page):
            break
        entry = _PAGED.sub("", " ".join(line.text for line in lines[end : last + 1]))
        titles |= {_words_of(entry), letters_of(entry)}
        page, end = int(number[1]) if number and number[1].isdigit() else page, last + 1
    alone = end == len(lines) or lines[end].page > lines[start].page  # no other lines follow on its page
    least = 1 if alone or _OF_FLOATS.search(lines[start].text) else _LEAST
    return end if end - start > least else start


def _is_paged(text: str) -> bool:
    return bool(_PAGED.search(text) or _LEADERS.search(text))


def _ends_entry(entry: list[Line], last_pages: dict[str, int]) -> bool:
    """Whether the last of some lines ends an entry of a table of contents.

    An entry without a page number, which may be lost as that of the page, recurs as a line or as lines of a heading.
    """
    line = entry[-1]
    marked = _is_paged(line.text) or _RUNNING.fullmatch(compose_accents(line.text)) or _OF_FLOAT.match(line.text)
    forms = (line.text, " ".join(one.text for one in entry)[: 2 * _LONGEST])
    return bool(marked) or any(last_pages.get(_words_of(form), 0) > line.page for form in forms)


def _repeats(text: str, titles: set[str]) -> bool:
    """Whether a line has the words of an entry and, if the line is numbered, also its number."""
    return (letters_of(text) if number_of(text)[0] else _words_of(text)) in titles


def _words_of(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()


def contents_record(listed: list[Line]) -> dict[str, Any]:
    """Front-matter record of a table of contents, one line of text per printed line, without dot leaders."""
    text = "\n".join(_PAGED.sub(r" \1", line.text) for line in listed)
    return {"kind": "contents", "text": text, "page": listed[0].page}


def front_matter_records(lines: list[Line], vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """Group lines into texts and classify these.

    Returns:
        Records with ``kind`` ("authors", "affiliation", "email", "keywords", "subjects" or "other"), printed ``text``,
        and ``page``.
    """
    groups: list[tuple[str, list[Line]]] = []
    for line in (line for line in lines if not _LABELS.fullmatch(line.text)):
        kind = kind_of_front_text(line.text)
        if groups and _goes_on(groups[-1], kind, line):
            groups[-1][1].append(line)
        else:
            groups.append((kind, [line]))
    texts = [(kind, join_lines(group, vocabulary), group[0].page) for kind, group in groups]
    return [{"kind": kind, "text": text, "page": page} for kind, text, page in texts if any(map(str.isalnum, text))]


def _goes_on(group: tuple[str, list[Line]], kind: str, line: Line) -> bool:
    """Whether a line continues the group above it; key words continue over all similar lines below."""
    above = group[1][-1]
    near = 0 < line.y0 - above.y0 < _NEAR * max(line.size, above.size) and line.page == above.page
    alike = abs(line.size - above.size) < 0.6 and line.column == above.column
    if group[0] in ("keywords", "subjects"):
        return near and alike and kind not in ("keywords", "subjects")
    return near and alike and kind == group[0] and kind not in ("affiliation", "email")
