"""Call methods and check their results; errors of custom methods are reported as such."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from scholartools.errors import ScholartoolsError, UsageFault
from scholartools.llm.engine import Engine
from scholartools.parameters import parameter
from scholartools.tasks.judge.rate.contract import Aspect, Item, Method, Rating


async def rate_group(method: Method, engine: Engine | None, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
    """Ratings of items by a method, one per item, on the scale they specify.

    Raises:
        UsageFault: a custom method raises an exception, or violates the interface.
        ScholartoolsError: raised by requests to a model.
    """
    try:
        made = await method.rate(engine, aspect, items)  # type: ignore[arg-type]
    except ScholartoolsError:
        raise
    except Exception as error:
        if method.origin is None:
            raise
        raise _own_fault(method, f"{type(error).__name__}: {error}") from error
    if method.origin is not None and (fault := _fault_of(made, items)):
        raise _own_fault(method, fault)
    return made


def _own_fault(method: Method, reason: str) -> UsageFault:
    return UsageFault(f"{parameter('method', method.name)} ({(method.origin or {}).get('object')}): {reason}")


def _fault_of(made: Any, items: Sequence[Item]) -> str | None:
    """Error in the result of a method; None if valid."""
    if not isinstance(made, list) or len(made) != len(items) or not all(isinstance(one, Rating) for one in made):
        return f"its rate() must give a list of one Rating for each of {len(items)} items"
    return next((fault for rating in made if (fault := _fault_of_rating(rating))), None)


def _fault_of_rating(rating: Rating) -> str | None:
    score = rating.score
    if score is None:
        return None if rating.reason else "a Rating without a score must have a reason"
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
        return f"the score {score!r} is not a number"
    if rating.scale is not None and not rating.scale[0] <= score <= rating.scale[1]:
        return f"the score {score:g} is not on its scale {rating.scale[0]:g} to {rating.scale[1]:g}"
    return None
