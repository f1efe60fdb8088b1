"""Sentences of real papers that we labelled as revealing the experiments, for the benchmark and for training.

``fixtures/leak-labels.jsonl`` identifies the sentences by hashes of their beginnings, since the papers may not be
copied, with the source of each paper and the section at which its experiments begin. ``open`` sentences are arguable:
they count as not leaking, and figures without them are also given.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from support.limit_labels import key
from support.run import BIN, ROOT, environment

from scholartools.tasks.generate.experiments.first_experiment import BACK_MATTER, Place, cut_sections
from scholartools.tasks.generate.experiments.leaks import LeakCues, Sentence, split_sentences
from scholartools.tasks.generate.experiments.likelihood import Seen
from scholartools.tasks.shared.pieces import all_parts

Record = dict[str, Any]

#: Folder with a checkout of each repository, named OWNER+NAME.
PAPERS = Path(os.environ["LEAKS_DATA"]) if "LEAKS_DATA" in os.environ else None


class Marked(NamedTuple):
    """A paper: its label and record, its sentences before the experiments as classifier input, and their labels.

    ``later`` is the text from the experiments on, without back matter.
    """

    label: Record
    record: Record
    sentences: list[Sentence]
    seen: list[Seen]
    later: str
    leaks: list[bool]
    arguable: list[bool]


def read_labels(kept: str) -> list[Record]:
    """Labels of a set of papers: ``learn``, ``blind``, ``second``, ``third``, ``fourth``, ``fifth`` or ``sixth``."""
    lines = (ROOT / "fixtures" / "leak-labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [label for label in map(json.loads, lines) if label["set"] == kept]


def read_marked(kept: str) -> list[Marked]:
    """Labelled papers of a set, as far as LEAKS_DATA has them."""
    labels = {str(file): label for label in read_labels(kept) if (file := _find_file(label)) is not None}
    if not labels:
        return []
    line = [str(BIN / "st-parse"), "--quiet", *labels]
    parsed = subprocess.run(line, capture_output=True, env=environment()).stdout.splitlines()
    records = [record for record in map(json.loads, parsed) if record.get("sections")]
    return [mark_paper(record, labels[record["source"]["path"]]) for record in records]


def _find_file(label: Record) -> Path | None:
    repository, path = label["source"].split(": ")
    file = PAPERS / repository.replace("/", "+") / path if PAPERS is not None else None
    return file if file is not None and file.is_file() else None


def mark_paper(record: Record, label: Record) -> Marked:
    """Label the sentences of a paper before the section that the label names."""
    before, rest = cut_sections(record["sections"], Place(label["before"], 0, "given"))
    parts = [part for part in all_parts({**record, "sections": before}) if part.text.strip()]
    every = split_sentences([(part.name, part.role, part.text) for part in parts])
    cues = dict(LeakCues(every, rest, record.get("captions") or [], record.get("title") or "").find_cues(every))
    seen = [Seen(one.text, one.place, one.role, cues.get(one)) for one in every]
    keys = [key(one.text) for one in every]
    return Marked(
        label,
        record,
        every,
        seen,
        "\n\n".join(one["text"] for one in rest if one["role"] not in BACK_MATTER),
        [one in label["leaks"] for one in keys],
        [one in label["open"] and one not in label["leaks"] for one in keys],
    )
