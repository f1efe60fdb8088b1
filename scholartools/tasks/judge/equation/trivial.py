"""Baselines that ignore the question: accept every option, or answer at random."""

from __future__ import annotations

from scholartools.errors import UsageFault
from scholartools.llm.answers import Answer
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.signature import Digest, fingerprint
from scholartools.tasks.judge.entries import COMMAND, with_judgements
from scholartools.tasks.judge.equation.answers import make_entry
from scholartools.tasks.judge.equation.inputs import BINARY, CHOICE, Answering, Shown, shown_parts
from scholartools.tasks.shared.questions import read_question

ALL_POSITIVE, RANDOM = "all-positive", "random"

#: The names of the trivial systems.
SYSTEMS = (ALL_POSITIVE, RANDOM)


def check_trivial(how: Answering) -> None:
    """Validate the name of a trivial system and its format.

    Raises:
        UsageFault: they are invalid.
    """
    given = f"{parameter('system')} {how.system}"
    if how.system not in SYSTEMS:
        raise UsageFault(f'{given}: without {parameter("model")} it must be "{ALL_POSITIVE}" or "{RANDOM}"')
    if how.system == ALL_POSITIVE and how.format == CHOICE:
        raise UsageFault(f"{given} says yes to every option: it makes no choice")


def equation_trivial(record: Record, how: Answering) -> Record:
    """Add the entry of a trivial system under ``judgements.equation`` to a copy of the record.

    ``random`` accepts half of all options, or chooses uniformly; its answers derive from a hash of the question, so
    that they are reproducible.

    Args:
        how: its ``system`` is one of :data:`SYSTEMS`.

    Raises:
        InputFault: the record is not a question of st-eqsynth.
        UsageFault: the system is unknown, or does not support choices.
    """
    check_trivial(how)
    question = read_question(record)
    parts = shown_parts(question, how)
    answers = [Answer(_say(how, part, question.mark()), [], None) for part in parts]
    entry = make_entry(question, how, how.system or RANDOM, "builtin", parts, answers)
    made = with_judgements(record, "equation", [entry])
    options = {**how.provenance_options(), "system": how.system}
    add_provenance(made, COMMAND, "equation", method="builtin", options=options, input=Digest(question.mark()))
    return made


def _say(how: Answering, part: Shown, mark: str) -> bool | str:
    drawn = int(fingerprint([RANDOM, mark, part.names])[:12], 16)
    if how.format == BINARY:
        return how.system == ALL_POSITIVE or bool(drawn % 2)
    return part.names[drawn % len(part.names)]
