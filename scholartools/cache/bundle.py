"""Bundles: the calls of a run in one JSONL file, from which anyone can replay the run without an API key.

The first line is the manifest: ``{"bundle": "scholartools-calls", "version": 2, "calls": N, "sha256": "..."}`` with the
hash of all bytes after it. The calls follow, grouped by messages: a line ``{"messages": [...]}``, and a line ``{"key",
"prompt", "reply", "request"}`` for each call with these messages, whose request omits them, since samples share their
prompt. In version 1, which can still be read, each request includes its messages. Exporting the same calls again gives
a byte-identical bundle. With responses of web services after the calls the version is 3, and the manifest also counts
``answers``; see :func:`scholartools.cache.answers.answer_line`.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from scholartools.cache.answers import Answers, StoredAnswer, answer_line, read_answer_line
from scholartools.cache.database import Cache
from scholartools.cache.replies import Entry, Reply, same_content
from scholartools.cache.request import call_key, canonical_json, parse_canonical
from scholartools.errors import InputFault
from scholartools.io import Line, Output
from scholartools.parameters import parameter
from scholartools.scratch import in_temporary_folder
from scholartools.secrets import current_redactor
from scholartools.terminal import CONTROLS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_KIND, _VERSIONS, _SHARED = "scholartools-calls", (1, 2, 3), {"messages"}
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
# Fields of a reply that are optional, and missing in bundles of earlier versions.
_OPTIONAL: dict[str, tuple[type, ...]] = {"body": (str,), "defect": (str,), "endpoint_name": (str,)}
# Upper bounds of the numbers in a reply; the lower bound is 0. Sums of such numbers fit into SQLite integers.
_MOST = {
    "prompt_tokens": 2**40,
    "completion_tokens": 2**40,
    "cost": 1e9,
    "latency": 1e9,
    "time": 253_402_300_799,  # the end of the year 9999
}
# Number of faulty calls that are reported one by one.
_TOLD = 20
# Calls stored per transaction, during which other processes wait.
_BATCH = 500
# Bytes of a bundle held in memory until it is verified; larger bundles go to a temporary file.
_IN_MEMORY = 32_000_000


@dataclass
class Loaded:
    """Result of loading a bundle.

    Attributes:
        calls: number of calls in the bundle.
        answers: number of responses of web services; the following counts include both.
        new: added to the cache.
        known: already in the cache with the same reply.
        conflicts: already in the cache with another reply, which was kept.
        refused: rejected as invalid.
        reasons: messages for the first rejected ones, with their lines.
    """

    calls: int = 0
    answers: int = 0
    new: int = 0
    known: int = 0
    conflicts: int = 0
    refused: int = 0
    reasons: list[str] = field(default_factory=list)

    def record(self) -> dict[str, int]:
        """The counts as JSON; ``answers`` only if there are some."""
        return {name: n for name, n in asdict(self).items() if name != "reasons" and (name != "answers" or n)}

    def refuse(self, where: str, reason: object) -> None:
        """Count a rejected call or response."""
        self.refused += 1
        if self.refused <= _TOLD:
            self.reasons.append(f"{where}: {reason}")


class Used(NamedTuple):
    """Keys of the calls, and of the responses of web services, from which records were made."""

    calls: set[bytes]
    answers: set[bytes]


class _Web(NamedTuple):
    """A response of a web service in a line of a bundle, or the reason for its rejection."""

    source: str
    answer: StoredAnswer | None
    fault: str = ""


def export(
    cache: Cache | None,
    out: Output,
    keys: Iterable[bytes] | None = None,
    web: tuple[Answers, list[bytes]] | None = None,
) -> int:
    """Write the calls under the given keys, or all, as a bundle; return their number.

    A truncated, filtered, refused or empty reply is exported if the call got no better one: a replay then fails for the
    record as the run did.

    Args:
        cache: the cache; None: no calls.
        web: the responses of services, and the keys of those to be written after the calls.

    Raises:
        ModelFault: the cache has no reply to one of the keys; nothing is written.
    """
    digest, count = hashlib.sha256(), 0
    with contextlib.nullcontext() if cache is None else cache.read_transaction():
        order = [] if cache is None else _export_order(cache, keys)
        for made, is_call in _iter_lines(cache, order, web):
            digest.update(made + b"\n")
            count += is_call
        about = {"version": 3, "answers": len(web[1])} if web and web[1] else {"version": 2}
        out.write(canonical_json({"bundle": _KIND, **about, "calls": count, "sha256": digest.hexdigest()}))
        for made, _ in _iter_lines(cache, order, web):
            out.write(made)
    return count


def load(
    lines: Iterable[bytes], cache: Cache, name: str = "bundle", open_answers: Callable[[], Answers] | None = None
) -> Loaded:
    """Load the calls of a verified bundle into the cache; loading it again changes nothing.

    A line that is not a call, or has impossible numbers, is rejected; the others are loaded.

    Args:
        lines: lines of the bundle, with line ends.
        name: name of the bundle, for messages.
        open_answers: opens the store for responses of services, if there are some; None: they are only verified.

    Raises:
        InputFault: not a bundle, a newer version, or a truncated or edited bundle; the message names the line.
        ModelFault: writing to the cache failed.
    """
    counts = Loaded()
    with _spool_file() as spool:
        version = _spool_verified(lines, name, spool, counts)
        spool.seek(0)
        calls = (found for _, found in _iter_calls(enumerate(spool, 2), version) if isinstance(found, Entry))
        unusable: list[Entry] = []
        while batch := list(itertools.islice(calls, _BATCH)):
            unusable += [entry for entry in batch if not entry.reply.is_usable]  # in file order: the last one counts
            with cache.transaction():
                # Sorted by key to avoid deadlocks between two runs.
                for entry in sorted((one for one in batch if one.reply.is_usable), key=lambda entry: entry.key):
                    _resolve_conflict(entry, cache, counts)
        if version == 1:  # sorted by key in version 1; a replay takes the last one stored
            unusable.sort(key=lambda entry: entry.reply.time)
        with cache.transaction():
            for entry in unusable:
                _resolve_conflict(entry, cache, counts)
        if counts.answers and open_answers is not None:
            spool.seek(0)
            _take_answers((one for _, one in _iter_calls(enumerate(spool, 2), version)), open_answers(), counts)
    return counts


def _take_answers(found: Iterable[Any], answers: Answers, counts: Loaded) -> None:
    try:
        for one in found:
            if isinstance(one, _Web) and one.answer is not None:
                is_new = answers.take(one.source, one.answer)
                counts.new += is_new is True
                counts.known += is_new is False
                counts.conflicts += is_new is None
    finally:
        answers.close()


def used_keys(lines: Iterable[Line]) -> Used:
    """Keys of all calls and responses from which the records were made, by their ``provenance`` and ``errors``.

    Raises:
        InputFault: a line is not a record, or has an invalid key; or no line has any.
    """
    used = Used(set(), set())
    for line in lines:
        try:
            if line.fault is not None:
                raise line.fault
            used.calls.update(iter_keys(line.record))
            used.answers.update(iter_keys(line.record, "answers"))
        except InputFault as fault:
            raise InputFault(f"{line.where}: {fault.reason}", kind=fault.kind) from None
    if not used.calls and not used.answers:
        made = f"were the records made with {parameter('model')}, or by st-fetch?"
        reason = f"no record names a call of a model or service: {made}"
        raise InputFault(reason, kind="missing-key")
    return used


def iter_keys(record: PaperRecord, named: str = "calls") -> Iterator[bytes]:
    """Keys of the calls, or of the responses of services, that a record names.

    Raises:
        InputFault: a key is invalid.
    """
    from scholartools import records

    for name in ("provenance", "errors"):
        for entry in records.read(record, name) or ():
            yield from keys_of(entry, named)


def keys_of(entry: Mapping[str, Any], named: str = "calls") -> list[bytes]:
    """Keys of the calls, or of the "answers" of services, in an entry of "provenance" or "errors".

    Raises:
        InputFault: a key is invalid.
    """
    calls = entry.get(named) or []
    keys = calls if isinstance(calls, list) else [calls]
    for key in keys:
        if not isinstance(key, str) or not _HEX.fullmatch(key):
            raise InputFault(f"a step or an error names a call by an invalid key: {key}", kind="invalid-key")
    return [bytes.fromhex(key) for key in keys]


def bundle_line(entry: Entry, **more: Any) -> bytes:
    """A call as a line of a bundle, without the line end; ``more`` adds keys for other uses.

    Secrets in replies stored by earlier versions are redacted.
    """
    clean = current_redactor().reply
    made = {name: clean(value) if isinstance(value, str) else value for name, value in entry.reply.record().items()}
    return canonical_json({**entry.record(), "reply": made, **more})


def _export_order(cache: Cache, keys: Iterable[bytes] | None) -> list[bytes]:
    """Keys sorted by messages, then usable replies by key, then the others by time of storage."""
    found = []
    for entry in cache.entries(keys):
        sent = hashlib.sha256(canonical_json(entry.request["messages"])).digest()
        place = 0 if entry.reply.is_usable else cache.place_of_unusable(entry.key)
        found.append((sent, place, entry.key))
    return [key for *_, key in sorted(found)]


def _iter_lines(
    cache: Cache | None, order: Iterable[bytes], web: tuple[Answers, list[bytes]] | None
) -> Iterator[tuple[bytes, bool]]:
    """Lines of a bundle after the manifest, each with whether it is a call."""
    last = None
    for key in order:
        assert cache is not None
        (entry,) = cache.entries([key])
        messages = canonical_json({"messages": entry.request["messages"]})
        if messages != last:
            yield messages, False
            last = messages
        rest = {name: value for name, value in entry.request.items() if name != "messages"}
        yield bundle_line(entry._replace(request=rest)), True
    for one in web[0].entries(web[1]) if web else ():
        yield answer_line(*one), False


@contextlib.contextmanager
def _spool_file() -> Iterator[IO[bytes]]:
    with in_temporary_folder(), tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        yield file


def _spool_verified(lines: Iterable[bytes], name: str, spool: IO[bytes], counts: Loaded) -> int:
    """Write the lines after the manifest to the spool file, count the calls, and return the version of the bundle.

    Raises:
        InputFault: count or hash does not match, so the bundle was truncated or edited; the message names the first
            invalid line if there is one.
    """
    numbered = enumerate(lines, 1)
    manifest = _read_manifest(next(numbered, (1, b""))[1], name)
    digest = hashlib.sha256()

    def spooled() -> Iterator[tuple[int, bytes]]:
        for number, line in numbered:
            digest.update(line)
            spool.write(line)
            yield number, line

    for number, found in _iter_calls(spooled(), manifest["version"]):
        is_web = isinstance(found, _Web)
        counts.answers += is_web
        counts.calls += not is_web
        if fault := found.fault if isinstance(found, _Web) else found if isinstance(found, str) else "":
            counts.refuse(f"{name}:{number}", fault)
    said = {"calls": manifest["calls"], "answers": manifest.get("answers", 0)}
    held = {"calls": counts.calls, "answers": counts.answers}
    if digest.hexdigest() == manifest["sha256"] and held == said:
        return int(manifest["version"])
    if counts.reasons:
        raise InputFault(counts.reasons[0], kind="bundle")
    for what, n in held.items():
        if n != said[what]:
            raise InputFault(f"{name}: holds {n} {what}, and its manifest says {said[what]}", kind="bundle")
    raise InputFault(f"{name}: the bundle was changed: its hash differs from the hash in its manifest", kind="bundle")


def _iter_calls(lines: Iterable[tuple[int, bytes]], version: int) -> Iterator[tuple[int, Entry | _Web | str]]:
    """Line numbers of calls and responses, each with its content or the reason for its rejection."""
    messages: Any = None
    for number, line in lines:
        try:
            record = parse_canonical(line)
            if version > 1 and isinstance(record, dict) and record.keys() == _SHARED:
                messages = record["messages"]
                continue
            if version > 2 and isinstance(record, dict) and record.get("kind") == "web":
                yield number, _web_of(record)
                continue
            entry = read_entry(record if version == 1 else _with_messages(record, messages))
            _check_storable(entry)
        except ValueError as error:
            yield number, str(error)
        except RecursionError:
            yield number, "nested too deeply"
        else:
            yield number, entry


def _web_of(record: Mapping[str, Any]) -> _Web:
    try:
        return _Web(*read_answer_line(record))
    except (ValueError, TypeError) as error:
        return _Web("", None, str(error))


def _with_messages(record: Any, messages: Any) -> Any:
    """Convert a call of version 2 to version 1, with its messages."""
    if not isinstance(record, dict) or not isinstance(record.get("request"), dict) or "messages" in record["request"]:
        return record
    return {**record, "request": {**record["request"], "messages": messages}}


def _check_storable(entry: Entry) -> None:
    """Raise ValueError if a cache cannot store a reply or its numbers are impossible."""
    for name, most in _MOST.items():
        value = getattr(entry.reply, name)
        if value is not None and (isinstance(value, bool) or not 0 <= value <= most):
            raise ValueError(f'the reply\'s "{name}" is {str(value)[:40]}, which is not possible')
    reply = entry.reply
    names = f"{entry.prompt}{entry.request['model']}{reply.endpoint}{reply.endpoint_name}"
    try:
        names.encode()
    except ValueError:
        raise ValueError("a name or an address of the call contains an unpaired surrogate") from None
    if re.search(CONTROLS, names):  # these are printed, and control characters would affect a terminal
        raise ValueError("a name or an address of the call contains control characters")


def _read_manifest(line: bytes, name: str) -> Mapping[str, Any]:
    try:
        manifest = parse_canonical(line)
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict) or manifest.get("bundle") != _KIND:
        raise InputFault(f"{name}:1: no manifest: this is not a bundle of calls from st-cache export", kind="bundle")
    if type(version := manifest.get("version")) is not int or version not in _VERSIONS:
        raise InputFault(f"{name}:1: a bundle of version {version}, which this scholartools cannot read", kind="bundle")
    if type(manifest.get("calls")) is not int or not isinstance(manifest.get("sha256"), str):
        raise InputFault(f'{name}:1: the manifest lacks "calls" or "sha256"', kind="bundle")
    if version == 3 and type(manifest.get("answers")) is not int:
        raise InputFault(f'{name}:1: the manifest lacks "answers"', kind="bundle")
    return manifest


def read_entry(record: Any) -> Entry:
    """Parse the call in a line.

    Raises:
        ValueError: the line is not a call, or its key does not match its request.
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
    kept = cache.get(entry.key) or (None if entry.reply.is_usable else cache.last_unusable(entry.key))
    if kept is None:
        if cache.put(entry.key, entry.request, entry.reply, entry.prompt, replace=False):
            counts.new += 1
            return
        kept = cache.get(entry.key)  # stored meanwhile by another process
    if kept is not None and same_content(kept, entry.reply):
        counts.known += 1
    else:
        counts.conflicts += 1
