"""st-cache export, import, merge: bundles of stored calls, which let others repeat a run, and merging of caches."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.cache.options import (
    action,
    choice_option,
    has_cache,
    named_place,
    open_cache,
    selection_of,
    selection_options,
    tell_if_none,
)
from scholartools.commands.shared.options import excludes
from scholartools.errors import InputFault, UsageFault
from scholartools.wording import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scholartools import io
    from scholartools.cache import Place
    from scholartools.cache.bundle import Loaded, Used


_LEFT_OUT = {
    "private": "not everyone may read all of their data",
    "reviews": "the service states no licence of reviews; --with-reviews includes these answers",
    "terms": "the terms of the service may forbid redistribution; --with-restricted includes these answers",
}


@action(
    "export",
    examples=[
        (
            "st-cache export --used-by results.jsonl --output calls.jsonl",
            "Write the model calls from which the records in a file were made, so that anyone can repeat the run.",
        ),
        ("st-cache export --model openai/gpt-4o-mini --output calls.jsonl", "Write all stored calls to one model."),
    ],
)
@selection_options(unusable=False)
@choice_option(
    "--used-by", metavar="FILE", multiple=True,
    conditions=(excludes("--model"), excludes("--prompt"), excludes("--older-than")),
    help="Write only the calls from which FILE was made, a file of records or of the criteria of st-judge fit "
        "(*.json); may be repeated.",
)  # fmt: skip
@choice_option(
    "--source", "sources", metavar="SOURCE", multiple=True,
    conditions=(excludes("--model"), excludes("--prompt"), excludes("--older-than")),
    help="Write only the stored responses of the web service SOURCE to st-fetch; may be repeated.",
)  # fmt: skip
@choice_option(
    "--with-reviews", is_flag=True, help="Also export responses of web services that contain reviews or submissions."
)
@choice_option(
    "--with-restricted",
    is_flag=True,
    help="Also export responses of web services whose terms may forbid redistribution.",
)
def export(
    place: Place, output: io.Output, quiet: bool, used_by: tuple[str, ...], sources: tuple[str, ...],
    with_reviews: bool, with_restricted: bool, **options: Any,
) -> int:  # fmt: skip
    """Write stored model calls to a bundle, a file that `st-cache import` reads.

    A bundle is a JSONL file of model calls with their replies. Bundles of the same calls are identical files. The
    bundle is compressed if the name given to --output ends in .gz or .zst. A bundle contains no API keys, but all texts
    that were sent to the model: check the texts before you publish the bundle.

    Responses of web services to st-fetch are included if they may be redistributed (metadata under CC0 or another
    stated licence). A message on stderr reports the responses that st-cache export omits; with --used-by, the exit
    status is then 1. Responses of OpenReview that contain private notes are never exported. For files that st-fetch
    downloaded, a bundle contains only the size and the hash.
    """
    from scholartools.cache import bundle
    from scholartools.cache.answers import Answers
    from scholartools.tasks.fetch.sharing import choose_shared

    used = _used_by(used_by) if used_by else None
    only_calls = any(options[name] is not None for name in ("model", "prompt", "older_than"))
    wants_answers = bool(sources) or (bool(used.answers) if used else not only_calls)
    left: Counter[tuple[str, str]] = Counter()
    with contextlib.ExitStack() as opened:
        web = None
        if wants_answers and Answers.exist(place):
            answers = opened.enter_context(contextlib.closing(Answers(place, readonly=True)))
            allowed = [name for name, is_set in (("reviews", with_reviews), ("terms", with_restricted)) if is_set]
            keys, left = choose_shared(
                answers.entries(used.answers if used else None), sources=sources, allowed=allowed
            )
            web = (answers, keys)
        has_calls = not sources and (used is None or bool(used.calls))
        cache = opened.enter_context(open_cache(place)) if has_calls and (web is None or has_cache(place)) else None
        chosen = used.calls if used else cache.keys(selection_of(options)) if cache else ()
        is_silent = quiet or used is not None or web is not None
        bundle.export(cache, output, tell_if_none(chosen, is_silent), web)
    for (source, reason), n in () if quiet else sorted(left.items()):
        click.echo(f"st-cache: left out {count_of(n, 'answer')} of {source}: {_LEFT_OUT[reason]}", err=True)
    return int(bool(used) and bool(left))


def _used_by(paths: Sequence[str]) -> Used:
    """Cache keys named in files of records, and in criteria files of ``st-judge fit`` (names that end in ``.json``).

    Raises:
        InputFault: a value is not a key, or a file names no key.
        UsageFault: a file cannot be read.
    """
    from scholartools import io
    from scholartools.cache import bundle
    from scholartools.tasks.judge.rate.criteria import read_criteria
    from scholartools.tasks.judge.rate.fitting import calls_of

    records = [path for path in paths if not path.endswith(".json")]
    used = bundle.used_keys(io.read_lines(records, "used_by")) if records else bundle.Used(set(), set())
    for path in (path for path in paths if path.endswith(".json")):
        keys = bundle.keys_of({"calls": calls_of(read_criteria(path))})
        if not keys:
            raise InputFault(f"{path} names no call: was it made by st-judge fit with a model?", kind="missing-key")
        used.calls.update(keys)
    return used


@action(
    "import",
    argument=click.Argument(["files"], metavar="[FILE]...", nargs=-1),
    examples=[
        (
            "st-cache import calls.jsonl",
            "Copy the model calls of a bundle into the cache, so that --replay needs neither network nor API key.",
        ),
        (
            "st-cache import calls.jsonl.zst more.jsonl.gz",
            "Copy the model calls in two compressed bundles (files) into the cache.",
        ),
    ],
)
def import_(place: Place, output: io.Output, quiet: bool, files: tuple[str, ...]) -> int:
    """Copy the model calls and the responses of web services from bundles into the cache. Write a record for each
    bundle, with the number of copied calls.

    Bundles (files of st-cache export) may be compressed with gzip or zstd. st-cache import verifies every line of a
    bundle before it stores anything, and refuses a bundle that was cut or edited. If the cache already has another
    reply to a call, the stored reply is kept, and `conflicts` counts the call. `refused` counts the lines of a bundle
    that are not valid calls. The exit status is 1 if `conflicts` or `refused` is not 0.
    """
    from scholartools import io
    from scholartools.cache import bundle, packing
    from scholartools.cache.answers import Answers

    left = 0
    opened = [(name, io.open_input(name)) for name in files or ("-",)]
    with open_cache(place, readonly=False) as cache:
        for name, file in opened:
            with file:
                lines = packing.iter_unpacked(file, name)
                loaded = bundle.load(lines, cache, name, lambda: Answers(place))
            output.write({"bundle": name, **loaded.record()})
            left += loaded.conflicts + loaded.refused
            for message in () if quiet else _messages(loaded, name):
                click.echo(f"st-cache: {message}", err=True)
    return 1 if left else 0


@action(
    "merge",
    argument=click.Argument(["sources"], metavar="SOURCE...", nargs=-1, required=True),
    examples=[
        ("st-cache merge node1.sqlite node2.sqlite", "Copy the model replies that two machines stored into the cache."),
        (
            "st-cache merge calls.sqlite --cache postgresql://db.example.org/study",
            "Copy a cache to a PostgreSQL database.",
        ),
        (
            "st-cache merge postgresql://db.example.org/study --cache copy.sqlite",
            "Copy a cache from a PostgreSQL database to a file.",
        ),
    ],
)
def merge(place: Place, output: io.Output, quiet: bool, sources: tuple[str, ...]) -> int:
    """Copy stored replies from other caches into the cache, and write a record of counts for each source.

    Each SOURCE is a cache: a folder, a file NAME.sqlite or postgresql://HOST/DATABASE. st-cache merge does not change
    the sources. Unusable replies (cut off, filtered, refused or empty) are also copied. If the cache already has
    another reply to a call, the stored reply is kept, and `conflicts` counts the call. `damaged` counts the replies
    that cannot be read. The exit status is 1 if `conflicts` or `damaged` is not 0.
    """
    from dataclasses import asdict

    from scholartools.cache.merge import merge as merge_caches

    left = 0
    places = [named_place(name) for name in sources]
    for one in places:
        if str(one) == str(place):
            raise UsageFault(f"{one}: a cache is not merged into itself")
        with open_cache(one):  # report a missing cache before anything is written
            pass
    with open_cache(place, readonly=False) as cache:
        for one in places:
            with open_cache(one) as source:
                merged = merge_caches(source, cache)
            output.write({"source": str(one), **asdict(merged)})
            left += merged.conflicts + merged.damaged
            if merged.conflicts and not quiet:
                told = _told_of_conflicts(merged.conflicts, merged.replies)
                click.echo(f"st-cache: {one}: {told}", err=True)
            if merged.damaged and not quiet:
                told = f"{merged.damaged} of {count_of(merged.replies, 'reply', 'replies')} cannot be read: left out"
                click.echo(f"st-cache: {one}: {told}", err=True)
    return 1 if left else 0


def _messages(loaded: Loaded, name: str) -> Iterator[str]:
    """Messages about calls that were refused or conflict with stored ones."""
    yield from loaded.reasons
    if (more := loaded.refused - len(loaded.reasons)) > 0:
        yield f"{name}: {count_of(more, 'more call')} refused"
    if loaded.conflicts:
        yield f"{name}: {_told_of_conflicts(loaded.conflicts, loaded.calls + loaded.answers)}"


def _told_of_conflicts(conflicts: int, calls: int) -> str:
    have = "has" if conflicts == 1 else "have"
    return f"{conflicts} of {count_of(calls, 'call')} {have} another reply in the cache, which was kept"
