"""Publication year, venue and identifiers of a JATS article or a TEI document."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from scholartools.readers.references.publication import Finding, arxiv_in, doi_in, venue_in, year_in

_PRINTED = ("ppub", "collection", "print", "cover")  # the date of the issue takes precedence over the online date
_PUBLISHED = ("published", "publication", "print", "electronic", "online", "issue", "issued")  # dates of TEI
_ONLINE = ("epub", "pub", "electronic", "epub-ppub", "published", "epubl", None)


def of_jats(article: Element) -> Iterator[Finding]:
    """Findings in ``journal-meta`` and ``article-meta``; dates of receipt, preprints and releases are skipped."""
    for element in article.iterfind("front/article-meta/article-id"):
        kind, text = (element.get("pub-id-type") or "").casefold(), _text_of(element)
        if kind == "doi":
            yield Finding("doi", doi_in(text), "article-meta/article-id", text)
        elif kind == "arxiv":
            yield Finding("arxiv", arxiv_in(text), "article-meta/article-id", text)
    for path in ("journal-title-group/journal-title", "journal-title"):
        for element in article.findall(f"front/journal-meta/{path}")[:1]:
            yield Finding("venue", venue_in(_text_of(element)), "journal-meta/journal-title", _text_of(element))
    dates = article.findall("front/article-meta/pub-date")
    for kinds in (_PRINTED, _ONLINE):
        for date in dates:
            dated = date.get("pub-type") or date.get("date-type")
            if dated in kinds and (year := date.find("year")) is not None:
                yield Finding(
                    "year", year_in(_text_of(year)), f"article-meta/pub-date {dated or ''}".strip(), _text_of(year)
                )


def of_tei(document: Element) -> Iterator[Finding]:
    """Findings in the source description of the TEI header."""
    for source in document.findall("teiHeader/fileDesc/sourceDesc/biblStruct")[:1]:
        for element in (one for path in ("idno", "analytic/idno", "monogr/idno") for one in source.iterfind(path)):
            kind, text = (element.get("type") or "").casefold(), _text_of(element)
            if kind == "doi":
                yield Finding("doi", doi_in(text), "biblStruct/idno", text)
            elif kind == "arxiv":
                yield Finding("arxiv", arxiv_in(text), "biblStruct/idno", text)
        for title in source.findall("monogr/title")[:1] if source.find("analytic") is not None else ():
            yield Finding("venue", venue_in(_text_of(title)), "biblStruct/monogr/title", _text_of(title))
        for date in source.iterfind("monogr/imprint/date"):
            if (date.get("type") or "published").casefold() not in _PUBLISHED:
                continue
            text = date.get("when") or _text_of(date)
            yield Finding("year", year_in(text), "biblStruct/monogr/imprint/date", text)


def _text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())
