"""What models reply to the actions of st-claims: kept, merged or rejected with a reason; conflicts are asked again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from scholartools.llm.replies import ReplyFault
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.evidence import Papers, evidence
from scholartools.tasks.claims.quotations import (
    Piece,
    flag_overlaps,
    located_claims,
    located_weaknesses,
    refuse_if_nothing_is_there,
)
from scholartools.tasks.claims.target_choice import verify_choice

TEXT = (
    "Murmur halves the error rate, from 31% to 15%. It does so without a single transcribed whisper. We see no loss on "
    "normal speech. Murmur improves 4.2 points over the baseline. All speakers benefit from it, and no speaker is worse."
)
PIECE = Piece("s1", f"Before. {TEXT} After.", 8, 8 + len(TEXT))


def claims(*quotes: str):
    return located_claims(replies.Claims(claims=list(quotes)), PIECE)


words = TEXT.split()
quotes = st.lists(
    st.one_of(
        st.text(max_size=40),
        st.tuples(st.integers(0, len(words)), st.integers(0, len(words))).map(
            lambda ends: " ".join(words[slice(*sorted(ends))])
        ),
        st.sampled_from([f"Claim 3: {TEXT[:46]}", TEXT.replace("4.2", "4.3"), TEXT[:46].upper(), "…", "😀"]),
    ),
    max_size=8,
)


@settings(max_examples=150)
@given(quotes)
def test_whatever_is_quoted_is_kept_merged_or_rejected_and_kept_is_a_slice(some):
    found = claims(*some)
    assert len(found.items) + found.n_merged + len(found.rejected) == found.n_given == len(some)
    for item in found.items:
        span = item["spans"][0]
        assert PIECE.start <= span["start"] < span["end"] <= PIECE.end
        assert item["text"] == PIECE.text[span["start"] : span["end"]]
    assert [item["spans"][0]["start"] for item in found.items] == sorted(
        item["spans"][0]["start"] for item in found.items
    )
    assert all(one["reason"] and one["in"] == "s1" for one in found.rejected)


@pytest.mark.parametrize(
    ("quote", "reason"),
    [
        ("Murmur improves 4.3 points over the baseline.", "number changed: 4.2 -> 4.3"),
        ("All speakers do not benefit from it", "negation"),
        ("Murmur halves the error rate, without a single transcribed whisper.", ""),
        ("All speakers benefit from it, and no speaker is worse than before in any of the tests we ran.", ""),
    ],
)
def test_a_quote_that_says_something_else_is_rejected_with_its_reason(quote, reason):
    found = claims(quote)
    assert found.items == [] and reason in found.rejected[0]["reason"]
    with pytest.raises(ReplyFault, match="none of the quotes"):
        refuse_if_nothing_is_there(found)


def test_a_label_before_a_quote_is_no_part_of_it():
    assert [item["text"] for item in claims("Claim 3: It does so without a single transcribed whisper.").items] == [
        "It does so without a single transcribed whisper."
    ]


def test_a_quote_over_noise_is_refused():
    noisy = "Our method improves 103 F1 on all tasks by a wide margin."
    found = located_claims(
        replies.Claims(claims=["Our method improves F1 on all tasks by a wide margin."]),
        Piece("s1", noisy, 0, len(noisy)),
    )
    assert "103" in found.rejected[0]["reason"]


def test_the_same_place_is_kept_once_and_overlaps_are_named():
    found = claims(words_from(0, 9), words_from(0, 9), words_from(4, 12))
    assert (len(found.items), found.n_merged) == (2, 1)
    items = [{"id": f"c{place}", **item} for place, item in enumerate(found.items)]
    flag_overlaps(items)
    assert [item["shares"] for item in items] == [["c1"], ["c0"]]


def words_from(start: int, end: int) -> str:
    return " ".join(words[start:end])


def test_equal_sentences_are_told_apart_by_their_order():
    text = "It is better. We tried twice. It is better."
    found = located_claims(
        replies.Claims(claims=["It is better.", "We tried twice.", "It is better."]), Piece("s", text, 0, len(text))
    )
    assert [item["spans"][0]["start"] for item in found.items] == [0, 14, 30]


# Scales


@pytest.mark.parametrize("value", [0, 6, 3.5, True, None, "six", "4.5", 2.0, []])
def test_a_value_that_is_not_on_the_scale_is_refused(value):
    with pytest.raises(ValidationError):
        replies.Disputing(quote="x", groundedness=value)


LABELS = {
    "reasoning_objectivity": "a",
    "objectivity": 3,
    "reasoning_agreement": "b",
    "agreement": 5,
    "reasoning_types": "c",
    "types": dict.fromkeys(("insufficient", "contradictory", "novelty", "clarity", "related_work", "other"), False),
}


def test_a_digit_as_text_is_read_and_counted():
    read = replies.Labels.model_validate({**LABELS, "objectivity": "4"})
    assert (read.objectivity, read.agreement, read.n_repaired) == (4, 5, 1)
    assert replies.Labels.model_validate(LABELS).n_repaired == 0


@pytest.mark.parametrize("missing", ["objectivity", "agreement", "types"])
def test_a_key_that_is_missing_is_refused(missing):
    with pytest.raises(ValidationError):
        replies.Labels.model_validate({key: value for key, value in LABELS.items() if key != missing})
    with pytest.raises(ValidationError):
        replies.Types.model_validate({"insufficient": True})


def test_groundedness_goes_with_its_quote():
    reply = replies.Weaknesses(weaknesses=[{"quote": "All speakers benefit from it", "groundedness": "4"}])
    assert located_weaknesses(reply, PIECE).items[0]["groundedness"] == 4


# Choosing targets


SENTENCES = ["Alpha is best.", "Beta is new.", "Gamma costs nothing at all.", "Delta holds.", "Epsilon wins."]
ABSTRACT = " ".join([*SENTENCES, "Zeta was never a candidate, but is claimed."])
CANDIDATES = [
    {
        "id": f"c{number}",
        "text": text,
        "spans": [{"in": "abstract", "start": ABSTRACT.index(text), "end": ABSTRACT.index(text) + len(text)}],
    }
    for number, text in enumerate(SENTENCES, 1)
]
REVIEW = "I doubt it. The authors never tested Omega."


def choose(*numbers: int, custom: str | None = None, texts: dict[int, str] | None = None):
    targets = [
        {"number": number, "text": (texts or {}).get(number, SENTENCES[number - 1] if 1 <= number <= 5 else "?")}
        for number in numbers
    ]
    reply = replies.Association(reasoning="r", targets=targets, custom=custom)
    return verify_choice(reply, CANDIDATES, {"abstract": ABSTRACT}, REVIEW, 3)


def test_chosen_candidates_and_a_custom_one():
    found = choose(3, 1, custom="Zeta was never a candidate, but is claimed.")
    assert [(item["claim"], item["custom"]) for item in found.items] == [("c3", False), ("c1", False), (None, True)]
    assert found.ranks == [3, 1] and found.rejected == []
    span = found.items[2]["spans"][0]
    assert ABSTRACT[span["start"] : span["end"]] == found.items[2]["text"]
    assert choose().items == []


@pytest.mark.parametrize(
    ("numbers", "more", "reason"),
    [
        ((1, 2, 3, 4), {}, "at most 3"),
        ((1, 2, 3), {"custom": "Zeta was never a candidate"}, "at most 3"),
        ((6,), {}, "no claim 6"),
        ((0,), {}, "no claim 0"),
        ((2, 2), {}, "twice"),
        ((3,), {"texts": {3: SENTENCES[4]}}, "is that of claim 5"),
        ((3,), {"texts": {3: "Gamma costs much."}}, "in the list nowhere"),
    ],
)
def test_a_choice_that_contradicts_itself_is_asked_again(numbers, more, reason):
    with pytest.raises(ReplyFault, match=reason):
        choose(*numbers, **more)


def test_two_custom_targets_are_no_reply():
    with pytest.raises(ValidationError):
        replies.Association(reasoning="r", targets=[], custom=["a", "b"])


def test_number_and_text_agree_whatever_the_typography_and_label():
    assert choose(3, texts={3: "Claim 3:  gamma costs nothing  at all."}).items[0]["claim"] == "c3"


def test_a_custom_target_that_is_a_candidate_becomes_that_candidate():
    found = choose(1, custom="Claim 9: Beta is new.")
    assert [item["claim"] for item in found.items] == ["c1", "c2"] and found.was_candidate and found.ranks == [1, 2]
    again = choose(2, custom="Beta is new.")
    assert [item["claim"] for item in again.items] == ["c2"] and again.was_candidate


def test_a_custom_target_inside_a_candidate_says_so():
    item = choose(custom="costs nothing at all").items[0]
    assert (item["custom"], item["inside"], item["text"]) == (True, "c3", "costs nothing at all.")


def test_words_for_no_target_are_none_and_a_word_or_two_are_no_target():
    """Both "none" and "nothing" may stand in a paper: neither is a claim of it."""
    for custom in ("None", "none.", "N/A", "null"):
        found = choose(1, 2, 3, custom=custom)
        assert [item["claim"] for item in found.items] == ["c1", "c2", "c3"] and not found.rejected
    found = choose(1, custom="nothing")
    assert len(found.items) == 1 and "too short" in found.rejected[0]["reason"]
    assert "too short" in claims("error rate").rejected[0]["reason"]


def test_a_custom_target_out_of_the_review_or_nowhere_is_rejected():
    assert "in the review" in choose(1, custom="The authors never tested Omega.").rejected[0]["reason"]
    made_up = choose(1, custom="Everything works for everybody everywhere.")
    assert made_up.rejected and [item["claim"] for item in made_up.items] == ["c1"]


# Evidence


PAPERS = Papers(
    {
        "abstract": "The first finding is small. The second finding is large.",
        "sections": [
            {
                "id": f"s{number}",
                "number": None,
                "heading": "",
                "level": 1,
                "role": "result",
                "text": f"Sentence of section {number}.",
            }
            for number in range(1, 12)
        ],
        "captions": [{"id": "table2", "kind": "table", "label": "Table 2", "text": "Table 2: Rates of all groups."}],
    },
    [
        {
            "id": "other",
            "abstract": "Another paper says the contrary.",
            "captions": [{"id": "t1", "kind": "table", "label": "Table 1", "text": "Table 1."}],
        }
    ],
    "The reviewer writes this sentence here.",
)


def piece(label: str, quote: str | None = None, paper: int = 0) -> dict:
    return {"paper": paper, "label": label, "quote": quote}


def gathered(*pieces: dict, reasoning: str = "Because."):
    return evidence([replies.Piece.model_validate(one) for one in pieces], reasoning, PAPERS)


def test_labels_follow_the_order_of_the_papers():
    found = gathered(
        piece("text_0", "Another paper says the contrary.", 1),
        piece("text_1", "Sentence of section 10."),
        piece("table_2"),
        piece("text_2", "Sentence of section 2."),
        piece("text_3", "The second finding is large."),
        reasoning="By <text_0>, <table_2>, <text_1>.",
    )
    assert [(item["label"], item["text"]) for item in found.items] == [
        ("text_0", "The second finding is large."),
        ("text_1", "Sentence of section 2."),
        ("text_2", "Sentence of section 10."),
        ("text_3", "Another paper says the contrary."),
        ("table_2", None),
    ]
    assert found.items[3]["paper"] == found.items[3]["spans"][0]["paper"] == "other"
    assert found.text == "By <text_3>, <table_2>, <text_2>." and found.cited == ["text_3", "table_2", "text_2"]


@pytest.mark.parametrize(
    ("pieces", "reasoning", "reason"),
    [
        ([], "By <text_9>.", "text_9"),
        ([piece("text_0", "The first finding is small."), piece("text_0", "x")], "x", "twice"),
        ([piece("quote_0", "x")], "x", "no label"),
        ([piece("text_0", "x", 2)], "x", "no paper 2"),
        ([piece("table_1", None, 1)], "x", "not of paper 1"),
        ([], " ", "empty"),
    ],
)
def test_evidence_that_cannot_be_read_is_asked_again(pieces, reasoning, reason):
    with pytest.raises(ReplyFault, match=reason):
        gathered(*pieces, reasoning=reasoning)


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (piece("table_9"), "no table 9"),
        (piece("text_0", "Another paper says the contrary."), "paper 1, not in paper 0"),
        (piece("text_0", "The first finding is small.", 1), "paper 0, not in paper 1"),
        (piece("text_0", "The reviewer writes this sentence here."), "in the review"),
        (piece("text_0", "The first finding is not small."), "negation"),
        (piece("text_0"), "no quote"),
    ],
)
def test_evidence_that_is_not_there_is_rejected_with_its_reason(one, reason):
    found = gathered(one, reasoning=f"By <{one['label']}>.")
    assert found.items == [] and found.cited == [] and reason in found.rejected[0]["reason"]


def test_tables_of_related_papers_have_labels_of_their_own():
    found = gathered(piece("r1_table_1", None, 1), piece("table_2"), reasoning="By <r1_table_1>.")
    assert {(item["label"], item["caption"], item.get("paper")) for item in found.items} == {
        ("r1_table_1", "t1", "other"),
        ("table_2", "table2", None),
    }
    assert found.cited == ["r1_table_1"]
