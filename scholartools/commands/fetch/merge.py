"""st-fetch merge: records of one paper made one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream
    from scholartools.records import Record


@command(
    "st-fetch merge",
    shards=False,
    examples=[
        ("cat cited.jsonl citing.jsonl | st-fetch merge > corpus.jsonl", "Each paper once, of two lists."),
        ("st-fetch merge papers.jsonl | jq 'select(.same_as) | .id'", "What has other copies, or may have."),
    ],
)
def merge(stream: Stream) -> int:
    """Make records of one paper one: copies of several services, preprint and published, versions.

    Copies are known by an id in common, or by title, first author and year where no ids contradict. Title, venue and
    year are those of the published copy. What may be one paper and is not for sure stays two records, each with
    `same_as` and a warning. All records are held in memory; nothing is sent.
    """
    from scholartools.tasks.fetch.merging import merge as merge_records

    records: list[Record] = []

    def finish(n_failed: int) -> list[Record]:
        made, problems = merge_records(records)
        stream.tell(f"{len(records)} records of {len(made)} papers; {len(problems)} pairs undecided")
        return made

    return stream.reduce_records(records.append, finish, keep_failed=True)
