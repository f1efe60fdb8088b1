"""Check that questions with the same paper id refer to one paper: separately parsed papers may share an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.paths import Name
from scholartools.records import Record
from scholartools.signature import fingerprint

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import PaperRecord

#: Key under which questions name their paper.
PAPER = "paper"


class Papers:
    """Titles of papers and texts of questions seen so far, by part of the input."""

    def __init__(self) -> None:
        self._titles: dict[tuple[Name | None, Name], str] = {}
        self._questions: dict[tuple[Name | None, str], str] = {}

    def check_question(self, record: Record) -> None:
        """Check a question against all others, unless it names no paper.

        Raises:
            InputFault: as :meth:`check`.
        """
        if isinstance(paper := record.get(PAPER), (str, int)):
            self.check(record, None, paper)

    def check(self, record: Record, by: Name | None, paper: Name) -> None:
        """Check and remember a question within a part of the input.

        Raises:
            InputFault: the same paper id had another title, or the same question id another text.
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
    """Ids of the papers with equations seen so far."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def check(self, record: PaperRecord) -> None:
        """Check and remember the id of a paper.

        Raises:
            InputFault: an earlier paper has the same id, so that the ids of their questions would collide.
        """
        name = record.get("id")
        if name is None or "equations" not in record:
            return
        if str(name) in self._ids:
            reason = f'a paper with the id "{name}" came before: their questions would have the same ids'
            raise InputFault(f"{reason}; give each its own id", kind="duplicate")
        self._ids.add(str(name))


def _mark_text(record: Entry) -> str | None:
    """Fingerprint of a question's context and options, without their certificates; None without options."""
    options = record.get("options")
    if not isinstance(options, list) or not all(isinstance(option, dict) for option in options):
        return None
    return fingerprint([record.get("context"), [[one.get("latex"), one.get("correct")] for one in options]])


def _two_papers(paper: Name, why: str) -> InputFault:
    reason = f'"{paper}" names two papers, {why}: they would count as one paper: give each its own id'
    return InputFault(reason, kind="duplicate")
