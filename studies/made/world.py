"""Made papers, reviews and what is true of them, drawn from a seed: nobody wrote or judged any of them.

Every sentence of a paper or review that matters stands in it once, so that a simulated person or model who is shown a
text finds what is true of it, and errs at a rate that is known.
"""

from __future__ import annotations

import functools
import os
import random
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
VENUE = "Made.cc/2026/Conference"
SEED = int(os.environ.get("MADE_SEED", "0"))
N_REJECTED, N_ACCEPTED = 24, 12
THINGS = [
    "owl calls", "river levels", "ferry logs", "bee counts", "tram delays", "moss photographs", "bell sounds", "tide tables",
    "bread recipes", "chess notes", "bird rings", "old maps",
]  # fmt: skip
HEADS, TAILS = ["Bel", "Cor", "Dan", "Fen", "Gal", "Hol"], ["ara", "ido", "mus", "net", "tor", "vix"]
TYPES = {"insufficient": 35, "contradictory": 15, "novelty": 15, "clarity": 10, "related_work": 15, "other": 10}
FAULTS = {
    "insufficient": "The claim that {short} is not supported, for it rests on one run.",
    "contradictory": "Table 1 speaks against the claim that {short}.",
    "novelty": "It is claimed that {short}, but this is not novel.",
    "clarity": "The paper claims that {short}, and I could not follow what is meant by it.",
    "related_work": "The claim that {short} leaves out the work of others on this.",
    "other": "The claim that {short} may be true, but I see no use for it.",
}
VAGUE = "The results of {name} are claimed to matter more than I can see ({number})."
#: The share of answers that are drawn anew, and not the truth, by who answers.
ERRORS = {"anna": 0.1, "ben": 0.15, "cleo": 0.2, "dora": 0.25, "eve": 0.3, "model": 0.3}


def draw(*names: Any) -> random.Random:
    """Chance that depends on the seed and on names alone."""
    return random.Random(repr((SEED, *names)))


def said(who: str, about: str, name: str, truth: T, fresh: T, run: Any = None) -> T:
    """What somebody says where ``truth`` is true: it, or at their rate ``fresh``, a value drawn as true ones are."""
    return fresh if draw("errs", who, about, name, run).random() < ERRORS[who] else truth


class Weakness(NamedTuple):
    """A passage of a review, with the number of the claim that it disputes, or None."""

    text: str
    paper: str
    claim: int | None
    labels: dict[str, Any]


class Paper:
    """A made paper with its reviews."""

    def __init__(self, number: int) -> None:
        self.number, self.id = number, f"made{number:06d}"
        chance = draw("paper", number)
        self.thing, self.name = THINGS[number % 12], HEADS[number // 6] + TAILS[number % 6]
        self.title = f"{self.name}: Reading {self.thing.title()} with Few Labels"
        self.is_accepted = number >= N_REJECTED
        low, few, many, share = (chance.randint(*ends) for ends in ((11, 39), (20, 90), (400, 900), (55, 85)))
        shorts = [
            f"{self.name} lowers the error on {self.thing} by {low} percent",
            f"readers prefer the output of {self.name} in {share} of 100 cases",
            f"{self.name} needs {few} labels where earlier systems need {many}",
            f"the gain of {self.name} holds for all {chance.randint(3, 9)} collections",
            f"{self.name} is the first system that reads {self.thing} without a dictionary",
            f"{self.name} errs less because it keeps the order of the {self.thing}",
        ]
        openings = ("We show that", "We find that", "Our results show that", "We conclude that")
        self.shorts, self.claims = shorts, [f"{openings[n % 4]} {short}." for n, short in enumerate(shorts)]
        self.set_up = f"We collect {many} {self.thing} from {chance.randint(4, 40)} archives for {self.name}."
        self.background = f"Many {self.thing} of number {number} wait to be read, and labels are dear."
        self.method = f"We present {self.name}, a system that reads {self.thing} in the order in which they came."
        self.limits = [
            f"A limitation is that {self.name} was run on {self.thing} of one country only.",
            f"{self.name} cannot read {self.thing} that are damaged.",
            f"We did not measure how long {self.name} takes for {few} pages.",
        ]
        self.reviews = [Review(self, place) for place in range(1 + (number % 3 == 0 or number % 4 == 1))]

    @property
    def sections(self) -> list[tuple[str, list[str]]]:
        """Headings with their sentences."""
        return [
            ("Introduction", [f"Who keeps {self.thing} has more of them than time.", self.claims[4], "Earlier systems ask for a dictionary (Author, 2019)."]),
            ("Related Work", [f"Author (2019) reads {self.thing} by hand.", "Writer (2021) asks a crowd."]),
            ("Method", [f"{self.name} takes one page at a time.", "It keeps a state between pages, and sorts what it reads by day."]),
            ("Experiments", [self.set_up, "Each of three annotators reads every page.", "Table 1 has the errors, and Figure 1 the trend."]),
            ("Results", [self.claims[2], self.claims[3], f"The errors of {self.name} lie at the ends of pages."]),
            ("Limitations", self.limits),
            ("Conclusion", [self.claims[5], f"Others may read {self.thing} with {self.name} now."]),
        ]  # fmt: skip

    @property
    def abstract(self) -> str:
        return " ".join([self.background, self.method, *self.claims[:2]])


class Review:
    """A made review: three weaknesses that speak of claims, and remarks that do not."""

    def __init__(self, paper: Paper, place: int) -> None:
        chance = draw("review", paper.number, place)
        self.summary = f"The paper reads {paper.thing} by machine."
        self.strengths = f"The paper on {paper.name} is short (review {place + 1})."
        self.rating = chance.randint(2, 8)
        self.weaknesses = []
        claims: list[int | None] = [*chance.sample(range(6), 3)]
        for turn, claim in enumerate(claims):
            if chance.random() < 0.25:
                claim = None
            labels = labels_from(chance)
            number = f"{paper.number}.{place}.{turn}"
            text = (
                VAGUE.format(name=paper.name, number=number)
                if claim is None
                else FAULTS[labels["types"][0]].format(short=paper.shorts[claim])
            )
            if place and claim is not None:  # two reviewers never say one thing in one way
                text = text.replace("The claim that", "To claim that").replace("the claim that", "what is said, that")
                text = text.replace("It is claimed that", "They claim that").replace(
                    "The paper claims", "The text claims"
                )
            self.weaknesses.append(Weakness(text, paper.id, claim, labels))
        number = f"{paper.number}.{place}"
        self.writing = f"The writing on {paper.thing} is dense in places ({number})."
        # A passage that speaks of no claim, and that a rater may take for one that does.
        self.remark = Weakness(f"Some symbols come late ({number}).", paper.id, None, labels_from(chance))
        self.questions = f"How long does {paper.name} take?"


def labels_from(chance: random.Random) -> dict[str, Any]:
    """Labels of a weakness, drawn as the true ones are."""
    first = chance.choices(list(TYPES), list(TYPES.values()))[0]
    second = chance.choices(list(TYPES), list(TYPES.values()))[0] if chance.random() < 0.2 else first
    types = [first] if second == first else [first, second]
    return {
        "groundedness": chance.choices([1, 2, 3, 4, 5], [1, 1, 2, 3, 3])[0],
        "objectivity": chance.choices([1, 2, 3, 4, 5], [1, 2, 3, 3, 1])[0],
        "agreement": chance.choices([1, 2, 3, 4, 5], [1, 2, 2, 3, 2])[0],
        "types": types,
    }


@functools.cache
def papers() -> list[Paper]:
    return [Paper(number) for number in range(N_REJECTED + N_ACCEPTED)]


@functools.cache
def weaknesses() -> dict[str, Weakness]:
    """All weaknesses, and remarks that are none, by their text."""
    found = [one for paper in papers() for review in paper.reviews for one in [*review.weaknesses, review.remark]]
    made = {one.text: one for one in found}
    assert len(made) == len(found), "a weakness stands in the made reviews twice"
    return made


@functools.cache
def claims() -> dict[str, tuple[Paper, int]]:
    """All claims by their text: the paper, and the number of the claim."""
    return {text: (paper, number) for paper in papers() for number, text in enumerate(paper.claims)}


VARIANTS = ("plain", "format", "structured")
#: How often a question has each score, by aspect (as in the released data of the study of research questions).
SCORES: dict[str, dict[int, int]] = {
    "problem": {0: 49, 1: 91, 2: 77},
    "method": {0: 16, 1: 101, 2: 100},
    "type": {0: 36, 1: 181},
}


def question(paper: Paper, variant: str) -> str:
    """The research question that the made model writes by a variant of the prompt."""
    form = VARIANTS.index(variant)
    return [
        f"How can {paper.thing} of {paper.name} be read with few labels?",
        f"Can the lack of labels for {paper.thing} be solved by {paper.name}?",
        f"Does the order in which {paper.thing} came help {paper.name} where labels are dear?",
    ][form]


def score_from(chance: random.Random, aspect: str) -> int:
    """A score, drawn as the true ones are."""
    return chance.choices(list(SCORES[aspect]), list(SCORES[aspect].values()))[0]


@functools.cache
def questions() -> dict[str, dict[str, int]]:
    """The true scores of every made question, by its text."""
    texts = [question(paper, variant) for paper in papers() for variant in VARIANTS]
    return {text: {aspect: score_from(draw("score", text, aspect), aspect) for aspect in SCORES} for text in texts}


def rated(who: str, text: str, aspect: str, run: object = None) -> int:
    """The score that somebody gives a question."""
    fresh = score_from(draw("fresh score", who, text, aspect, run), aspect)
    return said(who, text, aspect, questions()[text][aspect], fresh, run)


FACETS = {"background": 3, "method": 4, "result": 4, "conclusion": 3}
WEIGHTS = {"background": 0.1, "method": 0.3, "result": 0.3, "conclusion": 0.3}
#: How often each system gets each rating, by the highest one.
SYSTEMS = {
    "careful": {3: (1, 2, 5), 4: (1, 1, 3, 5)},
    "middling": {3: (2, 3, 2), 4: (2, 3, 3, 2)},
    "vague": {3: (5, 2, 1), 4: (5, 3, 1, 1)},
}


def rating_from(chance: random.Random, facet: str, system: str) -> int:
    most = FACETS[facet]
    return chance.choices(range(1, most + 1), SYSTEMS[system][most])[0]


class Summary(NamedTuple):
    """A made summary: a sentence for each facet, the true rating of each, and the overall one in percent."""

    sentences: dict[str, str]
    ratings: dict[str, int]

    @property
    def text(self) -> str:
        return " ".join(self.sentences.values())

    @property
    def overall(self) -> int:
        score = 100 * sum(WEIGHTS[one] * rating / FACETS[one] for one, rating in self.ratings.items())
        return round(min(100, max(0, score + draw("overall", self.text).gauss(0, 5))))


def summary(paper: Paper, system: str) -> Summary:
    """What a system wrote of a paper."""
    ratings = {facet: rating_from(draw("rating", paper.number, system, facet), facet, system) for facet in FACETS}
    place = f"{paper.number}.{list(SYSTEMS).index(system)}"
    own = dict(zip(FACETS, (paper.background, paper.method, *paper.claims[:2]), strict=True))
    begun = {
        "background": f"Pages with {paper.thing} pile up unread",
        "method": f"The paper has a system for {paper.thing}",
        "result": f"The errors on {paper.thing} change with {paper.name}",
        "conclusion": f"The authors think well of {paper.name} in the end",
    }
    sentences = {  # the better, the more words of the abstract
        facet: f"{text} ({place}): {' '.join(own[facet].rstrip('.').split()[: 2 * ratings[facet]])}."
        for facet, text in begun.items()
    }
    return Summary(sentences, ratings)


@functools.cache
def summaries() -> dict[str, Summary]:
    """All summaries by their text."""
    return {one.text: one for one in (summary(paper, system) for paper in papers() for system in SYSTEMS)}


@functools.cache
def facet_sentences() -> dict[str, tuple[str, int | None]]:
    """The facet of each sentence of summaries and abstracts, and how it is truly rated."""
    made: dict[str, tuple[str, int | None]] = {
        text: (facet, one.ratings[facet]) for one in summaries().values() for facet, text in one.sentences.items()
    }
    for paper in papers():
        own = (paper.background, paper.method, *paper.claims[:2])
        made |= {text: (facet, None) for text, facet in zip(own, FACETS, strict=True)}
    return made


def facet_rated(who: str, text: str) -> int:
    """The rating that somebody gives a sentence of a summary; who errs draws as from all systems."""
    facet, truth = facet_sentences()[text]
    chance = draw("fresh rating", who, text)
    return said(who, text, "rating", truth or 1, rating_from(chance, facet, chance.choice(list(SYSTEMS))))


#: How many of the weaknesses that reviewers name the made model names too, and how often it knows a review by heart.
FINDS, KNOWS = 0.5, 0.2


def review_text(review: Review) -> str:
    named = " ".join(one.text for one in review.weaknesses)
    return f"{review.summary} {review.strengths} {named} {review.writing} {review.remark.text} {review.questions}"


@functools.cache
def findings() -> dict[str, str | None]:
    """What the made model holds against papers, with the weakness in a review that says the same, or None."""
    made: dict[str, str | None] = {}
    for paper in papers():
        named = [one for review in paper.reviews for one in review.weaknesses]
        for number, one in enumerate(named, 1):
            if draw("finds", one.text).random() < FINDS:
                made[f"I doubt what is said of {paper.name} at its point {number}."] = one.text
        for number in (1, 2):
            made[f"A stronger baseline than those of {paper.name} is missing (remark {number})."] = None
    return made


#: The numbers of the papers around one that it cites, that cite it, and that are like it, counted from its own.
AROUND = {"cited-in": (-3, -2, -1), "cited-by": (1, 2, 3), "similar": (10, 11, 12)}
#: How many of the limitations that authors and reviewers name a model names: from the paper alone, and with passages.
NAMES = {"plain": 0.35, "related": 0.6}


@functools.cache
def limitations() -> dict[str, list[str]]:
    """What authors and reviewers name as limitations of each paper, by its name, word for word."""
    return {
        paper.name: [*paper.limits, *(one.text for review in paper.reviews for one in review.weaknesses)]
        for paper in papers()
    }


@functools.cache
def named_limitations(way: str) -> dict[str, str | None]:
    """What a model names by a way of NAMES, with the limitation that says the same, or None."""
    made: dict[str, str | None] = {}
    for name, known in limitations().items():
        for number, text in enumerate(known, 1):
            if draw("names", way, text).random() < NAMES[way]:
                made[f"The work on {name} falls short at its point {number} ({way})."] = text
        made[f"It stays open how far {name} carries over ({way})."] = None
    return made
