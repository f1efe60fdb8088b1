"""st-fetch merge: merge records of the same paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.commands.shared.command import command
from scholartools.errors import InputFault

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream
    from scholartools.records import Record


@command(
    "st-fetch merge",
    shards=False,
    examples=[
        (
            "cat cited.jsonl citing.jsonl | st-fetch merge > corpus.jsonl",
            "Merge two lists of papers, so that each paper occurs once.",
        ),
        (
            "st-fetch merge papers.jsonl | jq 'select(.same_as) | .id'",
            "Print the ids of papers of which other records are, or may be, copies.",
        ),
    ],
)
def merge(stream: Stream) -> int:
    """Merge records of the same paper: copies from several services, preprint and published paper, versions.

    Records are merged if they share an id, or if title, first author and year agree and no ids conflict. The merged
    record has the title, venue and year of the published version. If it is uncertain whether two records are of the
    same paper, both are kept, each with `same_as` and a warning. st-fetch merge keeps all records in memory. st-fetch
    merge sends no request.
    """
    from scholartools.tasks.fetch.merging import is_unnamed
    from scholartools.tasks.fetch.merging import merge as merge_records

    records: list[Record] = []

    def finish(n_failed: int) -> list[Record]:
        made, problems = merge_records(records)
        n_bare = sum(map(is_unnamed, records))
        if n_bare:
            reason = "neither a title nor an identifier"
            if n_bare == len(records):
                raise InputFault(f"all {n_bare} records have {reason}: they are no papers", kind="missing-key")
            stream.tell(f"{n_bare} of {len(records)} records have {reason} and are not merged with others")
        undecided = f"; for {len(problems)} pairs of records it is undecided whether they are one paper"
        stream.tell(f"{len(records)} records of {len(made)} papers{undecided if problems else ''}")
        return made

    return stream.reduce_records(records.append, finish, keep_failed=True)
