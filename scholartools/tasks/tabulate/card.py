"""The card of a data set: a README.md for the Hugging Face Hub, with the configuration of the data viewer."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scholartools import __version__
from scholartools.parameters import parameter
from scholartools.table_files.formats import Column
from scholartools.table_files.text_out import Markdown, text_of
from scholartools.terminal import printable
from scholartools.wording import count_of

#: Columns of the table `provenance` that identify a run.
RUNS = ("command", "task", "version", "method", "model", "signature", "options", "parameters")

#: Function of a command, its task and option values; returns command line options, and those it cannot express.
SpellOptions = Callable[[str, str | None, Mapping[str, Any]], tuple[list[str], list[str]]]

# Maximum rows of a list in the card; the tables are complete.
_MOST = 100
# Characters that are safe in a shell line within a Markdown code block.
_IS_PLAIN = re.compile(r"[A-Za-z0-9_./:@+=,-]+")
_INPUT = re.compile(r"(?<= )input=\S+")
_SAMPLES = re.compile(r"(?<= )samples=(\d+)")
_TYPES = {
    "text": "text", "integer": "integer of 64 bits", "number": "float", "boolean": "boolean", "texts": "list of texts",
    "json": "JSON, as text",
}  # fmt: skip


def run_of(row: Sequence[Any]) -> tuple[Any, ...]:
    """Identify the run of a row of the columns :data:`RUNS`, independently of the input fingerprint."""
    return tuple(
        _INPUT.sub("input=...", cell or "") if name == "signature" else cell
        for name, cell in zip(RUNS, row, strict=True)
    )


class Config(NamedTuple):
    """A table: name, meaning of a row, columns, and number of rows per split."""

    name: str
    about: str
    columns: Sequence[Column]
    n_rows: Sequence[int]


class Bundle(NamedTuple):
    """A bundle of calls: file name, number of calls; calls used by the records, and how many of these it lacks."""

    name: str
    n_calls: int
    n_used: int
    n_missing: int


@dataclass
class Told:
    """Contents of a card.

    Attributes:
        license_key, split_key, names: arguments of the command.
        spell: function that writes the options of a run.
        splits: names, in the order of the counts in ``tables``.
        n_records: number of records in the tables.
        n_failed: number of input records that are missing in the tables.
        n_with_errors: number of records in the tables with an error of an earlier command.
        licenses: number of records by licence; None: unspecified.
        runs: number of records by run, identified by :data:`RUNS`.
    """

    license_key: str
    split_key: str | None
    names: Sequence[str]
    spell: SpellOptions
    splits: Sequence[str] = ()
    tables: list[Config] = field(default_factory=list)
    n_records: int = 0
    n_failed: int = 0
    n_with_errors: int = 0
    licenses: Counter[str | None] = field(default_factory=Counter)
    runs: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    bundle: Bundle | None = None


def text(told: Told) -> str:
    """Render the card. Texts of records only occur in table cells, and are escaped."""
    parts = (_front(told), _head(told), _licenses(told), _runs(told), _repeat(told), _columns(told))
    return "\n".join("".join(part) for part in parts)


def _front(told: Told) -> Iterator[str]:
    """YAML front matter; its values are quoted and contain no special characters."""
    yield "---\nconfigs:\n"
    for place, table in enumerate(told.tables):
        yield f"- config_name: {json.dumps(table.name)}\n"
        yield "" if place else "  default: true\n"
        yield "  data_files:\n"
        for split, count in zip(told.splits, table.n_rows, strict=True):
            if not count:
                continue
            path = f"data/{table.name}/{split}.parquet"
            yield f"  - split: {json.dumps(split)}\n    path: {json.dumps(path)}\n"
    yield "---\n"


def _head(told: Told) -> Iterator[str]:
    yield f"# Tables of {count_of(told.n_records, 'record')} of papers\n\n"
    yield f"Written by `st-table dataset` of scholartools {__version__}. "
    yield "Each table is a configuration, of Parquet files.\n\n"
    if told.n_failed:
        yield f"Not in it: {count_of(told.n_failed, 'record')} of the input that could not be read or written.\n\n"
    if told.n_with_errors:
        yield f"An earlier command failed, wholly or in part, on {count_of(told.n_with_errors, 'record')} in it.\n\n"
    counts = [Column(split, "integer", "") for split in told.splits]
    columns = [Column("table", "text", ""), Column("a row is", "text", ""), *counts]
    yield "Rows of each table, by split:\n\n"
    yield from _table(columns, [[table.name, table.about, *table.n_rows] for table in told.tables])


def _licenses(told: Told) -> Iterator[str]:
    said = sorted((name, count) for name, count in told.licenses.items() if name is not None)
    n_unsaid = told.licenses[None]
    yield "## Licences of the papers\n\n"
    yield f"Records that say the licence of their paper: {told.n_records - n_unsaid} of {told.n_records}. "
    yield f"Records that do not say it: {n_unsaid}; nothing is assumed of these. "
    yield "The table `licenses` has what each record says. "
    yield "This says nothing of the licence of the data set itself.\n"
    if said:
        yield "\n"
        yield from _table([Column("licence", "text", ""), Column("records", "integer", "")], said[:_MOST])
        yield _more(len(said), "licence", "licenses")


def _runs(told: Told) -> Iterator[str]:
    yield "## How it was made\n\n"
    if not told.runs:
        yield "The records do not say which commands made them.\n"
        return
    yield "The commands that the records name, with all options that change a result, as resolved. In signatures the "
    yield "part `input` is `input=...` here, for it is another one for each record; all else of them is as it is.\n\n"
    found = sorted(told.runs.items(), key=lambda one: [text_of(cell or "") for cell in one[0]])
    columns = [*(Column(name, "text", "") for name in RUNS), Column("records", "integer", "")]
    yield from _table(columns, [[*run, count] for run, count in found[:_MOST]])
    yield _more(len(found), "run", "provenance" if any(one.name == "provenance" for one in told.tables) else "")


def _repeat(told: Told) -> Iterator[str]:
    keys = [("split", told.split_key), ("license", told.license_key if told.license_key != "license" else None)]
    options = [parameter(name, _plain(key, "KEY")) for name, key in keys if key is not None]
    options += [parameter("bundle", told.bundle.name)] if told.bundle is not None else []
    line = " ".join(["st-table dataset", *told.names, *options, parameter("output", "FOLDER"), "records.jsonl"])
    yield f"From the records these files are made by\n\n```sh\n{line}\n```\n"
    if told.bundle is None:
        return
    found = told.bundle
    yield f"\n`{found.name}` holds {count_of(found.n_calls, 'call')} of models. "
    yield f"{found.n_used - found.n_missing} of the {count_of(found.n_used, 'call')} that the records name are in it"
    yield ". With it the records are made again from the papers without a key and without a network: each command with "
    yield f"the options that are not its defaults, and with `{parameter('replay', True)}`, which takes the replies "
    yield (
        "from there:\n\n"
        if not found.n_missing
        else "from there; where a reply is missing the run ends and says so:\n\n"
    )
    yield f"```sh\nexport ST_CACHE=calls\nst-cache import {found.name}\n"
    runs = {_asked(run) for run in told.runs if run[4]}
    for command, task, model, values in sorted(runs, key=lambda run: [text_of(one) for one in run])[:_MOST]:
        names = [_plain(name, "COMMAND") for name in (command, task) if name]
        given, unknown = told.spell(command, task, json.loads(values))
        asked = [parameter("model", _plain(model, "MODEL")), *given, parameter("replay", True)]
        if unknown:
            yield f"# If the run had {' or '.join(unknown)}, add it; the table above may write its value otherwise.\n"
        yield f"{' '.join([*names, *asked])} FILE\n"
    yield "```\n\nFILE is the input that the command had. Compare the output with the records of this data set.\n"


def _asked(run: tuple[Any, ...]) -> tuple[str, str, str, str]:
    """Command, task and model of a run, and its option values as JSON."""
    command, task, _, _, model, signature, options, parameters = run
    values = {**json.loads(parameters or "{}"), **json.loads(options or "{}")}
    if samples := _SAMPLES.search(signature or ""):
        values["samples"] = int(samples[1])
    return command, task or "", model, json.dumps(values)


def _columns(told: Told) -> Iterator[str]:
    yield "## Columns\n\nNull is no value, or a key that a record does not have. "
    yield "The path is where a value stands in a record.\n"
    names = [Column(name, "text", "") for name in ("column", "type", "path", "what it is")]
    for table in told.tables:
        yield f"\n### {table.name}\n\nA row is {table.about}.\n\n"
        rows = [[one.heading, _TYPES[one.kind], one.path, one.note] for one in table.columns]
        yield from _table(names, rows)


def _table(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    made = Markdown(columns)
    yield made.head()
    yield made.add([[printable(text_of(one)) if isinstance(one, str) else one for one in row] for row in rows])


def _more(count: int, noun: str, table: str) -> str:
    where = f", in the table `{table}`" if table else ""
    return f"\nAnd {count_of(count - _MOST, f'more {noun}')}{where}.\n" if count > _MOST else ""


def _plain(word: str, name: str) -> str:
    """A word quoted for the shell, or a placeholder if it is unsafe on a page."""
    return shlex.quote(word) if _IS_PLAIN.fullmatch(word) else name
