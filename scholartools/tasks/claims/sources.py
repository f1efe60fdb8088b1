"""The texts of a paper from which claims are taken, with the roles of their sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record, read, texts

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Section


def sources_of(record: Record, roles: Sequence[str], captions: bool) -> list[tuple[str, str, str]]:
    """Name, text and role of the texts from which claims are taken, in the order of the paper.

    Raises:
        InputFault: both ``abstract`` and ``sections`` are missing.
    """
    abstract, sections = read(record, "abstract"), read(record, "sections")
    if abstract is None and sections is None:
        raise InputFault('neither "abstract" nor "sections": run st-parse first', kind="missing-key")
    texts({key: record.get(key) for key in ("abstract", "sections")})
    found = [("abstract", abstract, "abstract")] if abstract and "abstract" in roles else []
    for section, role in zip(sections or (), inherited_roles(sections or ())):
        if role in roles:
            found.append((section["id"], section["text"], role))
    if captions:
        found += [(f"caption:{one['id']}", one["text"], "result") for one in read(record, "captions") or ()]
    return found


def inherited_roles(sections: Sequence[Section]) -> list[str]:
    """Role of each section; "other" is replaced by the role of the nearest parent."""
    found: list[str] = []
    above: list[tuple[int, str]] = []
    for section in sections:
        while above and above[-1][0] >= section["level"]:
            above.pop()
        inherited = above[-1][1] if above else "other"
        role = inherited if section["role"] == "other" else section["role"]
        above.append((section["level"], role))
        found.append(role)
    return found
