"""Parser of HTML pages for tests: elements with attributes, and texts by their enclosing elements."""

from __future__ import annotations

import re
from html.parser import HTMLParser

SCRIPT = "</script><script>alert('x')</script>\"'><img src=x onerror=alert(1)>&amp;<!--\u2028\u202e"
VOID = {"meta", "input", "br", "img", "line", "circle"}


class Tree(HTMLParser):
    """Elements with attributes, and texts with their ``tag.class`` paths; an unclosed element fails an assertion."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(f"{tag}.{dict(attrs).get('class') or ''}")
        if tag == "p" and dict(attrs).get("class") == "text" and "section.part facets" not in self._open:
            self.texts.append(("start", ""))

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        assert self._open.pop().partition(".")[0] == tag

    def handle_data(self, data):
        self.texts.append((" ".join(self._open), data))

    def read_texts(self) -> list[str]:
        """Texts of a paper, without their repetitions in the facets."""
        found: list[str] = []
        for where, text in self.texts:
            if where == "start":
                found.append("")
            elif "p.text" in where and "section.part facets" not in where:
                found[-1] += text
        return found

    def marked(self, name: str) -> str:
        return "".join(text for where, text in self.texts if re.search(rf"mark\.[^.]*\b{name}\b[^.]*$", where))

    def said(self, path: str, without: str = "$^") -> list[str]:
        """Texts whose path matches a regular expression and does not match ``without``."""
        return [text for where, text in self.texts if re.search(path, where) and not re.search(without, where)]

    def rows(self) -> list[tuple[str, list[str]]]:
        """Rows of tables that have a row heading, each with the texts of its cells, without notes."""
        found: list[tuple[str, list[str]]] = []
        for where, text in self.texts:
            if " tr. th." in where and "thead" not in where and text.strip():
                found.append((text.strip(), []))
            elif found and " tr. td." in where and "table.index" not in where and "span." not in where and text.strip():
                found[-1][1].append(text.strip())
        return found

    def row(self, name: str) -> list[str]:
        """Cells of the only row with this heading."""
        (cells,) = [cells for heading, cells in self.rows() if heading == name]
        return cells
