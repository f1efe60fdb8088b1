"""Judge by a model which limitations of a system match the ground truth (BAGELS, section 5.1).

Three prompts in two orders, without names of systems, give six votes per pair, all of which are kept; ``votes.py``
turns them into decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.task import Found, ask_all, finish
from scholartools.records import Record, nonzero
from scholartools.tasks.judge.entries import COMMAND, with_judgements
from scholartools.tasks.judge.matching.inputs import Sides, cosine_matrix, read_sides
from scholartools.tasks.judge.matching.prompts import (
    Layout,
    Question,
    Row,
    answer,
    prompts,
    questions,
)
from scholartools.tasks.judge.matching.report import report
from scholartools.tasks.judge.matching.votes import Rule, judge_pair
from scholartools.tasks.shared.items import Item, tell_missing_items
from scholartools.text.embeddings.cached import embedder as embedder_of
from scholartools.text.embeddings.cached import n_truncated

# Votes by system, id of the truth, and id of the item.
_Votes = Mapping[tuple[str, str | None, str | None], list[Record]]


@dataclass(frozen=True)
class Matching:
    """Options of matching.

    Attributes:
        layout: unit of a call, a pair or a row.
        votes: decision rule: see :func:`scholartools.tasks.judge.matching.votes.verdict`.
        prefilter: pairs with a smaller cosine are neither judged nor listed; None: all are judged.
        embedder: embedder of the prefilter, None for the default.
        reference: dotted path of the ground truth, None for ``limitations``.
        candidate: dotted path of the systems' items, None for ``generated.limitations``.
    """

    layout: Layout = "pair"
    votes: Rule = "all"
    prefilter: float | None = None
    embedder: str | None = None
    reference: str | None = None
    candidate: str | None = None

    def provenance_options(self) -> Record:
        """Options that affect the judgements, for provenance and signature."""
        name = None if self.prefilter is None else embedder_of(self.embedder).name
        return {"layout": self.layout, "votes": self.votes, "prefilter": self.prefilter, "embedder": name}


async def match(engine: Engine, record: Record, how: Matching | None = None) -> Record:
    """Add an entry for each system under ``judgements.match`` to a copy of the record: pairs with votes, and a report.

    With several samples, each is a vote. A vote without a usable reply is null, with the reason, and so is the decision
    on its pair if that vote could change it; both are reported under ``errors``.

    Raises:
        InputFault: a side is missing or has items without ids.
        UsageFault: the embedder is unknown, or a custom prompt is incomplete.
        ModelFault: the run must end.
    """
    how = how or Matching()
    sides = read_sides(record, how.reference, how.candidate, leave_out_unnamed=True)
    rows = [row for system, items in sides.systems.items() for row in _question_rows(system, sides.truths, items, how)]
    asked = [question for row in rows for question in questions(row, how.layout, engine.settings.samples)]
    answers = await ask_all([answer(engine, question, how.layout) for question in asked])
    votes = _collect_votes(asked, answers)
    entries = [_make_entry(sides, system, votes, how, engine.settings.model) for system in sides.systems]
    made = with_judgements(record, "match", entries)
    named = zip((question.row.system for question in asked), answers)
    tell_missing_items(made, COMMAND, sides.candidate, "match", by_id=True)
    found = Found(
        made, "replies", named, prompts(how.layout), how.provenance_options(), sides.compared(),
        so=_describe_missing(entries),
    )  # fmt: skip
    return finish(engine, COMMAND, "match", found)


def _question_rows(system: str, truths: Sequence[Item], items: Sequence[Item], how: Matching) -> list[Row]:
    if how.prefilter is None:
        return [Row(system, truth, items) for truth in truths]
    cosines = cosine_matrix(truths, items, how.embedder)
    return [
        Row(system, truth, [item for item, cosine in zip(items, row) if cosine >= how.prefilter])
        for truth, row in zip(truths, cosines)
    ]


def _collect_votes(asked: Sequence[Question], answers: Sequence[Answer[list[bool]] | Missing]) -> _Votes:
    votes: dict[tuple[str, str | None, str | None], list[Record]] = defaultdict(list)
    for question, given in zip(asked, answers):
        for place, item in enumerate(question.shown):
            if isinstance(given, Missing):
                vote = {**question.vote(None), "reason": given.reason}
            else:
                vote = question.vote(given.value[place])
            votes[question.row.system, question.row.truth.id, item.id].append(vote)
    return votes


def _make_entry(sides: Sides, system: str, votes: _Votes, how: Matching, model: str) -> Record:
    """The judged pairs of a system, ordered by truth and item."""
    items = sides.systems[system]
    pairs = [
        judge_pair(truth, item, votes[system, truth.id, item.id], how.votes)
        for truth in sides.truths
        for item in items
        if (system, truth.id, item.id) in votes
    ]
    prefiltered = len(sides.truths) * len(items) - len(pairs)
    texts = [item.text for item in (*sides.truths, *items)] if how.prefilter is not None else []
    read_in_part = nonzero(n_cut=n_truncated(texts, how.embedder))
    return {**sides.heading(system, model), "pairs": pairs, "report": report(pairs, prefiltered), **read_in_part}


def _describe_missing(entries: Sequence[Record]) -> str:
    """Message on the pairs left undecided by missing votes."""
    pairs = [pair for entry in entries for pair in entry["pairs"]]
    undecided = sum(pair["match"] is None for pair in pairs)
    return f"{undecided} of {len(pairs)} pairs {'has' if undecided == 1 else 'have'} no judgement"
