"""How likely a sentence tells of experiments: what it holds, the file of weights, and what is taken out by them."""

from __future__ import annotations

import re
import sys

import pytest
from support.run import ROOT

from scholartools.tasks.generate.experiments import likelihood
from scholartools.tasks.generate.experiments.inputs import Showing, show_input
from scholartools.tasks.generate.experiments.leaks import LeakCues, split_sentences
from scholartools.tasks.generate.experiments.likelihood import Model, Seen

#: A model whose weights can be summed by hand.
SMALL = Model(
    "v", 0, 10, {"gain": 100, "^gain": 40, "<cue name>": 7, "<zone>": 500, "<zone before>": 250}, -200, {"gain": 1000}
)
REPORTED = "On the test set the parser reaches an accuracy of 91.2% and outperforms all baselines by 3.4 points."
PROPOSED = "Each page is split into blocks whose order is given by a graph."


def seen(text: str, place: str = "s1", cue: str | None = None) -> Seen:
    return Seen(text, place, "method", cue)


def paper(*method: str) -> dict:
    sections = [("s1", "method", " ".join(method)), ("s2", "experiment", "We run it.")]
    return {"id": "p", "title": "T", "sections": [
        {"id": name, "heading": role.title(), "level": 1, "role": role, "text": text} for name, role, text in sections
    ]}  # fmt: skip


@pytest.mark.parametrize(("text", "words"), [
    ("We gain 3.5% (Lee 2010).", ["we", "gain", "<decimals>", "%", "<cite>"]),
    ("It has $d = 12$ of $x_i + y$ in [3, 4]: 7 parts", ["it", "has", "<number>", "of", "<math>", "in", "<cite>", ":",
                                                        "<number>", "parts"]),
    ("As Lee et al. (2010) say", ["as", "lee", "<cite>", "say"]),
    ("", []),
])  # fmt: skip
def test_words_of_a_sentence(text, words):
    assert likelihood.split_words(text) == words


def test_the_log_odds_are_sums_of_weights():
    assert likelihood.leak_log_odds([seen("Gain gain gain.")], SMALL) == [10 + 140 + 400]
    assert likelihood.leak_log_odds([seen("All of it is in the gain.")], SMALL) == [10 + 100 + 400]
    assert likelihood.leak_log_odds([seen("Gain.", cue="name"), seen("No.")], SMALL) == [
        10 + 140 + 7 + 400,
        10 - 100 + 200,
    ]
    assert likelihood.leak_log_odds([seen("Gain."), seen("No.", "s2")], SMALL)[1] == 10 - 100
    assert likelihood.leak_log_odds([], SMALL) == []


def test_a_sentence_holds_its_pairs_of_words_and_whether_its_neighbours_in_the_section_have_a_cue():
    cue = seen("A gain of 3%.", cue="percentage")
    first, middle, last = likelihood.sentence_features([seen("We run it."), cue, seen("It ends.")])
    assert {"we run", "run it", "<cue after>"} <= first and "<cue before>" not in first
    assert {"gain of", "<number> %", "<cue>", "<cue percentage>"} <= middle
    assert middle.isdisjoint({"<cue before>", "<cue after>"})
    assert "<cue before>" in last and "<cue after>" not in last
    elsewhere = list(likelihood.sentence_features([seen("We run it.", "s2"), cue, seen("It ends.", "s3")]))
    assert elsewhere[0].isdisjoint({"<cue after>"}) and elsewhere[2].isdisjoint({"<cue before>"})


def test_no_sentence_sounds_like_experiments_without_bound():
    loud = SMALL._replace(zone={f"w{letter}": 2000 for letter in "abcdefgh"})
    assert likelihood.zone_log_odds(" ".join(loud.zone), loud) == 6000
    assert likelihood.zone_log_odds("a", loud._replace(zone_bias=-9000)) == -6000


def test_a_report_is_taken_out_without_a_cue_or_with_one_and_a_cue_alone_is_not_enough():
    made = show_input(paper(PROPOSED, REPORTED, PROPOSED), Showing())["experiments_input"]
    assert REPORTED not in made["text"] and PROPOSED in made["text"]
    [report] = likelihood.leak_log_odds([seen(REPORTED)], likelihood.packaged_model())
    assert report > likelihood.packaged_model().threshold
    slower = "Our code is slower than Edlib."
    every = split_sentences([("s1", "method", f"{PROPOSED} {slower} {PROPOSED}")])
    cues = LeakCues(every, paper()["sections"][1:], [], "T")
    assert [one.text for one, _ in cues.find_cues(every)] == [slower] and cues.find_leaks(every) == []


def test_what_is_taken_out_without_a_cue_is_said_to_be_so_by_its_words():
    plain = "We read the reviews of 2019 and 2020 at first and those of 2021 after them in five rounds."
    record = paper(PROPOSED, plain)
    every = split_sentences([("s1", "method", record["sections"][0]["text"])])
    assert LeakCues(every, record["sections"][1:], [], "T").find_cues(every) == []
    [removed] = show_input(record, Showing())["experiments_input"]["removed"]
    assert removed["cue"] == "words" and removed["by"] == "builtin"


class TestFile:
    def test_every_weight_is_of_something_that_a_sentence_can_hold(self):
        model = likelihood.packaged_model()
        kinds = {name.split()[0].strip("<>") for name in model.weights if name.startswith("<")}
        assert kinds <= {"cue", "role", "part", "zone", "number", "decimals", "math", "cite"}
        assert {*likelihood.ZONES} <= model.weights.keys()
        word = r"(?:[a-z]+|[%;:?]|<(?:number|decimals|math|cite)>)"
        assert all(re.fullmatch(rf"{word}(?: {word})?|\^{word}|<[\w ]+>", name) for name in model.weights)
        assert all(re.fullmatch(rf"{word}(?: {word})?", name) for name in model.zone)

    def test_it_is_small_and_says_what_it_was_trained_on(self):
        assert likelihood.PATH.stat().st_size < 500_000
        assert "fixtures/leak-labels.jsonl" in likelihood.PATH.read_text(encoding="utf-8")

    def test_other_bytes_are_another_version_and_other_options(self, monkeypatch):
        other = likelihood.load_model(likelihood.PATH.read_bytes() + b"\n")
        before = Showing().provenance_options()
        monkeypatch.setattr(
            sys.modules["scholartools.tasks.generate.experiments.inputs"], "packaged_model", lambda: other
        )
        assert other.version != likelihood.packaged_model().version
        assert Showing().provenance_options() != before

    def test_what_trains_it_names_things_that_exist(self):
        """The tool needs papers that tests do without; a rename must not break it unseen."""
        written = (ROOT / "tools" / "train_leaks.py").read_text(encoding="utf-8")
        names = re.findall(r"likelihood import \(([^)]*)\)", written)[0].replace(",", " ").split()
        assert len(names) > 5 and [name for name in names if not hasattr(likelihood, name)] == []
