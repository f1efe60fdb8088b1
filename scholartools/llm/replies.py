"""The JSON in a model's reply: found, repaired where that loses nothing, checked against its schema."""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Schema = TypeVar("Schema", bound=BaseModel)

_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```", re.S)


class ReplyFault(Exception):
    """A reply that cannot be used; the reason is told to the model when it is asked once more."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read(text: str, schema: type[Schema]) -> tuple[Schema, str | None]:
    """The reply as an instance of the schema, and how it had to be repaired (None: not at all).

    Raises:
        ReplyFault: no JSON, JSON that ends too soon, or JSON of another shape.
    """
    value, repair = _value(text)
    try:
        return schema.model_validate(value), repair
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise ReplyFault(f"the JSON is not as asked for: {place}: {first['msg']}") from None


def _value(text: str) -> tuple[Any, str | None]:
    for repair, candidate in _candidates(text):
        value = _loaded(candidate)
        if isinstance(value, (dict, list)):
            return value, repair
    candidate = _outermost(text) or ""
    if not candidate:
        raise ReplyFault("there is no JSON in the reply")
    return _repaired(candidate), "json"


def _candidates(text: str) -> list[tuple[str | None, str]]:
    found: list[tuple[str | None, str]] = [(None, text.strip())]
    found += (("fence", match.group(1)) for match in _FENCE.finditer(text))
    if (outermost := _outermost(text)) is not None:
        found.append(("prose", outermost))
    return found


def _outermost(text: str) -> str | None:
    """From the first brace to the last; a reply is one object."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else None


def _loaded(text: str) -> Any:
    import orjson

    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _repaired(text: str) -> Any:
    """JSON with slips mended (a comma too many, quotes of another kind), never one that was cut short."""
    import json_repair

    value, log = json_repair.repair_json(text, return_objects=True, logging=True)
    if not isinstance(value, dict) or any("missed the closing" in entry["text"] for entry in log):
        raise ReplyFault("the JSON in the reply is broken or cut short")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ReplyFault("the JSON in the reply holds half a character") from None
    return value
