"""Rate texts by aspect: with published evaluation functions, baselines without a model, or custom methods.

- ``contract``: the interface of methods. ``registry``: all methods; ``own_methods``: custom ones.
- ``criteria``: the criteria file. ``inputs``: the texts of a record and their sources.
- ``asking``, ``numbers``: requests of methods, and scores in replies. ``entries``: judgements of a record;
  ``rated_texts``: the texts they refer to.
- ``form_filling`` (direct, geval, analyze-rate, rate-explain), ``token_scores``: geval with token probabilities,
  ``in_context`` (icl), ``sub_aspects`` (coascore), ``batches`` (batcheval), ``pools``, ``mates``: its batches.
- ``builtin``: the baselines. ``prompted``: ratings of a record by a model. ``fitting``, ``calibration``: criteria tuned
  on labels.

The names for custom methods and Python programs are exported here.
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
