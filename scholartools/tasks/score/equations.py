"""Answers about equations against the truth: yes or no per option, or a choice (AAAR-1.0, sections 4 and 5.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.items import decisions
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.values import Value
from scholartools.records import Record, nonzero
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    LeftOut,
    Metric,
    Options,
    all_undefined,
    each_system,
    entry,
    prf_values,
    values_in,
    with_prefix,
)
from scholartools.tasks.shared.items import holds
from scholartools.tasks.shared.judgements import need_judgements, refuse_other_texts, sound
from scholartools.tasks.shared.questions import THROUGHOUT, read_question

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Choice, OrderedChoice

_COUNTS = ("tp", "fp", "fn", "tn", "unparsed", "yes")
_PRF = ("precision", "recall", "f1")
_SHARES = ("accuracy", "all_right")
# Prefix of the values that count the choices by letter.
PLACE = "choice.at_"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def equation_scores(record: Record, _: Options | None = None) -> Iterator[Record | LeftOut]:
    """Counts and scores of each system's answers in this record; "correct" is the positive class.

    The published scores are computed from counts pooled over the whole input, in the summary's ``corpus``. A system
    whose judgements refer to another question is left out.

    Raises:
        InputFault: there are no judgements.
    """
    judgements = need_judgements(record, "equation")

    def make(system: str) -> Iterator[Record]:
        judged = sound(judgements[system])
        _check_judgements(record, system, judged)
        inputs = [judged["options"], judged.get("orders"), _option_facts(record)]
        values = _choice_values(judged) if judged.get("format") == "choice" else _binary_values(record, judged)
        failed = sum(bool(one.get("failed")) for one in judged.get("orders") or judged["options"])
        yield entry("equations", system, values, inputs, {}, **nonzero(n_failed=failed))

    return each_system(judgements, make)


def check_question(record: Record, system: str, judged: Record) -> None:
    """Check that the judgements refer to the record's question, if it has one.

    Raises:
        InputFault: the question differs.
    """
    if "options" in record and judged.get("texts") is not None:
        refuse_other_texts(judged, "equation", read_question(record).mark())


def _check_judgements(record: Record, system: str, judged: Record) -> None:
    """Check that the judgements refer to the record's question, if it has one, and cover each of its options once.

    Raises:
        InputFault: the question differs, or options are missing or repeated.
    """
    check_question(record, system, judged)
    made = record.get("options")
    if judged.get("format") != "choice" and isinstance(made, list):
        asked = [one.get("id") for one in made if isinstance(one, dict)]
        given = [one.get("id") for one in judged["options"]]
        if len(given) != len(made) or (None not in given and sorted(given) != sorted(map(str, asked))):
            reason = f'"judgements.equation" of "{system}" must answer each option of the question once'
            raise InputFault(reason, kind="invalid-key")


def _option_facts(record: Record) -> list[list[object]]:
    """The ids, edits and alignment of the record's options."""
    return [[one.get("id"), one.get("edits"), one.get("aligned")] for one in record.get("options") or ()]


def _binary_values(record: Record, judged: Record) -> dict[str, Value]:
    options = judged["options"]
    correct = [option["correct"] for option in options]
    baseline = _baselines(correct)
    if lost := sum(bool(option.get("failed")) for option in options):
        reason = f"{lost} of {len(options)} answers are missing: no reply came"
        return {**all_undefined([*_PRF, *_SHARES, *_COUNTS], reason), **baseline, **_verdict_shares(record, options)}
    found = decisions.equation_inference(correct, [option["answer"] for option in options])
    counts = {name: getattr(found, name) for name in ("tp", "fp", "fn", "tn")}
    counts |= {"unparsed": found.n_unparsed, "yes": sum(option["answer"] is True for option in options)}
    values = prf_values(found.scores) | {"accuracy": found.accuracy, "all_right": found.all_right}
    values |= {name: Value(float(count)) for name, count in counts.items()}
    return {**values, **baseline, **_verdict_shares(record, options)}


def _baselines(correct: Sequence[bool]) -> dict[str, Value]:
    """Scores of baselines that answer yes to all options, no to all, or at random."""
    yes = decisions.all_positive(correct)
    return {
        **with_prefix("all_positive", prf_values(yes.scores)),
        "all_positive.accuracy": yes.accuracy,
        "all_negative.accuracy": decisions.equation_inference(correct, [False] * len(correct)).accuracy,
        "by_lot.all_right": decisions.all_right_by_lot(correct),
    }


def _verdict_shares(record: Record, options: Sequence[Choice]) -> dict[str, Value]:
    """Share of wrong options rejected (``caught``), and of correct rewritings accepted, by the kind of edit.

    ``caught.OP`` covers options with this edit only, ``caught.two-slips`` those with several (an edit throughout the
    equation counts once), ``caught.aligned`` and ``caught.unaligned`` those that do or do not follow the context's
    notation; ``accepted.OP`` covers correct options that rewrite the paper's equation. An unparsed answer counts as
    wrong.
    """
    made = {one.get("id"): one for one in record.get("options") or ()}
    right_answers: dict[str, list[bool]] = defaultdict(list)
    for option in options:
        if not option.get("failed"):
            for name in _option_kinds(made.get(option.get("id")) or {}, option["correct"]):
                right_answers[name].append(option["answer"] == option["correct"])
    return {name: Value(sum(given) / len(given)) for name, given in sorted(right_answers.items())}


def _option_kinds(made: Record, correct: bool) -> list[str]:
    """The names of the values to which an option contributes."""
    ops = sorted({edit["op"] for edit in made.get("edits") or ()})
    if correct:
        return [f"accepted.{ops[0]}"] if len(ops) == 1 else []
    is_one = len(ops) == 1 and (len(made["edits"]) == 1 or ops[0] in THROUGHOUT)
    kinds = [f"caught.{ops[0]}" if is_one else "caught.two-slips"] if ops else []
    if made.get("aligned") is not None:
        kinds.append("caught.aligned" if made["aligned"] else "caught.unaligned")
    return kinds


def _choice_values(judged: Record) -> dict[str, Value]:
    """Accuracy of the choice, its accuracy and consistency over the orders of options, and choices by letter."""
    options, orders = judged["options"], judged.get("orders") or []
    correct = {option.get("id") for option in options if option["correct"]}
    failed = next((one["reason"] for one in orders if one.get("failed")), None)
    chance = {"choice.chance": Value(len(correct) / len(options)) if options else Value(None, "no options")}
    if failed:
        reason = f"no reply came to a call: {failed}"
        names = ["choice.order_accuracy", "choice.consistent", "choice.unparsed", "choice.orders"]
        decided = judged.get("choice") is not None  # the missing replies cannot change the choice
        accuracy = Value(float(judged["choice"] in correct)) if decided else Value(None, reason)
        return {"choice.accuracy": accuracy, **all_undefined(names, reason), **chance}
    chosen = [one["choice"] for one in orders]
    hits = sum(choice in correct for choice in chosen)
    return {
        "choice.accuracy": Value(float(judged.get("choice") in correct)),
        "choice.order_accuracy": Value(hits / len(orders))
        if orders
        else Value(None, "the options were shown in no order"),
        "choice.consistent": _choice_agreement(chosen),
        "choice.unparsed": Value(float(chosen.count(None))),
        "choice.orders": Value(float(len(orders))),
        **chance,
        **_letter_shares(orders, len(options)),
    }


def _choice_agreement(chosen: Sequence[str | None]) -> Value:
    """1 if the same option was chosen in all orders, else 0."""
    if len(chosen) < 2:
        return Value(None, "the options were shown in one order only")
    return Value(float(None not in chosen and len(set(chosen)) == 1))


def _letter_shares(orders: Sequence[OrderedChoice], n_options: int) -> dict[str, Value]:
    """Number of choices per letter; empty unless the question was asked in as many orders as it has options."""
    places = [one["order"].index(one["choice"]) for one in orders if one["choice"] is not None]
    if len(orders) != n_options:
        return {}
    return {f"{PLACE}{letter}": Value(float(places.count(n))) for n, letter in enumerate(_LETTERS[:n_options])}


METRICS = {
    "equations": Metric(
        "judgements.equation",
        "counts, P/R/F1 and accuracy of answers, recall by kind of slip, accuracy of choices; pooled over the whole "
        "input, beside All-Positive and guessers, with {summary}",
        values_in(SHARE, *_PRF, *_SHARES, "all_positive.*", "all_negative.accuracy", "by_lot.all_right", "caught.*")
        | values_in(SHARE, "accepted.*", *(f"choice.{name}" for name in ("accuracy", "order_accuracy", "consistent")))
        | values_in(SHARE, "choice.chance")
        | values_in(NOT_NEGATIVE, *_COUNTS, "choice.unparsed", "choice.orders", f"{PLACE}*"),
        lambda record: holds(record, "judgements.equation"),
        equation_scores,
    ),
}
