"""Year, venue, DOI and arXiv identifier of the paper itself, if the file states them reliably, with their locations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from scholartools.readers.references.identifiers import find_arxiv, marked_doi

KEYS = ("year", "venue", "doi", "arxiv")
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_LONGEST = 300  # maximum characters of the quoted text of a location
# Placeholders of templates that the authors did not replace; the year of such a meeting is not the paper's.
_MEETINGS = r"woodstock|conference acronym|^conference\s?[’']"
_TEMPLATE_MEETING = re.compile(_MEETINGS, re.IGNORECASE)
_TEMPLATES = re.compile(
    r"10\.1145/(?:1122445|nnnnnnn|x{3}|12345|0000)|10\.475/123_4|10\.1109/x"
    r"|x{4,}|nuclear physics b|journal of latex class files"
    rf"|{_MEETINGS}|journal name|^elsevier$|template|make sure to enter|10\.1000/xyz|10\.\d{{4,9}}/(?:s0{{5}}|-{{3}})",
    re.IGNORECASE,
)
# Texts that authors write in place of a venue.
_NO_VENUE = re.compile(
    r"\bsubmi(?:t|ssion)|under review|\bdraft\b|in preparation|manuscript no\b"
    r"|name of (?:the |your )?(?:journal|conference)|\byour (?:journal|conference)"
    r"|^(?:to be .*|t\.?b\.?[ad]\.?|journal|conference|[\W_]*)$"
    rf"|^{MONTH}\W*$",
    re.IGNORECASE,
)


class Finding(NamedTuple):
    """A value for one of ``KEYS``, and its location in the file.

    Attributes:
        where: "page", "metadata", a path of XML elements, or a LaTeX command.
        text: the text at this location; ``page`` and ``bbox`` are set if it is on a page.
    """

    key: str
    value: Any
    where: str
    text: str
    page: int | None = None
    bbox: list[float] | None = None


def publication_keys(findings: Iterable[Finding]) -> dict[str, Any]:
    """The values of ``KEYS`` and ``front_matter_spans``: the first finding of each key, in order of reliability.

    A value is null if there is no finding, or if findings with the ``where`` of the first one differ.
    """
    found: dict[str, list[Finding]] = {}
    for one in findings:
        if not is_left_open(one):
            found.setdefault(one.key, []).append(one)
    kept = {key: _agreed(found.get(key, [])) for key in KEYS}
    spans = {key: _place_of(one) for key, one in kept.items() if one is not None}
    values = {key: one.value if one is not None else None for key, one in kept.items()}
    return {**values, "front_matter_spans": spans}


def is_left_open(one: Finding) -> bool:
    """Whether a finding has no value, a placeholder of a template, or a text for "no venue yet"."""
    of_template = _TEMPLATES.search(f"{one.value}") or _TEMPLATE_MEETING.search(one.text)
    has_none = one.key == "venue" and _NO_VENUE.search(f"{one.value}")
    return one.value is None or bool(of_template or has_none)


def _agreed(found: list[Finding]) -> Finding | None:
    alike = [one for one in found if one.where == found[0].where]
    return found[0] if len({f"{one.value}".casefold() for one in alike}) == 1 else None


def _place_of(one: Finding) -> dict[str, Any]:
    return {"where": one.where, "text": one.text[:_LONGEST], "page": one.page, "bbox": one.bbox}


def year_in(text: str) -> int | None:
    """The year in a text; None if there are none or several."""
    years = set(_YEAR.findall(text))
    return int(years.pop()) if len(years) == 1 else None


def doi_in(text: str) -> str | None:
    return marked_doi(text)


def arxiv_in(text: str) -> str | None:
    return find_arxiv(text if "arxiv" in text.casefold() else f"arXiv:{text}")


def venue_in(text: str) -> str | None:
    return " ".join(text.split()).strip(" .,;:") or None
