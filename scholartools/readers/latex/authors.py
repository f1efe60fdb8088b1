"""Find the authors' names in the varied formats of ``\\author`` in document classes."""

from __future__ import annotations

import re

from scholartools.readers.common import person_names
from scholartools.readers.common.authors import find_authors as names_of_line
from scholartools.readers.common.page import (
    Body,
    Line,
    Span,
    Style,
)

_BETWEEN = re.compile(r"\s*(?:,|;|\||&|·|•|\band\b|\bund\b|\bet\b(?! al)|\s{2,})\s*")
_MARKS = re.compile(r"[\d*†‡§¶∗⋆♯✉#^]+|\$[^$]*\$")
_NOT_A_NAME = re.compile(
    r"[@/:_\\=()\[\]{}]|\b(?:univ|inst|dep|dept|school|college|lab|google|microsoft|et al)", re.IGNORECASE
)
_STYLE = Style("", 10.0)
_GENERATION = re.compile(r"\s+(?:Jr|Sr|I{2,3})\.?$")
_LONGEST = 80  # maximum length of a name, in characters


def find_authors(texts: list[str]) -> list[str]:
    """The distinct names in the arguments of ``\\author``, in order.

    Args:
        texts: the text of each ``\\author``, with blocks separated by empty lines. The first line of a block has names;
            later lines do only if all their parts look like names.
    """
    names: list[str] = []
    for text in texts:
        for block in re.split(r"\n{2,}", text):
            lines = [line for line in block.split("\n") if line.strip(" ,")]
            for index, line in enumerate(lines):
                found = _first_line(line) if not index else _later_line(line)
                names += [name for name in found if name not in names]
    return names


def _first_line(line: str) -> list[str]:
    if listed := person_names.names_surname_first(line):
        return listed
    parts = [" ".join(_MARKS.sub(" ", part).split()).strip(" .,-–") for part in _BETWEEN.split(line)]
    names = [_GENERATION.sub("", person_names.plain_name(part)) for part in parts if not person_names.is_suffix(part)]
    return [name.removeprefix("the ") for name in names if _could_be_name(name)]


def _could_be_name(text: str) -> bool:
    words = text.split()
    if person_names.is_honour(text) or (len(words) == 1 and person_names.says_otherwise(text)):
        return False
    known = 1 <= len(words) <= 6 and len(text) <= _LONGEST and not _NOT_A_NAME.search(text)
    return known and any(char.isalpha() for char in text) and len(text) > 2


def _later_line(line: str) -> list[str]:
    """The names in a line that may also be an affiliation: none unless all parts are names of two words or more."""
    parts = [part for part in _BETWEEN.split(_MARKS.sub(" ", line)) if part.strip()]
    found = names_of_line([Line(1, [Span(line, _STYLE)], 0, 0, 1, 1)], Body(10.0, "", 12.0))
    return found if len(found) == len(parts) else []
