"""Whether questions that name one paper are of one: papers that were parsed apart may have one id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

#: The key by which questions name their paper.
PAPER = "paper"


class Papers:
    """The titles of papers and the texts of questions so far, within each part of the input."""

    def __init__(self) -> None:
        self._titles: dict[tuple[Name | None, Name], str] = {}
        self._questions: dict[tuple[Name | None, str], str] = {}

    def check_question(self, record: Record) -> None:
        """Take a question that goes with all others, unless another paper has the name of its own.

        Raises:
            InputFault: as :meth:`check`.
        """
        if isinstance(paper := record.get(PAPER), (str, int)):
            self.check(record, None, paper)

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


class Sources:
    """The ids of the papers with equations so far."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def check(self, record: PaperRecord) -> None:
        """Take a paper, unless one with its id came before.

        Raises:
            InputFault: so; the ids of their questions would be the same.
        """
        name = record.get("id")
        if name is None or "equations" not in record:
            return
        if str(name) in self._ids:
            reason = f'a paper with the id "{name}" came before: their questions would have the same ids'
            raise InputFault(f"{reason}; give each its own id", kind="duplicate")
        self._ids.add(str(name))


def _mark_text(record: Entry) -> str | None:
    """A fingerprint of what a question shows and what is right, whatever certifies it; None where it shows nothing."""
    options = record.get("options")
    if not isinstance(options, list) or not all(isinstance(option, dict) for option in options):
        return None
    return fingerprint([record.get("context"), [[one.get("latex"), one.get("correct")] for one in options]])


def _two_papers(paper: Name, why: str) -> InputFault:
    reason = f'"{paper}" names two papers, {why}: they would count as one paper: give each its own id'
    return InputFault(reason, kind="duplicate")
