"""Matching and merging against made pairs whose truth is known: what is one paper, and what only looks like it."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scholartools.tasks.fetch.matching import folded_words, match
from scholartools.tasks.fetch.merging import merge

_HEADS = "Learning Predicting Measuring Explaining Summarizing Ranking Detecting Generating Aligning Parsing".split()
_MIDDLE = (
    "robust neural lexical causal multilingual supervised contrastive hierarchical probabilistic sparse adaptive "
    "calibrated annotated temporal structural syntactic grounded efficient deep linear"
).split()
_THINGS = (
    "representations citations summaries arguments equations limitations reviews claims embeddings transformers graphs "
    "dialogues benchmarks corpora hypotheses explanations networks proofs translations ontologies"
).split()
_ENDS = "documents papers reviewers scientists laboratories communities languages experiments readers archives".split()
_NAMES = "Müller Okafor García Li O'Brien Šimić Haddad Nguyen Kowalski Ferreira Tanaka Øster".split()


def papers(n: int, seed: int) -> list[dict]:
    """Works with titles that differ in one word or more, as titles of a field do."""
    draw = random.Random(seed)
    made: dict[str, dict] = {}
    while len(made) < n:
        middle, things, end = draw.sample(_MIDDLE, 2), draw.sample(_THINGS, 2), draw.choice(_ENDS)
        title = f"{draw.choice(_HEADS)} {middle[0]} {things[0]} from {middle[1]} {things[1]} in {draw.randrange(2, 99)} {end}"
        names = [f"{draw.choice('ABCDEF')}. {name}" for name in draw.sample(_NAMES, 3)]
        number = len(made)
        ids = {"doi": f"10.5555/p.{number}"}
        made[title] = {"id": f"p{number}", "title": title, "authors": names, "year": draw.randrange(2010, 2025), "ids": ids}  # fmt: skip
    return list(made.values())


def as_printed(one: dict, draw: random.Random) -> dict:
    """A reference to a work, as bibliographies print it."""
    title = draw.choice([str.upper, str.lower, str, str.title])(one["title"])
    title = draw.choice([
        lambda text: text, lambda text: text.replace(" ", "  ", 2) + ".", lambda text: "{" + text[:5] + "}" + text[5:],
        lambda text: text.replace(" from", ": from"), lambda text: text.replace("multilingual", "multi-lingual"),
        lambda text: f"<i>{text}</i>",
    ])(title)  # fmt: skip
    first, *rest = one["authors"]
    given, _, family = first.partition(" ")
    first = draw.choice([first, f"{family}, {given}", f"{family.upper()}, {given}"])
    year = one["year"] + draw.choice([0, 0, 0, 1])
    return {
        "title": title,
        "authors": [first, *rest],
        "year": year,
        **({} if draw.random() < 0.9 else {"authors": None}),
    }


LOOK_ALIKES = {
    "part two": lambda title: f"{title} II", "erratum": lambda title: f"Erratum: {title}",
    "reply": lambda title: f"Reply to: {title}", "supplement": lambda title: f"Supplementary material for {title}",
    "extended": lambda title: f"{title} (Extended Abstract)", "cut": lambda title: title.rpartition(" from ")[0],
    "without": lambda title: title.replace(" from ", " without "), "negated": lambda title: title.replace(" in ", " not in "),
    "swapped": lambda title: swapped(title), "no longer": lambda title: f"No {title}", "survey": lambda title: f"{title}: A Survey",
}  # fmt: skip


def swapped(title: str) -> str:
    """The two things of a title in the other order."""
    words = title.split()
    words[2], words[5] = words[5], words[2]
    return " ".join(words)


WORKS = papers(160, 0)


@pytest.mark.slow
def test_printed_references_are_matched_and_nothing_else():
    draw = random.Random(1)
    wanted = [(number, as_printed(WORKS[number], draw)) for number in range(120)]
    right = wrong = 0
    for number, one in wanted:
        found = match(one, WORKS)
        right += found.best == number
        wrong += found.best not in (None, number)
    assert wrong == 0 and right / len(wanted) >= 0.97, (right, wrong)
    absent = [match(one, [other for place, other in enumerate(WORKS) if place != number]) for number, one in wanted]
    absent += [match(one, WORKS) for one in papers(460, 7)[160:]]
    assert [one for one in absent if one.best is not None] == [] and len(absent) >= 400
    assert all(one.why for one in absent)


@pytest.mark.parametrize("kind", LOOK_ALIKES)
def test_what_looks_alike_is_another_paper(kind):
    for one in WORKS[:60]:
        other = {**one, "title": LOOK_ALIKES[kind](one["title"]), "ids": {}}
        assert match(other, [one]).best is None and match(one, [other]).best is None, other["title"]


PREFIXES = ("un", "in", "non", "dis", "sub", "super", "anti", "pre", "multi", "semi")


@settings(max_examples=60)
@given(st.integers(0, len(WORKS) - 1), st.data())
def test_a_changed_digit_numeral_or_negation_is_never_accepted(number, data):
    one = WORKS[number]
    words = one["title"].split()
    place = data.draw(st.integers(1, len(words) - 1))
    change = data.draw(st.sampled_from(["digit", "prefix", "not", "drop", "numeral", "other"]))
    if change == "digit":
        place = next(at for at, word in enumerate(words) if word.isdigit())
        words[place] = data.draw(st.sampled_from([str(int(words[place]) + 1), words[place] + "0", "1" + words[place]]))
    elif change == "prefix":
        words[2] = data.draw(st.sampled_from(PREFIXES)) + words[2]
    elif change == "not":
        words.insert(place, data.draw(st.sampled_from(["not", "without", "no", "never"])))
    elif change == "drop":
        gone = words.pop(place)
        if gone in ("in",):
            return
    elif change == "numeral":
        words.append(data.draw(st.sampled_from(["2", "II", "iv", "3D"])))
    else:
        words[2] = data.draw(st.sampled_from([word for word in _THINGS if word not in words]))
    assert match({**one, "title": " ".join(words), "ids": {}}, [one]).best is None, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Learning from Speech to Text with Long Recurrent Models", "Learning from Text to Speech with Long Recurrent Models"),
        ("Translation from English of Long Scholarly Documents", "Translation to English of Long Scholarly Documents"),
        ("Causal Inference for Ranking of Scholarly Articles", "Casual Inference for Ranking of Scholarly Articles"),
        ("Inter-Document Similarity of Long Scholarly Papers", "Intra-Document Similarity of Long Scholarly Papers"),
        ("Do models reason about increases in long papers?", "Do models reason about decreases in long papers?"),
        ("The Multi-model View of Long Scholarly Documents", "The Multi-modal View of Long Scholarly Documents"),
    ],
)  # fmt: skip
def test_titles_that_differ_in_what_matters(one, other):
    about = {"authors": ["Ada Author"], "year": 2020}
    assert match({"title": one, **about}, [{"title": other, **about}]).best is None


def test_spellings_of_one_title():
    about = {"authors": ["Ada Author"], "year": 2020}
    for one, other in [
        ("State-of-the-art pre-training of models", "State of the Art Pretraining of Models"),
        ("On $\\alpha$-Stable Distributions of Words", "On alpha-stable distributions of words"),
        ("Erd\\H{o}s numbers of {NLP} authors", "Erdős Numbers of NLP Authors"),
        ("BERT’s view of naïve readers", "BERT's View of Naive Readers"),
    ]:
        assert match({"title": one, **about}, [{"title": other, **about}]).best == 0, (
            folded_words(one),
            folded_words(other),
        )


def test_two_papers_with_one_title_are_told_apart_or_left_undecided():
    title = "A Survey of Large Language Models for Science"
    one = {"title": title, "authors": ["Ada Zhang"], "year": 2023, "ids": {"arxiv": "2301.00001"}}
    two = {"title": title, "authors": ["Bo Writer"], "year": 2024, "ids": {"arxiv": "2401.00001"}}
    assert match({"title": title, "authors": ["Zhang, A."]}, [two, one]).best == 1
    assert match({"title": title}, [one, two]).why == "tie"
    copy = {**one, "ids": {**one["ids"], "doi": "10.5555/x"}}
    assert match({"title": title}, [one, copy]).best == 0, "copies of one work are no tie"
    assert match({"title": "Introduction", "authors": ["Ada Zhang"]}, [{**one, "title": "Introduction"}]).why == "short"
    assert match({"title": title, "year": 2012, "authors": one["authors"]}, [one]).why == "year"
    assert match({**one, "ids": {"arxiv": "2301.00009"}}, [one]).why == "id-conflict"
    assert match({"title": None}, [one]).why == "none"


def paper(name, title="On the Merging of Records", year=2023, authors=("Ada Author", "Bo Writer"), **more):
    return {"id": name, "title": title, "year": year, "authors": list(authors), "ids": {}, **more}


V1 = paper("2301.00001", arxiv="2301.00001v1", ids={"arxiv": "2301.00001"}, type="preprint", abstract="Old words.",
           versions=[{"id": "2301.00001v1", "date": None, "at": "arxiv"}], fetched=[{"source": "arxiv", "date": "2024-01-01"}])  # fmt: skip
V2 = {**V1, "title": "ON THE MERGING OF RECORDS", "abstract": "New words.", "versions": [{"id": "2301.00001v2", "date": None, "at": "arxiv"}]}  # fmt: skip
PUBLISHED = paper("10.5555_x", "On the merging of records", 2024, doi="10.5555/x", ids={"doi": "10.5555/x"}, venue="Journal", abstract=None, type="article")  # fmt: skip
RETITLED = paper("10.5555_y", "Merging Records, Revisited", 2024, doi="10.5555/y", ids={"doi": "10.5555/y"}, venue="Journal", type="article")  # fmt: skip

CASES = {
    "other title case": ([V1, PUBLISHED], [{0, 1}]),
    "v1 and v2": ([V1, V2], [{0, 1}]),
    "preprint DOI and publisher's": ([{**V1, "ids": {"doi": "10.48550/arxiv.2301.00001"}}, PUBLISHED], [{0, 1}]),
    "another title, no link": ([V1, RETITLED], [{0}, {1}]),
    "another title, a link": ([V1, {**RETITLED, "title": "On Merging Records", "ids": {**RETITLED["ids"], "arxiv": "2301.00001"}}], [{0, 1}]),
    "erratum": ([PUBLISHED, paper("e", "Erratum: On the merging of records", doi="10.5555/e")], [{0}, {1}]),
    "one title, other people": ([PUBLISHED, paper("o", authors=("Cy Other", "Di Else"), doi="10.5555/o")], [{0}, {1}]),
    "three copies": ([V1, PUBLISHED, V2], [{0, 1, 2}]),
    "part two": ([PUBLISHED, paper("2", "On the merging of records II")], [{0}, {1}]),
    "not of this decade": ([PUBLISHED, paper("old", year=1999)], [{0}, {1}]),
    "two DOIs": ([PUBLISHED, paper("z", doi="10.5555/z")], [{0}, {1}]),
    "two DOIs and one without": ([PUBLISHED, paper("z", doi="10.5555/z"), paper("n")], [{0}, {1}, {2}]),
    "two forums": ([paper("f1", ids={"openreview": "forumA"}), paper("f2", ids={"openreview": "forumB"})], [{0}, {1}]),
    "no author": ([PUBLISHED, paper("n", authors=())], [{0}, {1}]),
    "authors in another order": ([PUBLISHED, paper("n", authors=("Bo Writer", "Ada Author"))], [{0}, {1}]),
    "one DOI, two titles": ([PUBLISHED, paper("w", "Nothing of the sort at all", doi="10.5555/x")], [{0}, {1}]),
    "related to two papers": ([{**V1, "related_to": "a"}, {**V1, "related_to": "b"}], [{0}, {1}]),
}  # fmt: skip
# Those that may be one for all that is known: they are told. The others are two for sure.
UNDECIDED = {"not of this decade", "two DOIs", "two DOIs and one without", "two forums", "no author", "authors in another order", "one DOI, two titles"}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_records_of_one_paper_are_one(name):
    records, groups = CASES[name]
    for order in (list(range(len(records))), list(range(len(records)))[::-1]):
        made, problems = merge([records[place] for place in order])
        assert len(made) == len(groups), [one["id"] for one in made]
        assert bool(problems) == (name in UNDECIDED)
        assert all(bool(one.get("same_as")) == (len(groups) < len(records) and len({r["id"] for r in records}) > 1 or name in UNDECIDED) for one in made)  # fmt: skip


def test_a_merged_record_says_where_each_part_is_from():
    [made], _ = merge([V1, PUBLISHED, V2])
    assert (made["title"], made["venue"], made["year"], made["doi"]) == ("On the merging of records", "Journal", 2024, "10.5555/x")  # fmt: skip
    assert made["id"] == "2301.00001" and made["abstract"] == "Old words." and made["same_as"] == ["10.5555_x"]
    assert made["ids"] == {"doi": "10.5555/x", "arxiv": "2301.00001"}
    assert [one["id"] for one in made["versions"]] == ["2301.00001v1", "2301.00001v2"] and made["type"] == "article"
    withdrawn = {**V2, "status": {"withdrawn": True, "by": "arxiv"}}
    [made], _ = merge([V1, {**PUBLISHED, "status": {"retracted": True, "by": "openalex"}}, withdrawn])
    assert made["status"]["withdrawn"] and made["status"]["retracted"]
    again, problems = merge([made])
    assert again == [made] and not problems


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_merging_never_joins_two_works_nor_loses_one(seed):
    """Copies of works whose truth is known: each group holds copies of one work, whatever their order."""
    draw = random.Random(seed)
    records = []
    for one in papers(12, seed % 50):
        copies = [{**one, "truth": one["id"]}]
        if draw.random() < 0.7:
            copies.append({**as_printed(one, draw), "id": f"{one['id']}-b", "ids": {}, "truth": one["id"]})
        if draw.random() < 0.5:
            copies.append(
                {"id": f"{one['id']}-c", "title": one["title"].upper(), "ids": one["ids"], "truth": one["id"]}
            )
        records += copies
    draw.shuffle(records)
    made, _ = merge([{**record, "all": [record["truth"]]} for record in records])
    where = {one["id"]: one["truth"] for one in records}
    for one in made:
        assert {where[name] for name in (one["id"], *one.get("same_as", ()))} == {one["truth"]}
    assert {one["truth"] for one in made} == {one["truth"] for one in records}
