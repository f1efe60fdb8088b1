"""st-extract-limits: the limitations a paper states."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands._common import command

if TYPE_CHECKING:
    from scholartools.commands._stream import Stream


@command(
    "st-extract-limits",
    examples=[
        ("st-parse paper.pdf | st-extract-limits | jq -r '.limitations[].text'", "The limitations, one a line."),
        ("st-extract-limits --reach section papers.jsonl", "Implicit passages up to the section's end, as in BAGELS."),
    ],
)
@click.option(
    "--reach",
    type=click.Choice(["paragraph", "section"]),
    default="paragraph",
    show_default=True,
    help="How far an implicit passage goes on after the sentence with the keyword.",
)
@click.option("--keywords", metavar="A,B,...", help="Of implicit passages, in place of the built-in ones.")
@click.option("--text", is_flag=True, help="Print the limitations for people, not records.")
def main(stream: Stream, reach: str, keywords: str | None, text: bool) -> int:
    """Find the limitations that authors state, word for word, with their places.

    Explicit ones stand in a section or a run-in paragraph headed by them; implicit ones follow a keyword elsewhere,
    outside abstract, introduction and related work. Adds `limitations`, and `rejected` for passages that speak of
    other people's work. The method is built in and rule-based (BAGELS, section 3.2, without its model).
    """
    from scholartools.tasks import limits, views

    chosen: dict[str, Any] = {"reach": reach}
    if keywords:
        chosen["keywords"] = keywords.split(",")
    extract = functools.partial(limits.extract, **chosen)
    return stream.each(extract, render=views.limitations if text else None)
