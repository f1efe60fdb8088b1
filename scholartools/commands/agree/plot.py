"""st-agree plot: figures of results of st-agree, and of judges' and human scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.agree.options import (
    cluster_option,
    column_options,
    column_source,
    long_options,
    resampling_of,
    take_statistics,
)
from scholartools.commands.shared.bootstrap_options import bootstrap_options
from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import explicit_options, needs, option
from scholartools.errors import UsageFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.agree.figures import Panel
    from scholartools.tasks.agree.figures.page import Format

# File name extensions of figures, and of compressed files.
_FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")
_PACKED = (".gz", ".zst")
# Options that name record keys of scores; they have no effect on plots of results.
_OF_RECORDS = ("x", "y", "item", "where", "missing", "keep_blank", "method", "each", "with_seen")


@command(
    "st-agree plot",
    reads="rows",
    examples=[
        (
            "st-agree errors --x score --y human --method method --item item --each aspect --bins truth long.jsonl | "
            "st-agree plot --output errors.svg",
            "Draw a heat map for each aspect that shows whether methods err on the same items.",
        ),
        (
            "st-agree plot runs.jsonl --measure kendall --output runs.pdf",
            "Draw the correlation coefficients of repeated runs, with the results of st-agree runs as input.",
        ),
        (
            "st-agree correlate --x score --y human --method method --item item --ci long.jsonl | "
            "st-agree plot --output methods.pdf",
            "Draw a forest plot of methods with their intervals.",
        ),
        (
            "st-agree plot --kind scatter --x judge --y human --cluster paper --output judge.png scores.jsonl",
            "Plot a judge's scores against human scores, with the correlation coefficient and its interval.",
        ),
    ],
)
@option(
    "--kind", type=click.Choice(["scatter", "bland-altman", "reliability"]), conditions=(needs("--x"), needs("--y")),
    help=(
        "Draw input records instead of results of st-agree: a judge's scores against human scores (scatter), the"
            " differences of the two scores with limits of agreement (bland-altman), or a calibration plot "
            "(reliability)."
),
)  # fmt: skip
@option(
    "--measure", type=click.Choice(["pearson", "spearman", "kendall"]), default="spearman", show_default=True,
    help="Correlation coefficient to show in scatter plots, and in plots of the results of st-agree runs and "
        "st-agree correlate.",
)  # fmt: skip
@option(
    "--bins", metavar="N", type=click.IntRange(1, 100), default=10, show_default=True,
    conditions=needs("--kind", "reliability"), help=
        "Number of bins of equal width into which the probabilities are divided.",
)  # fmt: skip
@option(
    "--width", type=click.Choice(["85", "175"]), default="85", show_default=True,
    help=(
        "Width of the figure in millimetres: 85 for one column of a journal, 175 for two columns."
    ),
)  # fmt: skip
@option(
    "--columns", metavar="N", type=click.IntRange(min=1), help=
        (
            "Number of panels side by side in the figure (default: 1 with --width 85, 2 with --width 175)."
        ),
)  # fmt: skip
@option(
    "--data",
    metavar="PATH",
    help=(
        "Also write the plotted data to PATH as JSONL: with --kind, one record for each panel of the figure, and "
        "otherwise the plotted results of st-agree."
    ),
)
@column_options(
    "With --kind, the record key that holds a judge's score. --x may be repeated.",
    "With --kind, the record key that holds the human score. --y may be repeated.",
)
@long_options()
@bootstrap_options("--resamples", conditions=needs("--kind"))
@cluster_option(needs("--kind"))
def plot(stream: Stream, **options: Any) -> int:
    """Draw a figure (SVG, PNG or PDF) of results of st-agree, or of scores by judges and by people.

    The file extension of --output sets the format of the figure: .svg, .png or .pdf. Without --output, st-agree plot
    writes SVG to standard output. Without --kind, st-agree plot reads the results of one statistic of st-agree, and
    draws a panel for each value of the statistic's option --each. Results of `st-agree errors` are drawn as a heat map
    of the errors that methods have in common, results of `runs` as a violin plot of each method's correlation
    coefficients, and results of `efficiency` as a plot of correlation coefficients with their intervals against the
    tokens per rating. Results of `st-agree correlate`, `pairwise`, `mean` and `bias` are drawn as a forest plot. The
    text alternative of an SVG image contains the plotted numbers. st-agree plot needs matplotlib: pip install
    "scholartools[plot]".
    """
    from scholartools.tasks.agree.figures import Results

    take_statistics(stream)
    kind = format_of(stream.output)
    if options["data"] in ("-", "/dev/stdout") and stream.output in (None, "-", "/dev/stdout"):
        raise UsageFault("the figure already uses standard output", parameter="data")
    if options["kind"]:
        return _plot_records(stream, kind, options)
    for name in sorted(explicit_options() & {*_OF_RECORDS}):
        raise UsageFault("needs --kind: without --kind, st-agree plot draws results of st-agree", parameter=name)
    results = Results(options["measure"])
    return stream.reduce_records(results.add, lambda _: _save(stream, results.panels(), kind, options))


def format_of(output: str | None) -> Format:
    """Format by the extension of the output path; SVG for standard output.

    Raises:
        UsageFault: the extension is not that of a format.
    """
    if output in (None, "-", "/dev/stdout"):
        return "svg"
    name = str(output).lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    for kind in _FORMATS:
        if name.endswith(f".{kind}"):
            return kind
    raise UsageFault(f"{output} does not end in .svg, .png or .pdf", parameter="output")


def _plot_records(stream: Stream, kind: Format, options: dict[str, Any]) -> int:
    """Plot the scores in the records."""
    from scholartools.tasks.agree.figures import pair_panels
    from scholartools.tasks.agree.run import Run

    of = tuple(path for path in options["y"] if "=" in path) if options["kind"] == "reliability" else ()
    columns, how = column_source({**options, "of": of}, options["x"]), resampling_of(options)
    panels: list[Panel] = []

    def draw() -> list[Any]:
        panels.extend(
            pair_panels(columns, options["x"], options["y"], options["kind"], how, options["measure"], options["bins"])
        )
        return []

    run = Run(columns, draw)

    def finish(failed: int) -> bytes:
        run.finish(failed)
        for note in columns.notes():
            stream.tell(note)
        return _save(stream, panels, kind, options)

    return stream.reduce_records(columns.add, finish)


def _save(stream: Stream, panels: list[Panel], kind: Format, options: dict[str, Any]) -> bytes:
    """Write the plotted data to the path of ``--data``, and return the contents of the figure's file."""
    from scholartools import io
    from scholartools.tasks.agree.figures import compose

    width = int(options["width"])
    drawing = compose(panels, width, options["columns"] or (1 if width < 100 else 2))
    made = drawing.save(kind)
    if options["data"]:
        with io.open_output(options["data"]) as output:
            for panel in panels:
                for record in panel.records():
                    output.write(record)
    for notice in drawing.notices:
        stream.tell(notice)
    return made
