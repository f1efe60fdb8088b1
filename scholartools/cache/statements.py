"""The statements of SQL that SQLite and PostgreSQL both know; ``?`` stands for a value."""

from __future__ import annotations

_COLUMNS = ("key", "model", "prompt", "created", "prompt_tokens", "completion_tokens", "cost", "reply", "request")
# Counts and times that no reply has, of another version's bundle, are not known: sums of such overflow.
LAST_SECOND = 253_402_300_799
_MOST_TOKENS = 2**40
# Values in one list, at most.
MANY = 500


class Statements:
    """Statements over the tables ``calls`` (replies that are served) and ``unserved`` (others).

    Attributes:
        number: the column that tells the order in which rows came.
        now: seconds since 1970, by the clock of whoever runs the statement.
        both: rows of both tables without their texts, and whether they are ``served``.
        reply_of: key and reply of the call under one key.
        last: an ending that leaves the row that came last.
    """

    def __init__(self, number: str, now: str, prefix: str = "") -> None:
        """``prefix`` comes before the name of each table."""
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
        """The name by which a statement calls a table."""
        return f"{self._prefix}{table}"

    def insert(self, table: str, replace: bool) -> str:
        """Add a row of all columns; an earlier one under its key is replaced, or stays."""
        names, values = ", ".join(_COLUMNS), ", ".join("?" * len(_COLUMNS))
        made = f"INSERT INTO {self.tables[table]} ({names}) VALUES ({values})"
        if table == "unserved" or not replace:
            return f"{made} ON CONFLICT DO NOTHING"
        return f"{made} ON CONFLICT (key) DO UPDATE SET " + ", ".join(
            f"{name} = excluded.{name}" for name in _COLUMNS[1:]
        )

    def entries(self, table: str) -> str:
        """Key, prompt, request and reply of rows."""
        return f"SELECT key, prompt, request, reply FROM {self.tables[table]}"

    def all_entries(self, table: str) -> str:
        """The same of all rows, of replies that are not served in the order in which they came."""
        return self.entries(table) + (f" ORDER BY {self.number}" if table == "unserved" else "")

    def replies_of(self, count: int) -> str:
        """Key and reply of the calls under so many keys."""
        return f"SELECT key, reply FROM {self.tables['calls']} WHERE key IN ({', '.join('?' * count)})"

    @property
    def sums(self) -> str:
        """Columns that count rows of :attr:`both`, and add up what is known of them."""
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
