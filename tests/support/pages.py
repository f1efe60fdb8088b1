"""Pages as tests read them: elements with attributes, and texts by the elements that they stand in."""

from __future__ import annotations

import re
from html.parser import HTMLParser

SCRIPT = "</script><script>alert('x')</script>\"'><img src=x onerror=alert(1)>&amp;<!--\u2028\u202e"
VOID = {"meta", "input", "br", "img", "line", "circle"}


class Tree(HTMLParser):
    """Elements with attributes, and texts under ``tag.class`` paths; elements that are not closed fail."""

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
        """What stands in each text of a paper; the facets have some of them again."""
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
        """The texts under elements of a path, by its end."""
        return [text for where, text in self.texts if re.search(path, where) and not re.search(without, where)]

    def rows(self) -> list[tuple[str, list[str]]]:
        """The rows of tables that have a heading of their own, each with the texts of its cells, without notes."""
        found: list[tuple[str, list[str]]] = []
        for where, text in self.texts:
            if " tr. th." in where and "thead" not in where and text.strip():
                found.append((text.strip(), []))
            elif found and " tr. td." in where and "table.index" not in where and "span." not in where and text.strip():
                found[-1][1].append(text.strip())
        return found

    def row(self, name: str) -> list[str]:
        """The cells of the one row of this heading."""
        (cells,) = [cells for heading, cells in self.rows() if heading == name]
        return cells
