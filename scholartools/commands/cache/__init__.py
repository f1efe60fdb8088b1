"""st-cache: stored replies of models.

- ``listing``: stats, list, show, path. ``bundles``: export, import, merge. ``upkeep``: prune, check, salvage.
- ``budgets``: budget. ``batches``: batch.
- ``options``: options shared by several actions.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-cache",
    __name__,
    {
        "stats": "Count calls, tokens and cost, in total and by model and prompt.",
        "list": "Write a record for each stored reply, oldest first.",
        "show": "Show one model call: its request and all replies.",
        "export": "Write stored model calls to a bundle, a file for `st-cache import`.",
        "import": "Copy model calls from bundles (files of calls) into the cache.",
        "merge": "Copy replies from other caches into this cache.",
        "prune": "Delete the stored replies that match all given options.",
        "check": "Count the intact and the damaged replies.",
        "salvage": "Copy the intact replies of a damaged cache to a new one.",
        "budget": "List or settle the cost limits that runs share.",
        "batch": "List, collect or cancel batches of requests to models.",
        "path": "Print the path or the address of the cache.",
    },
    modules={
        "stats": "listing",
        "list": "listing",
        "show": "listing",
        "path": "listing",
        "export": "bundles",
        "import": "bundles",
        "merge": "bundles",
        "prune": "upkeep",
        "check": "upkeep",
        "salvage": "upkeep",
        "budget": "budgets",
        "batch": "batches",
    },
    noun="action",
    help="""List, share and delete the stored replies of models.

    The cache is an SQLite file in $ST_CACHE, else in $XDG_CACHE_HOME/scholartools, else in ~/.cache/scholartools. If
    $ST_CACHE is postgresql://HOST/DATABASE, the cache is this database. The cache contains no API keys. Replies that
    were cut off, filtered, refused or empty are stored but not used: a later run asks the model again. If you publish
    the calls of a run with its data, anyone can repeat the run with --replay, without network and API key.

    docs/cache.md describes the records and the bundles (files of calls).""",
    examples=[
        (
            "st-cache export --used-by results.jsonl --output calls.jsonl",
            "Write the model calls of a run to a bundle, a file that others can import.",
        ),
        (
            "st-cache import calls.jsonl",
            "Copy the model calls in a bundle (a file) into the cache, for runs with --replay.",
        ),
        (
            "st-cache salvage new.sqlite --cache damaged.sqlite",
            "Copy the intact replies of a damaged cache.",
        ),
        ("st-cache prune --older-than 90 --dry-run", "Count the replies that are older than 90 days."),
    ],
)
