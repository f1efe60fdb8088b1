"""A mock model that proposes wrong versions of equations: rule-based changes that are certified to differ."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache

from scholartools.tasks.equations import certify, parse
from scholartools.tasks.equations.questions.edits import apply
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, Slips
from scholartools.tasks.equations.trees.typesetting import typeset

_EQUATION = re.compile(r"in LaTeX:\n(text-[0-9a-f]+)\n(.*?)\n\1$", re.S | re.M)
_asked: Counter[str] = Counter()


def is_asked(messages: list[dict]) -> bool:
    """Whether a prompt asks for a wrong version of an equation, or for another one after a rejection."""
    return any('"change": "..."' in str(message["content"]) for message in messages)


def answer(messages: list[dict]) -> str:
    """A new version, alternately changed near the end and near the beginning of the equation."""
    latex = next(found for message in messages if (found := _EQUATION.search(str(message["content"]))))[2]
    _asked[latex] += 1
    versions = _versions(latex)
    turn = _asked[latex] - 1
    place = turn // 2 if turn % 2 else -1 - turn // 2
    return json.dumps({"latex": versions[place % len(versions)], "change": "One place says something else."})


@lru_cache(maxsize=100)
def _versions(latex: str) -> list[str]:
    """Wrong versions of an equation, ordered by position, without changes of the side that is defined."""
    statements = parse(latex).statements
    defined = statements[0].parts[0].end
    slips = [slip for slip in Slips(latex, statements).find(DEFAULT_OPS) if slip.start > defined]
    made = [typeset(apply(latex, [slip])) for slip in slips]
    return [one for one in dict.fromkeys(made) if certify(latex, one)["verdict"] == "different"]
