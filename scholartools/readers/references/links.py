"""Complete DOI, arXiv identifier and address of a printed reference from the links of the PDF over it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from scholartools.readers.common.page import Box, Line

Links = Mapping[int, Sequence[tuple[Box, str]]]  # by page number: box and address of each link

_DOI = re.compile(r"doi\.org/(10\.\d{4,9}/\S+)$", re.IGNORECASE)
_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/([\w.-]+(?:/\d{7})?\d)", re.IGNORECASE)
_VERSION = re.compile(r"v\d+$")
_NOT_ALIKE = re.compile(r"[^a-z0-9]+")


def links_over(lines: Iterable[Line], links: Links) -> list[str]:
    """The different addresses of the links whose centre is on one of the lines, in order."""
    found: dict[str, None] = {}
    for line in lines:
        for (x0, y0, x1, y1), address in links.get(line.page, ()):
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            if line.x0 <= x <= line.x1 and line.y0 <= y <= line.y1:
                found[address] = None
    return list(found)


def complete_entry(record: dict[str, Any], addresses: Iterable[str]) -> dict[str, Any]:
    """Complete a reference by the addresses of links; a printed value that differs from a link is kept."""
    addresses = [unquote(address) for address in addresses]
    dois = [match[1] for address in addresses if (match := _DOI.search(address))]
    ids = [_VERSION.sub("", match[1]) for address in addresses if (match := _ARXIV.search(address))]
    pages = [one for one in addresses if one.startswith("http") and not _DOI.search(one) and not _ARXIV.search(one)]
    own = record["url"]
    return {
        **record,
        "doi": _best_link(record["doi"], dois),
        "arxiv": _best_link(record["arxiv"], ids),
        "url": next((page for page in pages if own and _fold_address(page).startswith(_fold_address(own))), own),
    }


def _best_link(printed: str | None, linked: list[str]) -> str | None:
    """The link that completes the printed value; if nothing is printed, the link if it is unique."""
    if printed is None:
        return linked[0] if len(set(linked)) == 1 else None
    return next((one for one in linked if _fold_address(one).startswith(_fold_address(printed))), printed)


def _fold_address(text: str) -> str:
    return _NOT_ALIKE.sub("", text.casefold())
