"""Missing values (empty cells, spellings of "not available", likely codes), and values that differ only in spelling."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from scholartools.errors import InputFault
from scholartools.metrics.agreement.scales import parse_number
from scholartools.parameters import parameter
from scholartools.paths import Name, as_json, name_at
from scholartools.records import Record

# Error values of spreadsheets; LibreOffice also has numbered ones.
_ERRORS = "#n/a #div/0! #ref! #name? #null! #num! #value! #spill! #calc!"
_NUMBERED = re.compile(r"err:\d{3}")
# Invisible characters, such as a zero-width space or a byte-order mark: Unicode's Default_Ignorable_Code_Point.
_UNSEEN = re.compile(
    r"[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: Texts of cells without a value, compared after case folding and removal of surrounding space and invisible
#: characters. A dash is not included: like "+" it may be a label.
BLANKS = frozenset(["", "na", "n/a", "<na>", "nan", "none", "null", *_ERRORS.split()])

_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9]+\Z)")

# Common spellings of a missing value that may also be labels: some signs alone, and some words.
_SIGNS_ALONE = re.compile(r"\(?[-\u2010-\u2015\u2212_.\u2026\xb7?*/\\]{1,4}\)?")
_NO_VALUE = re.compile(
    r"\(?(?:n\. ?a\.?|k\. ?a\.|nil|missing|blank|empty|undefined|not (?:available|applicable)|no (?:answer|data))\)?"
)
# A number of nines such as 999 is a likely code for a missing value if it exceeds this multiple of the largest other
# value.
_NINES, _FAR = re.compile(r"-?9+"), 5
# -1 is a likely code for a missing value if at least _LEVELS other values, from 1 to _HIGHEST, occur; otherwise it may
# be a position on a scale.
_LEVELS, _HIGHEST = 3, 10

# Maximum number of examples in a note.
_MOST_SHOWN = 5
# A likely misspelling: minimum frequency of the correct word, and minimum lengths of words for the kinds of slips.
_OFTEN, _SHORT, _LONG = 3, 3, 5


def is_blank(value: Any) -> bool:
    """Whether a cell is missing: null, NaN, or a text of :data:`BLANKS`."""
    if isinstance(value, str):
        return _fold_cell(value) in BLANKS
    return value is None or (isinstance(value, float) and math.isnan(value))


def _fold_cell(text: str) -> str:
    """Normalise a text: fold case, width and composition, drop invisible characters, and collapse spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    return " ".join(text.casefold().split())


def is_failed_formula(text: str) -> bool:
    """Whether a cell shows a spreadsheet error, such as a text that starts with "=" and was read as a formula."""
    folded = _fold_cell(text)
    return folded in _ERRORS.split() or _NUMBERED.fullmatch(folded) is not None


def given_name(record: Record, path: str, option: str | None = None) -> Name:
    """The string or integer at a path; a blank cell is an error. ``option`` is as in :func:`name_at`.

    Raises:
        InputFault: there is no such value.
    """
    name = name_at(record, path, option)
    if isinstance(name, str) and not _fold_cell(name):
        raise InputFault(f'no "{path}": the cell is empty', kind="missing-key")
    return name


class Blanks:
    """Replaces blank cells by None and counts them; the counts of a record are added only on :meth:`commit`.

    Args:
        missing: further texts, or numbers as text, that code a missing value.
        is_kept: whether blank texts are valid values, so that only ``missing`` is replaced.
    """

    def __init__(self, missing: Iterable[str] = (), *, is_kept: bool = False) -> None:
        self._missing = {text.strip(): text for text in missing}
        self._numbers = {number: text for text in missing if (number := parse_number(text)) is not None}
        self._is_kept = is_kept
        self._counts: Counter[str] = Counter()
        self._kept: Counter[str] = Counter()
        self._named: set[str] = set()
        self._pending: list[tuple[Counter[str], str]] = []

    def begin(self) -> None:
        """Discard the pending counts of a record that was rejected."""
        self._pending.clear()

    def commit(self) -> None:
        """Add the pending counts of an accepted record."""
        for counter, text in self._pending:
            counter[text] += 1
        self._pending.clear()

    def take(self, value: Any) -> Any:
        """The value, or None if it is missing."""
        if value is None or isinstance(value, (bool, list, dict)):
            return value
        if (named := self._named_by(value)) is not None:
            self._named.add(named)
        elif not is_blank(value):
            return value
        elif self._is_kept and isinstance(value, str):
            self._pending.append((self._kept, value))
            return value
        self._pending.append((self._counts, str(value)))
        return None

    def is_missing(self, value: Any) -> bool:
        """Whether a value is missing, without counting it."""
        return self._named_by(value) is not None or (is_blank(value) and not self._is_kept)

    def marks(self) -> list[str]:
        """Entries for the signature: the options that affected a value."""
        return [*(["keep-blank"] if self._kept else []), *(f"missing:{text}" for text in sorted(self._named))]

    def notes(self, what: str, way_back: str | None = None) -> Iterator[str]:
        """Sentences that report the number of blank cells; none if there are none.

        Args:
            what: the values, as a plural noun.
            way_back: parameter that keeps blank texts as values.
        """
        if n := self._counts.total():
            shown, hint = _show_counts(self._counts), ""
            if way_back:
                hint = f"; {parameter(way_back)} takes blank texts as values"
            yield f"{n} {'cell is' if n == 1 else 'cells are'} blank and missing among the {what}: {shown}{hint}"
        if n := self._kept.total():
            told = "blank text counts as a value" if n == 1 else "blank texts count as values"
            yield f"{n} {told} among the {what}: {_show_counts(self._kept)}"

    def _named_by(self, value: Any) -> str | None:
        """The entry of ``missing`` that equals the value as text or as a number."""
        if isinstance(value, str) and value.strip() in self._missing:
            return self._missing[value.strip()]
        number = parse_number(value) if self._numbers else None
        return None if number is None else self._numbers.get(number)


def tell_blank_names(names: Iterable[Any], what: str) -> Iterator[str]:
    """Report names that look like blank cells. They stay names, since they may be initials."""
    if counts := Counter(name for name in names if isinstance(name, str) and is_blank(name)):
        n = counts.total()
        told = (
            "is written as a blank cell is, and counts as a name"
            if n == 1
            else "look like blank cells, and count as names"
        )
        yield f"{n} of the {what} {told}: {_show_counts(counts)}"


def tell_written_alike(values: Iterable[Any], what: str) -> Iterator[str]:
    """Report values that are equal after :func:`_fold_cell` or as numbers, with their frequencies.

    They stay distinct: "2.50" and 2.5 may be a version and a score.
    """
    counts = Counter(value for value in values if isinstance(value, (str, int, float)) and not isinstance(value, bool))
    groups: dict[str | Decimal, list[str | float]] = {}
    for value in counts:
        groups.setdefault(fold_writing(value), []).append(value)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        n = sum(counts[value] for group in alike for value in group)
        shown = "; ".join(
            ", ".join(f"{as_json(value)} ({counts[value]})" for value in sorted(group, key=as_json))
            for group in alike[:_MOST_SHOWN]
        )
        more = " ..." if len(alike) > _MOST_SHOWN else ""
        yield f"{n} {what} differ only in {_describe_difference(alike)}, and count as different: {shown}{more}"


def tell_likely_misspelt(values: Iterable[Any], what: str) -> Iterator[str]:
    """Report words that occur once and differ by one typing error from a frequent word.

    They stay values, since a category may be rare. Short words must have the same letters, and the first
    letter may only differ by a swap.
    """
    counts = Counter(value for value in values if isinstance(value, str) and value.isalpha())
    slips = [
        (rare, often)
        for rare in sorted(counts)
        for often in sorted(counts)
        if counts[rare] == 1 and counts[often] >= _OFTEN and _is_one_slip(rare.casefold(), often.casefold())
    ]
    shown = "; ".join(f"{as_json(rare)} ({as_json(often)}: {counts[often]})" for rare, often in slips[:_MOST_SHOWN])
    if slips:
        told = "occurs once, and may be a misspelling" if len(slips) == 1 else "occur once, and may be misspellings"
        yield f"{len(slips)} of the {what} {told}: {shown}"


def _is_one_slip(one: str, other: str) -> bool:
    """Whether adjacent letters are swapped or, in longer words, one letter is missing, added or different."""
    if len(one) == len(other):
        places = [place for place, (a, b) in enumerate(zip(one, other)) if a != b]
        is_swap = len(places) == 2 and places[1] == places[0] + 1
        is_swap = is_swap and one[places[0]] == other[places[1]] and one[places[1]] == other[places[0]]
        return len(one) >= _SHORT and (is_swap or (len(places) == 1 and len(one) >= _LONG and places[0] > 0))
    short, long = sorted((one, other), key=len)
    is_cut = any(long[:place] + long[place + 1 :] == short for place in range(1, len(long)))
    return len(long) == len(short) + 1 and len(short) >= _LONG - 1 and is_cut


def tell_likely_missing(values: Iterable[Any], what: str) -> Iterator[str]:
    """Report values that look like codes for missing ones: a dash, "?", "missing", a distant -9 or 999, or -1.

    They stay values, since they may be labels: the dash is one if "+" occurs.
    """
    counts = Counter(value for value in values if isinstance(value, (str, int, float)) and not isinstance(value, bool))
    signs = any(isinstance(value, str) and value.strip() == "+" for value in counts)
    words = {
        value
        for value in counts
        if isinstance(value, str)
        and (_NO_VALUE.fullmatch(_fold_cell(value)) or (not signs and _SIGNS_ALONE.fullmatch(_fold_cell(value))))
    }
    likely = Counter({value: counts[value] for value in words})
    for number in _far_nines(counts) | _lone_minus_one(counts):
        likely[f"{float(number):.0f}"] += counts[number]
    if n := likely.total():
        told = "looks like a mark for a missing value, and counts as a value"
        if n > 1:
            told = "look like marks for missing values, and count as values"
        option = parameter("missing", max(sorted(likely), key=likely.__getitem__))
        yield f"{n} of the {what} {told}: {_show_counts(likely)}; {option} takes that for missing"


def _far_nines(values: Iterable[Any]) -> set[Any]:
    """Numbers of nines that are outside the range of the other values."""
    numbers = {value: number for value in values if (number := parse_number(value)) is not None}
    nines = {one for one, number in numbers.items() if number.is_integer() and _NINES.fullmatch(str(int(number)))}
    rest = [number for one, number in numbers.items() if one not in nines]
    most, least = max(map(abs, rest), default=math.inf), min(rest, default=-math.inf)
    return {one for one in nines if numbers[one] < 0 <= least or numbers[one] > max(9, _FAR * most)}


def _lone_minus_one(values: Iterable[Any]) -> set[Any]:
    """-1 beside a scale of at least three integers within 1..10; a scale through zero would include 0."""
    numbers = {value: number for value in values if (number := parse_number(value)) is not None}
    ones = {one for one, number in numbers.items() if number == -1}
    rest = {number for one, number in numbers.items() if one not in ones}
    is_scale = len(rest) >= _LEVELS and all(1 <= number <= _HIGHEST and number.is_integer() for number in rest)
    return ones if is_scale else set()


def _describe_difference(alike: Iterable[Iterable[str | float]]) -> str:
    """How the values differ: in white space or number format, or also in other respects."""
    texts = [[" ".join(str(value).split()) for value in group] for group in alike]
    is_other = any(len({text for text in group if parse_number(text) is None}) > 1 for group in texts)
    return "white space, case, Unicode form or number format" if is_other else "white space or number format"


def fold_writing(value: str | float) -> str | Decimal:
    """Key that values of similar spelling share; numbers keep all digits, since names may be long numbers.

    A comma between digits is a decimal comma, which raters of some countries write.
    """
    text = _fold_cell(value) if isinstance(value, str) else str(value)
    number = _DECIMAL_COMMA.sub(".", text).replace("\u2212", "-")
    return text if parse_number(number) is None else Decimal(number)


def _show_counts(counts: Counter[str]) -> str:
    shown = ", ".join(f"{as_json(text)} ({count})" for text, count in sorted(counts.items())[:_MOST_SHOWN])
    return f"{shown} ..." if len(counts) > _MOST_SHOWN else shown
