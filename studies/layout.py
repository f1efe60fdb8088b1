"""Tables of a study in a paper's layout: rows that its tables.py gives, as JSONL, and as Markdown and LaTeX as st-table writes them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any

from scholartools.table_files.formats import Column, Style
from scholartools.table_files.latex_out import Latex
from scholartools.table_files.text_out import Markdown

FOLDER = Path("tables")


def read(path: str, needs: str = "") -> list[dict[str, Any]]:
    """The records of a file; those without the key ``needs``, on which a step failed, are left out, and counted on standard error.

    Args:
        needs: a key, or keys one in another: ``judgements.match``.
    """
    with open(path, encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    whole = [one for one in found if not needs or value_at(one, needs) is not None]
    if left := len(found) - len(whole):
        print(f"{path}: {left} of {len(found)} records have no {needs}, and are left out", file=sys.stderr)
    return whole


def value_at(record: Mapping[str, Any], keys: str) -> Any:
    """What is at the end of keys one in another; None where one of them is not there."""
    value: Any = record
    for key in keys.split("."):
        value = (value or {}).get(key)
    return value


def mean(values: Iterable[float | None]) -> float | None:
    """Of the values that there are."""
    found = [one for one in values if one is not None]
    return fmean(found) if found else None


def number(value: float | None, low: float | None = None, high: float | None = None, times: float = 100) -> str:
    """A number as papers print it, with its interval where there is one; a dash where it is undefined."""
    if value is None:
        return "--"
    digits = 1 if times > 1 else 3
    shown = f"{value * times:.{digits}f}"
    return shown if low is None or high is None else f"{shown} [{low * times:.{digits}f}, {high * times:.{digits}f}]"


def result(one: Mapping[str, Any] | None, times: float = 100) -> str:
    """A result of st-agree or a value of st-score with its interval; a dash for one that is not there."""
    if one is None:
        return "--"
    ends = one.get("interval") or one
    value = one["value"] if "value" in one else one.get("mean")
    return number(value, ends.get("low"), ends.get("high"), times)


def share(count: int, n: int) -> str:
    """A share with Wilson's interval, in percent."""
    from scholartools.metrics.statistics.reliability import wilson_interval

    return number(count / n, *wilson_interval(count, n, 0.95)) if n else "--"


def counts(values: Iterable[Any], of: Sequence[Any]) -> dict[str, int]:
    """How often each value comes: a histogram."""
    found = list(values)
    return {str(one): found.count(one) for one in of}


def write(name: str, caption: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table; ``id`` of a row stands in its first column, which has no heading in papers. One without rows says so."""
    FOLDER.mkdir(exist_ok=True)
    if not rows:
        for ending in ("jsonl", "tex"):
            (FOLDER / f"{name}.{ending}").unlink(missing_ok=True)
        (FOLDER / f"{name}.md").write_text(f"{caption}\n\nThe study has no rows for this table.\n", encoding="utf-8")
        return
    heads = list(dict.fromkeys(key for row in rows for key in row if key != "id"))
    (FOLDER / f"{name}.jsonl").write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
    )
    columns = [Column(head, "text", head) for head in ("", *heads)]
    cells = [[str(row["id"]), *(row.get(head, "") for head in heads)] for row in rows]
    made: dict[str, Markdown | Latex] = {
        "md": Markdown(columns),
        "tex": Latex(columns, Style(caption=caption, label=f"tab:{name}")),
    }
    for ending, table in made.items():
        text = "".join([table.head(), table.add(cells), *table.tail()])
        if ending == "md":
            text = f"{caption}\n\n{text}"
        (FOLDER / f"{name}.{ending}").write_text(text, encoding="utf-8")


def histograms(name: str, caption: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table of counts, and a picture of it: a histogram for each row, with a bar for each column, all to one scale."""
    write(name, caption, rows)
    if not rows:
        (FOLDER / f"{name}.svg").unlink(missing_ok=True)
        return
    heads = list(dict.fromkeys(key for row in rows for key in row if key != "id"))
    most = max((float(row[head]) for row in rows for head in heads if head in row), default=0) or 1
    parts = []
    for at, row in enumerate(rows):
        bottom = 130 * at + 105
        parts.append(f'<text x="0" y="{bottom - 88}">{escape(str(row["id"]))}</text>')
        for place, head in enumerate(heads):
            count, x = float(row.get(head, 0)), 60 * place + 30
            height = 60 * count / most
            parts += [
                f'<rect x="{x - 20}" y="{bottom - height:.1f}" width="40" height="{height:.1f}" fill="#4878a8"/>',
                f'<text x="{x}" y="{bottom - height - 4:.1f}" text-anchor="middle">{row.get(head, 0)}</text>',
                f'<text x="{x}" y="{bottom + 14}" text-anchor="middle">{escape(head)}</text>',
            ]
    size = f'width="{60 * len(heads) + 60}" height="{130 * len(rows)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        *parts,
        "</svg>",
    ]
    (FOLDER / f"{name}.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with (FOLDER / f"{name}.md").open("a", encoding="utf-8") as file:
        file.write(f"\n![The counts of the table as bars]({name}.svg)\n")


def page(title: str, names: Sequence[str]) -> None:
    """All tables on one page."""
    parts = [(FOLDER / f"{name}.md").read_text(encoding="utf-8") for name in names]
    if lost := unread_rows():
        parts.append(f"Rows and cells of raters' sheets that could not be read as they stand:\n\n{lost}")
    (FOLDER / "tables.md").write_text("\n".join([f"# {title}\n", *parts]), encoding="utf-8")


def unread_rows() -> str:
    """What st-annotate import told of rows of sheets, as a list."""
    logs = (path.read_text(encoding="utf-8") for path in sorted(Path().glob("*/import.log")))
    told = (line.removeprefix("st-annotate: ") for log in logs for line in log.splitlines() if "/raters/" in line)
    return "".join(f"- `{line}`\n" for line in told)
