"""Decide whether two descriptions are of the same paper, by title, first author and year; undecided if insufficient.

Titles only match if they differ in nothing that may change the meaning: a digit, a numeral, a short word, a negation
("unsupervised"), an additional or missing word; a plural s is ignored. Titles with other misprints are not matched, and
null with a reason is returned rather than a wrong paper.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.readers.common.tags import without_tags
from scholartools.records import Record

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

THRESHOLD = 0.85
_GAP = 0.03
_YEARS = 2
_FEWEST_WORDS = 4
# Minimum letters of a word that may differ by an additional letter.
_LONG_WORD = 6
_SURNAME_LIKE = 0.75
# Words that may be added or omitted without changing the meaning.
_EMPTY = frozenset("a an the of on in for and its".split())
_LONGEST_JOIN = 5  # maximum number of words that may be written as one: state-of-the-art
_MARKUP = re.compile(r"\\(?:text|math)(?:bf|it|rm|tt|sc|sf|cal|bb|normal)?\b|\\(?:emph|em)\b")
_TEX_ACCENT = re.compile(r"\\[`'^\"~=.uvHtcdbkr]\s*\{?(\\?[A-Za-z])\}?")
_GREEK = re.compile(r"\\([A-Za-z]+)")
_HYPHENS = re.compile(r"[-\u00ad\u2010-\u2015\u2212]")
_NUMERALS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}


class Match(NamedTuple):
    """The candidate that matches a description.

    Attributes:
        best: index of the candidate; None for no certain match.
        score: score of the best candidate, 0 to 1; None without candidates.
        second: score of the next candidate that is a different work.
        why: reason for no match: "low", "words", "tie", "year", "short", "id-conflict" or "none".
        runner_up: index of the best candidate, if it was not accepted.
    """

    best: int | None
    score: float | None
    second: float | None
    why: str | None
    runner_up: int | None = None

    def record(self, candidates: Sequence[Record]) -> Record:
        """Entry ``matched`` of a record."""
        made: Record = {"score": _rounded(self.score), "second": _rounded(self.second), "threshold": THRESHOLD}
        if self.why is not None:
            made["why"] = self.why
        if self.runner_up is not None:
            other = candidates[self.runner_up]
            made["runner_up"] = {"title": other.get("title"), "year": other.get("year"), "ids": other.get("ids")}
        return made


def match(wanted: Record, candidates: Sequence[Record]) -> Match:
    """Select the candidate that is the wanted paper, or give the reason for none.

    Args:
        wanted: a record or bibliography entry with ``title``, and ``authors``, ``year``, ``ids`` as far as known.
        candidates: records of papers.
    """
    scored = sorted(((score(wanted, one), -place) for place, one in enumerate(candidates)), reverse=True)
    if not scored or not folded_words(wanted.get("title")):
        return Match(None, None, None, "none")
    top, place = scored[0][0], -scored[0][1]
    best = candidates[place]
    others = [(value, -at) for value, at in scored[1:] if not is_same_copy(best, candidates[-at])]
    second = others[0][0] if others else None
    why = _reason(wanted, best, top)
    if why is None and second is not None and top - second < _GAP:
        why = "tie"
    if why is None:
        return Match(place, top, second, None)
    return Match(None, top, second, why, place)


def score(one: Record, other: Record) -> float:
    """Similarity of two descriptions: .7 title, .2 first author, .1 year; unknown parts count half."""
    from rapidfuzz import fuzz

    ours, theirs = folded_words(one.get("title")), folded_words(other.get("title"))
    title = fuzz.ratio("".join(ours), "".join(theirs)) / 100 if ours and theirs else 0.0
    author = _author_likeness(one, other)
    return 0.7 * title + 0.2 * (0.5 if author is None else author) + 0.1 * _year_likeness(one, other)


def folded_words(title: Any) -> list[str]:
    """Words of a title without case, accents, markup and punctuation; hyphenated words are joined."""
    if not isinstance(title, str):
        return []
    text = _TEX_ACCENT.sub(lambda found: found[1].lstrip("\\"), _MARKUP.sub(" ", without_tags(title)))
    text = _GREEK.sub(r" \1 ", text)
    text = unicodedata.normalize("NFKD", _HYPHENS.sub("", text))
    text = "".join(character for character in text if not unicodedata.combining(character)).casefold()
    return re.findall(r"[^\W_]+", re.sub(r"(?<=\w)['\u2018\u2019`](?=s\b)|[{}$]", "", text))


def same_words(one: Any, other: Any) -> bool:
    """Whether two titles have matching words in the same order, ignoring articles and different word division."""
    ours, theirs = folded_words(one), folded_words(other)
    if "".join(ours) == "".join(theirs):
        return bool(ours)
    i = j = 0
    while i < len(ours) or j < len(theirs):
        step = _step(ours, i, theirs, j)
        if step is None:
            return False
        i, j = i + step[0], j + step[1]
    return True


def equal_titles(one: Any, other: Any) -> bool:
    """Whether two non-empty titles are equal apart from case, accents, markup, punctuation and spaces."""
    ours = "".join(folded_words(one))
    return bool(ours) and ours == "".join(folded_words(other))


def surname(record: Mapping[str, Any]) -> str | None:
    """Normalised surname of the first author; None if unknown."""
    authors = record.get("authors")
    first = next((name for name in authors if isinstance(name, str) and name.strip()), None) if authors else None
    if first is None:
        return None
    family, comma, _ = first.partition(",")
    words = folded_words(family if comma else first)
    return ("".join(words) if comma else words[-1]) if words else None


def is_same_copy(one: PaperRecord, other: PaperRecord) -> bool:
    """Whether two candidates are certainly the same work: a common id and no conflicting one."""
    ours, theirs = one.get("ids") or {}, other.get("ids") or {}
    common = [kind for kind in ours.keys() & theirs.keys() if str(ours[kind]).lower() == str(theirs[kind]).lower()]
    return bool(common) and not conflicts(one, other)


def conflicts(one: PaperRecord, other: PaperRecord) -> list[str]:
    """Kinds of ids that conflict, among those of which a paper has only one."""
    ours, theirs = one.get("ids") or {}, other.get("ids") or {}
    return sorted(
        kind
        for kind in ours.keys() & theirs.keys() - {"openalex", "s2", "pmid", "dblp"}
        if str(ours[kind]).lower() != str(theirs[kind]).lower()
    )


def _reason(wanted: Entry, best: Record, top: float) -> str | None:
    """Why the best candidate is not accepted; None if it is."""
    if top < THRESHOLD:
        return "low"
    if not same_words(wanted.get("title"), best.get("title")):
        return "words"
    ours, theirs = wanted.get("year"), best.get("year")
    apart = abs(ours - theirs) if isinstance(ours, int) and isinstance(theirs, int) else None
    if apart is not None and apart > _YEARS:
        return "year"
    if conflicts(wanted, best):
        return "id-conflict"
    is_short = len(folded_words(wanted.get("title"))) < _FEWEST_WORDS
    if is_short and not (apart == 0 and (_author_likeness(wanted, best) or 0.0) >= 1.0):
        return "short"
    return None


def _step(ours: Sequence[str], i: int, theirs: Sequence[str], j: int) -> tuple[int, int] | None:
    """Numbers of matching words of both titles at these positions; None if they do not match."""
    if i < len(ours) and j < len(theirs):
        if _like(ours[i], theirs[j]):
            return 1, 1
        for count in range(2, _LONGEST_JOIN):
            if ours[i] == "".join(theirs[j : j + count]):
                return 1, count
            if theirs[j] == "".join(ours[i : i + count]):
                return count, 1
    if i < len(ours) and ours[i] in _EMPTY:
        return 1, 0
    return (0, 1) if j < len(theirs) and theirs[j] in _EMPTY else None


def _like(one: str, other: str) -> bool:
    """Whether two words are equal, up to a plural s, or s for z in a long word, except for the first letter."""
    if one == other or (one.isdigit() and other.isdigit() and int(one) == int(other)):
        return True
    if one in _NUMERALS or other in _NUMERALS or not (one.isalpha() and other.isalpha()):
        return False
    if min(len(one), len(other)) < _LONG_WORD or one[0] != other[0]:
        return False
    if len(one) == len(other):
        return one.replace("z", "s") == other.replace("z", "s")
    short, long = sorted((one, other), key=len)
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def _author_likeness(one: Entry, other: Entry) -> float | None:
    """1 if the first author's surname is among the first authors of the other, 0 if not, None if unknown."""
    from rapidfuzz import fuzz

    first = surname(one)
    names = [name for name in other.get("authors") or () if isinstance(name, str)][:3]
    words = [word for name in names for word in (*folded_words(name), "".join(folded_words(name.partition(",")[0])))]
    if first is None or not words:
        return None
    return 1.0 if max(fuzz.ratio(first, word) / 100 for word in words) >= _SURNAME_LIKE else 0.0


def _year_likeness(one: PaperRecord, other: PaperRecord) -> float:
    ours, theirs = one.get("year"), other.get("year")
    if not isinstance(ours, int) or not isinstance(theirs, int):
        return 0.5
    return {0: 1.0, 1: 0.7, 2: 0.3}.get(abs(ours - theirs), 0.0)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
