"""Names of people and groups from the markup of JATS and TEI, without parsing them again; empty ones are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from scholartools.readers.common.person_names import PARTICLES, is_honour, is_suffix
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
# The marked parts of a name, of which a file may mark only some.
_SURNAMES, _GIVEN, _SUFFIXES = ("surname",), ("given-names", "forename"), ("suffix", "genName")
_BESIDE_PARTS = {
    **_ACTIONS,
    **xml_writer.action_table(
        (xml_writer.skip_element, "degrees roleName addName"),
        (xml_writer.write_space, " ".join((*_SURNAMES, *_GIVEN, *_SUFFIXES, "prefix", "nameLink"))),
    ),
}
_NO_PARTS = frozenset((*_SKIPPED.split(), "affiliation", "note"))  # elements whose names are those of others
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_BETWEEN_WORDS = re.compile(r"[\s,;&]+|\band\b")


def jats_name(contrib: Element) -> str:
    """The name of a contributor: a group, or a person, with given names first except for eastern names."""
    return next((name for one in contrib if one.tag in _PEOPLE and (name := _marked_name(one))), "")


def jats_authors(meta: Element) -> list[str]:
    """The authors of an article. Names in an earlier group are not repeated; within a group, two may be equal."""
    found: list[str] = []
    for group in meta.iterfind("contrib-group"):
        own = [one for one in group.iterfind("contrib") if one.get("contrib-type") in (None, "", "author")]
        before = frozenset(found)
        found += [name for one in own if (name := jats_name(one)) and name not in before]
    return found


def jats_people(citation: Element) -> list[str] | None:
    """The people marked as authors in a bibliography entry; empty if all marked people have other roles.

    Without a group of authors, names count up to the title, since those after it are usually editors.

    Returns:
        None if the entry marks no names at all.
    """
    groups = citation.findall("person-group")
    authors: list[Iterable[Element]] = [group for group in groups if group.get("person-group-type") in _AUTHORS]
    people = [name for group in authors or [_until_title(citation)] for name in _names_of(group, also="institution")]
    is_marked = people or any(True for group in (citation, *groups) for _ in _names_of(group))
    return people if is_marked else None


def tei_name(author: Element) -> str:
    """An author's name, given names first except for eastern names; "" if the entry has only an affiliation."""
    person = xml_writer.find_first(author, "persName", "name")
    if person is None and (author.find("surname") is not None or author.find("forename") is not None):
        person = author
    if person is None:
        named = author.find("orgName") if author.find("affiliation") is None else None
        return _plain(named) if named is not None else " ".join((author.text or "").split())
    return _name_of_parts(person) or _plain(person)


def tei_people(entry: Element) -> list[str] | None:
    """The authors of an entry: those of the article, else those of the book it is in; None if none are marked."""
    for place in ("analytic/author", "monogr/author", "author"):
        if people := [name for one in entry.iterfind(place) if (name := _ET_AL.sub("", tei_name(one)))]:
            return people
    return None


def _until_title(citation: Element) -> list[Element]:
    """The names before the first title; all elements if the title comes first, as in "Title. Roe R"."""
    parts = [one for one in citation if one.tag in (*_PEOPLE, *_TITLES)]
    first = next((place for place, one in enumerate(parts) if one.tag in _TITLES), len(parts))
    return parts[:first] or parts


def _names_of(parts: Iterable[Element], *, also: str = "") -> list[str]:
    return [name for one in parts if one.tag in (*_PEOPLE, also) and (name := _marked_name(one))]


def _marked_name(element: Element) -> str:
    """The name in an element; the first of several alternatives."""
    if element.tag.endswith("-alternatives"):
        return next((name for one in element if (name := _marked_name(one))), "")
    is_person = element.tag in ("name", "string-name")
    return (_name_of_parts(element) if is_person else "") or _ET_AL.sub("", _plain(element).strip(" ,;"))


def _name_of_parts(person: Element) -> str:
    """The name in its marked parts, and in the words beside them if they lack a part; "" if none is marked."""
    surname, given, suffix = (_parts_of(person, *tags) for tags in (_SURNAMES, _GIVEN, _SUFFIXES))
    if not surname and not given:
        return ""
    link, prefix, beside = _parts_of(person, "nameLink"), _parts_of(person, "prefix"), _words_beside(person)
    if surname and given:
        link = link or next(filter(_are_particles, (prefix, beside)), "")
    else:
        surname, given = surname or beside, given or beside
        link = link or (prefix if _are_particles(prefix) else "")
    eastern = person.get("name-style") == "eastern"
    return _full_name(given, f"{link} {surname}".strip(), suffix, eastern=eastern)


def _parts_of(person: Element, *tags: str) -> str:
    parts = (one for tag in tags for one in xml_writer.iter_within(person, tag, outside=_NO_PARTS))
    return " ".join(filter(None, map(_plain, parts)))


def _are_particles(words: str) -> bool:
    """Whether words are particles of a surname, such as "van der"; not if there are none."""
    return bool(words) and all(word.casefold() in PARTICLES for word in words.split())


def _words_beside(person: Element) -> str:
    """The words of a name outside of its marked parts: ``Jane <surname>Roe</surname>``; "" if they are no name."""
    text = _ET_AL.sub("", _REMARK.sub(" ", " ".join(Writer(_BESIDE_PARTS).text_of(person).split())))
    words = [
        word for word in _BETWEEN_WORDS.split(text) if word and not is_suffix(word) and not is_honour(word.strip("."))
    ]
    are_of_name = all(word[0].isupper() or word.casefold() in PARTICLES for word in words)
    return " ".join(words) if are_of_name and any(map(str.isalpha, "".join(words))) else ""


def _full_name(given: str, surname: str, suffix: str, *, eastern: bool = False) -> str:
    """Join the parts of a name: surname first for eastern names and for names in Chinese, Japanese or Korean script."""
    eastern = eastern or bool(_EAST_ASIAN.search(surname) and _EAST_ASIAN.search(given))
    parts = (surname, given) if eastern else (given, surname)
    return " ".join(part for part in (*parts, suffix.strip(" ,")) if part)


def _plain(element: Element | None) -> str:
    return " ".join(Writer(_ACTIONS).text_of(element).split()).strip(" ,;")
