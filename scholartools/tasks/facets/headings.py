"""Find the headings of structured abstracts ("Methods:"), and restrict the labels of the sentences below."""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scholartools.tasks.facets import cues
from scholartools.tasks.facets.facet_sets import LABELS

Sentence = tuple[str, int, int]


Allowed = tuple[int, ...]


Span = tuple[int, int]


ANY: Allowed = tuple(range(len(LABELS)))


OTHER: Allowed = (LABELS.index("other"),)


_CAPITALISED = re.compile(r"[A-Z][A-Za-z]+")


# End of a sentence with closing quotes or notes, or the start of the text or of a line.
_SENTENCE_END = re.compile(r"(?:(?:[.!?][)\]\u201d\u2019\"']{0,2}|\A|\n)(?:\[[\d, \u2013-]{1,12}\])?\s*)\Z")
_SMALL = re.compile(r"(?<![^\W_])[a-z]{2,}")


# Context in characters before a heading: its number and marks, and the end of the previous sentence.
_LOOK_BACK = 96
# Context after it, in addition to blanks and a line break.
_LOOK_AHEAD = 8


_NUMERAL = r"(?:\d{1,2}|[IVX]{1,4}|[ivx]{1,4}|[A-La-l])"


# Printed forms of a number, reversed: "(1)", "[1]", "1)", "1.", "1".
_PRINTED = rf"(?:\){_NUMERAL}\(?|\]{_NUMERAL}\[|\.{_NUMERAL}|(?<=[ \t\u00a0])(?:\d{{1,2}}|[IVX]{{1,4}}))"


_OPENING_TAG = r"\s{0,2}>[^<>]{0,40}[A-Za-z]<"  # reversed


_BULLETS = "#•▪◦‣►■●○"


# What may precede a heading: marks, a number, more marks. Matched on the reversed text, from the heading backwards.
_LEAD = re.compile(
    rf"(?P<near>[(\[]?(?:[*_]{{1,3}}|{_OPENING_TAG})?)"
    rf"(?P<number>[ \t\u00a0]{{0,3}}{_PRINTED}(?=[\s*_>{_BULLETS}]|\Z))?"
    rf"(?:[ \t][-*](?=[\r\n]|\Z)|[ \t]?[{_BULLETS}]{{1,6}}(?=\s|\Z)|[*_]{{1,3}}(?=\s|\Z)|{_OPENING_TAG}){{0,3}}"
)


_ROMAN = "I II III IV V VI VII VIII IX X XI XII".split()
# Values of non-digit numerals, by type.
_NUMBERED = {
    form: {numeral: number for number, numeral in enumerate(numerals, 1)}
    for form, numerals in (
        ("I", _ROMAN),
        ("i", [one.lower() for one in _ROMAN]),
        ("A", "ABCDEFGHIJKL"),
        ("a", "abcdefghijkl"),
    )
}


# Maximum difference of consecutive heading numbers: a heading between them may have an unknown name.
_STEP = 3


_ENDS = frozenset("*.!?:;)]}\"'\u201d\u2019%*\u2026\n\r")


# A tag, or a footnote number after a full stop: "is known.12", "is known.4,5".
_ENDED = re.compile(
    r"(?:</?[A-Za-z][^<>]{0,40}>|[^\W\d_][)\]%\u201d\u2019\"']{0,2}[.!?][\u201d\u2019\"']?\d{1,3}(?:[,\u2013-]\d{1,3}){0,9})\Z"
)


_STARTS_PARAGRAPH = re.compile(r"(?:\A|\n[ \t]*\r?\n)\s*\Z")


# What may follow a heading, as opposed to a word of a sentence.
_FOLLOWED = re.compile(r"[ \t*_\])]{0,4}(?::|\.(?:\s|\Z)|\||[-\u2013\u2014]\s|\u2014|\r?\n|\Z)|[*_\])]{1,3}\s|</")


_WRAPPED = re.compile(r"[ \t]{0,3}\r?\n[ \t]*[a-z]")


class _Candidate(NamedTuple):
    """A possible heading.

    Attributes:
        start: offset without its number.
        numbered_from: offset if the preceding number belongs to it; None if there is none.
        numeral: the printed number with brackets or full stop.
        sure: whether the number starts a paragraph, so that it cannot end the previous sentence.
        clear: whether the heading is in capitals, or is not followed by the words of a sentence.
    """

    start: int
    numbered_from: int | None
    numeral: str
    sure: bool
    clear: bool
    allowed: Allowed

    def at(self, place: int) -> _Candidate:
        """The candidate shifted by an offset."""
        number = None if self.numbered_from is None else self.numbered_from + place
        return _Candidate(self.start + place, number, *self[2:])


def find_headings(text: str) -> list[tuple[int, Allowed]]:
    """Start of each heading, with its number and marks, and the labels it allows.

    Empty unless the headings name at least two facets. If headings that are in capitals, or followed by a colon, a dash
    or a line break, name two facets, other candidates are words of a sentence ("Patients 65 or older"). A number
    belongs to a heading if it starts a paragraph or continues the sequence of other headings; otherwise it ends the
    preceding text ("aged 18 to 65. Methods:"). Lower-case headings need a colon, and the abstract must start with one.
    """
    first_words = _heading_first_words()
    if text[:1].islower() and (small := _small_headings(text)):
        return small
    if sum(map(first_words.__contains__, map(str.lower, _CAPITALISED.findall(text)))) < 2:
        return []
    found = list(_candidates(text, first_words))
    clear = [one for one in found if one.clear]
    found = clear if _n_facets(clear) >= 2 else found
    if _n_facets(found) < 2:
        return []
    numbered = _in_sequence(found)
    return [
        (one.start if number is None or not (one.sure or place in numbered) else number, one.allowed)
        for place, one in enumerate(found)
        for number in [one.numbered_from]
    ]


def _n_facets(found: Iterable[_Candidate]) -> int:
    return _count_facets(one.allowed for one in found)


def _count_facets(found: Iterable[Allowed]) -> int:
    return len({allowed for allowed in found if len(allowed) == 1 and allowed != OTHER})


def _small_headings(text: str) -> list[tuple[int, Allowed]]:
    """Lower-case headings ("aim: ... methods: ..."); none unless the first word of the text starts one."""
    first_words, patterns = _heading_first_words(), _heading_patterns()
    found = []
    for word in _SMALL.finditer(text):
        if word.group() not in first_words or not (match := patterns[0].match(text, word.start())):
            continue
        before = _before(text, word.start())
        if text.startswith(":", match.end()) and (_SENTENCE_END.search(before) or _ENDED.search(before.rstrip())):
            found.append((match.start(), _named_by(match.group())))
    return found if found and not found[0][0] and _count_facets(named for _, named in found) >= 2 else []


def _candidates(text: str, first_words: frozenset[str]) -> Iterator[_Candidate]:
    """Possible headings in order, without look-alikes inside sentences."""
    read_to = 0
    known: dict[tuple[str, str, str, bool], _Candidate | None] = {}
    for word in _CAPITALISED.finditer(text):
        if word.start() < read_to or word.group().lower() not in first_words:
            continue
        if match := _heading_patterns()[0].match(text, word.start()):
            start, read_to = match.span()
            # cache for repetitive texts: the same heading in the same context gives the same candidate
            around = (text[max(0, start - 2 * _LOOK_BACK) : start], text[read_to : read_to + _LOOK_AHEAD])
            key = (match.group(), *around, _WRAPPED.match(text, read_to) is not None)
            if key not in known:
                known[key] = _candidate(text, match)
            if candidate := known[key]:
                yield candidate.at(start)


def _candidate(text: str, match: re.Match[str]) -> _Candidate | None:
    """Turn a match into a candidate, if its context allows a heading."""
    loud = match.group().isupper()
    followed = _FOLLOWED.match(text, match.end()) is not None
    if not followed and not loud and not text[match.end() + 1][:1].isupper() and not text[match.end() + 1].isdigit():
        return None
    lead = _LEAD.match(_before(text, match.start())[::-1])
    assert lead is not None  # the pattern matches the empty string
    outer, inner = match.start() - lead.end(), match.start() - lead.end("near")
    numeral = (lead["number"] or "")[::-1].strip()
    numbered_from = outer if numeral and _is_ended(text, outer) else -1
    start = inner if numeral else outer
    if outer == inner and not _is_own(text, start, match):
        start = match.start()
    ended = numbered_from >= 0 or _is_ended(text, start) or (loud and text.startswith(":", match.end()))
    if not ended or (_WRAPPED.match(text, match.end()) and text[max(0, start - 1) : start] not in ("", "\n")):
        return None
    sure = numbered_from >= 0 and _STARTS_PARAGRAPH.search(_before(text, numbered_from)) is not None
    place = match.start()
    number = None if numbered_from < 0 else numbered_from - place
    return _Candidate(start - place, number, numeral, sure, loud or followed, _named_by(match.group()))


def _before(text: str, end: int) -> str:
    return text[max(0, end - _LOOK_BACK) : end]


def _is_own(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the marks directly before a heading belong to it: "**Methods**", but not "0.05*Methods"."""
    glued = text[start] in "*_" and _before(text, start)[-1:].strip()
    return not glued or text[start] in text[match.end() : match.end() + 3]


def _is_ended(text: str, end: int) -> bool:
    """Whether a heading can start at an offset: at the start of the text or a line, or after a sentence."""
    before = _before(text, end).rstrip(" \t\u00a0")
    return not before or before[-1] in _ENDS or _ENDED.search(before) is not None


def _in_sequence(found: Sequence[_Candidate]) -> set[int]:
    """Indices of the headings with consecutive numbers: the longest such sequence in one style of numerals."""
    longest: dict[tuple[str, int], list[int]] = {}
    best: list[int] = []
    for place, one in enumerate(found):
        if one.numbered_from is None:
            continue
        for form, number in _readings(one.numeral):
            before = max((longest.get((form, number - step), []) for step in range(1, _STEP + 1)), key=len)
            longest[form, number] = run = [*before, place]
            best = max(best, run, key=len)
    return set(best) if len(best) > 1 else set()


def _readings(numeral: str) -> Iterator[tuple[str, int]]:
    """Possible values of a printed numeral, each with its style: "i)" may be 1 or 9."""
    bare = numeral.strip("()[].")
    if bare.isdigit():
        yield numeral.replace(bare, "#"), int(bare)
    for form, numbers in _NUMBERED.items():
        if bare in numbers:
            yield numeral.replace(bare, form), numbers[bare]


def _named_by(heading: str) -> Allowed:
    """Labels that a heading allows: those of all names in it."""
    names = _heading_names()
    return tuple(sorted({names[name.lower()] for name in _heading_patterns()[1].findall(heading)}))


def _names(words: str) -> list[str]:
    return words.split(" | ")


@functools.cache
def _heading_names() -> dict[str, int]:
    """Label index of each name in headings."""
    return {name: LABELS.index(facet) for facet, names in cues.HEADINGS.items() for name in _names(names)}


@functools.cache
def _heading_first_words() -> frozenset[str]:
    """Words with which a heading can start."""
    return frozenset(re.split(r"[ ']", name)[0] for name in (*_heading_names(), *_names(cues.HEADING_QUALIFIERS)))


@functools.cache
def _heading_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of a heading with its required right context, and of a name in a heading."""
    names = sorted(_heading_names(), key=len, reverse=True)
    qualifiers = _names(cues.HEADING_QUALIFIERS)
    one = (
        rf"(?:(?:{'|'.join(qualifiers)})\s)?(?:{'|'.join(names)})(?![^\W_])"
        r"(?:\s(?:of|for)\s(?:the|this|our)\s(?:study|review|trial|paper|work|research))?"
    )
    joined = rf"{one}(?:(?:,?\s(?:and|&)\s|,\s|\s?/\s?){one}){{0,4}}"
    return re.compile(rf"(?i:{joined})(?=\s\S|{_FOLLOWED.pattern})"), re.compile(rf"\b(?i:{'|'.join(names)})\b")


def is_broken(text: str, places: Iterable[Span], breaks: Sequence[int]) -> list[Span]:
    """Split sentences at the headings inside them."""
    if not breaks:
        return list(places)
    parts: list[Span] = []
    for start, end in places:
        inside = breaks[bisect_right(breaks, start) : bisect_right(breaks, end - 1)]
        cuts = [start, *inside, end]
        parts += ((first, first + len(text[first:last].rstrip())) for first, last in pairwise(cuts))
    return parts


def label_under_headings(places: Sequence[Span], headings: Sequence[tuple[int, Allowed]]) -> list[Allowed]:
    """Labels that the heading above each sentence allows."""
    starts = [start for start, _ in headings]
    allowed = [ANY, *(named for _, named in headings)]
    return [allowed[bisect_right(starts, start)] for start, _ in places]
