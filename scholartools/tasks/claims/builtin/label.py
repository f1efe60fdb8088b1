"""Built-in labels of weaknesses: types by cue words; scales are left null."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scholartools.records import Record
from scholartools.tasks.claims import cues
from scholartools.tasks.claims.base import BUILTIN, items_of, sign_step
from scholartools.tasks.claims.entries import refuse_overwriting, replace_entry
from scholartools.tasks.claims.marks import weakness_mark
from scholartools.vocabulary import WEAKNESS_TYPES

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Weakness

STEP = "label"

_TYPES = {name: re.compile(pattern if "[A-Z]" in pattern else rf"(?i){pattern}") for name, pattern in cues.TYPES}
_NO_SCALE = "no built-in method can determine it"


def label(record: Record, *, system: str | None = None) -> Record:
    """Add ``labels`` to the ``weaknesses`` of a copy of the record: one entry of the system with types and reasons.

    ``types`` are those whose cue words occur in the weakness; without any they are null, with the reason.
    ``objectivity`` and ``agreement`` are null, because cue words do not determine them.

    Args:
        system: name of the entry, None for "builtin"; entries of other systems are kept.

    Raises:
        InputFault: ``weaknesses`` are missing or malformed; human labels would be replaced.
    """
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    refuse_overwriting(weaknesses, "labels", system or BUILTIN, BUILTIN)
    made = [
        {**weakness, "labels": replace_entry(weakness.get("labels"), _label_entry(weakness, system or BUILTIN))}
        for weakness in weaknesses
    ]
    texts = [weakness["text"] for weakness in weaknesses]
    return sign_step({**record, "weaknesses": made}, STEP, {"system": system}, texts)


def _label_entry(weakness: Weakness, system: str) -> Record:
    hits = {name: pattern.search(weakness["text"]) for name, pattern in _TYPES.items()}
    found = {name: " ".join(hit.group().split()) for name in WEAKNESS_TYPES if (hit := hits.get(name))}
    reasons = {"objectivity": _NO_SCALE, "agreement": _NO_SCALE}
    reasons |= {"types": "its words indicate no type"} if not found else {}
    return {
        "system": system,
        "by": BUILTIN,
        "objectivity": None,
        "agreement": None,
        "types": list(found) or None,
        "reasons": reasons,
        "cues": found,
        "texts": weakness_mark(weakness),
    }
