"""st-judge pools: assign records to the pools that batcheval rates together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.options import option, seed_option

if TYPE_CHECKING:
    from scholartools.io import Record
    from scholartools.pipeline.stream import Stream


@command(
    "st-judge pools",
    shards=False,
    examples=[
        (
            "st-judge pools questions.jsonl --size 40 | st-judge rate --method batcheval --batch-by pool --dry-run",
            "Draw random pools of 40 records, and estimate the cost of rating each pool together.",
        ),
        (
            "st-judge pools questions.jsonl --size 100000 > whole.jsonl",
            "Put all records of the file into one pool, as in the publication of batcheval.",
        ),
    ],
)
@option("--size", metavar="N", type=click.IntRange(min=1), required=True, help="Number of records in each pool.")
@seed_option("Random seed for drawing the pools (groups of records).")
@option(
    "--key",
    metavar="KEY",
    default="pool",
    show_default=True,
    help="Record key to which the name of the record's pool (the group that is rated together) is written.",
)
def pools(stream: Stream, size: int, seed: int, key: str) -> int:
    """Assign records at random to pools: groups of records that the method batcheval rates together (st-judge rate
    --batch-by KEY).

    st-judge pools writes the records pool by pool, each with the name of its pool at KEY. Only the seed and the records
    determine the pools, not the order of the input. st-judge pools holds all records in memory. A record that already
    has the key KEY is written last, without a pool and with the reason under `errors`, and the exit status is 1.
    """
    from scholartools.tasks.judge.rate.pools import check_key, draw_pools

    records: list[Record] = []

    def add(record: Record) -> None:
        check_key(record, key)
        records.append(record)

    def finish(_: int) -> Any:
        return draw_pools(records, size, seed, key)

    return stream.reduce_records(add, finish, keep_failed=True)
