"""When and where a LaTeX source says that the paper was published: commands of classes, before the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scholartools.readers.references.publication import Finding, arxiv_in, doi_in, venue_in, year_in

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_TEXT = re.compile(r"\\(?:maketitle|section|chapter|bibliography|begin\s*\{thebibliography\})")
_ARGUMENT = r"\s*(?:\[[^\]\n]{0,200}\]\s*)?\{([^{}]{1,300})\}"
_COMMANDS = (
    ("doi", re.compile(r"\\(acmDOI|doi|DOI|articledoi)" + _ARGUMENT), doi_in),
    ("year", re.compile(r"\\(acmYear|pubyear|jmlryear|journalyear)" + _ARGUMENT), year_in),
    ("year", re.compile(r"\\(date)" + _ARGUMENT), year_in),
    ("venue", re.compile(r"\\(acmJournal|journal|journalname|jmlrworkshop)" + _ARGUMENT), venue_in),
    ("venue", re.compile(r"\\(acmConference)" + _ARGUMENT), venue_in),
    ("arxiv", re.compile(r"\\(arxiv|arxivid|arXiv|eprint)" + _ARGUMENT), arxiv_in),
)
_DEFINITION = re.compile(r"\\(?:(?:re)?newcommand|providecommand|def|let)\*?\s*\{?\Z")
_PLAIN = re.compile(r"[^\\#$]+")
_LONGEST = 60_000  # characters before the text


def of_latex(source: str) -> Iterator[Finding]:
    """What the source says before its text; values that hold commands or parameters are passed over.

    The year of a class of ACM counts only beside a DOI, for templates print one.
    """
    plain = _COMMENT.sub("", source[:_LONGEST])
    end = _TEXT.search(plain)
    head = plain[: end.start()] if end else plain
    own_doi = any(one.value for one in _of_commands(head, keys=("doi",)))
    for one in _of_commands(head, keys=("doi", "year", "venue", "arxiv")):
        if own_doi or not one.where.startswith("\\acm"):
            yield one


def _of_commands(head: str, *, keys: tuple[str, ...]) -> Iterator[Finding]:
    for key, pattern, read in _COMMANDS:
        for found in pattern.finditer(head) if key in keys else ():
            if _PLAIN.fullmatch(found[2]) and not _DEFINITION.search(head[max(0, found.start() - 40) : found.start()]):
                yield Finding(key, read(found[2]), f"\\{found[1]}", " ".join(found[2].split()))
