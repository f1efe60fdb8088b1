"""The network behind the built-in facets: the file, exact arithmetic, and what it must not depend on."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import ROOT, environment

from scholartools.signature import fingerprint
from scholartools.tasks import facets
from scholartools.tasks.facets import cues as tables
from scholartools.tasks.facets import decoding, exact_sciences, features, lexicon, network
from scholartools.tasks.facets.decoding import decode_labels
from scholartools.tasks.facets.lexicon import KEYS, NO_KEY

ANY = tuple(facets.LABELS)
SENTENCES = [
    "Little is known about the sleep of cats.",
    "We filmed 30 cats for two weeks.",
    "Cats slept 12.5 hours a day (p < 0.01).",
    "These findings suggest that cats like sleep.",
]


def scores(sentences: list[str]) -> list[list[int]]:
    return network.score_sentences(features.assemble_features([sentences])).tolist()


class TestFile:
    def test_shapes_follow_from_the_features(self) -> None:
        weights = network.packaged_model()
        size = len(facets.LABELS)
        assert weights.vectors.dtype == np.int8
        assert weights.vectors.shape[0] == KEYS + 1
        assert not weights.vectors[NO_KEY].any()
        for layers in weights.networks:
            hidden = layers.enter.shape[1]
            assert layers.enter.shape[0] == weights.vectors.shape[1] / len(weights.networks) + features.DENSE
            assert layers.near.shape == layers.far.shape == (network.REACH * hidden, hidden)
            assert layers.leave.shape == (2 * hidden, size)
        assert [len(weights.start), len(weights.stop), *map(len, weights.into)] == [size] * (size + 2)

    def test_it_was_trained_with_the_cues_of_today(self) -> None:
        assert json.loads(network.packaged_model().about)["cues"] == fingerprint(tables.CUES)

    def test_it_names_its_sources_and_their_licences(self) -> None:
        sources = json.loads(network.packaged_model().about)["sources"]
        assert "Apache-2.0" in sources["CSAbstruct"]
        assert len(sources) == 7

    def test_what_trains_it_names_things_that_exist(self) -> None:
        """The tool needs torch, which tests do without; a rename must not break it unseen."""
        written = (ROOT / "tools" / "train_facets.py").read_text(encoding="utf-8")
        modules = {"features": features, "packaged": network, "tables": tables}
        used = set(re.findall(r"\b(features|packaged|tables)\.(\w+)", written)) - {("features", "py"), ("tables", "py")}
        assert len(used) > 10
        assert [name for name in used if not hasattr(modules[name[0]], name[1])] == []

    def test_it_is_small(self) -> None:
        assert network.PATH.stat().st_size < 5_000_000

    def test_other_bytes_are_another_version(self) -> None:
        data = network.PATH.read_bytes()
        assert network.load_model(data).version == network.packaged_model().version
        assert network.load_model(data + b"\0").version != network.packaged_model().version

    def test_weights_are_whole_numbers_of_their_unit(self) -> None:
        for weights in itertools.chain(*network.packaged_model().networks):
            assert np.array_equal(weights * network.UNIT, np.rint(weights * network.UNIT))

    def test_networks_differ(self) -> None:
        first, second, *_ = network.packaged_model().networks
        assert not np.array_equal(first.enter, second.enter)


class TestScores:
    def test_they_are_what_exact_fractions_give(self) -> None:
        """The last layer again, in fractions: nothing was lost to rounding before the result was rounded."""
        weights = network.packaged_model().networks[0]
        random = np.random.default_rng(1)
        whole = np.rint(random.uniform(-network.MOST, network.MOST, (3, weights.near.shape[0])) * network.INPUT_UNIT)
        rows = (whole / network.INPUT_UNIT).astype(np.float32)
        product = rows @ weights.near
        for row, column in [(0, 0), (1, 17), (2, weights.near.shape[1] - 1)]:
            pairs = zip(rows[row].tolist(), weights.near[:, column].tolist())
            assert Fraction(product[row, column].item()) == sum(Fraction(a) * Fraction(b) for a, b in pairs)

    def test_weights_leave_room_for_exact_sums(self) -> None:
        """Every sum of products, bias and an input added, stays under 2**24 of the parts that a product comes in."""
        for layers in network.packaged_model().networks:
            for name in ("enter", "near", "far", "leave"):
                weights, bias = getattr(layers, name), getattr(layers, f"{name}_bias")
                most = np.abs(weights).sum(axis=0) * network.MOST + np.abs(bias) + network.MOST
                assert most.max() * network.UNIT * network.INPUT_UNIT < 2**24

    def test_inputs_of_layers_are_bounded_and_in_parts(self) -> None:
        rounded = network._round_values(np.array([-1e9, -0.3, 0.0, 0.004, 0.3, 7.999, 1e9], dtype=np.float32))
        assert rounded.tolist() == [-8, -19 / 64, 0, 0, 19 / 64, 8, 8]
        assert rounded.dtype == np.float32

    def test_doubles_would_give_the_same(self) -> None:
        known = features.assemble_features([SENTENCES, SENTENCES[:1], ["Cats sleep " * 300 + "."]])
        random = np.random.default_rng(2)
        seen = network._see_neighbours(known, known.places)
        for weights in network.packaged_model().networks:
            words = network._round_values(random.uniform(-9, 9, (6, weights.enter.shape[0] - features.DENSE)))
            entering = np.hstack([words, network._round_values(known.dense)])
            doubles = network.Network(*(layer.astype(np.float64) for layer in weights))
            assert np.array_equal(
                network._score_by_network(entering, seen, weights), network._score_by_network(entering, seen, doubles)
            )

    def test_order_of_words_and_their_repetition_change_no_vector(self) -> None:
        plain = features.assemble_features([["zebras graze quietly"]])
        again = features.assemble_features([["quietly graze graze zebras"]])
        assert sorted(plain.words) == sorted(again.words)
        assert plain.tokens.tolist() == again.tokens.tolist()

    def test_neighbours_matter(self) -> None:
        assert scores(SENTENCES)[1] != scores([SENTENCES[3], *SENTENCES[1:]])[1]

    def test_what_stands_five_sentences_away_does_not(self) -> None:
        far = ["Cats sleep."] * 12
        changed = [*far[:-1], "These findings suggest that dogs bark."]
        assert scores(far)[:7] == scores(changed)[:7]
        assert scores(far)[8] != scores(changed)[8]

    @given(st.lists(st.text(max_size=60), min_size=1, max_size=12))
    @settings(max_examples=100)
    def test_any_text_has_five_whole_numbers_a_sentence(self, sentences: list[str]) -> None:
        found = scores(sentences)
        assert [len(row) for row in found] == [5] * len(sentences)
        assert all(isinstance(value, int) for row in found for value in row)
        assert found == scores(sentences)

    @given(st.lists(st.lists(st.text(max_size=40), min_size=1, max_size=9), min_size=1, max_size=6))
    @settings(max_examples=60)
    def test_texts_beside_a_text_change_nothing(self, texts: list[list[str]]) -> None:
        assert network.score_sentences(features.assemble_features(texts)).tolist() == [
            row for text in texts for row in scores(text)
        ]
        assert decode_labels(texts) == [decode_labels([text])[0] for text in texts]

    def test_what_is_the_same_is_scored_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        random = np.random.default_rng(3)
        texts = [[SENTENCES[kind] for kind in random.binomial(2, 0.0001, count)] for count in (20_000, 3, 90)]
        texts.append((SENTENCES[:2] * 400)[:-1])
        known = features.assemble_features(texts)
        seen = network._see_neighbours(known, network._round_values(known.places))
        assert len(seen.far) < 0.5 * len(known.kinds)
        shared = network.score_sentences(known)
        monkeypatch.setattr(network, "_REPEATED", 10**9)
        assert np.array_equal(network.score_sentences(known), shared)
        assert len(network._see_neighbours(known, known.places).far) == len(known.kinds)
        monkeypatch.setattr(network, "_REPEATED", 0)
        monkeypatch.setattr(network, "_MOST_CODES", 10**8)
        assert np.array_equal(network.score_sentences(known), shared)

    @pytest.mark.parametrize("count", [2, 3, 5, 10, 50, 333, 2500])
    def test_a_long_text_has_the_path_that_is_found_sentence_by_sentence(self, count: int) -> None:
        random = np.random.default_rng(count)
        for most in (3, 3000):
            found = random.integers(-most, most, (count, 5))
            found[random.random(found.shape) < 0.2] = decoding._FORBIDDEN
            found[:, 2] = np.where(found.max(axis=1) == decoding._FORBIDDEN, 1, found[:, 2])
            assert decoding._best_path_in_blocks(found) == decoding._best_paths_beside(found, [count])

    def test_long_texts_between_short_ones(self, monkeypatch: pytest.MonkeyPatch) -> None:
        texts = [SENTENCES, SENTENCES * 3, SENTENCES[1:], SENTENCES[2:] * 5, SENTENCES * 2]
        before = decode_labels(texts)
        monkeypatch.setattr(decoding, "_LONG", 5)
        assert decode_labels(texts) == before

    def test_no_sentence_has_no_label(self) -> None:
        assert decode_labels([]) == []
        assert decode_labels([[], SENTENCES, []]) == [[], *decode_labels([SENTENCES]), []]

    @pytest.mark.parametrize("number", ["1", "2"])
    def test_hash_seed_and_threads_change_nothing(self, number: str) -> None:
        code = (
            "import sys, json\n"
            "from scholartools.tasks.facets import features as f, network as m\n"
            "print(m.score_sentences(f.assemble_features([json.loads(sys.argv[1])])).tolist())"
        )
        line = [sys.executable, "-c", code, json.dumps(SENTENCES)]
        env = environment(PYTHONHASHSEED=number, OMP_NUM_THREADS=number, OPENBLAS_NUM_THREADS=number)
        done = subprocess.run(line, capture_output=True, check=True, env=env)
        assert json.loads(done.stdout) == scores(SENTENCES)

    def test_one_thread_computes_the_products_and_other_work_has_all_again(self) -> None:
        """Several take two to four times as long; from Python, where no command sets a variable, it was so."""
        code = (
            "import sys, json, threadpoolctl\n"
            "from scholartools.tasks.facets import features as f, network as m\n"
            "def threads(): return [one['num_threads'] for one in threadpoolctl.threadpool_info() if one['user_api'] == 'blas']\n"
            "scored, seen = m._score_by_network, []\n"
            "m._score_by_network = lambda *given: (seen.extend(threads()), scored(*given))[1]\n"
            "m.score_sentences(f.assemble_features([json.loads(sys.argv[1])]))\n"
            "print(json.dumps([sorted(set(seen)), sorted(set(threads()))]))"
        )
        env = environment(OMP_NUM_THREADS="2", OPENBLAS_NUM_THREADS="2")
        line = [sys.executable, "-c", code, json.dumps(SENTENCES)]
        done = subprocess.run(line, capture_output=True, check=True, env=env)
        assert json.loads(done.stdout) == [[1], [2]]


class TestFeatures:
    def test_numbers_share_a_row_by_their_shape(self) -> None:
        assert features.token_rows("12.5 cats") == features.token_rows("98.1 cats")
        assert features.token_rows("12.5 cats") != features.token_rows("1 cats")

    def test_endings_are_shared_by_long_words(self) -> None:
        *_, measured = features.token_rows("measured")
        *_, captured = features.token_rows("captured")
        assert measured[0] != captured[0]
        assert measured[1:] == captured[1:]

    def test_every_cue_is_found_in_a_sentence_that_has_one_of_its_phrases(self) -> None:
        for place, (name, phrases) in enumerate(tables.CUES.items()):
            for phrase in phrases.split(" | "):
                sentence = phrase.removeprefix("^ ").replace("#", "12")
                assert place in features.find_cues(sentence), (name, phrase)

    def test_phrases_end_with_their_sentence(self) -> None:
        name, phrases = next((name, own) for name, own in tables.CUES.items() if " " in own.split(" | ")[0])
        first, *others = phrases.split(" | ")[0].removeprefix("^ ").split()
        found = features.assemble_features([["A cat slept.", first], [" ".join(others), "A cat slept."]])
        assert not found.dense[:, -len(tables.CUES) + list(tables.CUES).index(name)].any()

    def test_rows_and_words_of_a_sentence_are_those_of_its_tokens(self) -> None:
        found = features.assemble_features([SENTENCES, SENTENCES[:1]])
        ends = [*found.starts[1:], len(found.words)]
        for sentence, start, end, count in zip(SENTENCES, found.starts, ends, found.tokens):
            rows = [found.lexicon.rows[word].tolist() for word in found.words[start:end]]
            own = [token.tolist() for token in features.token_rows(sentence)]
            assert sorted(row for row in rows if row) == sorted(own)
            assert count == len(own)

    def test_the_vector_of_a_sentence_is_the_sum_of_those_rows(self) -> None:
        table = network.packaged_model().vectors
        known = features.assemble_features([SENTENCES])
        sums = network._sum_vectors(known.lexicon.sum_rows(table), known.words, known.starts)
        for sentence, vector in zip(SENTENCES, sums):
            keys = [key for token in features.token_rows(sentence) for key in token]
            assert vector.tolist() == table[keys].sum(axis=0, dtype=int).tolist()

    def test_a_lexicon_that_is_begun_anew_changes_no_label(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = decode_labels([SENTENCES])
        monkeypatch.setattr(lexicon, "_MOST_CHARACTERS", 1)
        assert decode_labels([SENTENCES, ["A cat slept."]])[0] == before[0]
        assert decode_labels([SENTENCES]) == before

    @pytest.mark.parametrize("count", [1, 2, 3, 7, 40, 51])
    def test_features_are_shares(self, count: int) -> None:
        found = features.assemble_features([["A cat slept."] * count]).dense
        assert found.shape == (count, features.DENSE)
        assert found.min() >= 0
        assert found.max() <= 1

    def test_a_record_of_texts_is_labelled_without_pydantic(self) -> None:
        code = "import sys; from scholartools.tasks import facets as f; f.label({'id': 'p', 'abstract': 'Cats sleep.'})"
        line = [sys.executable, "-c", f"{code}; print('pydantic' in sys.modules)"]
        assert subprocess.run(line, capture_output=True, check=True, env=environment()).stdout == b"False\n"

    def test_a_model_is_asked_without_the_network(self) -> None:
        code = "import sys; from scholartools.tasks.facets import prompted"
        line = [sys.executable, "-c", f"{code}; print([name for name in sys.modules if 'facets.network' in name])"]
        assert subprocess.run(line, capture_output=True, check=True, env=environment()).stdout == b"[]\n"

    def test_numpy_is_not_loaded_before_a_label_is_asked_for(self) -> None:
        code = "import sys, scholartools.tasks.facets; print('numpy' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment())
        assert done.stdout == b"False\n"


PHYSICS = [
    "We study the spin of electrons in a magnetic field.",
    "The lattice has one quantum phase.",
    "We find that its energy vanishes in $d=2$ dimensions.",
    "The decay of the field follows.",
    "This could have important implications for quantum gravity.",
]


class TestExactSciences:
    def test_what_a_sentence_says_of_itself_in_physics_and_mathematics(self) -> None:
        assert restrictions(PHYSICS) == [("background",), ANY, ("result",), ANY, ("conclusion",)]
        assert [decode_labels([PHYSICS])[0][place] for place in (0, 2, 4)] == ["background", "result", "conclusion"]

    @pytest.mark.parametrize(
        ("sentence", "place", "labels"),
        [
            ("The spin of electrons is investigated in two dimensions.", 0, ("background",)),
            ("The spin of electrons is studied by numerical simulations.", 0, ANY),
            ("We study the spin of electrons using a Monte Carlo method.", 0, ANY),
            ("We study the spin of electrons.", 3, ANY),
            ("It is shown that the operator is compact.", 1, ("result",)),
            ("We find that this could be used to detect dark matter.", 4, ("result", "conclusion")),
            ("These bounds can find useful applications in gauge theory.", 4, ("conclusion",)),
            ("These bounds can find useful applications in gauge theory.", 1, ANY),
            ("Some implications for quantum gravity are mentioned.", 4, ("conclusion",)),
            ("We conclude by comparing the spins of two lattices.", 4, ANY),
        ],
    )
    def test_by_its_phrases_and_place(self, sentence: str, place: int, labels: tuple[str, ...]) -> None:
        text = [*PHYSICS[:place], sentence, *PHYSICS[place + 1 :]]
        assert restrictions(text)[place] == labels

    def test_in_other_fields_it_says_nothing(self) -> None:
        assert restrictions([*PHYSICS, "Thirty patients watched."]) == [ANY] * 6
        assert restrictions(["We study cats.", "We find that they sleep.", "This could lead to calm."]) == [ANY] * 3


def restrictions(text: list[str]) -> list[tuple[str, ...]]:
    known = features.assemble_features([text])
    allowed = exact_sciences.restrict_sentences([text], known)
    return [tuple(facets.LABELS[label] for label in own) for own in allowed]
