"""Files of people's weaknesses, targets and labels: ``--from FILE``, and the messages on their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.options import option
from scholartools.errors import InputFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


def people_option(what: str) -> Callable[[Callable], Callable]:
    """Option ``--from FILE``; ``what`` (a noun phrase) is used in its help."""
    text = f"Add {what} by people, from a table or a JSONL file (docs/claims.md describes the columns)."
    return option("--from", "people", metavar="FILE", asks_no_model=True, help=text)


def add_people(stream: Stream, answers: Any) -> int:
    """Add people's answers to all records; the status is 1 if the records lack weaknesses or reviews of the file."""
    import dataclasses

    stream.refuse_shard()
    additions = _Additions(answers)
    # In one process, since the answers that were used are counted in memory.
    status = dataclasses.replace(stream, jobs=1, scheduler=None).map_records(additions.add)
    for note in () if stream.quiet else answers.notes:
        click.echo(f"st-claims: {note}", err=True)
    lost = additions.find_lost()
    if lost and not stream.quiet:
        what = "reviews" if answers.kind == "weaknesses" else "weaknesses"
        click.echo(
            f"st-claims: {len(lost)} {what} of the file are missing from the records, such as {lost[0]}", err=True
        )
    if (unmarked := additions.unmarked) and not stream.quiet:
        have = "review has" if len(unmarked) == 1 else "reviews have"
        told = f"{len(unmarked)} {have} no row of the rater gold, such as {unmarked[0]}"
        click.echo(f"st-claims: {told}: they get no weaknesses, and scores leave them out", err=True)
    return status or int(bool(lost))


class _Additions:
    """Adds the answers of a file to records, and keeps track of the answers used.

    Attributes:
        unmarked: reviews, as PAPER/REVIEW, without a row of the rater "gold", if the file has rows of "gold".
    """

    def __init__(self, answers: Any) -> None:
        self.unmarked: list[str] = []
        self._answers = answers
        self._used: set[tuple[str, str]] = set()
        self._papers = {paper for paper, _ in answers.given}
        self._seen: set[str] = set()
        self._failed: set[str] = set()

    def add(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with its answers; a second record with the same id is an error, since answers name only the id."""
        paper = str(record.get("id"))
        if paper in self._seen:
            raise InputFault(
                f'a second record of paper "{paper}": it is unclear which record the rows of the file belong to'
            )
        self._seen.update(self._papers & {paper})
        self._failed.add(paper)
        made = self._add_answers(record, paper)
        self._failed.remove(paper)
        return made

    def _add_answers(self, record: dict[str, Any], paper: str) -> dict[str, Any]:
        from scholartools.tasks.claims import human_labels, human_weaknesses
        from scholartools.tasks.claims.base import GOLD

        if self._answers.kind != "weaknesses":
            return human_labels.add(record, self._answers, self._used.add)
        made = human_weaknesses.add_weaknesses(record, self._answers, self._used.add)
        if GOLD in self._answers.raters:
            self.unmarked += [f"{paper}/{review}" for review in human_weaknesses.find_unmarked(made)]
        return made

    def find_lost(self) -> list[str]:
        """Weaknesses or reviews of the file that no record has, except those of failed records."""
        return ["/".join(key) for key in self._answers.find_unused(self._used) if key[0] not in self._failed]
