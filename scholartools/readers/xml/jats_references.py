"""The bibliography of a JATS article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from scholartools.readers.references.entries import parse_entry, with_same_authors
from scholartools.readers.references.identifiers import marked_doi
from scholartools.readers.xml import writer
from scholartools.readers.xml.jats_markup import ACTIONS, plain_text
from scholartools.readers.xml.names import jats_people
from scholartools.readers.xml.writer import Action, Writer

_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation")
_TITLES = ("article-title", "chapter-title", "part-title", "data-title", "source")
_LONGEST = 2_000  # characters of an entry that are searched for details
_WORD = re.compile(r"\w+")
_REPEATED = 0.6  # minimum share of the words of a marked citation in the printed form of the same entry
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z][a-z.-]{1,12}/\d{7}", re.IGNORECASE)

# Parts of a citation that some files put next to each other without a separator.
_PARTS: dict[str, Action] = writer.action_table(
    (
        writer.write_word,
        "name string-name surname given-names collab year article-title chapter-title source volume issue "
        "fpage publisher-name publisher-loc pub-id ext-link comment person-group",
    ),
)


def reference_records(article: Element) -> list[dict[str, Any]]:
    """The entries of all reference lists of the article (without sub-articles), in order, without ids."""
    inside = [part for part in article if part.tag in ("front", "body", "back")]
    refs = (ref for part in inside for ref in writer.iter_within(part, "ref", outside=("ref",)))
    return with_same_authors([record for ref in refs for record in _entries_of(ref)])


def _entries_of(ref: Element) -> Iterator[dict[str, Any]]:
    label = plain_text(ref.find("label"))
    citations = [child for child in ref if child.tag in (*_CITATIONS, "citation-alternatives")]
    for forms in _forms_of_entries(citations or [ref]):
        structured = next((form for form in forms if form.tag != "mixed-citation"), forms[0])
        printed = next((form for form in forms if form.tag == "mixed-citation"), forms[0])
        text = _mixed_text(printed) if _has_own_text(printed) else _compose_entry(structured)
        if text:
            mark = f"{label}." if label.isdigit() else label
            whole = text if text.startswith(label) else f"{mark} {text}"
            yield {**_find_details(structured, text), "text": whole}


def _forms_of_entries(citations: list[Element]) -> Iterator[list[Element]]:
    """The forms of each entry: those in ``citation-alternatives``, or a printed and a marked form in a row."""
    forms: list[Element] = []
    for citation in citations:
        if forms and _are_forms_of_one(forms, citation):
            yield [*forms, citation]
            forms = []
            continue
        if forms:
            yield forms
        forms = [child for child in citation if child.tag in _CITATIONS] or [citation]
    if forms:
        yield forms


def _are_forms_of_one(forms: list[Element], citation: Element) -> bool:
    """Whether a citation repeats the one before it in the other form, with most of the words of the marked form."""
    both = {*(form.tag for form in forms), citation.tag}
    if len(forms) > 1 or len(both) == 1 or "mixed-citation" not in both:
        return False
    printed, marked = forms[0], citation
    if printed.tag != "mixed-citation":
        printed, marked = marked, printed
    words = _WORD.findall("\n".join(marked.itertext()).casefold())
    held = set(_WORD.findall("\n".join(printed.itertext()).casefold()))
    return bool(words) and sum(word in held for word in words) > _REPEATED * len(words)


def _has_own_text(citation: Element) -> bool:
    """Whether there is text or punctuation between the parts of an entry."""
    between = "".join([citation.text or "", *(child.tail or "" for child in citation)])
    return any(char.isalnum() or char in ".,;:()" for char in between)


def _mixed_text(citation: Element) -> str:
    text = Writer({**ACTIONS, **_PARTS}).text_of(citation)
    return re.sub(r" +([.,;:)])", r"\1", " ".join(text.split())).replace("( ", "(")


def _compose_entry(citation: Element) -> str:
    """Format an entry in a plain style: authors (year). Title. Source volume(issue): pages. Identifiers."""
    names = jats_people(citation) or []
    year, title, source, volume, issue, publisher = (
        plain_text(writer.find_first(citation, *paths))
        for paths in (("year",), _TITLES[:-1], ("source",), ("volume",), ("issue",), ("publisher-name",))
    )
    pages = "–".join(part for part in (plain_text(citation.find("fpage")), plain_text(citation.find("lpage"))) if part)
    pages = pages or plain_text(citation.find("elocation-id"))
    where = " ".join(part for part in (source, f"{volume}{f'({issue})' if issue else ''}") if part)
    where = f"{where}: {pages}" if where and pages else where
    doi = next(iter(_marked_dois(citation).values()), None)
    head = " ".join(part for part in (", ".join(names), f"({year})" if year else "") if part)
    comment = " ".join(plain_text(one) for one in citation.iterfind("comment"))
    parts = (head, title, where, publisher, comment, f"doi:{doi}" if doi else "")
    text = " ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part)
    return text or plain_text(citation)


def _find_details(citation: Element, text: str) -> dict[str, Any]:
    """Authors, title, venue, year, DOI and arXiv identifier from the markup, else parsed from the text."""
    guessed = parse_entry(text[:_LONGEST])
    source = plain_text(citation.find("source")).rstrip(". ")
    in_journal = citation.get("publication-type", citation.get("citation-type")) == "journal"
    marked = plain_text(writer.find_first(citation, *(_TITLES[:-1] if in_journal else _TITLES))).rstrip(". ")
    guess = None if in_journal and guessed["title"] == source else guessed["title"]
    year = _YEAR.search(plain_text(citation.find("year")))
    people, dois = jats_people(citation), _marked_dois(citation)
    return {
        **guessed,
        "authors": guessed["authors"] if people is None else people or None,
        "title": marked or guess,
        "venue": source if source and source != marked and (marked or in_journal) else guessed["venue"],
        "year": int(year[0]) if year else guessed["year"],
        "doi": (next(iter(dois.values())) if len(dois) == 1 else None) if dois else guessed["doi"],
        "arxiv": _find_arxiv(citation) or guessed["arxiv"],
    }


def _marked_dois(citation: Element) -> dict[str, str]:
    """The DOIs marked in a citation, else those in its links, by their case-folded form."""
    addresses = [one.get("href", "") for one in citation.iter("ext-link")]
    for texts in (_marked_as(citation, "doi"), [one for one in addresses if "doi.org/10." in one]):
        if found := {doi.casefold(): doi for text in texts if (doi := marked_doi(text))}:
            return found
    return {}


def _find_arxiv(citation: Element) -> str | None:
    found = (_ARXIV.search(text) for text in _marked_as(citation, "arxiv"))
    return next((one[0].rstrip(".,;") for one in found if one), None)


def _marked_as(citation: Element, kind: str) -> Iterator[str]:
    """The texts and links of the elements that mark an identifier of a kind."""
    for element in citation.iter():
        kinds = (element.get("pub-id-type"), element.get("ext-link-type"), element.get("assigning-authority"))
        if kind in kinds:
            yield from (plain_text(element), element.get("href", ""))
