"""st-eqsynth compare: certify whether two equations say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command
from scholartools.errors import InputFault

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.pipeline.stream import Stream


@command(
    "st-eqsynth compare",
    examples=[
        ("st-eqsynth compare pairs.jsonl", "The verdict on every pair, with its certificate."),
        ("st-eqsynth compare pairs.jsonl | st-eqsynth --verify", "Compute the certificates a second time."),
    ],
)
def compare(stream: Stream) -> int:
    """Certify whether the two equations of a pair say the same.

    Reads records with `positive` and `alternative`, two equations in LaTeX, and adds `certificate`. Its verdict is
    same, different or undecided, and it holds what the verdict rests on: the tokens, the trees, values at drawn
    numbers, or a solution. No model is asked.
    """
    return stream.map_records(_certify_record)


def _certify_record(record: Record) -> Record:
    from scholartools.tasks import equations

    positive, alternative = record.get("positive"), record.get("alternative")
    if not isinstance(positive, str) or not isinstance(alternative, str):
        raise InputFault('no "positive" and "alternative": two equations in LaTeX', kind="missing-key")
    return {**record, "certificate": equations.certify(positive, alternative)}
