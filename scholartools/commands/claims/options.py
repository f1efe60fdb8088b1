"""Options shared by several actions of st-claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from scholartools.commands.shared.options import NonEmpty, excludes, needs, option
from scholartools.errors import ModelFault, UsageFault

#: Condition of options that have no effect if an action reads people's answers from a file.
NOT_FROM = excludes("--from")
NEEDS_MODEL = (NOT_FROM, needs("--model"))
_SHOWING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--context", {"type": click.Choice(["full", "retrieved", "none"]), "default": "full",
                   "help": "Show the model the whole paper (as in the CLAIMCHECK paper), only the passages most "
                       "similar to the weakness or claim, or no text of the paper."}),
    ("--images", {"type": click.Choice(["all", "captions", "none"]), "default": "all",
                  "help": "Show the model tables, figures and algorithms as pictures with captions (made by st-parse "
                  "--figures), as captions alone, or not at all."}),
    ("--max-images", {"metavar": "N", "type": click.IntRange(min=0), "default": 50,
                      "conditions": (needs("--images", "all"),),
                      "help": "Maximum number of pictures in a prompt; a prompt with more pictures is not sent. "
                          "--dry-run assumes 2,000 tokens for each picture."}),
    ("--corpus", {"metavar": "FILE", "type": click.Path(), "multiple": True,
                  "help": "File of related papers from st-parse; the prompt shows the related papers that the paper "
                  "cites. May be "
                  "repeated."}),
)  # fmt: skip


class SystemName(NonEmpty):
    """Name of the system whose output is written."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The unchanged name.

        Raises:
            UsageFault: the name is blank, or "gold" (in any case): that output would replace the human reference.
        """
        if super().convert(value, param, ctx).strip().lower() == "gold":
            reason = (
                f'"{value}" is reserved for people\'s answers, with which systems are compared: choose another name'
            )
            raise UsageFault(reason, parameter=param.name if param else None)
        return value


def showing_options(function: Callable) -> Callable:
    """Add the options that select what the model sees of the paper and of related papers; all need ``--model``."""
    for name, settings in reversed(_SHOWING):
        shown = settings.get("default") is not None
        conditions = (*NEEDS_MODEL, *settings.get("conditions", ()))
        function = option(name, show_default=shown, **settings | {"conditions": conditions})(function)
    return function


def system_option(text: str, **settings: Any) -> Callable[[Callable], Callable]:
    """Option ``--system NAME``; ``text`` is its help."""
    return option("--system", metavar="NAME", type=SystemName(), help=text, **settings)


def targets_option(**settings: Any) -> Callable[[Callable], Callable]:
    """Option ``--targets SYSTEM``."""
    text = "Use the targets (disputed claims) that SYSTEM found (default: the only system in the record)."
    return option("--targets", metavar="SYSTEM", help=text, **settings)


def showing_of(options: dict[str, Any]) -> Any:
    """Settings of what the model sees, by the options; the corpus is loaded."""
    from scholartools.tasks.claims.context import Showing
    from scholartools.tasks.claims.related import NO_CORPUS, open_corpus

    corpus = open_corpus(options["corpus"]) if options["corpus"] else NO_CORPUS
    return Showing(options["context"], options["images"], options["max_images"], corpus)


def no_model(action: str, why: str) -> ModelFault:
    """Fault for an action without a model that has no built-in method."""
    return ModelFault(f"{action} needs a model: {why}; give --model NAME, or set ST_MODEL", kind="no-model")
