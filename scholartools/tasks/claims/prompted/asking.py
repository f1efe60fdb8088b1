"""Code shared by the prompted actions: entries by system, provenance, and missing replies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """Name of a system's entries: the model, unless given.

    Raises:
        UsageFault: several samples are requested, but an entry can hold only one.
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
    """Complete a record with rejections, missing replies, provenance, and warnings of prompt injection.

    Args:
        engine: the engine of the requests.
        step: the action.
        found: the result for the record.
        rejected: rejections of this step.
        shown: texts shown to the model, by name.
        system: the system whose output was rejected.
    """
    made = warn_of_instructions(with_rejected(found.record, step, rejected, system), shown or {})
    return finish(engine, COMMAND, step, found._replace(record=made))


def once_more(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Apply a check to the first reply only: a second reply that fails it is accepted."""
    is_told = False

    def check_once(found: Any) -> None:
        nonlocal is_told
        if not is_told:
            is_told = True
            check(found)

    return check_once
