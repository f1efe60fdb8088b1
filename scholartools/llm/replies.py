"""The JSON in a model's reply: found, repaired where that loses nothing, checked against its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

Schema = TypeVar("Schema", bound=BaseModel)

_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```", re.S)
# What a reply may have that its value has not: escapes stand for other characters.
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[bfnrt])")
_CONTENT = re.compile(r"[0-9a-z]")
# Keys of a reply of another shape that are told to the model.
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
        logprobs: of its tokens, as the provider told them; None where they were not asked for, or not told.
    """

    text: str
    logprobs: list[dict[str, Any]] | None = None


class ReplyFault(Exception):
    """A reply that cannot be used; the reason is told to the model when it is asked once more."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read(text: str, schema: type[Schema]) -> tuple[Schema, str | None]:
    """The reply as an instance of the schema, and how it had to be repaired (None: not at all).

    A number or a string alone is the value of a schema's only key.

    Raises:
        ReplyFault: no JSON, several values, a key twice in one object, JSON that ends too soon or is of another shape.
    """
    value, repair = _value(text, schema)
    try:
        return schema.model_validate(value), repair
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise ReplyFault(f"the JSON is not as asked for: {place}: {first['msg']}{_other_keys(value, schema)}") from None


def _other_keys(value: Any, schema: type[BaseModel]) -> str:
    """The keys of a reply that were not asked for: a model may have named or nested things its own way."""
    others = [key for key in value if key not in schema.model_fields] if isinstance(value, dict) else []
    named = ", ".join(json.dumps(key, ensure_ascii=False)[:40] for key in others[:_TOLD_KEYS])
    return f" (not asked for: {named})" if others else ""


def _value(text: str, schema: type[BaseModel]) -> tuple[Any, str | None]:
    """The one value in a reply; it may stand there twice, but not beside another."""
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
    candidate = _outermost_json(answer(text)) or ""
    if not candidate:
        raise ReplyFault("there is no JSON in the reply")
    return _repair_json(candidate), "json"


def _wrap_scalar(value: Any, fields: list[str]) -> Any:
    """An object or a list as it is, a lone number or string as the object it stands for; None for anything else."""
    if isinstance(value, (dict, list)):
        return value
    return {fields[0]: value} if len(fields) == 1 and isinstance(value, (int, float, str)) else None


def _iter_candidates(text: str) -> Iterator[tuple[str | None, list[str]]]:
    """Where the JSON of a reply may stand, by how it would have to be cut out of it."""
    yield None, [text.strip()]
    said = answer(text)
    if said != text:
        yield "thinking", [said.strip()]
    if fenced := _FENCE.findall(said):
        yield "fence", [*fenced, _outermost_json(_FENCE.sub("", said)) or ""]
    if (outermost := _outermost_json(said)) is not None:
        yield "prose", [outermost]


def answer(text: str) -> str:
    """What a reply says after the thinking that some models put before it; nothing where that has no end."""
    if not text.lstrip().startswith("<think>"):
        return text
    _, end, answer = text.rpartition("</think>")
    return answer if end else ""


def _outermost_json(text: str) -> str | None:
    """From the first brace to the last; a reply is one object."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else None


def _load_json(text: str) -> Any:
    """The value a text is as JSON, or None where it is none.

    Raises:
        ReplyFault: an object in it has a key twice: which of the two values is meant, only the model can say.
    """
    import orjson

    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if isinstance(value, (dict, list)):
        try:
            _UNIQUE_KEYS.decode(text)
        except RecursionError:
            raise ReplyFault("the JSON in the reply is nested too deeply") from None
    return value


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ReplyFault(f"the JSON has the key {json.dumps(twice, ensure_ascii=False)[:40]} twice in one object")
    return made


_UNIQUE_KEYS = json.JSONDecoder(object_pairs_hook=_object)


def _repair_json(text: str) -> Any:
    """JSON with slips mended (a comma too many, quotes of another kind), never one that was cut short.

    Nor one of which the mending lost something: it makes 3 of ``{"rating": 3 or 4}``, and the last of two objects
    or of two values of one key.
    """
    import json_repair

    value, log = json_repair.repair_json(text, return_objects=True, logging=True)
    if not isinstance(value, dict) or any("missed the closing" in entry["text"] for entry in log):
        raise ReplyFault("the JSON in the reply is broken or cut short")
    try:
        written = json.dumps(value, ensure_ascii=False)
        written.encode()
    except UnicodeEncodeError:
        raise ReplyFault("the JSON in the reply holds half a character") from None
    kept = iter(_CONTENT.findall(written.lower()))
    if not all(character in kept for character in _CONTENT.findall(_ESCAPE.sub("", text).lower())):
        raise ReplyFault("the JSON in the reply is broken, has a key twice, or there are several")
    return value
