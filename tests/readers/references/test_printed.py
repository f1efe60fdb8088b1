"""References printed in many styles from works that are made up, so that their titles and authors are known."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import pytest

from scholartools.readers.references import tagger
from scholartools.readers.references.entries import parse_entries

GIVEN = "Ada Grace Donald Barbara Tomás Jürgen Noor Ingrid Paul Emmy Sofia Pierre Lars Chiara Ewa".split()
FAMILY = "Lovelace Hopper Knuth Liskov Vogel Müller Haddad Bergman Dupont Nöther Rossi Weber Nowak Silva Okafor".split()
TITLES = (
    "The spread of rumours in small towns", "Estimating wages under imperfect information: evidence from mines",
    "Memory and attention in older readers", "Zur Theorie der sozialen Ungleichheit",
    "Households, markets, and the state in early modern Europe", "Fast sorting on slow machines",
    "A randomised trial of walking after surgery", "Politische Bildung in der Schule",
    "On the stability of thin films", "Bayesian methods for sparse counts", "Migração e trabalho no Brasil rural",
    "What do teachers know about dyslexia?", "Growth and decline of a mining district, 1890–1914",
)  # fmt: skip
JOURNALS = (
    ("Journal of Rural Studies", "J. Rural Stud."), ("American Review of Sociology", "Am. Rev. Sociol."),
    ("Annals of Statistics", "Ann. Stat."), ("Zeitschrift für Pädagogik", "Z. Pädagog."),
    ("Physics of Fluids", "Phys. Fluids"), ("The Economic Quarterly", "Econ. Q."),
)  # fmt: skip


class Work(NamedTuple):
    people: list[tuple[str, str]]
    title: str
    journal: tuple[str, str]
    year: int
    volume: int
    page: int


def first(work: Work, sep: str = ", ", last: str = " and ") -> str:
    return _joined([f"{given[0]}. {family}" for given, family in work.people], sep, last)


def full(work: Work, sep: str = ", ", last: str = ", and ") -> str:
    return _joined([f"{given} {family}" for given, family in work.people], sep, last)


def turned(work: Work, sep: str = ", ", last: str = ", & ", *, dot: str = ".", comma: str = ",") -> str:
    return _joined([f"{family}{comma} {given[0]}{dot}" for given, family in work.people], sep, last)


def whole(work: Work, sep: str = "; ", last: str = "; ") -> str:
    return _joined([f"{family}, {given}" for given, family in work.people], sep, last)


def _joined(names: list[str], sep: str, last: str) -> str:
    last = " and " if last == ", and " and len(names) == 2 else last
    return last.join([sep.join(names[:-1]), names[-1]]) if names[1:] else names[0]


def pages(work: Work) -> str:
    return f"{work.page}–{work.page + 12}"


#: How styles print an article: a title and names, or None for the title where the style prints none.
STYLES: dict[str, Callable[[Work], str]] = {
    "apa": lambda w: f"{turned(w)} ({w.year}). {w.title}. {w.journal[0]}, {w.volume}(2), {pages(w)}.",
    "ieee": lambda w: f"[4] {first(w)}, “{w.title},” {w.journal[1]}, vol. {w.volume}, no. 2, pp. {pages(w)}, {w.year}.",
    "vancouver": lambda w: (
        f"7. {turned(w, last=', ', dot='', comma='')}. {w.title}. {w.journal[1]} {w.year};{w.volume}(2):{pages(w)}."
    ),
    "plain": lambda w: f"{full(w)}. {w.title}. {w.journal[0]}, {w.volume}(2):{pages(w)}, {w.year}.",
    "acl": lambda w: f"{full(w)}. {w.year}. {w.title}. {w.journal[0]}, {w.volume}:{pages(w)}.",
    "ams": lambda w: f"{first(w)}, {w.title}, {w.journal[1]} {w.volume} ({w.year}), no. 2, {pages(w)}.",
    "german": lambda w: f"{whole(w)} ({w.year}): {w.title}. In: {w.journal[0]}, Jg. {w.volume}, H. 2, S. {pages(w)}.",
    "german book": lambda w: f"{whole(w, '/', '/')}, {w.year}: {w.title}. Frankfurt am Main: Campus.",
    "harvard": lambda w: f"{turned(w, last=' and ')} ({w.year}), ‘{w.title}’, {w.journal[0]}, {w.volume}: {pages(w)}.",
    "book": lambda w: f"{turned(w, last=' and ')} {w.year}. {w.title}. Cambridge: Cambridge University Press.",
    "chapter": lambda w: (
        f"{turned(w)} ({w.year}). {w.title}. In K. Roe & J. Doe (Eds.), Handbook of things (pp. {pages(w)}). Springer."
    ),
    "conference": lambda w: f"{first(w)}. {w.title}. In Proceedings of the Conference on Things, pages {pages(w)}, {w.year}.",
    "chicago": lambda w: f"{whole(w, ', ', ', and ')}. “{w.title}.” {w.journal[0]} {w.volume}, no. 2 ({w.year}): {pages(w)}.",
    "thesis": lambda w: f"{full(w)}. {w.title}. PhD thesis, University of Leiden, {w.year}.",
    "ams book": lambda w: f"{first(w)}, {w.title}, Cambridge University Press, Cambridge, {w.year}.",
    "physics book": lambda w: f"{first(w)}, {w.title} (Addison-Wesley, Reading, {w.year}).",
    "no stops": lambda w: f"{whole(w, '/', '/')} ({w.year}): {w.title}, Hamburg.",
}  # fmt: skip
UNTITLED: dict[str, Callable[[Work], str]] = {
    "physics": lambda w: f"[12] {first(w)}, {w.journal[1]} {w.volume}, {w.page} ({w.year}).",
    "astronomy": lambda w: f"{turned(w, last=', ')} {w.year}, {w.journal[1]}, {w.volume}, {w.page}",
}


def works(count: int) -> list[Work]:
    chance = random.Random(31)
    return [
        Work(
            [(chance.choice(GIVEN), family) for family in chance.sample(FAMILY, chance.randint(1, 4))],
            chance.choice(TITLES), chance.choice(JOURNALS), chance.randint(1960, 2022), chance.randint(2, 90),
            chance.randint(1, 900),
        )
        for _ in range(count)
    ]  # fmt: skip


def letters(text: str | None) -> str:
    return "".join(filter(str.isalpha, text or "")).casefold()


@pytest.fixture(scope="module")
def printed() -> list[tuple[str, Work, dict]]:
    cases = [(style, work) for style in STYLES for work in works(30)]
    found = parse_entries([STYLES[style](work) for style, work in cases])
    return [(style, work, one) for (style, work), one in zip(cases, found)]


def test_titles_of_all_styles_are_right_or_null(printed: list[tuple[str, Work, dict]]) -> None:
    said = [(letters(one["title"]), letters(work.title)) for _, work, one in printed]
    wrong = [found for found, title in said if found and found != title]
    right = [found for found, title in said if found == title]
    assert len(wrong) <= 0.03 * len(said)
    assert len(right) >= 0.85 * len(said)


def test_authors_of_all_styles_are_right_or_null(printed: list[tuple[str, Work, dict]]) -> None:
    said = [(one["authors"], work.people) for _, work, one in printed if one["authors"]]
    wrong = [(found, people) for found, people in said if [family in name for name, (_, family) in zip(found, people)]
             != [True] * max(len(found), len(people))]  # fmt: skip
    assert len(wrong) <= 0.02 * len(said)
    assert len(said) >= 0.75 * len(printed)


def test_titles_that_only_the_chain_finds_are_given_where_much_speaks_for_them() -> None:
    titles = {
        "[57] Y. Wong, M. D. Levin, Adsorption of mixtures of carbon dioxide and water on zeolites 5a and 13x, "
        "J. Chem. Eng. Data 55 (9) (2010) 3189–3195.": "Adsorption of mixtures of carbon dioxide and water on zeolites 5a "
        "and 13x",
        "Lawton, S. (2018). Block grant allocation 2013-18. Figshare. https://figshare.com/articles/allocation/4047": None,
    }
    assert [one["title"] for one in parse_entries(list(titles))] == list(titles.values())


def test_what_is_no_title_is_none_however_sure_the_chain_is() -> None:
    texts = (
        "Springel, V. 2005, Monthly Notices of the Royal Astronomical Society, 364, 1105",  # a journal
        "Y. Haralambous (1991), “On TEX and Greek. . . ” TUGboat 12, 224–226.",  # half a quotation
        "This paper has been typeset from a TEX/LATEX file prepared by",  # no reference
    )
    assert [one["title"] for one in parse_entries(texts)] == [None] * 3


@pytest.mark.parametrize("style", UNTITLED)
def test_journals_are_no_titles_and_no_people(style: str) -> None:
    made = works(30)
    found = parse_entries([UNTITLED[style](work) for work in made])
    assert [one["title"] for one in found] == [None] * len(made)
    people = [(one["authors"] or [], len(work.people)) for one, work in zip(found, made)]
    assert all(len(names) <= size for names, size in people)


def test_reading_many_at_once_or_one_by_one_is_the_same() -> None:
    texts = [style(work) for style in STYLES.values() for work in works(2)] + ["", "?", "A", "Roe"]
    assert tagger.read(texts) == [one for text in texts for one in tagger.read([text])]


def test_parts_stand_in_the_text_whatever_it_holds() -> None:
    for text in ["“" * 500, "a" * 9000, "\0 ́ x", "1 " * 700, "Ünï-code’s „x“ (2001)" * 40]:
        read = tagger.read([text])[0]
        for part in (read.authors, read.title):
            assert part is None or (0 <= part.start < part.end <= len(text) and part.margin >= 0)
