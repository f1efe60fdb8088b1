"""Pages of whole records: one page with an index, or a folder of pages with an index over all of them."""

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
    """A kind of items that a reader can switch off: a class of the style sheet, a letter, and a heading."""

    @property
    def name(self) -> str: ...
    @property
    def letter(self) -> str: ...
    @property
    def heading(self) -> str: ...


class Pages:
    """Writes an article for each record as a page, or as a folder of pages; memory does not grow with their texts.

    Attributes:
        problems: how many records had something that could not be shown.
    """

    # Whether items are searched and switched off each as a whole, in place of articles and marks.
    by_item = False

    def __init__(self, size: int | None = None) -> None:
        """``size``: records of a page of a folder; None: all records are one page."""
        self.problems = 0
        self._size = size
        self._index: list[Article] = []  # without their HTML
        self._articles = Articles()

    @property
    def kinds(self) -> Sequence[Shown]:
        """The kinds of items that articles may have, in the order of the page."""
        raise NotImplementedError

    def render(self, record: Record, anchor: str) -> Article:
        """The article of a record, all of whose anchors begin with ``anchor``.

        Raises:
            InputFault: the record cannot be shown.
        """
        raise NotImplementedError

    def tables(self) -> list[Table]:
        """What comes above all articles."""
        return []

    def begin(self, output: Any) -> None:
        """Nothing comes before the index, which is known at the end."""

    def make(self, record: Record) -> Article:
        """The article of the next record, as :meth:`render` makes it."""
        return self.render(record, f"p{len(self._index) + 1}")

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
        listed = {"index": self._index_of(self._index, "")} if several else {}
        title = self._index[0].title if len(self._index) == 1 else count_of(len(self._index), "paper")
        settings: dict[str, Any] = {"searched": several or self.by_item, "tables": self.tables(), **listed}
        for part in self._page(title, self._note(n_failed), self._articles.read(), self._index, **settings):
            output.write(part)

    def _write_folder(self, folder: Path, size: int, failed: int) -> None:
        """``index.html``, and pages of ``size`` records each."""
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
        """What to tell of the pages."""
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
        """A page in parts; ``listed`` are the articles that it counts, and whose kinds can be switched off on it."""
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
        """How many items of each kind articles have, and errors; of those that any has."""
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


# Keys of texts that an article shows; all else that it shows is counted.
_TEXTS = ("title", "abstract", "sections", "summaries", "text", "context", "generated", "judgements", "scores")


class View(Pages):
    """Pages of whole records: their texts with marks, and cards of all that was found in them."""

    kinds = KINDS

    def __init__(self, size: int | None = None, with_images: bool = False) -> None:
        """``size``: records of a page of a folder; None: all records are one page."""
        super().__init__(size)
        self._images = Images() if with_images else None
        self._n_bare = 0

    def render(self, record: Record, anchor: str) -> Article:
        """The article of a record.

        Raises:
            InputFault: it has no name.
        """
        made = render(record, anchor, self._images)
        self._n_bare += not (made.counts or made.n_errors or any(record.get(key) for key in _TEXTS))
        return made

    def notes(self) -> Iterator[str]:
        """What to tell of the pages."""
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
    """The script of the pages, and the hash by which their policy allows it alone."""
    script = resources.files("scholartools").joinpath("templates", "view.js").read_text()
    return {"script": script, "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}
