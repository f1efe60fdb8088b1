"""Pages of whole records: one page with an index, or a folder of pages with an index over all of them."""

from __future__ import annotations

import base64
import hashlib
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.views.article import Article, Images, render
from scholartools.tasks.views.kinds import KINDS
from scholartools.tasks.views.templates import environment
from scholartools.vocabulary import FACETS
from scholartools.wording import count_of

_IN_MEMORY = 2**24  # bytes of articles; what is longer waits in a temporary file
_CHUNK = 2**16
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
        self._index: list[tuple[Article, int]] = []  # without their HTML; how many characters that has
        self._articles = tempfile.SpooledTemporaryFile(  # closed when the pages have been written
            _IN_MEMORY, mode="w+", encoding="utf-8", errors="replace", newline=""
        )

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
        html = made.html.encode(errors="replace").decode()
        self._articles.write(html)
        self._index.append((made._replace(html=""), len(html)))
        self.problems += bool(made.problems)

    def end(self, output: Any, n_failed: int) -> None:
        """Write what was kept: into an open file, or into a folder."""
        with self._articles as file:
            file.seek(0)
            if self._size is None:
                for part in self._whole(file, n_failed):
                    output.write(part)
            else:
                self._write_folder(output, file, self._size, n_failed)

    def _whole(self, file: Any, failed: int) -> Iterator[str]:
        """All records as one page; an index stands before several."""
        articles = [article for article, _ in self._index]
        several = len(articles) > 1
        yield from _page(
            _title(articles), _note(articles, failed), iter(lambda: file.read(_CHUNK), ""),
            index=_index_of(articles, "") if several else [], columns=_columns(articles), searched=several,
            kinds=_kinds(articles),
        )  # fmt: skip

    def _write_folder(self, folder: Path, file: Any, size: int, failed: int) -> None:
        """``index.html``, and pages of ``size`` records each."""
        articles = [article for article, _ in self._index]
        entries = []
        for start in range(0, len(articles), size):
            name, mine = f"papers-{start // size + 1:04}.html", self._index[start : start + size]
            ours = [article for article, _ in mine]
            numbers = f"Papers {start + 1} to {start + len(ours)} of {len(articles)}"
            texts = (file.read(length) for _, length in mine)
            _write(folder / name, _page(numbers, "", texts, kinds=_kinds(ours), searched=True, home="index.html"))
            entries += _index_of(ours, name)
        title, note = _title(articles), _note(articles, failed)
        made = _page(title, note, iter(()), index=entries, columns=_columns(articles), searched=True, whole=True)
        _write(folder / "index.html", made)

    def notes(self) -> Iterator[str]:
        """What to tell of the pages."""
        for article, _ in self._index:
            for problem in article.problems:
                yield f"{article.title}: not shown: {problem}"
        if self._images and self._images.n_left_out:
            yield f"{count_of(self._images.n_left_out, 'picture')} could not be read, or would make more than 20 MB"
        size = sum(length for _, length in self._index)
        if self._size is None and size > _LARGE and len(self._index) > 1:
            yield f"the page has {size // 2**20} MB: {parameter('split', 50)} makes a folder of smaller ones"


def _write(path: Path, parts: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)


def script_of(name: str) -> dict[str, str]:
    """A script of the templates, and the hash by which a page's policy allows it alone."""
    script = resources.files("scholartools").joinpath("templates", name).read_text()
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}


def _page(title: str, note: str, articles: Iterator[str], **settings: Any) -> Iterator[str]:
    usual: dict[str, Any] = {"index": [], "columns": [], "searched": False, "home": "", "whole": False, "kinds": []}
    template = environment().get_template("view.html")
    shown = {**usual, **settings, **script_of("view.js")}
    return template.generate(title=title, note=note, articles=articles, facets=FACETS, **shown)


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
    totals: dict[str, int] = {}
    for kind in KINDS:
        if n := sum(article.counts.get(kind.heading, 0) for article in articles):
            totals[kind.heading] = n
    if n := sum(article.n_errors for article in articles):
        totals[_ERRORS] = n
    return totals


def _columns(articles: list[Article]) -> list[str]:
    return list(_totals(articles))


def _kinds(articles: list[Article]) -> list[Any]:
    totals = _totals(articles)
    return [kind for kind in KINDS if kind.heading in totals]


def _index_of(articles: list[Article], page: str) -> list[dict[str, Any]]:
    return [
        {**article._asdict(), "page": page, "counts": {**article.counts, _ERRORS: article.n_errors or ""}}
        for article in articles
    ]
