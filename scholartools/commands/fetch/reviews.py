"""st-fetch reviews: public reviews, decisions and discussions of papers at OpenReview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scholartools.commands.fetch.options import (
    entries,
    fetch_action,
    names_of,
    source_option,
    venue_options,
    web_options,
    web_settings,
)
from scholartools.commands.shared.options import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scholartools.pipeline.stream import Stream
    from scholartools.tasks.fetch.entries import Entry, Made
    from scholartools.web.client import WebClient


@fetch_action(
    "reviews",
    examples=[
        (
            "st-fetch reviews papers.jsonl --venue iclr --year 2024",
            "Fetch the reviews of the papers in a file, in a few requests for their whole venue.",
        ),
        ("st-fetch reviews openreview:AbCdEf1234", "Fetch the reviews of one paper."),
    ],
)
@source_option
@venue_options
@option("--public-comments", is_flag=True, help="Keep comments of people who are not part of the review process.")
@option(
    "--revisions", is_flag=True,
    help=(
        "Add the earlier versions of each review, from its public edits (one more request per "
        "review)."
),
)  # fmt: skip
@web_options
def reviews(stream: Stream, source: str | None, public_comments: bool, revisions: bool, **options: Any) -> int:
    """Fetch public reviews of papers, with decision and discussion.

    st-fetch reviews adds `reviews` and `forum` to each record. The output contains only public notes; `forum.left_out`
    counts the omitted notes. The output contains no names of reviewers or commentators. With --venue, st-fetch reviews
    downloads the reviews in a few requests for the whole venue, instead of one request for each paper. The output has
    all papers of the venue or, if FILEs are given, the papers in these files (- is standard input).
    """
    from scholartools.commands.fetch.papers import choice_of, fetch_whole_venue
    from scholartools.pipeline.fetching import (
        AT_ONCE,
        chosen_sources,
        fetch_each,
        show_forecast,
        venue_and_source,
    )
    from scholartools.sources import Job
    from scholartools.tasks.fetch.papers import fetch_papers, first_requests, refuse_second_reviews
    from scholartools.tasks.fetch.venues import of_venue

    if options["venue"] and not stream.files and not options["ids"]:
        whole = choice_of({})
        status = fetch_whole_venue(stream, source, options, whole, "reviews", public_comments, revisions)
        if _holds_unread_records():
            stream.tell("standard input is not read: name it (-) to fetch the reviews of its papers alone")
        return status
    settings = web_settings(options)
    sources = chosen_sources(names_of(source), "reviews", settings.contact)
    job = Job("reviews", public_comments=public_comments, revisions=revisions)
    if options["venue"]:
        venue, of = venue_and_source(options["venue"], options["year"], [one.name for one in sources])
        job = Job("venue", venue=venue, with_reviews=True, public_comments=public_comments, revisions=revisions)
    asked = map(refuse_second_reviews, entries(stream, options))
    if options["dry_run"]:
        known = of.requests(job) if job.venue else first_requests(sources, list(asked), AT_ONCE)
        more = "one request per venue for the form of its reviews" + (
            ", and the edits of each review" if revisions else ""
        )
        more += "; one request for each list of 1,000 papers" if job.venue else ""
        return show_forecast(stream, settings, known, more)

    async def work(client: WebClient, some: Sequence[Entry]) -> list[Made]:
        if job.venue:
            return await of_venue(client, of, job, some, "reviews")
        return await fetch_papers(client, sources, some, job)

    return fetch_each(stream, settings, asked, work, window=AT_ONCE)


def _holds_unread_records() -> bool:
    """Whether standard input is a pipe with unread data; an empty pipe is common if another program starts this one."""
    import fcntl
    import os
    import stat
    import termios

    try:
        waiting = bytearray(4)
        fcntl.ioctl(0, termios.FIONREAD, waiting)
        return stat.S_ISFIFO(os.fstat(0).st_mode) and any(waiting)
    except OSError:  # closed, or not a pipe
        return False
