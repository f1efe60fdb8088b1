"""Tables that raters fill in: CSV for spreadsheets and Excel workbooks, and the cells that come back.

A row is an item; it shows its texts, then has a column for each question. It names neither paper nor system.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from scholartools.errors import UsageFault
from scholartools.records import Record
from scholartools.table_files.guard import BYTE_ORDER_MARK, guard_cell, unguard_cell
from scholartools.table_files.libraries import extra
from scholartools.tasks.annotate.batch import Batch, Row
from scholartools.tasks.annotate.description import (
    CANDIDATES,
    NONE,
    NOTE,
    ROW,
    SIDES,
    SKIP,
    UNKNOWN_VALUE,
    Choice,
    Fault,
    Part,
    Pick,
    Question,
    Scale,
    Spans,
    Winner,
    YesNo,
    blank_fault,
    is_missing,
)
from scholartools.tasks.annotate.passages import locate_passage
from scholartools.tasks.shared.blanks import is_failed_formula

_CHOSEN = {"x": True, "yes": True, "1": True, "true": True, "no": False, "0": False, "false": False, NONE: False}
_LONGEST = 32_767  # UTF-16 units of a cell of a workbook
_WIDTHS = {"row": 14, "text": 60, "answer": 18}
_FRAME = {"border": 1, "border_color": "#BFBFBF"}
_EMPTY_LINE = r"(?>\r\n|\r|\n)[^\S\r\n]*+(?:(?>\r\n|\r|\n)[^\S\r\n]*+)+"
_LINE, _HIGHEST = 15.0, 409.0  # points of a line, and of the highest row there may be
_MISREAD = BYTE_ORDER_MARK.encode().decode("cp1252")
_DAY = datetime(1980, 1, 1)  # the same input gives the same bytes


class Column(NamedTuple):
    """A column in which raters write.

    Attributes:
        heading: above it.
        question: that it is of.
        value: of a question with a column for each value or label, that one; (label,) for ratings of its passages.
        choices: of a drop-down list.
    """

    heading: str
    question: Question
    value: str | tuple[str] | None = None
    choices: tuple[str, ...] = ()


def columns_of(questions: Sequence[Question]) -> list[Column]:
    """The columns of questions."""
    made = []
    for question in questions:
        if isinstance(question, Choice) and question.is_many:
            made += [Column(f"{question.name}: {value} (x)", question, value, ("x",)) for value in question.values]
        elif isinstance(question, Spans):
            for label in question.labels:
                name = f"{question.name}: {label}" if len(question.labels) > 1 else question.name
                made.append(Column(f"{name} ({question.allowed})", question, label))
                if (scale := question.rated) is not None:
                    made.append(Column(f"{name}, {scale.name} ({scale.allowed}, one a line)", question, (label,)))
        else:
            made.append(Column(f"{question.name} ({question.allowed})", question, None, listed_values(question)))
    return made


def listed_values(question: Question) -> tuple[str, ...]:
    """The values of a closed question; none where they are no closed set, or too many steps of a scale."""
    if isinstance(question, Scale):
        steps = round((question.high - question.low) / question.step)
        listed = tuple(f"{question.low + place * question.step:g}" for place in range(steps + 1)) if steps < 30 else ()
    elif isinstance(question, Choice):
        listed = question.values
    elif isinstance(question, (YesNo, Winner)):
        listed = tuple(question.allowed.split("; "))
    else:
        listed = ()
    return listed


def shown_texts(batch: Batch, row: Row) -> dict[str, str]:
    """What a row shows, by heading; the candidates numbered from 1, or the two sides."""
    shown = {part.heading: part.text for part in row.item.parts}
    candidates = row.candidates()
    if batch.has_sides:
        shown |= {side: one.text for side, one in zip(SIDES, candidates, strict=False)}
    elif candidates:
        shown[CANDIDATES] = "\n".join(
            # on one line each: a line of a text may begin with a number of its own
            f"{place}. {' '.join(one.text.split())}"
            for place, one in enumerate(candidates, 1)
        )
    return shown


def shown_headings(batch: Batch, rows: Sequence[Row]) -> list[str]:
    """The headings of all that some rows show."""
    return list(dict.fromkeys(heading for row in rows for heading in shown_texts(batch, row)))


def write_csv(batch: Batch, rows: Sequence[Row], *, is_guarded: bool = True) -> bytes:
    """A sheet as CSV: UTF-8 with a byte order mark, CR and LF at line ends; no text is run as a formula."""
    texts, shown = shown_headings(batch, rows), (shown_texts(batch, row) for row in rows)
    cells = ([row.mark, *(one.get(text, "") for text in texts)] for row, one in zip(rows, shown, strict=True))
    return csv_text([ROW, *texts], columns_of(batch.questions), cells, is_guarded=is_guarded).encode()


def csv_text(
    headings: Sequence[str], columns: Sequence[Column], rows: Iterable[Sequence[str]], *, is_guarded: bool = True
) -> str:
    """A sheet of rows that begin with a mark, then texts; and behind them the columns in which raters write."""
    guard, made = guard_cell if is_guarded else str, io.StringIO()
    sheet = csv.writer(made)  # its line ends, CR and LF, make it quote texts that hold either
    sheet.writerow([*map(guard, headings), *(guard(column.heading) for column in columns), SKIP, NOTE])
    for mark, *texts in rows:
        sheet.writerow([mark, *map(guard, texts), *[""] * len(columns), "", ""])
    return BYTE_ORDER_MARK + made.getvalue()


def write_workbook(batch: Batch, rows: Sequence[Row], guide: str) -> bytes:
    """A sheet as an Excel workbook: texts locked, answers with lists of what is allowed, the guide on a second sheet.

    Raises:
        UsageFault: xlsxwriter is not installed.
    """
    with extra("tables", "xlsxwriter"):
        import xlsxwriter
    columns = columns_of(batch.questions)
    cells = [
        {name: piece for heading, text in shown_texts(batch, row).items() for name, piece in _pieces(heading, text)}
        for row in rows
    ]
    texts = list(dict.fromkeys(name for row in cells for name in row))
    made = io.BytesIO()
    book = xlsxwriter.Workbook(made, {"in_memory": True})
    book.set_properties({"created": _DAY})
    bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
    locked = book.add_format({"text_wrap": True, "valign": "top", "bg_color": "#F2F2F2", **_FRAME})
    free = book.add_format({"text_wrap": True, "valign": "top", "locked": False, "num_format": "@", **_FRAME})
    sheet, notes, lists = (book.add_worksheet(name) for name in ("answers", "guide", "lists"))
    headings = [ROW, *texts, *(column.heading for column in columns), SKIP, NOTE]
    sheet.set_row(0, 3 * _LINE)
    for place, heading in enumerate(headings):
        sheet.write_string(0, place, heading, bold)
        kind = "row" if place == 0 else "text" if place <= len(texts) else "answer"
        sheet.set_column(place, place, _WIDTHS[kind])
    for number, (row, shown) in enumerate(zip(rows, cells, strict=True), 1):
        sheet.set_row(number, _height_of(shown.values()))
        for place, text in enumerate([row.mark, *(shown.get(name, "") for name in texts)]):
            if text.startswith("<r>") and text.endswith("</r>"):  # which xlsxwriter takes for its own XML
                sheet.write_rich_string(number, place, text[:1], free, text[1:], locked)
            else:
                sheet.write_string(number, place, text, locked)
        for place in range(len(texts) + 1, len(headings)):
            sheet.write_blank(number, place, None, free)
    lists.hide()
    for place, column in enumerate(columns, len(texts) + 1):
        if column.choices and rows:
            _allow_choices(sheet, lists, place, column, len(rows))
    sheet.freeze_panes(1, 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.protect("", {"format_columns": True, "format_rows": True})
    _write_guide(notes, guide, bold, book.add_format({"text_wrap": True, "valign": "top"}))
    book.close()
    return made.getvalue()


def _allow_choices(sheet: Any, lists: Any, place: int, column: Column, n_rows: int) -> None:
    """Give the cells of a column a list to choose from, which is in the same column of the sheet of lists."""
    from xlsxwriter.utility import xl_range_abs

    for number, value in enumerate(column.choices):
        lists.write_string(number, place, value)
    source = f"=lists!{xl_range_abs(0, place, len(column.choices) - 1, place)}"
    rule = {"validate": "list", "source": source, "error_message": column.heading[:255]}
    sheet.data_validation(1, place, n_rows, place, rule)


def _write_guide(notes: Any, guide: str, bold: Any, wrapped: Any) -> None:
    """A line of the guide in each row, its headings bold, as high as it is long."""
    notes.set_column(0, 0, 100)
    for number, line in enumerate(guide.split("\n")):
        notes.set_row(number, _height_of([line], 100))
        notes.write_string(number, 0, line.lstrip("#").strip(), bold if line.startswith("#") else wrapped)


def _height_of(texts: Iterable[str], width: int = _WIDTHS["text"]) -> float:
    """The height of a row in points in which its longest text is seen whole, as far as a row may be so high.

    Not all programs that open workbooks make rows as high as their texts are.
    """
    lines = max((sum(1 + len(line) // width for line in text.split("\n")) for text in texts), default=1)
    return min(_HIGHEST, _LINE * lines)


def _pieces(heading: str, text: str) -> Iterator[tuple[str, str]]:
    """A text in as many cells as it needs, none cut: "Paper", "Paper (2)"."""
    number, start, units = 1, 0, 0
    for place, character in enumerate(text):
        size = 2 if ord(character) > 0xFFFF else 1
        if units + size > _LONGEST:
            yield (heading if number == 1 else f"{heading} ({number})", text[start:place])
            number, start, units = number + 1, place, 0
        units += size
    yield (heading if number == 1 else f"{heading} ({number})", text[start:])


class Headings:
    """Which column of a filled sheet is what."""

    def __init__(self, batch: Batch, headings: Sequence[str], where: str) -> None:
        """Read the headings of a sheet.

        Raises:
            UsageFault: the column of the rows lacks, or one of a question.
        """
        self.columns = columns_of(batch.questions)
        self.wanted = wanted = [ROW, SKIP, NOTE, *(column.heading for column in self.columns)]
        there = {unguard_cell(heading.strip(), wanted): heading for heading in headings}
        lacking = next((name for name in (ROW, *(one.heading for one in self.columns)) if name not in there), None)
        if any(heading.startswith(_MISREAD) for heading in headings):
            raise UsageFault(f"{where}: it was opened in another character set: open the file that was sent as UTF-8")
        if {"annotation_id", "lead_time"} <= there.keys():
            raise UsageFault(f"{where}: a CSV of Label Studio, which drops what was skipped: export as JSON")
        if lacking is not None:
            raise UsageFault(f'{where}: no column "{lacking}": is it a sheet of another batch?')
        self.of = there

    def cell(self, cells: Mapping[str, Any], name: str) -> str:
        """The text in a column, "" where that lacks."""
        value = cells.get(self.of.get(name, ""))
        return "" if value is None else str(value).strip()


def read_answer(question: Question, cells: Mapping[Any, str], row: Row) -> Any:
    """What the cells of a question say, for :meth:`Question.check`.

    Args:
        cells: by the value or label of their column, None where the question has one column.

    Raises:
        Fault: nothing is in them, or what is none of its answers.
    """
    if failed := next(filter(is_failed_formula, cells.values()), None):
        raise Fault(UNKNOWN_VALUE, f'"{failed}" is a formula that failed: write what begins with "=" as a text')
    filled = {name: cell for name, cell in cells.items() if not is_missing(question, cell)}
    if not filled:
        raise blank_fault(cells.values())
    if isinstance(question, Choice) and question.is_many:
        return _chosen_values(filled, len(cells))
    if isinstance(question, Spans):
        part = row.item.part(question.part)
        return [span for label in question.labels for span in _spans(question, filled, label, part)]
    cell = next(iter(filled.values()))
    if isinstance(question, Winner):
        return _side(cell, row)
    if isinstance(question, Pick):
        return [] if cell.casefold() == NONE else [_chosen(one, question, row) for one in _lines(cell, ";")]
    return cell


def _passages(cell: str) -> list[str]:
    """The passages of a cell, one a line; where an empty line separates them, each may go over several lines."""
    blocks = [block for block in re.split(_EMPTY_LINE, cell.strip()) if block]
    found = blocks if len(blocks) > 1 else _lines(cell)
    if NONE in (folded := [one.casefold() for one in found]) and len(found) > 1:
        raise Fault(UNKNOWN_VALUE, f'"{NONE}" is given beside a passage')
    return [] if folded == [NONE] else found


def _spans(question: Spans, filled: Mapping[Any, str], label: str, part: Part) -> list[Record]:
    """The passages under a label, with their ratings, of which there must be one for each, or none."""
    passages = _passages(filled.get(label, ""))
    found = [locate_passage(_without_bullet(one, part.text), part, label) for one in passages]
    ratings = [one.strip() for one in filled.get((label,), "").strip().splitlines()]
    if ratings and len(ratings) != len(passages):
        raise Fault(UNKNOWN_VALUE, f"{len(ratings)} ratings of {len(passages)} passages")
    return (
        [{**span, question.rated.name: one} for span, one in zip(found, ratings)]
        if question.rated and ratings
        else found
    )


def _without_bullet(passage: str, text: str) -> str:
    """A passage without the mark of a list before it, where the text has none there."""
    return passage if passage in text else re.sub(r"^[-*\u2022\u2013]\s+", "", passage)


def adjacent_passages(question: Question, cells: Iterable[str], value: Any, row: Row) -> str | None:
    """What is to be said of passages that the text divides as their cell does: they may be meant as one."""
    if not isinstance(question, Spans) or not isinstance(value, list):
        return None
    text, by_blocks = row.item.part(question.part).text, any(re.search(_EMPTY_LINE, cell) for cell in cells)
    for one, other in itertools.pairwise(sorted(value, key=lambda span: (span["label"], span["start"]))):
        between = text[one["end"] : other["start"]]
        is_divided = re.search(_EMPTY_LINE if by_blocks else r"[\r\n]", between)
        if one["label"] == other["label"] and is_divided and not between.strip():
            told = "two passages follow each other in the text and count as two: write one passage on one line"
            return f'{told}: "{other["text"][:60]}"'
    return None


def _chosen_values(filled: Mapping[str | None, str], n_columns: int) -> list[str | None]:
    """The values that are marked; none of them where "none" is written, or "no" under each."""
    chosen = [name for name, cell in filled.items() if _is_chosen(cell)]
    is_none = any(cell.casefold() == NONE for cell in filled.values())
    if chosen and is_none:
        raise Fault(UNKNOWN_VALUE, f'"{NONE}" is given beside a marked value')
    if not (chosen or is_none or len(filled) == n_columns):
        raise Fault(UNKNOWN_VALUE, f'"no" under some of the values, and nothing under others: write "{NONE}" for none')
    return chosen


def _lines(cell: str, more: str = "") -> list[str]:
    text = cell.replace("\r\n", "\n").replace("\r", "\n")
    # A passage may have the divider in it: it divides numbers alone.
    if more and all(one.strip().isdecimal() for one in text.replace("\n", more).split(more) if one.strip()):
        text = text.replace(more, "\n")
    return [line.strip() for line in text.split("\n") if line.strip()]


def _is_chosen(cell: str) -> bool:
    if (found := _CHOSEN.get(cell.casefold())) is None:
        raise Fault(UNKNOWN_VALUE, f'"{cell}" is neither "x" nor empty')
    return found


def _side(cell: str, row: Row) -> str:
    if cell.casefold() == "tie":
        return "tie"
    place = {side.casefold(): number for number, side in enumerate(SIDES)}.get(cell.casefold())
    if place is None or place >= len(row.order):
        raise Fault(UNKNOWN_VALUE, f'"{cell}" is not a side')
    return row.order[place]


def _chosen(text: str, question: Pick, row: Row) -> Any:
    number = text.rstrip(".")
    if number.isdecimal():
        if not 1 <= int(number) <= len(row.order):
            raise Fault(UNKNOWN_VALUE, f"there is no candidate {number}")
        return row.order[int(number) - 1]
    if question.custom_in is None:
        raise Fault(UNKNOWN_VALUE, f'"{text[:60]}" is not the number of a candidate')
    return locate_passage(text, row.item.part(question.custom_in))
