"""Pages of whole records: one page with an index, or a folder of pages with an index over all of them."""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.views.article import Article, Images, render
from scholartools.tasks.views.kinds import KINDS
from scholartools.tasks.views.templates import Articles, environment
from scholartools.vocabulary import FACETS
from scholartools.wording import count_of

_LARGE = 20 * 2**20
_ERRORS = "Errors"


class View:
    """Writes records as a page, or as a folder of pages; memory does not grow with their texts.

    Attributes:
        problems: how many records had something that could not be shown.
    """

    def __init__(self, size: int | None = None, with_images: bool = False) -> None:
        """``size``: records of a page of a folder; None: all records are one page."""
        self.problems = 0
        self._size, self._images = size, Images() if with_images else None
        self._index: list[Article] = []  # without their HTML
        self._articles = Articles()

    def begin(self, output: Any) -> None:
        """Nothing stands before the index, which is known at the end."""

    def make(self, record: Record) -> Article:
        """The article of a record.

        Raises:
            InputFault: it has no name.
        """
        return render(record, f"p{len(self._index) + 1}", self._images)

    def write(self, output: Any, made: Article) -> None:
        """Keep an article for the page."""
        self._articles.add(made.html)
        self._index.append(made._replace(html=""))
        self.problems += bool(made.problems)

    def end(self, output: Any, n_failed: int) -> None:
        """Write what was kept: into an open file, or into a folder."""
        if self._size is not None:
            self._write_folder(output, self._size, n_failed)
            return
        several = len(self._index) > 1
        listed = {"index": _index_of(self._index, ""), "searched": True} if several else {}
        title, note = _title(self._index), _note(self._index, n_failed)
        for part in _page(title, note, self._articles.read(), self._index, has_kinds=True, **listed):
            output.write(part)

    def _write_folder(self, folder: Path, size: int, failed: int) -> None:
        """``index.html``, and pages of ``size`` records each."""
        texts, entries = self._articles.read(), []
        for start in range(0, len(self._index), size):
            name, mine = f"papers-{start // size + 1:04}.html", self._index[start : start + size]
            numbers = f"Papers {start + 1} to {start + len(mine)} of {len(self._index)}"
            some = itertools.islice(texts, len(mine))
            _write(folder / name, _page(numbers, "", some, mine, has_kinds=True, searched=True, home="index.html"))
            entries += _index_of(mine, name)
        title, note = _title(self._index), _note(self._index, failed)
        made = _page(title, note, iter(()), self._index, index=entries, searched=True, whole=True)
        _write(folder / "index.html", made)

    def notes(self) -> Iterator[str]:
        """What to tell of the pages."""
        for article in self._index:
            for problem in article.problems:
                yield f"{article.title}: not shown: {problem}"
        if self._images and self._images.n_left_out:
            yield f"{count_of(self._images.n_left_out, 'picture')} could not be read, or would make more than 20 MB"
        if self._size is None and self._articles.size > _LARGE and len(self._index) > 1:
            size = self._articles.size // 2**20
            yield f"the page has {size} MB: {parameter('split', 50)} makes a folder of smaller ones"


def _write(path: Path, parts: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)


@functools.cache
def _script() -> dict[str, str]:
    """The script of the pages, and the hash by which their policy allows it alone."""
    script = resources.files("scholartools").joinpath("templates", "view.js").read_text()
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}


def _page(
    title: str, note: str, articles: Iterator[str], listed: list[Article], *, has_kinds: bool = False, **settings: Any
) -> Iterator[str]:
    """A page in parts; ``listed`` are the articles that it counts, and whose kinds can be switched off on it."""
    usual: dict[str, Any] = {"index": [], "searched": False, "home": "", "whole": False}
    totals = _totals(listed)
    kinds = [kind for kind in KINDS if kind.heading in totals] if has_kinds else []
    shown = {**usual, **settings, **_script(), "columns": list(totals), "kinds": kinds}
    return (
        environment()
        .get_template("view.html")
        .generate(title=title, note=note, articles=articles, facets=FACETS, **shown)
    )


def _title(articles: list[Article]) -> str:
    """Of the window; the page itself has the title of a single paper above its text."""
    return articles[0].title if len(articles) == 1 else count_of(len(articles), "paper")


def _note(articles: list[Article], failed: int) -> str:
    told = [count_of(len(articles), "paper")]
    told += [f"{n} {heading.lower()}" for heading, n in _totals(articles).items() if heading != _ERRORS]
    if failed:
        told.append(f"{count_of(failed, 'more record')} could not be shown")
    return ", ".join(told)


def _totals(articles: list[Article]) -> dict[str, int]:
    """How many items of each kind articles have, and errors; of those that any has."""
    totals: dict[str, int] = {}
    for kind in KINDS:
        if n := sum(article.counts.get(kind.heading, 0) for article in articles):
            totals[kind.heading] = n
    if n := sum(article.n_errors for article in articles):
        totals[_ERRORS] = n
    return totals


def _index_of(articles: list[Article], page: str) -> list[dict[str, Any]]:
    return [
        {**article._asdict(), "page": page, "counts": {**article.counts, _ERRORS: article.n_errors or ""}}
        for article in articles
    ]
