"""Drawn papers of known order: the text that is shown ends where their experiments begin, and nothing is lost unnamed."""

from __future__ import annotations

import random

import pytest
from support.drawn_cuts import BACK, BEFORE, BEHIND, EXPERIMENTS, Cut, draw
from support.latex import read

from scholartools.errors import InputFault
from scholartools.tasks.generate.experiments.first_experiment import cut_sections, first_experiment
from scholartools.tasks.generate.experiments.inputs import Showing, show_input


@pytest.mark.parametrize("seed", range(8))
def test_a_drawn_paper_is_cut_where_its_experiments_begin(seed):
    drawn = random.Random(seed)
    for _ in range(25):
        check_cut(draw(drawn))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_drawn_papers_are_cut_where_their_experiments_begin(seed):
    drawn = random.Random(seed)
    for _ in range(400):
        check_cut(draw(drawn))


def check_cut(cut: Cut) -> None:
    record = read(cut.source)
    if not cut.of(EXPERIMENTS):
        with pytest.raises(InputFault) as refused:
            first_experiment(record, [])
        assert refused.value.kind == "no-experiments", cut.source
        return
    before, rest = cut_sections(record["sections"], first_experiment(record, []))
    kept, withheld = (" ".join(one["text"] for one in some) for some in (before, rest))
    assert [one.heading for one in cut.of(BEFORE) if one.word not in kept] == [], cut.source
    assert [one.heading for one in cut.of(EXPERIMENTS, BEHIND, BACK) if one.word not in withheld] == [], cut.source
    for removal in ("precise", "wide"):
        check_shown(cut, record, show_input(record, Showing(removal=removal))["experiments_input"])


def check_shown(cut: Cut, record: dict, made: dict) -> None:
    """What is shown has nothing from the experiments on, and each section is shown or named as withheld."""
    assert [one.word for one in cut.of(EXPERIMENTS, BEHIND, BACK) if one.word in made["text"]] == [], cut.source
    named = {one["id"]: one["heading"] for one in made["sections_withheld"]}
    assert {*made["sections"], *named} == {"abstract", *(one["id"] for one in record["sections"])}, cut.source
    assert named == {one["id"]: one["heading"] for one in record["sections"] if one["id"] in named}
    # What is not named is shown, but for the sentences that are listed as removed.
    parts = {one["in"] for one in made["removed"]}
    texts = {one["id"]: one["text"] for one in record["sections"]}
    for name in made["sections"]:
        assert name in parts or name == "abstract" or texts[name] in made["text"], cut.source
