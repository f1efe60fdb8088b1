"""The number or the verdict that the rows of a table are about: what it is of, its interval, the reason of its null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Answer(NamedTuple):
    """Columns of a table by their headings.

    Attributes:
        value: the answer.
        reason: why it is null; other nulls of a row have other reasons.
        of: what says which quantity it is: rows that differ there are not compared.
        low, high: the interval of the value; "": the table has none.
    """

    value: str
    reason: str
    of: tuple[str, ...] = ()
    low: str = ""
    high: str = ""


#: By the name of the table.
ANSWERS: Mapping[str, Answer] = {
    "matches": Answer("match", "reason"),
    "votes": Answer("match", "reason"),
    "ratings": Answer("rating", "reason", ("id", "facet", "in")),
    "overall": Answer("rating", "reason", ("id", "in")),
    "entailed": Answer("entailed", "reason"),
    "inferences": Answer("answer", "reason"),
    "choices": Answer("choice", "reason"),
    "same-issue": Answer("verdict", "reason"),
    "same-issue-votes": Answer("verdict", "reason"),
    "specificity": Answer("winner", "reason"),
    "specificity-votes": Answer("winner", "reason"),
    "rates": Answer("score", "reason", ("id", "item", "method", "aspect")),
    "scores": Answer("score", "reason", ("id", "metric", "item", "value")),
    "summary": Answer("mean", "reasons", ("metric", "by", "value"), "low", "high"),
    "comparisons": Answer("difference", "reasons", ("metric", "by", "value"), "low", "high"),
    "runs": Answer("mean", "reasons", ("metric", "by", "value")),
    "agree": Answer("value", "reason", ("stat", "measure", "level", "weights", "of", "label"), "low", "high"),
}
