"""Word lists, read from the files of ``words/``."""

from __future__ import annotations

from pathlib import Path

import scholartools


def read_words(name: str) -> list[list[str]]:
    """Cells of each row of a word list, without the header."""
    text = (Path(scholartools.__file__).parent / "words" / f"{name}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]
