"""What the options of st-judge mean to which of its tasks."""

from __future__ import annotations

from typing import Any

import click

from scholartools.commands._given import refuse


class _Cosine(click.FloatRange):
    """A number in -1..1, and no NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        return number if number == number else self.fail("NaN is no cosine.", param, ctx)


COSINE = _Cosine(-1, 1)

# How the command is run, for people.
_WAYS = {
    "facets": "the task facets with --model",
    "facets-builtin": "the task facets without --model",
    "asked": "match with --model",
    "builtin": "match without --model",
    "pooled": "--summary, which asks no model",
}
# The ways in which an option means something, where these are not all.
_USED = {
    **dict.fromkeys(("few_shot", "vanilla"), ("facets",)),
    **dict.fromkeys(("layout", "votes", "prefilter"), ("asked",)),
    **dict.fromkeys(("reference", "candidate"), ("facets", "facets-builtin", "asked", "builtin")),
    **dict.fromkeys(("summary", "table"), ("pooled",)),
    "threshold": ("builtin",),
    "embedder": ("asked", "builtin", "facets-builtin"),
    "model": ("facets", "asked"),
}


def way_of(task: str, options: dict[str, Any]) -> str:
    """Which of the ways to judge a task and its options ask for."""
    if task == "facets":
        return "facets" if options["model"] else "facets-builtin"
    if options["summary"] or options["table"]:
        return "pooled"
    return "asked" if options["model"] else "builtin"


def check(options: dict[str, Any], way: str) -> None:
    """Refuse options on the command line that nothing would come of."""
    refuse((name for name, ways in _USED.items() if way not in ways), f"does not go with {_WAYS[way]}")
    if way == "asked" and options["prefilter"] is None:
        refuse(["embedder"], "with --model is that of --prefilter, which is not given")
