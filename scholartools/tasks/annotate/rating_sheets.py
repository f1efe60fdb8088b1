"""A CSV sheet on which raters rate texts with a criteria file, without a batch: blinded and in random order.

Criteria, texts and context are those of the model, except for ``definition_for_people``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.signature import fingerprint
from scholartools.table_files.guard import shows_text, unguard_cell
from scholartools.tasks.annotate.description import NOTE, SKIP, Fault, Scale, is_marked
from scholartools.tasks.annotate.kinds.questions import scales_of
from scholartools.tasks.annotate.sheets import columns_of, csv_text
from scholartools.tasks.judge.rate.contract import Item
from scholartools.tasks.shared.blanks import is_blank
from scholartools.tasks.shared.csv_rows import open_sheet
from scholartools.tasks.shared.text_names import TextName

_ID = "id"

#: Reason of a rating whose text has no row on the sheet.
NOT_ON_SHEET = "not on the sheet"


def write_sheet(criteria: Criteria, specs: Sequence[AspectCriteria], items: Sequence[Item], seed: int) -> str:
    """A sheet with one row per non-blank text, without names of systems and papers, safe from formula execution.

    The order is determined by seed and texts, independently of the order of the input.
    """
    shown = {mark_item(item): item for item in items if item.text.strip()}
    order = sorted(shown, key=lambda mark: fingerprint([seed, mark]))
    rows = ([mark, shown[mark].source, shown[mark].text] for mark in order)
    return csv_text([_ID, criteria.source_name, criteria.candidate_name], columns_of(scales_of(specs)), rows)


def mark_item(item: Item) -> str:
    """Identifier of a text on a sheet; depends on the text and its source."""
    return fingerprint([item.paper, item.system, item.id, item.fingerprint])


def read_sheets(
    paths: Sequence[str], specs: Sequence[AspectCriteria], items: Sequence[Item], shown: Sequence[str] = ()
) -> list[Record]:
    """One record per rater, text and aspect; the rater is the file name without extension.

    A missing rating is null with a ``reason``: "skipped", "blank", or :data:`NOT_ON_SHEET`.

    Args:
        paths: paths of the sheets.
        specs: the aspects.
        items: the texts.
        shown: names of the columns with displayed texts; the last of them, if present, must still match the texts of
            the rows.

    Raises:
        UsageFault: a file cannot be read, does not match the texts and scales, or has a rating off the scale; names the
            line. Or two texts have the same name.
    """
    raters = [Path(path).stem for path in paths]
    if twice := [name for name in raters if raters.count(name) > 1]:
        raise UsageFault(f'{parameter("read")}: two files are of "{twice[0]}"')
    known = {mark_item(item): item for item in items if item.text.strip()}
    names = Counter(_name_of(item) for item in known.values())
    if same := [name for name, count in names.items() if count > 1]:
        raise UsageFault(f'two texts are "{same[0]}" (PAPER/SYSTEM/ITEM): give papers, systems or items other names')
    scales, made = scales_of(specs), []
    for path, rater in zip(paths, raters, strict=True):
        rows = dict(_read_rows(path, scales, known, shown))
        for mark, item in sorted(known.items(), key=lambda pair: (pair[1].paper, pair[1].system, pair[1].id)):
            named = {"item": _name_of(item), "paper": item.paper, "system": item.system}
            given = rows.get(mark) or dict.fromkeys([scale.name for scale in scales], NOT_ON_SHEET)
            made += [
                {
                    **named,
                    "rater": rater,
                    "label": name,
                    **({"value": None, "reason": one} if isinstance(one, str) else {"value": one}),
                }
                for name, one in given.items()
            ]
    return made


def _name_of(item: Item) -> str:
    return TextName(item.paper, item.system, item.id).long()


def _read_rows(
    path: str, scales: Sequence[Scale], known: Mapping[str, Item], shown: Sequence[str]
) -> Iterator[tuple[str, dict[str, float | str]]]:
    """Ratings of each row, by the identifier of its text: numbers, or reasons of missing ones."""
    headings, rows = open_sheet(path, _ID, parameter("read", path))
    columns, rated = _columns_of(headings, scales, path, shown)
    texts = next((one for one in headings if unguard_cell(one.strip(), shown[-1:]) in shown[-1:]), None)
    seen = set()
    for where, row in rows:
        mark = str(row[columns[_ID]] or "").strip()
        if mark not in known or mark in seen:
            fault = "is given twice" if mark in seen else "is of no text of these records, as they are now"
            raise UsageFault(f'{where}: "{mark}" {fault}')
        seen.add(mark)
        if texts is not None and not shows_text(row[texts] or "", known[mark].text):
            raise UsageFault(f'{where}: "{mark}" stands beside another text: were the columns sorted separately?')
        is_skipped = is_marked(row.get(columns.get(SKIP, "")))
        cells = {scale.name: str(row[rated[scale.name]] or "").strip() for scale in scales}
        yield (
            mark,
            {scale.name: "skipped" if is_skipped else _read_cell(cells[scale.name], scale, where) for scale in scales},
        )


def _columns_of(
    headings: Sequence[str], scales: Sequence[Scale], path: str, shown: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Headings of the identifier and skip columns, and of the rating of each aspect, with or without its scale.

    If an aspect has the name of another column, that column is not used for it.

    Raises:
        UsageFault: a column is missing or duplicate, or has another scale than the criteria.
    """
    heading_of = {column.question.name: column.heading for column in columns_of(scales)}
    wanted, others = {*heading_of.values()}, {_ID, SKIP, NOTE, *shown}
    names = [*others, *wanted, *(scale.name for scale in scales)]
    there = {unguard_cell(heading.strip(), names): heading for heading in headings}
    columns, rated = {name: there[name] for name in (_ID, SKIP) if name in there}, {}
    if _ID not in there:
        raise UsageFault(f'{parameter("read", path)}: no column "{_ID}": is it a sheet that st-judge sheet wrote?')
    for scale in scales:
        own = [name for name in there if name in {heading_of[scale.name], scale.name} - (others - wanted)]
        if wrong := [name for name in there if name.startswith(f"{scale.name} (") and name not in wanted]:
            raise UsageFault(f'{path}:1: the criteria have "{heading_of[scale.name]}", the sheet "{wrong[0]}"')
        if len(own) > 1:
            raise UsageFault(f'{path}:1: two columns are of "{scale.name}"')
        if not own:
            raise UsageFault(f'{parameter("read", path)}: no column "{scale.name}"')
        rated[scale.name] = there[own[0]]
    return columns, rated


def _read_cell(text: str, scale: Scale, where: str) -> float | str:
    if is_blank(text):
        return "blank"
    try:
        return scale.check(text, None)  # type: ignore[arg-type]  # the item is not used
    except Fault:
        wanted = f"{scale.low:g} to {scale.high:g} in steps of {scale.step:g}"
        raise UsageFault(f'{where}: "{text}" for "{scale.name}" is not on the scale {wanted}') from None
