"""Faults that no result of a statistic may have."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any


def faults_of(value: Any, path: str = "") -> Iterator[str]:
    """Yield the places of numbers that are not finite, intervals without width, and nulls without a reason."""
    if isinstance(value, float) and not math.isfinite(value):
        yield f"{path} is no number"
    if isinstance(value, list):
        for place, one in enumerate(value):
            yield from faults_of(one, f"{path}.{place}")
    if not isinstance(value, dict):
        return
    low, high = value.get("low"), value.get("high")
    # Corpus-level values have no interval; in results of runs, low and high are the extremes.
    has_interval = {"low", "high"} <= value.keys() and not path.startswith(".corpus.") and value.get("stat") != "runs"
    if has_interval and (low is None or high is None or low >= high) and not value.get("reason"):
        yield f"{path} is an interval from {low} to {high}"
    if "value" in value and value["value"] is None and not value.get("reason", True):
        yield f"{path} is null without a reason"
    for key, one in value.items():
        yield from faults_of(one, f"{path}.{key}")
