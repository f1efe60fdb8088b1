"""How likely a sentence states a limitation: what it holds, the file of weights, and what is taken by them."""

from __future__ import annotations

import re
import sys

import pytest
from support.limits import section
from support.run import ROOT

from scholartools.signature import fingerprint
from scholartools.tasks import limits
from scholartools.tasks.limits import likelihood

LIKELY = "However, we assumed that larks sing equally often on all days, and the counts may be not exact at all."
UNLIKELY = "The songs of larks that had heard a tutor were longer than the songs of larks that had been raised alone."


def names(sentence: str) -> set[str]:
    return {feature.name for feature in likelihood.sentence_features(sentence)}


@pytest.mark.parametrize(
    ("sentence", "held", "not_held"),
    [
        ("We can't tell.", {"we can", "can not", "^<own>", "<own> <not>", "<able> <not>"}, {"t", "<not> <own>"}),
        ("Cats slept 12.5 h [3].", {"slept 0", "h cite", "<others>"}, {"12.5", "3"}),
        ("As said (Lee 2010), it fails.", {"said cite", "cite ,", "<fail>"}, {"lee", "2010"}),
        ("It is, as far as I can see, by no means only so.", {"<this>", "^<did>"}, {"^<only>", "<this> <only>"}),
        ("", set(), {""}),
    ],
)
def test_what_a_sentence_holds(sentence, held, not_held):
    assert held <= names(sentence)
    assert not not_held & names(sentence)


def test_a_feature_is_where_its_words_stand():
    sentence = "Alas, we didn't ask."
    assert {
        sentence[one.start : one.end] for one in likelihood.sentence_features(sentence) if one.name == "we did"
    } == {"we did"}
    assert all(sentence[one.start : one.end].strip() for one in likelihood.sentence_features(sentence))


def test_the_log_odds_are_the_sum_of_the_weights_of_what_is_held_once_each():
    model = likelihood.packaged_model()
    assert likelihood.limitation_log_odds("") == model.bias
    assert likelihood.limitation_log_odds("not not not") == model.bias + sum(
        model.weights.get(name, 0) for name in ("not", "not not", "<not>", "^<not>")
    )


def test_a_likely_sentence_is_taken_without_a_rule_and_tells_its_words():
    record = {"id": "p", "sections": [section(f"{LIKELY} {UNLIKELY}", "Counts", "discussion")]}
    (item,) = limits.extract(record)["limitations"]
    assert (item["text"], item["mode"]) == (LIKELY, "implicit")
    assert item["cue"] == likelihood.telling_words(LIKELY)
    assert item["cue"] in LIKELY
    assert limits.extract(record, keywords=["larks"])["limitations"][0]["cue"] == "larks"
    assert limits.extract(record, reach="section")["limitations"] == []


def test_outside_a_discussion_a_likely_sentence_needs_a_rule():
    assert limits.extract({"id": "p", "sections": [section(LIKELY, "Counts", "method")]})["limitations"] == []


class TestFile:
    def test_it_was_trained_with_the_kinds_of_today(self):
        written = likelihood.PATH.read_text(encoding="utf-8")
        assert f'"kinds": "{fingerprint(likelihood.KINDS)}"' in written
        assert "MIT" in written

    def test_every_weight_is_of_something_that_a_sentence_can_hold(self):
        kinds = {part for name in likelihood.packaged_model().weights for part in re.findall(r"<(\w+)>", name)}
        assert kinds == set(likelihood.KINDS)
        assert likelihood.PATH.stat().st_size < 200_000

    def test_other_bytes_are_another_version_and_another_signature(self, monkeypatch):
        record = {"id": "p", "sections": [section(LIKELY)]}
        before = limits.extract(record)["provenance"][-1]["signature"]
        other = likelihood.load_model(likelihood.PATH.read_bytes() + b"\n")
        assert other.version != likelihood.packaged_model().version
        monkeypatch.setattr(sys.modules["scholartools.tasks.limits.extract"], "packaged_model", lambda: other)
        assert limits.extract(record)["provenance"][-1]["signature"] != before

    def test_what_trains_it_names_things_that_exist(self):
        """The tool needs papers that tests do without; a rename must not break it unseen."""
        written = (ROOT / "tools" / "train_limits.py").read_text(encoding="utf-8")
        used = set(re.findall(r"\blikelihood\.(\w+)", written)) - {"py"}
        assert len(used) > 2
        assert [name for name in used if not hasattr(likelihood, name)] == []
