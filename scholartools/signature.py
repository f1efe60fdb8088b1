"""Signatures: results with the same signature are the same result."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from scholartools import __version__

# Characters that would make adjacent values ambiguous.
_SEPARATOR = re.compile("[ =,\n]")


class Written(str):
    """A value as signatures have it, of a parameter that many of them share: it is written once."""

    __slots__ = ()


class Digest(NamedTuple):
    """Precomputed fingerprint of the data from which a result was made."""

    text: str


def fingerprint(value: Any) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a value's canonical JSON (keys sorted, UTF-8)."""
    import orjson

    try:
        canonical = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer of more than 64 bits
        canonical = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    return hashlib.sha256(canonical).hexdigest()[:16]


def signature(command: str, parameters: Mapping[str, Any]) -> str:
    """One-line identifier of a result: ``command version key=value ...`` with sorted keys.

    ``parameters`` must contain everything that changes the result: every option, the method, the seed, the versions of
    the libraries involved, and a fingerprint of the input.
    """
    pairs = " ".join([f"{key}={write_value(value)}" for key, value in sorted(parameters.items())])
    return f"{command} {__version__} {pairs}".rstrip()


@functools.cache
def library(name: str) -> str:
    """``NAME-VERSION`` of an installed package that computes a result."""
    known = getattr(sys.modules.get(name), "__version__", None)
    if known is None:  # importing importlib.metadata takes longer than many commands need for a record
        from importlib.metadata import version

        known = version(name)
    return f"{name}-{known}"


def write_value(value: Any) -> str:
    """The value of a parameter as signatures have it."""
    if type(value) is Written:
        return value
    if type(value) is str:
        return _quote_word(value)
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, (list, tuple)):
        return ",".join([write_value(part) for part in value])
    if isinstance(value, Mapping):
        return "sha256:" + fingerprint(value)
    return _quote_word(str(value))


@functools.lru_cache(maxsize=1024)
def _quote_word(text: str) -> str:
    return "sha256:" + fingerprint(text) if not text or _SEPARATOR.search(text) else text
