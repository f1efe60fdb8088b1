"""Extract the JSON of a model's reply, repair it if nothing is lost, and validate it against its schema."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PrivateAttr,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

Schema = TypeVar("Schema", bound=BaseModel)
Item = TypeVar("Item")

_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```", re.S)
# JSON escapes, whose letters and digits are not part of the value.
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[bfnrt])")
_CONTENT = re.compile(r"[0-9a-z]")
# Maximum number of unexpected keys that are named to the model.
_TOLD_KEYS = 6


class Closed(BaseModel):
    """Base of a reply's model whose schema allows no other keys, as providers that enforce schemas demand of all.

    A reply that has others all the same is read without them; a model for which that would lose something says
    ``extra="forbid"``.
    """

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})


class PlainText(BaseModel):
    """A reply that is read as text, without JSON: no schema is sent with the prompt.

    Attributes:
        text: what the model said, but for thinking that it put before.
        logprobs: of its tokens, as the provider gave them; None where they were not asked for, or not given.
    """

    text: str
    logprobs: list[dict[str, Any]] | None = None

    _unfit: str | None = PrivateAttr(default=None)

    @property
    def unfit(self) -> str | None:
        """Why the text is no usable explanation, though its value may be used: parts were blanked. Else None."""
        return self._unfit

    def blank(self, places: Sequence[tuple[int, int]], reason: str) -> None:
        """Replace spans of the text by spaces, which preserves all other offsets, and store the reason."""
        for start, end in places:
            self.text = f"{self.text[:start]}{' ' * (end - start)}{self.text[end:]}"
        self._unfit = reason


class ReplyFault(Exception):
    """A reply is unusable; the reason is sent to the model when it is asked again."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class _BadItem:
    """Placeholder for an invalid item of a list, with its error."""

    error: ValidationError


def _read_item(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    try:
        return handler(value)
    except ValidationError as error:
        return _BadItem(error)


#: A list in the model of a reply of which only the invalid items are lost. Only for lists in which the position of an
#: item has no meaning, and a missing item is reported and never read as an answer. The schema is that of the list.
Items = list[Annotated[Item, WrapValidator(_read_item)]]


def _be_given(value: str | None) -> str:
    if value is None:
        raise ValueError("Input should be a text")
    return value


#: An explanation of a value. An unusable one becomes None, and the value is still used. The schema is that of a string.
Reason = Annotated[str | None, AfterValidator(_be_given), WithJsonSchema({"type": "string"})]


class ReadReply(NamedTuple):
    """A parsed reply.

    Attributes:
        value: instance of the schema, without invalid items.
        repair: kind of repair of the JSON, or None.
        lacks: reason for each invalid item.
    """

    value: Any
    repair: str | None
    lacks: list[str]


def read(text: str, schema: type[Schema]) -> ReadReply:
    """Parse a reply as an instance of the schema.

    A bare number or string is the value of the schema's only key.

    Raises:
        ReplyFault: no JSON, several values, duplicate keys in an object, truncated JSON, JSON that does not match the
            schema, or a list of :data:`Items` that are all invalid.
    """
    value, repair = _single_value(text, schema)
    try:
        made = schema.model_validate(value)
    except ValidationError as error:
        raise ReplyFault(
            f"the JSON is not as asked for: {_describe_first(error)}{_other_keys(value, schema)}"
        ) from None
    return ReadReply(made, repair, _take_out_bad_items(made))


def _take_out_bad_items(reply: BaseModel) -> list[str]:
    """Remove invalid items from the lists of a reply.

    Returns:
        The reason for each of them.

    Raises:
        ReplyFault: all items of a list are invalid.
    """
    lacks: list[str] = []
    for name in _lists_of_items(type(reply)):
        items = getattr(reply, name)
        if not items or _BadItem not in map(type, items):
            continue
        bad = [_describe_first(item.error, name, n) for n, item in enumerate(items) if isinstance(item, _BadItem)]
        if len(bad) == len(items):
            raise ReplyFault(f"the JSON is not as asked for: {bad[0]}")
        setattr(reply, name, [item for item in items if not isinstance(item, _BadItem)])
        lacks += [f"an item is not as asked for: {reason}" for reason in bad]
    return lacks


def take_out_items(reply: BaseModel, fault_of: Callable[[str], str | None]) -> list[str]:
    """Remove each faulty :data:`Reason`, and faulty items of lists of :data:`Items`, from a reply.

    Args:
        fault_of: returns the fault of a text of the reply, or None.

    Returns:
        The faults of the removed parts.

    Raises:
        ReplyFault: another part is faulty, or all items of a list are.
    """
    if fault_of("\n".join(_texts_of(reply))) is None:
        return []
    lacks = _take_out_reasons(reply, fault_of)
    of_items = _lists_of_items(type(reply))
    for name, value in reply:
        if name not in of_items:
            if (reason := fault_of("\n".join(_texts_of(value)))) is not None:
                raise ReplyFault(reason)
            continue
        reasons = [fault_of("\n".join(_texts_of(item))) for item in value or ()]
        bad = [reason for reason in reasons if reason is not None]
        if bad and len(bad) == len(reasons):
            raise ReplyFault(bad[0])
        if bad:
            setattr(reply, name, [item for item, reason in zip(value, reasons) if reason is None])
        lacks += bad
    return lacks


def _take_out_reasons(reply: BaseModel, fault_of: Callable[[str], str | None]) -> list[str]:
    """Set each faulty :data:`Reason`, also in nested models, to None; return the faults."""
    lacks: list[str] = []
    for name, value in reply:
        marks = type(reply).model_fields[name].metadata
        is_reason = any(isinstance(one, AfterValidator) and one.func is _be_given for one in marks)
        if is_reason and value is not None and (fault := fault_of(value)) is not None:
            setattr(reply, name, None)
            lacks.append(fault)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, BaseModel):
                lacks += _take_out_reasons(item, fault_of)
    return lacks


@functools.cache
def _lists_of_items(schema: type[BaseModel]) -> frozenset[str]:
    """The names of the fields of type :data:`Items`."""
    return frozenset(
        name
        for name, field in schema.model_fields.items()
        for item in get_args(field.annotation)[:1]
        for one in getattr(item, "__metadata__", ())
        if isinstance(one, WrapValidator) and one.func is _read_item
    )


def _texts_of(value: Any) -> Iterator[str]:
    """All strings in a part of a reply."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts_of([*value, *value.values()])
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts_of(one)
    elif isinstance(value, BaseModel):
        yield from _texts_of(dict(value))


def _describe_first(error: ValidationError, *place: str | int) -> str:
    """Location and message of the first error of a value, whose own location is ``place``."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, (*place, *first['loc']))) or 'the whole'}: {first['msg']}"


def _other_keys(value: Any, schema: type[BaseModel]) -> str:
    """The unexpected keys of a reply, for a message: the model may have renamed or nested the expected ones."""
    others = [key for key in value if key not in schema.model_fields] if isinstance(value, dict) else []
    named = ", ".join(json.dumps(key, ensure_ascii=False)[:40] for key in others[:_TOLD_KEYS])
    return f" (not asked for: {named})" if others else ""


def _single_value(text: str, schema: type[BaseModel]) -> tuple[Any, str | None]:
    """The only JSON value in a reply, which may be repeated, and the kind of its repair."""
    if isinstance(value := _load_json(text), (dict, list)):
        return value, None
    fields = list(schema.model_fields)
    for repair, candidates in _iter_candidates(text):
        found = [
            value for candidate in candidates if (value := _wrap_scalar(_load_json(candidate), fields)) is not None
        ]
        if any(value != found[0] for value in found):
            raise ReplyFault("there are several JSON values in the reply")
        if found:
            return found[0], repair
    candidate = _outermost_json(strip_thinking(text)) or ""
    if not candidate:
        raise ReplyFault("there is no JSON in the reply")
    return _repair_json(candidate), "json"


def _wrap_scalar(value: Any, fields: list[str]) -> Any:
    """An object or a list unchanged, a bare number or string as an object with the only field; else None."""
    if isinstance(value, (dict, list)):
        return value
    return {fields[0]: value} if len(fields) == 1 and isinstance(value, (int, float, str)) else None


def _iter_candidates(text: str) -> Iterator[tuple[str | None, list[str]]]:
    """The parts of a reply that may be its JSON, by the kind of repair that extracts them."""
    yield None, [text.strip()]
    said = strip_thinking(text)
    if said != text:
        yield "thinking", [said.strip()]
    if fenced := _FENCE.findall(said):
        yield "fence", [*fenced, _outermost_json(_FENCE.sub("", said)) or ""]
    if (outermost := _outermost_json(said)) is not None:
        yield "prose", [outermost]


def strip_thinking(text: str) -> str:
    """A reply without the thinking that some models put before the answer; empty if the thinking does not end."""
    if not text.lstrip().startswith("<think>"):
        return text
    _, end, answer = text.rpartition("</think>")
    return answer if end else ""


def _outermost_json(text: str) -> str | None:
    """The text from the first to the last brace, since a reply is one object; None if there is none."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else None


def _load_json(text: str) -> Any:
    """The value of a JSON text, or None if it is not valid.

    Raises:
        ReplyFault: an object has duplicate keys (ignoring case), or the JSON is nested too deeply.
    """
    import orjson

    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if isinstance(value, (dict, list)) and not _is_flat_with_unique_keys(text, value):
        try:
            _UNIQUE_KEYS.decode(text)
        except RecursionError:
            raise ReplyFault("the JSON in the reply is nested too deeply") from None
    return value


def _is_flat_with_unique_keys(text: str, value: Any) -> bool:
    """Whether the text is clearly a flat object with unique keys (ignoring case).

    Takes a fifth of the time of the full check, which nested objects and colons in strings need.
    """
    if not isinstance(value, dict) or text.count("{") > 1 or text.count(":") != len(value):
        return False
    return len({name.casefold() for name in value}) == len(value)


def _parse_object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    names = [name.casefold() for name, _ in pairs]
    if len(set(names)) < len(names):
        counts = Counter(names)
        twice = next(name for name in names if counts[name] > 1)
        raise ReplyFault(f"the JSON has the key {json.dumps(twice, ensure_ascii=False)[:40]} twice in one object")
    return made


# Maximum number of characters read in a repair: a constant, plus a number per character (a few errors need 2 to 4).
_LOOKS, _LOOKS_A_CHARACTER = 400_000, 12
# Maximum number of characters of JSON to repair: at each list element and each non-Latin character, the library scans
# all preceding text, which takes half a second in total at this length.
_MOST_MENDED = 50_000

_UNIQUE_KEYS = json.JSONDecoder(object_pairs_hook=_parse_object)


class _Watched(str):
    """JSON to repair that limits the characters read: at a stray quote, the library scans all of the rest."""

    _left: int

    def __new__(cls, text: str) -> _Watched:
        made = super().__new__(cls, text)
        made._left = _LOOKS + _LOOKS_A_CHARACTER * len(text)
        return made

    def __getitem__(self, key: Any) -> str:
        found = super().__getitem__(key)
        self._left -= len(found)
        if self._left < 0:
            raise ReplyFault("the JSON in the reply has more faults than can be mended")
        return found


def _repair_json(text: str) -> Any:
    """Repair JSON with small errors (an extra comma, other quotes), but not truncated JSON.

    A repair that loses content is rejected: the library makes 3 of ``{"rating": 3 or 4}``, and keeps only the last of
    two objects, or of two values of one key.
    """
    import json_repair

    if len(text) > _MOST_MENDED:
        raise ReplyFault("the JSON in the reply is broken or cut short, and too long to be mended")
    try:
        value, log = json_repair.repair_json(_Watched(text), return_objects=True, logging=True)
    except (ValueError, RecursionError):  # nested too deeply for the library, or for the parser that it tries first
        raise ReplyFault("the JSON in the reply is broken or cut short") from None
    if not isinstance(value, dict) or any("missed the closing" in entry["text"] for entry in log):
        raise ReplyFault("the JSON in the reply is broken or cut short")
    try:
        written = json.dumps(value, ensure_ascii=False)
        written.encode()
    except UnicodeEncodeError:
        raise ReplyFault("the JSON in the reply holds half a character") from None
    _UNIQUE_KEYS.decode(written)
    kept = iter(_CONTENT.findall(written.lower()))
    if not all(character in kept for character in _CONTENT.findall(_ESCAPE.sub("", text).lower())):
        raise ReplyFault("the JSON in the reply is broken, has a key twice, or there are several")
    return value
