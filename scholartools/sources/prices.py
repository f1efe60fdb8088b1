"""Prices of requests to services, from ``prices.json``, with the URL and date of each price list."""

from __future__ import annotations

import datetime
import functools
import json
from importlib import resources
from typing import Any

# Days after which the user is told that prices are old.
_OLD = 180


@functools.cache
def _prices() -> dict[str, dict[str, Any]]:
    text = resources.files("scholartools.sources").joinpath("prices.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def price_of(service: str, kind: str) -> float:
    """Price in USD of one request of a kind, without regard to free daily allowances."""
    price: float = _prices()[service]["usd"][kind]
    return price


def old_prices(services: set[str], today: datetime.date) -> list[str]:
    """One sentence for each service whose prices were read more than 180 days before ``today``."""
    found = []
    for name, one in _prices().items():
        age = (today - datetime.date.fromisoformat(one["date"])).days
        if name in services and age > _OLD:
            found.append(f"the prices of {name} were read on {one['date']}, {age} days ago: compare {one['address']}")
    return found
