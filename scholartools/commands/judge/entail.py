"""st-judge entail: which experiments of one list are entailed by the other list."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.judge.options import COSINE, embedding_sources, side_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import excludes, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream


@command(
    "st-judge entail",
    examples=[
        (
            "st-judge entail planned.jsonl --model openai/gpt-4o-mini | st-score entail --table",
            "Show En-Precision, En-Recall and En-F1 of every system in `generated.experiments`.",
        ),
        (
            "st-judge entail planned.jsonl --model openai/gpt-4o-mini --samples 3 --dry-run",
            "Estimate the cost of three votes for each experiment.",
        ),
    ],
)
@model_options
@option(
    "--threshold", metavar="X", type=COSINE, conditions=excludes("--model"),
    help="Minimum cosine similarity at which the built-in method regards an item as covered by the nearest item.  "
    "[default: 0.69]",
)  # fmt: skip
@option(
    "--embedder", metavar="NAME", conditions=excludes("--model"),
    help="Embedding model of the built-in method, which is used without --model: wordllama, a sentence-transformers "
    "model, or vectors:MODEL for vectors stored in the records.",
)  # fmt: skip
@side_options("experiments", "generated.experiments")
def entail(stream: Stream, **options: Any) -> int:
    """Decide which planned experiments are covered by the reference experiments, and which reference experiments are
    covered by the planned ones.

    st-judge entail reads `experiments` (the reference) and `generated.experiments` (planned by systems), all with ids.
    Each experiment of a system is compared with the whole reference list, and each reference experiment with the
    system's whole list. Each experiment takes one model call; with --samples N, it takes N calls, whose verdicts are
    votes. st-judge entail adds `judgements.entail`. The order of the experiments in a list does not change the prompt.
    If a system planned no experiment, it covers no reference experiment, and no model is asked. If the model gives no
    usable reply about an experiment, its verdict is null and the exit status is 1.

    Without --model, an experiment counts as covered if its cosine to the nearest experiment is at least --threshold.
    The built-in method of st-judge entail is weak: --threshold was tuned on pairs of limitations, not on experiments.
    See docs/aaar.md.
    """
    from scholartools.tasks.judge.entailment.builtin import entail_builtin
    from scholartools.tasks.judge.entailment.prompted import entail
    from scholartools.tasks.judge.matching.builtin import THRESHOLD

    paths = {name: options[name] for name in ("reference", "candidate")}
    if options["model"]:
        from scholartools.pipeline.asking import ask_each

        return ask_each(stream, model_settings(options), functools.partial(entail, **paths))
    if not stream.quiet:
        how = "a weak built-in method compares the experiments by the cosine of their embeddings (see --help)"
        click.echo(f"st-judge: without --model, {how}", err=True)
    threshold = THRESHOLD if options["threshold"] is None else options["threshold"]
    return stream.map_records(functools.partial(entail_builtin, threshold=threshold, **embedding_sources(options)))
