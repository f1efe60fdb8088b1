"""Find the venue of a printed reference: the journal, proceedings or book after its title."""

from __future__ import annotations

import re

from scholartools.readers.references.identifiers import without_identifiers
from scholartools.readers.references.names import YEAR, Names

_LONGEST = 250  # maximum characters of a venue
_MARK = "\0"  # replaces an identifier
_CLOSED = ("”", '"', "’", "'", "»")
_QUOTES = " .,;:?!”\"’'»"
_TAGS = re.compile(
    r"\s*[(\[](?:online|internet|preprint|dissertation|computer software|in [A-Z]\w+)[)\]]\W*", re.IGNORECASE
)
_DATE = re.compile(rf"\(?{YEAR}[a-z]?\)?[.,;:]?\s*")
_IN = re.compile(r"in(?:\s?:|(?=\s+[A-Z“\"]))\s*", re.IGNORECASE)
# "A. Smith and B. Jones (Eds.), " or "Smith A, editor. " before the name of a book.
_EDITORS = re.compile(r"[^()\d:;]{3,150}?[\s,(]*\b(?:eds?|editors?|hrsg)\b[.)]*[.,:;]?\s+", re.IGNORECASE)
_EDITED = re.compile(r",?\s*\(?\b(?:edited by|eds?\.|editors?)\b.*", re.IGNORECASE)
_NO_VENUE = re.compile(
    r"arxiv|corr\b|biorxiv|medrxiv|preprint|ph\.?\s?d|doctoral|master|thesis|diss|tech(?:nical|\.)? rep|report\b|"
    r"retrieved|available|accessed|url\b|doi\b|https?:|www\.|submitted|to appear|in press|unpublished|forthcoming|"
    r"vol\b|volume\b|pages?\b|pp?\.|no\.|university|\d|[(\[]",
    re.IGNORECASE,
)
_PUBLISHER = re.compile(
    r"\b(?:press|publish\w*|verlag|books|inc|ltd|wiley|elsevier|springer|university)\b", re.IGNORECASE
)
_REPORT = re.compile(r"\b(?:technical report|tech\. rep|thesis|dissertation)\b", re.IGNORECASE)
_NUMBER = re.compile(r",\s\d{1,4}(?:[–-]\d{1,4})?$")
# Text right after a journal: its volume, or a year and then a volume or pages.
_VOLUME = (
    rf"(?:(?:vol(?:ume)?\.?|no\.)\s?\w|{YEAR}\s?[;,]\s?(?:\w?\d)|\(?{YEAR}\)?[;:,]?\s\d{{1,4}}\b"
    r"|(?!(?:1[89]|20)\d\d(?!\d))\d{1,4}\b)"
)
_JOURNAL = re.compile(
    rf"(?P<name>[^\d()\[\];{_MARK}]{{2,120}}?)(?:\([A-Z&-]{{2,12}}\))?[\s.,;:(]*(?={_VOLUME})", re.IGNORECASE
)
_BEFORE_YEAR = re.compile(rf"(?P<name>[^\d()\[\];{_MARK}]{{2,120}}?),\s*\(?{YEAR}\W*$")
# "R. Roe, J. Phys. 12, 3 (2001)", "Roe R., 2001, Journal of Physics, 12, 3"
_UNTITLED = re.compile(
    rf",\s(?P<name>[A-Z][^,\d()\[\]]{{1,80}}?),?\s\d{{1,4}},\s[A-Za-z]?\d+[–\d-]{{0,12}}(?:\s\({YEAR}\)|\.?\s*$)"
)
_PRESS = r"(?:[A-Z][\w&.’'-]+\s(?:of\s)?){0,4}(?:Press|Publish\w*|Verlag|Springer|IEEE|ACM|Elsevier)\b"
_BOOK_ENDS = (
    r"\s*[(\[]", r",?\s+(?:(?:pages|volume|series)\s|(?:pp?|vol)\.?\s?\d)", rf",\s*(?:[A-Z][\w ]{{2,30}}: )?{_PRESS}",
    rf"(?:,\s[A-Z][\w ]{{2,20}})?[,;]\s*{YEAR}", rf"[;{_MARK}]", r"\.?\s*$", r",?\s*edited by\b",
)  # fmt: skip
_SENTENCE_END = r"|(?<=[a-z]{3})\.\s+[A-Z“]"  # requires three letters, to skip abbreviations
_BOOK = re.compile(rf"(?P<name>[^{_MARK}]{{4,{_LONGEST}}}?)(?=[.,;]?(?:{'|'.join(_BOOK_ENDS)}){_SENTENCE_END})")
_ABBREVIATED = re.compile(rf"(?P<name>Proc\.[^{_MARK}]{{4,{_LONGEST}}}?)(?=[.,;]?(?:{'|'.join(_BOOK_ENDS)}))")


def find_venue(plain: str, title: str | None, names: Names | None) -> str | None:
    """The journal, proceedings or book that a reference appeared in, as printed; None if uncertain.

    Books, theses, reports, preprints and web pages have no venue.

    Args:
        plain: the reference without its label.
        title: the title as it is in ``plain``, if known.
        names: the names at the start, if any; without a title, a journal is found only if there are names.
    """
    if title is None:
        found = _UNTITLED.search(plain) if names is not None else None
        return _check_venue(found["name"]) if found and not _PUBLISHER.search(found["name"]) else None
    rest = plain.partition(title)[2]
    quoted = rest.lstrip(",.?!").startswith(_CLOSED)
    rest = _TAGS.sub("", without_identifiers(rest, _MARK).lstrip(_QUOTES), count=1).lstrip(_QUOTES)
    rest = _DATE.sub("", rest, count=1) if _DATE.match(rest) else rest
    inside = _IN.match(rest)
    return _book(rest[inside.end() :]) if inside else _journal(rest, quoted)


def _journal(rest: str, quoted: bool) -> str | None:
    """A journal before its volume; after a quoted title, which rules out a book, also one before a year."""
    found = _JOURNAL.match(rest) if not _NO_VENUE.match(rest) else None
    if found is None and quoted and not _NO_VENUE.match(rest):
        found = _BEFORE_YEAR.match(rest)
    return _check_venue(found["name"]) if found and not _PUBLISHER.search(found["name"]) else None


def _book(rest: str) -> str | None:
    editors = _EDITORS.match(rest)
    rest = rest[editors.end() :] if editors else rest
    if re.match(r"press\b|preparation|\d", rest, re.IGNORECASE):
        return None
    found = _ABBREVIATED.match(rest) or _BOOK.match(rest)
    return _check_venue(_EDITED.sub("", found["name"])) if found else None


def _check_venue(found: str) -> str | None:
    """A candidate without surrounding punctuation and numbers, or None if it cannot be a venue."""
    name = " ".join(found.split()).strip(' ,;:“”"')
    name = _NUMBER.sub("", name)
    name = name if re.search(r"\b[A-Z][a-z]{0,6}\.$", name) else name.rstrip(".")
    letters = sum(map(str.isalpha, name))
    if name.rstrip(".") in ("Proc", "Proceedings", "Vol") or _REPORT.search(name):
        return None
    return name if name[:1].isupper() and letters > 1 and len(name) <= _LONGEST else None
