"""Compare model judges in records with human raters on the items of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.agreement.coefficients import Agreement, alpha, cohen_kappa
from scholartools.metrics.statistics.reliability import wilson_interval
from scholartools.records import Entry, Record, read
from scholartools.signature import fingerprint, signature
from scholartools.tasks.annotate.batch import COMMAND, Batch
from scholartools.tasks.annotate.description import Fault, Question, Spans, Text
from scholartools.tasks.annotate.disputes import compared, settled, votes_of
from scholartools.tasks.annotate.ratings import hashable_rating, level_of, rating_of
from scholartools.tasks.claims.base import GOLD, items_of
from scholartools.tasks.shared.judgements import judgements
from scholartools.tasks.shared.text_names import TextName

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord


class Judged(NamedTuple):
    """Answers of a judge on an item, by question; None without a verdict."""

    judge: str
    item: str
    answers: Record


def _of_weaknesses(key: str, answers: Callable[[Record], Record]) -> Callable[[Record], Iterator[Judged]]:
    """Reader of the values under a key of each weakness, by system."""

    def read_entries(record: PaperRecord) -> Iterator[Judged]:
        paper = str(record.get("id"))
        weaknesses: Sequence[Entry] = items_of(record, "weaknesses", "weaknesses")
        for weakness in weaknesses:
            for entry in weakness.get(key) or ():
                yield Judged(entry["system"], f"{paper}/{weakness['id']}", answers(entry))

    return read_entries


def _target_answer(entry: Record) -> Record:
    items = entry["items"]
    return {"targets": None if items is None else [one["claim"] or {"text": one["text"]} for one in items]}


def _label_answers(entry: Record) -> Record:
    return {name: entry.get(name) for name in ("objectivity", "agreement", "types")}


def _entries(record: Record, task: str) -> Iterator[tuple[str, str, Record]]:
    """The judgements of a task: judge, judged system, and entry."""
    for system, entry in (judgements(record, task) or {}).items():
        yield str(entry.get("by") or system), system, entry


def _matches(record: Record) -> Iterator[Judged]:
    for judge, system, entry in _entries(record, "match"):
        for pair in entry["pairs"]:
            said = {True: "same", False: "not-same", None: None}[pair["match"]]
            name = f"{record.get('id')}/{system}/{pair['reference']}/{pair['candidate']}"
            yield Judged(judge, name, {"verdict": said})


def _entailments(record: Record) -> Iterator[Judged]:
    for judge, system, entry in _entries(record, "entail"):
        for side in ("candidates", "references"):
            for one in entry[side]:
                yield Judged(
                    judge, f"{record.get('id')}/{system}/{side}/{one.get('id')}", {"entailed": one["entailed"]}
                )


def _equations(record: Record) -> Iterator[Judged]:
    for _, system, entry in _entries(record, "equation"):
        for option in entry["options"]:
            yield Judged(system, f"{record.get('id')}/{option.get('id')}", {"correct": option["answer"]})


def _choices(record: Record) -> Iterator[Judged]:
    for _, system, entry in _entries(record, "equation"):
        choice = entry.get("choice")
        yield Judged(system, str(record.get("id")), {"correct": None if choice is None else [choice]})


def _same_issues(record: Record) -> Iterator[Judged]:
    for judge, _, entry in _entries(record, "same_issue"):
        for pair in entry["pairs"]:
            yield Judged(judge, f"{record.get('id')}/{pair['reviewer']}/{pair['model']}", {"verdict": pair["verdict"]})


def _specificities(record: Record) -> Iterator[Judged]:
    for judge, system, entry in _entries(record, "specificity"):
        for pair in entry["pairs"]:
            yield Judged(judge, f"{record.get('id')}/{pair['weakness']}/{system}", {"winner": pair["winner"]})


def _critiques(record: Record) -> Iterator[Judged]:
    for _, system, entry in _entries(record, "review"):
        for review in entry["reviews"]:
            for number, segment in enumerate(review["segments"], 1):
                for prompt, answer in segment["answers"].items():
                    said = {"deficient": None if answer is None else answer["deficient"]}
                    yield Judged(f"{system} {prompt}", f"{record.get('id')}/{review['id']}/{number}", said)


def _facet_ratings(record: Record) -> Iterator[Judged]:
    for judge, system, entry in _entries(record, "facets"):
        yield Judged(judge, f"{record.get('id')}/{system}", entry["ratings"])


def _rates(record: PaperRecord) -> Iterator[Judged]:
    """Ratings of st-judge rate, with each model and method as a judge; the aspects of an item are collected."""
    said: dict[tuple[str, str], Record] = {}
    for one in (read(record, "judgements") or {}).get("rate") or ():
        name = TextName(str(record.get("id")), one["system"], one["item"]).long()
        said.setdefault((f"{one['by']} {one['method']}", name), {})[one["aspect"]] = one["score"]
    for (judge, name), answers in said.items():
        yield Judged(judge, name, answers)


#: Readers of judges in a record, by kind of items.
JUDGES: dict[str, Callable[[Record], Iterator[Judged]]] = {
    "labels": _of_weaknesses("labels", _label_answers),
    "targets": _of_weaknesses("targets", _target_answer),
    "limits-pairs": _matches,
    "entailment": _entailments,
    "equations": _equations,
    "equation-choice": _choices,
    "same-issue": _same_issues,
    "specificity": _specificities,
    "segment-labels": _critiques,
    "facet-ratings": _facet_ratings,
    "questions": _rates,
    "builtin:summary": _rates,
}


class SaidByJudges:
    """Collects the answers of judges on the items of a batch, record by record."""

    def __init__(self, batch: Batch) -> None:
        """Start without judges.

        Raises:
            UsageFault: no judge answers the questions of this kind.
        """
        if batch.kind not in JUDGES or batch.about["is_own"]:
            raise UsageFault(
                f'judges do not answer questions of the kind "{batch.kind}": {", ".join(JUDGES)} have judges'
            )
        self._batch = batch
        self._said: dict[str, dict[str, Record]] = {}

    def add(self, record: Record) -> None:
        """Add the judges' answers in a record; raters of the batch are skipped.

        Raises:
            InputFault: the record lacks required keys, or a judge has two answers on an item.
        """
        for found in JUDGES[self._batch.kind](record):
            if found.item not in self._batch.items or found.judge in self._batch.raters:
                continue
            said = self._said.setdefault(found.judge, {})
            if said.setdefault(found.item, found.answers) != found.answers:
                raise InputFault(f'{found.judge} gives two answers about "{found.item}"', kind="duplicate")

    def answers(self) -> Iterator[Record]:
        """The answers as answer records, with each judge as a rater; gold entries are excluded."""
        for judge, said in sorted((judge, said) for judge, said in self._said.items() if judge != GOLD):
            for name in (one for one in self._batch.items if one in said):
                item = self._batch.items[name]
                about = {"item": name, "paper": item.paper, "group": item.group, "rater": judge, "copy": 0}
                answers = {
                    one.name: self._checked(one, name, said[name].get(one.name)) for one in self._batch.questions
                }
                reasons = {question: "no-verdict" for question, value in answers.items() if value is None}
                control = "gold" if name in self._batch.truth else None
                state = {"state": "done", "control": control, "round": self._batch.about["round"], "seconds": None}
                yield {**about, **state, "answers": answers, "reasons": reasons}

    def _checked(self, question: Question, item: str, value: Any) -> Any:
        """A judge's answer, or None if it is not valid for the question, for example on another scale."""
        try:
            return None if value is None else question.check(value, self._batch.items[item])
        except Fault:
            return None


class JudgesBeside(SaidByJudges):
    """Compares judges with the raters of a batch, record by record."""

    def __init__(
        self, batch: Batch, answers: Sequence[Record], decided: Sequence[Record], *, by_majority: bool
    ) -> None:
        """Prepare the human votes and the gold answers.

        Raises:
            UsageFault: no judge answers the questions of this kind.
        """
        super().__init__(batch)
        self._votes = votes_of(batch, answers)
        found = settled(batch, answers, decided, by_majority=by_majority)
        self._truth = {one["item"]: one["answers"] for one in found}
        self._by_majority = by_majority

    def results(self, _: int = 0) -> Iterator[Record]:
        """Yield a record per judge and question."""
        for judge, all_said in sorted(self._said.items()):
            said = {name: one for name, one in all_said.items() if name in self._truth}
            for question in self._batch.questions:
                if isinstance(question, (Text, Spans)):
                    continue
                answers = {name: self._checked(question, name, one.get(question.name)) for name, one in said.items()}
                if any(value is not None for value in answers.values()):
                    yield self._result(judge, question, answers)

    def _result(self, judge: str, question: Question, answers: dict[str, Any]) -> Record:
        truth = {name: self._truth[name][question.name] for name in answers}
        pairs = [
            (truth[name], value) for name, value in answers.items() if truth[name] is not None and value is not None
        ]
        # compared by text: spans of human answers refer to the text as displayed
        equal = sum(compared(question, rating_of(one)) == compared(question, rating_of(other)) for one, other in pairs)
        low, high = wilson_interval(equal, len(pairs), 0.95) if pairs else (None, None)
        level: Any = level_of(question)
        about: Record = {"stat": "judge", "judge": judge, "label": question.name, "level": level}
        counts = {
            "n": len(pairs), "n_unsettled": sum(one is None for one in truth.values()),
            "n_without_verdict": sum(one is None for one in answers.values()),
        }  # fmt: skip
        share = {"equal": equal / len(pairs) if pairs else None, "low": low, "high": high}
        people = [[_rating(vote["answers"][question.name]) for vote in self._votes[name]] for name in answers]
        beside = [[*unit, _rating(value)] for unit, value in zip(people, answers.values(), strict=True)]
        sides = [[_rating(one), _rating(other)] for one, other in pairs]
        values = {
            "kappa": _value(lambda: cohen_kappa([one for one, _ in sides], [other for _, other in sides])),
            "alpha_people": _value(lambda: alpha(people, level)),
            "alpha_with_judge": _value(lambda: alpha(beside, level)),
        }
        said = [[name, compared(question, answers[name]), compared(question, truth[name])] for name in sorted(answers)]
        signed = {"batch": self._batch.id, "judge": judge, "label": question.name, "majority": self._by_majority}
        made = signature(f"{COMMAND} agree", {**signed, "input": fingerprint([said, people])})
        return {**about, **counts, **share, **values, "signature": made}


def _value(compute: Callable[[], Agreement]) -> float | None:
    try:
        return compute().value
    except InputFault:  # sets with too many members
        return None


def _rating(value: Any) -> Any:
    return hashable_rating(rating_of(value))


def judges_table(found: Sequence[Record]) -> str:
    """Format the results of :meth:`JudgesBeside.results` as a text table."""
    from tabulate import tabulate

    heads = ["judge", "label", "n", "equal", "95%", "kappa", "alpha people", "with judge", "unsettled", "no verdict"]
    rows = []
    for one in found:
        interval = "-" if one["low"] is None else f"[{one['low']:.3f}, {one['high']:.3f}]"
        numbers = [one[key] for key in ("equal", "kappa", "alpha_people", "alpha_with_judge")]
        equal, *others = ["-" if value is None else f"{value:.3f}" for value in numbers]
        counts = (one["n_unsettled"], one["n_without_verdict"])
        rows.append([one["judge"], one["label"], one["n"], equal, interval, *others, *counts])
    return tabulate(rows, heads, "simple", disable_numparse=True) + "\n"
