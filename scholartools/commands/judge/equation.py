"""st-judge equation: which equation is right in its context."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import NonEmpty, excludes, needs, option
from scholartools.errors import ModelFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_OF_CHOICE = needs("--format", "choice")


@command(
    "st-judge equation",
    examples=[
        (
            "st-judge equation questions.jsonl --model openai/gpt-4o-mini | st-score equations --cluster paper --table",
            "P, R and F1 of yes and no, pooled, beside All-Positive; recall by kind of slip.",
        ),
        (
            "st-judge equation questions.jsonl --model openai/gpt-4o-mini --no-context --dry-run",
            "What it costs to find out how much can be guessed without the text.",
        ),
        (
            "st-judge equation questions.jsonl --format choice --rotations --model openai/gpt-4o-mini",
            "One of all options, in four orders: accuracy and position bias.",
        ),
        ("st-judge equation questions.jsonl --system all-positive", "No model: the row to compare with."),
    ],
)
@model_options
@option(
    "--format", type=click.Choice(["binary", "choice"]), default="binary", show_default=True,
    help="Ask of each option alone whether it is right, or which of all is.",
)  # fmt: skip
@option(
    "--rotations", is_flag=True, conditions=_OF_CHOICE,
    help="Ask about each option in each place: as many calls as options.",
)  # fmt: skip
@option(
    "--context-words", metavar="N", type=click.IntRange(min=0),
    help="Maximum words shown on each side (default: all that the question holds).",
)  # fmt: skip
@option("--no-context", is_flag=True, conditions=excludes("--context-words"), help="Show no text around the equation.")
@option(
    "--system", metavar="NAME", type=NonEmpty(),
    help="System name of the entry; without --model `all-positive` or `random`, a trivial system.",
)  # fmt: skip
def equation(stream: Stream, **options: Any) -> int:
    """Decide which equations are right in their context.

    Reads the questions of st-eqsynth and adds `judgements.equation`, which st-score equations scores. Each option is
    asked about alone, in its context, or all at once under letters; which is right, how options were made and what
    they are called is in no prompt. An answer without a usable reply is null, and the exit status is 1; as published,
    it counts as wrong where a reply came that cannot be read. With --samples each sample is a system, NAME#1 and so on.

    Without --system the name of an entry is the model with what differs from the defaults, as in "MODEL no context".
    It cannot be done without a model: --system all-positive and --system random write trivial rows, and
    st-eqsynth --table shows how far shortcuts solve a set.
    """
    from scholartools.tasks.judge.equation.inputs import Answering
    from scholartools.tasks.judge.equation.prompted import equation
    from scholartools.tasks.judge.equation.trivial import check_trivial, equation_trivial
    from scholartools.tasks.shared.one_paper import Papers

    words = 0 if options["no_context"] else options["context_words"]
    how = Answering(options["format"], options["rotations"], words, options["system"])
    if options["model"]:
        from scholartools.pipeline.asking import ask_each

        ask = functools.partial(equation, how=how)
        return ask_each(stream, model_settings(options), ask, lines=stream.read_checked(Papers().check_question))
    if how.system is None:
        raise ModelFault(
            "equations are judged by a model: name one with --model or ST_MODEL, or a trivial --system, all-positive "
            "or random; st-eqsynth --table shows what shortcuts reach",
            kind="no-model",
        )
    check_trivial(how)
    judge_trivially = functools.partial(equation_trivial, how=how)
    return stream.map_records(judge_trivially, stream.read_checked(Papers().check_question))
