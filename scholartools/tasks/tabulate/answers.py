"""The main value of the rows of a table: its quantity, its interval, and the reason if it is null."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Answer(NamedTuple):
    """The headings of the columns of a main value.

    Attributes:
        value: the main value.
        reason: why it is null; other null values of a row may have other reasons.
        of: columns that define the quantity: rows that differ there are not comparable.
        low, high: bounds of the interval; empty if the table has none.
    """

    value: str
    reason: str
    of: tuple[str, ...] = ()
    low: str = ""
    high: str = ""


#: Main values by table name.
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
