"""A paper is known again by any of its names, so that nothing is drawn from its own preprint."""

from __future__ import annotations

import random

import pytest
from support.run import jsonl
from support.run import st as command
from support.web_server import serving

from scholartools.errors import UsageFault
from scholartools.tasks.claims.related import open_corpus
from scholartools.tasks.fetch.matching import equal_titles
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


def identity_of_titles(one: str, other: str) -> bool:
    return bool(identifiers({"title": one}) & identifiers({"title": other}))


def test_every_name_is_enough():
    assert all(identifiers(PAPER) & identifiers(one) for one in SAME)
    assert not any(identifiers(PAPER) & identifiers(one) for one in OTHER)


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [("math.GT/0309136", "math/0309136v2", True), ("math.GT_0309136", "10.48550/arXiv.math/0309136", True),
     ("https://arxiv.org/pdf/2101.00001v1.pdf", "2101.00001", True), ("http://export.arxiv.org/abs/HEP-th/9403226v1", "hep-th_9403226", True),
     ("https://arxiv.org/pdf/math/0309136.pdf", "arXiv:math.gt/0309136", True), ("chao-dyn/9301001v1", "chao-dyn_9301001v2", True),
     ("report_1234567v1", "report_1234567v2", False), ("cs_1234567v1", "cs_1234567v2", False), ("cs/0309136", "math/0309136", False),
     ("notes/0309136v1", "notes/0309136v2", False)],
)  # fmt: skip
def test_a_number_of_arxiv_in_its_spellings_and_what_only_looks_like_one(one, other, is_one):
    from scholartools.readers.reviews.reader import _base_id

    assert bool(identifiers({"id": one}) & identifiers({"id": other})) is is_one
    assert (_base_id(one) == _base_id(other)) is is_one, "reviews are joined by the same rule"


@pytest.mark.parametrize("same", [identity_of_titles, equal_titles])
def test_titles_that_compare_are_not_one_for_what_stands_between(same):
    assert same("Sums of n<m and k>2 terms", "Sums of n<p or q>2 terms") is False
    assert same("H<sub>2</sub>O and <i>its</i> <b>bees</b>", "H2O and its bees") is True


@pytest.mark.parametrize("value", [2, 3.5, "p1", {"id": "p1"}, [7, None], True])
@pytest.mark.parametrize("key", ["versions", "same_as", "source"])
def test_a_key_of_the_users_own_is_no_name(key, value):
    assert identifiers({"id": "x", key: value}) == identifiers({"id": "x"})


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


def test_a_paper_of_two_ids_is_in_a_corpus_once(tmp_path):
    paper = {"id": "c1", "title": "Owls", "abstract": "Owls eat moles.", "related_to": "p1"}
    again = {**paper, "id": " c1", "related_to": "p2"}
    others = [{**paper, "id": "c2", "title": "Mice"}, {**paper, "id": "c3", "abstract": "Owls eat mice."}]
    path = tmp_path / "c.jsonl"
    path.write_bytes(jsonl(paper, again, *others))
    corpus = open_passages((str(path),), 100, None, None)
    assert [one.id for one in corpus.papers] == ["c1", "c2", "c3"]
    assert [len(corpus.candidates({"id": name}, ())) for name in ("p1", "p2", "p3", " c1")] == [3, 1, 0, 0]
    path.write_bytes(jsonl(paper, again, {**again, "abstract": "Another text."}))
    with pytest.raises(UsageFault, match='another paper has the id " c1" too'):
        open_passages((str(path),), 100, None, None)


def pairs_of_known_truth(seed: int, n: int) -> tuple[list[dict], list[dict]]:
    """Published papers, and records that are their own preprints (related to them), beside look-alikes that are not."""
    draw = random.Random(seed)
    papers, records = [], []
    for number in range(n):
        title = draw.choice(("On Bees", "Größe & Café: Pre-Training", "A <i>Note</i> on $k$-Means")) + f" {number}"
        doi, arxiv, forum = f"10.5555/Bee.{number}", f"24{number % 12 + 1:02d}.{number:05d}", f"Forum{number:05d}x"
        paper = draw.choice((
            {"id": f"W{90_000 + number}", "title": title, "ids": {"doi": doi, "arxiv": arxiv}}, {"id": arxiv, "title": title},
            {"id": doi.lower().replace("/", "_"), "title": title, "same_as": [arxiv]},
            {"id": "own", "title": title, "doi": doi, "versions": [{"id": f"{arxiv}v1", "date": None, "at": "arxiv"}]},
            {"id": forum, "title": title, "ids": {"openreview": forum}, "arxiv": f"arXiv:{arxiv}v2"},
        ))  # fmt: skip
        renamed = {"title": f"An Earlier Name {number}"}  # preprints have other titles: then an id links them
        preprint = draw.choice((
            {**renamed, "ids": {"arxiv": f"{arxiv}v1"}}, {**renamed, "doi": f"10.48550/arXiv.{arxiv}"},
            {**renamed, "id": f"{arxiv}v3"}, {**renamed, "id": f"10.48550_arxiv.{arxiv}"}, {**renamed, "same_as": [arxiv]},
            {"title": title.upper().replace("-", " ").replace("É", "E")}, {"title": title.replace("<i>", "").replace("</i>", "")},
            {**renamed, "versions": [{"id": f"{arxiv}v1"}, {"id": f"{arxiv}v2"}]},
        ))  # fmt: skip
        other = draw.choice((
            {"title": f"{title} II"}, {"title": f"{title}1"}, {"ids": {"arxiv": f"{arxiv[:-1]}{(int(arxiv[-1]) + 1) % 10}7"[:11]}},
            {"doi": f"{doi}.s1"}, {"id": f"{arxiv}7" if len(arxiv) < 10 else f"{forum}y"}, {"same_as": [f"{doi}_2"]},
        ))  # fmt: skip
        papers.append({**paper, "key": number})
        related = {
            "relation": "cited-in",
            "related_to": paper["id"],
            "abstract": f"Hedges feed bees, says number {number}.",
        }
        records += [{"id": f"own{number}", **preprint, **related, "is_own": True}, {"id": f"other{number}", "title": f"T{number}", **other, **related}]  # fmt: skip
    return papers, records


@pytest.mark.parametrize("seed", range(5))
def test_no_preprint_of_the_paper_is_drawn_and_nothing_else_is_left_out(tmp_path, seed):
    papers, records = pairs_of_known_truth(seed, 60)
    path = tmp_path / "c.jsonl"
    path.write_bytes(jsonl(*records))
    passages = open_passages((str(path),), 100, None, None)
    for number, paper in enumerate(papers):
        own, other = records[2 * number], records[2 * number + 1]
        drawn = {passages.papers[passages.owners[place]].id for place in passages.candidates(paper, ["cited-in"])}
        assert own["id"] not in drawn, (paper, own)
        assert other["id"] in drawn, (paper, other)


def test_what_three_actions_fetch_is_a_corpus_without_the_papers_own_preprint(tmp_path):
    """From the services to both commands that take a corpus; what the list says cites the paper is its own preprint, too."""
    with serving() as web:
        home = {"XDG_CACHE_HOME": str(tmp_path / "home"), "ST_FETCH_BASE": web.base, "ST_FETCH_PACE": "0.001"}
        seeds = command("st-fetch", "papers", "W90008", "--source", "openalex", env=home).records
        actions = ("references", "citations", "similar")
        lists = [
            command("st-fetch", name, "--source", "openalex", env=home, input=jsonl(*seeds)).records for name in actions
        ]
    preprint = {**lists[0][0], "id": "2401.99999", "ids": {"doi": "10.5555/other"}, "title": "An Earlier Name", "same_as": ["10.5555_WORK.8"]}  # fmt: skip
    found = [one for some in lists for one in some] + [{**preprint, "abstract": "The earlier words of the very paper."}]
    assert {one["relation"] for one in found} == {"cited-in", "cited-by", "similar"}
    for one in found:  # without any, there would be nothing to copy
        one["limitations"] = [{"text": f"We study few cousins in {one['id']}."}]
    (tmp_path / "c.jsonl").write_bytes(jsonl(*found))
    paper = {**seeds[0], "limitations": [], "weaknesses": [], "sections": [{"id": "s1", "heading": "Introduction", "level": 1, "role": "introduction", "text": "We study the number 8 as Author9 (2009) did. It has cousins."}]}  # fmt: skip
    made = command(
        "st-generate",
        "limitations",
        "--corpus",
        str(tmp_path / "c.jsonl"),
        "--relation",
        "cited-in",
        input=jsonl(paper),
    )
    assert made.status == 0, made.err
    assert "2401.99999" not in made.out.decode() and "earlier words" not in made.out.decode()
    assert "We study few cousins in W9" in made.out.decode()
    checked = command(
        "st-claims",
        "verify",
        "--corpus",
        str(tmp_path / "c.jsonl"),
        "--model",
        "openai/x",
        "--dry-run",
        input=jsonl(paper),
    )
    assert checked.status == 0 and "another paper" not in checked.err, checked.err
    cited = open_corpus((str(tmp_path / "c.jsonl"),)).find_cited(paper, ["as Author9 (2009) did"])
    assert [one["id"] for one in cited.papers] == ["W90009"]
    passages = open_passages((str(tmp_path / "c.jsonl"),), 100, None, None)
    drawn = {passages.papers[passages.owners[place]].id for place in passages.candidates(paper, ["cited-in"])}
    assert drawn and "2401.99999" not in drawn and drawn <= {one["id"] for one in lists[0]}
