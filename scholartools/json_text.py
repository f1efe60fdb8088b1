"""Decode and encode JSON without loss: duplicate keys are detected, and numbers beyond float precision are kept."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

# Runs of so many digits may be integers beyond 64 bits, which orjson would round to a float.
_MAYBE_BIG_INTEGER = b"0" * 19
_DIGITS_AS_ZEROS = bytes.maketrans(b"123456789", b"000000000")
# All bytes except those that occur in numbers and around keys.
_NOT_TOLD_APART = bytes(set(range(256)) - set(b'":0123456789+-.eE'))
_BEFORE_KEY, _COLON = re.compile(r'[ \t\r\n]*[{,][ \t\r\n]*"'), re.compile(r"[ \t\r\n]*:[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class DuplicateKey(ValueError):
    """A key occurs twice in one object, so that its value is ambiguous."""


def loads(text: str) -> Any:
    """Decode JSON; integers of any size stay exact.

    Raises:
        ValueError: not JSON (NaN and Infinity are not).
    """
    import orjson

    text = text.removeprefix("\ufeff")  # a byte order mark
    value = orjson.loads(text)
    if _MAYBE_BIG_INTEGER not in text.encode().translate(_DIGITS_AS_ZEROS):
        return value
    with _deep_recursion():
        return json.loads(text)


def dumps(value: Any) -> bytes:
    """Encode as JSON in UTF-8 on one line, keys in their order; an unpaired surrogate is written as U+FFFD.

    Raises:
        TypeError: a value has no JSON type.
        ValueError: a number is NaN or infinite in a value that only the slow encoder can write.
    """
    import orjson

    try:
        return orjson.dumps(value)
    except TypeError as error:
        if not any(cause in str(error) for cause in ("64-bit", "Recursion", "surrogates")):
            raise
    with _deep_recursion():
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def loads_exactly(text: bytes) -> tuple[Any, dict[str, bytes]]:
    """Decode JSON in UTF-8, and return the parts that :func:`dumps` would write differently.

    Returns:
        The value and, if it is an object, the raw JSON of each of its values in which ``dumps`` would reformat a
            number: -0, 2.50, 1e-400, more digits than a float has.

    Raises:
        DuplicateKey: a key occurs twice in an object at any depth.
        ValueError: not JSON, or a number is larger than a float.
    """
    import orjson

    value = orjson.loads(text)
    written = dumps(value)
    if written == text or _looks_same(text, written):
        return value, {}
    bare, rewritten = _without_strings(text), _without_strings(written)
    if bare == rewritten:
        return value, {}
    with _deep_recursion():
        if bare.count(b":") > rewritten.count(b":") or _MAYBE_BIG_INTEGER in bare.translate(_DIGITS_AS_ZEROS):
            value = json.loads(text, object_pairs_hook=_object_of)
        if not isinstance(value, dict):
            return value, {}
        return value, {key: raw for key, raw in _iter_numbers(text.decode()) if not _is_same(raw, dumps(value[key]))}


def dumps_exactly(value: Mapping[str, Any], before: Mapping[str, Any], kept: Mapping[str, bytes]) -> bytes:
    """Encode an object; values unchanged since ``before`` are written as the raw JSON from :func:`loads_exactly`."""
    parts = [
        dumps(key) + b":" + (kept[key] if key in kept and inner is before.get(key) else dumps(inner))
        for key, inner in value.items()
    ]
    return b"{" + b",".join(parts) + b"}"


def _is_same(text: bytes, written: bytes) -> bool:
    """Whether a JSON text and the encoding of its value have the same keys and the same number literals."""
    return text == written or _without_strings(text) == _without_strings(written)


def _looks_same(text: bytes, written: bytes) -> bool:
    """Fast sufficient test for :func:`_is_same`: compares only the bytes of numbers and around keys."""
    return b"\\u" not in text and text.translate(None, _NOT_TOLD_APART) == written.translate(None, _NOT_TOLD_APART)


def _without_strings(text: bytes) -> bytes:
    """JSON text without whitespace and with all strings emptied."""
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b'""'.join(text.split(b'"')[::2]).translate(None, b" \t\r\n")


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, _ in pairs if counts[key] > 1)
        raise DuplicateKey(f"the key {json.dumps(twice)[:60]} occurs twice in one object")
    return made


def _iter_numbers(text: str) -> Iterator[tuple[str, bytes]]:
    """Iterate over the keys of a JSON object with the raw text of each value that may contain a number."""
    end = 0
    while before := _BEFORE_KEY.match(text, end):
        key, end = scanstring(text, before.end())
        start = end + len(_COLON.match(text, end)[0])  # type: ignore[index]
        _, end = _DECODER.scan_once(text, start)  # type: ignore[attr-defined]
        if text[start] not in '"tfn':
            yield key, text[start:end].encode()


@contextlib.contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raise the recursion limit for values that orjson can decode (up to 1,024 levels) but not encode."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
