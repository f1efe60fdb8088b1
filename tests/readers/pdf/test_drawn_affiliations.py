"""Papers drawn by lot: addresses with and without numbers, names in Cyrillic, tables whose rows look like headings."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import pymupdf
import pytest
from support.set_text import prose, write

from scholartools.readers.pdf import reader as pdf

NAMES = ("Ada Lovelace", "Charles Babbage", "Mary Somerville", "João Mira da Eira", "Taran Dwivedula", "Jeff Zhang")
PLACES = (
    "Department of Physics, University of Oslo, Norway",
    "Institute of Engines, London, United Kingdom",
    "Max Planck Institute for Animal Behavior, Konstanz",
    "School of Biological Sciences, Georgia Tech, Atlanta, GA, USA",
    "Engine Works Ltd., 12 Mill Road, Leeds",
    "INRIA Paris",
    "CNRS, Univ. Lyon, F-69622 Villeurbanne, France",
    "Dept. of Statistics, Stanford",
    "Brown University",
    "Princess Máxima Center, Utrecht, The Netherlands",
    "Amsterdam UMC",
)
HEADINGS = ["Introduction", "Sampling of Towns", "What Was Read", "Conclusion"]
SURNAMES = "Иванов Петрова Сидоренко Кузнецов Соколова Чехович Ястребов Щукина".split()
LETTERS = "АБВГДЕИКЛМНПРСТ"
RUSSIAN_PLACES = (
    "Московский государственный университет, Москва",
    "Институт прикладной математики им. М. В. Келдыша РАН",
    "ООО «Яндекс», Москва, Россия",
    "Уральский Федеральный Университет",
    "Томский Политехнический Университет, Томск",
    "Высшая Школа Экономики",
    "Киевский Национальный Университет",
)
RUSSIAN_HEADINGS = ["Введение", "Методы", "Результаты", "Заключение"]
ROWS = (
    "Baseline", "Our method", "Random Forest", "No pretraining", "Control group", "Mean age", "Total", "Panel A", "Women",
    "Large towns", "BERT-base", "All species", "Treatment", "Model 1", "Income",
)  # fmt: skip
CYRILLIC = "china-s"  # a font of the library that has these letters
TITLE = "Reading of Pages that Are Set in Columns"


@dataclass
class Drawn:
    """A paper and what a reader must say of it."""

    data: bytes
    title: str
    names: list[str]
    headings: list[str]
    abstract: str


def put(page: Any, text: str, x: float, y: float, size: float, font: str) -> float:
    """Write a text; where it ends."""
    page.insert_text((x, y), text, fontsize=size, fontname=font)
    return x + pymupdf.get_text_length(text, fontname=font, fontsize=size)


def put_names(page: Any, names: list[str], marks: list[str], y: float, font: str, last: str = ",") -> float:
    """A list of names with raised marks, over lines where need be; the foot of its last line."""
    x = 72.0
    for index, (name, mark) in enumerate(zip(names, marks)):
        x = put(page, name, x, y, 11, font)
        x = put(page, mark, x, y - 3.5, 7, font) + 1
        if index < len(names) - 1:
            x = put(page, last if index == len(names) - 2 else ",", x, y, 11, font) + 4
        if x > 400:
            x, y = 72.0, y + 14
    return y


def put_address(page: Any, mark: str, rows: list[str], y: float, size: float, font: str) -> float:
    """An address on one line or two, behind its number: raised ("^"), smaller and apart ("^ "), or on the line."""
    if mark.startswith("^"):
        x = put(page, mark[1:].strip(), 72, y - 0.35 * size, 0.65 * size, font) + (4 if mark[-1] == " " else 0.5)
    else:
        x = put(page, mark, 72, y, size, font)
    put(page, rows[0], x, y, size, font)
    for row in rows[1:]:
        y += 1.2 * size
        put(page, row, 72, y, size, font)
    return y


def draw_addresses(lot: random.Random) -> Drawn:
    document = pymupdf.open()
    page = document.new_page(width=612, height=1100)
    write(page, [TITLE], 72, 80, 17, lot.choice(["tibo", "tiro", "hebo"]))
    names = lot.sample(NAMES, lot.randint(1, 5))
    y = put_names(page, names, list("12312"), 108, lot.choice(["tiro", "tibo"])) + lot.choice([14, 18, 26])
    size, font = lot.choice([9, 10, 10, 11, 12]), lot.choice(["tiro", "tiit", "tibo", "tibi", "hebo"])
    mark, apart = lot.choice(["^{}", "^{}", "^{} ", "{} ", "{}. ", "({}) ", ""]), lot.choice([1.2, 1.2, 1.5, 2.0, 2.6])
    for number, place in enumerate(lot.sample(PLACES, lot.randint(1, 5)), 1):
        head, comma, tail = place.rpartition(", ")
        rows = [f"{head},", tail] if comma and lot.random() < 0.3 else [place]
        y = put_address(page, mark.format(number), rows, y, size, font) + apart * size
    y = write(page, ["ada@engines.org"] if lot.random() < 0.4 else [], 72, y + 2, 9)
    heading_font, heading_size = lot.choice(["tibo", "hebo"]), lot.choice([10, 11, 12, 14])
    y = write(page, ["Abstract"] if lot.random() < 0.6 else [], 72, y + 18, heading_size, heading_font)
    abstract = prose("abs", 6)
    y = write(page, abstract, 72, y + 3, lot.choice([9, 10])) + 24
    is_numbered, columns = lot.random() < 0.6, lot.choice([1, 2])
    left, top = 72.0, y
    for number, heading in enumerate(HEADINGS, 1):
        if number == 3 and columns == 2:
            left, y = 322.0, top
        elif number == 3:
            page, y = document.new_page(width=612, height=1100), 80.0
        y = write(page, [f"{number} {heading}" if is_numbered else heading], left, y + 10, heading_size, heading_font)
        y = write(page, prose(heading, lot.randint(10, 16), 13 if columns == 1 else 6), left, y + 2)
    return Drawn(document.tobytes(), TITLE, names, HEADINGS, " ".join(abstract))


def draw_russian(lot: random.Random) -> Drawn:
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    y = write(page, [f"УДК {lot.randint(500, 699)}.7"] if lot.random() < 0.5 else [], 72, 70, 10, CYRILLIC) + 12
    title = lot.choice(["О чтении страниц, набранных в колонках", "Численные методы решения уравнений переноса"])
    is_first, gap = lot.random() < 0.5, lot.choice(["", " "])
    names = []
    for surname in lot.sample(SURNAMES, lot.randint(1, 5)):
        initials = gap.join(f"{one}." for one in lot.sample(LETTERS, lot.choice([1, 2, 2, 2])))
        shown = surname.upper() if lot.random() < 0.1 else surname
        names.append(f"{initials} {shown}" if is_first else f"{shown} {initials}")
    marks, last = lot.choice([[""] * 5, list("12312"), ["*", "**", "*", "**", "*"]]), lot.choice([",", ",", " и"])
    is_over = lot.random() < 0.4
    y = put_names(page, names, marks, y, CYRILLIC, last) + 22 if is_over else y
    y = write(page, [title], 72, y + 4, 15, CYRILLIC) + 8
    y = y if is_over else put_names(page, names, marks, y, CYRILLIC, last) + 22
    mark = lot.choice(["^{}", "{} ", "", ""])
    for number, place in enumerate(lot.sample(RUSSIAN_PLACES, lot.randint(1, 3)), 1):
        y = put_address(page, mark.format(number), [place], y, 10, CYRILLIC) + 13
    y = write(page, [lot.choice(["Аннотация", "АННОТАЦИЯ"])], 72, y + 18, 12, CYRILLIC)
    abstract = prose("abs", 6)
    y = write(page, abstract, 72, y)
    for number, heading in enumerate(RUSSIAN_HEADINGS, 1):
        if number == 3:
            page, y = document.new_page(width=595, height=842), 70.0
        y = write(page, [f"{number}. {heading}"], 72, y + 20, 13, CYRILLIC)
        y = write(page, prose(f"part{number}", 14), 72, y + 2)
    return Drawn(document.tobytes(), title, names, RUSSIAN_HEADINGS, " ".join(abstract))


def draw_tables(lot: random.Random) -> Drawn:
    document = pymupdf.open()
    page = document.new_page(width=612, height=1100)
    write(page, [TITLE], 72, 80, 17, "tibo")
    write(page, ["Ada Lovelace, Mary Somerville"], 72, 108, 11)
    y = write(page, ["Abstract"], 72, 140, 12, "tibo")
    abstract = prose("abs", 6)
    y = write(page, abstract, 72, y)
    bold, size, is_numbered = lot.choice(["tibo", "hebo", "tibi"]), lot.choice([11, 12, 14]), lot.random() < 0.5
    for number, heading in enumerate(HEADINGS, 1):
        if number > 2:
            page, y = document.new_page(width=612, height=1100), 70.0
        y = write(page, [f"{number}  {heading}" if is_numbered else heading], 72, y + 20, size, bold)
        y = write(page, prose(heading, lot.randint(8, 16)), 72, y + 3)
        if number in (2, 3):
            y = write(page, prose(f"after{number}", 6), 72, put_table(lot, page, y + 18, number) + 16)
    return Drawn(document.tobytes(), TITLE, ["Ada Lovelace", "Mary Somerville"], HEADINGS, " ".join(abstract))


def put_table(lot: random.Random, page: Any, y: float, number: int) -> float:
    """A table with rules or none, with a caption above, below or none; some rows are a label alone."""
    size, rules, caption = (
        lot.choice([8, 9, 10]),
        lot.choice(["three", "none", "all"]),
        lot.choice(["", "over", "under"]),
    )
    legend = [f"Table {number - 1}. Means of all groups that were read."]
    y = write(page, legend if caption == "over" else [], 72, y, 9) + 6
    style = lot.choice(["tiro", "tibo", "tiit"])
    table = [(lot.choice([("Group", "N", "Mean"), ("Variable", "(1)", "(2)"), ("", "Train", "Test")]), "tibo")]
    labels = lot.sample(ROWS, lot.randint(4, 9))
    for label in labels:  # the last one has values
        values = (label, f"{lot.random() * 100:.1f}", f"{lot.random():.3f}")
        alone = label != labels[-1] and lot.random() < 0.25
        table.append(((label,), lot.choice(["tibo", "tiit", style])) if alone else (values, style))
    for index, (cells, font) in enumerate(table):
        if rules == "all" or (rules == "three" and index < 2):
            page.draw_line((72, y - size), (402, y - size))
        for at, cell in enumerate(cells):
            put(page, cell, 72 + at * 110, y, size, font)
        y += 1.35 * size
    if rules != "none":
        page.draw_line((72, y - size), (402, y - size))
    return write(page, legend if caption == "under" else [], 72, y + 8, 9)


@pytest.mark.parametrize("draw", [draw_addresses, draw_russian, draw_tables])
def test_neither_addresses_nor_rows_are_headings_and_names_are_whole(draw):
    for seed in range(40):
        drawn = draw(random.Random(seed))
        record = pdf.read(drawn.data)
        assert (record["title"], record["authors"]) == (drawn.title, drawn.names), seed
        assert [one["heading"] for one in record["sections"]] == drawn.headings, seed
        assert record["abstract"] == drawn.abstract, seed
