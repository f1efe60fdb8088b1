"""Options shared by several statistics of st-agree, and the objects built from their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from scholartools.commands.shared.bootstrap_options import bootstrap_options
from scholartools.commands.shared.options import Condition, excludes, needs, option, seed_option
from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.vocabulary import COEFFICIENTS

if TYPE_CHECKING:
    from scholartools.metrics.agreement.scales import Level
    from scholartools.metrics.statistics.resampling import Resampling
    from scholartools.paths import Conditions
    from scholartools.pipeline.stream import Stream
    from scholartools.records import Record
    from scholartools.tasks.agree.columns import Columns
    from scholartools.tasks.agree.ratings import Keys, Ratings
    from scholartools.tasks.agree.run import Run


class NameList(click.ParamType):
    """Comma-separated keys; an empty or duplicate key is an error."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        names = value if isinstance(value, tuple) else tuple(value.split(","))
        if len(names) == 1 and ";" in names[0]:
            raise UsageFault(f'"{value}": write commas between names', parameter=param.name if param else None)
        if not all(names) or len(set(names)) < len(names):
            raise UsageFault(f'duplicate or empty key in "{value}"', parameter=param.name if param else None)
        return names


def decorate_with(*options: Callable) -> Callable[[Callable], Callable]:
    """Decorator that adds the options to a function, in the order of the help."""

    def add(function: Callable) -> Callable:
        for one in reversed(options):
            function = one(function)
        return function

    return add


# Statistic by the beginning of the name that other tools and papers use.
_BY_OTHER_NAMES = {
    "cohen": "kappa", "krippendorff": "alpha", "pearson": "correlate", "spearman": "correlate", "kendall": "correlate",
    "correlation": "correlate", "ac1": "gwet", "ac2": "gwet", "f1": "spans", "intraclass": "icc",
}  # fmt: skip
_WIDE = excludes("--raters")
WHERE = option(
    "--where", metavar="KEY=VALUE", multiple=True,
    help=(
        "Use only the records whose value at KEY is VALUE. If --where is repeated, only records that meet all "
        "conditions are used."
    ),
)  # fmt: skip
MISSING = option(
    "--missing", metavar="TEXT", multiple=True,
    help=(
        "Treat TEXT as a missing value, like empty cells, NA, N/A, None and null. --missing may be repeated."
    ),
)  # fmt: skip
KEEP_BLANK = option(
    "--keep-blank",
    is_flag=True,
    help="Treat the texts NA, None and null, and empty cells, as values instead of missing values.",
)
TABLE = option("--table", is_flag=True, help="Print a human-readable table instead of JSONL.")


class RatingHelp(NamedTuple):
    """Help texts of the options that name the record keys of ratings."""

    item: str
    rater: str
    value: str
    raters: str


OF_RATERS = RatingHelp(
    "Record key that holds the name of the rated item.",
    "Record key that holds the rater's name.",
    "Record key that holds the rating. null means a missing rating.",
    (
        "Record keys, separated by commas, that hold ratings in wide form (one item per record); each key is the "
        "name of a rater."
    ),
)
#: Help texts for statistics in which the raters are systems.
OF_SYSTEMS = RatingHelp(
    "Record key that holds the name of the item for which the systems have values.",
    "Record key that holds the name of the system.",
    "Record key that holds the system's value for the item: a number, such as a score. null means a missing value.",
    (
        "Record keys, separated by commas, that hold values in wide form (one item per record); each key is the "
        "name of a system."
    ),
)


def rating_options(help: RatingHelp = OF_RATERS) -> Callable[[Callable], Callable]:
    """Add the options for the record keys of ratings, in long or wide form, and for the selection of records."""
    return decorate_with(
        option("--item", metavar="KEY", default="item", show_default=True, help=help.item),
        option("--rater", metavar="KEY", default="rater", show_default=True, conditions=_WIDE, help=help.rater),
        option(
            "--label", metavar="KEY", default="label", show_default=True,
            help=(
                "Record key that holds the label, which is the name of the rated property (optional in records)."
            ),
        ),
        option(
            "--value", metavar="KEY", default="value", show_default=True, conditions=_WIDE,
            help=help.value,
        ),
        option(
            "--raters", metavar="A,B,...", type=NameList(),
            help=help.raters,
        ),
        WHERE, MISSING, KEEP_BLANK,
    )  # fmt: skip


def selection_options() -> Callable[[Callable], Callable]:
    """Add the options that repeat the computation: for all labels pooled, and without some raters."""
    return decorate_with(
        option("--pooled", is_flag=True, help="Add results for the ratings of all labels together."),
        option(
            "--without",
            metavar="RATER",
            multiple=True,
            help="Add results that exclude the ratings by RATER. --without may be repeated.",
        ),
        option(
            "--leave-one-rater-out",
            is_flag=True,
            help="Add results that exclude the ratings of one rater, for each rater in turn.",
        ),
    )


def interval_options() -> Callable[[Callable], Callable]:
    """Add ``--ci`` and the options of confidence intervals."""
    return decorate_with(
        option("--ci", is_flag=True, help="Add confidence intervals."),
        bootstrap_options("--resamples", conditions=needs("--ci")),
        cluster_option(needs("--ci")),
    )


def cluster_option(*conditions: Condition) -> Callable[[Callable], Callable]:
    """Option ``--cluster KEY``."""
    return option(
        "--cluster", metavar="KEY", conditions=conditions,
        help=(
        "Record key that names the cluster of an item, such as its paper. Items of one cluster are treated as "
            "dependent: resampling draws whole clusters, and t-tests use cluster means."
),
    )  # fmt: skip


def column_options(x: str, y: str, differ: str = "--method or --each") -> Callable[[Callable], Callable]:
    """Add the options for the record keys of measures that are in the same record.

    Args:
        x: help text of ``--x``.
        y: help text of ``--y``.
        differ: options in whose values two records of one item may differ; "" for none.
    """
    unless = f", unless they differ in the value of {differ}" if differ else ""
    return decorate_with(
        option("--x", metavar="KEY", multiple=True, help=x),
        option("--y", metavar="KEY", multiple=True, help=y),
        option(
            "--item",
            metavar="KEY",
            help=f"Record key that holds the name of the item. No two records may have the same item{unless}.",
        ),
        WHERE,
        MISSING,
        KEEP_BLANK,
    )


def split_options() -> Callable[[Callable], Callable]:
    """Add the options of the random split of items: ``--group`` and ``--seed``."""
    return decorate_with(
        option("--group", metavar="KEY", help=(
            "Record key that holds the group of an item, such as its paper. The random split of the items into "
            "parts keeps all items of a group together."
        )),
        seed_option("Random seed of the split of the items into parts, such as a training part and a test part."),
    )  # fmt: skip


def long_options() -> Callable[[Callable], Callable]:
    """Add the options of measures in long form, of separate results for parts, and of records seen in a fit."""
    return decorate_with(
        option(
            "--method", metavar="KEY", multiple=True, conditions=(needs("--x"), needs("--item")),
            help=(
                "Record key that holds the name of the method, for records in long form (one method's score of "
                "one item per record). With --method, the first --x names the record key of the score, and --item "
                "names the record key of the item."
            ),
        ),
        option(
            "--each", metavar="KEY", multiple=True,
            help=(
                "Compute all results separately for each value of KEY, such as each aspect. --each may be repeated."
            ),
        ),
        option(
            "--with-seen", is_flag=True,
            help="Include records of items that were used to fit the judging method (marked `seen_in_fit`).",
        ),
    )  # fmt: skip


def rating_source(options: dict[str, Any]) -> tuple[Keys, Conditions]:
    """Record keys of the ratings, and the conditions that select records.

    Raises:
        UsageFault: a value of ``--where`` is not a condition.
    """
    from scholartools.paths import parse_conditions
    from scholartools.tasks.agree.ratings import Keys

    named = {name: options[name] for name in ("item", "rater", "label", "value", "missing", "keep_blank")}
    keys = Keys(raters=options["raters"] or (), cluster=options.get("cluster"), **named)
    return keys, parse_conditions(options["where"])


def number_source(options: dict[str, Any]) -> Ratings:
    """Empty collection of numeric ratings by raters (such as systems).

    Raises:
        UsageFault: a value of ``--where`` is not a condition.
    """
    from scholartools.tasks.agree.ratings import Ratings

    keys, where = rating_source(options)
    return Ratings(keys, "interval", where=where)


def parse_levels(texts: Sequence[str]) -> tuple[tuple[str, Level], ...]:
    """Parse texts such as "agreement=ordinal" into pairs of label and level of measurement.

    Raises:
        UsageFault: a text is not of this form, a level is unknown, or a label is duplicate.
    """
    from scholartools.metrics.agreement.scales import LEVELS

    found: dict[str, Level] = {}
    for text in texts:
        label, sign, level = text.rpartition("=")
        if not sign or not label or level not in LEVELS or label in found:
            reason = f'expected LABEL=LEVEL, each label once, a level of {", ".join(LEVELS)}; not "{text}"'
            raise UsageFault(reason, parameter="level_of")
        found[label] = cast("Level", level)
    return tuple(found.items())


def column_source(
    options: dict[str, Any], x: Iterable[str], more: Iterable[str] = (), beside: tuple[str, ...] = ()
) -> Columns:
    """Empty columns for the numbers at the paths ``x``, ``--y``, ``--control`` and ``more``.

    In long form, they also hold the numbers at the paths ``beside``, one column per method.

    Raises:
        UsageFault: a key occurs twice in ``x`` and ``--y``, or a value of ``--where`` is not a condition.
    """
    from scholartools.paths import parse_conditions
    from scholartools.tasks.agree.columns import RowKeys, make_columns

    paths = [*x, *options["y"]]
    for place, path in enumerate(paths):
        if path in paths[:place]:
            raise UsageFault(f'{parameter("x")} and {parameter("y")} name the key "{path}" twice')
    keys = RowKeys(
        options.get("by"), options.get("cluster"), options["item"], options.get("each", ()), options.get("within"),
        options.get("keep", ()), options.get("method", ()), beside,
        tuple(path for path in options.get("of", ()) if "=" in path), options.get("with_seen", False),
        options["missing"], options["keep_blank"],
    )  # fmt: skip
    return make_columns([*paths, *options.get("control", ()), *more], keys, parse_conditions(options["where"]))


def judge_and_people(stream: Stream, name: str, people: str, options: dict[str, Any]) -> tuple[Columns, str, str]:
    """Empty columns for the judge's and the human score of each item, and the paths of both scores.

    Groups of items (``--group``) become the clusters of the columns.

    Args:
        name: name of the statistic, for messages.
        people: description of ``--y``, for messages.

    Raises:
        UsageFault: not exactly one --x and one --y, or no --item; or as :func:`take_statistics`, :func:`column_source`.
    """
    take_statistics(stream)
    x, y = options["x"], options["y"]
    if len(x) != 1 or len(y) != 1 or not options["item"]:
        raise UsageFault(
            f"{name} needs one --x (the judge's score), one --y ({people}) and --item (the key of the item)"
        )
    return column_source({**options, "cluster": options["group"]}, x), x[0], y[0]


def resampling_of(options: dict[str, Any]) -> Resampling:
    """Resampling by the options; confidence 0.95 and the bootstrap for a command without these options."""
    from scholartools.metrics.statistics.resampling import Resampling

    confidence, method = options.get("confidence", 0.95), options.get("interval", "bootstrap")
    return Resampling(options["resamples"], confidence, options["seed"], method)


def interval_resampling(options: dict[str, Any]) -> Resampling | None:
    """Resampling for the confidence intervals; None without ``--ci``."""
    return resampling_of(options) if options["ci"] else None


def _explain(name: str) -> str | None:
    """Hint for an unknown statistic: the similar statistic, or the command that computes it; None if unknown."""
    if name.casefold().startswith(("bleu", "rouge", "bert")):
        return f"st-score text computes {name}"
    found = next((known for start, known in _BY_OTHER_NAMES.items() if name.casefold().startswith(start)), None)
    return found and f"did you mean {found}?"


def take_statistics(stream: Stream) -> list[str]:
    """Remove the names of statistics from the arguments, which leaves the files, and return the names.

    Raises:
        UsageFault: an argument is neither a statistic nor a file, or statistics cannot be combined.
    """
    context = click.get_current_context()
    parent = context.parent.command if context.parent else None
    others = [name for name in getattr(parent, "commands", ()) if name != "coefficients"]
    names = list(dict.fromkeys(stream.take_names((*COEFFICIENTS, *others), "statistic", _explain)))
    task = str(context.info_name)
    if task != "coefficients" and names:
        raise UsageFault(f"{task} cannot be combined with {', '.join(names)}")
    if alone := [name for name in names if name in others]:
        rest = [name for name in names if name != alone[0]]
        fault = f"cannot be combined with {', '.join(rest)}" if rest else "must be the first argument"
        raise UsageFault(f"{alone[0]} {fault}")
    return names


def reduce_to_results(stream: Stream, run: Run, *, table: bool) -> int:
    """Add all records of a stream to a run, and write its results as records or as a table; return the exit status."""
    from scholartools.tasks.agree.tables import table as as_table

    def finish(failed: int) -> list[Record] | str:
        results = run.finish(failed)
        if not stream.quiet:
            for note in run.taken.notes():
                click.echo(f"st-agree: {note}", err=True)
        return as_table(results) if table else results

    return stream.reduce_records(run.taken.add, finish)
