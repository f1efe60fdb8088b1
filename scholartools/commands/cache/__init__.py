"""st-cache: the stored replies of models.

- ``listing``: stats, list, show, path. ``bundles``: export, import, merge. ``upkeep``: prune, check, salvage.
- ``budgets``: budget. ``batches``: batch.
- ``options``: what several actions have.
"""

from __future__ import annotations

from scholartools.commands.shared.command import group

main = group(
    "st-cache",
    __name__,
    {
        "stats": "Count calls, tokens and cost, in all and by model and prompt.",
        "list": "List the replies, oldest first, one record each.",
        "show": "Show all replies to one call, with its request.",
        "export": "Write calls as a bundle, which `st-cache import` reads.",
        "import": "Store the calls of bundles, and count them.",
        "merge": "Store the replies of other caches, and count them.",
        "prune": "Delete the replies that fit all options, and count them.",
        "check": "Count the replies that are intact.",
        "salvage": "Copy the intact replies of a damaged cache to a new one.",
        "budget": "List the budgets that runs share; settle one.",
        "batch": "List the files of questions that runs wait for.",
        "path": "Print where the cache is, as text.",
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

    The cache is an SQLite file in $ST_CACHE, else $XDG_CACHE_HOME/scholartools, else ~/.cache/scholartools; or a
    database, where $ST_CACHE is postgresql://HOST/DATABASE. No key of a provider is in it. Replies that were cut off,
    filtered, refused or empty are stored, but asked for again. With the calls of a run exported beside its data, anyone
    can repeat it with --replay, without network and key.

    docs/cache.md describes the records and the bundles.""",
    examples=[
        (
            "st-cache export --used-by results.jsonl --output calls.jsonl",
            "The calls of a run.",
        ),
        ("st-cache import calls.jsonl", "Store them; then --replay needs neither network nor key."),
        (
            "st-cache salvage new.sqlite --cache damaged.sqlite",
            "Copy what is intact in a damaged cache.",
        ),
        ("st-cache prune --older-than 90 --dry-run", "How many replies are older than 90 days."),
    ],
)
