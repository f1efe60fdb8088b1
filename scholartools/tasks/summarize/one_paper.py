"""Whether questions that name one paper are of one: papers that were parsed apart may have one id."""

from __future__ import annotations

from scholartools.errors import InputFault
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint

#: The key by which questions name their paper.
PAPER = "paper"


class Papers:
    """The titles of papers and the texts of questions so far, within each part of the input."""

    def __init__(self) -> None:
        self._titles: dict[tuple[Name | None, Name], str] = {}
        self._questions: dict[tuple[Name | None, str], str] = {}

    def check(self, record: Record, by: Name | None, paper: Name) -> None:
        """Take a question, unless another paper has the name of its own.

        Raises:
            InputFault: a question of a paper with this name had another title, or one with this id another text.
        """
        name, title = record.get("id"), record.get("title")
        if title and self._titles.get((by, paper), title) != title:
            raise _two_papers(paper, f'titled "{self._titles[by, paper]}" and "{title}"')
        mark = _mark_text(record)
        if mark and name and self._questions.get((by, str(name)), mark) != mark:
            raise _two_papers(paper, f'for two questions have the id "{name}"')
        if title:
            self._titles[by, paper] = title
        if mark and name:
            self._questions[by, str(name)] = mark


def _mark_text(record: Record) -> str | None:
    """A fingerprint of what a question shows and what is right, whatever certifies it; None where it shows nothing."""
    options = record.get("options")
    if not isinstance(options, list) or not all(isinstance(option, dict) for option in options):
        return None
    return fingerprint([record.get("context"), [[one.get("latex"), one.get("correct")] for one in options]])


def _two_papers(paper: Name, why: str) -> InputFault:
    reason = (
        f'"{paper}" names two papers, {why}: as one cluster they would be taken for one; give each an id of its own'
    )
    return InputFault(reason, kind="duplicate")
