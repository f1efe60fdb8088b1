"""Select the parts of a paper for a research question: by default abstract and introduction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.generate.redaction import descendants
from scholartools.tasks.shared.pieces import Part, all_parts

TASK = "questions"
#: Default parts, as published.
SECTIONS = ("abstract", "introduction")
# The ``kind`` of warnings of missing parts.
_MISSING = "question-without-section"


class ModelInput(NamedTuple):
    """The parts with text, in the order of the paper, and the requested names without text."""

    parts: list[Part]
    missing: list[str]

    def text_with_headings(self) -> str:
        """The parts with headings, as one text."""
        return "\n\n".join(f"{part.heading}\n\n{part.text.strip()}" for part in self.parts)

    def source(self) -> str:
        """The texts without headings."""
        return "\n\n".join(part.text for part in self.parts)


def check_sections(wanted: Sequence[str]) -> None:
    """Validate names of sections.

    Raises:
        UsageFault: there are none, or one is empty or duplicate.
    """
    if not wanted or not all(wanted) or len(set(wanted)) < len(wanted):
        raise UsageFault(f"{parameter('sections')}: give roles and ids of sections, separated by commas, each once")


def read_input(record: Record, wanted: Sequence[str]) -> ModelInput:
    """The parts with these roles or ids, with their subsections.

    Raises:
        InputFault: there are none.
    """
    parts = all_parts(record)
    levels = [part.level for part in parts]
    by_name = {name: list(descendants(levels, [name in (part.name, part.role) for part in parts])) for name in wanted}
    has_text = [bool(part.text.strip()) for part in parts]
    kept = [part for place, part in enumerate(parts) if has_text[place] and any(of[place] for of in by_name.values())]
    if not kept:
        raise InputFault(f"no text in {' or '.join(wanted)} ({parameter('sections')})", kind="missing-key")
    missing = [name for name, of in by_name.items() if not any(map(min, zip(of, has_text, strict=True)))]
    return ModelInput(kept, missing)


def with_missing(record: Record, given: ModelInput) -> Record:
    """Add a warning for each missing part, replacing those of an earlier run."""
    earlier = record.get("warnings") or []
    kept = [one for one in earlier if one.get("kind") != _MISSING]
    new = [{"kind": _MISSING, "text": f"no text in {name}: the question is read without it"} for name in given.missing]
    return {**record, "warnings": [*kept, *new]} if new or len(kept) < len(earlier) else record
