"""A sheet (CSV) on which people rate texts by a criteria file, blind and in an order of its own, and what is read back.

The same criteria, texts and context as for a model, but for ``definition_for_people`` where there is one.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.signature import fingerprint
from scholartools.table_files.guard import BYTE_ORDER_MARK, guard_cell, shows_text, unguard_cell
from scholartools.tasks.judge.rate.contract import Item
from scholartools.tasks.shared.blanks import is_blank
from scholartools.tasks.shared.csv_rows import open_sheet
from scholartools.tasks.shared.text_names import TextName

_ID, _SKIP, _NOTE = "id", "skip", "note"
# A number may be so far from a step of the scale.
_ROUNDING = 1e-9


def write_sheet(criteria: Criteria, specs: Sequence[AspectCriteria], items: Sequence[Item], seed: int) -> str:
    """A sheet with a row for each text that is not blank: no system and no paper is named, no text is a formula.

    Seed and texts decide the order; that of the input changes nothing.
    """
    made = io.StringIO()
    sheet = csv.writer(made)  # its line ends, CR and LF, make it quote texts that hold either
    headings = [criteria.source_name, criteria.candidate_name, *map(_heading_of, specs)]
    sheet.writerow([_ID, *map(guard_cell, headings), _SKIP, _NOTE])
    shown = {mark_item(item): item for item in items if item.text.strip()}
    for mark in sorted(shown, key=lambda mark: fingerprint([seed, mark])):
        texts = map(guard_cell, (shown[mark].source, shown[mark].text))
        sheet.writerow([mark, *texts, *[""] * len(specs), "", ""])
    return BYTE_ORDER_MARK + made.getvalue()


def _heading_of(spec: AspectCriteria) -> str:
    """What stands above the ratings of an aspect."""
    return f"{spec.name} ({spec.scale[0]:g} to {spec.scale[1]:g})"


def mark_item(item: Item) -> str:
    """What stands for a text on a sheet; another text, or another source beside it, has another mark."""
    return fingerprint([item.paper, item.system, item.id, item.fingerprint])


def write_guide(criteria: Criteria, specs: Sequence[AspectCriteria]) -> str:
    """What people are told, in Markdown."""
    lines = [f"# {criteria.candidate_name}: how to rate", ""]
    lines += [
        f"Each row shows {criteria.task}, and its source ({criteria.source_name}). Rate every aspect by itself.",
        "",
    ]
    for spec in specs:
        low, high = spec.scale
        lines += [f"## {spec.name}: {low:g} to {high:g}, in steps of {spec.step:g}", ""]
        lines += [" ".join((spec.definition_for_people or spec.definition).split()), ""]
        lines += [f"- {level}: {spec.levels[level]}" for level in sorted(spec.levels, key=float)]
        lines += [""] if spec.levels else []
    lines += ["Write anything under `skip` where a row cannot be read. Leave `id` as it is.", ""]
    return "\n".join(lines)


def read_sheets(
    paths: Sequence[str], specs: Sequence[AspectCriteria], items: Sequence[Item], text_name: str | None = None
) -> list[Record]:
    """One record for each rater, text and aspect; a rater is named by the file, without its ending.

    A rating that lacks is null with its ``reason``: "skipped", "blank", or "not on the sheet".

    Args:
        paths: of the sheets.
        specs: the aspects.
        items: the texts.
        text_name: of the column that shows the texts, which must still be those of their rows where it is there.

    Raises:
        UsageFault: a file cannot be read or is no sheet of these texts and scales, or a rating is not on the scale;
            with the line. Two texts have one name.
    """
    raters = [Path(path).stem for path in paths]
    if twice := [name for name in raters if raters.count(name) > 1]:
        raise UsageFault(f'{parameter("read")}: two files are of "{twice[0]}"')
    known = {mark_item(item): item for item in items if item.text.strip()}
    names = Counter(_name_of(item) for item in known.values())
    if same := [name for name, count in names.items() if count > 1]:
        raise UsageFault(f'two texts are "{same[0]}" (PAPER/SYSTEM/ITEM): give papers, systems or items other names')
    made = []
    for path, rater in zip(paths, raters, strict=True):
        rows = dict(_read_rows(path, specs, known, text_name))
        for mark, item in sorted(known.items(), key=lambda pair: (pair[1].paper, pair[1].system, pair[1].id)):
            named = {"item": _name_of(item), "paper": item.paper, "system": item.system}
            given = rows.get(mark) or dict.fromkeys([spec.name for spec in specs], "not on the sheet")
            made += [{**named, "rater": rater, "label": name, **_rating_entry(given[name])} for name in given]
    return made


def _name_of(item: Item) -> str:
    return TextName(item.paper, item.system, item.id).long()


def _rating_entry(given: float | str) -> Record:
    return {"value": None, "reason": given} if isinstance(given, str) else {"value": given}


def _read_rows(
    path: str, specs: Sequence[AspectCriteria], known: Mapping[str, Item], text_name: str | None
) -> Iterator[tuple[str, dict[str, float | str]]]:
    """The ratings of each row, by the mark of its text: numbers, or why there is none."""
    headings, rows = open_sheet(path, _ID, parameter("read", path))
    columns = _columns_of(headings, specs, path)
    shown = next((one for one in headings if text_name and unguard_cell(one.strip(), [text_name]) == text_name), None)
    seen = set()
    for where, row in rows:
        mark = str(row[columns[_ID]] or "").strip()
        if mark not in known or mark in seen:
            fault = "stands there twice" if mark in seen else "is of no text of these records, as they are now"
            raise UsageFault(f'{where}: "{mark}" {fault}')
        seen.add(mark)
        if shown is not None and not shows_text(row[shown] or "", known[mark].text):
            raise UsageFault(f'{where}: "{mark}" stands beside another text: were columns sorted by themselves?')
        is_skipped = bool(str(row.get(columns.get(_SKIP, ""), "") or "").strip())
        cells = {spec.name: str(row[columns[spec.name]] or "").strip() for spec in specs}
        yield (
            mark,
            {spec.name: "skipped" if is_skipped else _read_cell(cells[spec.name], spec, where) for spec in specs},
        )


def _columns_of(headings: Sequence[str], specs: Sequence[AspectCriteria], path: str) -> dict[str, str]:
    """The headings of the columns that are read, by what they hold: an aspect's name with its scale, or alone.

    Raises:
        UsageFault: a column is not there, or is of another scale than the criteria's, or there twice.
    """
    wanted = {_heading_of(spec) for spec in specs}
    names = [_ID, _SKIP, *wanted, *(spec.name for spec in specs)]
    there = {unguard_cell(heading.strip(), names): heading for heading in headings}
    columns = {name: there[name] for name in (_ID, _SKIP) if name in there}
    for spec in specs:
        own = [name for name in there if name in (_heading_of(spec), spec.name)]
        if others := [name for name in there if name.startswith(f"{spec.name} (") and name not in wanted]:
            raise UsageFault(f'{path}:1: the criteria have "{_heading_of(spec)}", the sheet "{others[0]}"')
        if len(own) > 1:
            raise UsageFault(f'{path}:1: two columns are of "{spec.name}"')
        columns.update((spec.name, there[name]) for name in own)
    if lacking := [name for name in (_ID, *(spec.name for spec in specs)) if name not in columns]:
        raise UsageFault(f'{parameter("read", path)}: no column "{lacking[0]}"')
    return columns


def _read_cell(text: str, spec: AspectCriteria, where: str) -> float | str:
    if is_blank(text):
        return "blank"
    low, high = spec.scale
    number = _parse_cell(text)
    steps = (number - low) / spec.step
    if not low <= number <= high or abs(steps - round(steps)) > _ROUNDING:
        wanted = f"{low:g} to {high:g} in steps of {spec.step:g}"
        raise UsageFault(f'{where}: "{text}" for "{spec.name}" is not on the scale {wanted}')
    return int(number) if number.is_integer() else number


def _parse_cell(text: str) -> float:
    """The number in a cell, with a decimal comma too; NaN where it is none."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan
