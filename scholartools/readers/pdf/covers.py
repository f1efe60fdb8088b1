"""Cover pages that repositories or publishers put before a document, which describe the file, not the paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from scholartools.readers.common.page import Page, body_of, letters_of
from scholartools.readers.common.roles import role_of
from scholartools.readers.pdf import title
from scholartools.readers.pdf.sections import headings

# In lowercase, and each alternative begins with a literal letter, which makes the search fast.
_SIGNS = re.compile(
    r"author\(s\)\s?:|stable url|your use of|terms (?:and conditions )?of use|terms and conditions|j(?<=\bj)stor\b"
    r"|repository|downloaded from|recommended citation|citation (?:for|of) (?:the )?(?:published|original|this)"
    r"|suggested citation (?:for|of) (?:the )?(?:published|original|this)"
    r"|please cite|how to cite|to cite this (?:article|version|document|paper)|researchgate|see discussions"
    r"|h(?<=\bh)al id\b|multi-disciplinary open access archive|escholarship|take.?down policy"
    r"|link to publi(?:cation|sher)"
    r"|document version|accepted (?:\w+ )?version|author (?:\w+ )?version|published (?:\w+ )?version"
    r"|peer.reviewed (?:\w+ )?version|permanent (?:link|url)|persistent (?:link|url)"
    r"|permalink|brought to you|made available|access the most recent version"
    r"|for more information about|digital commons|all rights reserved|copyright (?:and|holder|owner)|email alerting"
    r"|open access institutional|citable link"
)
# Phrases that occur on covers only and suffice alone.
_SURE = re.compile(
    r"please scroll down for article|this article was downloaded by\b"
    r"|full terms (?:&|and) conditions of (?:access and )?use"
    r"|has made this article openly available|jstor is a not-for-profit service"
    r"|provided for non-?\s?commercial research and educational use"
)
_LEAST = 2  # minimum distinct phrases of _SIGNS on a cover
_LONG = 12  # minimum letters of a title that is repeated on the cover
_HEAD = 0.08  # running heads lie within this share of the page's height, from the top
_LARGE = 1.05  # maximum size of a running head, in multiples of the text's size


def has_cover(pages: list[Page]) -> bool:
    """Whether the first page has phrases of covers, repeats the title of the second page, and has no introduction.

    A page with only the kind of the document, such as "PREPRINT", is a cover, too. Most phrases alone do not suffice,
    since publishers also print them on first pages, where a list of contents may have the heading of the second page.
    """
    if len(pages) < 2:
        return False
    cover, first = pages[:2]
    if cover.lines and all(title.NOT_TITLE.fullmatch(line.text.strip()) for line in cover.lines):
        return True
    text = " ".join(line.text for line in sorted(cover.lines, key=lambda line: (round(line.y0), line.x0)))
    is_sure = _SURE.search(text.casefold()) is not None
    if not is_sure and len(set(_SIGNS.findall(text.casefold()))) < _LEAST:
        return False
    body = body_of(pages)  # costly, since it reads all pages
    if any(role_of(line.text) == "introduction" and headings.looks_like_heading(line, body) for line in cover.lines):
        return False
    if is_sure:
        return True
    again = title.title_lines(first, body, "")
    words = letters_of("".join(line.text for line in again)).casefold()
    if len(words) < _LONG or words not in letters_of(text).casefold():
        return False
    is_running_head = any(line.y1 < _HEAD * first.height and line.size <= _LARGE * body.size for line in again)
    return not is_running_head and not any(headings.looks_like_heading(line, body) for line in again)


def count_pages_from(pages: Iterable[Page], step: int) -> None:
    """Add ``step`` to the page numbers of pages and their lines, in place."""
    for page in pages:
        page.number += step
        for line in page.lines:
            line.page += step
        count_pages_from(page.sideways, step)


def with_pages_from(value: Any, step: int) -> Any:
    """A copy of a value of a record with ``step`` added to all page numbers."""
    if isinstance(value, list):
        return [with_pages_from(one, step) for one in value]
    if not isinstance(value, dict):
        return value
    moved = {key: with_pages_from(one, step) for key, one in value.items()}
    for key, one in moved.items():
        if key == "page" and isinstance(one, int):
            moved[key] = one + step
        elif key == "pages" and isinstance(one, list):
            moved[key] = [number + step for number in one]
    return moved
