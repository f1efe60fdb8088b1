"""The baseline "Copy Input" of AAAR-1.0, table 2: each experiment is its own explanation."""

from __future__ import annotations

from scholartools.errors import InputFault, ModelFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.tasks.generate.entries import COMMAND, with_generated
from scholartools.tasks.shared.items import Item, places, references

TASK = "explanations"
SYSTEM = "copy-input"


def needs_model() -> ModelFault:
    """Error of a run without a model."""
    reason = (
        f"the task explanations needs a model: name one with {parameter('model')}; without a model, "
        f"{parameter('system', SYSTEM)} repeats each experiment as its own explanation (a baseline)"
    )
    return ModelFault(reason, kind="no-model")


def read_experiments(record: Record, path: str) -> list[Item]:
    """The experiments at a path, which must have ids.

    Raises:
        InputFault: there are none, or one has no id.
    """
    wanted = references(record, path, f"people write these; name another key with {parameter('experiments')}")
    if not wanted:
        raise InputFault(f'"{path}" is empty: nothing to explain', kind="missing-key")
    places(wanted, path)
    return wanted


def copy_input(record: Record, *, experiments: str = "experiments") -> Record:
    """Add the experiments as their own explanations under ``generated.explanations`` to a copy of the record.

    Args:
        experiments: dotted path of the experiments.

    Raises:
        InputFault: there are none, or one has no id.
    """
    wanted = read_experiments(record, experiments)
    items = [{"id": one.id, "text": one.text} for one in wanted]
    made = with_generated(record, TASK, [{"system": SYSTEM, "by": "builtin", "sections": [], "items": items}])
    options = {"system": SYSTEM, "experiments": experiments}
    add_provenance(made, COMMAND, TASK, method="builtin", options=options, input=items)
    return made
