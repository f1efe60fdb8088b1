r"""Names that BibTeX and biblatex mark are taken as marked: particles, suffixes, groups, single names, accents."""

from __future__ import annotations

import random

import pytest
from support.latex import body

GIVEN = ("Ann", "Jean-Pierre", "J. A.", "R.", "A.-M.", "José", "Ursula K.", "J.R.R.", "Wei")
# Family names in LaTeX, and as they are read.
FAMILIES = {
    "Smith": "Smith", "Ng": "Ng", "Smith-Jones": "Smith-Jones", "García Márquez": "García Márquez", "X": "X",
    "Garc{\\'i}a": "García", 'M{\\"u}ller': "Müller", "{\\O}rsted": "Ørsted", "\\'{E}tienne": "Étienne",
}  # fmt: skip
PARTICLES, SUFFIXES = ("van", "von der", "de la", "van 't", "ter"), ("Jr.", "III", "Sr.")
ALONE = ("{World Health Organization}", "{The ATLAS Collaboration}", "{Smith and Sons, Inc.}", "Plato", "{R Core Team}")


def draw(chance: random.Random) -> tuple[str, str]:
    """A name in BibTeX, and as it is read."""
    if chance.random() < 0.2:
        alone = chance.choice(ALONE)
        return alone, alone.strip("{}")
    given, family = chance.choice(GIVEN), chance.choice(list(FAMILIES))
    particle = chance.choice(PARTICLES) if chance.random() < 0.3 else ""
    suffix = chance.choice(SUFFIXES) if chance.random() < 0.15 else ""
    read_as = " ".join(filter(None, (given, particle, FAMILIES[family], suffix)))
    marked = f"{particle} {family}".strip()
    if suffix or " " in family or chance.random() < 0.5:
        return ", ".join(filter(None, (marked, suffix, given))), read_as
    return f"{given} {marked}", read_as


@pytest.mark.parametrize("seeds", [range(15), pytest.param(range(1_000, 1_200), marks=pytest.mark.slow)])
def test_names_of_bibtex_are_taken_as_marked(seeds: range) -> None:
    for seed in seeds:
        chance, entries, wanted = random.Random(seed), [], {}
        for number in range(6):
            people = [draw(chance) for _ in range(chance.choice([1, 2, 3, 5]))]
            names = chance.choice([" and ", "\n  AND ", "\tand\n"]).join(one for one, _ in people)
            others = " and others" * (chance.random() < 0.1)
            entries.append(f"@misc{{k{number}, author = {{{names}{others}}}, title = {{On bees}}, year = 2019}}\n")
            wanted[f"k{number}"] = [one for _, one in people]
        record = body(r"We see.\nocite{*}\bibliography{own}", own_bib="".join(entries))
        found = {one["key"]: [name.replace("’", "'") for name in one["authors"] or ()] for one in record["references"]}
        assert found == wanted, seed


def test_names_of_biblatex_have_their_particles_and_suffixes() -> None:
    name = "\\name{%s}{1}{}{%%\n  {{hash=a}{%%\n  family={Berg},\n  given={Ann},\n  prefix={van der},\n  suffix={Jr.}}}%%\n}\n"
    entry = "\\entry{%s}{article}{}\n%s\\field{title}{On bees}\n\\field{year}{2019}\n\\endentry\n"
    bbl = entry % ("one", name % "author") + entry % ("two", name % "editor")
    record = body(r"We see \cite{one,two}.", main_bbl=bbl)
    assert [one["authors"] for one in record["references"]][0] == ["Ann van der Berg Jr."]
    assert record["references"][1]["text"].startswith("Ann van der Berg Jr.")


def test_a_particle_stays_in_the_name_of_a_citation() -> None:
    bib = "@misc{k, author = {Ludwig van der Berg and Eve Roe}, title = {On bees}, year = 2019}"
    text = r"As \citet{k} say.\bibliographystyle{plainnat}\bibliography{own}"
    record = body(text, r"\usepackage{natbib}", own_bib=bib)
    assert record["sections"][0]["text"] == "As van der Berg and Roe (2019) say."


def test_a_list_with_commas_between_the_people_is_not_taken_as_marked() -> None:
    bib = "@misc{k, author = {Ann Smith, Bob Miller, Eva Braun}, title = {On bees and how they are}, year = 2019}"
    record = body(r"We see.\nocite{*}\bibliography{own}", own_bib=bib)
    assert record["references"][0]["authors"] != ["Eva Braun Ann Smith Bob Miller"]
