"""Text overlap against the reference libraries and against numbers worked out by hand."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from scholartools.metrics.texts import overlap
from scholartools.metrics.texts.extraction import extraction_quality
from scholartools.metrics.texts.keywords import _candidate_phrases, keyword_overlap, keywords
from scholartools.metrics.texts.overlap import (
    Rouge,
    SacreBleu,
    bleu,
    count_cosine,
    edit_similarity,
    fuzzy_ratio,
    jaccard,
    plain_words,
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


@settings(deadline=None)  # the first case imports a library
@given(TEXTS, TEXTS)
def test_values_lie_between_zero_and_one_and_have_a_reason_when_there_is_none(reference, candidate):
    for metric in PLAIN:
        value, reason = metric(joined(reference), joined(candidate))
        assert (reason is None and 0 <= value <= 1) or (reason and value is None)


def test_tokens_are_counted_with_their_repeats():
    scores = token_overlap("The cat and the dog", "the the the cat")
    assert [score.value for score in scores] == [3 / 4, 3 / 5, pytest.approx(2 / 3)]


def test_tokens_without_a_candidate_have_no_precision():
    scores = token_overlap("a b", "!")
    assert scores.precision == Value(None, "the candidate has no words")
    assert (scores.recall, scores.f1) == (Value(0.0), Value(0.0))
    assert {score.reason for score in token_overlap("!", "a b")} == {"the reference has no words"}


def test_plain_words_are_lower_case_runs_in_any_script():
    assert plain_words("Naïve BERT_2's 95.3% — 数据集") == ["naïve", "bert_2", "s", "95", "3", "数据集"]


def test_bleu_by_hand():
    # p = 5/6, 3/5, 1/4, 0/3: one order without a match is enough for 0.
    assert bleu("the cat is on the mat", "the cat sat on the mat") == Value(0.0)
    # p = 5/5, 4/4, 3/3, 2/2 and five words of seven: BP = exp(1 - 7/5).
    assert bleu("a b c d e f g", "a b c d e").value == pytest.approx(math.exp(-0.4))
    # p = 5/6, 4/5, 3/4, 2/3, no penalty for a longer candidate: (1/3) ** (1/4).
    assert bleu("a b c d e", "a b c d e f").value == pytest.approx((1 / 3) ** 0.25)


def test_bleu_of_fewer_than_four_words_is_zero():
    assert bleu("small data set", "small data set") == Value(0.0)


@settings(deadline=None)  # the first case imports a library
@given(TEXTS, TEXTS)
def test_bleu_is_nltks_without_smoothing(reference, candidate):
    from nltk.translate.bleu_score import sentence_bleu

    wanted, given_words = plain_words(joined(reference)), plain_words(joined(candidate))
    if wanted:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that an order has no match; nltk then gives 1e-78 or so for 0
            expected = float(sentence_bleu([wanted], given_words))
        assert close(bleu(joined(reference), joined(candidate)).value, expected)


def test_sacrebleu_is_sacrebleus_by_a_hundred():
    sacrebleu = pytest.importorskip("sacrebleu")
    score = SacreBleu()
    expected = sacrebleu.sentence_bleu("The cat sat on the mat.", ["The cat is on the mat."])
    assert score("The cat is on the mat.", "The cat sat on the mat.") == Value(expected.score / 100)
    assert score(SENTENCE, SENTENCE) == Value(1.0)
    assert score(SENTENCE, "") == Value(0.0)
    assert score(" ", SENTENCE).reason == "the reference is empty"
    assert "tok:13a" in score.signature and f"version:{sacrebleu.__version__}" in score.signature


@settings(deadline=None)  # the first case imports a library
@given(TEXTS, TEXTS)
def test_count_cosine_is_scikit_learns(reference, candidate):
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.metrics.pairwise import cosine_similarity

    pair = [joined(reference), joined(candidate)]
    if overlap.vector_words(pair[0]):
        counts = CountVectorizer().fit_transform(pair)
        assert count_cosine(*pair).value == pytest.approx(cosine_similarity(counts[0], counts[1])[0, 0])


def test_jaccard_by_hand():
    assert jaccard("a b b c", "B c d") == Value(2 / 4)


def test_edit_similarity_by_hand():
    assert edit_similarity("kitten", "sitting") == Value(1 - 3 / 7)
    assert edit_similarity("a", "bcd") == Value(0.0)


def test_fuzzy_ratio_counts_insertions_and_deletions_of_the_texts_as_they_are():
    # kitten to sitting: 2 substitutions, each a deletion and an insertion, and an insertion: 5 of 13 characters.
    assert fuzzy_ratio("kitten", "sitting").value == pytest.approx(1 - 5 / 13)
    assert fuzzy_ratio("Ab", "ab").value == pytest.approx(0.5)


@settings(deadline=None)  # the first case imports a library
@given(TEXTS, TEXTS)
def test_rouge_is_rouge_scores(reference, candidate):
    from rouge_score.rouge_scorer import RougeScorer

    scores = Rouge(stemmer=True)(joined(reference), joined(candidate))
    expected = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=True).score(joined(reference), joined(candidate))
    if scores is None:
        assert not overlap.words(joined(reference))
    else:
        assert {name: tuple(score) for name, score in scores.items()} == {k: tuple(v) for k, v in expected.items()}


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
