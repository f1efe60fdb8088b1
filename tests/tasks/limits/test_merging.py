"""Limitations that say the same are joined, and nothing is rewritten: the built-in way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import jsonl
from support.run import st as run

from scholartools import records
from scholartools.errors import UsageFault
from scholartools.tasks import limits
from scholartools.tasks.limits import merging as merge
from scholartools.text.embeddings import sentence

SMALL = "The sample is very small, and comes from a single school."
SCHOOL = "Our small sample comes from a single school."
BLIND = "Ward staff were not blinded to the treatment."
COST = "Training takes four days on eight graphics cards."


def section(text: str, id: str = "s1") -> dict:
    return {
        "id": id,
        "number": None,
        "heading": "Limitations",
        "level": 1,
        "role": "limitation",
        "pages": [],
        "text": text,
    }


def paper(*texts: str, reviews: tuple[str, ...] = ()) -> dict:
    """Each text a section of limitations, each review one of weaknesses; blank lines between them."""
    return {
        "id": "p",
        "sections": [section(text, f"s{number}") for number, text in enumerate(texts, 1)],
        "reviews": [{"id": f"r{n}", "text": f"Weaknesses:\n{text}"} for n, text in enumerate(reviews, 1)],
    }


def merged(record: dict, threshold: float = merge.THRESHOLD) -> list[dict]:
    return limits.extract(record, merging=limits.Merging(threshold))["limitations"]


def said(items: list[dict]) -> list[list[str]]:
    return [[member["text"] for member in item.get("members", [item])] for item in items]


def test_authors_and_reviewers_that_say_the_same_are_one():
    record = paper(f"{SCHOOL}\n\n{COST}", reviews=(f"{BLIND}\n\n{SMALL}",))
    apart = limits.extract(record)["limitations"]
    items = merged(record)
    assert [(item["id"], item["origin"]) for item in items] == [("l1", "both"), ("l2", "author"), ("l3", "review")]
    assert items[0] == {
        "id": "l1",
        "origin": "both",
        "mode": "explicit",
        "by": "builtin",
        "heading": "Limitations",
        "text": f"{SCHOOL} {SMALL}",
        "spans": [*apart[0]["spans"], *apart[3]["spans"]],
        "members": [apart[0], apart[3]],
    }
    assert items[1:] == [apart[1], apart[2]]


def test_several_reviewers_are_joined_and_stay_reviewers():
    items = merged(paper(reviews=(SMALL, BLIND, SCHOOL)))
    assert [(item["origin"], len(item.get("members", []))) for item in items] == [("review", 2), ("review", 0)]


@pytest.mark.parametrize("texts", [(f"{SMALL}\n\n{SCHOOL}",), ()])
def test_two_limitations_of_one_text_stay_two(texts):
    assert len(merged(paper(*texts, reviews=() if texts else (f"{SMALL}\n\n{SCHOOL}",)))) == 2


def test_but_the_same_words_are_one():
    assert said(merged(paper(f"{SMALL}\n\n{COST}\n\n{SMALL.upper()}"))) == [[SMALL, SMALL.upper()], [COST]]


def test_linkage_is_complete(monkeypatch):
    """Of a chain in which neighbours are alike and the ends are not, the nearest two are joined."""
    import numpy as np

    angles = {"a": 0.0, "b": 40.0, "c": 75.0, "d": 180.0}

    class Embedder:
        name, limit = "angles", None

        def vectors(self, texts):
            turned = np.deg2rad([angles[text[0]] for text in texts])
            return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)

    monkeypatch.setattr("scholartools.text.embeddings.sentence.embedder", lambda name=None: Embedder())
    record = paper("a is so.", reviews=("b is so.", "c is so.", "d is so."))
    assert said(merged(record, 0.7)) == [["a is so."], ["b is so.", "c is so."], ["d is so."]]
    assert said(merged(record, 0.2)) == [["a is so.", "b is so.", "c is so."], ["d is so."]]
    assert len(merged(record, -1)) == 1


def test_the_threshold_itself_is_enough():
    record = paper(SCHOOL, reviews=(SMALL,))
    texts = [item["text"] for item in limits.extract(record)["limitations"]]
    one, other = sentence.embedder(None).vectors(texts).astype(float)
    cosine = one @ other
    assert len(merged(record, round(float(cosine), 6))) == 1
    assert len(merged(record, round(float(cosine), 6) + 0.000001)) == 2


def test_threshold_and_embedder_are_signed_and_provenance_is_one_entry():
    record = paper(SCHOOL, reviews=(SMALL,))
    entries = [
        limits.extract(record, merging=way)["provenance"] for way in (None, limits.Merging(), limits.Merging(0.9))
    ]
    assert [len(entry) for entry in entries] == [1, 1, 1]
    signatures = [entry[0]["signature"] for entry in entries]
    assert len(set(signatures)) == 3
    assert "threshold" not in signatures[0] and "wordllama" not in signatures[0]
    assert "threshold=0.55" in signatures[1] and "wordllama" in signatures[1]


@pytest.mark.parametrize("record", [{"id": "p", "sections": []}, paper(SMALL)])
def test_fewer_than_two_are_left(record):
    assert merged(record) == limits.extract(record)["limitations"]


def test_a_threshold_out_of_range():
    with pytest.raises(UsageFault):
        merged(paper(SMALL), 1.5)


def test_from_the_command_line():
    record = paper(SCHOOL, reviews=(SMALL, BLIND))
    made = run("st-extract-limits", "--merge", input=jsonl(record))
    assert made.status == 0 and len(made.records[0]["limitations"]) == 2
    high = run("st-extract-limits", "--merge", "--merge-threshold", "0.99", input=made.out).records[0]
    assert [item["id"] for item in high["limitations"]] == ["l1", "l2", "l3"]
    for args in (["--merge-threshold", "0.9"], ["--embedder", "wordllama"], ["--merge", "--merge-threshold", "2"]):
        assert run("st-extract-limits", *args, input=jsonl(record)).status == 2
    assert run("st-extract-limits", input=jsonl(record), env={"ST_EMBEDDER": "wordllama"}).status == 0


TEXTS = st.lists(st.sampled_from([SMALL, SCHOOL, BLIND, COST, "x", "\U0001f600 so."]), max_size=3).map("\n\n".join)


@settings(max_examples=80)
@given(st.lists(TEXTS, max_size=2), st.lists(TEXTS, max_size=3), st.sampled_from([0.2, 0.55, 1.0]))
def test_what_holds_of_every_merger(texts, reviews, threshold):
    record = paper(*texts, reviews=tuple(reviews))
    apart = limits.extract(record)["limitations"]
    made = limits.extract(record, merging=limits.Merging(threshold))
    records.read(made, "limitations")
    sources = records.texts(record)
    for item in made["limitations"]:
        assert item["text"] == " ".join(sources[at["in"]][at["start"] : at["end"]] for at in item["spans"])
    members = [member for item in made["limitations"] for member in item.get("members", [item])]
    assert sorted(members, key=lambda item: int(item["id"][1:])) == apart
    again = limits.extract(made, merging=limits.Merging(threshold))
    assert {**made, "provenance": 0} == {**again, "provenance": 0}
