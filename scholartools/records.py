"""Records: checks of single keys, texts and spans, errors, and provenance.

Records are plain dictionaries, so that unknown keys pass through unchanged. ``schemas/`` defines the known keys;
:func:`read` and :func:`need` validate one key of a record against it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scholartools import __version__
from scholartools.errors import InputFault
from scholartools.signature import Digest, fingerprint, signature, write_value

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

    from scholartools.schemas.shapes import Key, Need, PaperRecord, Read, Rejected

Record = dict[str, Any]
#: An item or an entry of a record, of any type, read-only.
Entry = Mapping[str, Any]

# Keys of type string, which are checked without pydantic.
_TEXTS = (
    "id", "title", "abstract", "venue", "doi", "arxiv", "date", "venueid", "track", "decision", "type",
    "unmatched",
)  # fmt: skip


def _typed_read(function: Read) -> Read:
    """Return the function itself, typed so that each key has its own type (``schemas/shapes.pyi``)."""
    return function


def _typed_need(function: Need) -> Need:
    return function


@_typed_read
def read(record: Any, key: Key) -> Any:
    """Validated value of a known key; None if the key is missing or null.

    Raises:
        InputFault: the value does not have the type of the key; the message names the record and the place in it.
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
    """Places within the value of a known key that do not have their type, each with the fault."""
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
    """Identifier of a record under a key (``id``, ``paper``), an integer as text; None if there is none.

    Raises:
        InputFault: the value is neither text nor an integer.
    """
    name = record.get(key)
    if name is None or isinstance(name, str):
        return name
    if isinstance(name, bool) or not isinstance(name, int):
        raise InputFault(f'"{key}" is neither text nor an integer', kind="invalid-key")
    return str(name)


def without(record: Record, path: str, system: str | None = None) -> Record:
    """Copy of a record without the value at a dotted path, or without the entries of one system in the list there.

    A list or an object that becomes empty is removed.
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
    """Like :func:`read` for a required key; ``hint`` says where the key comes from."""
    value = read(record, key)
    if value is None:
        if "id" not in record and record.keys() >= {"metric", "system", "signature"}:
            hint = "the line is a summary of st-score, not a record of a paper"
        raise InputFault(f'no "{key}": {hint}', kind="missing-key")
    return value


def texts(record: Record) -> dict[str, str]:
    """Every text that a span can refer to, by name, in the order of the record; see :func:`summary_faults` for the
    others.

    Raises:
        InputFault: two texts have the same name, so that a span would be ambiguous, or one contains an unpaired
            surrogate.
    """
    named: list[tuple[str, str]] = []
    if (abstract := read(record, "abstract")) is not None:
        named.append(("abstract", abstract))
    named += [(section["id"], section["text"]) for section in read(record, "sections") or ()]
    named += [(f"review:{review['id']}", review["text"]) for review in read(record, "reviews") or ()]
    faults = summary_faults(record)
    summaries = [one for place, one in enumerate(record.get("summaries") or ()) if place not in faults]
    named += [(f"summary:{summary['system']}", summary["text"]) for summary in summaries]
    return _check_unique(named)


def summary_faults(record: PaperRecord) -> dict[int, InputFault]:
    """Faults of invalid summaries (e.g. with null as text or system), by index; the other summaries remain usable.

    Raises:
        InputFault: ``summaries`` is not a list.
    """
    faults: dict[int, InputFault] = {}
    if record.get("summaries") is None:
        return faults
    for place, fault in shape_faults(record, "summaries"):
        if not place:
            raise fault
        faults.setdefault(int(place[0]), fault)
    return faults


def spans_text(source: str, spans: Iterable[Entry]) -> str:
    """Text of spans in one source: each ``source[start:end]``, joined by one space."""
    return " ".join(source[span["start"] : span["end"]] for span in spans)


def failures(record: PaperRecord) -> list[Any]:
    """Entries under ``errors``; a value that is not a list becomes an item, so that no fault is lost."""
    earlier = record.get("errors")
    return earlier if isinstance(earlier, list) else [] if earlier is None else [earlier]


def replace_failure(record: Record, same: Record, fault: Record | None) -> None:
    """In a copy of a record, replace the earlier errors that have all keys of ``same`` by a fault; None: only remove
    them.

    The list is replaced, not changed, since other copies of the record share it.
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
    """Record in which the rejected items of a step replace those of an earlier run of the same step.

    Args:
        record: the record; copied if its ``rejected`` changes.
        rejected: rejected items of this run.
        is_earlier: whether an entry is from an earlier run of the step; entries of other steps are kept.

    Raises:
        InputFault: ``rejected`` is present and invalid.
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
    """Append an entry to ``provenance``; the list is replaced, not changed, since other copies of the record share it.

    The signature depends on the task, the method, the options, the input and ``signed`` only.

    Args:
        record: the record that contains the result.
        command: the command that made it.
        task: the task of the command, if it has several.
        method: "builtin", "model", or the reader's format.
        options: all resolved settings that change the result: a corpus by its fingerprint, libraries by their versions.
        input: the data from which the result was made, recorded as a fingerprint; or its :class:`Digest`.
        counts: numbers of events and of missing items; not part of the signature.
        signed: further settings for the signature that are not options of the command, e.g. the settings of a model.
        told: further data to record without signing, e.g. the number of model calls.

    Raises:
        InputFault: ``provenance`` is present and invalid.
        ValueError: an option has the same name as another signed value but not the same value.
    """
    of_task = {} if task is None else {"task": task}
    mark = input.text if isinstance(input, Digest) else fingerprint(input)
    own, signed = {**of_task, "method": method, "input": mark}, signed or {}
    parameters = {**own, **signed, **options}
    if len(parameters) < len(own) + len(signed) + len(options):
        parts = [own, signed, options]
        if any(write_value(parameters[name]) != write_value(value) for part in parts for name, value in part.items()):
            raise ValueError(f"{command}: a signature has two values with the same name: {parts}")
    entry = {
        "command": command, **of_task, "version": __version__, "signature": signature(command, parameters),
        "method": method, "options": dict(options), "input": mark,
    }  # fmt: skip
    if counts:
        entry["counts"] = dict(counts)
    if told:
        entry.update(told)
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
    """Whether a text can be encoded as UTF-8."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _errors(error: ValidationError) -> Sequence[Mapping[str, Any]]:
    return error.errors(include_url=False, include_context=False, include_input=False)


def shape_fault(error: ValidationError, *start: str, n: int = 0) -> str:
    """Path of the n-th invalid value, below ``start``, and its expected type in terms of JSON."""
    first = _errors(error)[n]
    place = ".".join([*start, *(str(part) for part in first["loc"] if not isinstance(part, str) or "[" not in part)])
    message = re.sub(r"valid dictionary\b.*", "valid object", first["msg"].removeprefix("Value error, "))
    return f'"{place or "the whole"}": {message[0].lower()}{message[1:]}'


def _fault_place(record: PaperRecord, key: str, error: ValidationError, n: int = 0) -> str:
    name = f'record "{record["id"]}": ' if isinstance(record.get("id"), str) else ""
    return name + shape_fault(error, key, n=n)


def nonzero(**counts: int) -> Record:
    """Counts for an entry, without zeros."""
    return {name: int(count) for name, count in counts.items() if count}
