"""Cells that hold no value: empty ones and the ways in which "not available" is written; and values written alike."""

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

# What spreadsheets show where a formula failed; LibreOffice has numbers for some.
_ERRORS = "#n/a #div/0! #ref! #name? #null! #num! #value! #spill! #calc!"
_NUMBERED = re.compile(r"err:\d{3}")
# What prints nothing, such as a zero-width space or a byte-order mark: Unicode's Default_Ignorable_Code_Point.
_UNSEEN = re.compile(
    r"[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: The text of a cell without a value, in any case and width of its letters, with any space around it and with
#: characters that nobody sees. A dash is none of them: it may be a label, as + is.
BLANKS = frozenset(["", "na", "n/a", "<na>", "nan", "none", "null", *_ERRORS.split()])

# What people write where there is no value, though it may be a label too: some signs alone, and some words.
_SIGNS_ALONE = re.compile(r"\(?[-\u2010-\u2015\u2212_.\u2026\xb7?*/\\]{1,4}\)?")
_NO_VALUE = re.compile(
    r"\(?(?:n\. ?a\.?|k\. ?a\.|nil|missing|blank|empty|undefined|not (?:available|applicable)|no (?:answer|data))\)?"
)
# A number of nines such as 999 stands for no value where it is as many times the largest of the others.
_NINES, _FAR = re.compile(r"-?9+"), 5
# -1 is a mark for no value beside so many others up to this; beside fewer it may be a side of a question.
_LEVELS, _HIGHEST = 3, 10

# Values written alike, or blanks, that a note shows at most.
_MOST_SHOWN = 5
# A word that may be misspelt: the times that the right one is there, and the letters that words have at least.
_OFTEN, _SHORT, _LONG = 3, 3, 5


def is_blank(value: Any) -> bool:
    """Whether a cell holds no value: null, NaN, or a text of :data:`BLANKS`."""
    if isinstance(value, str):
        return _fold_cell(value) in BLANKS
    return value is None or (isinstance(value, float) and math.isnan(value))


def _fold_cell(text: str) -> str:
    """A text as a reader sees it: in one case and width, composed, without unseen characters and with single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    return " ".join(text.casefold().split())


def is_failed_formula(text: str) -> bool:
    """Whether a cell shows that a formula failed, such as a text that begins with "=" and was taken for one."""
    folded = _fold_cell(text)
    return folded in _ERRORS.split() or _NUMBERED.fullmatch(folded) is not None


def given_name(record: Record, path: str, option: str | None = None) -> Name:
    """The string or integer at a path; an empty cell is no name. ``option`` is as in :func:`name_at`.

    Raises:
        InputFault: there is none.
    """
    name = name_at(record, path, option)
    if isinstance(name, str) and not _fold_cell(name):
        raise InputFault(f'no "{path}": the cell is empty', kind="missing-key")
    return name


class Blanks:
    """Takes blank cells for missing values, and counts them; a record's are counted when all of it was taken.

    Args:
        missing: other texts, or numbers as text, that stand for a missing value.
        is_kept: whether blank texts are values, so that ``missing`` alone counts.
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
        """Forget what was seen in a record that was not taken."""
        self._pending.clear()

    def commit(self) -> None:
        """Count what was seen in the record that was taken."""
        for counter, text in self._pending:
            counter[text] += 1
        self._pending.clear()

    def take(self, value: Any) -> Any:
        """The value, or None for one that is missing."""
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
        """Whether a value would be taken for a missing one; it is not counted."""
        return self._named_by(value) is not None or (is_blank(value) and not self._is_kept)

    def marks(self) -> list[str]:
        """What a signature says of the options that made a value missing, or kept one."""
        return [*(["keep-blank"] if self._kept else []), *(f"missing:{text}" for text in sorted(self._named))]

    def notes(self, what: str, way_back: str | None = None) -> Iterator[str]:
        """How many cells were blank, in a sentence; none where none was.

        Args:
            what: the values are, in the plural.
            way_back: the parameter that takes blank texts as values.
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
        """The text of ``missing`` that a value is, as text or as a number."""
        if isinstance(value, str) and value.strip() in self._missing:
            return self._missing[value.strip()]
        number = parse_number(value) if self._numbers else None
        return None if number is None else self._numbers.get(number)


def tell_blank_names(names: Iterable[Any], what: str) -> Iterator[str]:
    """How many names are written as a blank cell is: people's initials, or no name at all; they stay names."""
    if counts := Counter(name for name in names if isinstance(name, str) and is_blank(name)):
        n = counts.total()
        told = (
            "is written as a blank cell is, and counts as a name"
            if n == 1
            else "look like blank cells, and count as names"
        )
        yield f"{n} of the {what} {told}: {_show_counts(counts)}"


def tell_written_alike(values: Iterable[Any], what: str) -> Iterator[str]:
    """Which texts and numbers look alike, with how often each is there: see :func:`_fold_cell`, and numbers.

    They stay values of their own: "2.50" and 2.5 may be a version and a score.
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
    """Which words are there once, and differ by one slip of the keyboard from one that is there often.

    They stay values: a category may be rare. Short words must have the same letters; a prefix makes another word.
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
    """Whether two neighbouring letters are exchanged, or in a longer word a letter is missing, doubled or another."""
    if len(one) == len(other):
        places = [place for place, (a, b) in enumerate(zip(one, other)) if a != b]
        is_swap = len(places) == 2 and places[1] == places[0] + 1
        is_swap = is_swap and one[places[0]] == other[places[1]] and one[places[1]] == other[places[0]]
        return len(one) >= _SHORT and (is_swap or (len(places) == 1 and len(one) >= _LONG and places[0] > 0))
    short, long = sorted((one, other), key=len)
    is_cut = any(long[:place] + long[place + 1 :] == short for place in range(1, len(long)))
    return len(long) == len(short) + 1 and len(short) >= _LONG - 1 and is_cut


def tell_likely_missing(values: Iterable[Any], what: str) -> Iterator[str]:
    """How many values look like marks for a missing one: a dash, a question mark, "missing", -9 or 999 far off, or -1.

    They stay values, since they may be labels: beside a "+" the dash is one.
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
    """The numbers of nines that cannot be on the scale of the others."""
    numbers = {value: number for value in values if (number := parse_number(value)) is not None}
    nines = {one for one, number in numbers.items() if number.is_integer() and _NINES.fullmatch(str(int(number)))}
    rest = [number for one, number in numbers.items() if one not in nines]
    most, least = max(map(abs, rest), default=math.inf), min(rest, default=-math.inf)
    return {one for one in nines if numbers[one] < 0 <= least or numbers[one] > max(9, _FAR * most)}


def _lone_minus_one(values: Iterable[Any]) -> set[Any]:
    """-1 beside a scale of at least three whole numbers from 1 to 10: a scale through 0 would have the 0."""
    numbers = {value: number for value in values if (number := parse_number(value)) is not None}
    ones = {one for one, number in numbers.items() if number == -1}
    rest = {number for one, number in numbers.items() if one not in ones}
    is_scale = len(rest) >= _LEVELS and all(1 <= number <= _HIGHEST and number.is_integer() for number in rest)
    return ones if is_scale else set()


def _describe_difference(alike: Iterable[Iterable[str | float]]) -> str:
    """In what values that look alike may differ: white space and number format, and more where there is more."""
    texts = [[" ".join(str(value).split()) for value in group] for group in alike]
    is_other = any(len({text for text in group if parse_number(text) is None}) > 1 for group in texts)
    return "white space, case, Unicode form or number format" if is_other else "white space or number format"


def fold_writing(value: str | float) -> str | Decimal:
    """What values that look alike have in common; of numbers all digits, since names may be long ones."""
    text = _fold_cell(value) if isinstance(value, str) else str(value)
    return text if parse_number(text) is None else Decimal(text)


def _show_counts(counts: Counter[str]) -> str:
    shown = ", ".join(f"{as_json(text)} ({count})" for text, count in sorted(counts.items())[:_MOST_SHOWN])
    return f"{shown} ..." if len(counts) > _MOST_SHOWN else shown
