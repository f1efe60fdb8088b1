"""Compare model judges in records with human raters on the items of a batch."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.agreement.coefficients import Agreement, alpha, cohen_kappa
from scholartools.metrics.statistics.reliability import wilson_interval
from scholartools.records import Record, nonzero, read
from scholartools.signature import fingerprint, signature
from scholartools.tasks.annotate.batch import COMMAND, Batch
from scholartools.tasks.annotate.description import Fault, Item, Question, Spans, Text
from scholartools.tasks.annotate.disputes import VOTES, compared, settled, votes_of
from scholartools.tasks.annotate.kinds import find_kind
from scholartools.tasks.annotate.ratings import hashable_rating, level_of, rating_of
from scholartools.tasks.claims.base import GOLD, items_of
from scholartools.tasks.claims.entries import refuse_other_targets
from scholartools.tasks.claims.marks import refuse_stale
from scholartools.tasks.facets.compared import refuse_other_facets
from scholartools.tasks.judge.rate.rated_texts import text_of, texts_by_mark
from scholartools.tasks.score.edits import check_rewritings, check_verifications
from scholartools.tasks.score.equations import check_question
from scholartools.tasks.score.refusals import refused_targets
from scholartools.tasks.score.reviews import check_segments
from scholartools.tasks.shared.items import candidates, mark, references, unordered_mark
from scholartools.tasks.shared.judgements import judgements_or_faults, refuse_other_texts, sound
from scholartools.tasks.shared.text_names import TextName
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Targets, Weakness, WeaknessLabels


class Judged(NamedTuple):
    """Answers of a judge on an item, by question; None without a verdict.

    ``refused`` has the answers that verification refused, by question: they were given, and are wrong.
    """

    judge: str
    item: str
    answers: Record
    refused: Mapping[str, Sequence[str]] = MappingProxyType({})


# Answers of the judges in a record, and a fault in place of those that are about other texts than the record has.
Found = Iterator[Judged | InputFault]
Reader = Callable[[Record], Found]


def _labels(record: PaperRecord) -> Found:
    def make(weakness: Weakness, entry: WeaknessLabels) -> Judged:
        refuse_stale(weakness, entry, "labels", "label")
        answers = {name: entry.get(name) for name in ("objectivity", "agreement", "types")}
        return Judged(entry["system"], f"{record.get('id')}/{weakness['id']}", answers)

    for weakness in items_of(record, "weaknesses", "weaknesses"):
        yield from (_made(make, weakness, entry) for entry in weakness.get("labels") or ())


def _targets(record: PaperRecord) -> Found:
    claims, refused = read(record, "claims"), functools.cache(lambda system: refused_targets(record, system))

    def make(weakness: Weakness, entry: Targets) -> Judged:
        refuse_other_targets(weakness, claims, entry)
        items, own = entry["items"], refused(entry["system"]).get(weakness["id"], ())
        answers = {"targets": None if items is None else [one["claim"] or {"text": one["text"]} for one in items]}
        return Judged(entry["system"], f"{record.get('id')}/{weakness['id']}", answers, {"targets": own} if own else {})

    for weakness in items_of(record, "weaknesses", "weaknesses"):
        yield from (_made(make, weakness, entry) for entry in weakness.get("targets") or ())


def _made(make: Callable[..., Judged], *parts: Any) -> Judged | InputFault:
    try:
        return make(*parts)
    except InputFault as fault:
        return fault


def _of_task(
    task: str,
    check: Callable[[Record, str, Record], None],
    answers: Callable[[str, str, str, Record], Iterator[Judged]],
) -> Reader:
    """Reader of the judgements of a task.

    Args:
        task: key of the judgements.
        check: raises an InputFault if the judgements of a system are about other texts than the record.
        answers: makes the answers from the id of the paper, the judge, the judged system, and its entry.
    """

    def read_entries(record: Record) -> Found:
        for system, found in (judgements_or_faults(record, task) or {}).items():
            try:
                entry = sound(found)
                check(record, system, entry)
            except InputFault as fault:
                yield fault
            else:
                yield from answers(str(record.get("id")), str(entry.get("by") or system), system, entry)

    return read_entries


def _check_matches(record: Record, system: str, entry: Record) -> None:
    items = candidates(record, "generated.limitations", leave_out_missing=True).get(system, [])
    refuse_other_texts(entry, "match", mark(references(record, "limitations"), items))


def _matches(paper: str, judge: str, system: str, entry: Record) -> Iterator[Judged]:
    for pair in entry["pairs"]:
        said = {True: "same", False: "not-same", None: None}[pair["match"]]
        yield Judged(judge, f"{paper}/{system}/{pair['reference']}/{pair['candidate']}", {"verdict": said})


def _check_entailments(record: Record, system: str, entry: Record) -> None:
    items = candidates(record, "generated.experiments", leave_out_missing=True).get(system, [])
    refuse_other_texts(entry, "entail", unordered_mark(references(record, "experiments"), items))


def _entailments(paper: str, judge: str, system: str, entry: Record) -> Iterator[Judged]:
    for side in ("candidates", "references"):
        for one in entry[side]:
            yield Judged(judge, f"{paper}/{system}/{side}/{one.get('id')}", {"entailed": one["entailed"]})


def _equations(paper: str, _: str, system: str, entry: Record) -> Iterator[Judged]:
    for option in entry["options"]:
        yield Judged(system, f"{paper}/{option.get('id')}", {"correct": option["answer"]})


def _choices(paper: str, _: str, system: str, entry: Record) -> Iterator[Judged]:
    choice = entry.get("choice")
    yield Judged(system, paper, {"correct": None if choice is None else [choice]})


def _same_issues(paper: str, judge: str, _: str, entry: Record) -> Iterator[Judged]:
    for pair in entry["pairs"]:
        yield Judged(judge, f"{paper}/{pair['reviewer']}/{pair['model']}", {"verdict": pair["verdict"]})


def _specificities(paper: str, judge: str, system: str, entry: Record) -> Iterator[Judged]:
    for pair in entry["pairs"]:
        yield Judged(judge, f"{paper}/{pair['weakness']}/{system}", {"winner": pair["winner"]})


def _critiques(paper: str, _: str, system: str, entry: Record) -> Iterator[Judged]:
    for review in entry["reviews"]:
        for number, segment in enumerate(review["segments"], 1):
            for prompt, answer in segment["answers"].items():
                said = {"deficient": None if answer is None else answer["deficient"]}
                yield Judged(f"{system} {prompt}", f"{paper}/{review['id']}/{number}", said)


def _facet_ratings(paper: str, judge: str, system: str, entry: Record) -> Iterator[Judged]:
    yield Judged(judge, f"{paper}/{system}", entry["ratings"])


def _rates(record: Record) -> Found:
    """Ratings of st-judge rate, with each model and method as a judge; the aspects of an item are collected."""
    said: dict[tuple[str, str], Record] = {}
    texts = texts_by_mark(record)
    for one in (read(record, "judgements") or {}).get("rate") or ():
        try:
            _ = texts and text_of(one, texts)  # ratings without provenance, such as those by people, are not checked
        except InputFault as fault:
            yield fault
            continue
        name = TextName(str(record.get("id")), one["system"], one["item"]).long()
        said.setdefault((f"{one['by']} {one['method']}", name), {})[one["aspect"]] = one["score"]
    for (judge, name), answers in said.items():
        yield Judged(judge, name, answers)


#: Readers of judges in a record, by kind of items.
JUDGES: dict[str, Reader] = {
    "labels": _labels,
    "targets": _targets,
    "limits-pairs": _of_task("match", _check_matches, _matches),
    "entailment": _of_task("entail", _check_entailments, _entailments),
    "equations": _of_task("equation", check_question, _equations),
    "equation-choice": _of_task("equation", check_question, _choices),
    "same-issue": _of_task("same_issue", check_verifications, _same_issues),
    "specificity": _of_task("specificity", check_rewritings, _specificities),
    "segment-labels": _of_task("review", check_segments, _critiques),
    "facet-ratings": _of_task("facets", lambda record, _, entry: refuse_other_facets(record, entry), _facet_ratings),
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
        self._batch, self._kind = batch, find_kind(batch.kind)
        self._left_out: list[str] = []
        self._said: dict[str, dict[str, Judged]] = {}

    def add(self, record: Record) -> None:
        """Add the judges' answers in a record; raters of the batch are skipped.

        Answers about other texts than the record has, or than the batch shows, are left out.

        Raises:
            InputFault: the record lacks required keys, a judge has two answers on an item, or all answers are left out.
        """
        faults, n_added = list[InputFault](), 0
        items: dict[str, Item] | None = None
        for found in JUDGES[self._batch.kind](record):
            if isinstance(found, InputFault):
                faults.append(found)
            elif found.item in self._batch.items and found.judge not in self._batch.raters:
                if items is None:
                    items = {item.id: item for item in self._kind.items(record)}
                fault = self._take(found, items.get(found.item))
                faults, n_added = (faults, n_added + 1) if fault is None else ([*faults, fault], n_added)
        if faults and not n_added:
            raise faults[0]
        self._left_out += [fault.reason for fault in faults]

    def note(self) -> str | None:
        """How many answers were left out of records with others, and the first reason."""
        told = f"{count_of(len(self._left_out), 'answer')} of judges left out"
        return f"{told}: {self._left_out[0]}" if self._left_out else None

    def _take(self, found: Judged, item: Item | None) -> InputFault | None:
        """Add an answer on an item of the record, or return the fault."""
        if item is None or item.texts != _without_votes(self._batch.items[found.item]).texts:
            reason = f'"{found.item}" has another text in the record than in the batch, and {found.judge} judged it'
            return InputFault(reason, kind="stale")
        said = self._said.setdefault(found.judge, {})
        if said.setdefault(found.item, found) != found:
            raise InputFault(f'{found.judge} gives two answers about "{found.item}"', kind="duplicate")
        return None

    def answers(self) -> Iterator[Record]:
        """The answers as answer records, with each judge as a rater; gold entries are excluded."""
        for judge, said in sorted((judge, said) for judge, said in self._said.items() if judge != GOLD):
            for name in (one for one in self._batch.items if one in said):
                item = self._batch.items[name]
                about = {"item": name, "paper": item.paper, "group": item.group, "rater": judge, "copy": 0}
                answers = {one.name: self._answer(one, said[name]) for one in self._batch.questions}
                reasons = {question: "no-verdict" for question, value in answers.items() if value is None}
                control = "gold" if name in self._batch.truth else None
                state = {"state": "done", "control": control, "round": self._batch.about["round"], "seconds": None}
                yield {**about, **state, "answers": answers, "reasons": reasons}

    def _answer(self, question: Question, said: Judged, *, with_refused: bool = True) -> Any:
        """A judge's answer with what verification refused of it; None if it is not valid, for example off the scale."""
        value, refused = said.answers.get(question.name), said.refused.get(question.name, ())
        try:
            checked = None if value is None else question.check(value, self._batch.items[said.item])
        except Fault:
            return None
        if checked is None or not refused or not with_refused:
            return checked
        return [*checked, *({"text": text} for text in refused)]


def _without_votes(item: Item) -> Item:
    """The item as its record has it: the votes that an adjudicator sees are in no record."""
    return dataclasses.replace(item, parts=tuple(part for part in item.parts if part.name != VOTES))


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
                answers = {name: self._answer(question, one) for name, one in said.items()}
                if any(value is not None for value in answers.values()):
                    bare = {name: self._answer(question, one, with_refused=False) for name, one in said.items()}
                    yield self._result(judge, question, answers, bare)

    def _result(self, judge: str, question: Question, answers: dict[str, Any], bare: dict[str, Any]) -> Record:
        """The result of a judge, also without the answers that were refused, if any (``bare``)."""
        truth = {name: self._truth[name][question.name] for name in answers}
        level: Any = level_of(question)
        about: Record = {"stat": "judge", "judge": judge, "label": question.name, "level": level}
        people = [[_rating(vote["answers"][question.name]) for vote in self._votes[name]] for name in answers]
        n_refused = sum(answers[name] != bare[name] for name in answers)
        counts = {
            "n": len(_pairs(truth, answers)), "n_unsettled": sum(one is None for one in truth.values()),
            "n_without_verdict": sum(one is None for one in answers.values()), **nonzero(n_refused=n_refused),
        }  # fmt: skip
        values = _compare(question, truth, answers, people)
        values["alpha_people"] = _value(lambda: alpha(people, level))
        if n_refused:
            values["without_refused"] = _compare(question, truth, bare, people)
        said = [[name, compared(question, answers[name]), compared(question, truth[name])] for name in sorted(answers)]
        signed = {"batch": self._batch.id, "judge": judge, "label": question.name, "majority": self._by_majority}
        made = signature(f"{COMMAND} agree", {**signed, "input": fingerprint([said, people])})
        return {**about, **counts, **values, "signature": made}


def _pairs(truth: Mapping[str, Any], answers: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """The gold answer and the judge's answer on each item that has both."""
    both = ((truth[name], value) for name, value in answers.items())
    return [(one, other) for one, other in both if one is not None and other is not None]


def _compare(
    question: Question, truth: Mapping[str, Any], answers: Mapping[str, Any], people: Sequence[Sequence[Any]]
) -> Record:
    """The share of gold answers with its interval, kappa with the gold answers, and alpha with the judge as a rater."""
    level: Any = level_of(question)
    pairs = _pairs(truth, answers)
    # compared by text: spans of human answers refer to the text as displayed
    equal = sum(compared(question, rating_of(one)) == compared(question, rating_of(other)) for one, other in pairs)
    low, high = wilson_interval(equal, len(pairs), 0.95) if pairs else (None, None)
    beside = [[*unit, _rating(value)] for unit, value in zip(people, answers.values(), strict=True)]
    sides = [[_rating(one), _rating(other)] for one, other in pairs]
    return {
        "equal": equal / len(pairs) if pairs else None,
        "low": low,
        "high": high,
        "kappa": _value(lambda: cohen_kappa([one for one, _ in sides], [other for _, other in sides])),
        "alpha_with_judge": _value(lambda: alpha(beside, level)),
    }


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
    notes = [
        f"{one['judge']}, {one['label']}: {count_of(one['n_refused'], 'answer')} with a text that was refused, counted "
        "as wrong\n"
        for one in found
        if "n_refused" in one
    ]
    return "".join([tabulate(rows, heads, "simple", disable_numparse=True), "\n", *["\n"][: len(notes)], *notes])
