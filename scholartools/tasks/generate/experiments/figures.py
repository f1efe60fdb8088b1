"""Which figures of a paper come before its experiments: the others may be results, whatever their captions say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.records import read
from scholartools.tasks.generate.experiments.first_experiment import Place
from scholartools.tasks.generate.experiments.leaks import LeakCues
from scholartools.tasks.shared.pictures import mentioned_numbers, number_in_label

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Caption, PaperRecord


def select_figures(
    record: PaperRecord, place: Place, earlier: Sequence[str], later: str, cues: LeakCues
) -> list[Caption]:
    """The captions of figures that may be shown.

    One may not whose caption tells of results or experiments, that is on a later page than the experiments begin
    on, or whose number is that of a figure which only the text from there on names, or a higher one: figures are
    numbered as they come.

    Args:
        place: where the experiments begin.
        earlier: the texts before it.
        later: the text from it on.
        cues: by which captions tell of experiments.
    """
    page = _page_of(record, place)
    limit = _first_later_number(earlier, later)
    return [
        one
        for one in read(record, "captions") or ()
        if one["kind"] == "figure"
        and not cues.has_cue(one)
        and (page is None or (one.get("page") or 0) <= page)
        and (limit is None or not number_in_label(one).isdigit() or int(number_in_label(one)) < limit)
    ]


def _page_of(record: PaperRecord, place: Place) -> int | None:
    """The page on which the section of a place begins; None where pages are not known."""
    section = next(one for one in record["sections"] if one["id"] == place.section)
    return next(iter(section.get("pages") or ()), None)


def _first_later_number(earlier: Sequence[str], later: str) -> int | None:
    before = {number for text in earlier for number in mentioned_numbers(text, "figure")}
    after = {int(number) for number in mentioned_numbers(later, "figure") - before if number.isdigit()}
    return min(after, default=None)
