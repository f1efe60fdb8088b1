"""Options shared by several tasks of st-judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from scholartools.commands.shared.options import Condition, option

COSINE = click.FloatRange(-1, 1)


def side_options(reference: str, candidate: str, *conditions: Condition) -> Callable[[Callable], Callable]:
    """Add ``--reference`` and ``--candidate`` to a task.

    Args:
        reference: description of the default of ``--reference``, for its help.
        candidate: description of the default of ``--candidate``, for its help.
    """

    def add(function: Callable) -> Callable:
        function = option(
            "--candidate",
            metavar="PATH",
            conditions=conditions,
            help=f"Dotted path to the texts to judge (default: {candidate}).",
        )(function)
        return option(
            "--reference",
            metavar="PATH",
            conditions=conditions,
            help=f"Dotted path to the reference texts (default: {reference}).",
        )(function)

    return add


def embedding_sources(options: dict[str, Any]) -> dict[str, Any]:
    """The options ``reference``, ``candidate`` and ``embedder``.

    Raises:
        UsageFault: the embedder is unknown.
    """
    from scholartools.tasks.shared.embedder import check_embedder

    check_embedder(options["embedder"])
    return {name: options[name] for name in ("reference", "candidate", "embedder")}
