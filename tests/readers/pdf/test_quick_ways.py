"""What is found in a quick way is what the slow way finds, on drawn texts and files."""

from __future__ import annotations

import gc
import random
import re
import unicodedata
from collections import Counter

import pymupdf
import pytest
from support.set_text import prose, write

from scholartools.errors import InputFault
from scholartools.readers.common import hyphenation
from scholartools.readers.common.page import is_caps, letters_of
from scholartools.readers.common.pdf_resources import Resources
from scholartools.readers.pdf import reader as pdf
from scholartools.readers.pdf.coverage import _WORD, _has_words
from scholartools.readers.pdf.floats.captions import _CAPTION, opens_caption

SIGNS = [*"aBcDéßΩ中Ⅳ²½٣0 1_-‐.,;`´\u00ad\ud800\x85\u200b\t/“", "foo", "BAR ", "multi-word", "co-"]


def drawn_texts(count: int) -> list[str]:
    lot = random.Random(31)
    return ["".join(lot.choices(SIGNS, k=lot.randrange(40))) for _ in range(count)]


def test_letters_and_capitals_are_those_of_the_definition() -> None:
    for text in drawn_texts(2000):
        letters = re.sub(r"[\W\d_]+", "", text)
        assert letters_of(text) == letters
        capitals = sum(map(str.isupper, text))
        assert is_caps(text) is (capitals > 3 and capitals > 0.9 * sum(map(str.isalpha, text)))


def test_labels_of_captions_are_those_of_the_pattern() -> None:
    lot = random.Random(31)
    words = ["fig", "ſcheme", "Table", "supplementary", "Extended data", "Abb.", "LISTING", "İ", "", " ", "\x85", "x"]
    for _ in range(3000):
        text = "".join(lot.choices([*words, "1", ".", " 2a", ":", " A"], k=lot.randrange(6)))
        assert opens_caption(text) is (_CAPTION.match(text) is not None)


def test_words_of_a_document_are_those_of_the_pattern() -> None:
    word = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
    for seed in range(200):
        lines = random.Random(seed).choices(drawn_texts(300), k=12)
        whole: list[str] = []
        broken = False
        for line in lines:
            text = hyphenation.compose_accents(line).casefold().replace("‐", "-")
            found, ends = word.findall(text), hyphenation._broken_word(text) is not None
            whole += found[broken : len(found) - ends]
            broken = ends
        words = Counter(whole)
        for compound in [one for one in words if "-" in one]:
            words.update(compound.split("-"))
        assert hyphenation.vocabulary_of(lines).words == words


def test_words_between_spaces_are_words() -> None:
    for text in drawn_texts(2000):
        assert not _has_words(text, 4) or len(_WORD.findall(text)) >= 4


def test_composed_text_is_left_alone() -> None:
    for text in drawn_texts(500):
        assert unicodedata.is_normalized("NFC", hyphenation.compose_accents(text))


def picture() -> bytes:
    """A page with an image."""
    with pymupdf.open() as made:
        pixels = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 4, 4), 0)
        made.new_page().insert_image(pymupdf.Rect(10, 10, 50, 50), pixmap=pixels)
        return made.tobytes()


def within(data: bytes, depth: int) -> bytes:
    """A page that draws another document's first page as a form, so many times over."""
    for _ in range(depth):
        with pymupdf.open() as made, pymupdf.open(stream=data) as inner:
            made.new_page()
            made[0].show_pdf_page(pymupdf.Rect(0, 0, 300, 300), inner, 0)
            data = made.tobytes()
    return data


def test_images_are_seen_however_deep_they_stand() -> None:
    for depth in range(4):
        with pymupdf.open(stream=within(picture(), depth)) as document:
            assert document[0].get_images()
            assert Resources(document).of_page(0).images
    with pymupdf.open() as made:
        made.new_page().insert_text((50, 50), "words")
        assert not Resources(made).of_page(0).images
        assert not Resources(made).of_page(0).bitmap_fonts


def test_bitmap_fonts_are_seen_however_deep_they_stand() -> None:
    with pymupdf.open() as made:
        made.new_page().insert_text((50, 50), "words")
        made.xref_set_key(made.get_page_fonts(0)[0][0], "Subtype", "/Type3")
        data = made.tobytes()
    for depth in range(3):
        with pymupdf.open(stream=within(data, depth)) as document:
            assert Resources(document).of_page(0).bitmap_fonts


def test_forms_that_draw_each_other_end_and_a_damaged_page_may_hold_anything() -> None:
    with pymupdf.open(stream=within(picture(), 2)) as document:
        numbers = range(1, document.xref_length())
        forms = [one for one in numbers if document.xref_get_key(one, "Subtype")[1] == "/Form"]
        for form, other in zip(forms, [*forms[1:], forms[0]]):
            document.xref_set_key(form, "Resources", f"<</XObject <</Again {other} 0 R>>>>")
        assert not Resources(document).of_page(0).images
        assert Resources(document).of_page(7).images
        assert Resources(document).of_page(7).bitmap_fonts


@pytest.mark.slow
def test_no_object_of_a_reading_is_in_a_cycle():
    """The search for cyclic garbage is off while a file is read; what is read must leave none, and it goes on then."""
    with pymupdf.open() as made:
        write(made.new_page(), ["A Title of Some Words", *prose("text", 20)], 60, 100)
        data = made.tobytes()
    pdf.read(data)
    gc.collect()
    gc.disable()
    try:
        pdf.read(data)
        assert gc.collect() == 0
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(InputFault):
        pdf.read(data[:200])
    assert gc.isenabled()
