"""Options of the tasks in which the model sees a paper without its experiments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.options import Condition, excludes, option

if TYPE_CHECKING:
    from scholartools.tasks.generate.experiments.inputs import Showing


def showing_options(*conditions: Condition) -> Callable[[Callable], Callable]:
    """Add ``--before``, ``--leaks``, ``--removal``, ``--max-words`` and the image options."""

    def add(function: Callable) -> Callable:
        function = image_options("none", "figures", conditions=conditions)(function)
        function = option(
            "--max-words", metavar="N", type=click.IntRange(min=1), default=3000, show_default=True,
            conditions=conditions, help="Maximum number of words of the paper that the model sees; `cut` counts the "
            "remaining words.",
        )(function)  # fmt: skip
        function = option(
            "--removal", type=click.Choice(["auto", "precise", "wide"]), default="auto", show_default=True,
            conditions=conditions,
            help="How many sentences the classifier removes: with precise, fewer sentences are removed by mistake; "
            "with wide, fewer sentences that reveal the experiments are missed; auto is wide with --leaks builtin, and "
            "precise otherwise.",
        )(function)  # fmt: skip
        function = option(
            "--leaks", type=click.Choice(["model", "builtin"]), default="model", show_default=True,
            conditions=conditions,
            help=(
        "How sentences that reveal the experiments are found and removed: by a trained classifier alone "
        "(builtin), or also by the model (model)."
),
        )(function)  # fmt: skip
        return option(
            "--before", metavar="ID", default="auto", show_default=True, conditions=conditions,
            help="Show the model the text of the paper that precedes the section or experiment ID; auto shows "
                "the text before the first experiment.",
        )(function)  # fmt: skip

    return add


def image_options(*kinds: str, conditions: tuple[Condition, ...] | Condition = ()) -> Callable[[Callable], Callable]:
    """Add ``--images`` with the values ``kinds``, which must include "none", and ``--max-images``."""
    several = (conditions,) if isinstance(conditions, Condition) else conditions

    def add(function: Callable) -> Callable:
        function = option(
            "--max-images", metavar="N", type=click.IntRange(min=0), default=20, show_default=True,
            conditions=(*several, excludes("--images", "none")),
            help="Maximum number of pictures per model call; a paper that needs more pictures fails.",
        )(function)  # fmt: skip
        return option(
            "--images", type=click.Choice(kinds), default="none", show_default=True, conditions=conditions,
            help=(
        "Send the model the figures and tables that the text mentions, as pictures (made by st-parse --figures) with "
        "captions."
),
        )(function)  # fmt: skip

    return add


def chosen_showing(options: Mapping[str, Any]) -> Showing:
    """Settings of what the model sees of a paper, from the options."""
    from scholartools.tasks.generate.experiments.inputs import Showing

    names = ("before", "leaks", "removal", "max_words", "images", "max_images", "experiments")
    return Showing(**{name: options[name] for name in names})
