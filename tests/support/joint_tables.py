"""An oracle for statements about probabilities: an independent reader that evaluates them on random joint tables.

Each letter is a variable (an axis) with two or three values; an event means that its letter has the first value. Some
tables have independent variables. Two statements are equivalent if they hold, for all values of all variables, in the
same tables.
"""

import itertools
import re

import numpy as np

TOKEN = re.compile(r"\\[A-Za-z]+|[A-Za-z]|\d+|\S")
AXES = "xyzwABC"
_SIZES = [2, 3, 2, 3, 2, 2, 2]


def draw_table(source, general):
    """Random joint distribution over all axes, of a Bayesian network in which edges are dropped unless ``general``."""
    order = source.permutation(len(AXES))
    found = np.ones(_SIZES)
    for place, axis in enumerate(order):
        parents = [one for one in order[:place] if general or source.random() < 0.4]
        shape = [size if one in (*parents, axis) else 1 for one, size in enumerate(_SIZES)]
        weights = source.uniform(0.2, 2, shape)
        found = found * (weights / weights.sum(axis=axis, keepdims=True))
    return found


class Reader:
    """Recursive-descent reader of one side of a statement, whose value is an array over all axes."""

    def __init__(self, latex, tables, free):
        self.tokens, self.tables, self.free = TOKEN.findall(latex), tables, free

    def take(self, *expected):
        if self.tokens and (not expected or self.tokens[0] in expected):
            return self.tokens.pop(0)
        assert not expected or len(expected) > 1, (expected, self.tokens)
        return None

    def sum(self):
        found = -self.product() if self.tokens[:1] == ["-"] and self.tokens.pop(0) else self.product()
        while self.tokens[:1] in (["+"], ["-"]):
            found = found + (self.product() if self.tokens.pop(0) == "+" else -self.product())
        return found

    def product(self):
        found = 1.0
        while self.tokens and self.tokens[0] not in ("+", "-", ")", "}", "=", ">", "d"):
            found = found * self.factor()
        return found

    def factor(self):
        token = self.take()
        if token == "\\cdot":
            return 1.0
        if token.isdigit():
            return float(token)
        if token == "\\frac":
            return self.braces() / self.braces()
        if token == "\\log":
            return np.log(self.factor())
        if token == "(":
            found = self.sum()
            self.take(")")
            return found
        if token == "\\sum":
            self.take("_")
            return self.add_up(self.take(), self.product())
        if token == "\\int":
            body = self.product()
            self.take("d")
            return self.add_up(self.take(), body)
        if token in self.tables:
            return self.probability(self.tables[token])
        if token == "f":
            return self.free[self.take("(") + self.take() + self.take(")")]
        return self.free[token]

    def braces(self):
        self.take("{")
        found = self.sum()
        self.take("}")
        return found

    def add_up(self, name, body):
        """Sum over a variable; a body that does not depend on the variable is multiplied by its number of values."""
        axis = AXES.index(name)
        return np.broadcast_to(body, _SIZES).sum(axis=axis, keepdims=True)

    def probability(self, table):
        self.take("(")
        before, after = [], []
        held = before
        while (token := self.take()) != ")":
            if token == "\\mid":
                held = after
            elif token in ("\\cup", "\\cap"):
                held[-1] = (token, held[-1], self.event(self.take()))
            elif token != ",":
                held.append(self.event(token))
        return self.total(table, before + after) / self.total(table, after)

    def event(self, token):
        if self.tokens[:2] == ["^", "c"]:
            del self.tokens[:2]
            return ("c", token)
        return token

    def total(self, table, events):
        """Probability that all events occur, as an array over the variables among them."""
        masks = [self.mask(one) for one in events]
        kept = {AXES.index(one) for one in events if isinstance(one, str) and one.islower()}
        for mask in masks:
            table = table * mask
        return table.sum(axis=tuple(set(range(len(AXES))) - kept), keepdims=True)

    def mask(self, event):
        if isinstance(event, tuple):
            inner = [self.mask(one) for one in event[1:]]
            return (
                1 - inner[0] if event[0] == "c" else np.minimum(*inner) if event[0] == "\\cap" else np.maximum(*inner)
            )
        if event.islower():
            return np.ones([1] * len(AXES))
        axis = AXES.index(event)
        return np.array([1.0, 0.0]).reshape([2 if place == axis else 1 for place in range(len(AXES))])


def find_truth(latex, tables, free):
    """Whether a statement holds in the tables for all values of its variables."""
    relation = "=" if "=" in latex else ">"
    left, right = (Reader(side, tables, free).sum() for side in latex.split(relation))
    return (
        bool(np.allclose(left, right, rtol=1e-9, atol=1e-12)) if relation == "=" else bool(np.all(left > right + 1e-12))
    )


def judge(first, second, n_tables=60, seed=0):
    """``same`` if two statements hold in the same random tables, else ``different``.

    A free name that a statement defines takes, in turn, the value at which each statement holds.
    """
    source = np.random.default_rng(seed)
    for number in range(n_tables):
        tables = {name: draw_table(source, number % 4 == 0) for name in "pqP"}
        free = {name: source.uniform(0.3, 1.9) for name in ("u", "a", "(x)")}
        sides = [one.split("=") for one in (first, second)]
        named = {one[0].strip() for one in sides} & {"u", "f(x)"}
        values = [free]
        if named:
            name = named.pop().removeprefix("f")
            given = [one[1] if one[0].strip().removeprefix("f") == name else one[0] for one in sides]
            values = [
                {**free, name: solve(latex, name, one, tables, free)} for latex, one in zip((first, second), given)
            ]
        if any(find_truth(first, tables, one) != find_truth(second, tables, one) for one in values):
            return "different"
    return "same"


def solve(latex, name, other, tables, free):
    """Value of the name at which a statement holds: the other side, or 1 minus it if the right side is ``1 - name``."""
    if latex.split("=")[0].strip().removeprefix("f") == name:
        return Reader(other, tables, free).sum()
    assert latex.split("=")[1].strip() == f"1 - {name}", latex
    return 1 - Reader(other, tables, free).sum()


def read_pairs(text):
    """Rows of a file of pairs: their first three fields."""
    rows = (line.split(" ;; ") for line in text.splitlines() if line and not line.startswith("#"))
    return [tuple(itertools.islice(row, 3)) for row in rows]
