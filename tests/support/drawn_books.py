"""Random theses, reports and papers, whose outline, reading order and first page are known by construction.

They have the features of long documents: title pages, tables of contents, running heads, page numbers, chapters,
algorithms with numbered steps, listings with line numbers, columns of unequal width.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pymupdf

Outline = list[tuple[str | None, str, int]]  # number, heading, level

WIDTH, HEIGHT = 595.0, 842.0
TITLES = (
    ["Debts of Towns", "and Their Courts"],
    ["Slow Tides in Sheltered Bays"],
    ["Reading Ledgers with Small Machines", "and Large Patience"],
    ["TRADE AND TRUST", "BEFORE THE TELEGRAPH"],
)
NAMES = ("Ada Lovelace", "Charles Babbage", "Mary Somerville", "João Mira da Eira", "Grace B. Hopper", "Sofia Kowalska")
CHAPTERS = (
    "Sources and Their Keepers", "The Price of Grain", "Merchants abroad", "Courts of the River Towns",
    "A Model of Delays", "Letters and Ledgers", "Tides that Come Late", "What the Gauges Tell",
)  # fmt: skip
SECTIONS = (
    "The archive of the port", "Who paid and when", "Weights and measures", "Interest in lean years", "Gaps in the record",
    "Estimation", "Two villages compared", "Notes on spelling", "A second look at the tolls", "Boats", "Rules of thumb",
    "How the judges were paid", "Storms and their traces", "Maps", "Prices after the flood", "Silver and copper",
    "Trust among strangers", "The widow of the miller", "Winter crossings", "Salt", "Seals and signatures", "Late bridges",
)  # fmt: skip
WORDS = (
    "readers of printed pages follow one column down before they start with the next and tell its end from what they "
    "saw while the clerk wrote all that was owed in a book which nobody else kept so that later hands found it there"
).split()
STEPS = (
    "procedure Settle", "F <- sort(debts)", "t -= r", "for each debt do", "F <- F minus paid", "if t < 0 then",
    "return F", "end if", "end for", "r = min(t, F[0])", "Let p be the price", "Update all rates", "while F do", "end while",
)  # fmt: skip
CODE = (
    "import ledger", "def settle(debts):", "t = sum(debts)", "for debt in debts:", "t -= debt.rate", "print(t)",
    "return t", "class Town:", "rate = 4.5", "F = open(path)", "while t > 0:", "x = [1, 2, 3]",
)  # fmt: skip


@functools.cache
def text_width(text: str, font: str, size: float) -> float:
    """Width of a text in points."""
    return size * sum(_char_width(char, font) for char in text)


@functools.cache
def _char_width(char: str, font: str) -> float:
    return pymupdf.get_text_length(char, fontname=font, fontsize=1000) / 1000


@dataclass
class Drawn:
    """A PDF and its ground truth; ``tags``: the first words of the lines of running text, in reading order."""

    data: bytes = b""
    title: str = ""
    authors: list[str] = field(default_factory=list)
    outline: Outline = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    traits: dict[str, str] = field(default_factory=dict)


@dataclass
class _Place:
    """A heading's page and depth, for the table of contents and the running heads."""

    label: str
    depth: int
    page: int


_Written = tuple[tuple[float, float], str, float, str]  # position, text, size, font


class Book:
    """Pages of a document under construction."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self.drawn = Drawn()
        pick = self.lot.choice
        self.traits = self.drawn.traits = {
            "kind": pick(["thesis", "thesis", "report", "paper"]),
            "numbers": pick(["label", "plain", "dot", "none"]),
            "contents": pick(["leaders", "spaces", "none"]),
            "heads": pick(["none", "title", "chapter", "caps"]),
            "folio": pick(["foot", "head"]),
            "steps": pick(["caption", "ruled", "bare", "code", "none"]),
            "columns": pick(["one", "one", "wide-left", "wide-right"]),
            "front": pick(["title", "author-above", "cover"]),
            "face": pick(["ti", "he"]),
        }
        if self.traits["kind"] != "thesis":
            self.traits["front"] = "cover" if self.traits["front"] == "cover" else "title"
        if self.traits["kind"] == "paper":
            self.traits["contents"] = "none"
            self.traits["heads"] = "chapter" if self.traits["heads"] == "caps" else self.traits["heads"]
            self.traits["numbers"] = "plain" if self.traits["numbers"] == "label" else self.traits["numbers"]
        if self.traits["kind"] == "thesis":
            self.traits["columns"] = "one"
        self.size = pick([10.0, 11.0])
        self.leading = self.size * pick([1.2, 1.3, 1.5])
        self.bold = self.traits["face"] + "bo"
        self.roman = self.traits["face"] + {"ti": "ro", "he": "lv"}[self.traits["face"]]
        self.italic = self.traits["face"] + "it"
        self.frames = self._frames()
        self.frame = 0
        self.y = self.top = 95.0
        self.places: list[_Place] = []
        self.rules: list[tuple[int, float, float, float]] = []  # page, left, right, height
        self.pages: list[list[_Written]] = []
        self.serial = 0

    def _frames(self) -> list[tuple[float, float]]:
        if self.traits["columns"] == "wide-left":
            return [(60.0, 340.0), (360.0, 535.0)]
        if self.traits["columns"] == "wide-right":
            return [(60.0, 235.0), (255.0, 535.0)]
        return [(85.0, 510.0)]

    # -- pages ------------------------------------------------------------

    def new_page(self) -> None:
        self.pages.append([])
        self.y, self.frame, self.top = 95.0, 0, 95.0

    def write(self, at: tuple[float, float], text: str, size: float, font: str, page: int = 0) -> None:
        self.pages[page - 1].append((at, text, size, font))

    def to_pdf(self) -> bytes:
        document = pymupdf.open()
        for number, rows in enumerate(self.pages, 1):
            page = document.new_page(width=WIDTH, height=HEIGHT)
            shape = page.new_shape()
            for at, text, size, font in rows:
                shape.insert_text(at, text, fontsize=size, fontname=font)
            for _, left, right, y in (rule for rule in self.rules if rule[0] == number):
                shape.draw_line((left, y), (right, y))
                shape.finish(width=0.6)
            shape.commit()
        return document.tobytes()

    def room(self, height: float) -> None:
        if self.y + height > 770:
            if self.frame + 1 < len(self.frames):
                self.frame, self.y = self.frame + 1, self.top
            else:
                self.new_page()

    def put(self, text: str, size: float, font: str, indent: float = 0.0, step: float = 0.0) -> None:
        self.room(size)
        self.write((self.frames[self.frame][0] + indent, self.y), text, size, font)
        self.y += step or 1.25 * size

    def centre(self, text: str, size: float, font: str) -> None:
        width = text_width(text, font, size)
        self.write(((WIDTH - width) / 2, self.y), text, size, font)
        self.y += 1.25 * size

    # -- text -------------------------------------------------------------

    def paragraph(self, lines: int) -> None:
        for index in range(lines):
            self.room(self.size)
            left, right = self.frames[self.frame]
            tag = f"q{self.serial}"
            self.serial += 1
            self.drawn.tags.append(tag)
            words = [tag.capitalize() if not index else tag]
            length = (right - left) * (0.5 if index == lines - 1 else 1.0)
            reach = text_width(words[0], self.roman, self.size)
            while (reach := reach + text_width(f" {(word := self.lot.choice(WORDS))}", self.roman, self.size)) < length:
                words.append(word)
            text = " ".join(words) + ("." if index == lines - 1 else "")
            self.put(text, self.size, self.roman, step=self.leading)

    def heading(self, number: str | None, words: str, depth: int) -> None:
        size = {1: self.size + 9, 2: self.size + 4, 3: self.size + 1.5}[depth]
        label = number is not None and number.startswith("Chapter")
        if self.traits["kind"] == "paper":
            size = {1: self.size + 3, 2: self.size + 1, 3: self.size}[depth]
        if depth == 1 and self.traits["kind"] != "paper" and (self.y > 96 or self.frame):
            self.new_page()
        if self.y > self.top:
            self.y += 0.9 * size + 4
        self.room(size + 3 * self.leading + (2 * size if label else 0))
        shown = (
            words
            if number is None
            else f"{number}{'.' if self.traits['numbers'] == 'dot' and depth == 1 else ''}  {words}"
        )
        self.places.append(_Place(shown.replace("Chapter ", ""), depth, len(self.pages)))
        if label:
            self.put(str(number), size, self.bold, step=1.6 * size)
            shown = words
        rows = self._broken(shown, size)
        for row in rows:
            self.put(row, size, self.bold)
        self.y += 0.35 * size + 3
        self.drawn.outline.append((number, words, depth))

    def _broken(self, text: str, size: float) -> list[str]:
        left, right = self.frames[self.frame]
        rows: list[str] = []
        for word in text.split(" "):
            longer = f"{rows[-1]} {word}" if rows else word
            if rows and text_width(longer, self.bold, size) <= right - left:
                rows[-1] = longer
            else:
                rows.append(word)
        return rows

    # -- numbered steps -----------------------------------------------------

    def steps(self, number: int) -> None:
        kind = self.traits["steps"]
        count = self.lot.randint(9, 14)
        self.y += self.leading
        self.room((count + 3) * self.leading + 20)
        if kind == "code":
            for at in range(count):
                depth = self.lot.randint(0, 2)
                self.put(f"{at + 1}  {'  ' * depth}{self.lot.choice(CODE)}", self.size - 1, "cour", 6, self.leading)
        else:
            self._algorithm(number, count)
        self.y += self.leading

    def _algorithm(self, number: int, count: int) -> None:
        kind, mark = self.traits["steps"], self.lot.choice([":", "", "."])
        left, right = self.frames[self.frame]
        if kind != "bare":
            if kind == "ruled":
                self._rule(left, right, self.y - self.size - 2)
            self.put(f"Algorithm {number}: Settling of debts", self.size, self.roman, step=1.1 * self.leading)
            if kind == "ruled":
                self._rule(left, right, self.y - self.size - 2)
                self.y += 3
        for at in range(count):
            text = self.lot.choice(STEPS)
            font = self.bold if text.split()[0] in ("for", "end", "while", "if", "return") else self.roman
            self.put(f"{at + 1}{mark} {text}", self.size, font, 8, self.leading)
        if kind == "ruled":
            self._rule(left, right, self.y - self.size - 2)

    def _rule(self, left: float, right: float, y: float) -> None:
        self.rules.append((len(self.pages), left, right, y))

    # -- front ----------------------------------------------------------------

    def front(self) -> None:
        title, self.drawn.authors = self.lot.choice(TITLES), [self.lot.choice(NAMES)]
        self.drawn.title = " ".join(title)
        if self.traits["front"] == "cover":
            self._cover(title)
        self.new_page()
        thesis = self.traits["kind"] == "thesis"
        self.y = 150.0 if thesis else 100.0
        if self.traits["front"] == "author-above":
            self.centre(self.drawn.authors[0], 14, self.roman)
            self.y += self.lot.choice([60, 140])
        for row in title:
            self.centre(row, 20, self.bold)
        self.y += 14
        if self.traits["front"] != "author-above":
            self.centre(self.drawn.authors[0], 13, self.roman)
        if thesis:
            self.y = 560
            self.centre("A thesis submitted for the degree of Doctor of Philosophy", 11, self.roman)
            self.centre("University of the River Towns", 12, self.roman)
            self.centre("May 2018", 11, self.roman)
        else:
            self.y += 10
            self.centre("University of the River Towns", 10, self.italic)
            self.y += 24
            self.top = self.y

    def _cover(self, title: list[str]) -> None:
        """Add the cover page of a repository."""
        self.new_page()
        self.put(self.lot.choice(["ARCHIVE OF THE RIVER TOWNS", "Open Research Repository"]), 22, self.bold, step=60)
        for label, text in (
            ("Title: ", " ".join(title)), ("Author(s): ", self.drawn.authors[0]),
            ("Source: ", "Papers of the Towns, Vol. 12, No. 3 (May, 1989), pp. 229-245"),
            ("Stable URL: ", "https://archive.example/stable/2117"),
        ):  # fmt: skip
            self.put(label + text, 11, self.roman, step=18)
        self.y += 40
        for row in ("Your use of this archive indicates your acceptance of its terms and conditions of use, available at",
                    "https://archive.example/terms. For more information about the archive, please contact its staff."):  # fmt: skip
            self.put(row, 9, self.roman)

    def contents(self, plan: Outline) -> None:
        """Add a table of contents with increasing page numbers."""
        folio, places = 1, []
        for number, words, depth in plan:
            folio += self.lot.choice([0, 0, 1, 2])
            places.append(
                _Place(words if number is None else f"{number.replace('Chapter ', '')}  {words}", depth, folio)
            )
        self.new_page()
        self.put("Contents", self.size + 9, self.bold, step=3 * self.size)
        step = self.lot.choice([1.3, 2.2, 3.4]) * self.size
        head = self.lot.random() < 0.5
        for place in places:
            if self.y > 770:
                self.new_page()
                if head:
                    self.write((85, 60), "CONTENTS", 9, self.italic)
            self._entry(place, step)

    def _entry(self, place: _Place, step: float) -> None:
        font = self.bold if place.depth == 1 else self.roman
        left, right = self.frames[0][0] + 14 * (place.depth - 1), self.frames[-1][1]
        folio = str(place.page)
        width = text_width(folio, font, self.size)
        text = place.label
        if self.traits["contents"] == "leaders" and place.depth > 1:
            while text_width(text + " .", font, self.size) < right - left - 20:
                text += " ."
        self.write((left, self.y), text, self.size, font)
        self.write((right - width, self.y), folio, self.size, font)
        self.y += step

    def furniture(self, first: int) -> None:
        for number in range(first, len(self.pages) + 1):
            left, right = self.frames[0][0], self.frames[-1][1]
            opens = any(place.page == number and place.depth == 1 for place in self.places)
            is_book = self.traits["kind"] != "paper"
            if self.traits["folio"] == "foot" or (opens and (is_book or number == first)):
                self.write((WIDTH / 2 - 5, 805), str(number), 9, self.roman, number)
            if opens and (is_book or number == first):
                continue
            text = self._running_head(number)
            at = left if number % 2 else right - text_width(text, self.italic, 9)
            self.write((at, 60), text, 9, self.italic, number)
            if self.traits["folio"] == "head":
                self.write((right - 12 if number % 2 else left, 60), str(number), 9, self.roman, number)

    def _running_head(self, number: int) -> str:
        kind = self.traits["heads"]
        above = [place for place in self.places if place.page <= number]
        chapters = [place for place in above if place.depth == 1]
        sections = [place for place in above if place.depth == 2]
        if kind == "none" or not chapters:
            return ""
        if kind == "title":
            return self.drawn.title
        place = sections[-1] if sections and number % 2 else chapters[-1]
        return f"CHAPTER {place.label.upper()}" if kind == "caps" and place.depth == 1 else place.label

    # -- whole ------------------------------------------------------------

    def headings(self) -> Iterator[tuple[str | None, str, int]]:
        lot, numbers = self.lot, self.traits["numbers"]
        chapters = lot.sample(CHAPTERS, lot.randint(2, 4))
        sections = lot.sample(SECTIONS, len(SECTIONS))
        chapters[0] = lot.choice(["Introduction", chapters[0]])
        for c, chapter in enumerate(chapters, 1):
            yield {"none": None, "label": f"Chapter {c}"}.get(numbers, str(c)), chapter, 1
            for s in range(1, lot.randint(1, 4)):
                yield None if numbers == "none" else f"{c}.{s}", sections.pop(), 2
                for t in range(1, lot.choice([1, 1, 3])):
                    yield None if numbers == "none" else f"{c}.{s}.{t}", sections.pop(), 3

    def draw_body(self, plan: Outline) -> None:
        steps = 0
        for number, words, depth in plan:
            self.heading(number, words, depth)
            for _ in range(self.lot.randint(1, 3)):
                self.paragraph(self.lot.randint(4, 11))
            if self.traits["steps"] != "none" and self.lot.random() < 0.35:
                steps += 1
                self.steps(steps)
                self.paragraph(self.lot.randint(3, 6))


def draw_book(seed: int) -> Drawn:
    """Document by its seed."""
    book = Book(seed)
    plan = list(book.headings())
    book.front()
    if book.traits["contents"] != "none":
        book.contents(plan)
    if book.traits["contents"] != "none" or book.traits["kind"] == "thesis":
        book.new_page()
    first = len(book.pages)
    book.draw_body(plan)
    book.furniture(first)
    book.drawn.data = book.to_pdf()
    return book.drawn
