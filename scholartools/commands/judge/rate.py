"""st-judge rate: rate texts by aspect, with published methods, baselines or the user's own methods."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import free_seed, model_options_without, model_settings
from scholartools.commands.shared.options import Condition, explicit_options, needs, option
from scholartools.errors import ModelFault, UsageFault

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.llm.engine import Engine
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.judge.rate.prompted import Rater

_COUNT = click.IntRange(min=1)
_MODEL = needs("--model")
_HOW = (
    "samples", "weights", "parse", "combine", "min_samples", "min_mass", "keep_replies", "sub_aspects", "coa",
    "batch_size", "rounds",
)  # fmt: skip

# Methods that use an option, by the name of the option.
_WITHOUT_STEPS = {"analyze-rate", "rate-explain"}
_IN_STEPS, _IN_BATCHES = {"geval", *_WITHOUT_STEPS}, {"batcheval"}
_USED_BY = {
    "weights": {"geval"},
    "steps": _IN_STEPS,
    "sub_aspects": {"coascore"},
    "coa": {"coascore"},
    "batch_by": _IN_BATCHES,
    "batch_size": _IN_BATCHES,
    "rounds": _IN_BATCHES,
}


def _options_under(heading: str) -> functools.partial[Any]:
    """``option`` for the options under a heading; they need a model."""
    return functools.partial(option, heading=heading, conditions=_MODEL)


_of_replies = _options_under("Replies")
_of_steps = _options_under("Options of geval, analyze-rate, rate-explain")
_of_coascore = _options_under("Options of coascore")
_of_batcheval = _options_under("Options of batcheval")


def texts_options(function: Callable) -> Callable:
    """Add the options of the texts to rate, the aspects, and the context shown to the rater."""
    return texts_options_where()(function)


def texts_options_where(*conditions: Condition) -> Callable[[Callable], Callable]:
    """As :func:`texts_options`, with ``conditions`` under which the options have an effect."""

    def add(function: Callable) -> Callable:
        for one in reversed(_texts_options(conditions)):
            function = one(function)
        return function

    return add


def _texts_options(conditions: tuple[Condition, ...]) -> list[Callable[[Callable], Callable]]:
    texts = functools.partial(option, conditions=conditions, heading="Texts")
    return [
        option(
            "--aspects", metavar="FILE", default="builtin:rq", show_default=True,
            help="Criteria file (JSON or YAML) that defines the rated aspects and their scales, or built-in "
                "criteria: builtin:rq for research questions, builtin:summary for summaries.",
        ),
        option("--only", metavar="ASPECT", multiple=True, help="Use only this aspect of the criteria file "
        "(repeatable; default: all aspects)."),
        texts("--candidate", metavar="PATH", help="Dotted path to the texts to rate (default: the path in the "
        "criteria file)."),
        texts(
            "--context", metavar="PATH", multiple=True,
            help="Show the text at PATH as context of each text to rate (repeatable; default: the context that the "
            "criteria file names).",
        ),
        texts("--context-words", metavar="N", type=_COUNT, help="Show at most N words of the context of a text "
        "(default: all words)."),
        texts("--reference", metavar="PATH", help="Also show the reference text at PATH beside the text to rate."),
        texts("--system-key", metavar="KEY", help=
            "Key in the entry of a text that holds the name of the system that wrote the text (default: "
            "`system`)."),
        texts("--item-key", metavar="KEY", help=
            "Key in the entry of a text that holds the name of the text (default: `id`)."),
    ]  # fmt: skip


@command(
    "st-judge rate",
    examples=[
        (
            "st-judge rate questions.jsonl --method geval --model openai/gpt-4o-mini | st-score rate",
            "Rate research questions by the method G-Eval, and write the ratings as input for st-agree.",
        ),
        (
            "st-judge rate summaries.jsonl --aspects builtin:summary --method all --model openai/gpt-4o-mini --dry-run",
            "Estimate the calls, tokens and cost of every method, stage by stage.",
        ),
        (
            "st-judge rate questions.jsonl --baselines",
            "Score texts only by baselines, such as the number of words and random scores.",
        ),
    ],
)
@option(
    "--method", "methods", metavar="NAME", multiple=True,
    help="Rating method (repeatable): its name, `all` for all published methods, or your own method as "
    "`package.module:OBJECT`.",
)  # fmt: skip
@option(
    "--baselines",
    is_flag=True,
    help="Also score the texts by all baselines (such as the number of words), which ask no model.",
)
@texts_options
@option(
    "--scale", type=click.Choice(["criteria", "published"]), default="criteria", show_default=True,
    help="Scale of the ratings: the scale in the criteria file (criteria), or the scale in the publication of "
        "the method (published).",
)  # fmt: skip
@_of_replies(
    "--samples", metavar="N", type=_COUNT,
    help="Number of replies to sample for each rating (default: the number of the published method; 20 for "
        "methods with steps).",
)  # fmt: skip
@_of_replies(
    "--parse", type=click.Choice(["strict", "published"]), default="strict", show_default=True,
    help="How scores are read from replies: only unambiguous scores (strict), or by the text patterns of the "
        "study on research questions (published).",
)  # fmt: skip
@_of_replies(
    "--combine", type=click.Choice(["mean", "median", "mode"]), default="mean", show_default=True,
    help="How the sampled scores of a text are combined into one score.",
)  # fmt: skip
@_of_replies(
    "--min-samples", metavar="N", type=_COUNT,
    help="Minimum number of sampled replies with a score; with fewer, the rating is null (default: half of the "
         "samples).",
)  # fmt: skip
@_of_replies(
    "--single-calls", is_flag=True, help="Send a separate call for each sample, for servers without the parameter `n`."
)
@_of_replies("--keep-replies", is_flag=True, help="Store the model's raw replies in the entries of `judgements.rate`.")
@_of_steps(
    "--weights", type=click.Choice(["samples", "logprobs"]), default="samples", show_default=True,
    help="Score of the method geval: the mean of the samples, or the mean of the possible scores weighted by their "
    "token probabilities.",
)  # fmt: skip
@_of_steps(
    "--min-mass", metavar="P", type=click.FloatRange(0, 1), default=0.9, show_default=True,
    conditions=needs("--weights", "logprobs"), help=
        "With --weights logprobs: minimum sum of the token probabilities of all possible scores; if the sum is "
        "lower, the rating is null.",
)  # fmt: skip
@_of_steps(
    "--steps", metavar="N|none", default="5", show_default=True,
    help="Number of evaluation steps that the model drafts if the criteria file has none; with `none`, the methods "
    "analyze-rate and rate-explain use no steps.",
)  # fmt: skip
@_of_coascore(
    "--sub-aspects", metavar="N", type=_COUNT, default=5, show_default=True,
    help="For the method coascore: number of sub-aspects that the model drafts if the criteria file has none.",
)  # fmt: skip
@_of_coascore(
    "--coa", type=click.Choice(["each", "one-call"]), default="each", show_default=True,
    help="For the method coascore: score each sub-aspect in a separate call, or all sub-aspects in one call.",
)  # fmt: skip
@_of_batcheval(
    "--batch-by", metavar="KEY",
    help="For the method batcheval: rate the texts of consecutive records with the same value at KEY together "
        "(default: only the texts of one record together).",
)  # fmt: skip
@_of_batcheval(
    "--batch-size", metavar="N", type=click.IntRange(min=2), default=10, show_default=True,
    help="For the method batcheval: number of texts that the model rates in one call.",
)  # fmt: skip
@_of_batcheval(
    "--rounds", metavar="N", type=_COUNT, default=3, show_default=True,
    help="For the method batcheval: number of times that each text is rated; each round of ratings puts the "
        "texts into new batches.",
)  # fmt: skip
@_of_batcheval(
    "--pool-limit", metavar="N", type=_COUNT, default=5000, show_default=True, conditions=needs("--batch-by"),
    help="With --batch-by: maximum number of records that are rated together; the records are held in memory.",
)  # fmt: skip
@free_seed
@model_options_without("--samples")
def rate(stream: Stream, **options: Any) -> int:
    """Rate texts for each aspect of a criteria file, by published methods, your own, or baselines.

    st-judge rate reads texts (`generated.questions`, or --candidate) and their context. st-judge rate adds to
    `judgements.rate` one entry for each system, item, method, aspect and judge. If a method is run again on the same
    records, its new entries replace the old ones.

    Methods of st-judge rate that ask a model: autocalibrate, direct (default), geval, analyze-rate, rate-explain,
    batcheval, coascore, icl. The score of a reply is the only number on the scale that the reply can mean. A reply
    without a score on the scale counts as a missing sample, never as the lowest score. A rating for which the model
    gave too few usable replies is null, with the reason, and the exit status is 1.

    The baselines words, chars, rouge1-recall, embedding, random, constant and majority-label ask no model, and are not
    ratings. docs/questions.md describes methods and criteria.
    """
    is_model_meant = options["model"] and (not options["baselines"] or "model" in explicit_options())
    if not options["methods"] and is_model_meant:
        options["methods"] = ("direct",)
    rater = _make_rater(options)
    _refuse_without_effect(rater)
    prompted = [method.name for method in rater.methods if not method.is_builtin]
    if not options["model"] or (not prompted and "model" not in explicit_options()):
        return _rate_builtin(stream, rater, prompted)
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.judge.rate.pools import Pools

    settings = _settings(options, prompted)
    rater.check_settings(settings)
    lines = None
    if options["batch_by"]:
        stream.refuse_shard()
        rater.pools = Pools(options["batch_by"], options["pool_limit"])
        lines = rater.pools.read(stream.read())
    return ask_each(stream, settings, rater.rate, forecast=functools.partial(forecast_methods, rater), lines=lines)


def _make_rater(options: dict[str, Any]) -> Rater:
    from scholartools.tasks.judge.rate.contract import How
    from scholartools.tasks.judge.rate.criteria import pick_aspects, read_criteria
    from scholartools.tasks.judge.rate.inputs import Where
    from scholartools.tasks.judge.rate.prompted import Rater
    from scholartools.tasks.judge.rate.registry import pick_methods

    criteria = read_criteria(options["aspects"])
    specs = pick_aspects(criteria, options["only"])
    names = ("candidate", "context", "context_words", "reference", "system_key", "item_key")
    where = Where.of(criteria, **{name: options[name] for name in names})
    how = How(
        seed=options["seed"] or 0, is_original_scale=options["scale"] == "published",
        **read_steps(options["steps"]), **{name: options[name] for name in _HOW},
    )  # fmt: skip
    methods = pick_methods(options["methods"], baselines=options["baselines"])
    if options["baselines"]:  # drop baselines that need labelled examples if there are none
        methods = [one for one in methods if "examples" not in one.needs or not one.is_builtin or _have_examples(specs)]
    return Rater(criteria, specs, methods, where, how)


def _refuse_without_effect(rater: Rater) -> None:
    """Reject an option that none of the selected methods uses.

    Raises:
        UsageFault: such an option is on the command line.
    """
    names = {method.name for method in rater.methods}
    if any(method.origin for method in rater.methods):  # a user's own method may use any option
        return
    _refuse_few_samples(rater)
    for name in sorted(explicit_options() & _USED_BY.keys()):
        if not names & _USED_BY[name]:
            users = " or ".join(sorted(_USED_BY[name]))
            raise UsageFault(f"--{name.replace('_', '-')} has no effect without --method {users}")
    if "steps" in explicit_options() and not rater.how.use_steps and not names & _WITHOUT_STEPS:
        users = " or ".join(sorted(_WITHOUT_STEPS))
        raise UsageFault(f"--steps none has no effect without --method {users}")


def _refuse_few_samples(rater: Rater) -> None:
    """Reject ``--combine`` and ``--min-samples`` if no selected method has enough samples per rating."""
    most = max(
        (method.how.rounds if method.unit == "pool" else method.n_samples for method in rater.methods), default=0
    )
    explicit = explicit_options()
    if "combine" in explicit and most == 1:
        raise UsageFault("--combine has no effect: no rating has more than one sample")
    if "min_samples" in explicit and most < (rater.how.min_samples or 0):
        raise UsageFault(f"--min-samples {rater.how.min_samples}: no rating has more than {most} samples")


def read_steps(text: str) -> dict[str, Any]:
    """Keyword arguments of ``How`` for ``--steps``: a number of steps, or "none".

    Raises:
        UsageFault: the text is neither.
    """
    if text == "none":
        return {"use_steps": False}
    if not text.isascii() or not text.isdigit() or not int(text):
        raise UsageFault(f'--steps {text}: a number from 1, or "none"')
    return {"steps": int(text)}


def _have_examples(specs: Iterable[Any]) -> bool:
    return all(spec.examples for spec in specs)


def _settings(options: dict[str, Any], prompted: list[str]) -> Any:
    import dataclasses

    if not prompted:
        raise UsageFault("--model has no effect: none of the methods asks a model; name one with --method")
    settings = model_settings({**options, "samples": options["samples"] or 1})
    return dataclasses.replace(settings, several_per_call=not options["single_calls"])


def _rate_builtin(stream: Stream, rater: Rater, prompted: list[str]) -> int:
    from scholartools.tasks.judge.rate.builtin import BASELINES

    if prompted or not rater.methods:
        names = ", ".join(baseline.name for baseline in BASELINES)
        what = f"{', '.join(prompted)} asks a model" if prompted else "rating needs a model"
        without = f"without a model, --method can name only a baseline, whose scores are not ratings: {names}"
        reason = f"{what}: give --model NAME, or set ST_MODEL; {without}"
        raise ModelFault(reason, kind="no-model")
    return stream.map_records(functools.partial(_rate_one, rater))


def _rate_one(rater: Rater, record: Record) -> Record:
    import asyncio

    return asyncio.run(rater.rate(None, record))


def forecast_methods(rater: Rater, engine: Engine) -> Iterable[Record]:
    """Records of a dry run: one for each method, with its stages, and one for the whole run.

    Requests of later stages depend on replies that do not exist yet: their numbers are exact, their tokens estimated.
    """
    for method in rater.methods:
        stages = engine.forecast_stages(method.name)
        for stage in stages:
            stage["tokens_are_guess"] = method.prompts[0].name != stage["prompt"] or method.unit == "pool"
        sums = {name: sum(stage[name] for stage in stages) for name in ("calls", "replies", "prompt_tokens")}
        yield {"dry_run": {"method": method.name, "model": engine.settings.model, **sums, "stages": stages}}
    yield engine.forecast()
