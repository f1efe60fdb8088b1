"""Whole papers drawn by lot in the styles of journals, whose title, authors, abstract, headings and references are known.

What surrounds these parts is drawn, too: banners, subtitles, dates, affiliations, key words, running heads, algorithms,
tables, statements, and lines of text that begin with decimal numbers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache

import pymupdf

GIVEN = (
    "Ada Charles Mary Thomas Zhaolin Wojtek Francesco Jean-Luc Søren Ngoc Ingrid Pedro Yuki Amara Olga Kwame".split()
)
SURNAMES = (
    "Lovelace Babbage Somerville Chen Goscinski Sforazzini Egan Picard Wei Souza Tran Lindqvist Okafor Tanaka Petrova"
    " Mensah Ferreira Novak Dubois Kowalski Haddad Iyer Bauer Rossi"
).split()
PLACES = (
    "Department of Rivers, University of Lund, Sweden",
    "School of Engines, Imperial College, London, UK",
    "Institute for Tides, 12 Harbour Street, Porto, Portugal",
    "Centre for Bridge Studies, University of Accra, Ghana",
)
NOUNS = "river engine harbour panel bridge survey ledger signal garden mirror valley market archive channel".split()
KINDS = "narrow early hidden steady robust local social modular shallow uneven public linear".split()
VERBS = "shapes follows limits predicts carries measures".split()
FIRST = ("Introduction", "Background", "Methods", "Results", "Discussion", "Conclusion")
FACES = {"times": ("tiro", "tibo", "tiit", "tibi"), "helvetica": ("helv", "hebo", "heit", "hebi")}
PLAIN, BOLD, ITALIC, BOLD_ITALIC = range(4)
Span = tuple[str, str, float, float]  # text, font, size, rise
BOTTOM, TOP = 715.0, 72.0


@dataclass
class Drawn:
    """A paper and what is true of it; ``optional`` headings may be read or not (openings of paragraphs)."""

    data: bytes = b""
    title: str = ""
    authors: list[str] = field(default_factory=list)
    abstract: str = ""
    headings: list[tuple[str | None, str, int]] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)
    references: int = 0
    traits: dict[str, str] = field(default_factory=dict)


class _Sheet:
    """Pages that fill from top to bottom, in one column or two."""

    def __init__(self, lot: random.Random, columns: int, running: str) -> None:
        self.document, self.lot, self.columns, self.running = pymupdf.open(), lot, columns, running
        self.margin, self.gap = lot.choice([54.0, 72.0]), 18.0
        self.foot = lot.choice(["{}", "{}", "- {} -", "Page {} of 9", ""])
        self.in_front = True
        self.ink: pymupdf.TextWriter | None = None
        self.new_page()

    def finish(self) -> bytes:
        self.ink.write_text(self.page)
        return self.document.tobytes()

    def new_page(self) -> None:
        if self.ink is not None:
            self.ink.write_text(self.page)
        self.page = self.document.new_page(width=612, height=792)
        self.ink = pymupdf.TextWriter(self.page.rect)
        number = len(self.document)
        if self.running and number > 1:
            self.put([(self.running, "tiit", 8.0, 0.0)], self.margin, 45)
        foot = self.foot.format(number)
        self.put([(foot, "tiro", 9.0, 0.0)], 306 - len(foot) * 2, 750)
        self.column, self.y, self.top = 0, TOP, TOP
        self.bottom = BOTTOM

    @property
    def left(self) -> float:
        return self.margin if self.in_front else self.margin + self.column * (self.width + self.gap)

    @property
    def width(self) -> float:
        n = 1 if self.in_front else self.columns
        return (612 - 2 * self.margin - (n - 1) * self.gap) / n

    def begin_text(self) -> None:
        """The front ends, and the columns begin."""
        self.in_front, self.top = False, self.y

    def room(self, height: float) -> None:
        if self.y + height <= self.bottom:
            return
        if not self.in_front and self.column + 1 < self.columns:
            self.column, self.y = self.column + 1, self.top
        else:
            self.new_page()

    def put(self, spans: list[Span], x: float, y: float) -> None:
        for text, font, size, rise in spans:
            self.ink.append((x, y - rise), text, _font(font), size)
            x += _width(text, font, size)

    def lines(self, rows: list[list[Span]], leading: float, align: str = "left", hang: float = 0.0) -> None:
        """Rows one below the other; all but the first are indented by ``hang``."""
        for index, spans in enumerate(rows):
            self.room(leading)
            wide = sum(_width(text, font, size) for text, font, size, _ in spans)
            shift = {"left": hang if index else 0.0, "centre": (self.width - wide) / 2, "right": self.width - wide}[
                align
            ]
            self.y += leading
            self.put(spans, self.left + shift, self.y)


@cache
def _font(name: str) -> pymupdf.Font:
    return pymupdf.Font(name)


@cache
def _unit_width(text: str, font: str) -> float:
    return _font(font).text_length(text, 1)


def _width(text: str, font: str, size: float) -> float:
    return size * sum(_unit_width(word, font) for word in text.split(" ")) + text.count(" ") * size * _unit_width(
        " ", font
    )


def wrapped(spans: list[Span], width: float, lot: random.Random | None = None) -> list[list[Span]]:
    """Spans broken into rows at spaces; with a lot, often right before a decimal number."""
    words: list[list[Span]] = [[]]
    for text, font, size, rise in spans:
        first, *others = text.split(" ")
        words[-1].append((first, font, size, rise))
        words += [[(one, font, size, rise)] for one in others]
    rows: list[list[Span]] = [[]]
    used = 0.0
    for word in (one for one in words if any(text for text, *_ in one)):
        wide = sum(_width(text, font, size) for text, font, size, _ in word)
        space = _width(" ", word[0][1], word[0][2])
        early = lot is not None and word[0][0][:1].isdigit() and used > 0.6 * width and lot.random() < 0.7
        if rows[-1] and (used + space + wide > width or early):
            rows.append([])
            used = 0.0
        if rows[-1]:
            before = rows[-1][-1]
            rows[-1][-1] = (before[0] + " ", *before[1:])
            used += space
        rows[-1] += word
        used += wide
    return rows


def small_capitals(text: str, font: str, size: float) -> list[Span]:
    """Small capitals as word processors make them: capitals, those of lower-case letters in a smaller size."""
    spans: list[Span] = []
    for char in text:
        small = char.islower()
        if spans and (spans[-1][2] < size) == small and char != " ":
            spans[-1] = (spans[-1][0] + char.upper(), *spans[-1][1:])
        elif spans and char == " ":
            spans[-1] = (spans[-1][0] + " ", *spans[-1][1:])
        else:
            spans.append((char.upper(), font, 0.78 * size if small else size, 0.0))
    return spans


def sentence(lot: random.Random) -> str:
    """A sentence, some with decimal numbers."""
    kind, other, noun, verb, last = (lot.choice(one) for one in (KINDS, KINDS, NOUNS, VERBS, NOUNS))
    number = f"{lot.choice([0, 2, 4, 15, 3])}.{lot.randint(1, 9)}"
    tail = lot.choice(
        ["", f" at {number} percent of the {last}s", f" by {number} {noun}s a year", f" in the {kind} {last}"]
    )
    return f"The {kind} {noun} {verb} the {other} {last}{tail}."


def text_of(lot: random.Random, count: int) -> str:
    return " ".join(sentence(lot) for _ in range(count))


def phrase(lot: random.Random, least: int, most: int) -> str:
    """Words of a heading or a title."""
    words = [f"{lot.choice(KINDS)} {lot.choice(NOUNS)}s" for _ in range(4)]
    joined = lot.choice([" and ", " in ", " of "]).join(words[: max(1, lot.randint(least, most) // 2)])
    return joined


class _Writer:
    """One paper under way."""

    def __init__(self, lot: random.Random) -> None:
        self.lot, self.drawn = lot, Drawn()
        self.face = FACES[lot.choice(["times", "times", "times", "helvetica"])]
        self.size = lot.choice([9.0, 10.0, 10.0, 11.0])
        self.leading = round(self.size * lot.choice([1.15, 1.2, 1.3]), 1)
        columns = self.pick("columns", [1, 1, 2])
        running = lot.choice(["", "LOVELACE ET AL.", "Journal of Rivers 12 (2019) 100–110", "A Study of Rivers"])
        self.sheet = _Sheet(lot, columns, running)

    def pick(self, name: str, values: list):
        value = self.lot.choice(values)
        self.drawn.traits[name] = str(value)
        return value

    def styled(self, text: str, style: str, size: float) -> list[Span]:
        """A text in a style: plain, bold, italic, bold italic, capitals, small capitals (``sc``)."""
        if style == "sc":
            return small_capitals(text, self.face[PLAIN], size)
        font = {"bold": BOLD, "italic": ITALIC, "bold italic": BOLD_ITALIC}.get(style, PLAIN)
        return [(text.upper() if style == "caps" else text, self.face[font], size, 0.0)]

    def block(
        self, spans: list[Span], leading: float, align: str = "left", hang: float = 0.0, text: bool = False
    ) -> None:
        lot = self.lot if text else None
        self.sheet.lines(wrapped(spans, self.sheet.width - hang - 2, lot), leading, align, hang)

    def gap(self, points: float) -> None:
        self.sheet.y += points

    def plain(self, text: str, size: float | None = None, style: int = PLAIN) -> list[Span]:
        return [(text, self.face[style], size or self.size, 0.0)]

    # The front

    def front(self) -> None:
        align = self.pick("align", ["left", "centre", "centre"])
        banner = self.pick("banner", ["", "", "Article", "RESEARCH ARTICLE", "mdpi", "journal"])
        lines = {"mdpi": "Rivers 2019, 11, 61; doi:10.3390/r11010061", "journal": "Journal of Rivers 12 (2019) 100–110"}
        if banner:
            self.block(self.plain(lines.get(banner, banner), 8.5, self.lot.choice([PLAIN, ITALIC])), 11)
            self.gap(12)
        self.title(align)
        self.authors(align)
        date = self.pick("date", ["", "", "May 3, 2024", "received", "version", "(Dated: May 3, 2024)"])
        if date:
            words = {
                "received": "Received: 3 May 2019; Accepted: 5 June 2019; Published: 1 July 2019",
                "version": "This version: January 2020",
            }
            self.gap(6)
            self.block(self.plain(words.get(date, date), 9), 11, align)
        self.abstract(align)
        self.gap(14)
        self.sheet.begin_text()

    def title(self, align: str) -> None:
        size, style = self.lot.choice([15.0, 17.0, 20.0]), self.pick("title", ["bold", "plain", "caps", "bold"])
        words = phrase(self.lot, 4, 8)
        title = (
            words.title().replace(" And ", " and ").replace(" Of ", " of ")
            if self.lot.random() < 0.6
            else words.capitalize()
        )
        self.block(self.styled(title, style, size), 1.2 * size, align)
        self.drawn.title = title
        subtitle = self.pick("subtitle", ["", "", "", "small", "capitals", "two words"])
        if subtitle:
            made = {"small": f"Evidence from {phrase(self.lot, 2, 2)}", "capitals": f"{phrase(self.lot, 4, 4)} evidence".title(),
                    "two words": f"{self.lot.choice(KINDS)} {self.lot.choice(NOUNS)}s".title()}[subtitle]  # fmt: skip
            self.gap(3)
            self.block(
                self.styled(
                    made,
                    self.pick("subtitle style", ["bold", "plain", "italic"]),
                    self.lot.choice([12.0, 13.0, size - 4]),
                ),
                16,
                align,
            )
        self.gap(10)

    def authors(self, align: str) -> None:
        way = self.pick("authors", ["list", "list", "stacked", "own place", "grid", "many", "footnotes"])
        count = {"many": self.lot.choice([30, 120, 300]), "grid": self.lot.choice([2, 3, 3, 4, 6])}.get(
            way, self.lot.randint(1, 6)
        )
        if way == "stacked":
            count = max(2, count)
        names = []
        while len(names) < count:
            middle = self.lot.choice(["", "", "", "K. ", "van der ", "M. L. "])
            name = f"{self.lot.choice(GIVEN)} {middle}{self.lot.choice(SURNAMES)}"
            if len(names) > 50:
                name = f"{self.lot.choice('ABCDEFGHJKLMNPRSTW')}. {self.lot.choice(SURNAMES)}{self.lot.choice(['', 'son', 'ova', 'er', 'ini', '-' + self.lot.choice(SURNAMES)])}"
            if name not in names:
                names.append(name)
        self.drawn.authors = names
        style = self.pick("author style", ["plain", "plain", "bold", "sc", "caps"])
        size = self.lot.choice([10.0, 11.0, 12.0]) if way != "many" else 9.5
        getattr(self, "_authors_" + way.replace(" ", "_"))(names, style, size, align)

    def _authors_list(self, names: list[str], style: str, size: float, align: str) -> None:
        marked = len(names) > 1 and self.pick("marks", [True, True, False])
        last = self.lot.choice([" and ", ", and ", ", "])
        comma = ", "
        spans: list[Span] = []
        for index, name in enumerate(names):
            sign = "" if index + 1 == len(names) else last if index + 2 == len(names) else comma
            spans += self.styled(name, style, size)
            if marked:
                mark = str(self.lot.randint(1, 4)) + self.lot.choice(["", "", ",*"])
                spans.append((mark, self.face[PLAIN], 0.6 * size, 0.35 * size))
            spans.append((sign, self.face[PLAIN], size, 0.0))
        self.block(spans, 1.3 * size, align)
        self.gap(4)
        for index, place in enumerate(PLACES[: 4 if marked else 1], 1):
            mark: list[Span] = [(str(index), self.face[PLAIN], 5.5, 3.0)] if marked else []
            self.block(
                [*mark, (" " * marked + place, self.face[self.lot.choice([PLAIN, ITALIC])], 8.5, 0.0)], 10.5, align
            )

    _authors_many = _authors_list

    def _authors_stacked(self, names: list[str], style: str, size: float, align: str) -> None:
        for name in names:
            self.block(self.styled(name, style, size), 1.3 * size, align)
        if self.pick("place", [True, False]):
            self.gap(3)
            self.block(self.plain(PLACES[0], 9, ITALIC), 11, align)

    def _authors_own_place(self, names: list[str], style: str, size: float, align: str) -> None:
        own = self.lot.choice([size, 9.0])
        mail = self.lot.random() < 0.5
        gap = self.lot.choice([3, 8])
        for name in names:
            self.block(self.styled(name, style, size), 1.25 * size, align)
            self.block(self.plain(self.lot.choice(PLACES), own, self.lot.choice([PLAIN, ITALIC])), 1.2 * own, align)
            if mail:
                self.block(self.plain(f"{name.split()[0].lower()}@rivers.org", own), 1.2 * own, align)
            self.gap(gap)

    def _authors_grid(self, names: list[str], style: str, size: float, align: str) -> None:
        per = min(3, len(names))
        wide = self.sheet.width / per
        for at in range(0, len(names), per):
            y = self.sheet.y
            for index, name in enumerate(names[at : at + per]):
                place = self.lot.choice(PLACES)
                rows = [self.styled(name, style, size)]
                parts = [
                    place.split(", ")[0],
                    ", ".join(place.split(", ")[1:]),
                    f"{name.split()[0].lower()}@rivers.org",
                ]
                rows += [self.plain(one, 8.5, self.lot.choice([PLAIN, PLAIN, ITALIC])) for one in parts]
                below = y
                for row in rows:
                    below += 1.25 * row[0][2]
                    own = sum(_width(text, font, points) for text, font, points, _ in row)
                    self.sheet.put(row, self.sheet.left + index * wide + (wide - own) / 2, below)
            self.sheet.y = below + 8

    def _authors_footnotes(self, names: list[str], style: str, size: float, align: str) -> None:
        spans: list[Span] = []
        signs = "*†‡§¶"
        for index, name in enumerate(names):
            sign = "" if index + 1 == len(names) else " and " if index + 2 == len(names) else ", "
            spans += [
                *self.styled(name, style, size),
                (signs[index % 5], self.face[PLAIN], 0.8 * size, 0.2 * size),
                (sign, self.face[PLAIN], size, 0.0),
            ]
        self.block(spans, 1.3 * size, align)
        y = 725.0 - 10 * len(names[:3])
        self.sheet.bottom = y - 18
        for index, name in enumerate(names[:3]):
            self.sheet.put(
                [
                    (signs[index], "tiro", 6, 3),
                    (f"{PLACES[index]}. Email: {name.split()[0].lower()}@rivers.org", "tiro", 8, 0),
                ],
                self.sheet.margin,
                y + 10 * index,
            )

    def abstract(self, align: str) -> None:
        label = self.pick("abstract", ["line", "line", "run-in", "caps line", "sc line", "spaced", "dash", "bold text"])
        size = self.size - self.lot.choice([0, 1])
        text = text_of(self.lot, self.lot.randint(6, 9))
        self.drawn.abstract = text
        self.gap(14)
        spans: list[Span] = []
        if label in ("line", "caps line", "sc line", "spaced"):
            words = {"spaced": "a b s t r a c t", "caps line": "ABSTRACT"}.get(label, "Abstract")
            styles = {"sc line": ["sc"], "spaced": ["plain"]}.get(label, ["bold"])
            self.block(self.styled(words, self.lot.choice(styles), size + self.lot.choice([0, 2])), 1.5 * size, align)
            self.gap(3)
        elif label == "run-in":
            spans = self.plain(self.lot.choice(["Abstract: ", "Abstract. ", "Summary. ", "ABSTRACT. "]), size, BOLD)
        elif label == "dash":
            spans = self.plain("Abstract—", size, BOLD_ITALIC)
        self.block([*spans, *self.plain(text, size, BOLD if label == "bold text" else PLAIN)], 1.2 * size, text=True)
        keys = self.pick("keywords", ["", "Keywords: ", "Index Terms—", "bars", "Key words "])
        if keys:
            self.gap(6)
            sign = " | " if keys == "bars" else ", "
            head = self.plain(keys, size, self.lot.choice([BOLD, ITALIC])) if keys != "bars" else []
            self.block([*head, *self.plain(sign.join(self.lot.sample(NOUNS, 4)), size)], 1.2 * size)

    # The text

    def text(self) -> None:
        way = self.pick("numbers", ["1", "1.", "I.", "none", "none", "§1"])
        style = self.pick("heads", ["bold", "bold", "caps", "sc", "italic", "bold caps"])
        large = self.size + self.lot.choice([0, 2, 3]) if style == "bold" else self.size
        align = self.lot.choice(["left", "left", "centre"])
        second = self.pick("second", [one for one in ("bold", "italic", "none", "run-in") if one != style])
        spaces = (self.lot.choice([9, 14]), self.lot.choice([2, 5]))
        heads = (
            list(FIRST)
            if self.lot.random() < 0.6
            else ["Introduction", *(phrase(self.lot, 2, 10).capitalize() for _ in range(4)), "Conclusion"]
        )
        if self.pick("acknowledged", ["", "numbered", "plain", "run-in"]) == "numbered":
            heads.append("Acknowledgements")
        for index, words in enumerate(heads, 1):
            self.heading(way, str(index), words, style, large, align, spaces, 1)
            self.filler(index)
            if second != "none" and words not in ("Introduction", "Conclusion", "Acknowledgements"):
                for inner in range(1, self.lot.choice([0, 2, 3]) + 1):
                    self.second(way, second, index, inner, spaces)
                    self.filler(0)
        if self.drawn.traits["acknowledged"] == "plain":
            self.heading("none", "", "Acknowledgements", style, large, align, spaces, 1)
            self.paragraph(2)
        elif self.drawn.traits["acknowledged"] == "run-in":
            self.gap(6)
            self.drawn.headings.append((None, "Acknowledgements", 1))
            self.block([*self.plain("Acknowledgements. ", None, BOLD), *self.plain(text_of(self.lot, 2))], self.leading)
        self.references(way, str(len(heads) + 1), style, large, align, spaces)

    def number(self, way: str, number: str) -> str:
        roman = {"1": "I", "2": "II", "3": "III", "4": "IV", "5": "V", "6": "VI", "7": "VII", "8": "VIII"}
        return {"none": "", "1": number, "1.": number + ".", "I.": roman.get(number, "") + ".", "§1": "§" + number}[way]

    def heading(
        self, way: str, number: str, words: str, style: str, size: float, align: str, spaces: tuple, level: int
    ) -> None:
        printed = self.number(way, number)
        self.gap(spaces[0])
        text, look = (words.upper(), "bold") if style == "bold caps" else (words, style)
        self.sheet.room(6 * self.leading)
        number_style = "plain" if look == "sc" else look
        head = [*(self.styled(printed + "  ", number_style, size) if printed else []), *self.styled(text, look, size)]
        self.block(head, 1.2 * size, align)
        self.gap(spaces[1])
        self.drawn.headings.append((printed.strip(".") or None, words, level))

    def second(self, way: str, style: str, index: int, inner: int, spaces: tuple) -> None:
        words = phrase(self.lot, 2, 4).capitalize()
        if style == "run-in":
            self.gap(spaces[1])
            self.drawn.optional.append(words)
            self.block([*self.plain(words + ". ", None, BOLD), *self.plain(text_of(self.lot, 5))], self.leading)
            return
        if way == "I.":
            printed = "ABC"[inner - 1] + "."
        else:
            printed = (
                ""
                if way == "none"
                else f"{self.number(way, str(index)).rstrip('.')}.{inner}{'.' if way == '1.' else ''}"
            )
        self.gap(0.8 * spaces[0])
        self.sheet.room(5 * self.leading)
        self.block(self.styled((printed + "  " if printed else "") + words, style, self.size), self.leading)
        self.gap(spaces[1])
        self.drawn.headings.append((printed.rstrip(".") or None, words, 2))

    def paragraph(self, count: int) -> None:
        self.block(self.plain(text_of(self.lot, count)), self.leading, text=True)

    def filler(self, index: int) -> None:
        """Text below a heading, with something in it that is no heading."""
        self.paragraph(self.lot.randint(4, 8))
        decoy = self.lot.choice(["", "", "", "algorithm", "table", "list", "statement", "caption"]) if index else ""
        if decoy:
            self.drawn.traits["decoy " + decoy] = "yes"
            self.gap(8)
            getattr(self, "_" + decoy)()
            self.gap(8)
        self.paragraph(self.lot.randint(4, 8))

    def _algorithm(self) -> None:
        colon = self.lot.choice([":", "", "."])
        rows = [
            "Input: a river R",
            "for each t in R do",
            "F <- F + t",
            "if t > 3 then",
            "t -= r",
            "end if",
            "end for",
            "Return F",
            "G <- 0",
            "F <- G",
            "t -= r",
            "return t",
        ]
        start = self.lot.choice([1, 1, 8])
        self.sheet.room(16 * self.leading)
        self.block([*self.plain("Algorithm 1 ", None, BOLD), *self.plain("Follow the river")], self.leading)
        for at, row in enumerate(rows, start):
            word = row.split()[0]
            key = word in ("for", "if", "end", "Return", "return", "Input:") and self.lot.random() < 0.9
            rest = row[len(word) :]
            spans = [*self.plain(f"{at}{colon} "), *self.plain(word, None, BOLD if key else ITALIC), *self.plain(rest)]
            self.block(spans, self.leading + self.lot.choice([0, 0, 0, 3]))

    def _table(self) -> None:
        self.sheet.room(8 * self.leading)
        self.block([*self.plain("Table 1: ", None, BOLD), *self.plain("Tides by harbour.")], self.leading)
        for row in (
            ["Harbour", "Low", "High"],
            ["Lund", "1.5", "15.5"],
            ["Porto", "2.5", "4.2"],
            ["All", "4.0", "19.7"],
        ):
            self.sheet.y += self.leading
            for at, cell in enumerate(row):
                self.sheet.put(
                    self.plain(cell, None, BOLD if row[0] in ("Harbour", "All") else PLAIN),
                    self.sheet.left + 60 * at,
                    self.sheet.y,
                )

    def _list(self) -> None:
        for at in range(1, 4):
            bold = self.lot.random() < 0.5
            words = phrase(self.lot, 2, 2).capitalize()
            self.block(
                [
                    *self.plain(f"{at}. "),
                    *self.plain(words + ": ", None, BOLD if bold else PLAIN),
                    *self.plain(text_of(self.lot, 1)),
                ],
                self.leading,
                hang=12,
            )

    def _statement(self) -> None:
        self.block(
            [*self.plain("Theorem 1. ", None, BOLD), *self.plain(sentence(self.lot), None, ITALIC)], self.leading
        )
        self.block([*self.plain("Proof. ", None, ITALIC), *self.plain(text_of(self.lot, 2))], self.leading)

    def _caption(self) -> None:
        self.sheet.room(10 * self.leading)
        box = pymupdf.Rect(self.sheet.left + 10, self.sheet.y + 4, self.sheet.left + 150, self.sheet.y + 70)
        self.sheet.page.draw_rect(box)
        self.sheet.y = box.y1 + 4
        self.block([*self.plain("Figure 1. ", None, BOLD), *self.plain(sentence(self.lot))], self.leading)

    def references(self, way: str, number: str, style: str, size: float, align: str, spaces: tuple) -> None:
        kind = self.pick("references", ["heading", "heading", "numbered", "run-in line"])
        if kind == "run-in line":
            self.gap(10)
            self.block(
                self.styled(
                    self.lot.choice(["References.", "References:", "Literature Cited."]),
                    self.lot.choice(["bold", "italic", "sc"]),
                    self.size,
                ),
                self.leading,
            )
        else:
            self.heading(way if kind == "numbered" else "none", number, "References", style, size, align, spaces, 1)
            self.drawn.headings.pop()
        form = self.pick("entries", ["[1]", "1.", "hanging"])
        self.drawn.references = self.lot.randint(8, 14)
        for at in range(1, self.drawn.references + 1):
            names = ", ".join(
                f"{self.lot.choice(SURNAMES)}, {self.lot.choice('ABCDKM')}." for _ in range(self.lot.randint(1, 3))
            )
            title = phrase(self.lot, 4, 8).capitalize()
            entry = f"{names} ({self.lot.randint(1990, 2023)}). {title}. Journal of Rivers {self.lot.randint(1, 40)}, {self.lot.randint(1, 90)}–{self.lot.randint(91, 180)}."
            mark = {"[1]": f"[{at}] ", "1.": f"{at}. ", "hanging": ""}[form]
            self.block(self.plain(mark + entry, self.size - 1), 1.2 * (self.size - 1), hang=14 if form != "1." else 12)


def draw(seed: int) -> Drawn:
    """A paper of three or more pages."""
    writer = _Writer(random.Random(seed))
    writer.front()
    writer.text()
    writer.drawn.data = writer.sheet.finish()
    return writer.drawn
