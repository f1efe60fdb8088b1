"""A paper is known again by any of its names, so that nothing is drawn from its own preprint."""

from __future__ import annotations

import pytest
from support.run import jsonl

from scholartools.errors import UsageFault
from scholartools.tasks.claims.related import open_corpus
from scholartools.tasks.generate.corpus import open_corpus as open_passages
from scholartools.tasks.shared.identity import identifiers

PAPER = {"id": "p1", "title": "On Bees & Hedges", "doi": "10.5555/A.1", "arxiv": "2401.00001"}
SAME = [
    {"id": "p1"}, {"id": "x", "title": "on bees  hedges"}, {"id": "x", "doi": "10.5555/a.1"}, {"id": "x", "arxiv": "2401.00001"},
    {"id": "x", "arxiv": "arXiv:2401.00001v3"}, {"id": "x", "doi": "10.48550/arXiv.2401.00001"},
    {"id": "x", "ids": {"arxiv": "2401.00001v2"}}, {"id": "x", "ids": {"doi": "10.5555/a.1", "openalex": "W1"}},
]  # fmt: skip
OTHER = [
    {"id": "p2"}, {"id": "x", "title": "On Bees, Hedges and More"}, {"id": "x", "doi": "10.5555/a.2"}, {"id": "x", "ids": None},
    {"id": "x", "arxiv": "2401.00002"}, {"id": "x", "doi": "10.48550/arXiv.2401.00012"}, {"title": ""}, {"id": "x", "doi": 7},
]  # fmt: skip


def test_every_name_is_enough():
    assert all(identifiers(PAPER) & identifiers(one) for one in SAME)
    assert not any(identifiers(PAPER) & identifiers(one) for one in OTHER)


def test_no_corpus_draws_on_the_paper_itself(tmp_path):
    text = {"abstract": "Hedges feed bees, and farms with hedges have more of them than farms without."}
    corpus = tmp_path / "c.jsonl"
    corpus.write_bytes(jsonl(*({**one, **text, "id": f"c{place}"} for place, one in enumerate(SAME[1:] + OTHER[1:6]))))
    passages = open_passages((str(corpus),), 100, None, None)
    drawn = {passages.papers[passages.owners[place]].id for place in passages.candidates(PAPER, ())}
    assert drawn == {f"c{place}" for place in range(len(SAME) - 1, len(SAME) + 4)}


def test_a_paper_related_twice_is_one_in_both_corpora(tmp_path):
    text = {"id": "c1", "title": "Owls", "authors": ["A Mole"], "year": 2020, "abstract": "Owls eat moles."}
    twice = [
        {**text, "related_to": "p1", "relation": "similar"},
        {**text, "related_to": ["p2"], "relation": "cited-in"},
    ]
    path = tmp_path / "c.jsonl"
    path.write_bytes(jsonl(*twice))
    cited = [
        open_corpus((str(path),)).find_cited({"id": name}, ["as Mole (2020) shows"]) for name in ("p1", "p2", "p3")
    ]
    assert [[paper["id"] for paper in one.papers] for one in cited] == [["c1"], ["c1"], []]
    assert len(open_passages((str(path),), 100, None, None).papers) == 1
    path.write_bytes(jsonl(twice[0], {**twice[1], "abstract": "Another text."}))
    with pytest.raises(UsageFault, match="another paper"):
        open_corpus((str(path),))
