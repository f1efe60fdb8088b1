"""What the prompted actions share: one entry of a weakness by one system, provenance, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from scholartools.errors import UsageFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.task import Found, finish
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.claims.base import COMMAND, with_rejected
from scholartools.text.prompt_injection import warn_of_instructions

Answers = Sequence[Answer[Any] | Missing]


def system_name(engine: Engine, system: str | None) -> str:
    """The name of a system's entries: the model's, unless it is given.

    Raises:
        UsageFault: several samples, of which an entry could hold but one.
    """
    if engine.settings.samples > 1:
        raise UsageFault(
            f"{parameter('samples')}: name each run with {parameter('system')}, and give each its "
            f"{parameter('seed')}; st-score {parameter('runs')} takes them"
        )
    return system or engine.settings.model


def finish_step(
    engine: Engine,
    step: str,
    found: Found,
    rejected: Sequence[Record] = (),
    shown: dict[str, str] | None = None,
    system: str | None = None,
) -> Record:
    """The record with what was rejected, what is missing, how it was made, and warnings of orders to models.

    Args:
        engine: that was asked.
        step: the action.
        found: what it made of the record.
        rejected: of this step.
        shown: texts that a model saw, by name.
        system: that gave what was rejected.
    """
    made = warn_of_instructions(with_rejected(found.record, step, rejected, system), shown or {})
    return finish(engine, COMMAND, step, replace(found, record=made))


def once_more(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """A check that is made of the first reply alone: what it would refuse of the second is taken as it is."""
    is_told = False

    def check_once(found: Any) -> None:
        nonlocal is_told
        if not is_told:
            is_told = True
            check(found)

    return check_once
