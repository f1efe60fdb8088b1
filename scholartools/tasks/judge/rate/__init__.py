"""Texts rated aspect by aspect: by published evaluation functions, by baselines without a model, or by a user's own.

- ``contract``: what a method is, what it is given and what it returns. ``registry``: all methods; ``own_methods``:
  a user's own.
- ``criteria``: the criteria file. ``inputs``: the texts of a record and what is shown beside them.
- ``asking``, ``numbers``: how a method asks, and the score in a reply. ``entries``: judgements of a record.
- ``form_filling`` (direct, geval, analyze-rate, rate-explain), ``token_scores``: geval by token probabilities,
  ``in_context`` (icl), ``sub_aspects`` (coascore), ``batches`` (batcheval), ``pools``, ``mates``: its batches.
- ``builtin``: the baselines. ``prompted``: a record's ratings by a model. ``fitting``, ``calibration``:
  criteria made from labels.

What a method of one's own, or a program, needs is offered here.
"""

from __future__ import annotations

from scholartools.tasks.judge.rate.asking import ask_values, item_inputs, rate_by_prompt
from scholartools.tasks.judge.rate.contract import (
    Aspect,
    How,
    Item,
    Method,
    PlainText,
    Prompt,
    Rating,
    Sampling,
)
from scholartools.tasks.judge.rate.criteria import pick_aspects, read_criteria
from scholartools.tasks.judge.rate.inputs import Where
from scholartools.tasks.judge.rate.prompted import Rater
from scholartools.tasks.judge.rate.registry import METHODS, pick_methods

__all__ = [
    "METHODS", "Aspect", "How", "Item", "Method", "PlainText", "Prompt", "Rater", "Rating", "Sampling", "Where",
    "ask_values", "pick_aspects", "pick_methods", "rate_by_prompt", "read_criteria", "item_inputs",
]  # fmt: skip
