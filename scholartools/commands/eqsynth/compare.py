"""st-eqsynth compare: certify whether two equations are equivalent."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command
from scholartools.errors import InputFault, UsageFault

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.pipeline.stream import Stream

# Characters of an expression that hardly ever occur in file names.
_EXPRESSION = re.compile(r"[\\\\^={}]")
# Control characters that result if a program reads "\frac", "\beta", "\theta", "\rho" or "\nabla" as an escape.
_ESCAPES = re.compile(r"[\x07\x08\x0b\x0c]|\t(?=heta|au\b|imes|ext|ilde)|\r(?=ho\b|ight)|\n(?=abla|eq\b|otin)")


@command(
    "st-eqsynth compare",
    examples=[
        (
            "st-eqsynth compare pairs.jsonl",
            "Write for every pair of expressions whether they are equivalent, with the certificate (the proof).",
        ),
        (
            "st-eqsynth compare pairs.jsonl | st-eqsynth --verify",
            "Compute the certificates (proofs) of pairs of expressions twice, and check that both are equal.",
        ),
    ],
)
def compare(stream: Stream) -> int:
    """Decide by a computed proof, the certificate, whether two expressions are equivalent.

    Each record has `positive` and `alternative`, two expressions in LaTeX. st-eqsynth compare adds `certificate` with a
    verdict: same, different or undecided. The certificate also holds the evidence for the verdict: the tokens, the
    syntax trees, values at random points, or a solution. `st-eqsynth compare` asks no model.
    """
    for path in stream.files:
        if _EXPRESSION.search(path) and not os.path.exists(path):
            raise UsageFault(
                f"{path}: an expression, not a file: the input is a file of records, such as "
                '{"positive": "x^2", "alternative": "x x"}'
            )
    return stream.map_records(_certify_record)


def _certify_record(record: Record) -> Record:
    from scholartools.tasks import equations

    positive, alternative = record.get("positive"), record.get("alternative")
    if not isinstance(positive, str) or not isinstance(alternative, str):
        missing = "positive" if not isinstance(positive, str) else "alternative"
        reason = 'a pair has two expressions in LaTeX, "positive" and "alternative"'
        raise InputFault(f'no "{missing}": {reason}', kind="missing-key")
    if damaged := [name for name in ("positive", "alternative") if _ESCAPES.search(record[name])]:
        how = r'a backslash is written twice in JSON ("\\frac"), and strings of LaTeX in Python are raw (r"\frac")'
        raise InputFault(f'"{damaged[0]}" has a control character in place of a backslash: {how}', kind="invalid-key")
    return {**record, "certificate": equations.certify(positive, alternative)}
