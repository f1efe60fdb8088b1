"""st-judge equation: which candidate equations are correct in their context."""

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
            "Show pooled precision, recall and F1 beside the baseline All-Positive, and recall by type of error.",
        ),
        (
            "st-judge equation questions.jsonl --model openai/gpt-4o-mini --no-context --dry-run",
            "Estimate the cost of a run without the text around the equations, which shows how often a model guesses "
            "right.",
        ),
        (
            "st-judge equation questions.jsonl --format choice --rotations --model openai/gpt-4o-mini",
            "Ask which of all options is right, in as many orders as there are options, to measure accuracy and "
            "position bias.",
        ),
        (
            "st-judge equation questions.jsonl --system all-positive",
            "Write the baseline All-Positive (every option is right), without a model.",
        ),
    ],
)
@model_options
@option(
    "--format", type=click.Choice(["binary", "choice"]), default="binary", show_default=True,
    help="Ask the model about each option (candidate equation) separately, or ask which of all options is right.",
)  # fmt: skip
@option(
    "--rotations", is_flag=True, conditions=_OF_CHOICE,
    help="Ask in as many orders as there are options (candidate equations), so that each option appears once at each "
         "position.",
)  # fmt: skip
@option(
    "--context-words", metavar="N", type=click.IntRange(min=0),
    help="Maximum number of words of context on each side of the equation (default: all the context that the question "
         "has).",
)  # fmt: skip
@option(
    "--no-context",
    is_flag=True,
    conditions=excludes("--context-words"),
    help="Do not show the model the text around the equation.",
)
@option(
    "--system", metavar="NAME", type=NonEmpty(),
    help="Name of the system under which the answers are stored. Without --model, the NAME of --system must be one of "
        "two baselines: `all-positive` (every option is right) or `random`.",
)  # fmt: skip
def equation(stream: Stream, **options: Any) -> int:
    """Decide which candidate equations are right in the text of a paper.

    st-judge equation reads the questions of st-eqsynth and adds `judgements.equation`, which st-score equations scores.
    The model sees each option (candidate equation) separately in its context, or all options at once, marked by
    letters. The prompts of st-judge equation do not reveal which option is right, how the wrong options were made, or
    the names of the options. If there is no usable reply to a question, the answer is null and the exit status is 1. As
    in the AAAR-1.0 paper, a reply that cannot be parsed counts as wrong. With --samples N, the answers of each sample
    are stored under a system name of their own (NAME#1, NAME#2 and so on).

    The answers are stored under the system name that --system gives. By default, it consists of the model's name and
    the options that differ from their defaults, as in "MODEL no context". st-judge equation needs a model. --system
    all-positive and --system random write baselines without a model; st-eqsynth --table shows how many questions can be
    solved without the paper.
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
            "the task equation needs a model: name one with --model or ST_MODEL; without a model, --system "
            "all-positive writes a baseline that calls every option right, and --system random writes random answers",
            kind="no-model",
        )
    check_trivial(how)
    judge_trivially = functools.partial(equation_trivial, how=how)
    return stream.map_records(judge_trivially, stream.read_checked(Papers().check_question))
