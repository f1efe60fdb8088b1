"""Markdown papers drawn with known words, each of which is in the record once, or counted by a warning."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest

from scholartools.readers.text import reader

_WORD = re.compile(r"\b[a-z]{4}z\d+q\b|[a-z]{4}z\d+q")


class _Drawn:
    """One paper, and its words."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.count = 0
        self.links: list[str] = []
        self.notes: list[str] = []
        self.source = self._paper()
        self.words = _WORD.findall(self.source)

    def _word(self) -> str:
        self.count += 1
        return "".join(self.draw.choice("bdfgklmn") + self.draw.choice("aeiou") for _ in "12") + f"z{self.count}q"

    def _words(self, least: int, most: int) -> str:
        return " ".join(self._word() for _ in range(self.draw.randint(least, most)))

    def _piece(self) -> str:
        name = f"r{self.count}"
        shapes = (
            "*{}*", "**{}**", "[{}](http://e.org/x_(1) 't')", f"[{{}}][{name}]", "`{}`", "${}_1$", "~~{}~~", "{} &lt; b",
            "a < {} > b", "p<{} and q>1", "adds <{}> at the end", f"it[^{name}] {{}}", '<span class="a">{}</span>',
            "a<br>{}", "costs $5 {} and $6", "<http://e.org/{}>", "a\\_{}", "[{}]", "[@{}]", "H<sub>{}</sub>", "{}",
        )  # fmt: skip
        shape = self.draw.choice(shapes)
        if f"][{name}]" in shape:
            self.links.append(f"[{name}]: <http://e.org> 't'")
        if f"[^{name}]" in shape:
            self.notes.append(f"[^{name}]: {self._words(2, 4)}")
        return shape.format(self._word())

    def _line(self) -> str:
        ends = (" ", " ", "\n", "  \n", "\\\n")
        return "".join(self._piece() + self.draw.choice(ends) for _ in range(self.draw.randint(2, 6))) + "end."

    def _block(self, depth: int = 0) -> str:
        shape = self.draw.choice("line list numbers quote fence code table html cells details image rule terms".split())
        if shape in ("list", "numbers") and depth < 2:
            items = [f"{self._line()}\n\n{self._block(depth + 1)}" for _ in range(self.draw.randint(1, 3))]
            marks = ["- " if shape == "list" else f"{index}. " for index in range(1, len(items) + 1)]
            return "\n\n".join(mark + item.replace("\n", "\n" + " " * len(mark)) for mark, item in zip(marks, items))
        if shape == "quote" and depth < 2:
            return "\n".join(f"> {line}" for line in f"{self._line()}\n\n{self._block(depth + 1)}".split("\n"))
        shapes = {
            "fence": "```r\n# {}\n<b> {}\n```", "code": "    {}\n    {}", "table": "| {} | {} |\n|---|---|\n| {} | {} |",
            "html": "<p>{}</p><p>{}</p>", "cells": "<table>\n<tr><td>{}</td><td>{}</td></tr>\n</table>",
            "details": "<details><summary>{}</summary>\n\n{}\n\n</details>", "image": "Beside ![{}](a.png) {}.",
            "rule": "***", "terms": "{}\n:   {}",
        }  # fmt: skip
        return re.sub(r"\{\}", lambda _: self._words(1, 4), shapes[shape]) if shape in shapes else self._line()

    def _paper(self) -> str:
        heads = (
            f'---\ntitle: "{self._words(3, 5)}"\nauthor: Ann Smith\n---', f"# {self._words(3, 5)} #",
            f"{self._words(3, 5)}\n=====", f"# {self._words(3, 5)}\n\nAnn Smith\n\n{self._words(9, 9)}.",
            f"# {self._words(3, 5)}\n\n## Abstract\n\n{self._words(9, 9)}.\n\nKeywords: {self._words(2, 3)}",
        )  # fmt: skip
        parts = [self.draw.choice(heads)]
        for number in range(1, 4):
            shape = self.draw.choice(("## {}", "{}\n---", "### {} ###", f"## {number}. {{}}", "## {} {{#one .two}}"))
            parts += [shape.format(self._words(1, 4)), *(self._block() for _ in range(self.draw.randint(1, 4)))]
            parts.append(f"{self._words(3, 6)}.")
        return "\n\n".join([*parts, *self.notes, "\n".join(self.links)]) + "\n"


def _texts_of(record: dict[str, Any]) -> list[str]:
    kept = ("sections", "footnotes", "captions", "references", "front_matter")
    parts = [one for key in kept for one in record.get(key, ())]
    return [
        record["title"] or "",
        record["abstract"] or "",
        *(f"{one.get('heading', '')} {one['text']}" for one in parts),
    ]


def _count_told(record: dict[str, Any]) -> int:
    told = " ".join(one["text"].partition(":")[0] for one in record["warnings"] if one["kind"] == "text-missing")
    return sum(map(int, re.findall(r"(\d+) words?", told)))


@pytest.mark.parametrize("seed", range(60))
def test_each_word_is_in_the_record_once_or_counted(seed: int) -> None:
    """Paragraphs and sections under a title, words that look like tags, and tables were lost without a word."""
    drawn = _Drawn(seed)
    record = reader.read(drawn.source.encode())
    found = Counter(_WORD.findall(" ".join(_texts_of(record))))
    lost = [word for word in drawn.words if not found[word]]
    assert len(lost) == _count_told(record), drawn.source
    assert set(found.values()) == {1}
    for section in record["sections"]:
        places = list(map(drawn.source.index, _WORD.findall(section["text"])))
        assert places == sorted(places)
        assert not re.search(r"q[a-z]{4}z|\]\[r|\{#", f"{section['heading']} {section['text']}")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>10<sup>5</sup> bees</p><p>All fell.</p>", "10^5 bees All fell."),
        ("We add <mask> and </unk> and <eos>.", "We add <mask> and </unk> and <eos>."),
        ("It is so if p<a and q>b.", "It is so if p<a and q>b."),
        ('See <span class="x">this</span> <!-- not this --> one.', "See this one."),
        ("We follow [the bees][b] and [hives].\n\n[b]: http://e.org\n[hives]: http://e.org", "We follow the bees and hives."),
    ],
)  # fmt: skip
def test_what_looks_like_a_tag_or_a_link(source: str, text: str) -> None:
    assert [one["text"] for one in reader.read(f"# On Bees\n\n## Aims\n\n{source}\n".encode())["sections"]] == [text]


def test_a_title_in_front_matter_takes_no_section_away() -> None:
    """The first section vanished where its heading named no usual part of a paper."""
    body = "## How bees fly\n\nThey flap.\n\n## Discussion\n\nThey do.\n"
    headings = [one["heading"] for one in reader.read(f"---\ntitle: On Bees\n---\n\n{body}".encode())["sections"]]
    assert headings == ["How bees fly", "Discussion"]
    repeated = reader.read(f"---\ntitle: On Bees\n---\n\n# On bees: a study\n\n{body}".encode())
    assert [one["heading"] for one in repeated["sections"]] == headings


def test_what_is_between_title_and_text_is_front_matter() -> None:
    source = "# On Bees\n\nAnn Smith\n\nDepartment of Bees, University of Hives\n\nBees flap a lot.\n\n## Abstract\n\nThey fell.\n\nKeywords: bees\n\n## Aims\n\nOne.\n"
    found = reader.read(source.encode())["front_matter"]
    assert [(one["kind"], one["text"]) for one in found] == [
        ("authors", "Ann Smith"), ("affiliation", "Department of Bees, University of Hives"),
        ("other", "Bees flap a lot."), ("keywords", "Keywords: bees"),
    ]  # fmt: skip


@pytest.mark.parametrize("marks", ["{-}", "{#references .unnumbered}", "{.unnumbered}"])
def test_marks_of_pandoc_after_a_heading(marks: str) -> None:
    """References under such a heading were text of a section."""
    record = reader.read(
        f"# On Bees\n\n## Aims\n\nOne.\n\n## References {marks}\n\nDoe, J. (2020). Bees. Hive.\n".encode()
    )
    assert [one["year"] for one in record["references"]] == [2020]
