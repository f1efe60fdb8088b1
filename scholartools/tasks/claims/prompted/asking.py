"""What the prompted actions share: one entry of a weakness by one system, provenance, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scholartools.errors import UsageFault
from scholartools.llm.answers import Answer, Missing, tell_missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import sign
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.signature import fingerprint
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
    made: Record,
    step: str,
    what: str,
    prompts: Sequence[Prompt[Any]],
    asked: Iterable[tuple[str, Answer[Any] | Missing]],
    options: Record,
    inputs: Any,
    rejected: Sequence[Record] = (),
    shown: dict[str, str] | None = None,
    system: str | None = None,
    counts: Record | None = None,
) -> Record:
    """The record with what was rejected, what is missing, how it was made, and warnings of orders to models.

    Args:
        engine: that was asked.
        made: a copy of the record with its own key.
        step: the action.
        what: its parts, in the plural.
        prompts: that were used.
        asked: each answer with the name of what it is of.
        options: that change the answers.
        inputs: all that the answers were made from.
        rejected: of this step.
        shown: texts that a model saw, by name.
        system: that gave what was rejected.
        counts: of what happened on the way, and what was missing.
    """
    asked = list(asked)
    made = warn_of_instructions(with_rejected(made, step, rejected, system), shown or {})
    tell_missing(made, COMMAND, what, asked, task=step)
    answers = [answer for _, answer in asked]
    sign(engine, made, COMMAND, step, prompts, answers, options, fingerprint(inputs), counts)
    return made


def once_more(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """A check that is made of the first reply alone: what it would refuse of the second is taken as it is."""
    is_told = False

    def check_once(found: Any) -> None:
        nonlocal is_told
        if not is_told:
            is_told = True
            check(found)

    return check_once
