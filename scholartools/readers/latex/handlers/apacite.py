"""Commands that BibTeX styles of apacite and harvard write into bibliographies."""

from __future__ import annotations

import functools

from scholartools.readers.latex.document.state import Command, Document
from scholartools.readers.latex.handlers.citations import start_entry
from scholartools.readers.latex.tex.tokens import tokenize

_MONTHS = "January February March April May June July August September October November December".split()
# What a command prints, by its name.
_WORDS = {
    "BBA": "\\&", "BCBL": ",", "BCBT": ",", "BPBI": ". ", "BHBI": ".-", "BIn": "In", "BED": "Ed.", "BEDS": "Eds.",
    "BTRANS": "Trans.", "BPG": "p.", "BPGS": "pp.", "BVOL": "Vol.", "BVOLS": "Vols.", "BNUM": "No.", "BEd": "ed.",
    "BCHAP": "chap.", "BBOQ": "", "BBCQ": "", "CurrentBib": "",
    "BPhD": "Doctoral dissertation", "BMTh": "Master's thesis",
}  # fmt: skip


def _write_word(document: Document, text: str) -> None:
    document.stream.push(tokenize(text))


def _date(document: Document) -> None:
    """``\\APACrefYearMonthDay{2001}{May}{3}``: printed as (2001, May 3)."""
    year, month, day = (document.stream.argument() for _ in range(3))
    rest = [*month, " ", *day] if month and day else [*month, *day]
    document.stream.push(["(", *year, *([",", " ", *rest] if rest else []), ")"])


def _month(document: Document) -> None:
    number = document.stream.text_argument()
    is_known = number.isdecimal() and 0 < int(number) <= len(_MONTHS)
    document.write(_MONTHS[int(number) - 1] if is_known else number)


def _title(document: Document) -> None:
    """``\\APACrefatitle{title}{title in sentence case}``."""
    title = document.stream.argument()
    document.stream.argument()
    document.stream.push(["\\showarticletitle", "{", *title, "}"])


def _journal(document: Document) -> None:
    """``\\APACjournalVolNumPages{journal}{1}{2}{3--4}``: printed as journal, 1(2), 3--4."""
    journal, volume, number, pages = (document.stream.argument() for _ in range(4))
    numbers = [*volume, *(["(", *number, ")"] if number else [])]
    _join(document, (journal, numbers, pages), ",")


def _two(document: Document, mark: str, ends: str = "") -> None:
    """Two arguments with a mark between them, such as ``\\APACaddressPublisher{place}{publisher}``."""
    _join(document, (document.stream.argument(), document.stream.argument()), mark, ends)


def _join(document: Document, parts: tuple[list[str], ...], mark: str, ends: str = "") -> None:
    joined: list[str] = []
    for part in filter(None, parts):
        joined += [*([mark, " "] if joined else []), *part]
    document.stream.push([*ends[:1], *joined, *ends[1:]] if joined else [])


def _harvard_item(document: Document) -> None:
    """``\\harvarditem[short names]{names}{2001}{key}`` of harvard."""
    short = document.stream.optional()
    names, year = document.stream.argument(), document.stream.argument()
    start_entry(document, document.stream.text_argument(), [*(short or names), "(", *year, ")", *names])


COMMANDS: dict[str, Command] = {
    **{f"\\{name}": functools.partial(_write_word, text=text) for name, text in _WORDS.items()},
    "\\BOthers": functools.partial(_write_word, text="et al"),
    "\\BOthersPeriod": functools.partial(_write_word, text="et al"),
    "\\APACrefYearMonthDay": _date,
    "\\APACmonth": _month,
    **dict.fromkeys(("\\APACrefatitle", "\\APACrefbtitle"), _title),
    "\\APACjournalVolNumPages": _journal,
    **dict.fromkeys(
        ("\\APACaddressPublisher", "\\APACaddressInstitution", "\\APACaddressSchool"),
        functools.partial(_two, mark=":"),
    ),
    **dict.fromkeys(("\\APACbVolEdTR", "\\APACbVolEdpp"), functools.partial(_two, mark=",", ends="()")),
    "\\harvarditem": _harvard_item,
}
