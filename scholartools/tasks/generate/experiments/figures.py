"""Select the figures before the experiments: later ones may show results, whatever their captions say."""

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

    Excluded are figures with cues of experiments in the caption, figures on pages after the start of the experiments,
    and figures whose number is not below that of the first figure mentioned only in the later text, since figures are
    numbered in order.

    Args:
        place: start of the experiments.
        earlier: the texts before it.
        later: the text from there on.
        cues: detects cues of experiments in captions.
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
    """First page of the section of a place; None if pages are unknown."""
    section = next(one for one in record["sections"] if one["id"] == place.section)
    return next(iter(section.get("pages") or ()), None)


def _first_later_number(earlier: Sequence[str], later: str) -> int | None:
    before = {number for text in earlier for number in mentioned_numbers(text, "figure")}
    after = {int(number) for number in mentioned_numbers(later, "figure") - before if number.isdigit()}
    return min(after, default=None)
