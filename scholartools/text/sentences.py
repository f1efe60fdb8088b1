"""Sentences, as offsets into the text that they are from.

nupunkt proposes the boundaries. Its model was trained on legal text, where "cancer." and "tasks." are abbreviations;
two small tables correct it for scientific text: :data:`BREAKS` adds boundaries that it misses, :data:`NEVER` removes
boundaries that it puts inside a sentence. Measured on 7,589 abstracts (74,129 boundaries) whose division into sentences
is known, nupunkt alone misses 1.1% of the boundaries, with the tables 0.6%; of the boundaries found, 0.7% are none by
that division with and without the tables (of 60 of nupunkt's, about three quarters were oversights of the division).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from scholartools.text.repeats import remember_short, restore_repeats, without_repeats

# The end of a paragraph: a line break, then at least one line that is empty or blank.
_PARAGRAPH_END = re.compile(r"\n(?:[^\S\n]*\n)+|\u2029")

# nupunkt takes quadratic time inside a run without whitespace; the middle of such a run holds no boundary it can see.
_LONG = 400
_LONG_RUN = re.compile(rf"(?<!\S)\S{{{_LONG},}}")
_RUN_EDGE = 100

# Without any of these nupunkt finds one sentence: a mark that is followed by no part of a word, or a line break. Where
# it need not look, an abstract of five sentences takes 16 us, else 24.
_UNDECIDED = re.compile(r"[.!?\u2026](?=\W)|\n")

# A question or exclamation mark inside a name, by the table of what begins no sentence, between words without a mark.
# It starts with the mark: with what comes before it first, a search takes a twelfth of the time that facets take.
_MARK_IN_A_NAME = re.compile(r"[!?](?<=[a-z][!?])(?= [a-z])")

# A word without a mark that could end a sentence.
_WORD = re.compile(r"[^\s.!?\u2026\u3002\uff01\uff1f]+")

# What a correction may look at on each side of a boundary, in characters.
_WINDOW = 40

_CLOSERS = r"[\"')\]}\u201d\u2019\u00bb]{0,3}"
# A capitalised word of four to seven letters may be shortened ("Trans.", "Corresp.").
_NOT_SHORTENED = "".join(rf"(?<![A-Z][a-z]{{{more}}}\.)" for more in (3, 4, 5, 6))
_MARKS = r"\d{1,2}(?:[,\u2013-]\d{1,2}){0,5}|[*\u2020\u2021\u00a7]{1,3}"
_SUPERSCRIPT = r"[\u00b9\u00b2\u00b3\u2070-\u2079]{1,4}"
_CITATION = r"\[\d{1,3}(?:[,;\u2013-]\s?\d{1,3}){0,9}\]"

_OPENERS = """
    A After All Although Among An And Another As At Because Before Between Both But By Compared Despite Due During Each
    Finally First Following For From Furthermore Given Group Here Hence How However If In Indeed Instead It Its Many
    Moreover Most Neither No None Nevertheless Of On One Only Other Our Over Overall Participants Patients Results
    Second Secondary Several Similarly Since Some Subjects Such That The Their Then There Therefore These They This
    Those Three Thus To Two Under Until Using We What When Whereas Which While With Within Without Yet You
"""
_OPENER = rf"(?:{'|'.join(_OPENERS.split())})(?=[\s,])"

# Words whose full stop never ends a sentence.
_INSIDE = """
    e.g. i.e. cf. vs. viz. w.r.t. a.k.a. s.t. resp. approx. incl. esp. ca. nr. subsp. Mr. Mrs. Ms. Dr. Prof. St.
"""

# Words that name a numbered thing: their full stop ends no sentence where a number, a letter or a list follows.
_LABELS = """
    Fig. Figs. Tab. Tabs. Tbl. Eq. Eqs. Eqn. Eqns. Sec. Secs. Sect. Sects. Ch. Chs. Chap. App. Appx. Alg. Algs. Thm.
    Thms. Lem. Cor. Prop. Props. Def. Defs. Rem. Ex. Exs. Exp. Expt. Expts. Obs. Ref. Refs. Suppl. Supp. Vol. No. Nos.
    pp. p. Art. Prob. Conj.
"""


def _any_of(words: str) -> str:
    return "|".join(re.escape(word) for word in words.split())


#: Boundaries that nupunkt misses, by what precedes them. Each pattern ends where the next sentence begins. Each starts
#: with its mark, so that a search is quick.
BREAKS: dict[str, str] = {
    "a plain word, an abbreviation in legal text": rf"\.(?<=[a-z]{{3}}\.){_NOT_SHORTENED}{_CLOSERS}\s+(?=[A-Z\u201c])",
    "an acronym, a letter, a unit": rf"\.(?<=\w\.){_CLOSERS}\s+(?={_OPENER})",
    "a footnote mark": rf"\.(?<=[a-z)\]]{{3}}\.){_CLOSERS}(?:{_MARKS})\s+(?=[A-Z])",
    "a superscript mark": rf"\.(?<=[a-z)\]]{{2}}\.){_CLOSERS}{_SUPERSCRIPT}(?:,{_SUPERSCRIPT}){{0,5}}\s+(?=[A-Z])",
    "a citation after the full stop": rf"\.(?<=[a-z)\]]{{2}}\.)\s?{_CITATION}\s+(?=[A-Z])",
}
#: Another boundary that it misses: an ideographic full stop, the last of a run of such.
IDEOGRAPHIC_BREAK = (
    r"[\u3002\uff01\uff1f][\u300d\u300f\u201d\uff09]?(?=[^\s\u300d\u300f\u201d\uff09\u3002\uff01\uff1f])"
)

#: Places where no sentence begins, whoever proposes it: what comes before and what comes after.
NEVER: dict[str, tuple[str, str]] = {
    "an abbreviation of running text": (rf"(?<![\w.])(?:{_any_of(_INSIDE)})\s*$", ""),
    "a label and its number": (
        rf"(?i)(?<![\w.])(?:{_any_of(_LABELS)})\s*$",
        r"[(\[]?(?:[A-Z]{0,2}\.?\d|[A-HS]\b|[ivxIVX]+\b)",
    ),
    "et al. and its year or list": (r"(?i)\bet\.?\s+al\.\s*$", r"[(\[\d,;:a-z]"),
    "initials and a word in lower case": (r"(?:\b[A-Za-z]\.){2,4}\s*$", r"[a-z]"),
    "a mark inside a name": (r"[!?]\s*$", r"[a-z]"),
    "punctuation that goes on": ("", r"[,;:.)\]}]"),
    "a citation of the sentence before": (r"[a-z)\]]{2}\.\s?$", rf"{_CITATION}\s+[A-Z]"),
    "the number of an item after a sentence": (r"[.!?:;]\s+\d{1,2}\.\s*$", ""),
    "the number of an item": (r"(?:^|\n)[^\S\n]*[(\[]?(?:\d{1,2}|[A-Za-z]|[ivxIVX]{1,5})[)\]]?\.\s*$", ""),
}

# Words, and letters of words, of which entries of that table speak where a capital letter follows.
_NAMED = frozenset(word.rstrip(".").lower() for word in [*_INSIDE.split(), *_LABELS.split(), "al"])
_ROMAN = frozenset("ivxIVX")


def spans(text: str) -> list[tuple[int, int]]:
    """The sentences of a text, as half-open offsets in code points.

    In order, never overlapping, never empty, with no whitespace at either end; everything but whitespace is covered.
    A blank line always ends a sentence. A text without a full stop is one sentence per paragraph.
    """
    shorter, cuts = without_repeats(text)
    return restore_repeats(_sentence_spans(shorter), cuts)


@remember_short
def _sentence_spans(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for first, last in _paragraphs(text):
        paragraph = text[first:last]
        starts = _sentence_starts(paragraph)
        for start, end in zip(starts, [*starts[1:], len(paragraph)]):
            found.append((first + start, first + start + len(paragraph[start:end].rstrip())))
    return found


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Offsets of the paragraphs that are not blank, whitespace trimmed."""
    shorter, cuts = without_repeats(text)
    return iter(restore_repeats([*_paragraphs(shorter)], cuts)) if cuts else _paragraphs(text)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    ends = _PARAGRAPH_END.finditer(text) if "\n" in text or "\u2029" in text else ()
    for first, last in [*(end.span() for end in ends), (len(text), len(text))]:
        paragraph = text[position:first]
        if body := paragraph.strip():
            start = position + len(paragraph) - len(paragraph.lstrip())
            yield start, start + len(body)
        position = last


def _sentence_starts(paragraph: str) -> list[int]:
    """Where the sentences of a trimmed paragraph begin; the first is 0."""
    stops = [*_break_pattern().finditer(paragraph)]
    proposed = {stop.end() for stop in stops}
    if not paragraph.isascii():
        proposed.update(stop.end() for stop in _ideographic_breaks().finditer(paragraph))
    undecided = _mask_stops(paragraph, [stop.start() for stop in stops if _is_plain(paragraph, stop)])
    undecided = _MARK_IN_A_NAME.sub(",", undecided)
    if _UNDECIDED.search(undecided) and _UNDECIDED.search(undecided := _mask_long_runs(undecided)):
        proposed.update(start for start, _ in _load_segmenter().spans(undecided, paragraph_breaks=False))
    return [0, *(start for start in sorted(proposed) if start > 0 and not _is_inside(paragraph, start))]


def _is_plain(paragraph: str, stop: re.Match[str]) -> bool:
    """Whether a full stop, a boundary by the table, is of no account to what nupunkt says of others.

    Before the word that it ends is a space, before that none of its marks; after it a space; in the word no mark.
    Without this an abstract of five sentences takes 39 us, not 16, of the 200 that its facets take.
    """
    if stop.group() != ". " or (space := paragraph.rfind(" ", 0, stop.start())) < 1:
        return False
    before = paragraph[space - 1]
    return (before.isalnum() or before in ",;:") and _WORD.fullmatch(paragraph, space + 1, stop.start()) is not None


def _mask_stops(paragraph: str, stops: Iterable[int]) -> str:
    """The paragraph with commas in place of some full stops."""
    edges = [-1, *stops, len(paragraph)]
    return ",".join([paragraph[before + 1 : stop] for before, stop in pairwise(edges)])


def _is_inside(paragraph: str, start: int) -> bool:
    """Whether a proposed boundary is inside a sentence, by the table :data:`NEVER`."""
    if _ends_in_a_word(paragraph, start):
        return False
    first = max(0, start - _WINDOW)
    if _never_at_all().search(paragraph, first, start):
        return True
    return any(
        after.match(paragraph, start) and before.search(paragraph, first, start) for before, after in _never_before()
    )


def _ends_in_a_word(paragraph: str, start: int) -> bool:
    """Whether the sentence before ends in a word of which no entry of the table speaks, and the next is capitalised.

    Without this an abstract of five sentences takes 27 us, not 16.
    """
    if paragraph[start - 2 : start] != ". " or not "A" <= paragraph[start : start + 1] <= "Z":
        return False
    word = paragraph[paragraph.rfind(" ", 0, start - 2) + 1 : start - 2]
    known = word.lower() in _NAMED or _ROMAN.issuperset(word)
    return len(word) > 1 and word.isascii() and word.isalpha() and not known


def _mask_long_runs(paragraph: str) -> str:
    """The paragraph with the middle of every very long run of non-whitespace blotted out; offsets stay."""
    return _LONG_RUN.sub(lambda run: _mask_run(run.group()), paragraph)


def _mask_run(run: str) -> str:
    return run[:_RUN_EDGE] + "x" * (len(run) - 2 * _RUN_EDGE) + run[-_RUN_EDGE:]


@functools.cache
def _load_segmenter() -> Any:
    import nupunkt

    return nupunkt.segmenter("sentence")


@functools.cache
def _break_pattern() -> re.Pattern[str]:
    return re.compile("|".join(BREAKS.values()))


@functools.cache
def _ideographic_breaks() -> re.Pattern[str]:
    return re.compile(IDEOGRAPHIC_BREAK)


@functools.cache
def _never_at_all() -> re.Pattern[str]:
    """The entries of the table for which it does not matter what follows."""
    return re.compile("|".join(before for before, after in NEVER.values() if not after))


@functools.cache
def _never_before() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    return [(re.compile(before), re.compile(after)) for before, after in NEVER.values() if after]
