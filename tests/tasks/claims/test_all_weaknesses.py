"""st-claims weaknesses --all: every point that a review makes, and nothing that it praises, on reviews made by lot."""

from __future__ import annotations

import random

import pytest
from support.spans import check_spans

from scholartools.tasks.claims.builtin.weaknesses import weaknesses

POINTS = (
    "The writing is dense and many symbols are never defined.",
    "Figure 3 cannot be read in print.",
    "Smith et al. (2020) propose the same loss and are not cited.",
    "All experiments use one data set of 200 texts.",
    "There is no comparison with a tuned baseline.",
    "The authors claim that the bound is tight, but Table 2 shows a gap.",
    "Section 4 uses a learning rate that is 10 times that of the baselines.",
    "The code is not released.",
    "Human evaluation would have been needed.",
)
QUESTIONS = (
    "How was the learning rate chosen?",
    "Why is the method of Lee et al. not a baseline?",
    "Could you say how raters were paid?",
    "What happens with longer inputs?",
)
PRAISE = (
    "The paper is well written.",
    "The problem is important and timely.",
    "Results on four benchmarks are strong.",
    "The idea of a shared cache is new and simple.",
)
SUMMARY = ("This paper presents a method for reading tables.", "It is tested on four data sets.")
HEADINGS = {
    "praise": ("Strengths:", "**Strengths**", "Pros:", "### Strengths", "Reasons to accept:"),
    "points": ("Weaknesses:", "**Weaknesses**", "Cons:", "### Weaknesses", "Reasons to reject:", "Major comments:"),
    "questions": ("Questions:", "**Questions**", "Questions for the authors:", "### Questions"),
}
FIELDS = {
    "summary": ("summary", "summary_of_the_paper"),
    "praise": ("strengths", "reasons_to_accept"),
    "points": ("weaknesses", "summary_of_weaknesses", "reasons_to_reject"),
    "questions": ("questions", "questions_to_authors"),
}


def draw_review(lot: random.Random) -> tuple[dict, list[str]]:
    """A review with a form or headings, and the points and questions that stand in it, in order."""
    wanted = lot.sample(POINTS, lot.randint(1, 5))
    asked = lot.sample(QUESTIONS, lot.randint(0, 3))
    bullet = lot.choice(["- ", "* ", "{}. ", "({}) "])
    has_form = lot.random() < 0.5
    parts = [("summary", list(SUMMARY)), ("praise", lot.sample(PRAISE, 2)), ("points", wanted)]
    parts += [("questions", asked)] if asked else []
    text, fields = "", []
    for kind, sentences in parts:
        if not has_form and kind in HEADINGS:
            text += lot.choice(HEADINGS[kind]) + "\n"
        start = len(text)
        listed = "\n".join(bullet.format(number) + one for number, one in enumerate(sentences, 1))
        text += " ".join(sentences) if kind == "summary" else listed
        fields.append({"name": lot.choice(FIELDS[kind]), "start": start, "end": len(text)})
        text += "\n\n"
    review = {"id": "r1", "text": text}
    return ({**review, "fields": fields} if has_form else review), [*wanted, *asked]


@pytest.mark.parametrize("seed", range(200))
def test_all_points_and_questions_of_a_review_are_found_and_no_praise(seed):
    review, wanted = draw_review(random.Random(seed))
    made = weaknesses({"reviews": [review]}, every=True)
    check_spans(made)
    assert [one["text"] for one in made["weaknesses"]] == wanted
    about_claims = [one["text"] for one in weaknesses({"reviews": [review]})["weaknesses"]]
    assert about_claims == [one["text"] for one in made["weaknesses"] if one["groundedness"] is not None]


def test_a_point_that_is_made_twice_stands_twice():
    text = f"Weaknesses:\n- {POINTS[3]}\n- {POINTS[0]}\n- {POINTS[3]}\n"
    made = weaknesses({"reviews": [{"id": "r1", "text": text}]}, every=True)
    assert [one["text"] for one in made["weaknesses"]] == [POINTS[3], POINTS[0], POINTS[3]]
    assert len({one["spans"][0]["start"] for one in made["weaknesses"]}) == 3
