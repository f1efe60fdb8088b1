"""Bundles: the calls of a run in one JSONL file, with which anyone can repeat it without a key.

The first line is the manifest: ``{"bundle": "scholartools-calls", "version": 1, "calls": N, "sha256": "..."}``, the
hash that of all bytes after the first line. Then one call a line, by key: ``{"key", "prompt", "reply", "request"}``.
The same calls give the same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import IO, Any

from scholartools.errors import InputFault, OutputFault
from scholartools.io import Line, Output, Record
from scholartools.llm.cache.database import Cache, Entry, Reply
from scholartools.llm.request import call_key, canonical_json, parse_canonical
from scholartools.llm.secrets import current_redactor
from scholartools.parameters import parameter

_KIND, _VERSION = "scholartools-calls", 1
_HEX = re.compile(r"[0-9a-f]{64}")
_KEYS = {"key", "prompt", "request", "reply"}
_NUMBER, _COUNT, _TEXT = (int, float), (int, type(None)), (str, type(None))
_REPLY: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "finish": (str,),
    "prompt_tokens": _COUNT,
    "completion_tokens": _COUNT,
    "cost": (*_NUMBER, type(None)),
    "latency": _NUMBER,
    "time": _NUMBER,
    "endpoint": _TEXT,
    "refusal": _TEXT,
}
# Parts of a reply that a bundle of an earlier version, or a reply without them, does not have.
_OPTIONAL: dict[str, tuple[type, ...]] = {"body": (str,), "defect": (str,)}
# Calls kept at once: other processes wait meanwhile.
_BATCH = 500
# Bytes of a bundle held in memory until all of it is verified; more go to a temporary file.
_IN_MEMORY = 32_000_000


@dataclass
class Loaded:
    """What became of a bundle's calls.

    Attributes:
        calls: in the bundle.
        new: now in the cache.
        known: in the cache before, with the same reply.
        conflicts: in the cache before, with another reply, which was kept.
    """

    calls: int = 0
    new: int = 0
    known: int = 0
    conflicts: int = 0

    def record(self) -> dict[str, int]:
        """The counts as JSON."""
        return asdict(self)


def export(cache: Cache, out: Output, keys: Iterable[bytes] | None = None) -> int:
    """Write the calls under some keys, or all, as a bundle; returns their number.

    A reply that was cut, filtered, refused or empty stands for a call that got no better one: a replay then fails the
    record as the run did.

    Raises:
        ModelFault: the cache holds no reply to one of the keys; nothing is written then.
    """
    wanted = None if keys is None else sorted(set(keys))
    digest, count = hashlib.sha256(), 0
    with cache.read_transaction():
        for made in _iter_lines(cache, wanted):
            digest.update(made + b"\n")
            count += 1
        out.write(canonical_json({"bundle": _KIND, "version": _VERSION, "calls": count, "sha256": digest.hexdigest()}))
        for made in _iter_lines(cache, wanted):
            out.write(made)
    return count


def load(lines: Iterable[bytes], cache: Cache, name: str = "bundle") -> Loaded:
    """Put the calls of a bundle into the cache, once all of it is verified; doing so again changes nothing.

    Args:
        lines: of the bundle, with their ends.
        name: of the bundle, for messages.

    Raises:
        InputFault: no bundle, one of a newer version, or one that was cut or edited; names the line.
        ModelFault: the cache cannot be written.
    """
    counts = Loaded()
    with _spool_file() as spool:
        for line in _iter_verified(lines, name):
            spool.write(line)
        spool.seek(0)
        while batch := list(itertools.islice(spool, _BATCH)):
            with cache.transaction():
                for line in batch:
                    _resolve_conflict(read_entry(parse_canonical(line)), cache, counts)
    return counts


def used_keys(lines: Iterable[Line]) -> set[bytes]:
    """The keys of all calls that made these records, by their ``provenance`` and their ``errors``.

    Raises:
        InputFault: a line holds no record, or names a call by what is no key; or no line names any.
    """
    keys: set[bytes] = set()
    for line in lines:
        try:
            if line.fault is not None:
                raise line.fault
            keys.update(_iter_keys(line.record))
        except InputFault as fault:
            raise InputFault(f"{line.where}: {fault.reason}", kind=fault.kind) from None
    if not keys:
        raise InputFault(f"no record names a call: was it made with {parameter('model')}?", kind="missing-key")
    return keys


def _iter_keys(record: Record) -> Iterator[bytes]:
    from scholartools import records

    for name in ("provenance", "errors"):
        for entry in records.read(record, name) or ():
            calls = entry.get("calls", [])
            for key in calls if isinstance(calls, list) else [calls]:
                if not isinstance(key, str) or not _HEX.fullmatch(key):
                    raise InputFault(f'"{name}" names a call by an invalid key: {key}', kind="invalid-key")
                yield bytes.fromhex(key)


def bundle_line(entry: Entry, **more: Any) -> bytes:
    """A call as it stands in a bundle, without the line's end; ``more`` adds keys, which a bundle does not hold.

    Secrets that an earlier version kept in a reply are taken out.
    """
    clean = current_redactor().reply
    made = {name: clean(value) if isinstance(value, str) else value for name, value in entry.reply.record().items()}
    return canonical_json({**entry.record(), "reply": made, **more})


def _iter_lines(cache: Cache, keys: list[bytes] | None) -> Iterator[bytes]:
    return map(bundle_line, cache.entries(keys))


@contextlib.contextmanager
def _spool_file() -> Iterator[IO[bytes]]:
    try:
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
            yield file
    except OSError as error:
        raise OutputFault(f"temporary file in {tempfile.gettempdir()}: {error.strerror}") from None


def _iter_verified(lines: Iterable[bytes], name: str) -> Iterator[bytes]:
    """The lines after the manifest, each a call under its own key; raises at the end where number or hash is wrong."""
    numbered = enumerate(lines, 1)
    manifest = _read_manifest(next(numbered, (1, b""))[1], name)
    digest, number = hashlib.sha256(), 1
    for number, line in numbered:
        digest.update(line)
        try:
            read_entry(parse_canonical(line))
        except ValueError as error:
            raise InputFault(f"{name}:{number}: {error}", kind="bundle") from None
        yield line
    if number - 1 != manifest["calls"]:
        raise InputFault(f"{name}: holds {number - 1} calls, and its manifest says {manifest['calls']}", kind="bundle")
    if digest.hexdigest() != manifest["sha256"]:
        raise InputFault(f"{name}: was changed: its hash is not the one in its manifest", kind="bundle")


def _read_manifest(line: bytes, name: str) -> Mapping[str, Any]:
    try:
        manifest = parse_canonical(line)
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("bundle") != _KIND:
        raise InputFault(f"{name}:1: no manifest: this is not a bundle of calls", kind="bundle")
    if manifest.get("version") != _VERSION:
        version = manifest.get("version")
        raise InputFault(f"{name}:1: a bundle of version {version}, which this scholartools cannot read", kind="bundle")
    if not isinstance(manifest.get("calls"), int) or not isinstance(manifest.get("sha256"), str):
        raise InputFault(f'{name}:1: the manifest lacks "calls" or "sha256"', kind="bundle")
    return manifest


def read_entry(record: Any) -> Entry:
    """The call a line holds.

    Raises:
        ValueError: it is none, or its key is not that of its request.
    """
    if not isinstance(record, dict) or record.keys() != _KEYS:
        raise ValueError(f"not a call: it must hold {', '.join(sorted(_KEYS))} and nothing else")
    reply, request = record["reply"], record["request"]
    if not isinstance(reply, dict) or reply.keys() - _OPTIONAL.keys() != _REPLY.keys():
        raise ValueError(f"not a reply: it must hold {', '.join(_REPLY)} and nothing else but {', '.join(_OPTIONAL)}")
    types = {**_REPLY, **_OPTIONAL}
    if wrong := [name for name in reply if not isinstance(reply[name], types[name])]:
        raise ValueError(f'the reply\'s "{wrong[0]}" is of the wrong type')
    if not isinstance(record["prompt"], str):
        raise ValueError('"prompt" is not a name')
    return Entry(_own_key(record["key"], request), record["prompt"], request, Reply(**reply))


def _own_key(key: Any, request: Any) -> bytes:
    try:
        own = call_key(request)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ValueError("not a request to a model") from None
    if key != own.hex():
        raise ValueError("changed: the key is not that of the request")
    return own


def _resolve_conflict(entry: Entry, cache: Cache, counts: Loaded) -> None:
    counts.calls += 1
    kept = cache.get(entry.key) or (None if entry.reply.is_usable else cache.last_unusable(entry.key))
    if kept is None:
        cache.put(entry.key, entry.request, entry.reply, entry.prompt)
        counts.new += 1
    elif _reply_content(kept) == _reply_content(entry.reply):
        counts.known += 1
    else:
        counts.conflicts += 1


def _reply_content(reply: Reply) -> tuple[str, str, str | None]:
    """What makes two replies the same to whoever reads them."""
    return reply.text, reply.finish, reply.refusal
