"""Names of people and groups as JATS and TEI mark them: never taken apart again, an empty one left out alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from scholartools.readers.common.person_names import PARTICLES
from scholartools.readers.xml import writer as xml_writer
from scholartools.readers.xml.writer import Writer

_PEOPLE = ("name", "string-name", "name-alternatives", "collab", "collab-alternatives")
_TITLES = ("article-title", "chapter-title", "part-title", "data-title", "source", "trans-title", "trans-source")
_AUTHORS = frozenset((None, "", "author", "authors", "allauthors", "all-authors"))
_EAST_ASIAN = re.compile(  # letters of Korean, kana of any width, bopomofo, ideographs of all planes
    r"[\u1100-\u11ff\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
)
_ET_AL = re.compile(r"[,;\s]*\bet\.? al\b\.?$|^others$", re.IGNORECASE)
_SKIPPED = (
    "contrib-group contrib xref fn sup email ext-link address aff role degrees contrib-id object-id ref label idno ptr"
)
_ACTIONS = xml_writer.action_table(
    (xml_writer.skip_element, _SKIPPED),
    (xml_writer.write_word, "surname given-names prefix suffix institution named-content forename nameLink genName"),
)


def jats_name(contrib: Element) -> str:
    """The name of a contributor: a person's, given names first unless it is written the eastern way, or a group's."""
    return next((name for one in contrib if one.tag in _PEOPLE and (name := _marked_name(one))), "")


def jats_authors(meta: Element) -> list[str]:
    """The authors of an article; who is named in one group is left out of those after it, but two may share a name."""
    found: list[str] = []
    for group in meta.iterfind("contrib-group"):
        own = [one for one in group.iterfind("contrib") if one.get("contrib-type") in (None, "", "author")]
        before = frozenset(found)
        found += [name for one in own if (name := jats_name(one)) and name not in before]
    return found


def jats_people(citation: Element) -> list[str] | None:
    """Who is marked as an author in an entry of a bibliography; empty where all that are marked are somebody else.

    Names outside a group count up to the title, since those behind it are editors'.

    Returns:
        None where the entry marks no name at all.
    """
    groups = citation.findall("person-group")
    authors: list[Iterable[Element]] = [group for group in groups if group.get("person-group-type") in _AUTHORS]
    people = [name for group in authors or [_until_title(citation)] for name in _names_of(group, also="institution")]
    is_marked = people or any(True for group in (citation, *groups) for _ in _names_of(group))
    return people if is_marked else None


def tei_name(author: Element) -> str:
    """An author's name, given names first; empty for an entry that holds an affiliation alone."""
    person = xml_writer.find_first(author, "persName", "name")
    if person is None and (author.find("surname") is not None or author.find("forename") is not None):
        person = author
    if person is None:
        named = author.find("orgName") if author.find("affiliation") is None else None
        return _plain(named) if named is not None else " ".join((author.text or "").split())
    given, link, surname, suffix = (
        " ".join(filter(None, map(_plain, person.iterfind(kind))))
        for kind in ("forename", "nameLink", "surname", "genName")
    )
    return _full_name(given, f"{link} {surname}".strip(), suffix) or _plain(person)


def tei_people(entry: Element) -> list[str] | None:
    """The authors of an entry, those of an article before those of the book it is in; None where none is marked."""
    for place in ("analytic/author", "monogr/author", "author"):
        if people := [name for one in entry.iterfind(place) if (name := _ET_AL.sub("", tei_name(one)))]:
            return people
    return None


def _until_title(citation: Element) -> list[Element]:
    """The names before the first title, else all: "Title. Roe R" has them behind it."""
    parts = [one for one in citation if one.tag in (*_PEOPLE, *_TITLES)]
    first = next((place for place, one in enumerate(parts) if one.tag in _TITLES), len(parts))
    return parts[:first] or parts


def _names_of(parts: Iterable[Element], *, also: str = "") -> list[str]:
    return [name for one in parts if one.tag in (*_PEOPLE, also) and (name := _marked_name(one))]


def _marked_name(element: Element) -> str:
    """The name that an element marks; of several ways to write it the first."""
    if element.tag.endswith("-alternatives"):
        return next((name for one in element if (name := _marked_name(one))), "")
    surname, given, prefix, suffix = (
        _plain(element.find(part)) for part in ("surname", "given-names", "prefix", "suffix")
    )
    if not surname and not given:
        return _ET_AL.sub("", _plain(element).strip(" ,;"))
    link = prefix if prefix and all(word.casefold() in PARTICLES for word in prefix.split()) else ""
    return _full_name(given, f"{link} {surname}".strip(), suffix, eastern=element.get("name-style") == "eastern")


def _full_name(given: str, surname: str, suffix: str, *, eastern: bool = False) -> str:
    """The parts of a name as it is written: surname first in the east, and in characters of China, Japan, Korea."""
    eastern = eastern or bool(_EAST_ASIAN.search(surname) and _EAST_ASIAN.search(given))
    parts = (surname, given) if eastern else (given, surname)
    return " ".join(part for part in (*parts, suffix.strip(" ,")) if part)


def _plain(element: Element | None) -> str:
    return " ".join(Writer(_ACTIONS).text_of(element).split()).strip(" ,;")
