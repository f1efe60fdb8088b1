"""Classifiers that guess the paper's option from counts only, cross-validated by paper.

Features come in four families and ``all``: counts of signs of the option (``surface``), similarity to the other options
(``distances``), token n-grams in the formulas around (``context``), and n-grams of token classes there, such as letter,
operator, letter, bracket (``kinds``). Each family is used by a logistic regression and by boosted trees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scholartools.paths import name_sort_key
from scholartools.tasks.equations.questions.shortcuts import Habits, Tokens, kinds_of, option_tokens, runs_of

Record = dict[str, Any]
Counts = dict[str, float]

FAMILIES = ("surface", "distances", "context", "kinds", "all")
METHODS = ("logistic", "trees")
_FOLDS = 10  # number of folds of papers; with fewer papers each is a fold
_SIGNS = {"brackets": "()[]|", "scripts": "_^", "signs": "+-=<>", "plus": "+", "minus": "-", "below": "_", "above": "^"}
_EQUAL = 1e-9


@dataclass(frozen=True)
class Guessing:
    """The accuracy of a classifier with a family of features.

    Attributes:
        hits: for each question the probability of a right guess, 0 to 1.
    """

    family: str
    method: str
    hits: tuple[float, ...]


def guess(questions: Sequence[Record], contexts: Sequence[Sequence[Tokens]]) -> Iterator[Guessing]:
    """Yield the accuracy of each classifier with each family of features.

    Args:
        contexts: the tokens of the formulas around each question.

    Returns:
        nothing if questions have different numbers of options, or all are about one paper.
    """
    import numpy as np

    sizes = {len(question["options"]) for question in questions}
    papers = sorted({question["paper"] for question in questions}, key=name_sort_key)
    if len(sizes) != 1 or len(papers) < 2:
        return
    truth = np.array([[bool(option["correct"]) for option in question["options"]] for question in questions])
    fold = np.array([papers.index(question["paper"]) % _FOLDS for question in questions])
    counts: dict[str, list[list[Counts]]] = {family: [] for family in FAMILIES[:-1]}
    for question, context in zip(questions, contexts):
        options = [option["latex"] for option in question["options"]]
        tokens = [option_tokens(option) for option in options]
        counts["surface"].append([count_signs(one, its) for one, its in zip(options, tokens)])
        counts["distances"].append(count_likeness(options, tokens))
        counts["context"].append(_count_around(tokens, context))
        counts["kinds"].append(_count_around(list(map(kinds_of, tokens)), list(map(kinds_of, context))))
    arrays = {
        family: np.array([[list(option.values()) for option in rows] for rows in table], dtype=float)
        for family, table in counts.items()
    }
    arrays["all"] = np.concatenate(list(arrays.values()), axis=2)
    for family in FAMILIES:
        compared = _compare_options(arrays[family])
        for method in METHODS:
            yield Guessing(family, method, tuple(_score_folds(method, compared, truth, fold)))


def count_signs(latex: str, tokens: Tokens) -> Counts:
    """Counts of a formula's signs: length, letters, digits, brackets, repetitions."""
    counts = Counter(tokens)
    pairs = [run for run in runs_of(tokens, 2)]
    letters = [token for token in tokens if token[-1:].isalpha()]
    return {
        "characters": len(latex),
        "tokens": len(tokens),
        "letters": len(letters),
        "distinct letters": len(set(letters)),
        "distinct": len(counts),
        "most": max(counts.values(), default=0),
        "neighbours": sum(one == other for one, other in zip(tokens, tokens[1:])),
        "pairs": len(pairs) - len(set(pairs)),
        "digits": sum(token.isdigit() for token in tokens),
        "twos": counts["2"],
        "commands": sum(token.startswith("\\") for token in tokens),
        "fractions": counts["\\frac"],
        "roots": counts["\\sqrt"],
        "braces": latex.count("{"),
        "spaces": latex.count(" "),
        **{name: sum(counts[sign] for sign in signs) for name, signs in _SIGNS.items()},
    }


def count_likeness(options: Sequence[str], tokens: Sequence[Tokens]) -> list[Counts]:
    """For each option, its distances to the others, and the shares of common n-grams."""
    from rapidfuzz.distance import Levenshtein

    runs = [Counter(run for size in (1, 2, 3) for run in set(runs_of(one, size))) for one in tokens]
    shared = sum(runs, Counter())
    found = []
    for place, own in enumerate(runs):
        others = [other for other in range(len(options)) if other != place]
        steps = [Levenshtein.distance(tokens[place], tokens[other]) for other in others]
        signs = [Levenshtein.distance(options[place], options[other]) for other in others]
        alike = [len(own & runs[other]) / max(1, len(own | runs[other])) for other in others]
        holders = [shared[run] for run in own]
        found.append(
            {"edits": sum(steps), "least": min(steps), "most": max(steps), "signs": sum(signs), "fewest": min(signs)}
            | {"alike": sum(alike), "held": sum(holders) / max(1, len(holders)), "own": holders.count(1)}
        )
    return found


def _count_around(options: Sequence[Tokens], formulas: Sequence[Tokens]) -> list[Counts]:
    around = Habits(formulas)
    return [count_runs(option, around) for option in options]


def count_runs(tokens: Tokens, context: Habits) -> Counts:
    """Frequencies of a formula's n-grams of one to four tokens in the formulas around."""
    import math

    found: Counts = {}
    for size, counts in enumerate(context.counts, 1):
        logs = [math.log1p(counts[run]) for run in runs_of(tokens, size)] or [0.0]
        found |= {f"mean {size}": sum(logs) / len(logs), f"least {size}": min(logs)}
        found |= {f"share {size}": sum(log > 0 for log in logs) / len(logs), f"missing {size}": logs.count(0.0)}
    return found


def _compare_options(values: Any) -> Any:
    """Standardised values and centred ranks of each option among the options of its question."""
    import numpy as np

    spread = values.std(axis=1, keepdims=True)
    distance = np.where(spread > _EQUAL, (values - values.mean(axis=1, keepdims=True)) / (spread + _EQUAL), 0.0)
    greater = (values[:, :, None, :] < values[:, None, :, :] - _EQUAL).sum(axis=2)
    equal = (abs(values[:, :, None, :] - values[:, None, :, :]) <= _EQUAL).sum(axis=2)
    rank = greater + (equal - 1) / 2 - (values.shape[1] - 1) / 2
    return np.concatenate([distance, rank, abs(rank)], axis=2)


def _score_folds(method: str, values: Any, truth: Any, fold: Any) -> list[float]:
    """The probability that the most likely option is right, by question, cross-validated by fold."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    hits = np.zeros(len(truth))
    for one in sorted(set(fold)):
        known, asked = fold != one, fold == one
        model = _make_classifier(method)
        # Threads busy-wait for each other: on a busy machine, trees for 60 questions take 16 s instead of 1 s.
        with threadpool_limits(1):
            model.fit(values[known].reshape(-1, values.shape[2]), truth[known].ravel())
            found = model.predict_proba(values[asked].reshape(-1, values.shape[2]))
        chances = found[:, 1].reshape(-1, truth.shape[1])
        best = chances >= chances.max(axis=1, keepdims=True) - _EQUAL
        hits[asked] = (best & truth[asked]).sum(axis=1) / best.sum(axis=1)
    return [float(hit) for hit in hits]


def _make_classifier(method: str) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if method == "logistic":
        return make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=500))
    return HistGradientBoostingClassifier(
        max_iter=60, max_leaf_nodes=8, learning_rate=0.08, l2_regularization=1.0, min_samples_leaf=15, random_state=0
    )
