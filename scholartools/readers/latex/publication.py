"""Publication year, venue and identifiers from commands of document classes before the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scholartools.readers.references.publication import Finding, arxiv_in, doi_in, is_left_open, venue_in, year_in

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_UNPRINTED = re.compile(
    r"\\begin\s*\{(comment|filecontents\*?)\}.*?(?:\\end\s*\{\1\}|\Z)|\\iffalse\b.*?(?:\\(?:fi|else)\b|\Z)", re.DOTALL
)
_BRACE = re.compile(r"(?<!\\)[{}]")
# "March 2019", "3rd of May, 2019", "2019-05-03"; further words indicate the date of a draft or of another version.
_DATE = re.compile(
    r"(?:published(?: online)?:? )?[\W\d]*(?:(?:st|nd|rd|th|de|of)\b[\W\d]*)*(?:[^\W\d]+[\W\d]*)?"
    r"(?:(?:st|nd|rd|th|de|of)\b[\W\d]*)*",
    re.IGNORECASE,
)
_OTHER_DATE = re.compile(
    r"submi|draft|revis|updat|compil|version|receiv|accept|edition|print|built|manuscript", re.IGNORECASE
)
_TEXT = re.compile(r"\\(?:maketitle|section|chapter|bibliography|begin\s*\{thebibliography\})")
_ARGUMENT = r"\s*(?:\[[^\]\n]{0,200}\]\s*)?\{([^{}]{1,300})\}"


def _year_of_date(text: str) -> int | None:
    """The year, if the text is only a date."""
    return year_in(text) if _DATE.fullmatch(text.strip()) and not _OTHER_DATE.search(text) else None


_COMMANDS = (
    ("doi", re.compile(r"\\(acmDOI|doi|DOI|articledoi)" + _ARGUMENT), doi_in),
    ("year", re.compile(r"\\(acmYear|pubyear|jmlryear|journalyear)" + _ARGUMENT), year_in),
    ("year", re.compile(r"\\(date)" + _ARGUMENT), _year_of_date),
    ("venue", re.compile(r"\\(acmJournal|journal|journalname|jmlrworkshop)" + _ARGUMENT), venue_in),
    ("venue", re.compile(r"\\(acmConference)" + _ARGUMENT), venue_in),
    ("arxiv", re.compile(r"\\(arxiv|arxivid|arXiv|eprint)" + _ARGUMENT), arxiv_in),
)
_DEFINITION = re.compile(r"\\(?:(?:re)?newcommand|providecommand|def|let)\*?\s*\{?\Z")
_PLAIN = re.compile(r"[^\\#$]+")
_LONGEST = 60_000  # characters of the source that are searched


def of_latex(source: str) -> Iterator[Finding]:
    """Findings before the text of a source; values with commands or parameters are skipped.

    Values of ACM classes count only if there is a DOI too, since the templates have default values.
    """
    plain = _UNPRINTED.sub("", _COMMENT.sub("", source[:_LONGEST]))
    end = _TEXT.search(plain)
    head = plain[: end.start()] if end else plain
    own_doi = any(not is_left_open(one) for one in _of_commands(head, keys=("doi",)))
    for one in _of_commands(head, keys=("doi", "year", "venue", "arxiv")):
        if own_doi or not one.where.startswith("\\acm"):
            yield one


def _of_commands(head: str, *, keys: tuple[str, ...]) -> Iterator[Finding]:
    outside = _outside_braces(head)
    for key, pattern, read in _COMMANDS:
        for found in pattern.finditer(head) if key in keys else ():
            is_defined = _DEFINITION.search(head[max(0, found.start() - 40) : found.start()])
            # Within an argument, such as that of \thanks, another version may be cited.
            if _PLAIN.fullmatch(found[2]) and not is_defined and outside[found.start()]:
                yield Finding(key, read(found[2]), f"\\{found[1]}", " ".join(found[2].split()))


def _outside_braces(head: str) -> list[bool]:
    """For each character, whether it is outside all braces."""
    depth, last = 0, 0
    found: list[bool] = []
    for brace in _BRACE.finditer(head):
        found += [depth == 0] * (brace.start() - last)
        depth, last = max(0, depth + (1 if brace[0] == "{" else -1)), brace.start()
    return found + [depth == 0] * (len(head) - last)
