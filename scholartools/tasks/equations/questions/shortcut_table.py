"""Accuracy of shortcuts on a set of questions: each shortcut alone, and a regression of several.

Ties get partial credit. ``model`` is trained on the equations of the other papers; ``learned`` is a conditional
logistic regression of shortcuts, cross-validated by paper. Intervals are percentiles over bootstrap samples of papers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.paths import name_sort_key
from scholartools.tasks.equations.questions.attacks import guess
from scholartools.tasks.equations.questions.shortcuts import (
    Habits,
    Tokens,
    formulas_of,
    option_tokens,
    values_of,
)
from scholartools.tasks.equations.questions.squares import draw
from scholartools.tasks.shared.blanks import tell_written_alike
from scholartools.tasks.shared.one_paper import Papers
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.records import Entry
    from scholartools.schemas.shapes import Choice

Record = dict[str, Any]

WARN = 0.35  # accuracy above which a shortcut is reported
ENOUGH = 20  # minimum number of questions for a warning
_FOLDS = 10
_LEAST_PAPERS = 5  # minimum number of papers for an interval
_SAMPLES = 1000
_STEPS = 400
_LEARNED = ("longest", "medoid", "model", "n-grams", "frequency")


class Table:
    """Collects questions and reports their statistics and the accuracies of shortcuts.

    Args:
        learns: whether to train classifiers as well, which takes minutes for hundreds of questions.
    """

    def __init__(self, *, learns: bool = False) -> None:
        self.questions: list[Record] = []
        self.learns = learns
        self._papers = Papers()
        self._reached: dict[str, list[float]] | None = None

    def add(self, record: Record) -> None:
        """Add a question.

        Raises:
            InputFault: the record is not a question, or its paper id belongs to another paper.
        """
        if not isinstance(record.get("options"), list) or not isinstance(record.get("context"), dict):
            raise InputFault('no "options": run st-eqsynth questions first', kind="missing-key")
        if fault := _find_fault(record):
            raise InputFault(fault, kind="invalid-key")
        self._papers.check_question(record)
        self.questions.append({key: record.get(key) for key in ("id", "paper", "options", "context")})

    def lines(self) -> Iterator[str]:
        """The table as lines of text."""
        papers = {question["paper"] for question in self.questions}
        yield f"{count_of(len(self.questions), 'question')} of {count_of(len(papers), 'paper')}"
        yield from self._counts()
        yield f"\n{'shortcut':22}{'accuracy':>9}  95% interval"
        for name, hits in self.reached().items():
            yield f"{name:22}{100 * sum(hits) / len(hits):8.1f}%{_interval(hits, self.questions)}"
        yield f"{'chance':22}{100 * chance(self.questions):8.1f}%"

    def warnings(self) -> Iterator[str]:
        """Paper names that differ only in spelling, and shortcuts whose accuracy exceeds ``WARN``."""
        yield from tell_written_alike((question["paper"] for question in self.questions), "names of papers")
        if len(self.questions) < ENOUGH:
            return
        for name, hits in self.reached().items():
            if (value := sum(hits) / len(hits)) > WARN:
                yield f"the shortcut {name} alone solves {100 * value:.0f}% of {len(self.questions)} questions"

    def reached(self) -> dict[str, list[float]]:
        """The probability of a right guess on each question, by shortcut, and by classifier if requested."""
        if self._reached is None:
            self._reached = find_hits(self.questions)
            if self.learns and self.questions:
                contexts = [_read_context(question) for question in self.questions]
                for tried in guess(self.questions, contexts):
                    self._reached[f"{tried.family}, {tried.method}"] = list(tried.hits)
        return self._reached

    def _counts(self) -> Iterator[str]:
        options = [option for question in self.questions for option in question["options"]]
        slips = Counter(edit["op"] for option in options for edit in option.get("edits") or ())
        verdicts = Counter(option["certificate"]["verdict"] for option in options if option.get("certificate"))
        engines = Counter(
            str((option["certificate"].get("compile") or {}).get("engine"))
            for option in options
            if option.get("certificate")
        )
        for title, counts in (("slips", slips), ("verdicts", verdicts), ("compiled by", engines)):
            yield f"{title}: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def _find_fault(record: Entry) -> str | None:
    """Why the options of a question are invalid; None if they are valid."""
    if not isinstance(record.get("paper"), (str, int)):
        return 'no "paper" that is a text or a number'
    if not all(isinstance(record["context"].get(key), str) for key in ("before", "after")):
        return 'no "before" and "after" in "context" that are texts'
    options = record["options"]
    if not options or not all(isinstance(one, dict) for one in options):
        return '"options" is empty or has an entry that is no object'
    return next((fault for fault in map(_find_option_fault, options) if fault), None)


def _find_option_fault(option: Record) -> str | None:
    name = f'option "{option.get("id")}"'
    if not isinstance(option.get("latex"), str):
        return f'{name} has no "latex" that is a text'
    if not isinstance(option.get("correct"), bool):
        return f'{name} has no "correct" that is true or false'
    edits, certificate = option.get("edits") or [], option.get("certificate") or {}
    if not isinstance(edits, list) or not all(
        isinstance(one, dict) and isinstance(one.get("op"), str) for one in edits
    ):
        return f'"edits" of {name} are no edits with "op"'
    if not isinstance(certificate, dict) or (certificate and not isinstance(certificate.get("verdict"), str)):
        return f'"certificate" of {name} has no "verdict" that is a text'
    if not isinstance(certificate.get("compile") or {}, dict):
        return f'"compile" of {name} is no object'
    return None


def chance(questions: Sequence[Record]) -> float:
    """The mean share of right options: the accuracy of random guesses."""
    shares = [_share_right(question["options"]) for question in questions]
    return sum(shares) / len(shares) if shares else 0.0


def _share_right(options: Sequence[Record]) -> float:
    return sum(bool(option["correct"]) for option in options) / len(options)


def accuracies(questions: Sequence[Record]) -> dict[str, float]:
    """The accuracy of each shortcut."""
    return {name: sum(hits) / len(hits) for name, hits in find_hits(questions).items()}


def find_hits(questions: Sequence[Record]) -> dict[str, list[float]]:
    """The probability of a right guess on each question, by shortcut and for the regression."""
    if not questions:
        return {}
    values = list(_values(questions))
    found = {
        name: [_hit(one[name], question["options"]) for one, question in zip(values, questions)] for name in values[0]
    }
    learned = _learn_table(questions, values)
    return {**found, "learned": learned} if learned else found


def _interval(hits: Sequence[float], questions: Sequence[Record]) -> str:
    """The 95% bootstrap interval of an accuracy over papers; empty for fewer than five papers."""
    import numpy as np

    papers = sorted({question["paper"] for question in questions}, key=name_sort_key)
    if len(papers) < _LEAST_PAPERS:
        return ""
    places = {paper: [at for at, one in enumerate(questions) if one["paper"] == paper] for paper in papers}
    sums = np.array([sum(hits[at] for at in places[paper]) for paper in papers])
    sizes = np.array([len(places[paper]) for paper in papers])
    drawn = np.random.default_rng(0).integers(0, len(papers), (_SAMPLES, len(papers)))
    low, high = np.percentile(100 * sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [2.5, 97.5])
    return f"  {low:.1f} to {high:.1f}%"


def _read_context(question: Record) -> list[Tokens]:
    """The tokens of the formulas in the context of a question."""
    context = question["context"]
    return [option_tokens(formula) for formula in formulas_of(f"{context['before']} {context['after']}")]


def _hit(values: Sequence[float], options: Sequence[Choice]) -> float:
    """The probability that a random option among those with the largest value is right."""
    greatest = [place for place, value in enumerate(values) if value == max(values)]
    return sum(bool(options[place]["correct"]) for place in greatest) / len(greatest)


def _values(questions: Sequence[Record]) -> Iterator[dict[str, list[float]]]:
    """Yield the values of all shortcuts for the options; for ``model``, equations of the same paper are excluded."""
    truths: dict[str, list[tuple[str, ...]]] = {}
    for question in questions:
        right = [option_tokens(option["latex"]) for option in question["options"] if option["correct"]]
        truths.setdefault(question["paper"], []).extend(right)
    known = Habits(formula for formulas in truths.values() for formula in formulas)
    for question in questions:
        own = truths[question["paper"]]
        for formula in own:
            known.add(formula, -1)
        yield values_of([option["latex"] for option in question["options"]], Habits(_read_context(question)), known)
        for formula in own:
            known.add(formula)


def _learn_table(questions: Sequence[Record], values: Sequence[dict[str, list[float]]]) -> list[float]:
    """The probability of a right guess of a regression that is trained on other papers, by question.

    Empty if there is only one paper, or if questions have different numbers of options.
    """
    import numpy as np

    sizes = {len(question["options"]) for question in questions}
    papers = sorted({question["paper"] for question in questions}, key=name_sort_key)
    if len(sizes) != 1 or len(papers) < 2:
        return []
    traits = np.array([[one[name] for name in _LEARNED] for one in values]).transpose(0, 2, 1)
    traits = traits - traits.mean(axis=1, keepdims=True)
    traits = np.concatenate([traits / (traits.std(axis=1, keepdims=True) + 1e-9), np.abs(traits)], axis=2)
    traits /= traits.std(axis=(0, 1), keepdims=True) + 1e-9
    truth = np.array([[float(option["correct"]) for option in question["options"]] for question in questions])
    folds = {
        paper: place if len(papers) <= _FOLDS else int(draw("fold", paper) * _FOLDS)
        for place, paper in enumerate(papers)
    }
    fold = np.array([folds[question["paper"]] for question in questions])
    hits = [0.0] * len(questions)
    for one in sorted(set(fold)):
        weights = _fit(traits[fold != one], truth[fold != one])
        for place in map(int, np.flatnonzero(fold == one)):
            hits[place] = _hit(list(traits[place] @ weights), questions[place]["options"])
    return hits


def _fit(traits: Any, truth: Any) -> Any:
    """The weights of a conditional logistic regression with a quadratic penalty, by gradient descent."""
    import numpy as np

    weights = np.zeros(traits.shape[2])
    target = truth / truth.sum(axis=1, keepdims=True)
    for _ in range(_STEPS):
        scores = traits @ weights
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        gradient = ((chances - target)[:, :, None] * traits).sum(axis=(0, 1)) / len(traits) + 0.01 * weights
        weights -= 0.5 * gradient
    return weights
