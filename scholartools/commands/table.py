"""st-table: write a list in records as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option
from scholartools.parameters import parameter
from scholartools.table_files.formats import BINARIES, TEXTS

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

# Parameters for a single table, and parameters for data sets.
_OF_TABLES = (
    "kind", "columns", "where", "sort", "wide", "keys", "eu", "null", "utf16", "caption", "label", "digits",
    "width", "interval", "best",
)  # fmt: skip
_OF_DATASETS = ("split", "license", "bundle")
# Types of options whose values are recorded in the provenance as typed on the command line.
_PLAIN = (click.Choice, click.IntRange, click.FloatRange, click.types.BoolParamType)


@command(
    "st-table",
    shards=False,
    arguments="NAME [FILE]...",
    examples=[
        ("st-table list", "List the tables, and what a row of each table means."),
        (
            "st-parse papers/*.pdf | st-table references > references.csv",
            "Write the bibliographies of some papers as CSV.",
        ),
        ("st-table dataset --output data --split part papers.jsonl", "Write all tables as a data set to share."),
        (
            "st-table limitations --output limitations.tsv papers.jsonl",
            "Write a TSV file that a spreadsheet program reads.",
        ),
    ],
)
@option(
    "--to", "kind", type=click.Choice([*TEXTS, *BINARIES]),
    help="Format of the table (default: the one that the extension of --output indicates, else csv).",
)  # fmt: skip
@option(
    "--columns", metavar="A,B,...", help="Columns to write to the table, in the given order (default: all columns)."
)
@option(
    "--where", metavar="KEY=VALUE", multiple=True,
    help=(
        "Write only rows whose column KEY has the given VALUE. If --where is repeated, all conditions must hold."
),
)  # fmt: skip
@option(
    "--sort", metavar="COLUMN", multiple=True,
    help=(
        "Sort rows by COLUMN in ascending order, or by -COLUMN in descending order. If --sort is repeated, later "
        "columns order the rows with equal values in the earlier columns. Null values come last."
),
)  # fmt: skip
@option(
    "--wide", metavar="KEY=VALUE",
    help="Make the table wide: write a column for each value in the column KEY, filled with the values in the column "
    "VALUE.",
)  # fmt: skip
@option(
    "--keys",
    metavar="A,B,...",
    help="Record keys to include in the table `long`, which has a row for each of these keys of each record.",
)
@option(
    "--eu", is_flag=True,
    help="Write CSV for spreadsheet programs with decimal commas: with semicolons, a byte order mark, and an "
        "apostrophe before texts that look like formulas.",
)  # fmt: skip
@option("--null", metavar="TEXT", help="Text to write for a null value in CSV, TSV, Markdown and LaTeX.")
@option("--utf16", is_flag=True, help="Add character offsets in UTF-16 units beside the offsets in code points.")
@option("--caption", metavar="TEXT", help="Caption of a LaTeX table.")
@option(
    "--label", metavar="NAME", help="Label of a LaTeX table, by which the text of the paper can refer to the table."
)
@option(
    "--split",
    metavar="KEY",
    help="For st-table dataset: record key that holds the split, such as train or test (default: all records are in "
    "`train`).",
)
@option(
    "--license",
    metavar="KEY",
    help="For st-table dataset: record key that holds the licence of the paper (default: license).",
)
@option(
    "--bundle",
    metavar="FILE",
    help="For st-table dataset: copy FILE, a file of stored model calls from st-cache export, into the folder, "
    "so that others can repeat the run.",
)
@option(
    "--digits",
    metavar="N",
    type=click.IntRange(0, 15),
    help="Number of decimals of numbers in LaTeX and Markdown tables.",
)
@option(
    "--width", metavar="N", type=click.IntRange(2), help="Shorten texts to N characters in LaTeX and Markdown tables."
)
@option(
    "--interval", is_flag=True, help="In LaTeX and Markdown tables, write the confidence interval after each number."
)
@option(
    "--best", metavar="COLUMN=SIDE", multiple=True,
    help="In LaTeX and Markdown tables, print the best numbers of COLUMN in bold; SIDE says which numbers are best: "
        "high or low. May be repeated.",
)  # fmt: skip
def main(
    stream: Stream, kind: str | None, columns: str | None, where: tuple[str, ...], sort: tuple[str, ...], eu: bool,
    null: str | None, caption: str | None, label: str | None, digits: int | None, utf16: bool, wide: str | None,
    keys: str | None, split: str | None, license: str | None, bundle: str | None, width: int | None, interval: bool,
    best: tuple[str, ...],
) -> int:  # fmt: skip
    """Write one list in the records (such as the references) as a table, with a row for each item of the list.

    NAME is the name of a table. `st-table list` lists the tables, and `st-table columns NAME` lists the columns of one
    table. The first column of each table, `id`, is the id of the paper. `st-table dataset [NAME]...` writes the named
    tables (default: all tables that have rows) into the folder --output, for the Hugging Face Hub. In CSV, an empty
    cell means null or a missing key, `""` is an empty text, and lists and objects are written as JSON. docs/tables.md
    describes the other formats, and has examples.
    """
    from scholartools import io
    from scholartools.errors import UsageFault
    from scholartools.paths import parse_conditions
    from scholartools.table_files.formats import Style
    from scholartools.tasks.tabulate import listing, writing
    from scholartools.tasks.tabulate.results import ALL, long_table

    name, *files = stream.files or ("",)
    _refuse_others(name)
    if name == "dataset":
        stream.files = tuple(files)
        return _write_dataset(stream, split, license or "license", bundle)
    if name not in (*ALL, "list", "columns"):
        other = f', not "{name}"' if name else ""
        raise UsageFault(f"the first argument must name a table{other}: st-table list shows the names")
    if (name == "long") != bool(keys):
        raise UsageFault("--keys needs the table long, and the table long needs --keys")
    stream.files = tuple(files)
    if name in ("list", "columns"):
        with io.open_output(stream.output) as output:
            output.write(listing.tables(files) if name == "list" else listing.columns(files))
        return 0
    writer = writing.writer(
        long_table(_names(keys)) if keys else ALL[name], kind, stream.output, _names(columns), parse_conditions(where),
        style=Style(null, eu, caption, label, digits, width, interval), order=sort, with_utf16=utf16, each=wide,
        best=best,
    )  # fmt: skip
    status = stream.write_with(writer)
    if status in (0, 1):
        writer.write_description(stream.output)
    for note in writer.notes() if status in (0, 1) else ():
        stream.tell(note)
    return status


def _refuse_others(name: str) -> None:
    """Reject options of tables for ``st-table dataset``, and options of data sets otherwise.

    Raises:
        UsageFault: such an option is on the command line.
    """
    from scholartools.errors import UsageFault

    context = click.get_current_context()
    for one in _OF_TABLES if name == "dataset" else _OF_DATASETS:
        if context.get_parameter_source(one) is click.core.ParameterSource.COMMANDLINE:
            reason = (
                "it has no effect on st-table dataset, which writes whole tables as Parquet"
                if name == "dataset"
                else "it is an option of st-table dataset only"
            )
            raise UsageFault(reason, parameter="to" if one == "kind" else one)


def _write_dataset(stream: Stream, split: str | None, license: str, bundle: str | None) -> int:
    from scholartools import io
    from scholartools.tasks.tabulate.dataset import DatasetWriter
    from scholartools.tasks.tabulate.descriptions import TABLES

    names = dict.fromkeys(stream.take_names(TABLES, "table of papers"))
    writer = DatasetWriter(list(names), split, license, bundle, _spell_options)
    status = stream.write_with(writer, io.new_folder(stream.output, "data set"))
    for note in writer.notes() if status in (0, 1) else ():
        stream.tell(note)
    return status


def _spell_options(command: str, task: str | None, values: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Options of a run that differ from their defaults, as typed, and names of options whose typed form is unknown."""
    from scholartools.commands.shared.man import COMMANDS, load_command

    name = command.removeprefix("st-").replace("-", "_")
    made: click.Command | None = load_command(name) if name in COMMANDS else None
    if task and isinstance(made, click.Group):
        made = made.commands.get(task)
    given, unknown = [], []
    for one in made.params if made is not None else ():
        value = values.get(one.name or "")
        if value is None or value in (one.default, [one.default]) or one.name == "model":
            continue
        if isinstance(value, (list, dict)) or not isinstance(one.type, _PLAIN):
            unknown.append(parameter(str(one.name)))
        else:
            given.append(parameter(str(one.name), value))
    return given, unknown


def _names(columns: str | None) -> list[str]:
    return [name.strip() for name in columns.split(",")] if columns else []
