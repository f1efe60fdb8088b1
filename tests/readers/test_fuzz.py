"""A few of the mutants of tests/fuzz_parse.py, and that it finds what it looks for."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from support import fuzz_parse
from support.run import PAPER

COUNT = 60


def test_no_mutant_of_a_pdf_makes_a_traceback_a_hang_or_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_parse, "PAGES", 2)
    assert fuzz_parse.fuzz("pdf", [PAPER], seed=7, indices=range(COUNT)) == []


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("scholartools.readers.latex.reader"), reason="no LaTeX reader")
def test_no_mutant_of_a_latex_source_makes_a_traceback_a_hang_or_a_crash() -> None:
    assert fuzz_parse.fuzz("latex", [PAPER.parent], seed=7, indices=range(COUNT)) == []


@pytest.mark.parametrize("kind", ["pdf", "latex"])
def test_a_mutant_is_the_same_every_time_and_unlike_the_next(kind: str, tmp_path: Path) -> None:
    seeds = [PAPER if kind == "pdf" else PAPER.parent]
    made = [fuzz_parse.mutant(3, index, seeds, kind) for index in (5, 5, 6)]
    assert made[0] == made[1] != made[2]


def test_seeds_are_also_uncompressed_so_that_their_content_mutates(tmp_path: Path) -> None:
    packed, plain = (path.read_bytes() for path in fuzz_parse.prepare([PAPER], tmp_path))
    assert b" Tf" in plain and b" Tf" not in packed


def test_what_is_no_fault_of_the_input_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    from scholartools.errors import InputFault
    from scholartools.readers.pdf import reader as pdf

    outcomes = {b"bug": KeyError("x"), b"input": InputFault("not a paper", kind="unreadable")}

    def read(data: bytes) -> dict:
        if data in outcomes:
            raise outcomes[data]
        return {"title": "\ud800" if data == b"surrogate" else "A title"}

    monkeypatch.setattr(pdf, "read", read)
    found = {data: fuzz_parse.attempt(data).get("what") for data in (b"bug", b"input", b"surrogate", b"good")}
    assert found == {b"bug": "traceback", b"input": None, b"surrogate": "traceback", b"good": None}
