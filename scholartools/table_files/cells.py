"""Values of cells by the type of their column; a cell of another type is rejected, not converted by guessing."""

from __future__ import annotations

import math
import re
from typing import Any

from scholartools.errors import InputFault
from scholartools.json_text import loads_exactly

#: Marker of an empty cell.
EMPTY = object()


class FormulaError(str):
    """Error value of a formula in a workbook: #DIV/0!, #N/A; "" if no program has computed the formula."""

    __slots__ = ()

    @property
    def is_missing(self) -> bool:
        """Whether the error value means a missing value."""
        return self == "#N/A"

    def refused(self) -> InputFault:
        """Error for using it as a value."""
        if self:
            return _refuse(self, "a value: a formula of the workbook failed")
        reason = "a formula without a value, which no program has computed: open the workbook in one, and save it"
        return InputFault(reason, kind="invalid-key")


_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.0)?")  # pandas writes 2020.0 in integer columns with missing values
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_MAYBE_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
# Spreadsheets keep 15 digits, so larger numbers may be inexact.
_MOST_EXACT = 10**15


def value_of(cell: Any, kind: str | None, *, decimal_comma: bool = False) -> Any:
    """Value of a cell; :data:`EMPTY` if there is none.

    Args:
        cell: a text, or the value in a workbook or Parquet file.
        kind: one of :data:`~scholartools.table_files.types.KINDS`; None keeps the type of a Parquet file.
        decimal_comma: whether cells are separated by semicolons, so that 3,5 may be a number.

    Raises:
        InputFault: the cell does not have the type.
    """
    if isinstance(cell, FormulaError) and not cell.is_missing:
        raise cell.refused()
    if cell is None or isinstance(cell, FormulaError) or (isinstance(cell, float) and math.isnan(cell)):
        return EMPTY
    if isinstance(cell, str) and not cell.strip():
        return EMPTY
    if kind is None:
        return plain_value(cell)
    if kind in ("integer", "number"):
        return (_integer_of if kind == "integer" else _number_of)(cell, decimal_comma)
    return {"text": text_of, "boolean": _boolean_of, "texts": _texts_of, "json": _json_of}[kind](cell)


def plain_value(cell: Any) -> Any:
    """Value of a Parquet file as JSON, at any depth: NaN becomes null, dates and decimals become texts.

    Raises:
        InputFault: it is infinite, which JSON would encode as null, or consists of bytes.
    """
    if isinstance(cell, (list, tuple)):
        return [plain_value(one) for one in cell]
    if isinstance(cell, dict):
        return {key: plain_value(value) for key, value in cell.items()}
    if isinstance(cell, float) and math.isinf(cell):
        raise _refuse(cell, "a number")
    if isinstance(cell, float) and math.isnan(cell):
        return None
    return cell if cell is None or isinstance(cell, (str, int, float)) else text_of(cell)


def text_of(cell: Any) -> str:
    """Cell as text; a number of a workbook is written without its format."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        if not math.isfinite(cell) or abs(cell) >= _MOST_EXACT:
            raise _refuse(cell, "a text: a workbook keeps 15 digits of a number; make the cell text")
        return str(int(cell)) if cell.is_integer() else repr(cell)
    if isinstance(cell, (bytes, list, dict)):
        raise _refuse(cell, "a text")
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)


def _integer_of(cell: Any, decimal_comma: bool) -> int:
    if isinstance(cell, str):
        text = cell.strip()
        text = text.replace(",", ".") if decimal_comma else text
        if _INTEGER.fullmatch(text) and not (decimal_comma and _MAYBE_THOUSANDS.fullmatch(text)):
            return int(text.partition(".")[0])
    elif isinstance(cell, (int, float)) and not isinstance(cell, bool) and float(cell).is_integer():
        return int(cell)
    raise _refuse(cell, "a whole number")


def _number_of(cell: Any, decimal_comma: bool) -> float:
    if isinstance(cell, str):
        text = cell.strip()
        if decimal_comma and _MAYBE_THOUSANDS.fullmatch(text):
            raise _refuse(
                cell, "one number: if ; separates the cells, the mark in it may separate decimals or thousands"
            )
        text = text.replace(",", ".") if decimal_comma and "." not in text else text
        if _NUMBER.fullmatch(text):
            number = float(text)
            if math.isfinite(number):
                return int(text) if _INTEGER.fullmatch(text) and "." not in text else number
    elif isinstance(cell, (int, float)) and not isinstance(cell, bool) and math.isfinite(cell):
        return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
    raise _refuse(cell, "a number")


def _boolean_of(cell: Any) -> bool:
    if isinstance(cell, bool):
        return cell
    if isinstance(cell, str) and cell.strip().lower() in ("true", "false"):
        return cell.strip().lower() == "true"
    raise _refuse(cell, "true or false")


def _texts_of(cell: Any) -> list[Any]:
    """List of texts: JSON, or texts separated by semicolons or line ends."""
    if not isinstance(cell, str):
        return plain_value(cell) if isinstance(cell, list) else [text_of(cell)]
    if cell.lstrip().startswith("["):
        found = _json_of(cell)
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return found
        raise _refuse(cell, "a list of texts")
    return [text for part in re.split(r"[;\r\n]", cell) if (text := part.strip())]


def _json_of(cell: Any) -> Any:
    if not isinstance(cell, str):
        return plain_value(cell)
    try:
        return loads_exactly(cell.encode())[0]
    except (ValueError, RecursionError):
        raise _refuse(cell, "JSON") from None


def _refuse(cell: Any, wanted: str) -> InputFault:
    shown = str(cell)
    shown = shown if len(shown) <= 40 else f"{shown[:40]}..."
    return InputFault(f'"{shown}" is not {wanted}', kind="invalid-key")
