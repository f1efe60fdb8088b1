"""Edit distance and common subsequences: the numbers of rapidfuzz, and those of a table written out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.fuzz import ratio

from scholartools.errors import InputFault
from scholartools.metrics.texts import edits, overlap

ALPHABETS = ["ab", "abcdefgh ", "中文字a", "aé\u0142я\U0001d538\ud800", "".join(chr(0x4E00 + n) for n in range(600))]


def _pairs(count: int, seed: int):
    """Pairs that are alike in all but a few places, reversed, and unlike, around the library's lengths of 64."""
    draw = random.Random(seed)
    for _ in range(count):
        alphabet = draw.choice(ALPHABETS)
        first = draw.choices(alphabet, k=draw.randrange(draw.choice([2, 60, 66, 300, 1500])))
        second = list(first)
        for _ in range(draw.choice([0, 1, 3, 30, 300])):
            place = draw.randrange(len(second) + 1)
            second[place : place + draw.randrange(2)] = draw.choices(alphabet, k=draw.randrange(2))
        kind = draw.randrange(4)
        second = first[::-1] if kind == 0 else draw.choices(alphabet, k=len(first)) if kind == 1 else second
        yield "".join(first), "".join(second)


def test_numbers_are_those_of_the_library(monkeypatch):
    monkeypatch.setattr(edits, "_FIRST_GUESS", 4)  # so that short texts take several guesses
    n_alike = 0
    for first, second in _pairs(600, 42):
        assert edits.edit_distance(first, second) == Levenshtein.distance(first, second)
        assert edits.n_in_common(first, second) == LCSseq.similarity(first, second)
        if first:
            assert overlap.fuzzy_ratio(first, second).value == ratio(first, second) / 100
        n_alike += 0 < Levenshtein.distance(first, second) < len(first) // 10
    assert n_alike > 60


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_numbers_are_those_of_a_table(first, second):
    rows = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first, 1):
        for j, other in enumerate(second, 1):
            rows[i][j] = rows[i - 1][j - 1] + 1 if one == other else max(rows[i - 1][j], rows[i][j - 1])
    words = [[f"w{n}" for n in side] for side in (first, second)]
    assert edits.n_in_common(*words) == rows[-1][-1]


def test_texts_that_are_alike_are_not_compared_whole(monkeypatch):
    """Each of 80,000 characters with each of the other took half a second for ideographs; the cutoff leaves a band."""
    asked, similarity = [], LCSseq.similarity
    monkeypatch.setattr(
        LCSseq, "similarity", lambda *a, **k: asked.append(k.get("score_cutoff")) or similarity(*a, **k)
    )
    text = "".join(chr(0x4E00 + n % 20_000) for n in range(80_000))
    assert edits.n_in_common(text, text[1:] + "b") == 79_999
    assert asked == [80_000 - 256]


def test_texts_too_long_for_the_product_of_their_lengths_have_no_number(monkeypatch):
    monkeypatch.setattr(edits, "MOST_COMPARED", 100)
    assert overlap.fuzzy_ratio("a" * 10, "b" * 10).value == 0
    for metric in (overlap.fuzzy_ratio, overlap.edit_similarity):
        value, reason = metric("a" * 10, "b" * 11)
        assert value is None and "product of their lengths, 10 and 11" in reason
    assert overlap.Rouge()("a " * 10, "b " * 10)
    with pytest.raises(InputFault, match="ROUGE-L: the two are compared in the product"):
        overlap.Rouge()("a " * 10, "b " * 11)
    from scholartools.tasks import score

    record = {"id": "p", "abstract": "bees like soil " * 10, "summaries": [{"system": "s", "text": "soil bees " * 10}]}
    (entry,) = score.score(record, ["text"], score.Options())["scores"]
    without = {name for name, value in entry["values"].items() if value is None}
    assert without == {
        "fuzzy_ratio", "edit_similarity", *(f"rouge{n}{part}" for n in "12L" for part in ("", "_precision", "_recall")),
    }  # fmt: skip
