"""Sentence segmentation, as offsets into the text.

nupunkt proposes the boundaries. Its model was trained on legal text, where "cancer." and "tasks." are abbreviations;
two small tables correct it for scientific text: :data:`BREAKS` adds boundaries that it misses, :data:`NEVER` removes
boundaries inside sentences. On 7,589 abstracts with 74,129 reference boundaries, nupunkt alone misses 1.1% of them, and
0.6% with the tables; 0.7% of the boundaries found are not in the reference, with or without the tables (in a sample of
60 of nupunkt's, about three quarters were errors of the reference).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from scholartools.text.repeats import remember_short, restore_repeats, without_repeats

# End of a paragraph: a line break, then at least one empty or blank line.
_PARAGRAPH_END = re.compile(r"\n(?:[^\S\n]*\n)+|\u2029")

# nupunkt takes quadratic time in a run without whitespace; it finds no boundary in the middle of such a run.
_LONG = 400
_LONG_RUN = re.compile(rf"(?<!\S)\S{{{_LONG},}}")
_RUN_EDGE = 100

# If none of these occurs, nupunkt finds a single sentence: a mark not followed by a word character, or a line break.
# Skipping nupunkt then takes 16 us for an abstract of five sentences, instead of 24.
_UNDECIDED = re.compile(r"[.!?\u2026](?=\W)|\n")

# A question or exclamation mark inside a name, by the table of non-boundaries, between words without a mark. The
# pattern starts with the mark: with the preceding context first, the search took a twelfth of the time of facet
# labelling.
_MARK_IN_A_NAME = re.compile(r"[!?](?<=[a-z][!?])(?= [a-z])")

# A word without a mark that could end a sentence.
_WORD = re.compile(r"[^\s.!?\u2026\u3002\uff01\uff1f]+")

# Context in characters on each side of a boundary that a correction may use.
_WINDOW = 40

_CLOSERS = r"[\"')\]}\u201d\u2019\u00bb]{0,3}"
# A capitalised word of four to seven letters may be an abbreviation ("Trans.", "Corresp.").
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

# Abbreviations whose full stop never ends a sentence.
_INSIDE = """
    e.g. i.e. cf. vs. viz. w.r.t. a.k.a. s.t. resp. approx. incl. esp. ca. nr. subsp. Mr. Mrs. Ms. Dr. Prof. St.
"""

# Labels of numbered objects: the full stop ends no sentence if a number, a letter or a list follows.
_LABELS = """
    Fig. Figs. Tab. Tabs. Tbl. Eq. Eqs. Eqn. Eqns. Sec. Secs. Sect. Sects. Ch. Chs. Chap. App. Appx. Alg. Algs. Thm.
    Thms. Lem. Cor. Prop. Props. Def. Defs. Rem. Ex. Exs. Exp. Expt. Expts. Obs. Ref. Refs. Suppl. Supp. Vol. No. Nos.
    pp. p. Art. Prob. Conj.
"""


def _any_of(words: str) -> str:
    return "|".join(re.escape(word) for word in words.split())


#: Boundaries that nupunkt misses, by the text before them. Each pattern ends where the next sentence starts, and begins
#: with its mark, so that the search is fast.
BREAKS: dict[str, str] = {
    "a plain word, an abbreviation in legal text": rf"\.(?<=[a-z]{{3}}\.){_NOT_SHORTENED}{_CLOSERS}\s+(?=[A-Z\u201c])",
    "an acronym, a letter, a unit": rf"\.(?<=\w\.){_CLOSERS}\s+(?={_OPENER})",
    "a footnote mark": rf"\.(?<=[a-z)\]]{{3}}\.){_CLOSERS}(?:{_MARKS})\s+(?=[A-Z])",
    "a superscript mark": rf"\.(?<=[a-z)\]]{{2}}\.){_CLOSERS}{_SUPERSCRIPT}(?:,{_SUPERSCRIPT}){{0,5}}\s+(?=[A-Z])",
    "a citation after the full stop": rf"\.(?<=[a-z)\]]{{2}}\.)\s?{_CITATION}\s+(?=[A-Z])",
}
#: A boundary after a run of ideographic full stops, which nupunkt misses.
IDEOGRAPHIC_BREAK = (
    r"[\u3002\uff01\uff1f][\u300d\u300f\u201d\uff09]?(?=[^\s\u300d\u300f\u201d\uff09\u3002\uff01\uff1f])"
)

#: Positions where no sentence starts, whatever proposed them: patterns of the text before and after.
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

# Words and letters to which entries of that table apply where a capital letter follows.
_NAMED = frozenset(word.rstrip(".").lower() for word in [*_INSIDE.split(), *_LABELS.split(), "al"])
_ROMAN = frozenset("ivxIVX")


def spans(text: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a text, half-open, in code points.

    In order, disjoint, not empty, without surrounding whitespace; they cover everything but whitespace. A blank line
    always ends a sentence. A text without a full stop is one sentence per paragraph.
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
    """Offsets of the non-blank paragraphs, without surrounding whitespace."""
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
    """Start offsets of the sentences of a trimmed paragraph; the first is 0."""
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
    """Whether a full stop that the table makes a boundary can be masked without affecting other decisions of nupunkt.

    The word before it is preceded by a space, and that by none of nupunkt's marks; a space follows; the word has no
    mark. Without this shortcut an abstract of five sentences takes 39 us instead of 16; labelling its facets takes 200.
    """
    if stop.group() != ". " or (space := paragraph.rfind(" ", 0, stop.start())) < 1:
        return False
    before = paragraph[space - 1]
    return (before.isalnum() or before in ",;:") and _WORD.fullmatch(paragraph, space + 1, stop.start()) is not None


def _mask_stops(paragraph: str, stops: Iterable[int]) -> str:
    """Replace some full stops by commas."""
    edges = [-1, *stops, len(paragraph)]
    return ",".join([paragraph[before + 1 : stop] for before, stop in pairwise(edges)])


def _is_inside(paragraph: str, start: int) -> bool:
    """Whether a proposed boundary is inside a sentence according to :data:`NEVER`."""
    if _ends_in_a_word(paragraph, start):
        return False
    first = max(0, start - _WINDOW)
    if _never_at_all().search(paragraph, first, start):
        return True
    return any(
        after.match(paragraph, start) and before.search(paragraph, first, start) for before, after in _never_before()
    )


def _ends_in_a_word(paragraph: str, start: int) -> bool:
    """Whether no entry of :data:`NEVER` can apply: an ordinary word ends the sentence and a capital letter follows.

    Without this shortcut an abstract of five sentences takes 27 us instead of 16.
    """
    if paragraph[start - 2 : start] != ". " or not "A" <= paragraph[start : start + 1] <= "Z":
        return False
    word = paragraph[paragraph.rfind(" ", 0, start - 2) + 1 : start - 2]
    known = word.lower() in _NAMED or _ROMAN.issuperset(word)
    return len(word) > 1 and word.isascii() and word.isalpha() and not known


def _mask_long_runs(paragraph: str) -> str:
    """Mask the middle of very long runs without whitespace; offsets are kept."""
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
    """Entries of :data:`NEVER` without a condition on the following text, as one pattern."""
    return re.compile("|".join(before for before, after in NEVER.values() if not after))


@functools.cache
def _never_before() -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    return [(re.compile(before), re.compile(after)) for before, after in NEVER.values() if after]
