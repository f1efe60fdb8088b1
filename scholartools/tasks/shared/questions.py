"""The questions that st-eqsynth creates from equations: ordered options within a context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.signature import fingerprint

#: Kind of error that swaps plus and minus between terms, everywhere in the equation.
SIGNS = "signs"
#: Kind of error that exchanges two letters, numbers or labels at all their occurrences.
EXCHANGE = "exchange"
#: Kinds of errors that change all occurrences at once, so that many edits count as one error.
THROUGHOUT = frozenset([EXCHANGE, SIGNS])
_HINT = "st-eqsynth makes questions from the equations of papers"


class Question(NamedTuple):
    """A question about an equation.

    Attributes:
        options: by id, each with ``latex`` and ``correct``, in the order in which they are shown.
        before, after: the text on each side of the equation.
    """

    options: dict[str, Record]
    before: str
    after: str

    @property
    def correct(self) -> set[str]:
        """Ids of the correct options."""
        return {name for name, option in self.options.items() if option["correct"]}

    def mark(self) -> str:
        """Fingerprint of the question's text and options, independent of the order of the options."""
        facts = sorted([name, option["latex"], option["correct"]] for name, option in self.options.items())
        return fingerprint([facts, self.before, self.after])


def read_question(record: Record) -> Question:
    """Parse a record as a question.

    Raises:
        InputFault: it has no options or context, or its order is not a permutation of the options.
    """
    options, context, order = (record.get(key) for key in ("options", "context", "order"))
    if not isinstance(options, list) or not isinstance(context, dict):
        raise InputFault(f'no "options" and "context": {_HINT}', kind="missing-key")
    for place, option in enumerate(options):
        if not _is_option(option):
            raise InputFault(f'"options.{place}" lacks "id", "latex" or "correct": {_HINT}', kind="invalid-key")
    if not all(isinstance(context.get(side), str) for side in ("before", "after")):
        raise InputFault(f'"context" lacks "before" or "after": {_HINT}', kind="invalid-key")
    by_id = {option["id"]: option for option in options}
    if len(by_id) < len(options) or not _is_order(order, by_id):
        raise InputFault('"order" must name each of the options once', kind="invalid-key")
    return Question({name: by_id[name] for name in order or ()}, context["before"], context["after"])


def _is_option(option: object) -> bool:
    types = {"id": str, "latex": str, "correct": bool}
    return isinstance(option, dict) and all(isinstance(option.get(key), kind) for key, kind in types.items())


def _is_order(order: object, names: Sequence[str] | dict[str, Record]) -> bool:
    return isinstance(order, list) and len(order) > 1 and sorted(map(str, order)) == sorted(names)
