"""PDFs that are made to be odd: each ends as a record with its text, or says why it has none."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from scholartools.errors import InputFault
from scholartools.readers.pdf import reader

WORDS = "The quick brown fox jumps over the lazy dog while cats sleep in the barn all day"
STARTS = {0: (72, 72, 0, 20), 90: (100, 700, 20, 0), 180: (520, 700, 0, -20), 270: (500, 72, -20, 0)}


def write_lines(page: Any, turn: int = 0, count: int = 18, first: int = 0, **how: Any) -> None:
    x, y, right, down = STARTS[turn]
    for line in range(first, first + count):
        page.insert_text((x + line * right, y + line * down), f"{WORDS} {line}.", rotate=turn, fontsize=10, **how)


def new_file() -> tuple[Any, Any]:
    file = pymupdf.open()
    return file, file.new_page()


def words_of(file: Any) -> str:
    return " ".join(section["text"] for section in reader.read(file.tobytes())["sections"])


@pytest.mark.parametrize("turn", [*STARTS])
@pytest.mark.parametrize("page_turn", [*STARTS])
def test_turned_text_is_read(turn: int, page_turn: int) -> None:
    file, page = new_file()
    write_lines(page, turn)
    page.set_rotation(page_turn)
    assert words_of(file) == " ".join(f"{WORDS} {line}." for line in range(18))


def test_text_in_a_second_direction_is_told() -> None:
    file, page = new_file()
    write_lines(page, 0, 8)
    write_lines(page, 90, 12)
    told = [one for one in reader.read(file.tobytes())["warnings"] if one["kind"] == "text-direction"]
    assert [(one["page"], one["text"].partition(" ")[0]) for one in told] == [(1, "12")]


def slanted(page: Any) -> None:
    for y in range(172, 500, 20):
        page.insert_text((72, y), WORDS, fontsize=10, morph=(pymupdf.Point(72, y), pymupdf.Matrix(45)))


def paths(page: Any) -> None:
    shape = page.new_shape()
    for x in range(72, 400, 3):
        shape.draw_line((x, 100), (x + 2, 110 + x % 7))
    shape.finish()
    shape.commit()


def picture(page: Any) -> None:
    _, other = new_file()
    write_lines(other)
    page.insert_image(page.rect, pixmap=other.get_pixmap())


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (slanted, "its text direction is not supported"),
        (paths, "the pages hold pictures and no text"),
        (picture, "the pages are scanned images"),
        (lambda page: None, "the pages are empty"),
        (lambda page: page.draw_rect(page.rect, color=(1, 1, 1), fill=(1, 1, 1)), "the pages are empty"),
        (lambda page: write_lines(page, render_mode=3), "all text is hidden"),
        (lambda page: write_lines(page, color=(1, 1, 1)), "all text is hidden"),
    ],
)
def test_a_file_without_text_says_what_it_has(draw: Any, reason: str) -> None:
    file, page = new_file()
    draw(page)
    with pytest.raises(InputFault, match=reason) as caught:
        reader.read(file.tobytes())
    assert caught.value.kind == "no-text"


def form(page: Any) -> None:
    inner, other = new_file()
    write_lines(other)
    page.show_pdf_page(page.rect, inner, 0)


def note(page: Any) -> None:
    page.add_freetext_annot((72, 72, 500, 200), f"{WORDS}. " * 3, fontsize=10)


def field(page: Any) -> None:
    made = pymupdf.Widget()
    made.field_type, made.field_name, made.rect = pymupdf.PDF_WIDGET_TYPE_TEXT, "a", pymupdf.Rect(72, 72, 500, 300)
    made.field_value = WORDS
    page.add_widget(made)


@pytest.mark.parametrize("draw", [form, note, field])
def test_text_of_forms_and_annotations_is_text(draw: Any) -> None:
    file, page = new_file()
    draw(page)
    assert "The quick brown fox" in words_of(file)


@pytest.mark.parametrize("lines", [["1"], [f"{n}.{n * 3} {n * 7}" for n in range(30)], ["7", "", "8"]])
def test_a_record_without_any_text_says_so(lines: list[str]) -> None:
    file, page = new_file()
    for place, text in enumerate(lines):
        page.insert_text((72, 72 + 20 * place), text, fontsize=10)
    record = reader.read(file.tobytes())
    assert record["sections"] or "text-missing" in [one["kind"] for one in record["warnings"]]
