"""The records that travel between commands: one key checked, their texts, their spans.

Records stay plain dictionaries, so that keys no command knows pass through untouched. ``schemas/`` describes
the keys we do know; :func:`read` and :func:`need` check one key of a record against it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools import __version__
from scholartools.errors import InputFault
from scholartools.signature import Digest, fingerprint, signature

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

    from scholartools.schemas.shapes import Key, Need, PaperRecord, Read, Rejected

Record = dict[str, Any]
#: An item or an entry of a record, of whatever kind, that is only read.
Entry = Mapping[str, Any]

# The keys whose type is plain text, which needs no library to check.
_TEXTS = (
    "id", "title", "abstract", "venue", "doi", "arxiv", "date", "venueid", "track", "decision", "type",
    "unmatched",
)  # fmt: skip


def _typed_read(function: Read) -> Read:
    """The function itself, which gives each key its own type (``schemas/shapes.pyi``)."""
    return function


def _typed_need(function: Need) -> Need:
    return function


@_typed_read
def read(record: Any, key: Key) -> Any:
    """The value of a known key, checked; None where the key is missing or null.

    Raises:
        InputFault: the value is not of the key's type; names the record and the place in it.
    """
    value = record.get(key)
    if value is None:
        return None
    if key in _TEXTS and isinstance(value, str):
        return value
    from pydantic import ValidationError

    try:
        _adapter_of(key).validate_python(value, strict=True)
    except ValidationError as error:
        raise InputFault(_fault_place(record, key, error), kind="invalid-key") from None
    return value


def shape_faults(record: PaperRecord, key: Key) -> list[tuple[tuple[int | str, ...], InputFault]]:
    """The places in the value of a known key at which something is not of its type, each with the fault."""
    try:
        read(record, key)
    except InputFault:
        from pydantic import ValidationError

        try:
            _adapter_of(key).validate_python(record[key], strict=True)
        except ValidationError as error:
            return [
                (one["loc"], InputFault(_fault_place(record, key, error, n), kind="invalid-key"))
                for n, one in enumerate(_errors(error))
            ]
    return []


def name_of(record: Record, key: str) -> str | None:
    """What a record calls itself at a key (``id``, ``paper``), an integer as its text; None where there is none.

    Raises:
        InputFault: it is neither text nor an integer.
    """
    name = record.get(key)
    if name is None or isinstance(name, str):
        return name
    if isinstance(name, bool) or not isinstance(name, int):
        raise InputFault(f'"{key}" is neither text nor an integer', kind="invalid-key")
    return str(name)


def without(record: Record, path: str, system: str | None = None) -> Record:
    """A copy of a record without the value at a dotted path, or without the entries of one system in the list there.

    A list or an object of which nothing is left goes with it.
    """
    key, _, rest = path.partition(".")
    left: Any = record.get(key)
    if rest:
        left = without(left, rest, system) if isinstance(left, dict) else left
    elif system is None:
        left = None
    elif isinstance(left, list):
        left = [entry for entry in left if not isinstance(entry, dict) or entry.get("system") != system]
    return {name: left if name == key else value for name, value in record.items() if name != key or left}


@_typed_need
def need(record: Any, key: Key, hint: str) -> Any:
    """Like :func:`read`, for a key the work cannot do without; ``hint`` says where the key comes from."""
    value = read(record, key)
    if value is None:
        if "id" not in record and record.keys() >= {"metric", "system", "signature"}:
            hint = "the line is a summary of st-score, not a record of a paper"
        raise InputFault(f'no "{key}": {hint}', kind="missing-key")
    return value


def texts(record: Record) -> dict[str, str]:
    """Every text a span can point to, by its name, in the record's order; see :func:`summary_faults` for the others.

    Raises:
        InputFault: two texts have one name, so that a span would be ambiguous; or one contains an unpaired surrogate.
    """
    named: list[tuple[str, str]] = []
    if (abstract := read(record, "abstract")) is not None:
        named.append(("abstract", abstract))
    named += ((section["id"], section["text"]) for section in read(record, "sections") or ())
    named += ((f"review:{review['id']}", review["text"]) for review in read(record, "reviews") or ())
    faults = summary_faults(record)
    summaries = (one for place, one in enumerate(record.get("summaries") or ()) if place not in faults)
    named += ((f"summary:{summary['system']}", summary["text"]) for summary in summaries)
    return _check_unique(named)


def summary_faults(record: PaperRecord) -> dict[int, InputFault]:
    """The places of the summaries that are none, such as one whose text or system is null: each costs itself alone.

    Raises:
        InputFault: ``summaries`` is no list.
    """
    faults: dict[int, InputFault] = {}
    for place, fault in shape_faults(record, "summaries"):
        if not place:
            raise fault
        faults.setdefault(int(place[0]), fault)
    return faults


def spans_text(source: str, spans: Iterable[Entry]) -> str:
    """The text that spans of one source name: each ``source[start:end]``, joined by one space."""
    return " ".join(source[span["start"] : span["end"]] for span in spans)


def failures(record: PaperRecord) -> list[Any]:
    """What is under ``errors``, as a list whatever it is: a fault is not lost because it holds something else."""
    earlier = record.get("errors")
    return earlier if isinstance(earlier, list) else [] if earlier is None else [earlier]


def replace_failure(record: Record, same: Record, fault: Record | None) -> None:
    """Give a copy of a record a fault in place of the earlier ones that have the keys of ``same``; None: no fault.

    The list that other copies hold stays as it is.
    """
    if fault is None and not record.get("errors"):
        return
    earlier = failures(record)
    kept = [entry for entry in earlier if not (isinstance(entry, dict) and same.items() <= entry.items())]
    if fault is not None:
        record["errors"] = [*kept, {**same, **fault}]
    elif kept and len(kept) < len(earlier):
        record["errors"] = kept
    elif earlier and not kept:
        del record["errors"]


def replace_rejected(record: Record, rejected: Sequence[Record], is_earlier: Callable[[Rejected], bool]) -> Record:
    """The record with what a step rejected in place of what the same step rejected in an earlier run.

    Args:
        record: of which a copy is made where its ``rejected`` changes.
        rejected: of this run.
        is_earlier: whether an entry is of an earlier run of the step; the entries of others stay.

    Raises:
        InputFault: ``rejected`` is there and is something else.
    """
    earlier = read(record, "rejected") or []
    kept = [entry for entry in earlier if not is_earlier(entry)]
    return {**record, "rejected": [*kept, *rejected]} if rejected or len(kept) < len(earlier) else record


def add_provenance(
    record: Record,
    command: str,
    task: str | None,
    *,
    method: str,
    options: Mapping[str, Any],
    input: object,
    counts: Mapping[str, Any] | None = None,
    signed: Mapping[str, Any] | None = None,
    told: Mapping[str, Any] | None = None,
) -> None:
    """Append to ``provenance`` how a command made its result; the list that other copies of the record hold stays.

    The signature is made of the task, the method, the options, the input and ``signed``: of nothing else.

    Args:
        record: that has the result.
        command: that made it.
        task: of a command that has several.
        method: "builtin", "model", or the reader's format.
        options: all that changes the result beside the input, as resolved: a corpus by its fingerprint, libraries by
            their versions.
        input: what the result was made of, of which the entry has the fingerprint; or that as a :class:`Digest`.
        counts: of what happened on the way, and what was missing; not signed.
        signed: what else is signed and is not an option of the command: a model's settings.
        told: what else is recorded and not signed: a model's calls.

    Raises:
        InputFault: ``provenance`` is there and is something else.
        ValueError: an option has the name of something else that is signed, and another value.
    """
    of_task = {} if task is None else {"task": task}
    mark = input.text if isinstance(input, Digest) else fingerprint(input)
    parts = [{**of_task, "method": method, "input": mark}, signed or {}, options]
    parameters = {**parts[0], **parts[1], **options}
    is_twice = len(parameters) < sum(map(len, parts))
    if is_twice and any(parameters[name] != value for part in parts for name, value in part.items()):
        raise ValueError(f"{command}: a signature has two values with the same name: {parts}")
    head = {"command": command, **of_task, "version": __version__, "signature": signature(command, parameters)}
    made = {**head, "method": method, "options": dict(options), "input": mark}
    entry = {**made, **({"counts": dict(counts)} if counts else {}), **(told or {})}
    record["provenance"] = [*(read(record, "provenance") or ()), entry]


@functools.cache
def _adapter_of(key: str) -> TypeAdapter:
    from pydantic import TypeAdapter

    from scholartools.schemas.paper import Paper

    return TypeAdapter(Paper.model_fields[key].annotation or Any)


def _check_unique(named: list[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, text in named:
        if name in found:
            raise InputFault(f'two texts are named "{name}": names must be unique in a record', kind="invalid-key")
        if not _is_whole(name) or not _is_whole(text):
            raise InputFault(f"the text {ascii(name)} contains an unpaired surrogate", kind="invalid-key")
        found[name] = text
    return found


def _is_whole(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _errors(error: ValidationError) -> Sequence[Mapping[str, Any]]:
    return error.errors(include_url=False, include_context=False, include_input=False)


def shape_fault(error: ValidationError, *start: str, n: int = 0) -> str:
    """Where the n-th value is that is not of its type, below ``start``, and what it should be in JSON."""
    first = _errors(error)[n]
    place = ".".join([*start, *(str(part) for part in first["loc"] if not isinstance(part, str) or "[" not in part)])
    message = re.sub(r"valid dictionary\b.*", "valid object", first["msg"].removeprefix("Value error, "))
    return f'"{place or "the whole"}": {message[0].lower()}{message[1:]}'


def _fault_place(record: PaperRecord, key: str, error: ValidationError, n: int = 0) -> str:
    name = f'record "{record["id"]}": ' if isinstance(record.get("id"), str) else ""
    return name + shape_fault(error, key, n=n)


def nonzero(**counts: int) -> Record:
    """Counts for an entry, without what is 0: a key is there where something was counted."""
    return {name: int(count) for name, count in counts.items() if count}
