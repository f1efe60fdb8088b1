"""The files of a batch that raters fill in, each in a folder of its rater."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from scholartools.errors import OutputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.tasks.annotate.batch import GUIDE, Batch, write_lines
from scholartools.tasks.annotate.label_studio import label_studio_tasks, project_of
from scholartools.tasks.annotate.sheets import write_csv, write_workbook
from scholartools.tasks.annotate.tasks import task_lines

Format = Literal["xlsx", "csv", "jsonl", "label-studio"]


def export_files(batch: Batch, kind: Format, raters: Sequence[str], *, is_guarded: bool = True) -> Iterator[Path]:
    """Write a file for each rater, with the guide beside it, and give its path.

    Args:
        raters: whose; none: of all.
        is_guarded: whether texts in CSV that begin like formulas have an apostrophe before them.

    Raises:
        UsageFault: a rater is not known, or what writes workbooks is not installed.
        OutputFault: a file cannot be written.
    """
    if unknown := next((name for name in raters if name not in batch.raters), None):
        raise UsageFault(f"{parameter('rater', unknown)}: there are {', '.join(batch.raters)}")
    guide = (batch.folder / GUIDE).read_text(encoding="utf-8")
    for rater in raters or batch.raters:
        ending = "label-studio/tasks.json" if kind == "label-studio" else f"{rater}.{kind}"
        path = batch.folder / "raters" / rater / ending
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(batch.folder / GUIDE, path.parent / GUIDE)
            if kind == "label-studio":
                project = project_of(batch, rater, guide)
                (path.parent / "config.xml").write_text(project["label_config"], encoding="utf-8")
                (path.parent / "project.json").write_text(json.dumps(project, indent=1) + "\n", encoding="utf-8")
                path.write_text(json.dumps(label_studio_tasks(batch, rater), indent=1) + "\n", encoding="utf-8")
            elif kind == "jsonl":
                write_lines(path, task_lines(batch, rater))
            else:
                is_book = kind == "xlsx"
                made = (
                    write_workbook(batch, rater, guide) if is_book else write_csv(batch, rater, is_guarded=is_guarded)
                )
                part = path.with_name(path.name + ".part")
                part.write_bytes(made)
                os.replace(part, path)
        except OSError as error:
            raise OutputFault(f"{path}: {error.strerror}", kind="unwritable") from None
        yield path
