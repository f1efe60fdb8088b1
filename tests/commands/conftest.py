"""Fixtures of the tests of several commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.annotators import OWN, PAPERS
from support.run import jsonl


@pytest.fixture
def papers(tmp_path) -> Path:
    """The papers that st-annotate is tried on, beside them a kind of one's own."""
    path = tmp_path / "papers.jsonl"
    path.write_bytes(jsonl(*PAPERS))
    (tmp_path / "own.yaml").write_text(OWN)
    return path
