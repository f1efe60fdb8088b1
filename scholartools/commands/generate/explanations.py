"""st-generate explanations: a model explains the purpose of each experiment of a paper."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.generate.showing import chosen_showing, showing_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import NonEmpty, needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-generate explanations",
    examples=[
        (
            "st-generate explanations planned.jsonl --model openai/gpt-4o-mini | st-score entail --table",
            "Explain each experiment in a separate call, and compare the results with `explanations` by S-Match and "
            "ROUGE.",
        ),
        (
            "st-generate explanations planned.jsonl --system copy-input | st-score entail --table",
            "Without a model, use each experiment as its own explanation: a baseline.",
        ),
    ],
)
@model_options
@option(
    "--system",
    metavar="NAME",
    type=NonEmpty(),
    help="Name of the system under which the output is stored (default: the name of the model). Without --model, the "
    "NAME of --system must be `copy-input`, a baseline that repeats each experiment as its explanation.",
)
@option(
    "--layout", type=click.Choice(["each", "list"]), default="each", show_default=True, conditions=needs("--model"),
    help="Ask the model about one experiment per call, or about all experiments in one call.",
)  # fmt: skip
@option(
    "--experiments", metavar="PATH", default="experiments", show_default=True,
    help="Dotted path to the experiments to explain, each with an id; the model sees only the text before the first "
        "passage about these experiments.",
)  # fmt: skip
@showing_options(needs("--model"))
def explanations(stream: Stream, **options: Any) -> int:
    """Explain the purpose of each experiment of a paper.

    st-generate explanations reads the paper and the key `experiments`, the experiments that people described, which
    need ids. The model sees the text that st-generate experiments shows: the part before the experiments, without the
    sentences that report them. st-generate explanations adds an entry under `generated.explanations`, with one item per
    experiment and with its id. If a reply lacks the explanation of an experiment, or has it twice, the model is asked
    once more. If the model explains an experiment in neither of two replies, the experiment is listed under
    `unexplained` with the reason, and the exit status is 1.

    Without --model, st-generate explanations only writes the baseline --system copy-input, which repeats each
    experiment as its own explanation.
    """
    from scholartools.tasks.generate.explanations.builtin import SYSTEM as COPY_INPUT
    from scholartools.tasks.generate.explanations.builtin import copy_input, needs_model
    from scholartools.tasks.generate.explanations.prompted import explanations

    if not options["model"]:
        if options["system"] is None:
            raise needs_model()
        if options["system"] != COPY_INPUT:
            raise UsageFault(f'--system {options["system"]}: without --model it must be "{COPY_INPUT}"')
        return stream.map_records(functools.partial(copy_input, experiments=options["experiments"]))
    from scholartools.pipeline.asking import ask_each

    named = {name: options[name] for name in ("layout", "experiments", "system")}
    ask = functools.partial(explanations, showing=chosen_showing(options), **named)
    return ask_each(stream, model_settings(options), ask)
