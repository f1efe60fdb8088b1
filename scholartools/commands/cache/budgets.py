"""st-cache budget: amounts spent and reserved by the runs that share a budget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scholartools.commands.cache.options import action
from scholartools.commands.shared.options import Condition, option
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools import io
    from scholartools.cache import Place

_NEEDS_NAME = Condition("needs NAME", lambda options: bool(options["name"]))


@action(
    "budget",
    argument=click.Argument(["name"], metavar="[NAME]", required=False),
    examples=[
        ("st-cache budget", "List the limits and the costs of all budgets in the cache."),
        (
            "st-cache budget pilot --settle",
            "Release unused reservations of killed runs (money and calls), so that other runs can use them.",
        ),
    ],
)
@option(
    "--settle", is_flag=True, allow_from_autoenv=False, conditions=_NEEDS_NAME,
    help="Release unused reservations of killed runs (money and calls), so that other runs can use them.",
)  # fmt: skip
def budget(place: Place, output: io.Output, quiet: bool, name: str | None, settle: bool) -> int:
    """Write the limits and the costs of each budget that runs share with --budget NAME, or only of the budget NAME.

    Before a run sends a call, it reserves the maximum cost of the call in the budget. What a killed run reserved counts
    as spent (`lost`) until `st-cache budget NAME --settle` makes it available again.
    """
    from scholartools.cache import budgets
    from scholartools.cache.flights import Flights, flights_file

    if isinstance(place, Path) and not flights_file(place).exists() and name is None:
        return 0
    flights = Flights(place)
    try:
        budgets.describe(flights, name)
        if name is not None and settle:
            _tell_settled(budgets.settle(flights, name), quiet)
        for record in budgets.describe(flights, name):
            output.write(record)
    finally:
        flights.close()
    return 0


def _tell_settled(ended: list[tuple[float, int, float, int]], quiet: bool) -> None:
    if quiet:
        return
    usd, calls, reserved, on_way = (sum(column) for column in zip(*ended)) if ended else (0.0, 0, 0.0, 0)
    click.echo(
        f"st-cache: {count_of(len(ended), 'run')} that ended without settling: "
        f"{usd:.4f} USD and {count_of(int(calls), 'call')} are released",
        err=True,
    )
    if on_way:
        click.echo(
            f"st-cache: the provider may charge for {count_of(int(on_way), 'call')} that these runs had in flight: up "
            f"to {reserved:.4f} USD that no budget counts",
            err=True,
        )
