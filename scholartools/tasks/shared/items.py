"""Read the items at a dotted path of a record: texts with ids, from a reference or from each system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.parameters import fill_parameters
from scholartools.paths import as_json, nothing_at
from scholartools.records import Record, replace_failure, summary_faults
from scholartools.signature import fingerprint
from scholartools.tasks.shared.blanks import is_blank

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

#: The ``kind`` of the ``errors`` entry of a record in which some systems have no items.
MISSING_ITEMS = "missing-items"

# Keys that identify the review, or the person, that an item comes from.
_REVIEW_KEYS = ("review", "reviewer", "review_id", "reviewer_id", "rater", "annotator")
# Lists with one entry per system: an empty list means that there are no systems.
_LISTS_OF_SYSTEMS = ("generated", "summaries")
# The command that writes each key of ``generated``.
_MAKERS = {
    "claims": "st-claims extract",
    **{
        task: f"st-generate {task}"
        for task in ("limitations", "weaknesses", "experiments", "explanations", "questions")
    },
}


class Item(NamedTuple):
    """A text to compare, with its metadata.

    Attributes:
        id: None if the record gives none.
        heading: the ``title`` if there is one (a short description by a model), else the item's own ``heading``.
        review: id of the review that the item comes from, by its ``review`` key or the location of its first span.
    """

    id: str | None
    text: str
    heading: str | None = None
    review: str | None = None


def mark(truths: Sequence[Item], items: Sequence[Item]) -> str:
    """Fingerprint of the ids and texts that a system's pairwise judgements refer to."""
    return fingerprint([[[item.id, item.text] for item in side] for side in (truths, items)])


def unordered_mark(truths: Sequence[Item], items: Sequence[Item]) -> str:
    """Like :func:`mark`, but independent of the order of the items."""
    sides = (sorted(side, key=lambda item: (item.id or "", item.text)) for side in (truths, items))
    return mark(*sides)


def holds(record: PaperRecord, path: str) -> bool:
    """Whether a path of keys leads to a value other than null."""
    here: Any = record
    for key in path.split("."):
        here = here.get(key) if isinstance(here, dict) else None
    return here is not None


def references(record: Record, path: str, hint: str = "name another key with {reference}") -> list[Item]:
    """The reference items at a path.

    Raises:
        InputFault: the path is empty, leads to a value without text, or has items of several systems.
    """
    groups = _group_by_system(record, path, hint)
    if len(groups) > 1:
        raise InputFault(_of_several(path, groups), kind="invalid-key")
    return next(iter(groups.values()))


def values_at(record: Record, path: str, hint: str, *, leave_out_missing: bool = False) -> list[tuple[str | None, Any]]:
    """The unmodified values at a path, each with the enclosing system.

    There are several if a step of the path applies to every entry of a list.

    Args:
        leave_out_missing: skip systems whose entry has no value there.

    Raises:
        InputFault: the path has no value, or the entry of a system has none.
    """
    side = _Side(path)
    found = list(side.walk(record, path_steps(record, path), None))
    if side.missing and not (leave_out_missing and found):
        raise side.fault_of_missing()
    if not found:
        raise InputFault(nothing_at(record, path, fill_parameters(hint)), kind="missing-key")
    return found


def of_one_system(found: Sequence[tuple[str | None, Any]], path: str) -> list[Any]:
    """The values; a list with the entry of a single system is replaced by that entry.

    Raises:
        InputFault: several systems, or several entries of one system.
    """
    systems = dict.fromkeys(system for around, value in found for system in _systems_of(around, value))
    if len(systems) > 1:
        raise InputFault(_of_several(path, systems), kind="invalid-key")
    return [_entry_of_system(value, path) for _, value in found]


def _systems_of(around: str | None, value: Any) -> list[str | None]:
    """The systems of a value: those that its entries name, and the enclosing one for entries without a name."""
    entries = value if isinstance(value, list) else []
    named = [entry["system"] if isinstance(entry, dict) and "system" in entry else around for entry in entries]
    return named or [around]


def _entry_of_system(value: Any, path: str) -> Any:
    if not isinstance(value, list) or not value or not isinstance(value[0], dict) or "system" not in value[0]:
        return value
    if len(value) > 1:
        raise InputFault(f'"{path}" has a duplicate "{value[0]["system"]}"', kind="invalid-key")
    return value[0]


def items_of(value: Any, path: str) -> list[Item]:
    """The items in a value.

    Raises:
        InputFault: the value has a part without text.
    """
    side = _Side(path)
    side.take(value, None)
    if side.missing:
        raise side.fault_of_missing()
    return [item for items in side.groups.values() for item in items]


def path_steps(record: PaperRecord, path: str) -> list[str]:
    """Split a path into steps; a key that itself contains dots takes precedence."""
    return [path] if path in record else path.split(".")


def expanded_lists(node: Any, steps: Sequence[str], name: str = "") -> list[str]:
    """Keys of the lists whose entries the steps iterate over, outermost first."""
    if not steps or not isinstance(node, (dict, list)):
        return []
    if isinstance(node, dict):
        return expanded_lists(node.get(steps[0]), steps[1:], steps[0])
    if steps[0].isascii() and steps[0].isdigit():
        return expanded_lists(node[int(steps[0])] if int(steps[0]) < len(node) else None, steps[1:], name)
    return [name, *max((expanded_lists(entry, steps) for entry in node), key=len, default=[])]


def candidates(
    record: Record, path: str, hint: str | None = None, *, leave_out_missing: bool = False
) -> dict[str, list[Item]]:
    """The items at a path by system, in order; items without a system are listed under the path.

    Without a ``hint``, the error for an empty path names the command that generates the items.

    Args:
        leave_out_missing: skip systems whose items are null; the caller reports them with :func:`tell_missing_items`.

    Raises:
        InputFault: the path is empty or leads to a value without text; the items of a system, or of all systems, are
            null.
    """
    if hint is None:
        first, _, task = path.partition(".")
        made_by = _MAKERS.get(task) if first == "generated" else None
        hint = (
            f"run {made_by} first, or name another key with {{candidate}}"
            if made_by
            else "name another key with {candidate}"
        )
    groups = _group_by_system(record, path, hint, leave_out_missing=leave_out_missing)
    if groups == {None: []} and path.split(".")[0] in _LISTS_OF_SYSTEMS:
        raise InputFault(f'"{path}" is empty: nothing to score', kind="missing-key")
    return {path if system is None else system: items for system, items in groups.items()}


def without_unnamed(systems: Mapping[str, list[Item]], path: str) -> dict[str, list[Item]]:
    """The systems whose items have unique ids, as pairs require; :func:`tell_missing_items` reports the others.

    Raises:
        InputFault: no system has such items.
    """
    unnamed = _unnamed_systems(systems, path)
    if unnamed and len(unnamed) == len(systems):
        raise InputFault(next(iter(unnamed.values())), kind="invalid-key")
    return {system: items for system, items in systems.items() if system not in unnamed}


def _unnamed_systems(systems: Mapping[Any, list[Item]], path: str) -> dict[Any, str]:
    """The systems with missing or duplicate item ids, each with the reason."""
    found = {}
    for system, items in systems.items():
        try:
            places(items, path)
        except InputFault as fault:
            found[system] = fault.reason
    return found


def tell_missing_items(
    record: Record, command: str, path: str, task: str | None = None, *, by_id: bool = False
) -> None:
    """Record in ``errors`` which systems were skipped because their items are null; replaces an earlier entry.

    Args:
        by_id: whether systems with missing or duplicate item ids were skipped, too.
    """
    side = _read_side(record, path)
    unnamed = _unnamed_systems(side.groups, path) if by_id else {}
    tell_all_missing(record, command, {path: side.missing | unnamed}, task)


def tell_all_missing(
    record: Record,
    command: str,
    found: Mapping[str, Mapping[str | None, str]],
    task: str | None = None,
    *,
    what: str = "items",
) -> None:
    """Like :func:`tell_missing_items`, for several paths, each with the reasons by system.

    Args:
        what: the missing objects, as a plural noun for the message.
    """
    paths = {path: missing for path, missing in found.items() if missing}
    same = {"command": command, "kind": MISSING_ITEMS, **({"task": task} if task else {})}
    if not paths:
        return replace_failure(record, same, None)
    reason = "; ".join(f'"{path}": {_describe_missing(missing, what)}; left out' for path, missing in paths.items())
    reasons = [why for missing in paths.values() for why in missing.values()]
    parts = list(dict.fromkeys(system for missing in paths.values() for system in missing))
    fault = {"reason": reason, "missing": len(reasons), "reasons": dict(Counter(reasons)), "parts": parts}
    return replace_failure(record, same, fault)


def tell_missing_summaries(record: Record, command: str, task: str | None = None) -> None:
    """Record in ``errors`` which summaries were skipped, for example because their text is null."""
    missing: dict[str | None, str] = {}
    if record.get("summaries") is None and not record.get("errors"):
        return
    for place, fault in summary_faults(record).items():
        summary = record["summaries"][place]
        entry = summary if isinstance(summary, dict) and "system" in summary else {"system": None}
        form = "" if isinstance(summary, dict) else ', such as {"system": "a", "text": "..."}'
        missing[system_named(entry)] = fault.reason + form
    tell_all_missing(record, command, {"summaries": missing}, task, what="texts")


def missing_items(record: Record, path: str) -> dict[str | None, str]:
    """The systems at a path whose items are null, each with its recorded reason."""
    return _read_side(record, path).missing


def _describe_missing(missing: Mapping[str | None, str], what: str = "items") -> str:
    """Message about the systems whose items are null, with the reason of the first."""
    systems = ", ".join(f'"{system}"' for system in missing)
    return f"the {what} of {systems} are missing: {next(iter(missing.values()))}"


def _describe(value: Any) -> str:
    """Describe a value that is not an item: its keys, null, or the value."""
    if not isinstance(value, dict):
        return as_json(value)
    if "text" in value:
        return f'"text" is {as_json(value["text"])[:60]}'
    return f"an entry with {', '.join(map(as_json, [*value][:5]))}" if value else "an entry without keys"


def join_items(items: Sequence[Item]) -> str:
    """Join the texts of a side with spaces; blank table cells ("NA") are skipped."""
    return " ".join(item.text for item in items if not is_blank(item.text))


def plain(items: Sequence[Item] | None) -> list[list[str | None]] | None:
    """Items as JSON values, for fingerprints."""
    return None if items is None else [list(item) for item in items]


def places(items: Sequence[Item], path: str) -> dict[str, int]:
    """Index of each item by its id.

    Raises:
        InputFault: ids are missing or duplicate.
    """
    found: dict[str, int] = {}
    for place, item in enumerate(items):
        if item.id is None or item.id in found:
            fault = "has no id" if item.id is None else f'has the id "{item.id}" of another'
            raise InputFault(f'"{path}": item {place + 1} {fault}', kind="invalid-key")
        found[item.id] = place
    return found


def _of_several(path: str, systems: Iterable[object]) -> str:
    return f'"{path}" has references of several systems ({", ".join(map(str, systems))}): name one'


def _group_by_system(
    record: Record, path: str, hint: str, *, leave_out_missing: bool = False
) -> dict[str | None, list[Item]]:
    side = _read_side(record, path)
    if side.missing and not (leave_out_missing and side.groups):
        raise side.fault_of_missing()
    if not side.groups:
        raise InputFault(nothing_at(record, path, fill_parameters(hint)), kind="missing-key")
    return side.groups


def _read_side(record: PaperRecord, path: str) -> _Side:
    side = _Side(path)
    for system, value in side.walk(record, path_steps(record, path), None):
        side.take(value, system)
    return side


class _Side:
    """Collects the texts at a path of a record by system, and the reasons why systems have none."""

    def __init__(self, path: str) -> None:
        self.groups: dict[str | None, list[Item]] = {}
        self.missing: dict[str | None, str] = {}
        self._is_malformed = False
        self._path = path
        self._owners: dict[str, int] = {}

    def fault_of_missing(self) -> InputFault:
        """Error for systems whose items are missing or malformed."""
        kind = "invalid-key" if self._is_malformed else "missing-key"
        return InputFault(f'"{self._path}": {_describe_missing(self.missing)}', kind=kind)

    def walk(self, node: Any, steps: Sequence[str], system: str | None) -> Iterator[tuple[str | None, Any]]:
        """The values at the end of the steps, with their systems; non-numeric steps apply to every entry of a list."""
        if isinstance(node, dict):
            system = self._system_of(node, system)
        if not steps:
            if node is not None:
                yield system, node
        elif isinstance(node, dict):
            yield from self.walk(node.get(steps[0]), steps[1:], system)
        elif isinstance(node, list) and steps[0].isascii() and steps[0].isdigit():
            yield from self.walk(node[int(steps[0])] if int(steps[0]) < len(node) else None, steps[1:], system)
        elif isinstance(node, list):
            yield from self._walk_entries(node, steps, system)

    def _walk_entries(self, node: list, steps: Sequence[str], system: str | None) -> Iterator[tuple[str | None, Any]]:
        """The values of every entry of a list; an entry without a value is reported, not silently skipped."""
        if not node:
            yield system, []
        for place, entry in enumerate(node):
            try:
                found = list(self.walk(entry, steps, system))
            except InputFault as fault:
                self._miss(entry, system, fault)
                continue
            if found:
                yield from found
                continue
            lacks = f'entry {place + 1} has no "{".".join(steps)}"'
            if is_of_system(entry):
                self.missing[self._system_of(entry, system)] = str(entry.get("reason") or lacks)
            elif system is None and any(map(is_of_system, node)):
                self.missing[system_or_place(entry, place)] = lacks
            else:
                raise InputFault(f'"{self._path}": {lacks}', kind="invalid-key")

    def take(self, value: Any, system: str | None) -> None:
        """Add the texts of a value: a string, an item with text, an entry of a system, or a list of these."""
        if isinstance(value, dict):
            system = self._system_of(value, system)
        if isinstance(value, str):
            self._own_items(system).append(Item(None, value))
        elif isinstance(value, list):
            self._take_list(value, system)
        elif isinstance(value, dict) and isinstance(value.get("items"), list):
            self.take(value["items"], system)
        elif isinstance(value, dict) and "items" in value and value["items"] is None:
            self.missing[system] = str(value.get("reason") or "they are null")
        elif isinstance(value, dict) and isinstance(value.get("text"), str):
            self._own_items(system).append(_make_item(value))
        else:
            raise InputFault(f'"{self._path}" leads to a value without a text: {_describe(value)}', kind="invalid-key")

    def _take_list(self, value: list, system: str | None) -> None:
        """Add the texts of a list; a malformed entry without a system does not affect the other systems."""
        has_systems = any(map(is_of_system, value))
        if not has_systems:
            self._own_items(system)
        nameless = [isinstance(entry, dict) and "items" in entry and not is_of_system(entry) for entry in value]
        for place, entry in enumerate(value):
            n_before = len(self.groups.get(system, ()))
            try:
                if nameless[place] and sum(nameless) > 1:
                    reason = f'"{self._path}" has several lists of items that name no "system"'
                    raise InputFault(reason, kind="invalid-key")
                if nameless[place] and has_systems and entry["items"] is None:
                    raise InputFault(str(entry.get("reason") or "they are null"), kind="missing-key")
                self._take_entry(entry, system)
            except InputFault as fault:
                if is_of_system(entry) or system is not None or not has_systems:
                    raise
                own = self.groups.pop(None, [])[:n_before]
                self.groups |= {None: own} if own else {}
                self.missing[system_or_place(entry, place)], self._is_malformed = fault.reason, True

    def _take_entry(self, entry: Any, system: str | None) -> None:
        """Add the texts of a list entry; a malformed entry of a system only marks that system as missing."""
        if not is_of_system(entry):
            return self.take(entry, system)
        try:
            if system not in (None, entry["system"]):
                reason = f'"{self._path}": an entry of "{system}" names the system "{entry["system"]}"'
                raise InputFault(reason, kind="invalid-key")
            self.take(entry, system)
        except InputFault as fault:
            self._miss(entry, system, fault)

    def _miss(self, entry: Any, system: str | None, fault: InputFault) -> None:
        """Mark the system of a faulty entry as missing; an error within another system's entry is raised."""
        if system is not None or not is_of_system(entry):
            raise fault
        name = system_named(entry)
        self.groups.pop(name, None)
        self.missing[name], self._is_malformed = fault.reason, True

    def _own_items(self, system: str | None) -> list[Item]:
        return self.groups.setdefault(system, [])

    def _system_of(self, node: Record, system: str | None) -> str | None:
        """The system that a node names, else the enclosing one; a second entry of a system is an error."""
        if "system" not in node:
            return system
        name = node["system"]
        if not isinstance(name, str):
            raise InputFault(f'"{self._path}" has a "system" that is not a text: {as_json(name)}', kind="invalid-key")
        if self._owners.setdefault(name, id(node)) != id(node):
            raise InputFault(f'"{self._path}" has a duplicate "{name}"', kind="invalid-key")
        return name


def system_named(entry: Record) -> str:
    """The system of an entry; a value that is not text is quoted, to report it as skipped."""
    name = entry["system"]
    return name if isinstance(name, str) else f"system: {as_json(name)}"


def is_of_system(entry: object) -> bool:
    """Whether an entry names a system."""
    return isinstance(entry, dict) and "system" in entry


def system_or_place(entry: Any, place: int) -> str:
    """The system of an entry; without one, its position in the list, counted from 1."""
    return system_named(entry) if is_of_system(entry) else f"entry {place + 1}, which names no system"


def _make_item(entry: Record) -> Item:
    name, heading = entry.get("id"), entry.get("title") or entry.get("heading")
    return Item(
        None if name is None else str(name),
        entry["text"],
        heading if isinstance(heading, str) else None,
        _review_of(entry),
    )


def _review_of(entry: Entry) -> str | None:
    named = next((entry[key] for key in _REVIEW_KEYS if entry.get(key) is not None), None)
    if isinstance(named, (str, int)) and not isinstance(named, bool):
        return str(named)
    if named is not None:
        raise InputFault(f'"review" is neither a name nor a number: {str(named)[:40]}', kind="invalid-key")
    spans = entry.get("spans")
    first = spans[0] if isinstance(spans, list) and spans else None
    place = first.get("in") if isinstance(first, dict) else None
    return place.removeprefix("review:") if isinstance(place, str) and place.startswith("review:") else None
