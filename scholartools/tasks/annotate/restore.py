"""Add answers to the records of their items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.tasks.annotate.batch import COMMAND, Batch, Known
from scholartools.tasks.annotate.description import Kind
from scholartools.tasks.annotate.ratings import COUNTED
from scholartools.tasks.claims.base import GOLD


class Restored:
    """The answers of a batch, and the records they were added to."""

    def __init__(
        self,
        batch: Batch,
        kind: Kind,
        answers: Sequence[Record],
        *,
        has_drafts: bool = False,
        truth: Mapping[str, Known] | None = None,
    ) -> None:
        """Collect the answers, without repeats and controls.

        Args:
            truth: gold answers by item; if given, only these are added, with rater "gold".
        """
        counted = (*COUNTED, "draft") if has_drafts else COUNTED
        self._batch, self._kind, self._drafts = batch, kind, has_drafts
        self._given: dict[str, dict[str, dict[str, Record]]] = {}
        self._is_truth = truth is not None
        for name, known in (truth or {}).items():
            if name not in batch.items:
                raise UsageFault(f'{parameter("truth")}: the batch has no item "{name}"')
            known.check_texts(batch.items[name], "truth")
            self._given.setdefault(batch.items[name].paper, {})[name] = {GOLD: _complete(batch, known.answers)}
        for one in () if self._is_truth else answers:
            if one["state"] in counted and one["control"] is None:
                said = self._given.setdefault(one["paper"], {}).setdefault(one["item"], {})
                said[one["rater"]] = one["answers"]
        self._seen: set[str] = set()

    def add(self, record: Record) -> Record:
        """Add the answers to a copy of a record.

        Raises:
            InputFault: an item is missing or has another text than was assigned; a second record of a paper; the kind
                requires answers to all items of a paper.
        """
        paper = str(record.get("id"))
        given = self._given.get(paper)
        if given is None or self._kind.put is None:
            return record
        if paper in self._seen:
            raise InputFault(
                f'a second record of paper "{paper}": it is unclear which record the answers belong to',
                kind="duplicate",
            )
        self._seen.add(paper)
        items = {item.id: item for item in self._kind.items(record)}
        for name in given:
            if name not in items:
                raise InputFault(f'"{name}", which people answered, is not in the record', kind="invalid-key")
            if items[name].texts != self._batch.items[name].texts:
                raise InputFault(
                    f'"{name}" has another text in the record than in the batch that people answered', kind="stale"
                )
        if self._kind.is_whole:
            self._refuse_parts(paper, given)
        made = {**self._kind.put(record, given)}
        options = {"batch": self._batch.id, "kind": self._batch.kind, "drafts": self._drafts, "truth": self._is_truth}
        add_provenance(made, COMMAND, "apply", method="people", options=options, input=given)
        return made

    def _refuse_parts(self, paper: str, given: Mapping[str, Mapping[str, Record]]) -> None:
        wanted = [name for name, item in self._batch.items.items() if item.paper == paper]
        required = [question.name for question in self._kind.questions if question.is_required]
        for rater in sorted({rater for said in given.values() for rater in said}):
            own = [given.get(name, {}).get(rater, {}) for name in wanted]
            if lacking := sum(any(one.get(name) is None for name in required) for one in own):
                told = f"{rater} has no answer to {lacking} of {len(wanted)} items of the paper"
                raise InputFault(f"{told}, in which nothing would seem to be found", kind="missing-key")

    def find_lost(self) -> list[str]:
        """Papers with answers for which there was no record."""
        return sorted(set(self._given) - self._seen)


def _complete(batch: Batch, answers: Record) -> Record:
    """Known answers, with null for unanswered questions."""
    return {question.name: answers.get(question.name) for question in batch.questions}
