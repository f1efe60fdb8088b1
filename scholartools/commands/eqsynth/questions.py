"""st-eqsynth questions: make questions about equations of papers, summarise a set in a table, or verify it."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options_without, model_settings
from scholartools.commands.shared.options import Condition, excludes, explicit_options, needs, option
from scholartools.errors import ModelFault, ScholartoolsError, UsageFault

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.llm.engine import Engine
    from scholartools.pipeline.outcome import SeveralRecords
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.equations.questions.making import Made, Options
    from scholartools.tasks.equations.questions.prompted import Asking

_MAKES = (excludes("--table"), excludes("--verify"), excludes("--shortcuts"))


def _integer_option(name: str, default: int, help: str, low: int = 1, more: tuple[Condition, ...] = ()) -> Any:
    return option(
        name,
        conditions=(*_MAKES, *more),
        metavar="N",
        type=click.IntRange(min=low),
        default=default,
        show_default=True,
        help=help,
    )


def _fixed_choice_option(name: str, choices: str, help: str) -> Any:
    names = choices.split()
    return option(name, conditions=_MAKES, type=click.Choice(names), default=names[0], show_default=True, help=help)


@command(
    "st-eqsynth questions",
    examples=[
        (
            "st-parse paper.tex | st-eqsynth --seed 1 > questions.jsonl",
            "Make up to three questions about the equations of a paper.",
        ),
        (
            "st-eqsynth --table questions.jsonl",
            "Describe a set of questions, and show how many of them can be solved by shortcuts, without the paper.",
        ),
        (
            "st-eqsynth --shortcuts questions.jsonl",
            "Measure how often classifiers that see only counts of symbols find the right option.",
        ),
        (
            "st-eqsynth --verify questions.jsonl",
            "Compute the certificate (the proof) of every option again, and check that no question was changed.",
        ),
        (
            "st-eqsynth papers.jsonl --model openai/gpt-4o-mini --design star --filter model --dry-run",
            "Estimate the lowest and the highest cost of wrong options proposed by a model.",
        ),
    ],
)
@model_options_without("--seed", "--samples")
@_integer_option("--per-paper", 3, "Maximum number of questions per paper; the equations are drawn at random (--seed).")
@_integer_option(
    "--negatives", 3, "Number of wrong options of a question with --design star.", more=(needs("--design", "star"),)
)
@_integer_option(
    "--context-words", 1000, "Maximum number of words of the paper that are shown on each side of the equation.", low=0
)
@_fixed_choice_option(
    "--design",
    "square star",
    "How the answer options are made. square: two changes to the equation give four options (no change, the first "
    "change, the second, both); star: each wrong option has its own single change.",
)
@option(
    "--ops",
    conditions=(*_MAKES, excludes("--model")),
    metavar="A,B,...",
    help=(
        "Kinds of errors to insert into equations: sign, index, bound, operator, function, exponent, root, constant, "
        "fraction, term, factor, difference, symbol, relation, bracket, accent, argument, part, exchange, signs and "
        "index-order (default: all except index-order)."
    ),
)
@_integer_option("--max-chars", 1039, "Maximum length of an equation that is used, in characters.")
@_fixed_choice_option(
    "--rows",
    "one each all",
    "Equations to use: only equations that make one statement (one); also equations of several statements, split "
    "into one equation per statement at line breaks, wide spaces or words (each); or also equations of several "
    "statements, unchanged (all).",
)
@_fixed_choice_option(
    "--compile",
    "auto require off",
    "Check that the LaTeX of the answer options compiles: with auto, if pdflatex or KaTeX is installed; with "
    "require, always (an error if neither is installed); with off, never.",
)
@_fixed_choice_option(
    "--keep",
    "different undecided",
    "Verdict that every wrong option must have: different (proven to differ from the paper's equation), or undecided, "
    "which also accepts options whose difference is not proven.",
)
@option(
    "--equivalents",
    conditions=(*_MAKES, needs("--design", "square")),
    type=click.IntRange(0, 1),
    default=0,
    show_default=True,
    metavar="N",
    help="Number of right options added to each question: equations that are equivalent to the paper's equation.",
)
@option(
    "--hide-attested",
    conditions=_MAKES,
    is_flag=True,
    help=(
        "Drop a question if the right option can be guessed from the number of tokens that each "
        "option shares with the text."
    ),
)
@_integer_option(
    "--masks",
    60,
    "Maximum number of formulas near an equation that are masked (hidden) because they reveal the right option. "
    "st-eqsynth masks formulas only if token counts in the unmasked text would reveal the right option. --masks 0 "
    "masks nothing, and gives no questions about equations that need masked formulas.",
    low=0,
    more=(needs("--design", "square"), excludes("--model"), excludes("--equivalents")),
)
@option(
    "--require",
    conditions=_MAKES,
    metavar="N",
    type=click.IntRange(min=1),
    help="Treat a paper with fewer than N questions as failed.",
)
@option(
    "--tries",
    conditions=(*_MAKES, needs("--model")),
    metavar="N",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Maximum number of wrong options that the model proposes for one equation.",
)
@option(
    "--filter",
    conditions=(*_MAKES, needs("--model")),
    type=click.Choice(["none", "model"]),
    default="none",
    show_default=True,
    help=(
        "With model, drop a question if, according to the model, every wrong option has symbols without a meaning "
        "in the text of the paper."
    ),
)
@option(
    "--all-aligned",
    conditions=(*_MAKES, needs("--filter", "model")),
    is_flag=True,
    help="With --filter model, drop a question even if only one of its wrong options has symbols without a meaning in "
    "the text of the paper.",
)
@option(
    "--seed",
    conditions=_MAKES,
    metavar="N",
    type=int,
    default=0,
    show_default=True,
    help="Random seed of all random draws; with --model, a given seed is also sent to the provider.",
)
@option(
    "--table",
    asks_no_model=True,
    is_flag=True,
    help=(
        "Print a table of questions: inserted errors, verdicts of the proofs, and how many questions shortcuts "
        "(simple rules) solve without the paper."
    ),
)
@option(
    "--shortcuts",
    conditions=excludes("--table"),
    asks_no_model=True,
    is_flag=True,
    help=(
        "Print the table of --table, and how often two classifiers guess the right option of a question from counts "
        "of symbols. The classifiers of --shortcuts are trained on the other papers, and count the symbols of an "
        "answer option, what it shares with the other options, and how often its n-grams of tokens and token types "
        "are in the text."
    ),
)
@option(
    "--verify",
    conditions=(excludes("--table"), excludes("--shortcuts")),
    asks_no_model=True,
    is_flag=True,
    help=(
        "Compute the certificates (proofs) and other properties of existing questions again, and compare them with "
        "the stored ones. For pairs of expressions, --verify computes the certificates (proofs) again. --verify "
        "reports an error for a record that was changed after st-eqsynth made it."
    ),
)
def questions(stream: Stream, table: bool, shortcuts: bool, verify: bool, **options: Any) -> int:
    """Make questions about equations of papers, with wrong equations that are proven to differ from the right one.

    The input consists of records that st-parse made from LaTeX. st-eqsynth writes one output record per question; a
    question is the text around an equation and four options. Wrong options come from rules that insert errors, or with
    --model from the model. A certificate is a computed proof that an option differs from the paper's equation; the
    proof rests on the tokens, the syntax tree, values at random points, or a solution. --table, --shortcuts and
    --verify read existing questions instead of papers.
    """
    from scholartools.tasks.shared.one_paper import Sources

    if stream.take_names(["compare"], "action"):
        raise UsageFault("compare must be the first argument: st-eqsynth compare [OPTIONS] [FILE]...")
    if table or shortcuts:
        return _print_table(stream, learns=shortcuts)
    if verify:
        return stream.map_records(_verify_record)
    settings = {"least": options["require"] or 0, "tell": options["compile"] == "auto"}
    if options["model"]:
        return _ask_model(stream, options, settings)
    make = functools.partial(_make_questions, options=_task_options(options), **settings)
    return stream.map_records(make, stream.read_checked(Sources().check), chunk=1)


def _ask_model(stream: Stream, options: dict[str, Any], settings: dict[str, Any]) -> int:
    """Make questions whose wrong options a model writes; return the exit status."""
    from scholartools.pipeline.asking import ask_each
    from scholartools.tasks.equations.questions.prompted import Asking
    from scholartools.tasks.shared.one_paper import Sources

    asking = Asking(options["tries"], options["filter"] == "model")
    ask = functools.partial(_ask, options=_task_options(options), asking=asking, **settings)
    seed = options["seed"] if "seed" in explicit_options() else None
    return ask_each(
        stream, model_settings({**options, "seed": seed, "samples": 1}), ask, lines=stream.read_checked(Sources().check)
    )


def _task_options(chosen: dict[str, Any]) -> Options:
    """Options of the task, from those of the command line.

    Raises:
        UsageFault: an operation of ``--ops`` is unknown.
        ModelFault: ``--compile require``, but no engine (pdflatex or KaTeX) works.
    """
    from scholartools.tasks.equations.questions import compiling, rules
    from scholartools.tasks.equations.questions import making as questions

    names = {name: chosen[name] for name in questions.Options.__dataclass_fields__ if name in chosen}
    names["ops"] = _parse_names(chosen["ops"], rules.OPS) if chosen["ops"] else rules.DEFAULT_OPS
    names["engine"] = None if chosen["compile"] == "off" else compiling.find_engine()
    if chosen["compile"] == "require" and names["engine"] is None:
        raise ModelFault("--compile require: it needs pdflatex or KaTeX, and neither works here", kind="no-engine")
    return questions.Options(**names)


def _parse_names(text: str, known: Any) -> frozenset[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise UsageFault(f'--ops: "{name}" is not one of {", ".join(known)}')
    return frozenset(names)


def _make_questions(record: Record, *, options: Options, least: int, tell: bool) -> SeveralRecords:
    from scholartools.tasks.equations.questions import making as questions

    return _with_report(questions.make_questions(record, options), options, least, tell)


async def _ask(
    engine: Engine, record: Record, *, options: Options, asking: Asking, least: int, tell: bool
) -> SeveralRecords:
    from scholartools.tasks.equations.questions.prompted import ask_questions

    made, given_up = await ask_questions(engine, record, options, asking)
    report = _with_report(made, options, least, tell, given_up)
    if given_up is None:
        return report
    return report._replace(records=[*report.records, given_up])


def _with_report(
    made: Made, options: Options, least: int, tell: bool, given_up: Record | None = None
) -> SeveralRecords:
    """Questions of a paper, with notes on skipped equations.

    Args:
        least: minimum number of questions.
        tell: whether to note that questions were not compiled.
        given_up: the paper record with an error entry on missing replies, if some equations got no question.

    Raises:
        ScholartoolsError: there are fewer than ``least`` questions; ``details`` describes the missing replies.
    """
    from scholartools.pipeline.outcome import SeveralRecords

    if len(made.questions) < least:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in made.skipped.most_common(3))
        lost = given_up["errors"][-1] if given_up is not None else {}
        reasons = "; ".join(filter(None, [reasons, lost.get("reason")]))
        details = {key: lost[key] for key in ("missing", "of", "reasons", "parts", "reply", "calls") if key in lost}
        found = f"only {len(made.questions)} of {least} questions"
        reasons = reasons or "the paper has no further equation that can be used"
        raise ScholartoolsError(f"{found}: {reasons}", kind="too-few", details=details)
    notes = {f"equation skipped: {reason}": count for reason, count in made.skipped.items()}
    if not made.questions:
        notes["paper without a usable equation"] = 1
    if tell and options.engine is None and made.questions:
        notes["question not compiled: it needs pdflatex or KaTeX, and neither works here"] = len(made.questions)
    return SeveralRecords(made.questions, notes)


def _verify_record(record: Record) -> SeveralRecords:
    from scholartools.pipeline.outcome import SeveralRecords
    from scholartools.tasks.equations.questions import verifying

    return SeveralRecords([record], verifying.verify_record(record))


def _print_table(stream: Stream, *, learns: bool) -> int:
    from scholartools.tasks.equations.questions.shortcut_table import Table

    table = Table(learns=learns)

    def finish(failed: int) -> str:
        for warning in table.warnings():
            if not stream.quiet:
                print(f"{stream.command}: warning: {warning}", file=sys.stderr)
        return "".join(f"{line}\n" for line in table.lines())

    return stream.reduce_records(table.add, finish)
