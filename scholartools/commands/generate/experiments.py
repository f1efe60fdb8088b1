"""st-generate experiments: a model plans the experiments of papers of which it sees only the beginning."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from scholartools.commands.generate.showing import chosen_showing, showing_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import NonEmpty, needs, option
from scholartools.errors import ModelFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-generate experiments",
    examples=[
        (
            "st-parse papers/*.pdf | st-generate experiments --model openai/gpt-4o-mini --output planned.jsonl",
            "Plan experiments from the part of a paper before its own experiments, without the sentences that report "
            "the experiments.",
        ),
        (
            "st-generate experiments parsed.jsonl --input",
            "Without a model, write the text that a model would see, and the sentences removed from it.",
        ),
    ],
)
@model_options
@option(
    "--system",
    metavar="NAME",
    type=NonEmpty(),
    conditions=needs("--model"),
    help="Name of the system under which the output is stored (default: the name of the model).",
)
@option(
    "--input", "show_input", is_flag=True, asks_no_model=True,
    help="Generate nothing; add to each record the text that the model would see, as `experiments_input`.",
)  # fmt: skip
@option(
    "--experiments", metavar="PATH", default="experiments", show_default=True,
    help="Dotted path to the experiments that people described; the model sees only the text before the first passage "
        "about these experiments.",
)  # fmt: skip
@showing_options()
def experiments(stream: Stream, **options: Any) -> int:
    """Plan the experiments of each paper from the text before its own experiments.

    The model sees the paper up to the first passage that `experiments` marks. If `experiments` marks no passage, the
    model sees the paper up to the first section with the role experiment or result. Sentences that report the
    experiments are removed from the text that the model sees. A trained classifier finds sentences that report the
    experiments; unless --leaks builtin is given, the model also searches for such sentences. The key `given` keeps the
    removed sentences with their character offsets and their share of all sentences. The key `given` also counts the
    sequences of eight words that occur both in the text that the model sees and in the text that it must not see.
    st-generate experiments adds an entry under `generated.experiments`. st-judge entail and st-score entail compare the
    planned experiments with `experiments`.

    st-generate experiments needs a model. --input writes only the text that the model would see. See docs/aaar.md.
    """
    from scholartools.tasks.generate.experiments.inputs import show_input
    from scholartools.tasks.generate.experiments.prompted import experiments

    showing = chosen_showing(options)
    if options["show_input"]:
        return stream.map_records(functools.partial(show_input, showing=showing))
    if not options["model"]:
        reason = (
            "the task experiments needs a model: name one with --model or ST_MODEL; with --input, it only writes "
            "the text that a model would see"
        )
        raise ModelFault(reason, kind="no-model")
    from scholartools.pipeline.asking import ask_each

    ask = functools.partial(experiments, showing=showing, system=options["system"])
    return ask_each(stream, model_settings(options), ask)
