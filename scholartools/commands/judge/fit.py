"""st-judge fit: fit methods of rating on human scores, and write the results to a criteria file."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.judge.rate import read_steps, texts_options_where
from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import free_seed, model_options_without, model_settings
from scholartools.commands.shared.options import Condition, option
from scholartools.errors import ModelFault, UsageFault

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.llm.engine import Engine
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.judge.rate.fitting import Fitting

_COUNT = click.IntRange(min=1)


def _used_by(*methods: str) -> Condition:
    """Condition that METHOD is one of ``methods``; an unknown METHOD is rejected elsewhere."""

    def find_others(options: Mapping[str, Any]) -> list[str]:
        from scholartools.tasks.judge.rate.fitting import FITS

        return [name for name in options["files"] if name in FITS and name not in methods]

    users = " or ".join(methods)
    return Condition(
        lambda options: f"has no effect with {find_others(options)[0]}: it is an option of {users}",
        lambda options: not find_others(options),
    )


_READS_TEXTS = _used_by("autocalibrate", "icl")


def _options_of(method: str) -> functools.partial[Any]:
    """``option`` for the options of one method, with their own heading in the help."""
    return functools.partial(option, heading=f"Options of {method}", conditions=_used_by(method))


@command(
    "st-judge fit",
    shards=False,
    arguments="METHOD [FILE]...",
    examples=[
        (
            "st-judge fit autocalibrate dev.jsonl --model openai/gpt-4o-mini --output fitted.json",
            "Fit criteria for each aspect on the scores of half of the papers.",
        ),
        (
            "st-judge fit icl dev.jsonl --aspects fitted.json --seed 7 --output whole.json",
            "Choose five examples for each aspect, each from a different paper, with ratings that cover the scale.",
        ),
    ],
)
@texts_options_where(_READS_TEXTS)
@option(
    "--label", metavar="PATH", conditions=_READS_TEXTS, default="human.{aspect}", show_default=True,
    help="Dotted path of the score given by people, in the entry of a text; {aspect} is replaced by the name of "
        "the aspect.",
)  # fmt: skip
@option(
    "--group", metavar="KEY", conditions=_READS_TEXTS, default="id", show_default=True,
    help="Record key that holds the name of the paper; all texts of a paper stay together when --split divides the "
         "papers.",
)  # fmt: skip
@option(
    "--split", metavar="SHARE", type=click.FloatRange(0, 1, min_open=True), default=0.5, show_default=True,
    conditions=_READS_TEXTS, help="Share of the papers that are used for fitting.",
)  # fmt: skip
@_options_of("icl")(
    "--examples", metavar="N", type=_COUNT, default=5, show_default=True, help=
        "Number of rated examples to choose for each aspect.",
)  # fmt: skip
@_options_of("icl")(
    "--choice", type=click.Choice(["spread", "random"]), default="spread", show_default=True,
    help="How the examples are chosen: from each level of the scale in turn (spread), or at random (random).",
)  # fmt: skip
@_options_of("geval")(
    "--steps", metavar="N", default="5", show_default=True, help="Number of evaluation steps that the model drafts."
)
@_options_of("coascore")(
    "--sub-aspects", metavar="N", type=_COUNT, default=5, show_default=True, help="For the method coascore: number of "
    "sub-aspects that the model drafts.",
)  # fmt: skip
@_options_of("autocalibrate")(
    "--sizes", metavar="N,N", default="4,8", show_default=True,
    help="Numbers of scored texts from which a draft of criteria is made: 4,8 makes drafts from 4 texts and from "
        "8 texts.",
)  # fmt: skip
@_options_of("autocalibrate")(
    "--trials", metavar="N", type=_COUNT, default=3, show_default=True, help="Number of drafts of criteria for each "
    "size in --sizes.",
)  # fmt: skip
@_options_of("autocalibrate")(
    "--top", metavar="N", type=_COUNT, default=2, show_default=True, help=
        "Number of drafts of criteria that are refined, the best drafts first.",
)  # fmt: skip
@_options_of("autocalibrate")(
    "--refinements", metavar="N", type=click.IntRange(min=0), default=2, show_default=True,
    help="Number of times that each of the --top best drafts of criteria is refined.",
)  # fmt: skip
@free_seed
@model_options_without(conditions=(_used_by("autocalibrate", "geval", "coascore"),))
def fit(stream: Stream, **options: Any) -> int:
    """Fit criteria, examples or steps that a rating method needs, and write a criteria file with them.

    METHOD is autocalibrate (criteria drafted from scores given by people, tested and refined), icl (examples), geval
    (steps, also for analyze-rate and rate-explain) or coascore (sub-aspects). The methods geval and coascore use no
    records: the model drafts their steps or sub-aspects from the criteria file. The papers are split at random
    (--split, --seed), and all texts of a paper are in the same part. `fitted` names the texts that were used for
    fitting, and st-judge rate marks them with `seen_in_fit`. st-judge fit keeps what the criteria file has for other
    methods.

    st-judge fit ends with status 3 if no text has a score given by people, or if all scores are equal. The method icl
    needs no model. docs/questions.md describes how criteria are fitted.
    """
    from scholartools.tasks.judge.rate.criteria import pick_aspects, read_criteria
    from scholartools.tasks.judge.rate.fitting import FEW, FITS, read_labelled
    from scholartools.tasks.judge.rate.inputs import Where
    from scholartools.tasks.shared.blanks import Blanks

    fitting = _make_fitting(stream, options)
    needs_labels, needs_model = FITS[fitting.method]
    if needs_model and not options["model"]:
        raise ModelFault(f"{fitting.method} asks a model: give --model NAME, or set ST_MODEL", kind="no-model")
    criteria = read_criteria(options["aspects"])
    specs = pick_aspects(criteria, options["only"])
    golden = {}
    if not needs_labels and stream.files:
        raise UsageFault(
            f"{fitting.method} uses only the definitions in the criteria file: leave out {stream.files[0]}"
        )
    if needs_labels:
        names = ("candidate", "context", "context_words", "reference", "system_key", "item_key")
        where = Where.of(criteria, **{name: options[name] for name in names})
        blanks = Blanks()
        golden = read_labelled(stream.read(), where, specs, fitting, blanks)
        for note in () if stream.quiet else blanks.notes("labels"):
            click.echo(f"st-judge: {note}", err=True)
        few = min(map(len, golden.values()))
        if few < FEW and not stream.quiet:
            click.echo(f"st-judge: only {few} labelled texts to fit on: the result may be due to chance", err=True)
    work = functools.partial(_fit, criteria=criteria, specs=specs, golden=golden, fitting=fitting)
    return _run(stream, options, work, needs_model=needs_model)


async def _fit(engine: Engine | None, _: Record, **what: Any) -> Record:
    from scholartools.tasks.judge.rate.fitting import fit as fit_criteria
    from scholartools.tasks.judge.rate.fitting import tell_lost

    return tell_lost(await fit_criteria(engine, **what), **what)


def _run(stream: Stream, options: dict[str, Any], work: Any, *, needs_model: bool) -> int:
    """Run ``work`` and write the criteria file that it returns; its records have been read before."""
    from scholartools.io import Line, open_output
    from scholartools.pipeline.asking import ask_each

    if not needs_model:
        import asyncio

        with open_output(stream.output) as output:
            output.write(_show(asyncio.run(work(None, {}))))
        return 0
    lines = [Line("fit", {})]
    settings = model_settings(options)
    return ask_each(stream, settings, work, render=_show, lines=lines, forecast=_forecast)


def _forecast(engine: Engine) -> Iterable[Record]:
    whole = engine.forecast()
    stages = [stage for method in ("autocalibrate", "geval", "coascore") for stage in engine.forecast_stages(method)]
    yield {"dry_run": {**whole["dry_run"], "stages": stages}}


def _show(made: Record) -> str:
    criteria = {key: value for key, value in made.items() if key != "errors"}
    return json.dumps(criteria, ensure_ascii=False, indent=1)


def _make_fitting(stream: Stream, options: dict[str, Any]) -> Fitting:
    from scholartools.tasks.judge.rate.calibration import Search
    from scholartools.tasks.judge.rate.contract import How
    from scholartools.tasks.judge.rate.fitting import FITS, Fitting

    names = stream.take_names(FITS, "method")
    if len(names) != 1:
        raise UsageFault(f"the argument after fit must name a method ({', '.join(FITS)})")
    seed = options["seed"] or 0
    search = Search(_read_sizes(options["sizes"]), options["trials"], options["top"], options["refinements"], seed)
    steps = read_steps(options["steps"])
    if "steps" not in steps:
        raise UsageFault("--steps none: fit must draft steps")
    how = How(sub_aspects=options["sub_aspects"], **steps)
    named = {name: options[name] for name in ("label", "group", "split", "examples", "choice")}
    return Fitting(names[0], seed=seed, search=search, how=how, **named)


def _read_sizes(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and int(part) for part in parts):
        raise UsageFault(f"--sizes {text}: give numbers from 1, separated by commas")
    return tuple(dict.fromkeys(map(int, parts)))
