"""Limitations that reviewers state: critical parts, word for word, and nothing of what is praise or noise."""

from __future__ import annotations

import copy
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.run import ends, jsonl
from support.run import st as run

from scholartools import records
from scholartools.errors import InputFault, UsageFault
from scholartools.readers.reviews.form import review_of
from scholartools.tasks import limits

SMALL = "The sample is small."


def form(id: str = "r1", **answers: str) -> dict:
    return {"id": id, **review_of(answers)}


def plain(text: str, id: str = "r1") -> dict:
    return {"id": id, "text": text}


def found(*reviews: dict, **options) -> list[dict]:
    return limits.extract({"id": "p", "sections": [], "reviews": list(reviews)}, **options)["limitations"]


def texts(*reviews: dict) -> list[str]:
    return [item["text"] for item in found(*reviews)]


def rejected(*reviews: dict) -> list[tuple[str, str]]:
    made = limits.extract({"id": "p", "reviews": list(reviews)})
    return [(entry["text"], entry["reason"]) for entry in made.get("rejected", [])]


# Forms

FORMS = [
    # ICLR 2018-2019, NeurIPS 2019: one field
    ({"title": "Fine work", "review": f"Weaknesses:\n- {SMALL}\n\nMinor:\nA typo is missing."}, [SMALL]),
    # NeurIPS 2021-2022
    ({"summary": "A lack.", "main_review": f"Strengths: clear.\nWeaknesses: {SMALL}", "limitations_and_societal_impact": "No mention of harm."}, [SMALL, "No mention of harm."]),
    ({"summary": "A lack.", "strengths_and_weaknesses": f"Strengths:\n+ short\n\nWeaknesses:\n+ {SMALL}", "questions": "Is it a limitation?", "limitations": "Yes."}, [SMALL]),
    # NeurIPS 2023-, ICLR 2023-
    ({"summary": "A lack.", "strengths": "- no limitation", "weaknesses": f"- {SMALL}\n- No code.", "questions": "- unclear", "limitations": "Harm is not discussed."}, [SMALL, "No code.", "Harm is not discussed."]),
    # ICLR 2022
    ({"summary_of_the_paper": "x is missing", "main_review": f"It is nice. {SMALL} The proof is unclear.", "summary_of_the_review": "a limited paper"}, ["The proof is unclear."]),
    ({"strength_and_weaknesses": f"Strength: new\nWeakness: {SMALL}", "clarity,_quality,_novelty_and_reproducibility": "Unclear."}, [SMALL]),
    # ICML 2025
    ({"claims_and_evidence": "No evidence.", "other_strengths_and_weaknesses": "Strengths: new.\n\nWeaknesses: slow.", "other_comments_or_suggestions": "typos missing"}, ["slow."]),
    # ACL Rolling Review, EMNLP 2023
    ({"paper_summary": "a lack", "summary_of_strengths": "no drawbacks", "summary_of_weaknesses": f"1. {SMALL}\n2. It is slow.", "comments,_suggestions_and_typos": "missing comma"}, [SMALL, "It is slow."]),
    ({"reasons_to_accept": "no limitation", "reasons_to_reject": f"A. {SMALL}\nB. It is slow.", "missing_references": "Smith is missing"}, [SMALL, "It is slow."]),
    # what has no critical field at all: sentences with a keyword in any other
    ({"summary": "A lack.", "experiments": f"Good. {SMALL} No baselines are given."}, ["No baselines are given."]),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "expected"), FORMS)
def test_of_a_form_what_is_critical(answers, expected):
    assert texts(form(**answers)) == expected


def test_a_limitation_of_a_review_is_a_limitation():
    review = form(summary="They count.", weaknesses=SMALL)
    assert found(review) == [
        {
            "id": "l1",
            "origin": "review",
            "mode": "explicit",
            "by": "builtin",
            "heading": "Weaknesses",
            "text": SMALL,
            "spans": [{"in": "review:r1", "start": 34, "end": 54}],
        }
    ]


# Texts


@pytest.mark.parametrize(
    "heading",
    ["Weaknesses:", "Weaknesses", "WEAKNESSES", "## Weaknesses", "**Weaknesses**", "**Weaknesses:**", "**Weaknesses**:", "Cons:",
     "- Cons:", "2. Weaknesses:", "Weak points", "Major concerns:", "Limitations.", "Reasons to reject", "[Weaknesses]", "Main weaknesses -"],
)  # fmt: skip
@pytest.mark.parametrize(
    "end",
    [
        "Questions:",
        "**Strengths**",
        "### Questions for the authors",
        "Minor comments:",
        "Rating: 5",
        "Typos:",
    ],
)
def test_headings_open_and_close_a_critical_part(heading, end):
    text = f"They count words. A lack.\n\n{heading}\n{SMALL} It is slow.\n\nIt is dear.\n\n{end}\nNo limitation."
    assert texts(plain(text)) == [f"{SMALL} It is slow.", "It is dear."]


def test_strengths_and_weaknesses_in_one_line():
    assert texts(plain(f"Strengths: it is new. Weaknesses: {SMALL} It is slow. Questions: Why is it limited?")) == [
        f"{SMALL} It is slow."
    ]
    assert texts(plain("Pros: new, clear. Cons: small gains, no code.")) == ["small gains, no code."]


@pytest.mark.parametrize(
    "line",
    [
        "My main concerns are:",
        "The paper has these weaknesses:",
        "Weakness(es) of this paper:",
        "I see two limitations:",
    ],
)
def test_a_line_that_ends_in_a_colon_opens_a_part(line):
    text = f"Good paper.\n\n{line}\n- It is slow.\n- It is dear.\n\nI have two questions:\n- Why?"
    assert texts(plain(text)) == ["It is slow.", "It is dear."]


def test_a_line_that_names_both_opens_none():
    assert texts(plain("Here are the strengths and weaknesses:\n- It is new.\n- Baselines are missing.")) == [
        "Baselines are missing."
    ]


@pytest.mark.parametrize("mark", ["W{}. ", "W{}: ", "(W{}) ", "- W{}: ", "**W{}.** ", "**W{}** "])
@pytest.mark.parametrize("between", ["\n", "\n\n", " "])
def test_labels_of_points(mark, between):
    other = mark.replace("W", "S")
    text = between.join(
        [
            other.format(1) + "Not a weakness.",
            mark.format(1) + SMALL,
            mark.format(2) + "It is slow. Very.",
        ]
    )
    if not (between == " " and mark.startswith(("(", "- "))):
        assert texts(plain(text)) == [SMALL, "It is slow. Very."]


def test_items_of_lists_and_what_is_inside_them():
    text = "Weaknesses:\n\n- It is slow,\n  and dear.\n- The tests are weak:\n    - one set\n    - one seed\n\n  1) No code.\n  2) No data.\n\u2022 Old."
    assert texts(plain(text)) == [
        "It is slow,\n  and dear.",
        "The tests are weak:\n    - one set\n    - one seed",
        "No code.",
        "No data.",
        "Old.",
    ]


def test_enumerations_as_in_papers():
    text = "Weaknesses: There are two weaknesses. First, it is slow. Very slow. Second, it is dear."
    assert texts(plain(text)) == [
        "There are two weaknesses. First, it is slow. Very slow.",
        "Second, it is dear.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"I like it. However, it is limited to English. This is a pity. {SMALL}", [f"However, it is limited to English. This is a pity. {SMALL}"]),
        (f"It is unclear why. The proofs are elegant. {SMALL}", ["It is unclear why."]),
        ("My main reservation is novelty. The authors study bees.", ["My main reservation is novelty."]),
        ("Eleven people took part. Why were they paid? This paper presents a drone.", ["Why were they paid?"]),
        ("The exclusion restriction is hard to believe.", ["The exclusion restriction is hard to believe."]),
        ("The claim goes beyond what the design can support.", ["The claim goes beyond what the design can support."]),
        ("It is unclear why. I am not convinced by Table 2.", ["It is unclear why.", "I am not convinced by Table 2."]),
        ("The authors should compare with X. It would be good to test more.", ["The authors should compare with X. It would be good to test more."]),
        ("It is well written, and I enjoyed it. It has no weaknesses.", []),
    ],
)  # fmt: skip
def test_without_headings_sentences_with_a_keyword(text, expected):
    items = found(plain(text))
    assert [item["text"] for item in items] == expected
    assert all(item["mode"] == "implicit" and item["cue"] in item["text"] for item in items)


# Noise


@pytest.mark.parametrize(
    ("noise", "reason"),
    [
        ("None.", "it says nothing"),
        ("N/A", "it says nothing"),
        ("- no", "it says nothing"),
        ("See above.", "it refers to what is said elsewhere"),
        (
            "Please refer to the Weaknesses section.",
            "it refers to what is said elsewhere",
        ),
        ("As discussed above.", "it refers to what is said elsewhere"),
        ("Thank you for this paper.", "it thanks"),
        ("Originality: 2", "it is a score"),
        ("Soundness: 3 good", "it is a score"),
        ("I do not see any major weaknesses.", "it says that there is none"),
        ("There are no obvious limitations.", "it says that there is none"),
        ("Yes, they did.", "it says that the authors state them"),
        (
            "The authors adequately addressed the limitations.",
            "it says that the authors state them",
        ),
        (
            "Limitations are discussed in Appendix B.",
            "it says that the authors state them",
        ),
        (
            "I have read the rebuttal and keep my score.",
            "it speaks of the discussion with the authors",
        ),
        ("Overall, the paper is well written.", "it praises"),
        ("***", "it has no words"),
    ],
)
def test_noise_is_rejected_with_its_reason(noise, reason):
    made = limits.extract({"id": "p", "reviews": [form(weaknesses=f"{SMALL}\n\n{noise}\n\nIt is slow.")]})
    assert [item["text"] for item in made["limitations"]] == [SMALL, "It is slow."]
    [entry] = made["rejected"]
    assert entry["reason"] == reason and entry["text"] in noise and entry["span"]["in"] == "review:r1"


@pytest.mark.parametrize(
    "text",
    [
        "The authors do not discuss the limitations of their method.",
        "There is no discussion of limitations.",
        "Yes, but only in passing; societal impact is not addressed.",
        "The paper is well written but lacks experiments.",
        "The limitations are discussed, however the main one is left out.",
        "None of the baselines is recent.",
        "No comparison to earlier work.",
        "Novelty: the idea is known.",
        "Clarity: 3 of the figures cannot be read, and the text in them is not explained anywhere in the paper or in its appendix.",
    ],
)
def test_what_is_no_noise(text):
    assert texts(form(weaknesses=text)) == [text]


# With the paper


def section(text: str) -> dict:
    return {"id": "s1", "number": None, "heading": "Limitations", "level": 1, "role": "limitation", "pages": [], "text": text}  # fmt: skip


@pytest.mark.parametrize(
    ("origin", "expected"),
    [("author", ["author"]), ("review", ["review"]), ("all", ["author", "review"])],
)
def test_origin(origin, expected):
    record = {
        "id": "p",
        "sections": [section("It is slow.")],
        "reviews": [form(weaknesses=SMALL)],
    }
    items = limits.extract(record, origin=origin)["limitations"]
    assert [(item["id"], item["origin"]) for item in items] == [(f"l{n}", one) for n, one in enumerate(expected, 1)]


def test_what_must_be_there():
    reviews, sections = [form(weaknesses=SMALL)], [section("It is slow.")]
    assert limits.extract({"id": "p", "reviews": reviews})["limitations"]
    assert limits.extract({"id": "p", "sections": sections})["limitations"]
    assert limits.extract({"id": "p", "reviews": []}, origin="review")["limitations"] == []
    assert limits.extract({"id": "p", "sections": sections}, origin="review")["limitations"] == []
    for record, origin in (
        ({"id": "p"}, "all"),
        ({"id": "p", "reviews": []}, "all"),
        ({"id": "p", "reviews": reviews}, "author"),
        ({"id": "p"}, "review"),
        ({"id": "p", "reviews": reviews * 2}, "all"),
        ({"id": "p", "reviews": "x"}, "all"),
    ):
        with pytest.raises(InputFault):
            limits.extract(record, origin=origin)
    with pytest.raises(UsageFault):
        limits.extract({"id": "p", "reviews": reviews}, origin="editor")


def test_from_the_command_line():
    record = {
        "id": "p",
        "sections": [section("It is slow.")],
        "reviews": [form(weaknesses=SMALL), plain(f"Cons: {SMALL}", "r2")],
    }
    result = run("st-extract-limits", "--origin", "review", input=jsonl(record))
    assert [item["spans"][0]["in"] for item in result.records[0]["limitations"]] == [
        "review:r1",
        "review:r2",
    ]
    shown = run("st-extract-limits", "--text", "--merge", input=jsonl(record)).out.decode()
    assert "in “Limitations”\n     It is slow." in shown
    assert "  2. explicit, in “review:r1”\n     The sample is small.\n     explicit, in “review:r2”\n" in shown
    halves = [run("st-extract-limits", input=jsonl({**record, "id": name})).out for name in "ab"]
    assert run("st-extract-limits", input=jsonl(*({**record, "id": name} for name in "ab"))).out == b"".join(halves)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_paper_without_reviews_has_no_limitation_of_reviewers_and_is_counted(jobs):
    """Not even those of its authors that an earlier run found: the list is what the signature says."""
    before = limits.extract({"id": "p", "sections": [section("It is slow.")]})
    assert before["limitations"]
    result = run("st-extract-limits", "--origin", "review", "--jobs", jobs,
                 input=jsonl(before, {**before, "reviews": [form(weaknesses=SMALL)]}, {**before, "reviews": []}, {"id": "x"}))  # fmt: skip
    assert [len(made.get("limitations", "no")) for made in result.records] == [0, 1, 0, 2]
    assert result.status == 1 and "errors" not in result.records[0]
    assert "st-extract-limits: 2 papers have no reviews, and so an empty list" in result.err
    assert "no reviews" not in run("st-extract-limits", "--origin", "author", input=jsonl(before)).err


# What holds for every review

PIECES = st.sampled_from(
    ["Weaknesses:", "\n", "\n\n", "- ", "  - ", "1. ", "Strengths: ", "W1: ", "S2. ", "It is slow. ", "However, it is limited. ", "None.",
     "Thanks. ", "This is bad. ", "**Cons** ", "Yes. ", "Rating: 5\n", "\u2022 ", "\U0001f600", " ", "x", "\u2028", "First, "]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=20).map("".join))
NAMES = st.sampled_from(
    [
        "weaknesses",
        "strengths_and_weaknesses",
        "limitations",
        "summary",
        "review",
        "other",
    ]
)


@st.composite
def reviews(draw):
    texts = draw(st.lists(TEXTS, min_size=1, max_size=4))
    text = "\n".join(texts)
    ends = list(itertools.accumulate(len(one) + 1 for one in texts))
    fields = [
        {"name": draw(NAMES), "start": end - 1 - len(one), "end": end - 1} for one, end in zip(texts, ends)
    ]  # fmt: skip
    return {
        "id": "r1",
        "text": text,
        **({"fields": fields} if draw(st.booleans()) else {}),
    }


@settings(max_examples=250)
@given(reviews())
def test_what_holds_for_every_review(review):
    record = {"id": "p", "reviews": [review], "mine": 1}
    before = copy.deepcopy(record)
    made = limits.extract(record)
    assert record == before
    records.read(made, "limitations")
    places = []
    for item in made["limitations"]:
        [span] = item["spans"]
        assert item["text"] == review["text"][span["start"] : span["end"]] == item["text"].strip() != ""
        places.append((span["start"], span["end"]))
    places += [(entry["span"]["start"], entry["span"]["end"]) for entry in made.get("rejected", [])]
    assert all(one[1] <= two[0] for one, two in itertools.pairwise(sorted(places)))
    again = limits.extract(made)
    assert {**made, "provenance": 0} == {**again, "provenance": 0}


@pytest.mark.parametrize(
    "unit",
    ["Weaknesses: ", "- ", "a", " ", "\n", "W1 ", "no ", "- Weaknesses -\n", "*", "#### ", "see see ", "However limited, ", "It is slow. ",
     "(a) ", "yes limitations discuss "]
)  # fmt: skip
@pytest.mark.parametrize("head", ["", "Weaknesses:\n"])
def test_junk_takes_linear_time(unit, head):
    with ends():
        found(plain(head + (unit * 50_000)[:100_000]))
