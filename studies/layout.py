"""Tables of a study in a paper's layout: rows that its tables.py gives, as JSONL, Markdown and LaTeX by st-table."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

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
    keys = list(dict.fromkeys(key for row in rows for key in row if key != "id"))
    path = FOLDER / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    line = ["st-table", "long", "--quiet", "--keys", ",".join(keys), "--columns", "id,key,value", "--wide", "key=value"]
    for ending in ("md", "tex"):
        made = FOLDER / f"{name}.{ending}"
        titled = ["--caption", caption, "--label", f"tab:{name}"] if ending == "tex" else []
        subprocess.run([*line, *titled, "--output", str(made), str(path)], check=True)
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    text = text.replace("| id |", "|  |", 1)
    (FOLDER / f"{name}.md").write_text(f"{caption}\n\n{text}", encoding="utf-8")


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
