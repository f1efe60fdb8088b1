"""Fold the typography of texts, and map offsets in the folded text back to the original.

Folding preserves meaning: a superscript becomes ``^2`` and not ``2``, the sign for "at most" becomes ``<=``, a fraction
keeps its bar, and invisible characters between two digits are kept.
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
    """The replaced stretches of one pass, in order: offsets after and before it. The text between them is unchanged."""

    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    from_: list[int] = field(default_factory=list)
    to: list[int] = field(default_factory=list)

    def start(self, position: int) -> int:
        """Offset before the pass of the character at a position."""
        at = bisect_right(self.begins, position) - 1
        if at < 0:
            return position
        return self.from_[at] if position < self.ends[at] else self.to[at] + position - self.ends[at]

    def end(self, position: int) -> int:
        """End offset before the pass of the character that ends at a position (1 or more)."""
        at = bisect_right(self.begins, position - 1) - 1
        if at < 0:
            return position
        return self.to[at] if position <= self.ends[at] else self.to[at] + position - self.ends[at]

    def divides(self, position: int) -> bool:
        """Whether a position is inside a replaced stretch, for example between the letters of a ligature."""
        at = bisect_right(self.begins, position) - 1
        return at >= 0 and self.begins[at] < position < self.ends[at]


@dataclass(frozen=True, eq=False)
class Folded:
    """A folded text and the passes that produced it, last pass first."""

    text: str
    steps: tuple[Step, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        """Original offsets of ``text[start:end]`` (not empty); None if an end would split a character."""
        for step in self.steps:
            if step.divides(start) or step.divides(end):
                return None
            start, end = step.start(start), step.end(end)
        return start, end


class Text:
    """A text and its folded forms, computed on first use."""

    def __init__(self, text: str) -> None:
        self.plain = Folded(text)

    @functools.cached_property
    def single_spaces(self) -> Folded:
        """Runs of ASCII whitespace replaced by one space."""
        return _replace_matches(self.plain, _ASCII_SPACES, lambda spaces: " ")

    @functools.cached_property
    def plain_typography(self) -> Folded:
        """Typography folded; a hyphen at the end of a line is removed as hyphenation."""
        return _fold(self.plain, _fold_typography)

    @functools.cached_property
    def with_hyphens(self) -> Folded:
        """Typography folded; a hyphen at the end of a line is kept as part of the word."""
        if not _BROKEN_WORD.search(self.plain.text):
            return self.plain_typography
        return _fold(self.plain, _fold_but_keep_hyphens)

    @functools.cached_property
    def same_length_caseless(self) -> str:
        """``plain_typography`` case-folded character by character, so that offsets are the same."""
        text = self.plain_typography.text
        folded = text.casefold()
        return folded if len(folded) == len(text) else "".join(map(_same_length_case, text))

    @functools.cached_property
    def one_case(self) -> Folded:
        """``plain_typography``, case-folded."""
        return _fold_case(self.plain_typography)

    @functools.cached_property
    def one_case_with_hyphens(self) -> Folded:
        """``with_hyphens``, case-folded."""
        return self.one_case if self.with_hyphens is self.plain_typography else _fold_case(self.with_hyphens)

    def count(self, word: str) -> int:
        """Case-insensitive number of occurrences of a lower-case word."""
        return len(re.findall(rf"\b{re.escape(word)}\b", self.same_length_caseless))


def trim_quote(text: str) -> str:
    """Strip what surrounds a folded quote: quotation marks, ellipses, a final full stop or comma."""
    text = text[_match_length(_LEADING, text) :]
    return text[: len(text) - _match_length(_TRAILING, text[::-1])]


def end_of_character(text: str, end: int) -> int:
    """Move an end offset past invisible marks that belong to the preceding character and that folding drops."""
    match = _DROPPED_MARKS.match(text, end)
    return match.end() if match else end


def is_mark(character: str) -> bool:
    """Whether a character combines with the one before it: an accent, a vowel sign, a variation selector."""
    return character > "\u02ff" and unicodedata.category(character)[0] == "M"


_ASCII_SPACES = re.compile(r"[\t\n\r\f\v][ \t\n\r\f\v]*| [ \t\n\r\f\v]+")

# Both match from the edge inwards; ``_TRAILING`` is applied to the reversed text.
_LEADING = re.compile(r"(?:[\"' ]|\.{3}(?!\d)|\[\.{3}\]|\(\.{3}\)|- (?!\d))*")
_TRAILING = re.compile(r"(?:[\"' .,;:]|\]\.{3}\[|\)\.{3}\(|-(?= ))*")

_BREAK = r"[^\S\r\n]{0,8}(?:\r\n|[\r\n\u2028])[^\S\r\n]{0,8}"
_BROKEN = rf"[-\u2010\u00ad](?<=[^\W\d_]{{2}}.){_BREAK}(?=[^\W\d_]{{2}})"
_BROKEN_WORD = re.compile(_BROKEN)
_INVISIBLE = "\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
_DROPPED_MARKS = re.compile("[\u034f\ufe00-\ufe0f]+")
# Scripts whose letters have no compatibility form, excluded to speed up matching.
_PLAIN_SCRIPTS = (
    "\u0391-\u03cf\u0400-\u052f\u05d0-\u05ea\u0620-\u0669\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"
)

#: Signs with an ASCII spelling, and look-alikes of the same meaning.
SIGNS = {
    "\u2264": "<=", "\u2a7d": "<=", "\u2266": "<=", "\u2265": ">=", "\u2a7e": ">=", "\u2267": ">=", "\u2260": "!=",
    "\u00b1": "+/-", "\u2192": "->", "\u2190": "<-", "\u223c": "~", "\u2217": "*", "\u2215": "/", "\u2044": "/",
    "\u2223": "|", "\u2236": ":",
}  # fmt: skip

# Decompositions that only differ in appearance. Superscripts, fractions and circled numbers change the meaning and are
# excluded.
_SAME_CHARACTER = "<font> <noBreak> <wide> <narrow> <initial> <medial> <final> <isolated>"


def _before_mark(match: re.Match[str]) -> str:
    return match.string[match.start() - 1 : match.start()] if match.start() else ""


def _after_mark(match: re.Match[str]) -> str:
    return match.string[match.end() : match.end() + 1]


def _soft_hyphen(match: re.Match[str]) -> str:
    """Remove it inside a word; elsewhere it is a hyphen or minus, as some fonts encode these."""
    before = _before_mark(match)
    inside = (before.isalpha() or is_mark(before)) and _after_mark(match).isalpha()
    return "" if inside else match.group().replace("\u00ad", "-").replace("\n", " ")


def _long_dash(match: re.Match[str]) -> str:
    """Write a dash between spaces, except before a number, where it may be a minus or a range."""
    if _after_mark(match).isdigit():
        return "-" + (" " if match.group()[-1].isspace() else "")
    return "- " if not _before_mark(match) or _before_mark(match).isspace() else " - "


def _quote_mark(match: re.Match[str]) -> str:
    """Unify quotation marks, except apostrophes and the marks for feet and inches after a number."""
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
    """Plain digits after a letter ("CO2"); with "_" after a number (a base) or for signed indices."""
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
    """The character that a ligature, mathematical letter, full-width form etc. represents, or itself."""
    kind = unicodedata.decomposition(character).partition(" ")[0]
    letter = kind == "<compat>" and unicodedata.category(character)[0] == "L"
    return unicodedata.normalize("NFKC", character) if letter or kind in _SAME_CHARACTER.split() else character


_NO_BRACES = str.maketrans({"{": None, "}": None, "\u2212": "-"})
_DOUBLE_QUOTES = '"\u201c-\u201f\u00ab\u00bb\uff02'
_SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b\u2039\u203a`\u00b4\uff07"

#: Folding rules in order of precedence: pattern and replacement.
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
# Lookahead for characters at which any rule can match, to skip the others quickly.
_FOLDABLE = rf"(?=[^!#-&(-,/-\]_a-~ {_PLAIN_SCRIPTS}]| \s)"


@functools.cache
def _typography_pattern(has_others: bool) -> re.Pattern[str]:
    """All rules as one pattern. "other" tries every non-ASCII character, so it is left out if none would change."""
    names = [name for name in TYPOGRAPHY if has_others or name != "other"]
    rules = "|".join(f"(?P<{name}>{TYPOGRAPHY[name][0]})" for name in names)
    return re.compile(f"{_FOLDABLE}(?:{rules})")


def _fold(base: Folded, replace: Replace) -> Folded:
    """Fold typography with NFC before and after: a combining mark after a ligature belongs to its last letter."""
    composed = _compose_clusters(base)
    has_others = any(_same_character(character) != character for character in set(composed.text))
    return _compose_clusters(_replace_matches(composed, _typography_pattern(has_others), replace))


def _fold_typography(match: re.Match[str]) -> str:
    return TYPOGRAPHY[match.lastgroup or ""][1](match)


def _fold_but_keep_hyphens(match: re.Match[str]) -> str:
    return "-" if match.lastgroup == "broken" else _fold_typography(match)


def _replace_matches(base: Folded, pattern: re.Pattern[str], replace: Replace) -> Folded:
    """Replace the matches of a pattern; return the base itself if nothing changes."""
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
    """Apply canonical composition (NFC) per cluster, to keep track of offsets."""
    if unicodedata.is_normalized("NFC", base.text):
        return base
    return _replace_matches(base, _cluster_pattern(), lambda cluster: unicodedata.normalize("NFC", cluster.group()))


@functools.cache
def _cluster_pattern() -> re.Pattern[str]:
    # Vowels and final consonants of Hangul compose like marks; beyond plane 1 the only marks are variation selectors.
    marks = "".join(chr(code) for code in range(0x300, 0x20000) if unicodedata.category(chr(code))[0] == "M")
    return re.compile(rf"(?s:.)[\u1160-\u11ff\U000e0100-\U000e01ef{marks}]+|[^\x00-\x7f]")


def _fold_case(base: Folded) -> Folded:
    """Case-fold and compose. Characters with a longer folding are replaced first, since they shift the offsets."""
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
