"""Check the input of a generator for leaked limitations and prompt injection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from scholartools.parameters import parameter
from scholartools.records import Record, read, texts
from scholartools.text.ngrams import LENGTH, ngrams
from scholartools.text.prompt_injection import KIND, find_instructions, warn_of_instructions

if TYPE_CHECKING:
    from scholartools.records import Entry

_LEAK = "leak"
_NO_PICTURE = "missing-picture"
_EXAMPLES = 3
_EXAMPLE_LENGTH = 200


def find_leaked_runs(sent: Sequence[str], withheld: Iterable[str]) -> Record:
    """Find word 8-grams (lower-case) shared by texts that are sent and texts that are withheld.

    They are reported, not removed: authors repeat themselves, and how much of the surrounding text to remove would be a
    guess.

    Returns:
        ``ngrams``: number of distinct n-grams; ``examples``: at most three stretches of the sent text that consist of
            them.
    """
    forbidden = {gram for text in withheld for gram, _ in ngrams(text)}
    shared: set[str] = set()
    examples: list[str] = []
    for text in sent:
        places = [(gram, place) for gram, place in ngrams(text) if gram in forbidden]
        shared.update(gram for gram, _ in places)
        examples += (_shorten(text[start:end]) for start, end in _shared_runs([place for _, place in places]))
    return {"ngrams": len(shared), "examples": examples[:_EXAMPLES]}


def with_warnings(record: Record, entries: Sequence[Record], withheld: str = "limitations of the paper") -> Record:
    """Add warnings to a copy of the record.

    Warns of leaks into entries, of missing images, and of prompt injection in the sources of the entries; replaces the
    warnings of earlier runs of their systems.

    Args:
        withheld: description of the withheld text, for the message.

    Raises:
        InputFault: ``warnings`` is present but malformed.
    """
    systems = {entry["system"] for entry in entries}
    earlier = read(record, "warnings") or []
    kept = [one for one in earlier if one["kind"] not in (_LEAK, _NO_PICTURE, KIND) or one.get("system") not in systems]
    found = [warning for entry in entries for warning in _warnings(entry, withheld)]
    made = {**record, "warnings": [*kept, *found]} if found or len(kept) < len(earlier) else record
    shown = {name for entry in entries for name in entry["sections"]}
    own = texts({key: record[key] for key in ("abstract", "sections") if key in record})
    return warn_of_instructions(made, {name: text for name, text in own.items() if name in shown})


def _warnings(entry: Entry, withheld: str) -> Iterator[Record]:
    """Warnings about an entry: leaks, missing images, and prompt injection in passages used."""
    found = entry.get("leak") or {"ngrams": 0}
    if found["ngrams"]:
        told = f"the text for the model shares {found['ngrams']} runs of {LENGTH} words with {withheld}"
        yield {"kind": _LEAK, "system": entry["system"], "text": f'{told}, such as "{found["examples"][0]}"'}
    if missing := entry.get("images_missing"):
        told = f"no picture of {', '.join(missing)}: st-parse draws them with {parameter('figures')}"
        yield {"kind": _NO_PICTURE, "system": entry["system"], "text": told}
    for passage in entry.get("passages") or ():
        for start, end in find_instructions(passage["text"]) if passage["used"] else ():
            where = {"system": entry["system"], "paper": passage["paper"], "passage": passage["id"]}
            yield {"kind": KIND, **where, "text": passage["text"][start:end]}


def _shared_runs(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge overlapping places, which are sorted."""
    runs: list[tuple[int, int]] = []
    for start, end in places:
        if runs and start <= runs[-1][1]:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _shorten(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _EXAMPLE_LENGTH else words[:_EXAMPLE_LENGTH] + "\u2026"
