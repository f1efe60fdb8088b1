"""Text that repeats on pages is in the record as often as it is printed, or a warning tells of it."""

from __future__ import annotations

import re

import pytest
from support import drawn_repeats

from scholartools.readers.pdf import reader


def _faults(seed: int) -> list[str]:
    drawn = drawn_repeats.draw(seed)
    record = reader.read(drawn.file)
    parts = [part["text"] for part in [*record["sections"], *record.get("front_matter", []), *record["footnotes"]]]
    parts += [record["title"] or "", record["abstract"] or "", *(part["heading"] for part in record["sections"])]
    held = " ".join(" ".join(parts).split())
    missing = sum((count - held.count(sentence[:-1])) for sentence, count in drawn.sentences.items())
    told = [one["text"] for one in record["warnings"] if one["kind"] == "text-missing"]
    n_told = sum(int(found[1]) for text in told if (found := re.match(r"(\d+) lines? of text", text)))
    faults = (
        [f"{seed}: {missing} of {drawn.sentences.total()} sentences lost, {n_told} told"] if missing > n_told else []
    )
    return faults + [f"{seed}: kept the head {head!r}" for head in drawn.heads if head in held]


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(1000, 1400), marks=pytest.mark.slow)])
def test_no_sentence_is_lost_in_silence(seeds: range) -> None:
    assert [fault for seed in seeds for fault in _faults(seed)] == []
