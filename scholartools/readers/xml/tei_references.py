"""The bibliography of a TEI document."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from scholartools.readers.references.entries import parse_entry, with_same_authors
from scholartools.readers.references.identifiers import marked_doi
from scholartools.readers.xml.names import tei_people

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z][a-z.-]{1,12}/\d{7}", re.IGNORECASE)
_LONGEST = 2_000  # characters of an entry that are searched for details


def reference_records(document: Element) -> list[dict[str, Any]]:
    """The entries of all reference lists, in order, without ids."""
    found = [
        one for listed in document.iterfind("text//listBibl") for one in listed if one.tag in ("biblStruct", "bibl")
    ]
    records = (_reference_record(one) for one in found)
    return with_same_authors([record for record in records if record["text"]])


def _reference_record(element: Element) -> dict[str, Any]:
    raw = next((_plain_text(note) for note in element.iterfind("note") if note.get("type") == "raw_reference"), "")
    text = raw or (_plain_text(element) if element.tag == "bibl" else _compose_entry(element))
    guessed = parse_entry(text[:_LONGEST])
    title, source = _find_title(element), _plain_text(element.find("monogr/title"))
    return {
        **guessed,
        "text": text,
        "authors": tei_people(element) or guessed["authors"],
        "title": title or guessed["title"],
        "venue": source if title and source and source != title else guessed["venue"],
        "year": _find_year(element) or guessed["year"],
        "doi": marked_doi(_find_identifier(element, "DOI")) or guessed["doi"],
        "arxiv": found[0] if (found := _ARXIV.search(_find_identifier(element, "arXiv"))) else guessed["arxiv"],
    }


def _compose_entry(element: Element) -> str:
    """Format an entry in a plain style: authors (year). Title. Source volume(issue): pages. doi."""
    names = ", ".join(tei_people(element) or ())
    year = _find_year(element)
    title = _find_title(element)
    source = _plain_text(element.find("monogr/title"))
    volume, issue = (_scope_of(element, unit) for unit in ("volume", "issue"))
    where = " ".join(part for part in (source if source != title else "", volume) if part)
    where += f"({issue})" if issue else ""
    pages = _scope_of(element, "page")
    doi = _find_identifier(element, "DOI")
    parts = (
        " ".join(part for part in (names, f"({year})" if year else "") if part),
        title,
        f"{where}: {pages}" if where and pages else where or pages,
        f"doi:{doi}" if doi else "",
    )
    text = " ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part)
    return text or " ".join(_plain_text(note) for note in element.iterfind("note"))


def _find_title(element: Element) -> str | None:
    for place in ("analytic/title", "monogr/title", "title"):
        titles = [title for title in element.iterfind(place) if title.get("type") in (None, "", "main")]
        if text := next((_plain_text(title) for title in titles if _plain_text(title)), ""):
            return text.rstrip(". ")
    return None


def _find_year(element: Element) -> int | None:
    dates = [f"{date.get('when', '')} {_plain_text(date)}" for date in element.iter("date")]
    found = _YEAR.search(" ".join(dates))
    return int(found[0]) if found else None


def _scope_of(element: Element, unit: str) -> str:
    for scope in element.iter("biblScope"):
        if scope.get("unit") == unit:
            return _plain_text(scope) or "–".join(end for end in (scope.get("from"), scope.get("to")) if end)
    return ""


def _find_identifier(element: Element, kind: str) -> str:
    found = (one for one in element.iter("idno") if (one.get("type") or "").casefold() == kind.casefold())
    return next((_plain_text(one) for one in found), "")


def _plain_text(element: Element | None) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""
