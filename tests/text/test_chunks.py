"""Long texts in pieces: nothing lost, nothing too long, cut where sentences end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scholartools.text.chunks import first_words, n_words, pack_sizes, split_words

WORDS = st.text(alphabet="abZ. ,\n?é中", max_size=400)


@given(WORDS, st.integers(1, 30))
def test_every_word_is_in_one_piece_and_no_piece_is_too_long(text, limit):
    pieces = split_words(text, limit)
    assert [word for piece in pieces for word in piece.split()] == text.split()
    assert all(0 < n_words(piece) <= limit and piece in text for piece in pieces)


def test_pieces_end_where_sentences_do_and_are_of_about_one_length():
    sentences = [f"Sentence number {n} has six words." for n in range(10)]
    pieces = split_words(" ".join(sentences), 42)
    assert pieces == [" ".join(sentences[:5]), " ".join(sentences[5:])], "not seven and three"


def test_a_sentence_longer_than_the_limit_is_cut_between_words():
    assert split_words("one two three four five six seven.", 3) == ["one two three", "four five six", "seven."]


def test_a_short_text_is_left_as_it_is_and_a_blank_one_has_no_pieces():
    assert split_words("  A b.\n\nC d. ", 4) == ["A b.\n\nC d."]
    assert split_words(" \n", 4) == []


@pytest.mark.parametrize(
    ("sizes", "groups"),
    [
        ([], []),
        ([5], [range(0, 1)]),
        ([2, 2, 2], [range(0, 2), range(2, 3)]),
        ([1, 9, 1, 1], [range(0, 1), range(1, 2), range(2, 4)]),
        ([4, 1], [range(0, 1), range(1, 2)]),
    ],
)
def test_neighbours_are_packed_up_to_the_limit(sizes, groups):
    assert pack_sizes(sizes, 4) == groups


def test_the_first_words_end_with_a_sentence():
    text = "One two three. Four five six. Seven."
    assert [first_words(text, limit) for limit in (2, 3, 5, 6, 7)] == [
        "", "One two three.", "One two three.", "One two three. Four five six.", text]  # fmt: skip
