"""SQL statements for SQLite and PostgreSQL; ``?`` is the placeholder for values."""

from __future__ import annotations

_COLUMNS = ("key", "model", "prompt", "created", "prompt_tokens", "completion_tokens", "cost", "reply", "request")
# Upper bounds: impossible counts and times, from bundles of other versions, are ignored because their sums overflow.
LAST_SECOND = 253_402_300_799
_MOST_TOKENS = 2**40
# Maximum number of values in one list.
MANY = 500


class Statements:
    """Statements over the tables ``calls`` (usable replies) and ``unserved`` (unusable replies).

    Attributes:
        number: column with the order of insertion.
        now: expression for the seconds since 1970, by the clock of the database.
        both: subquery of the rows of both tables without their texts, with a column ``served`` for the table.
        reply_of: statement for the key and reply of the call under one key.
        last: clause that selects the row inserted last.
    """

    def __init__(self, number: str, now: str, prefix: str = "") -> None:
        """``prefix`` is prepended to the name of each table."""
        self.number, self.now, self._prefix = number, now, prefix
        self.tables = {name: self.name_of(name) for name in ("calls", "unserved")}
        short = f"key, model, prompt, created, prompt_tokens, completion_tokens, cost, {number} AS number"
        self.both = (
            f"(SELECT {short}, TRUE AS served FROM {self.tables['calls']} "
            f"UNION ALL SELECT {short}, FALSE AS served FROM {self.tables['unserved']}) AS replies"
        )
        self.reply_of = self.replies_of(1)
        self.last = f"ORDER BY {number} DESC LIMIT 1"

    def name_of(self, table: str) -> str:
        """Qualified name of a table."""
        return f"{self._prefix}{table}"

    def insert(self, table: str, replace: bool) -> str:
        """Statement that inserts a row; an earlier row under the same key is replaced or kept."""
        names, values = ", ".join(_COLUMNS), ", ".join("?" * len(_COLUMNS))
        made = f"INSERT INTO {self.tables[table]} ({names}) VALUES ({values})"
        if table == "unserved" or not replace:
            return f"{made} ON CONFLICT DO NOTHING"
        return f"{made} ON CONFLICT (key) DO UPDATE SET " + ", ".join(
            f"{name} = excluded.{name}" for name in _COLUMNS[1:]
        )

    def entries(self, table: str) -> str:
        """Statement for key, prompt, request and reply of rows."""
        return f"SELECT key, prompt, request, reply FROM {self.tables[table]}"

    def all_entries(self, table: str) -> str:
        """The same for all rows, unusable replies in the order of insertion."""
        return self.entries(table) + (f" ORDER BY {self.number}" if table == "unserved" else "")

    def replies_of(self, count: int) -> str:
        """Statement for key and reply of the calls under ``count`` keys."""
        return f"SELECT key, reply FROM {self.tables['calls']} WHERE key IN ({', '.join('?' * count)})"

    @property
    def sums(self) -> str:
        """Columns with the counts and sums over the rows of :attr:`both`; unknown values are skipped."""
        tokens = (
            f"CAST(sum(CASE WHEN {name} BETWEEN 0 AND {_MOST_TOKENS} THEN {name} END) AS bigint)"
            for name in ("prompt_tokens", "completion_tokens")
        )
        known = "cost BETWEEN 0 AND 1e9"
        times = f"CASE WHEN created BETWEEN 0 AND {LAST_SECOND} THEN created END"
        return ", ".join(
            [
                "count(CASE WHEN served THEN 1 END)",
                "count(CASE WHEN NOT served THEN 1 END)",
                *tokens,
                f"sum(CASE WHEN {known} THEN cost END)",
                f"count(CASE WHEN cost IS NULL OR NOT {known} THEN 1 END)",
                f"min({times})",
                f"max({times})",
            ]
        )
