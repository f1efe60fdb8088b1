"""The README: its examples are run as they stand, in a copy of the fixtures; it is short. Its sequel is docs/overview.md."""

from __future__ import annotations

import re

import pytest
from support import examples
from support.run import ROOT

README = (ROOT / "README.md").read_text()
OVERVIEW = (ROOT / "docs" / "overview.md").read_text()
MAKES_THE_ENVIRONMENT = ("make demo", "make test")


def blocks(page: str, kind: str) -> list[str]:
    return [block.text for block in examples.blocks(page) if block.kind == kind]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The blocks build on each other, so they share a folder."""
    return examples.furnish(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize("text", [text for text in blocks(README, "sh") if not text.startswith(MAKES_THE_ENVIRONMENT)])
def test_shell_examples(folder, text):
    examples.run_shell(folder, text)


@pytest.mark.parametrize("text", blocks(OVERVIEW, "make"))
def test_make_examples(tmp_path, text):
    examples.run_make(examples.furnish(tmp_path), text)


def test_the_exit_table_is_the_code_s():
    from scholartools.commands.shared.command import EXIT_STATUS

    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", OVERVIEW, re.M))
    assert rows == {str(status): meaning for status, meaning in EXIT_STATUS.items()}


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text()
    for line in MAKES_THE_ENVIRONMENT:
        assert line in README
        assert re.search(rf"^{line.split()[1]}:", makefile, re.M)


def test_the_readme_is_short():
    """A screen and a half beside the table, whose rows say one short thing each; lengths as they are seen, without links."""
    rest, rows = [], []
    for line in re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", README).splitlines():
        (rows if line.startswith("|") else rest).append(line)
    assert sum(max(1, -(-len(line) // 120)) for line in rest) <= 78
    told = [row.split(" | ")[1] for row in rows[2:]]
    assert len(told) > 10 and [text for text in told if len(text) > 90] == []
