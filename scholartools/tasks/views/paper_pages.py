"""Pages of whole records: one page with an index, or a folder of pages with a common index."""

from __future__ import annotations

import base64
import functools
import hashlib
import itertools
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.views.article import Article, Images, Table, render
from scholartools.tasks.views.kinds import KINDS
from scholartools.tasks.views.templates import Articles, environment
from scholartools.vocabulary import FACETS
from scholartools.wording import count_of

_LARGE = 20 * 2**20
_ERRORS = "Errors"


class Shown(Protocol):
    """A kind of items that readers can hide: CSS class, letter, and heading."""

    @property
    def name(self) -> str: ...
    @property
    def letter(self) -> str: ...
    @property
    def heading(self) -> str: ...


class Pages:
    """Writes articles to a page or a folder of pages, without keeping their texts in memory.

    Attributes:
        problems: number of records with parts that could not be shown.
    """

    # Whether search and filters apply to items rather than to articles and marks.
    by_item = False

    def __init__(self, size: int | None = None) -> None:
        """``size``: records per page of a folder; None: a single page."""
        self.problems = 0
        self._size = size
        self._index: list[Article] = []  # without HTML
        self._articles = Articles()

    @property
    def kinds(self) -> Sequence[Shown]:
        """The kinds of items in articles, in display order."""
        raise NotImplementedError

    def render(self, record: Record, anchor: str) -> Article:
        """Render a record, with the prefix ``anchor`` for all anchors.

        Raises:
            InputFault: the record cannot be rendered.
        """
        raise NotImplementedError

    def tables(self) -> list[Table]:
        """Tables above all articles."""
        return []

    def begin(self, output: Any) -> None:
        """Do nothing: the page starts with the index, which is only known at the end."""

    def make(self, record: Record) -> Article:
        """Render the next record."""
        return self.render(record, f"p{len(self._index) + 1}")

    def write(self, output: Any, made: Article) -> None:
        """Store an article for the page."""
        self._articles.add(made.html)
        self._index.append(made._replace(html=""))
        self.problems += bool(made.problems)

    def end(self, output: Any, n_failed: int) -> None:
        """Write the stored articles to an open file or a folder."""
        if self._size is not None:
            self._write_folder(output, self._size, n_failed)
            return
        several = len(self._index) > 1
        listed = {"index": self._index_of(self._index, "")} if several else {}
        title = self._index[0].title if len(self._index) == 1 else count_of(len(self._index), "paper")
        settings: dict[str, Any] = {"searched": several or self.by_item, "tables": self.tables(), **listed}
        for part in self._page(title, self._note(n_failed), self._articles.read(), self._index, **settings):
            output.write(part)

    def _write_folder(self, folder: Path, size: int, failed: int) -> None:
        """Write ``index.html`` and pages of ``size`` records each."""
        texts, entries = self._articles.read(), []
        for start in range(0, len(self._index), size):
            name, mine = f"papers-{start // size + 1:04}.html", self._index[start : start + size]
            numbers = f"Papers {start + 1} to {start + len(mine)} of {len(self._index)}"
            some = itertools.islice(texts, len(mine))
            _write(folder / name, self._page(numbers, "", some, mine, searched=True, home="index.html"))
            entries += self._index_of(mine, name)
        settings: dict[str, Any] = {
            "index": entries,
            "searched": True,
            "whole": True,
            "has_kinds": False,
            "tables": self.tables(),
        }
        title = count_of(len(self._index), "paper")
        made = self._page(title, self._note(failed), iter(()), self._index, **settings)
        _write(folder / "index.html", made)

    def notes(self) -> Iterator[str]:
        """Notes for the user."""
        for article in self._index:
            for problem in article.problems:
                yield f"{article.title}: not shown: {problem}"
        if self._size is None and self._articles.size > _LARGE and len(self._index) > 1:
            size = self._articles.size // 2**20
            yield f"the page has {size} MB: {parameter('split', 50)} makes a folder of smaller ones"

    def _page(
        self, title: str, note: str, articles: Iterator[str], listed: list[Article], has_kinds: bool = True,
        **settings: Any,
    ) -> Iterator[str]:  # fmt: skip
        """A page in parts; ``listed`` are the articles for its counts and filters."""
        usual: dict[str, Any] = {"index": [], "searched": False, "home": "", "whole": False, "tables": []}
        totals = self._totals(listed)
        kinds = [kind for kind in self.kinds if kind.heading in totals] if has_kinds else []
        shown = {**usual, **settings, **_script(), "columns": list(totals), "kinds": kinds, "by_item": self.by_item}
        return (
            environment()
            .get_template("view.html")
            .generate(title=title, note=note, articles=articles, facets=FACETS, **shown)
        )

    def _note(self, failed: int) -> str:
        told = [count_of(len(self._index), "paper")]
        told += [f"{n} {heading.lower()}" for heading, n in self._totals(self._index).items() if heading != _ERRORS]
        if failed:
            told.append(f"{count_of(failed, 'more record')} could not be shown")
        return ", ".join(told)

    def _totals(self, articles: list[Article]) -> dict[str, int]:
        """Nonzero numbers of items by kind, and of errors."""
        totals: dict[str, int] = {}
        for kind in self.kinds:
            if n := sum(article.counts.get(kind.heading, 0) for article in articles):
                totals[kind.heading] = n
        if n := sum(article.n_errors for article in articles):
            totals[_ERRORS] = n
        return totals

    def _index_of(self, articles: list[Article], page: str) -> list[dict[str, Any]]:
        return [
            {**article._asdict(), "page": page, "counts": {**article.counts, _ERRORS: article.n_errors or ""}}
            for article in articles
        ]


# Keys of texts shown in an article; other contents are counted as items.
_TEXTS = ("title", "abstract", "sections", "summaries", "text", "context", "generated", "judgements", "scores")


class View(Pages):
    """Pages of whole records: texts with marks, and cards for all items."""

    kinds = KINDS

    def __init__(self, size: int | None = None, with_images: bool = False) -> None:
        """``size``: records per page of a folder; None: a single page."""
        super().__init__(size)
        self._images = Images() if with_images else None
        self._n_bare = 0

    def render(self, record: Record, anchor: str) -> Article:
        """Render a record.

        Raises:
            InputFault: it has no name.
        """
        made = render(record, anchor, self._images)
        self._n_bare += not (made.counts or made.n_errors or any(record.get(key) for key in _TEXTS))
        return made

    def notes(self) -> Iterator[str]:
        """Notes for the user."""
        yield from super().notes()
        if self._n_bare:
            told = f"{count_of(self._n_bare, 'record')} without a text or an item that the page can show"
            yield f"{told}: st-view shows papers, and results of st-agree and st-score with {parameter('report')}"
        if self._images and self._images.n_left_out:
            yield f"{count_of(self._images.n_left_out, 'picture')} could not be read, or would make more than 20 MB"


def _write(path: Path, parts: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)


@functools.cache
def _script() -> dict[str, str]:
    """Script of the pages, and its hash for the content security policy."""
    script = resources.files("scholartools").joinpath("templates", "view.js").read_text()
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}
