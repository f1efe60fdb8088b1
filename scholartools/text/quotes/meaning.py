"""Decide which small differences between a quote and its source change the meaning.

Only listed changes are harmless: punctuation, hyphens and spaces, function words (:data:`LIGHT`), another ending of the
same word, one typing error in a long word. Even these are rejected if they touch a number, a negation, a comparison, a
hedge or a quantity (``words/meanings.tsv``), or turn a word into its opposite (:data:`OPPOSITES`). Antonyms that no
table lists are rejected too, as one word replaced by another.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from scholartools.text.quotes.folding import is_mark
from scholartools.text.words import read_words

#: Function words that may be added, removed or exchanged.
LIGHT = """
    a an the that which of in on for at as is are was were be been being am has have had having do does did and also
    then thus hence so here therefore moreover furthermore additionally however specifically namely indeed such there
"""

#: Meaning of marks that are not punctuation. Other symbols stand for themselves.
SYMBOL_KINDS = {**dict.fromkeys(["<", ">", "<=", ">=", "=", "==", "!=", "~", "+/-"], "comparison"), "...": "ellipsis"}

#: Exchanged parts that make an antonym: "PREFIX/" adds or removes a prefix; "PART/OTHER" replaces a part anywhere.
OPPOSITES = """
    un/ in/ im/ il/ ir/ non/ dis/ mis/ a/ an/ anti/ counter/ de/ no/ over/under pre/post en/de im/ex in/ex in/out
    up/down hyper/hypo hyper/eu macro/micro inter/intra homo/hetero mono/poly uni/multi uni/bi endo/exo super/sub
    pro/anti pro/con max/min ad/ab ante/post inductive/deductive ful/less causal/casual content/context
    complement/compliment prescri/proscri morality/mortality adopt/adapt
"""

#: Endings that do not change the word: "ENDING/REPLACED".
ENDINGS = "s/ es/ ed/ d/ ing/ ing/e ies/y ied/y ly/ 's/ '/"

#: Short units whose case matters after a number: 5 mM is not 5 MM.
UNITS = """
    b g h j k l m n p s t v w kb mb gb tb kg mg ng pg mm cm km nm pm ms ns ps hz khz mhz ghz ml dl mv kv kw mw pa kpa
    mpa mol mmol nmol pmol ev kev mev gev db \u03bcg \u03bcm \u03bcs \u03bcl
"""

#: Contractions with a negation, and the word without it; "n't" is split off any word.
CONTRACTED = {"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall"}

#: Maximum number of typing errors in a word, by its minimum length.
SLIPS = ((2, 10), (1, 6))

# Scripts that put no space between words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"

#: Positions where a quote must not start or end, by the text before and after: a boundary there would split a unit.
CUTS: dict[str, tuple[str, str]] = {
    "word": (rf"[^\W\d{_UNSPACED}]\Z", rf"(?![{_UNSPACED}])\w"),
    "name": (rf"[^\W\d{_UNSPACED}]\d{{1,9}}\Z", rf"[^\W\d{_UNSPACED}]"),
    "number and its unit": (r"\d\Z", rf"(?![A-Z](?:[a-z]| ))[^\W\d{_UNSPACED}]"),
    "number": (r"\d\Z", r"[.,:/^-]?\d|\^|\s?[%\u2030\u00b0]"),
    "number and what stands before": (r"(?:\d[.,:/^]|(?<!\w)\.|[-+$\u20ac\u00a3^_])\Z", r"\d"),
    "number and its sign": (r"(?:^|[^\w)\]])[-+]\Z", r"\.\d"),
    "comparison": (r"(?:[<>\u2264\u2265\u2260\u2248\u223c~\u00b1]|[<>!]=)\s?\Z", r"[-+]?\.?\d"),
    "negation": (r"(?i)(?<!\w)(?:non|un|in|dis|anti|not|no)-\Z", r"\w"),
    "negation before the hyphen": (r"(?i)(?<!\w)(?:non|un|in|dis|anti|not|no)\Z", r"-\w"),
    "negation after the word": (r"\w\Z", r"'t\b|-(?:free|less)\b"),
    "word at the end of a line": (r"\w-[ \t]{0,8}\r?\n[ \t]{0,8}\Z", r"\w"),
    "word at the end of the line": (r"\w\Z", r"-[ \t]{0,8}\r?\n[ \t]{0,8}\w"),
}
_REACH = 24

_TOKEN = re.compile(
    r"""(?P<number>(?:(?<![\w)\]])[-+])?(?:(?<!\w)\.)?\w*\d\w*(?:(?:[.,:/-]|\^-?)\w*\d\w*)*)
    |(?P<word>\w+(?:'\w+)*)
    |(?P<symbol>\.{3}|<=|>=|!=|==|->|<-|\+/-)
    |(?P<mark>[^\w\s])""",
    re.VERBOSE,
)
_UNIT = re.compile(r"(?<=\d)[^\W\d_]{1,4}$")
_UNIT_AFTER = re.compile(r"(?<![\w.,])[\d.,]*\d\s?([^\W\d_]{1,4})\b")
_OPERATORS = frozenset("%\u2030/*&#@?\\")
_SENTENCE_ENDS = frozenset(".?!:")


class Token(NamedTuple):
    """A word, number or sign of a folded text. Tokens with equal keys are considered equal."""

    key: str
    kind: str
    text: str
    plain: bool  # lower case, or capitalised at the start of a sentence: neither a name nor a symbol

    @property
    def meaning(self) -> tuple[str, str] | None:
        """Kind and meaning of a token of the tables of meanings; None for ordinary words."""
        if known := _meaning_table().get(self.key):
            return known
        if self.kind == "symbol":
            return SYMBOL_KINDS.get(self.key, "symbol"), self.key
        return ("number", self.key) if self.kind == "number" else None

    @property
    def light(self) -> bool:
        """Whether the token may be added or removed."""
        return self.kind == "mark" or (self.plain and self.key in _word_set(LIGHT))


def tokens(text: str) -> list[Token]:
    """Tokenize a text with folded typography."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        found += _read_token(match, found[-1] if found else None)
    return [token._replace(kind="symbol") if _is_operator(found, at) else token for at, token in enumerate(found)]


def find_change(source: list[Token], quote: list[Token], count: Callable[[str], int]) -> str | None:
    """Why a quote differs in meaning from its source, in one line; None if it does not.

    Args:
        source: the tokens of the place in the source.
        quote: the tokens of the quote.
        count: number of occurrences of a word in the whole source.
    """
    for old, new, at_edge in _token_differences(source, quote):
        if reason := _meaning_changed(old, new) or _words_changed(old, new, count):
            return reason
        if at_edge and len(_light_tokens(new)) > len(_light_tokens(old)):
            return f"words added: {_token_texts(_light_tokens(new))}"
    return None


def units(text: str) -> list[str]:
    """Short units after numbers, with their case."""
    return [unit for unit in _UNIT_AFTER.findall(text) if unit.casefold() in _word_set(UNITS)]


def cut_through(text: str, start: int, end: int) -> str | None:
    """Which unit a boundary of ``text[start:end]`` would split, in one line; None if none."""
    for position in (start, end):
        if 0 < position < len(text) and (name := _cut_at(text, position)):
            before = _PART_BEFORE.search(text[max(0, position - _REACH) : position])
            after = _PART_AFTER.match(text[position : position + _REACH])
            parts = (before.group() if before else "", after.group() if after else "")
            whole, part = " ".join("".join(parts).split()), parts[position == start].strip()
            kind = name.split()[0]
            return f"cuts a word: {whole}" if kind in ("word", "name") else f"{kind} changed: {whole} -> {part}"
    return None


_PART_BEFORE = re.compile(r"(?:[<>\u2264\u2265\u2260\u2248\u223c~\u00b1=]\s?|[\w.,:/^%+$-]*(?:\s*\n\s*)?)\Z")
_PART_AFTER = re.compile(r"(?:\s*\n\s*|\s)?[\w.,:/^%\u00b0+'-]*")


def _cut_at(text: str, position: int) -> str | None:
    around = text[position - 1 : position + 1]
    if " " in around and around.strip().isalpha():
        return None
    if is_mark(text[position]):
        return "word"
    before, after = (
        _describe_text(text[max(0, position - _REACH) : position]),
        _describe_text(text[position : position + _REACH]),
    )
    return next((name for name, (left, right) in _cut_patterns() if right.match(after) and left.search(before)), None)


def _describe_text(text: str) -> str:
    return text if text.isascii() else _SOFT_HYPHEN.sub("", text).translate(_ALIKE)


_SOFT_HYPHEN = re.compile(r"(?<=[^\W\d_]|[\u0300-\u036f])\u00ad(?!\s)|[\u200b-\u200f\u2060\ufeff]|^\u00ad(?=[^\W\d_])")
_ALIKE = dict.fromkeys([0xAD, *range(0x2010, 0x2014), 0x2212], "-") | {0x2019: "'"}


@functools.cache
def _cut_patterns() -> list[tuple[str, tuple[re.Pattern[str], re.Pattern[str]]]]:
    return [(name, (re.compile(before), re.compile(after))) for name, (before, after) in CUTS.items()]


def _read_token(match: re.Match[str], previous: Token | None) -> Iterator[Token]:
    """The token of a match; two for a contraction with a negation."""
    text, kind = match.group(), match.lastgroup or ""
    opens = previous is None or previous.key in _SENTENCE_ENDS
    plain = text.islower() or (opens and (len(text) == 1 or text[1:].islower()))
    key = text.casefold()
    if kind == "word" and (key in CONTRACTED or key.endswith("n't")):
        yield Token(CONTRACTED.get(key, key[:-3]), kind, text, plain)
        key = "not"
    elif kind == "number" and (unit := _UNIT.search(text)) and unit.group().casefold() in _word_set(UNITS):
        key = key[: unit.start()] + unit.group()
    elif previous and previous.kind == "number" and key in _word_set(UNITS):
        key = text
    yield Token(key, kind, text, plain)


def _is_operator(found: list[Token], at: int) -> bool:
    """Whether a mark is an operator: a symbol by its category, or punctuation at a number or between symbols."""
    token = found[at]
    if token.kind != "mark":
        return False
    if token.key in _OPERATORS or unicodedata.category(token.text)[0] in "SM" or is_mark(token.text):
        return True
    before = found[at - 1] if at else None
    after = found[at + 1] if at + 1 < len(found) else None
    if token.key == "'":
        return before is not None and before.kind == "number"
    if token.key == "-" and after is not None:
        return after.kind == "number" or (before is not None and len(before.key) == len(after.key) == 1)
    return before is not None and after is not None and before.kind == after.kind == "number"


def _token_differences(source: list[Token], quote: list[Token]) -> Iterator[tuple[list[Token], list[Token], bool]]:
    """Differing stretches between the common tokens, and whether one side of them has light words only.

    At such an edge a light word of the quote may replace a word outside the place: "a" for "no".
    """
    from rapidfuzz.distance import Levenshtein

    steps = Levenshtein.opcodes([token.key for token in source], [token.key for token in quote])
    common = [(step.src_start, step.src_end, step.dest_start, step.dest_end) for step in steps if step.tag == "equal"]
    old = new = 0
    for old_end, next_old, new_end, next_new in [*common, (len(source), len(source), len(quote), len(quote))]:
        if (old, new) != (old_end, new_end):
            at_edge = all(token.light for token in quote[:new]) or all(token.light for token in quote[new_end:])
            yield source[old:old_end], quote[new:new_end], at_edge
        old, new = next_old, next_new


def _meaning_changed(old: list[Token], new: list[Token]) -> str | None:
    for kind in ("ellipsis", "number", "negation", "comparison", "hedge", "quantity", "symbol"):
        before, after = _of_kind(kind, old), _of_kind(kind, new)
        if [token.meaning for token in before] != [token.meaning for token in after]:
            if kind == "ellipsis":
                return "words left out"
            return f"{kind} changed: {' -> '.join(filter(None, (_token_texts(before), _token_texts(after))))}"
    same = [token.meaning for token in old if token.meaning] == [token.meaning for token in new if token.meaning]
    return None if same else f"words moved: {_token_texts(old)} -> {_token_texts(new)}"


def _words_changed(old: list[Token], new: list[Token], count: Callable[[str], int]) -> str | None:
    if _join_letters(old) and _join_letters(old) == _join_letters(new):
        return None
    before, after = _content_tokens(old), _content_tokens(new)
    if len(before) == len(after):
        return next((reason for pair in zip(before, after) if (reason := _word_changed(*pair, count))), None)
    if not before:
        return f"words added: {_token_texts(after)}"
    return (
        f"words changed: {_token_texts(before)} -> {_token_texts(after)}"
        if after
        else f"words left out: {_token_texts(before)}"
    )


def _word_changed(old: Token, new: Token, count: Callable[[str], int]) -> str | None:
    if old.key == new.key:
        return None
    if kind := _opposite_change(old.key, new.key) or _opposite_change(new.key, old.key):
        return f"{kind} changed: {old.text} -> {new.text}"
    if _word_stems(old.key) & _word_stems(new.key) or _without_accents(old.key) == _without_accents(new.key):
        return None
    if old.plain and new.plain and _is_slip(old.key, new.key, count):
        return None
    return f"word changed: {old.text} -> {new.text}"


def _opposite_change(word: str, other: str) -> str | None:
    """Kind of the change if one word is the opposite of the other by :data:`OPPOSITES`, else None."""
    for part, contrary in _word_pairs(OPPOSITES):
        fits = part in word if contrary else word.startswith(part)
        if fits and _word_stems(word.replace(part, contrary, 1)) & _word_stems(other):
            return "direction" if contrary else "negation"
    return None


def _word_stems(word: str) -> set[str]:
    return {word} | {
        word.removesuffix(ending) + instead
        for ending, instead in _word_pairs(ENDINGS)
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= 3
    }


def _without_accents(word: str) -> str:
    """The word without accents; a single letter is a symbol and keeps its accent."""
    letters = "".join(letter for letter in unicodedata.normalize("NFD", word) if not is_mark(letter))
    return letters if len(letters) > 1 else word


def _is_slip(old: str, new: str, count: Callable[[str], int]) -> bool:
    """Whether one word is a misspelling of the other, and not a different word that the source also uses."""
    from rapidfuzz.distance import OSA

    slips = next((slips for slips, length in SLIPS if min(len(old), len(new)) >= length), 0)
    close = old[0] == new[0] and OSA.distance(old, new, score_cutoff=slips) <= slips
    return close and not (count(old) > 1 and count(new))


def _join_letters(group: list[Token]) -> str:
    """Letters of a group, to compare "data set" with "dataset"; empty if a one-letter symbol would be absorbed."""
    words = [token.key for token in group if token.kind != "mark"]
    return "".join(words) if all(len(word) > 1 for word in words) else ""


def _content_tokens(group: list[Token]) -> list[Token]:
    return [token for token in group if not token.light and not token.meaning]


def _light_tokens(group: list[Token]) -> list[Token]:
    return [token for token in group if token.light]


def _of_kind(kind: str, group: list[Token]) -> list[Token]:
    return [token for token in group if token.meaning and token.meaning[0] == kind]


def _token_texts(group: list[Token]) -> str:
    return " ".join(token.text for token in group)


@functools.cache
def _meaning_table() -> dict[str, tuple[str, str]]:
    """Words whose change is never accepted: kind and meaning of each form."""
    return {form: (kind, meaning) for kind, meaning, forms in read_words("meanings") for form in forms.split()}


@functools.cache
def _word_set(table: str) -> frozenset[str]:
    return frozenset(table.split())


@functools.cache
def _word_pairs(table: str) -> list[tuple[str, str]]:
    return [(first, second) for first, _, second in (pair.partition("/") for pair in table.split())]
