"""Text overlap against the reference libraries and against numbers worked out by hand."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from scholartools.metrics.texts import overlap
from scholartools.metrics.texts.extraction import extraction_quality
from scholartools.metrics.texts.keywords import _candidate_phrases, keyword_overlap, keywords
from scholartools.metrics.texts.overlap import (
    Rouge,
    bleu,
    count_cosine,
    edit_similarity,
    fuzzy_ratio,
    jaccard,
    token_overlap,
)
from scholartools.metrics.values import Value

PLAIN = [bleu, count_cosine, jaccard, fuzzy_ratio, edit_similarity]
SENTENCE = "The data set is small, and it holds only English."
TEXTS = st.lists(
    st.sampled_from(["the", "The", "data", "a", "ß", "Ünïcode", "数据", "x1", "model.", "--", "\n"]), max_size=14
)


def test_the_rest_of_nltk_is_neither_loaded_nor_spoilt() -> None:
    code = (
        "import sys; from scholartools.metrics.texts.overlap import Rouge; score = Rouge(stemmer=True)\n"
        "print(score('cats running', 'cat runs')['rouge1'].f1, 'nltk' in sys.modules, 'scipy' in sys.modules)\n"
        "import nltk; print(nltk.stem.PorterStemmer().stem('cats'), nltk.word_tokenize.__module__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0", "False", "False", "cat", "nltk.tokenize"]


def joined(parts: list[str]) -> str:
    return " ".join(parts)


def close(value: float | None, wanted: float) -> bool:
    return value is not None and math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("metric", PLAIN)
def test_a_text_is_wholly_like_itself(metric):
    assert metric(SENTENCE, SENTENCE) == Value(1.0)


@pytest.mark.parametrize("metric", PLAIN)
@pytest.mark.parametrize("candidate", ["", SENTENCE])
def test_without_a_reference_there_is_no_value(metric, candidate):
    value, reason = metric("", candidate)
    assert value is None and reason


@pytest.mark.parametrize("metric", PLAIN)
def test_an_empty_candidate_is_worth_nothing(metric):
    assert metric(SENTENCE, "") == Value(0.0)


@pytest.mark.parametrize("metric", [bleu, count_cosine, jaccard])
def test_punctuation_alone_is_no_reference(metric):
    assert metric("-- ... --", "words").reason in (overlap.NO_REFERENCE_WORDS, overlap.NO_LONG_REFERENCE_WORDS)


LONG_TEXTS = st.lists(
    st.sampled_from(
        ["models", "modelling", "a", "The", "skies", "ß", "Ünïcode", "x1", "happily.", "--", "\n", "running"]
    ),
    max_size=60,
)


@given(LONG_TEXTS, LONG_TEXTS, st.booleans())
def test_rouge_is_rouge_scores(reference, candidate, stemmer):
    from rouge_score.rouge_scorer import RougeScorer

    scores = Rouge(stemmer=stemmer)(joined(reference), joined(candidate))
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=stemmer)
    expected = scorer.score(joined(reference), joined(candidate))
    if scores is None:
        assert not overlap.words(joined(reference))
    else:
        assert {name: tuple(score) for name, score in scores.items()} == {k: tuple(v) for k, v in expected.items()}


def test_a_text_of_many_pairs_is_stemmed_once(monkeypatch):
    rouge, calls = Rouge(stemmer=True), []
    tokenize = rouge._tokenize
    monkeypatch.setattr(rouge, "_tokenize", lambda text: calls.append(text) or tokenize(text))
    references, candidates = ["cats run", "a dog"], ["a cat runs", "dogs", "the sky"]
    assert all(rouge(one, other) for one in references for other in candidates)
    assert sorted(calls) == sorted(references + candidates)


def test_the_stemmer_brings_forms_of_a_word_together():
    plain, stemmed = Rouge()("limitations", "limitation"), Rouge(stemmer=True)("limitations", "limitation")
    assert (plain["rouge1"].f1, stemmed["rouge1"].f1) == (0.0, 1.0)


def test_words_of_junk_take_no_time():
    for junk in ("_" * 1_000_000, "a " * 500_000, "é" * 1_000_000, " -" * 500_000):
        assert token_overlap(junk, junk).f1.value in (1.0, None)


def test_extraction_quality_by_hand():
    # Words a, b, b of a, b, c: two shared; cosine (1 + 2) / sqrt(3 * 5); ratio: " b " is
    # what the two texts of 5 characters share in sequence.
    quality = extraction_quality("a b c", "A b b")
    assert quality["precision"].value == quality["recall"].value == quality["f1"].value == pytest.approx(2 / 3)
    assert quality["cosine"].value == pytest.approx(3 / math.sqrt(15))
    assert quality["ratio"].value == pytest.approx(2 * 3 / 10)


def test_extraction_quality_of_nothing():
    assert {name: value.value for name, value in extraction_quality("gold text", "").items()} == {
        "precision": None,
        "recall": 0.0,
        "f1": 0.0,
        "cosine": 0.0,
        "ratio": 0.0,
    }
    assert all(value.value is None and value.reason for value in extraction_quality("", "text").values())


def one_direction_per_letter(texts):
    """Counts of the letters a to z: embeddings a reader can work out."""
    import numpy as np

    return np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype=np.float32)


def test_keywords_are_the_candidates_most_like_the_text():
    # The text has 5 a, 4 b, 2 z and a few more: "bbbb aaaa" is most like it.
    found = keywords("the bbbb aaaa and zz", one_direction_per_letter, top=4)
    assert found[0] == "bbbb aaaa"
    assert found[1:] == ["aaaa zz", "aaaa", "bbbb"]


@given(st.text(max_size=60) | TEXTS.map(joined), st.integers(1, 3))
def test_candidates_of_keywords_are_those_of_scikit_learn(text, longest):
    runs = CountVectorizer(ngram_range=(1, longest), stop_words="english").build_analyzer()
    assert _candidate_phrases(text, longest) == sorted(set(runs(text)))


def test_keywords_leave_out_stop_words_and_text_without_words_has_none():
    assert keywords("the of and", one_direction_per_letter) == []
    assert keywords("", one_direction_per_letter) == []
    assert keywords("The model", one_direction_per_letter, max_words=1) == ["model"]


def test_stop_words_are_found_where_their_file_is_and_where_it_is_not(monkeypatch):
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    from scholartools.metrics.texts import keywords as module

    module._stop_words.cache_clear()
    assert module._stop_words() == ENGLISH_STOP_WORDS
    module._stop_words.cache_clear()
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert module._stop_words() is ENGLISH_STOP_WORDS


def test_keyword_overlap_by_hand():
    values = keyword_overlap(["a", "b", "c", "d"], ["d", "e"])
    assert values == {"jaccard": Value(1 / 5), "cosine": Value(1 / math.sqrt(8))}
    assert keyword_overlap(["a"], []) == {"jaccard": Value(0.0), "cosine": Value(0.0)}
    assert all(value.value is None and value.reason for value in keyword_overlap([], ["a"]).values())
