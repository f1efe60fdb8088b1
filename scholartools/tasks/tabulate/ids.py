"""Check record ids, by which tables are joined: duplicates and near-duplicates."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.paths import as_json
from scholartools.records import Record, name_of
from scholartools.tasks.shared.blanks import fold_writing
from scholartools.tasks.tabulate.descriptions import Table
from scholartools.tasks.tabulate.results import Results
from scholartools.wording import share_of

# Maximum ids shown in a note.
_MOST_SHOWN = 5


class Ids:
    """The ids of the records of a table; only hashes are stored, since there may be millions."""

    def __init__(self, table: Table | Results | None = None) -> None:
        """``table``: table of the records; tables of results may have no ids. None: tables of papers."""
        self._has_ids = not isinstance(table, Results) or table.columns[0].heading == "id"
        self._known: set[int] = set()
        self._first: dict[int, int] = {}
        self._n = self._n_repeated = self._n_alike = 0
        self._repeated: dict[str, None] = {}
        self._alike: dict[str, None] = {}

    def add(self, record: Record) -> None:
        """Add the id of a record; records without an id are skipped."""
        name = name_of(record, "id") if self._has_ids else None
        if name is None:
            return
        own, folded = hash(name), hash(fold_writing(name))
        self._n += 1
        if own in self._known:
            self._n_repeated += 1
            if len(self._repeated) <= _MOST_SHOWN:
                self._repeated[as_json(name)] = None
        elif self._first.setdefault(folded, own) != own:
            self._n_alike += 1
            if len(self._alike) <= _MOST_SHOWN:
                self._alike[as_json(name)] = None
        self._known.add(own)

    def notes(self) -> Iterator[str]:
        """Notes on ids that make joins unreliable."""
        if self._n_repeated:
            told = share_of(self._n_repeated, self._n, "record", "have")
            yield f"{told} the id of an earlier record, and a join by id confuses them: {_show(self._repeated)}"
        if self._n_alike:
            is_like = share_of(self._n_alike, self._n, "record", "have")
            told = f"{is_like} an id that looks like an earlier one but differs from it"
            yield f"{told} in white space, case, Unicode form or number format: {_show(self._alike)}"


def _show(names: dict[str, None]) -> str:
    shown = list(names)
    return ", ".join(shown[:_MOST_SHOWN]) + " ..." * (len(shown) > _MOST_SHOWN)
