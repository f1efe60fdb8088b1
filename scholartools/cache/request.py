"""Canonical form of a request and its key in the cache."""

from __future__ import annotations

import hashlib
import json
import math
import re
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote_to_bytes

import orjson

from scholartools import io

Record = dict[str, Any]

# Allowed keys of a request; all of them are part of the key.
_NAMES = {"model", "messages", "parameters", "response_format", "extra_body", "sample", "namespace"}
# Placeholder for the messages of a request.
_GAP = [{"role": "\0"}]
# An escaped surrogate; orjson rejects unpaired ones.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def call_key(request: Mapping[str, Any]) -> bytes:
    """SHA-256 of the canonical JSON of a request: 32 bytes.

    Args:
        request: ``model``, ``messages``, ``parameters``, ``response_format``, ``extra_body``, ``sample`` (int) and
            ``namespace``, all but the first two optional. A missing parameter is equivalent to None, and 1 to 1.0.
            Images may be data URLs, or the hashes that :func:`normalize_request` replaces them by.

    Raises:
        ValueError: unknown keys, no model, no messages, a parameter that is not finite, or a broken image.
    """
    return hashlib.sha256(canonical_json(normalize_request(request))).digest()


def make_key_function(rest: Mapping[str, Any]) -> Callable[[list[Record]], bytes]:
    """Fast version of :func:`call_key` for requests that differ only in their messages, as a function of these.

    It takes 1.6 us for a prompt of 900 characters and 6.8 us for one of 7,000; ``call_key`` takes 4.2 us and 15.6 us.
    """

    def slow(messages: list[Record]) -> bytes:
        return call_key({**rest, "messages": messages})

    def key(messages: list[Record]) -> bytes:
        try:
            written = _to_json([_hash_images(message) for message in messages])
        except TypeError:
            return slow(messages)
        return hashlib.sha256(head + written + tail).digest()

    try:
        head, tail = _to_json(normalize_request({**rest, "messages": _GAP})).split(_to_json(_GAP))
    except (TypeError, ValueError):  # only the slow encoder can encode it, or the placeholder is not unique
        return slow
    return key


def normalize_request(request: Mapping[str, Any]) -> Record:
    """Normalise a request for hashing and storing: None values are dropped, and images become ``sha256:`` of their
    bytes.
    """
    if unknown := sorted(request.keys() - _NAMES):
        raise ValueError(f"a request holds no {', '.join(map(repr, unknown))}: it would be missing in the key")
    if not isinstance(request.get("model"), str) or not isinstance(request.get("messages"), list):
        raise ValueError("a request needs a model and messages")
    parameters = request.get("parameters") or {}
    kept = {
        **request,
        "messages": [_hash_images(message) for message in request["messages"]],
        "parameters": {name: _plain_numbers(value) for name, value in parameters.items() if value is not None},
        "extra_body": _plain_numbers(request.get("extra_body")),
        "sample": request.get("sample") or 0,
    }
    return {name: value for name, value in kept.items() if value is not None}


def canonical_json(value: Any) -> bytes:
    """JSON on one line with sorted keys; equal values give equal bytes."""
    try:
        return _to_json(value)
    except TypeError:  # an integer beyond 64 bits, or an unpaired surrogate, e.g. at the end of a truncated reply
        return json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()


def _to_json(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def parse_canonical(data: bytes) -> Any:
    """Parse the bytes written by :func:`canonical_json`.

    Raises:
        ValueError: not JSON, or not UTF-8.
    """
    text = data.decode()
    try:
        return io.loads(text)
    except ValueError:
        if not _SURROGATE.search(text):
            raise
    return json.loads(text, parse_constant=_no_number)


def _no_number(word: str) -> None:
    raise ValueError(f"not JSON: {word}")


def _plain_numbers(value: Any) -> Any:
    """Normalise numbers: 1.0 becomes 1, since JSON does not distinguish them."""
    if isinstance(value, dict):
        return {name: _plain_numbers(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_numbers(inner) for inner in value]
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        raise ValueError(f"a parameter is {value}, which JSON cannot express")
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _hash_images(message: Record) -> Record:
    content = message.get("content")
    return {**message, "content": [_hash_image(part) for part in content]} if isinstance(content, list) else message


def _hash_image(part: Record) -> Record:
    image = part.get("image_url") if part.get("type") == "image_url" else None
    if isinstance(image, str):
        return {**part, "image_url": _hash_content(image)}
    return {**part, "image_url": {**image, "url": _hash_content(image["url"])}} if image else part


def _hash_content(url: str) -> str:
    if not url.startswith("data:"):
        return url
    head, _, data = url.partition(",")
    content = b64decode(data, validate=True) if head.endswith(";base64") else unquote_to_bytes(data)
    return "sha256:" + hashlib.sha256(content).hexdigest()
