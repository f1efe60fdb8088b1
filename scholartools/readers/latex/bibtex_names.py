"""Split the lists of names of BibTeX: ``Smith, Jr., Ann and Ludwig van Beethoven and others``."""

from __future__ import annotations

import re
from typing import NamedTuple

_MOST = 5_000  # maximum number of names
_OTHERS = "others"  # stands for further people at the end of a list
_SUFFIX = re.compile(r"\{?(?:[JS]r\.?|Junior|Senior|[IVX]{1,4}|\d(?:nd|rd|th))\}?", re.IGNORECASE)


class Person(NamedTuple):
    """A name; the family name includes particles: "van der Berg"."""

    family: str
    given: str = ""
    suffix: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)

    @property
    def stands_for_others(self) -> bool:
        return self == (_OTHERS, "", "")


def split_names(names: str) -> list[Person]:
    """The people of a list in which "and" stands between them; text in braces is not split."""
    words = _split(names, r"\s")
    ends = [at for at, word in enumerate(words) if word.casefold() == "and"]
    parts = [words[a + 1 : b] for a, b in zip([-1, *ends], [*ends, len(words)])][:_MOST]
    return [_read_name(" ".join(part)) for part in parts if any(word.strip(",") for word in part)]


def are_well_formed(people: list[Person]) -> bool:
    """Whether no name has more commas than BibTeX allows, as in a list with commas between the people."""
    return all(not person.suffix or _SUFFIX.fullmatch(person.suffix) for person in people)


def _read_name(name: str) -> Person:
    """A name in one of the forms "Given von Family", "von Family, Given" and "von Family, Jr, Given"."""
    parts = [part.strip() for part in _split(name, ",") if part.strip()]
    if len(parts) > 2:
        suffix, given = (parts[2], parts[1]) if _SUFFIX.fullmatch(parts[2]) else (parts[1], ", ".join(parts[2:]))
        return Person(parts[0], given, suffix)
    if len(parts) == 2:
        return Person(*parts)
    words = _split(parts[0], r"[\s~]")
    start = next((at for at, word in enumerate(words[:-1]) if at and _is_particle(word)), len(words) - 1)
    return Person(" ".join(words[start:]), " ".join(words[:start]))


def _is_particle(word: str) -> bool:
    """Whether a word begins with a lower-case letter outside braces, as in "van 't"."""
    letter = next((sign for sign in word if sign.isalpha() or sign in "{\\"), "")
    return letter.islower()


def _split(text: str, between: str) -> list[str]:
    """The parts of a text between characters that match a pattern outside braces."""
    parts, depth, start = [], 0, 0
    for found in re.finditer(rf"\\.|[{{}}]|{between}", text, re.DOTALL):
        if found[0] in "{}":
            depth = max(0, depth + (1 if found[0] == "{" else -1))
        elif not depth and found[0][0] != "\\":
            parts.append(text[start : found.start()])
            start = found.end()
    return [part for part in [*parts, text[start:]] if part]
