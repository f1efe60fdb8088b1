"""Texts with their typography folded away, and the way back to the offsets of the original.

Nothing that carries meaning is folded: a superscript becomes ``^2`` and not ``2``, the sign for "at most" becomes
``<=``, a fraction keeps its bar, and what cannot be seen between two digits stays there.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

Replace = Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class Step:
    """The stretches one pass replaced, in order: their offsets after it and before it. Elsewhere the texts agree."""

    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    from_: list[int] = field(default_factory=list)
    to: list[int] = field(default_factory=list)

    def start(self, position: int) -> int:
        """Where the character at a position began."""
        at = bisect_right(self.begins, position) - 1
        if at < 0:
            return position
        return self.from_[at] if position < self.ends[at] else self.to[at] + position - self.ends[at]

    def end(self, position: int) -> int:
        """Where the character before a position (1 or more) ended."""
        at = bisect_right(self.begins, position - 1) - 1
        if at < 0:
            return position
        return self.to[at] if position <= self.ends[at] else self.to[at] + position - self.ends[at]

    def divides(self, position: int) -> bool:
        """Whether a position is inside one replaced stretch, as between the letters of a ligature."""
        at = bisect_right(self.begins, position) - 1
        return at >= 0 and self.begins[at] < position < self.ends[at]


@dataclass(frozen=True, eq=False)
class Folded:
    """A folded text and the steps that lead back to the original, the last one first."""

    text: str
    steps: tuple[Step, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """The offsets in the original of ``text[start:end]`` (not empty); None where they would cut a character."""
        for step in self.steps:
            if step.divides(start) or step.divides(end):
                return None
            start, end = step.start(start), step.end(end)
        return start, end


class Text:
    """A text and its foldings, each made when it is first asked for."""

    def __init__(self, text: str) -> None:
        self.plain = Folded(text)

    @functools.cached_property
    def single_spaces(self) -> Folded:
        """Runs of ASCII whitespace as one space."""
        return _replace_matches(self.plain, _ASCII_SPACES, lambda spaces: " ")

    @functools.cached_property
    def plain_typography(self) -> Folded:
        """Typography folded; a hyphen at a line's end only breaks a word."""
        return _fold(self.plain, _fold_typography)

    @functools.cached_property
    def with_hyphens(self) -> Folded:
        """Typography folded; a hyphen at a line's end belongs to the word."""
        if not _BROKEN_WORD.search(self.plain.text):
            return self.plain_typography
        return _fold(self.plain, _fold_but_keep_hyphens)

    @functools.cached_property
    def same_length_caseless(self) -> str:
        """The text of ``plain_typography`` in one case, character by character: both have the same offsets."""
        text = self.plain_typography.text
        folded = text.casefold()
        return folded if len(folded) == len(text) else "".join(map(_same_length_case, text))

    @functools.cached_property
    def one_case(self) -> Folded:
        """``plain_typography`` in one case."""
        return _fold_case(self.plain_typography)

    @functools.cached_property
    def one_case_with_hyphens(self) -> Folded:
        """``with_hyphens`` in one case."""
        return self.one_case if self.with_hyphens is self.plain_typography else _fold_case(self.with_hyphens)

    def count(self, word: str) -> int:
        """How often a word in lower case occurs in the text, in whatever case."""
        return len(re.findall(rf"\b{re.escape(word)}\b", self.same_length_caseless))


def trim_quote(text: str) -> str:
    """A folded quote without what is put around quotes: quote marks, an ellipsis, a closing full stop or comma."""
    text = text[_match_length(_LEADING, text) :]
    return text[: len(text) - _match_length(_TRAILING, text[::-1])]


def end_of_character(text: str, end: int) -> int:
    """An end moved behind the invisible marks that belong to the character before it and that folding drops."""
    match = _DROPPED_MARKS.match(text, end)
    return match.end() if match else end


def is_mark(character: str) -> bool:
    """Whether a character belongs to the one before it: an accent, a vowel sign, a variation selector."""
    return character > "\u02ff" and unicodedata.category(character)[0] == "M"


_ASCII_SPACES = re.compile(r"[\t\n\r\f\v][ \t\n\r\f\v]*| [ \t\n\r\f\v]+")

# Both match from the edge inwards; the second one reads the text backwards.
_LEADING = re.compile(r"(?:[\"' ]|\.{3}(?!\d)|\[\.{3}\]|\(\.{3}\)|- (?!\d))*")
_TRAILING = re.compile(r"(?:[\"' .,;:]|\]\.{3}\[|\)\.{3}\(|-(?= ))*")

_BREAK = r"[^\S\r\n]{0,8}(?:\r\n|[\r\n\u2028])[^\S\r\n]{0,8}"
_BROKEN = rf"[-\u2010\u00ad](?<=[^\W\d_]{{2}}.){_BREAK}(?=[^\W\d_]{{2}})"
_BROKEN_WORD = re.compile(_BROKEN)
_INVISIBLE = "\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
_DROPPED_MARKS = re.compile("[\u034f\ufe00-\ufe0f]+")
# Scripts whose letters have no compatibility form; they need not be looked at one by one.
_PLAIN_SCRIPTS = (
    "\u0391-\u03cf\u0400-\u052f\u05d0-\u05ea\u0620-\u0669\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"
)

#: Signs that have a spelling in ASCII, or look alike and mean the same.
SIGNS = {
    "\u2264": "<=", "\u2a7d": "<=", "\u2266": "<=", "\u2265": ">=", "\u2a7e": ">=", "\u2267": ">=", "\u2260": "!=",
    "\u00b1": "+/-", "\u2192": "->", "\u2190": "<-", "\u223c": "~", "\u2217": "*", "\u2215": "/", "\u2044": "/",
    "\u2223": "|", "\u2236": ":",
}  # fmt: skip

# Kinds of compatibility forms that are only another look of the same character; superscripts, fractions and numbers in
# circles are not.
_SAME_CHARACTER = "<font> <noBreak> <wide> <narrow> <initial> <medial> <final> <isolated>"


def _before_mark(match: re.Match[str]) -> str:
    return match.string[match.start() - 1 : match.start()] if match.start() else ""


def _after_mark(match: re.Match[str]) -> str:
    return match.string[match.end() : match.end() + 1]


def _soft_hyphen(match: re.Match[str]) -> str:
    """Nothing inside a word; elsewhere it is a hyphen or a minus that some fonts write so."""
    before = _before_mark(match)
    inside = (before.isalpha() or is_mark(before)) and _after_mark(match).isalpha()
    return "" if inside else match.group().replace("\u00ad", "-").replace("\n", " ")


def _long_dash(match: re.Match[str]) -> str:
    """A dash between spaces, but before a number, where it may be a minus, or make a range."""
    if _after_mark(match).isdigit():
        return "-" + (" " if match.group()[-1].isspace() else "")
    return "- " if not _before_mark(match) or _before_mark(match).isspace() else " - "


def _quote_mark(match: re.Match[str]) -> str:
    """One kind of mark, but an apostrophe, and feet and inches after a number."""
    if len(match.group()) == 2:
        return '"'
    before, after = _before_mark(match), _after_mark(match)
    single = match.group() in _SINGLE_QUOTES
    return "'" if single and (before.isdigit() or (before.isalpha() and after.isalpha())) else '"'


def _drop_invisible(match: re.Match[str]) -> str:
    return match.group() if _before_mark(match).isdigit() and _after_mark(match).isdigit() else ""


def _fold_superscript(match: re.Match[str]) -> str:
    return "^" + unicodedata.normalize("NFKC", match.group()).replace("\u2212", "-")


def _fold_subscript(match: re.Match[str]) -> str:
    """CO2 is written so; a number with a base is not, nor is an index with a sign."""
    digits = unicodedata.normalize("NFKC", match.group()).replace("\u2212", "-")
    return digits if digits.isdigit() and _before_mark(match).isalpha() else "_" + digits


def _fold_fraction(match: re.Match[str]) -> str:
    if _after_mark(match).isdigit():
        return match.group()
    return " " * _before_mark(match).isdigit() + unicodedata.normalize("NFKC", match.group()).replace("\u2044", "/")


def _fold_other(match: re.Match[str]) -> str:
    return _same_character(match.group())


@functools.cache
def _same_character(character: str) -> str:
    """The character that a ligature, a mathematical letter, a full-width form ... stands for, or itself."""
    kind = unicodedata.decomposition(character).partition(" ")[0]
    letter = kind == "<compat>" and unicodedata.category(character)[0] == "L"
    return unicodedata.normalize("NFKC", character) if letter or kind in _SAME_CHARACTER.split() else character


_NO_BRACES = str.maketrans({"{": None, "}": None, "\u2212": "-"})
_DOUBLE_QUOTES = '"\u201c-\u201f\u00ab\u00bb\uff02'
_SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b\u2039\u203a`\u00b4\uff07"

#: What is folded, in the order of trial: where the rule applies and what replaces it.
TYPOGRAPHY: dict[str, tuple[str, Replace]] = {
    "broken": (_BROKEN, lambda match: ""),
    "hyphen_at_line_end": (rf"[-\u2010\u00ad](?<=\w.){_BREAK}(?=\w)", lambda match: "-"),
    "soft_hyphen": (r"\u00ad+\s?", _soft_hyphen),
    "long_dash": (r"(?:[\u2014\u2015]|-{2,})\s{0,3}", _long_dash),
    "hyphen": (r"[\u2010-\u2013\u2043\u2212\ufe63\uff0d]", lambda match: "-"),
    "ellipsis": (r"(?:\u2026|\.[ \u00a0]?\.[ \u00a0]?\.)(?:[ \u00a0]?[.\u2026])*", lambda match: "..."),
    "quote_mark": (rf"``|''|\u2018\u2018|\u2019\u2019|[{_DOUBLE_QUOTES}{_SINGLE_QUOTES}]", _quote_mark),
    "space": (r"\s+", lambda match: " "),
    "invisible": (f"[{_INVISIBLE}]+", _drop_invisible),
    "raised": (r"[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b]+", _fold_superscript),
    "raised_in_braces": (r"\^\{[-+\u2212]?\w{1,8}\}", lambda match: match.group().translate(_NO_BRACES)),
    "lowered": (r"[\u2080-\u2089\u208a\u208b]+", _fold_subscript),
    "fraction": (r"[\u00bc-\u00be\u2150-\u215e]", _fold_fraction),
    "sign": (f"[{''.join(SIGNS)}]", lambda match: SIGNS[match.group()]),
    "other": (rf"[^\x00-\x7f{_PLAIN_SCRIPTS}]", _fold_other),
}
# Where a rule can begin at all: it spares most characters the trial of each rule.
_FOLDABLE = rf"(?=[^!#-&(-,/-\]_a-~ {_PLAIN_SCRIPTS}]| \s)"


@functools.cache
def _typography_pattern(has_others: bool) -> re.Pattern[str]:
    """The rules as one pattern; the last one tries each character beyond ASCII: left out where none changes."""
    names = [name for name in TYPOGRAPHY if has_others or name != "other"]
    rules = "|".join(f"(?P<{name}>{TYPOGRAPHY[name][0]})" for name in names)
    return re.compile(f"{_FOLDABLE}(?:{rules})")


def _fold(base: Folded, replace: Replace) -> Folded:
    """Typography folded between two compositions: a mark after a ligature belongs to its last letter."""
    composed = _compose_clusters(base)
    has_others = any(_same_character(character) != character for character in set(composed.text))
    return _compose_clusters(_replace_matches(composed, _typography_pattern(has_others), replace))


def _fold_typography(match: re.Match[str]) -> str:
    return TYPOGRAPHY[match.lastgroup or ""][1](match)


def _fold_but_keep_hyphens(match: re.Match[str]) -> str:
    return "-" if match.lastgroup == "broken" else _fold_typography(match)


def _replace_matches(base: Folded, pattern: re.Pattern[str], replace: Replace) -> Folded:
    """The base with the matches of a pattern replaced; the base itself where nothing changes."""
    step = Step()
    pieces: list[str] = []
    copied = length = 0
    for match in pattern.finditer(base.text):
        new = replace(match)
        if new == match.group():
            continue
        first, last = match.span()
        pieces += [base.text[copied:first], new]
        step.begins.append(length + first - copied)
        length = step.begins[-1] + len(new)
        step.ends.append(length)
        step.from_.append(first)
        step.to.append(last)
        copied = last
    return Folded("".join([*pieces, base.text[copied:]]), (step, *base.steps)) if pieces else base


def _compose_clusters(base: Folded) -> Folded:
    """Canonical composition (NFC), cluster by cluster."""
    if unicodedata.is_normalized("NFC", base.text):
        return base
    return _replace_matches(base, _cluster_pattern(), lambda cluster: unicodedata.normalize("NFC", cluster.group()))


@functools.cache
def _cluster_pattern() -> re.Pattern[str]:
    # The vowels and final consonants of Hangul compose like marks; beyond plane 1 there are only variation selectors.
    marks = "".join(chr(code) for code in range(0x300, 0x20000) if unicodedata.category(chr(code))[0] == "M")
    return re.compile(rf"(?s:.)[\u1160-\u11ff\U000e0100-\U000e01ef{marks}]+|[^\x00-\x7f]")


def _fold_case(base: Folded) -> Folded:
    """Case folded and composed. Characters whose folding is longer are replaced first; the others keep their place."""
    text = base.text.casefold()
    if len(text) != len(base.text):
        base = _replace_matches(base, _NON_ASCII, _longer_case)
        text = base.text.casefold()
    return _compose_clusters(Folded(text, base.steps))


_NON_ASCII = re.compile(r"[^\x00-\x7f]")


def _longer_case(match: re.Match[str]) -> str:
    folded = match.group().casefold()
    return folded if len(folded) > 1 else match.group()


def _same_length_case(character: str) -> str:
    folded = character.casefold()
    return folded if len(folded) == 1 else character


def _match_length(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
