"""Write the files of a batch that raters fill in, in one folder per rater: sheets, projects, JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from scholartools.errors import OutputFault, UsageFault
from scholartools.io import open_output
from scholartools.json_text import dumps
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.annotate.batch import GUIDE, Batch, Row
from scholartools.tasks.annotate.description import SIDES
from scholartools.tasks.annotate.guide import as_page
from scholartools.tasks.annotate.label_studio import label_studio_tasks, project_of, shared_rows
from scholartools.tasks.annotate.sheets import write_csv, write_workbook

Format = Literal["xlsx", "csv", "jsonl", "label-studio"]


def export_files(batch: Batch, kind: Format, raters: Sequence[str], *, is_guarded: bool = True) -> Iterator[Path]:
    """Write a file for each rater, with the guide, and yield its path.

    Args:
        raters: the raters; empty for all.
        is_guarded: whether texts in CSV that look like formulas are prefixed by an apostrophe.

    Raises:
        UsageFault: a rater is unknown, or the library for workbooks is not installed.
        OutputFault: a file cannot be written, or exists with other contents, such as a rater's answers.
    """
    if unknown := next((name for name in raters if name not in batch.raters), None):
        raise UsageFault(f"{parameter('rater', unknown)}: the raters are {', '.join(batch.raters)}")
    for rater in raters or [one for one in batch.raters if one not in batch.dropped]:
        folder = batch.folder / "raters" / rater
        for part in sorted({1, *(row.part for row in batch.rows[rater])}):
            files = _files_of(batch, kind, rater, part, is_guarded=is_guarded)
            for name, content in files.items():
                _write_new(folder / name, content)
            yield folder / next(iter(files))


def export_shared(batch: Batch) -> Path:
    """Write the shared project of all raters; return the path of its tasks.

    Raises:
        OutputFault: see :func:`export_files`.
    """
    folder = batch.folder / "shared"
    for name, content in _project_files(batch, None, shared_rows(batch)).items():
        _write_new(folder / name, content)
    return folder / "label-studio" / "tasks.json"


def _project_files(batch: Batch, rater: str | None, rows: Sequence[Row], more: str = "") -> dict[str, bytes]:
    project = project_of(batch, rater, (batch.folder / GUIDE).read_text(encoding="utf-8"))
    made = {
        f"tasks{more}.json": json.dumps(label_studio_tasks(batch, rows), indent=1) + "\n",
        "config.xml": project["label_config"],
        "project.json": json.dumps(project, indent=1) + "\n",
    }
    return {f"label-studio/{name}": text.encode() for name, text in made.items()}


def _files_of(batch: Batch, kind: Format, rater: str, part: int, *, is_guarded: bool) -> dict[str, bytes]:
    """Files of a part of a rater's list, by name; the one to fill in comes first."""
    rows = [row for row in batch.rows[rater] if row.part == part]
    more = "" if part == 1 else f"-{part}"
    if kind == "label-studio":
        return _project_files(batch, rater, rows, more)
    guide = (batch.folder / GUIDE).read_text(encoding="utf-8")
    if kind == "jsonl":
        content = b"".join(dumps(task) + b"\n" for task in task_lines(batch, rows))
    else:
        content = (
            write_workbook(batch, rows, guide) if kind == "xlsx" else write_csv(batch, rows, is_guarded=is_guarded)
        )
    return {f"{rater}{more}.{kind}": content, "guide.html": as_page(guide).encode()}


def task_lines(batch: Batch, rows: Sequence[Row]) -> Iterator[Record]:
    """A record per row: displayed texts, questions, and ``answers`` to fill in."""
    questions = [question.as_record() for question in batch.questions]
    names = SIDES if batch.has_sides else None
    for row in rows:
        shown = [{"name": part.name, "heading": part.heading, "text": part.text} for part in row.item.parts]
        listed = [
            {"name": names[number] if names else str(number + 1), "text": one.text}
            for number, one in enumerate(row.candidates())
        ]
        about: Record = {"batch": batch.id, "row": row.mark, "shown": shown, "candidates": listed}
        yield {**about, "questions": questions, "answers": {}, "skip": False, "note": None, "seconds": None}


def _write_new(path: Path, content: bytes) -> None:
    """Write a file atomically; an existing file must have the same contents.

    Raises:
        OutputFault: it has other contents, or cannot be written.
    """
    try:
        if path.exists():
            if path.read_bytes() != content:
                reason = "exists with other contents, such as answers, and is not overwritten: move it"
                raise OutputFault(f"{path}: {reason}", kind="unwritable")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_output(str(path)) as output:
            output.write_bytes(content)
    except OSError as error:
        raise OutputFault(f"{path}: {error.strerror}", kind="unwritable") from None
