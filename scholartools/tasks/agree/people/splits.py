"""Split rows by group, so that fits are evaluated on held-out groups."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.errors import InputFault
from scholartools.paths import Name, name_sort_key
from scholartools.signature import fingerprint
from scholartools.tasks.agree.columns import Row, Table


def split_rows(rows: Sequence[Row], shares: Sequence[float], seed: int) -> list[list[Row]]:
    """Split rows into parts; a row's group is its cluster, or its item if it has no cluster.

    Groups are ordered by a hash of the seed and their name, so that the split depends on neither order nor scores.

    Args:
        rows: rows with an item or a cluster.
        shares: share of the groups for each part but the last, each above 0 and in total below 1.
        seed: random seed of the order.

    Raises:
        InputFault: a part would have no groups.
    """
    groups = sorted({_group_of(row) for row in rows}, key=lambda name: (fingerprint([seed, name]), name_sort_key(name)))
    ends = [0, *(round(sum(shares[: i + 1]) * len(groups)) for i in range(len(shares))), len(groups)]
    if any(end <= start for start, end in zip(ends, ends[1:], strict=False)):
        found = f"there {'is only 1 group' if len(groups) == 1 else f'are only {len(groups)} groups'} of items"
        raise InputFault(f"{found}, too few for a split into {len(shares) + 1} parts: each part needs a group")
    of = {name: i for i in range(len(shares) + 1) for name in groups[ends[i] : ends[i + 1]]}
    return [[row for row in rows if of[_group_of(row)] == i] for i in range(len(shares) + 1)]


def complete_pairs(part: Table, rows: Sequence[Row], x: str, y: str) -> list[tuple[float, float]]:
    """The pairs of numbers of rows that have both."""
    pairs = [(part.number(row, x), part.number(row, y)) for row in rows]
    return [(one, other) for one, other in pairs if one is not None and other is not None]


def group_names(rows: Sequence[Row]) -> list[Name]:
    """The group of each row."""
    return [_group_of(row) for row in rows]


def _group_of(row: Row) -> Name:
    name = row.item if row.cluster is None else row.cluster
    if name is None:
        raise ValueError("a row has neither item nor cluster")
    return name
