"""Export tables as a data set folder: Parquet files by table and split, a card, and the calls of the run."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scholartools import io
from scholartools.cache import Cache, bundle, packing
from scholartools.errors import InputFault, UsageFault
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record, name_of
from scholartools.table_files import columnar_out
from scholartools.table_files.formats import Column
from scholartools.tasks.tabulate import card
from scholartools.tasks.tabulate.descriptions import TABLES, Table
from scholartools.tasks.tabulate.ids import Ids
from scholartools.tasks.tabulate.rows import Row, Rows
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

# Valid names of splits in paths of the Hub; `datasets` uses "all" for all splits.
_IS_SPLIT = re.compile(r"(?!all\Z)[A-Za-z0-9_]{1,64}")
# Each split of each table keeps a file open.
_MOST_SPLITS = 16


class DatasetWriter:
    """Writes the tables of records to a folder; used with :meth:`Stream.write_with`."""

    def __init__(
        self, names: Sequence[str], split: str | None, license: str, calls: str | None, spell: card.SpellOptions
    ) -> None:
        """Prepare the tables.

        Args:
            names: names of the tables; empty: all. Tables without rows are not written.
            split: path of the split name in a record; None: a single split "train".
            license: path of the licence in a record.
            calls: a bundle of calls to verify and copy; None: none.
            spell: function that writes the options of a run, for the instructions to reproduce it.

        Raises:
            UsageFault: pyarrow is not installed.
        """
        self._folder = Path()
        self._names, self._split, self._license, self._bundle = names, split, license, calls
        self._tables: Sequence[Table] = [TABLES[name] for name in names] or list(TABLES.values())
        # A record that any table rejects must have rows in none, so the rows are first made by objects whose counts are
        # discarded.
        self._trial = [Rows(table) for table in self._tables]
        self._rows = [Rows(table) for table in self._tables]
        self._runs = Rows(TABLES["provenance"], card.RUNS)
        self._ids = Ids()
        self._files: dict[tuple[str, str], columnar_out.Parquet] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._splits: dict[str, None] = {} if split else {"train": None}
        self._told = card.Told(license_key=license, split_key=split, names=names, spell=spell)
        self._calls: _Calls | None = None
        self._of_licenses = [  # the schema of records has no key for licences
            Column("id", "text", "id", "of the paper's record"),
            Column("license", "text", license, "what the record says of the paper's licence; null: it does not say it"),
        ]
        columnar_out.schema_of("licenses", self._of_licenses)  # raises if the library is missing

    def begin(self, output: Path) -> None:
        """Verify and copy the bundle into the folder.

        Raises:
            UsageFault: it cannot be opened.
            InputFault: it is no bundle, or damaged.
        """
        self._folder = output
        self._calls = _Calls(output, self._bundle) if self._bundle is not None else None

    def make(self, record: Record) -> Record:
        """Check that all rows of a record can be written.

        Raises:
            InputFault: a row cannot be written, the split is missing, or the licence is not text.
        """
        self._split_of(record)
        self._license_of(record)
        self._runs.of(record)
        for rows in self._trial:
            for row in rows.of(record):
                columnar_out.check(rows.columns, row)
        if self._calls is not None:
            self._calls.check(record)
        return record

    def write(self, output: object, record: Record) -> None:
        """Write the rows of a record.

        Raises:
            UsageFault: there are too many splits.
        """
        split, license = self._split_of(record), self._license_of(record)
        self._splits.setdefault(split)
        if len(self._splits) > _MOST_SPLITS:
            reason = f"more than {_MOST_SPLITS} values: a split is one of few parts, like train and test"
            raise UsageFault(reason, parameter="split")
        told = self._told
        told.n_records += 1
        self._ids.add(record)
        told.n_with_errors += bool(record.get("errors"))
        told.licenses[license] += 1
        told.runs.update({card.run_of(row) for row in self._runs.of(record)})
        self._add("licenses", self._of_licenses, split, [[name_of(record, "id"), license]])
        for table, rows in zip(self._tables, self._rows, strict=True):
            self._add(table.name, rows.columns, split, rows.of(record))
        if self._calls is not None:
            self._calls.add(record)

    def end(self, output: object, n_failed: int) -> None:
        """Write the files, the card last.

        Raises:
            InputFault: there were no records.
        """
        if not self._told.n_records:
            raise InputFault("there is no record for a data set", kind="missing-key")
        told, splits = self._told, list(self._splits)
        tables = [(table.name, table.about, rows.columns) for table, rows in self._with_rows()]
        tables.append(("licenses", "what a record says of its paper's licence", self._of_licenses))
        for name, about, columns in tables:
            (self._folder / "data" / name).mkdir(parents=True)
            for split in splits:  # `datasets` cannot load tables with an empty split
                if (name, split) in self._files:
                    with open(self._folder / "data" / name / f"{split}.parquet", "wb") as file:
                        file.writelines(self._files[name, split].tail())
            told.tables.append(card.Config(name, about, columns, [self._counts[name, split] for split in splits]))
        told.splits, told.n_failed = splits, n_failed
        if self._calls is not None:
            told.bundle = self._calls.told()
        (self._folder / "README.md").write_bytes(card.text(told).encode())

    def notes(self) -> Iterator[str]:
        """Notes for the user after all records."""
        tables = self._rows if self._names else [rows for _, rows in self._with_rows()]
        yield from dict.fromkeys(note for rows in tables for note in rows.notes())
        yield from self._ids.notes()
        told = self._told
        if count := told.licenses[None]:
            yield f'no licence is said at "{self._license}" by {count} of {count_of(told.n_records, "record")}'
        if told.bundle is not None and told.bundle.n_missing:
            calls = count_of(told.bundle.n_used, "call")
            yield f"the bundle lacks {told.bundle.n_missing} of the {calls} that made the records: see st-cache export"

    def _with_rows(self) -> Iterator[tuple[Table, Rows]]:
        """The tables with rows."""
        filled = {name for name, _ in self._counts}
        return ((table, rows) for table, rows in zip(self._tables, self._rows, strict=True) if table.name in filled)

    def _add(self, name: str, columns: Sequence[Column], split: str, rows: Sequence[Row]) -> None:
        if rows:
            if (name, split) not in self._files:
                self._files[name, split] = columnar_out.Parquet(name, columns)
            self._files[name, split].add(rows)
            self._counts[name, split] += len(rows)

    def _split_of(self, record: Record) -> str:
        if self._split is None:
            return "train"
        found = lookup(record, self._split)
        if found is ABSENT or found is None:
            raise InputFault(f'no "{self._split}", the key of the split', kind="missing-key")
        if not isinstance(found, str) or not _IS_SPLIT.fullmatch(found):
            reason = 'a split is named by at most 64 of A-Z, a-z, 0-9 and _, and not "all"'
            raise InputFault(f'"{self._split}": {reason}', kind="invalid-key")
        if other := next((one for one in self._splits if one != found and one.lower() == found.lower()), None):
            raise InputFault(
                f'"{self._split}": "{found}" and "{other}" are one file on some systems', kind="invalid-key"
            )
        return found

    def _license_of(self, record: Record) -> str | None:
        found = lookup(record, self._license)
        if found is ABSENT or found is None:
            return None
        if not isinstance(found, str):
            raise InputFault(f'"{self._license}", which names the licence, is not a text', kind="invalid-key")
        return found if found.strip() else None


class _Calls:
    """A bundle of calls next to the tables, and the calls that the records used."""

    def __init__(self, folder: Path, path: str) -> None:
        ending = next((one for one in (".gz", ".zst") if path.endswith(one)), "")
        self._name = f"calls.jsonl{ending}"
        with io.open_input(path, "bundle") as file, open(folder / self._name, "wb") as copy:
            shutil.copyfileobj(file, copy)
        with (
            tempfile.TemporaryDirectory() as place,
            Cache.open(Path(place) / "calls.sqlite") as cache,
            open(folder / self._name, "rb") as file,
        ):
            loaded = bundle.load(packing.iter_unpacked(file, path), cache, path)
            self._has = {entry.key for entry in cache.entries()}
        if loaded.refused:
            raise InputFault(loaded.reasons[0], kind="bundle")
        self._used: set[bytes] = set()

    def check(self, record: Record) -> None:
        """Check that the record's references to calls are valid keys."""
        for _ in bundle.iter_keys(record):
            pass

    def add(self, record: PaperRecord) -> None:
        """Count the calls of a record."""
        self._used.update(bundle.iter_keys(record))

    def told(self) -> card.Bundle:
        """Summary of the bundle for the card."""
        return card.Bundle(self._name, len(self._has), len(self._used), len(self._used - self._has))
