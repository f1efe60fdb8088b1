"""Sentences of real papers that we labelled as limitations, for the benchmark and for training.

``fixtures/limitation-labels.jsonl`` identifies the sentences by hashes of their beginnings, since the papers may not be
copied, and gives the sources of the papers. ``open`` sentences are arguable: they count neither way.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from support.run import BIN, ROOT, environment

PAPERS = Path(os.environ.get("LIMITS_DATA", ROOT.parent / "shared" / "data" / "parse" / "dev"))
NAMED = re.compile(r"(?i)\b(?:limitations?|threats? to validity)\b")
_KEY_LETTERS = 40

Record = dict[str, Any]


def read_labels() -> dict[str, Record]:
    """Labels by the id of the paper."""
    lines = (ROOT / "fixtures" / "limitation-labels.jsonl").read_text(encoding="utf-8").splitlines()
    return {label["id"]: label for label in map(json.loads, lines)}


def read_papers() -> list[Record]:
    """Records of the papers in LIMITS_DATA, ordered by file name."""
    files = sorted(path for path in PAPERS.glob("*") if path.is_dir() or path.suffix in (".pdf", ".tex", ".md", ".xml"))
    if not files:
        return []
    line = [str(BIN / "st-parse"), "--quiet", *map(str, files)]
    parsed = subprocess.run(line, capture_output=True, env=environment())
    return [record for record in map(json.loads, parsed.stdout.splitlines()) if "sections" in record]


def key(sentence: str) -> str:
    """Identifier of a sentence: a hash of its first letters and digits, independent of spaces and hyphens."""
    letters = re.sub(r"[^a-z0-9]", "", sentence.lower())[:_KEY_LETTERS]
    return hashlib.sha256(letters.encode()).hexdigest()[:12]
