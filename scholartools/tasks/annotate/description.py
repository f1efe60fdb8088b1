"""Describe annotation tasks: kinds of items, their questions, and the valid answers."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.shared.blanks import is_blank

#: Answer of a rater who found nothing.
NONE = "none"
#: Reasons for missing answers.
BLANK, SKIPPED = "blank", "skipped"
OFF_SCALE, UNKNOWN_VALUE, MOVED_SPAN, STALE_TEXT = "off-scale", "unknown-value", "moved-span", "stale-text"
#: Further columns of sheets, and names of the two sides of a comparison.
ROW, SKIP, NOTE, CANDIDATES = "row", "skip", "note", "candidates"
SIDES = ("A", "B")
# Tolerance for the steps of a scale.
_ROUNDING = 1e-9
_NUMBER = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d{1,300}")
# Digit groups such as "1 500" or "1'500"; and numbers that may have a group or a decimal separator, by country.
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+")
_MAYBE_THOUSANDS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")


class Part(NamedTuple):
    """A text shown to raters.

    Attributes:
        name: name used in questions.
        heading: heading shown to raters.
        text: text of the record.
        in_: name of the text in the record, if spans can refer to it.
    """

    name: str
    heading: str
    text: str
    in_: str | None = None


class Candidate(NamedTuple):
    """One of several texts to choose from."""

    id: str
    text: str


@dataclass(frozen=True)
class Item:
    """An item to be annotated.

    Attributes:
        id: id in the batch: "p1/w3".
        paper: id of the paper.
        group: further grouping within the paper, such as a review.
        parts: the texts shown.
        candidates: texts to choose from, or the two sides of a comparison.
        stratum: stratum for sampling.
        texts: fingerprint of the displayed texts.
    """

    id: str
    paper: str
    group: str
    parts: tuple[Part, ...]
    candidates: tuple[Candidate, ...] = ()
    stratum: str | None = None

    @property
    def texts(self) -> str:
        """Fingerprint of all displayed texts."""
        return fingerprint([[list(part) for part in self.parts], [list(one) for one in self.candidates]])

    def part(self, name: str) -> Part:
        """The text with a name."""
        return next(part for part in self.parts if part.name == name)


class Fault(Exception):
    """An invalid answer: ``reason`` is one of the reasons above, the message has details.

    ``words`` are the texts of a blank cell, such as NA, which may be meant as an answer.
    """

    def __init__(self, reason: str, message: str, words: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.reason, self.words = reason, words


@dataclass(frozen=True)
class Question:
    """A question. ``is_required``: an item is only complete with an answer to it."""

    name: str
    text: str
    is_required: bool = True
    type: ClassVar[str]
    level: ClassVar[str] = "nominal"

    def check(self, value: Any, item: Item) -> Any:
        """Validate an answer and return its stored form.

        Raises:
            Fault: the answer is invalid.
        """
        raise NotImplementedError

    @property
    def allowed(self) -> str:
        """Description of the valid answers, for column headings."""
        raise NotImplementedError

    def as_record(self) -> Record:
        """The question as JSON, the inverse of :func:`question_of`."""
        return {"type": self.type, **dataclasses.asdict(self)}


@dataclass(frozen=True)
class Number(Question):
    """A number within a range."""

    low: float = 0.0
    high: float = math.inf
    type = "number"
    level = "interval"

    def check(self, value: Any, item: Item) -> Any:
        number = parse_number(value)
        if number is None:
            raise Fault(UNKNOWN_VALUE, f'"{value}" is not a number')
        if not self.low <= number <= self.high:
            raise Fault(OFF_SCALE, f'"{value}" is not {self.allowed}')
        if isinstance(value, str) and _MAYBE_THOUSANDS.fullmatch(value.strip()) and 1000 * number <= self.high:
            raise Fault(UNKNOWN_VALUE, f'"{value}" may be {number:g} or {1000 * number:g}: write it without the mark')
        return number

    @property
    def allowed(self) -> str:
        return f"{self.low:g} to {self.high:g}"

    def as_record(self) -> Record:
        made = super().as_record()
        return {**made, "high": None} if math.isinf(self.high) else made


@dataclass(frozen=True)
class Scale(Number):
    """A rating on a scale. ``levels``: meanings of some values."""

    low: float = 1
    high: float = 5
    step: float = 1
    levels: Mapping[str, str] = field(default_factory=dict)
    type = "scale"
    level = "ordinal"

    def check(self, value: Any, item: Item) -> Any:
        number = super().check(value, item)
        steps = (number - self.low) / self.step
        if abs(steps - round(steps)) > _ROUNDING:
            raise Fault(OFF_SCALE, f'"{value}" is not {self.allowed} in steps of {self.step:g}')
        return number


@dataclass(frozen=True)
class Choice(Question):
    """One of several values; with ``is_many`` a list of ``at_least`` to ``at_most``. ``meanings``: by value."""

    values: tuple[str, ...] = ()
    is_many: bool = False
    at_least: int = 0
    at_most: int | None = None
    meanings: Mapping[str, str] = field(default_factory=dict)
    type = "choice"

    def check(self, value: Any, item: Item) -> Any:
        if not self.is_many:
            return self._known(value)
        found = {self._known(one) for one in as_list(value)}
        most = self.at_most or len(self.values)
        if not self.at_least <= len(found) <= most:
            raise Fault(UNKNOWN_VALUE, f"{len(found)} values, but {self.at_least} to {most} are expected")
        return [one for one in self.values if one in found]

    def _known(self, value: Any) -> str:
        text = str(value).strip().casefold()
        found = next((one for one in self.values if one.casefold() == text), None)
        if found is None:
            raise Fault(UNKNOWN_VALUE, f'"{value}" is not one of {", ".join(self.values)}')
        return found

    @property
    def allowed(self) -> str:
        return "; ".join(self.values)


@dataclass(frozen=True)
class YesNo(Question):
    """Yes or no."""

    type = "yes_no"

    def check(self, value: Any, item: Item) -> Any:
        if isinstance(value, bool):
            return value
        flag = {"yes": True, "true": True, "no": False, "false": False}.get(str(value).strip().casefold())
        if flag is None:
            raise Fault(UNKNOWN_VALUE, f'"{value}" is neither yes nor no')
        return flag

    @property
    def allowed(self) -> str:
        return "yes; no"


@dataclass(frozen=True)
class Text(Question):
    """Free text."""

    type = "text"

    def check(self, value: Any, item: Item) -> Any:
        if not isinstance(value, str):
            raise Fault(UNKNOWN_VALUE, f'"{value}" is not a text')
        return value

    @property
    def allowed(self) -> str:
        return "your words"


@dataclass(frozen=True)
class Spans(Question):
    """Labelled passages of a part. An empty list: the rater found none.

    ``rated``: a scale to rate each passage; its name is a key of the passage, null without a rating.
    """

    part: str = ""
    labels: tuple[str, ...] = ()
    at_most: int | None = None
    rated: Scale | None = None
    type = "spans"

    def check(self, value: Any, item: Item) -> Any:
        """Validate spans against the text; ``passages`` locates them before."""
        part = item.part(self.part)
        for span in value:
            if span["label"] not in self.labels:
                raise Fault(UNKNOWN_VALUE, f'"{span["label"]}" is not one of {", ".join(self.labels)}')
            if part.text[span["start"] : span["end"]] != span["text"] or not span["text"].strip():
                raise Fault(MOVED_SPAN, f'"{span["text"][:60]}" is not at {span["start"]} to {span["end"]}')
        value = [self._with_rating(span, item) for span in value]
        places = {(span["start"], span["end"], span["label"]): span for span in value}
        if any(places[span["start"], span["end"], span["label"]] != span for span in value):
            raise Fault(UNKNOWN_VALUE, "a passage has two ratings")
        if self.at_most is not None and len(places) > self.at_most:
            raise Fault(UNKNOWN_VALUE, f"{len(places)} passages, but at most {self.at_most} are allowed")
        return [places[place] for place in sorted(places)]

    def _with_rating(self, span: Record, item: Item) -> Record:
        if self.rated is None:
            return {key: one for key, one in span.items() if key in ("in", "start", "end", "text", "label")}
        given = span.get(self.rated.name)
        return {**span, self.rated.name: None if is_blank(given) else self.rated.check(given, item)}

    @property
    def allowed(self) -> str:
        return f'passages, one a line, or "{NONE}"'


@dataclass(frozen=True)
class Pick(Question):
    """Up to ``at_most`` candidates by id; with ``custom_in`` also a passage of that part. An empty list: none."""

    at_most: int = 1
    custom_in: str | None = None
    type = "pick"

    def check(self, value: Any, item: Item) -> Any:
        known = {one.id for one in item.candidates}
        chosen = [one for one in value if isinstance(one, str)]
        if unknown := next((one for one in chosen if one not in known), None):
            raise Fault(UNKNOWN_VALUE, f'no candidate is "{unknown}"')
        own = [one for one in value if not isinstance(one, str)]
        if len(own) > (self.custom_in is not None):
            raise Fault(UNKNOWN_VALUE, f"{len(own)} passages that are not candidates")
        found = [*(one.id for one in item.candidates if one.id in chosen), *own]
        if len(found) > self.at_most:
            raise Fault(UNKNOWN_VALUE, f"{len(found)} are chosen, but at most {self.at_most} are allowed")
        return found

    @property
    def allowed(self) -> str:
        own = ", or a passage" if self.custom_in else ""
        return f'numbers of at most {self.at_most}, divided by ";"{own}, or "{NONE}"'


@dataclass(frozen=True)
class Winner(Question):
    """The better of two candidates, by id, or "tie" if allowed."""

    has_tie: bool = True
    type = "winner"

    def check(self, value: Any, item: Item) -> Any:
        known = [*(one.id for one in item.candidates), *(["tie"] if self.has_tie else [])]
        if value not in known:
            raise Fault(UNKNOWN_VALUE, f'"{value}" is not a side')
        return value

    @property
    def allowed(self) -> str:
        return "A; B; tie" if self.has_tie else "A; B"


QUESTIONS: dict[str, type[Question]] = {
    one.type: one for one in (Scale, Choice, Spans, Pick, Winner, YesNo, Text, Number)
}


@dataclass(frozen=True)
class Kind:
    """A kind of annotation task: items and questions.

    Attributes:
        name: name of the kind: "labels".
        title: title shown to raters.
        unit: description of an item: "a weakness of a review".
        guide: introduction of the instructions, in Markdown.
        questions: in order.
        items: function that yields the items of a record.
        put: adds answers, by item and rater, to a copy of a record; None: answers are only counted and rated.
        is_own: whether it comes from a user's file.
        is_whole: whether a rater's answers to all items of a paper form one list, which must be complete.
    """

    name: str
    title: str
    unit: str
    guide: str
    questions: tuple[Question, ...]
    items: Callable[[Record], Iterable[Item]]
    put: Callable[[Record, Mapping[str, Mapping[str, Record]]], Record] | None = None
    is_own: bool = False
    is_whole: bool = False


def only_rater(given: Mapping[str, Mapping[str, Record]]) -> str:
    """The only rater who answered, for records that hold one answer.

    Raises:
        InputFault: there are several raters, and none is preferred.
    """
    raters = sorted({rater for said in given.values() for rater in said})
    if len(raters) != 1:
        told = f"{', '.join(raters)} answered, and the record has one place for an answer"
        raise InputFault(f"{told}: {parameter('truth', 'FILE')} takes what st-annotate gold settles", kind="duplicate")
    return raters[0]


def question_of(record: Record) -> Question:
    """Parse a question written by :meth:`Question.as_record` or in the file of a custom kind.

    Raises:
        InputFault: an unknown type or key, or an invalid value.
    """
    if not isinstance(record, dict):
        raise InputFault(f"a question has keys with values: {record!r} has none", kind="invalid-key")
    kind = QUESTIONS.get(str(record.get("type")))
    if kind is None:
        raise InputFault(f"the type of a question is one of {', '.join(QUESTIONS)}", kind="invalid-key")
    known = [one.name for one in dataclasses.fields(kind)]
    # elsewhere null is an error: an open-ended scale from 0 would silently get the default maximum 5
    nullable = {one.name for one in dataclasses.fields(kind) if one.default is None or one.default == math.inf}
    given = {key: one for key, one in record.items() if key != "type" and (one is not None or key not in nullable)}
    if unknown := next((key for key in given if key not in known), None):
        reason = f'a question of type {kind.type} has no "{unknown}": it has {", ".join(known)}'
        raise InputFault(reason, kind="invalid-key")
    if "name" not in given or "text" not in given:
        raise InputFault('a question needs "name" and "text"', kind="missing-key")
    for told, keys, read in _SHAPES:
        for key in given.keys() & keys:
            if (value := read(given[key])) is None:
                raise InputFault(f'"{key}" of "{given["name"]}" must be {told}, not {given[key]!r}', kind="invalid-key")
            given[key] = value
    for key in {"values", "labels"} & {*known}:
        if not given.get(key) or len({one.casefold() for one in given[key]}) < len(given[key]):
            raise InputFault(f'"{key}" of "{given["name"]}" are empty, or two of them are equal', kind="invalid-key")
    if "rated" in given:
        given["rated"] = question_of({"type": "scale", **given["rated"]})
        if given["rated"].name in ("in", "start", "end", "text", "label"):
            raise InputFault(f'"{given["rated"].name}" is a key of each passage', kind="invalid-key")
    made = kind(**given)
    if wrong := next(_contradictions(made), None):
        raise InputFault(f'"{made.name}": {wrong}', kind="invalid-key")
    return made


def _list_of_texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, (list, tuple)) or any(isinstance(one, (list, dict)) for one in value):
        return None
    return tuple(str(one).strip() for one in value)


def _instance_of(kind: type, low: float = -math.inf) -> Callable[[Any], Any]:
    """A parser that accepts values of a type, numbers only from ``low`` on, and else returns None; no booleans."""
    return lambda value: value if type(value) is kind and (not isinstance(value, int) or value >= low) else None


#: Types of a question's keys and their parsers; numbers may be given as text, since YAML reads 1e9 as text.
_SHAPES: tuple[tuple[str, set[str], Callable[[Any], Any]], ...] = (
    ("a text", {"name", "text", "part", "custom_in"}, _instance_of(str)),
    ("true or false", {"is_required", "is_many", "has_tie"}, _instance_of(bool)),
    ("a whole number from 1", {"at_most"}, _instance_of(int, 1)),
    ("a whole number from 0", {"at_least"}, _instance_of(int, 0)),
    ("a number", {"low", "high", "step"}, lambda value: parse_number(value)),  # defined below
    ("a list of texts", {"values", "labels"}, _list_of_texts),
    ("keys with values", {"levels", "meanings", "rated"}, _instance_of(dict)),
)


def _contradictions(question: Question) -> Iterator[str]:
    """Contradictions in a question, such as values that no answer can have."""
    if isinstance(question, Number) and not question.low < question.high:
        yield f"{question.low:g} is not below {question.high:g}"
    if isinstance(question, Scale):
        if not 0 < question.step <= question.high - question.low:
            yield f"a step of {question.step:g}"
        for level in question.levels:
            if (number := parse_number(level)) is None or not question.low <= number <= question.high:
                yield f'the level "{level}" is not {question.allowed}'
    if isinstance(question, Choice):
        if unknown := next((one for one in question.meanings if one not in question.values), None):
            yield f'"{unknown}" has a meaning, and is not one of {", ".join(question.values)}'
        most = len(question.values) if question.at_most is None else question.at_most
        if not question.at_least <= most <= len(question.values):
            yield f"{question.at_least} to {most} of {len(question.values)} values"


def parse_number(value: Any) -> float | int | None:
    """Parse a number, also from text and with a decimal comma; None if invalid."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        text = re.sub(r"\D", "", text) if _THOUSANDS.fullmatch(text) else text
        value = text.replace(",", ".") if _NUMBER.fullmatch(text) else None
        value = int(value) if value is not None and _WHOLE.fullmatch(value) else value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    # A float cannot represent integers of more than 53 bits, such as identifiers.
    return value if isinstance(value, int) else int(number) if number.is_integer() else number


def blank_fault(cells: Iterable[Any]) -> Fault:
    """Fault of cells without an answer."""
    words = [cell.strip() for cell in cells if isinstance(cell, str) and any(map(str.isalpha, cell))]
    return Fault(BLANK, "empty", words)


def is_missing(question: Question, value: Any) -> bool:
    """Whether a value is a missing answer; "none" and "n/a" are answers if the question allows them."""
    if isinstance(value, str) and is_blank(value):
        text = value.strip().casefold()
        may_be_none = isinstance(question, (Spans, Pick)) or (isinstance(question, Choice) and question.is_many)
        return not (may_be_none and text == NONE) and text not in map(str.casefold, getattr(question, "values", ()))
    return is_blank(value)


def is_marked(cell: Any) -> bool:
    """Whether a cell under ``skip`` has a mark or a reason, other than "no", "0" or a dash."""
    return not is_blank(cell) and str(cell).strip().casefold() not in ("no", "0", "false", "-", "\u2013", "\u2014")


def as_list(value: Any) -> Sequence[Any]:
    """Split a text at ";" and line breaks; lists are unchanged, and "none" is an empty list."""
    if not isinstance(value, str):
        return value if isinstance(value, list) else [value]
    parts = [part.strip() for part in value.replace("\n", ";").split(";") if part.strip()]
    return [] if [part.casefold() for part in parts] == [NONE] else parts
