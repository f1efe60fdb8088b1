"""The score in a reply: the published patterns to the letter, the strict definition, time on junk, the command."""

from __future__ import annotations

import re
import string
from concurrent.futures import ProcessPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from support.run import ROOT, jsonl, st

from scholartools.errors import UsageFault
from scholartools.tasks.agree.reply_scores import Reading
from scholartools.text.reply_score import read_published, read_strict

# "Can AI Evaluate Research Questions", appendix A.3.5, as printed.
PATTERNS = [
    r"Score:\s*(?:.*?:\s*)?(\d+)",
    r"Score \(1-5\):\s*(\d+)",
    r"Rating:\s*(?:.*?:\s*)?(\d+)",
    r"\b(\d+)\b",
    r":\s*(\d+)",
]


def as_printed(text):
    for number, pattern in enumerate(PATTERNS, 1):
        if found := re.search(pattern, text):
            return float(found[1]), number
    return None, None


PARTS = ["Score:", "Rating:", "Score", " (1-5):", " ", "\n", ":", "a", "1", "42", "\u0663", "_", "\r", "\x85", "²", "."]


@settings(max_examples=500)
@given(some.lists(some.sampled_from(PARTS), max_size=10).map("".join) | some.text(max_size=20))
def test_the_published_score_is_that_of_the_printed_code(text):
    assert read_published(text)[:2] == as_printed(text)


@pytest.mark.parametrize(
    ("reply", "value", "pattern"),
    [
        ("Score: 4", 4, 1),
        ("Score: problem: 2, method: 5", 2, 1),
        ("Score (1-5): 4", 4, 2),
        ("Rating: 3\nScore: none", 3, 3),
        ("In 2023 I would have said 2", 2023, 4),
        ("the score would be:**95****Reason:**The", 95, 4),
        ("x:3b", 3, 5),
        ("4.5", 4, 4),
        ("-1", 1, 4),
        ("four", None, None),
    ],
)
def test_published_by_example(reply, value, pattern):
    assert read_published(reply)[:2] == (value, pattern) == as_printed(reply)


def test_a_number_that_no_float_holds_is_none():
    found = read_published("Score: " + "9" * 400)
    assert (found.value, found.reason) == (None, "the number is too large")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("4", 4),
        ("**4**", 4),
        ("4.5", 4.5),
        ("4/5", 4),
        ("I give it 4 out of 5.", 4),
        ("3.0 out of 5.0", 3),
        ("5 out of 5", 5),
        ("Score (1-5): 4", 4),
        ("4 (on a scale of 1 to 5)", 4),
        ("1. It names 3 data sets.\n2. It says why.\n\n**Score**: **2**", 2),
        ('{"score": 4, "why": "clear"}', 4),
        ("The rating is 3.\nRating: 3.0", 3),
        ("4. Yes, a 4.", 4),
        ("1. It asks one thing.\n2. It is new.\n\n**Rating:** 4", 4),
        ("1) Clear.\n2) New.\nRating (1-5): 4/5", 4),
    ],
)
def test_strict_takes_what_can_be_read_in_one_way(reply, value):
    assert read_strict(reply, 1, 5)[:3] == (value, None, None)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "no number"),
        ("four", "no number"),
        ("1-5", "no number"),
        ("Score: four\n4 reviewers", "no number behind the word score or rating"),
        ("Score: 3 or 4", "several numbers"),
        ("Score: 3\nRating: 4", "several numbers"),
        ("1. Bad. 2. Good. 3", "several numbers"),
        ("7", "a number out of the range"),
        ("-4", "a number out of the range"),
        ("2023", "a number out of the range"),
        ("Rating: 2 out of 2", "a number that the words beside it change"),
        ("4 of the possible 4", "a number that the words beside it change"),
        ("95%", "digits that are no plain number"),
        ("4,5", "digits that are no plain number"),
        (".5", "digits that are no plain number"),
        ("3-4", "digits that are no plain number"),
        ("4/10", "digits that are no plain number"),
        ("GPT-4 says 3", "digits that are no plain number"),
        ("٤", "digits that are no plain number"),
        ("1e0", "digits that are no plain number"),
    ],
)
def test_strict_takes_nothing_else(reply, reason):
    assert read_strict(reply, 1, 5)[:3] == (None, None, reason)


@pytest.mark.parametrize("reply", ["Score (0-2): 2", "**Score (0–2):** 2", "Score [0 to 2]: 2", "Score (0-2): 2/2"])
def test_strict_does_not_take_the_scale_for_the_score_as_the_published_patterns_do(reply):
    assert read_strict(reply, 0, 2).value == 2
    assert read_strict(reply, 1, 5).value is None, "on another scale it is not clear what is meant"
    assert read_strict(reply.replace(": 2", ":").replace(":** 2", ":**"), 0, 2).value is None


# Latin letters could spell what says that a number is none of the scale ("MAX"): words are from a list.
_SIGNS = some.text(
    some.characters(exclude_categories=["Nd", "Nl", "No"], exclude_characters=string.ascii_letters), max_size=30
)
_WORDS = some.sampled_from(["", "The question is clear", "Reasons", "I read it twice", "Method and aim are named"])


@given(some.integers(1, 5), _WORDS, _SIGNS)
def test_strict_and_published_agree_on_a_number_behind_a_label_at_the_end(number, words, signs):
    reply = f"{words}{signs.replace(':', '').replace('=', '')}\nScore: {number}"
    assert read_strict(reply, 1, 5).value == read_published(reply).value == number


N = 1_000_000
JUNK = [
    "Score:" * (N // 6), "Score: " + " " * N, "Score: :" * (N // 8), "Score:\n" * (N // 7), "1a" * (N // 2), "9" * N,
    "9" * N + "a", ": " * (N // 2), ":" * N, "Score (1-5): " * (N // 13), "a" * N, "score" + "*" * N,
    "1 to " * (N // 5), "1" + " " * N, "score is " * (N // 9), "1 / " * (N // 4), "Score:  \n  " * (N // 12),
    "<think></think>" * (N // 15), "</think>" * (N // 8), "five " * (N // 5) + "5", "1 or " * (N // 5), "max is " * (N // 7),
    "score: 1\n" * (N // 9), "score: ((" * (N // 9), "lose " * (N // 5), "\n* " * (N // 3), "Rating: \x85" * (N // 9),
]  # fmt: skip


def read_all():
    return [(read_published(junk).reason or "", read_strict(junk, 1, 5).reason or "") for junk in JUNK]


@pytest.mark.slow
def test_junk_of_a_megabyte_ends():
    """Time that grows with the square of the length would be an hour; what is waited for is some seconds."""
    with ProcessPoolExecutor(1) as pool:
        future = pool.submit(read_all)
        try:
            assert len(future.result(timeout=600)) == len(JUNK)
        except TimeoutError:
            for process in pool._processes.values():
                process.kill()
            raise


# The command.

REPLIES = [
    {"item": 1, "rater": "m", "reply": "Score: 4", "kept": [1]},
    {"item": 2, "rater": "m", "reply": "I cannot say."},
    {"item": 3, "rater": "m", "reply": None},
    {"item": 4, "rater": "m", "reply": "2 or 3"},
]


STRICT = ("--range", "1", "5")


def parse(*args, data=None, status=0):
    result = st("st-agree", "parse-score", *args, input=jsonl(*REPLIES) if data is None else data)
    assert result.status == status, result.err
    return result


def test_each_record_gets_its_score_or_null_with_the_reason():
    records = parse("--published").records
    assert [record["value"] for record in records] == [4, None, None, 2]
    about = [record.pop("value_parsed") for record in records]
    assert [entry["pattern"] for entry in about] == [1, None, None, 4]
    assert [entry["reason"] for entry in about] == [None, "no number", "no reply", None]
    assert [{key: record[key] for key in record if key != "value"} for record in records] == REPLIES
    assert len({entry["signature"] for entry in about}) == 4


def test_strict_scores_and_their_signatures():
    records = parse(*STRICT).records
    assert [record["value"] for record in records] == [4, None, None, None]
    assert records[3]["value_parsed"]["reason"] == "several numbers"
    others = [parse("--published").records[0], parse("--range", "1", "4").records[0], records[0]]
    assert len({record["value_parsed"]["signature"] for record in others}) == 3


def test_a_summary_counts_what_was_not_parsed():
    (entry,) = parse("--summary", "--published").records
    assert (entry["value"], entry["n_parsed"], entry["n_replies"]) == (0.5, 2, 4)
    assert entry["nulls"] == {"no number": 1, "no reply": 1}
    assert entry["patterns"] == {"1": 1, "2": 0, "3": 0, "4": 1, "5": 0}
    assert parse("--summary", "--published", data=jsonl(*REPLIES[::-1])).records == [entry]
    (strictly,) = parse("--summary", *STRICT).records
    assert strictly["nulls"] == {"no number": 1, "no reply": 1, "several numbers": 1} and "patterns" not in strictly
    text = parse("--table", "--published").out.decode()
    assert "2 of 4" in text and "1 without a score: no reply" in text
    (empty,) = parse("--summary", *STRICT, data=b"").records
    assert (empty["value"], empty["reason"]) == (None, "no replies")


def test_the_scores_are_ratings():
    data = jsonl(*(
        {"item": item, "rater": rater, "reply": f"Rating: {1 + (item + shift) % 3}"}
        for item in range(6) for rater, shift in (("m", 0), ("n", item // 4))
    ))  # fmt: skip
    parsed = parse(*STRICT, data=data).out
    result = st("st-agree", "alpha", "--level", "ordinal", input=parsed)
    assert result.status == 0 and 0 < result.records[0]["value"] < 1 and result.records[0]["n_items"] == 6


def test_other_keys_and_several_replies_of_a_record():
    data = jsonl({"said": {"problem": "Score: 2", "method": "5"}})
    first = parse(*STRICT, "--reply", "said.problem", "--value", "problem", data=data).out
    (record,) = parse(*STRICT, "--reply", "said.method", "--value", "method", data=first).records
    assert (record["problem"], record["method"]) == (2, 5)


def test_records_without_a_reply_fail_and_nothing_is_overwritten():
    data = jsonl({"reply": "4"}, {"other": 1}, {"reply": 4}, {"reply": "4", "value": 3})
    result = parse(*STRICT, data=data, status=1)
    assert [record.get("value") for record in result.records] == [4, None, None, 3]
    assert [record["errors"][0]["kind"] for record in result.records[1:]] == ["missing-key"] + ["invalid-key"] * 2
    (entry,) = parse("--summary", *STRICT, data=data, status=1).records
    assert (entry["n_replies"], entry["dropped"]) == (1, {"invalid-key": 2, "missing-key": 1})


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "parse-score needs --range LOW HIGH"),
        ((*STRICT, "--published"), "--range cannot be used with --published"),
        (("--range", "5", "1"), "the first number must be lower than the second"),
        (("--range", "1", "nan"), "nan is not a finite number"),
        (("--item", "id"), "No such option"),
        (("--where", "a=b"), "No such option"),
        (("alpha",), "parse-score cannot be combined with alpha"),
    ],
)
def test_wrong_usage(args, said):
    result = parse(*args, status=2)
    assert said in result.err and result.err.count("\n") == 1


def test_a_reading_is_checked_from_python_as_well():
    with pytest.raises(UsageFault, match="range"):
        Reading()


def test_the_two_cases_that_the_published_patterns_misread_from_outside():
    data = jsonl({"reply": "Score (0-2): 2"}, {"reply": "1. One aim.\n2. New.\n\n**Rating:** 2"})
    assert [record["value"] for record in parse("--published", data=data).records] == [0, 1]
    assert [record["value"] for record in parse("--range", "0", "2", data=data).records] == [2, 2]
    text = " ".join(st("st-agree", "parse-score", "--help").out.decode().split())
    assert '"Score (0-2): 2" as 0, and a numbered list before "**Rating:** 4" as 1' in text


@pytest.mark.parametrize(
    "reply",
    ["Score: minus 3", "Score: *not* 3", "The rating isn't 3.", "Rating: at least 3", "3 or more", "Rating: 3 and a half",
     "It is no more than 3.", "Score: 3 (not 4)", "almost 4", "I would not give it a 5", "I cannot give this a 4.",
     "This doesn't deserve 5.", "Score: <4", "**Score:** ≥ 4", "Score: ~4"],
)  # fmt: skip
def test_a_number_that_words_beside_it_change_is_not_read(reply):
    assert read_strict(reply, 1, 5).value is None


@pytest.mark.parametrize(
    "reply",
    ["Rating: 4 and a strong paper", "I would not say more. Score: 4", "Rating: 4, about", "It is not bad: 4", "> 4"],
)
def test_words_that_change_no_number_leave_it(reply):
    assert read_strict(reply, 1, 5).value == 4


@pytest.mark.parametrize("reply", ["<4", "< 4", ">=4", ">= 4", "~4", "≈ 4", "≤4", "±4", "Well.\n<4"])
def test_a_sign_of_comparison_at_the_start_of_a_line_leaves_the_score_open(reply: str) -> None:
    assert read_strict(reply, 1, 5).value is None


@pytest.mark.parametrize("reply", ["> 4", "<4>"])
def test_a_mark_of_a_quotation_and_brackets_are_no_comparison(reply: str) -> None:
    assert read_strict(reply, 1, 5).value == 4


@pytest.mark.parametrize(
    "reply",
    ["somewhere north of 4", "Rating: approx. 4", "Rating: exceeds 4", "It surpasses a 4", "Rating: √4",
     "Rating: 4 at first", "4 initially", "It deserves less than the 4 I gave before", "last time it was 4",
     "The previous score was 4", "A score of 4 would need more.", "To get a 4 it must name the method.",
     "To be worth a 4 it must be longer."],
)  # fmt: skip
def test_a_number_beside_which_the_score_stands_is_not_read(reply: str) -> None:
    assert read_strict(reply, 1, 5).value is None


@pytest.mark.parametrize(
    "reply",
    ["4", "It gets a 4 to begin the scale.", "I would give it a 4.", "This would be a 4.", "At first glance weak. 4",
     "Clear from the start: 4", "| Rating | 4 |", "The problem was named before. Rating: 4"],
)  # fmt: skip
def test_words_that_stand_elsewhere_leave_it(reply: str) -> None:
    assert read_strict(reply, 1, 5).value == 4


def test_the_page_says_which_replies_are_read():
    """By the command: the replies that docs/agree.md calls ambiguous, and the one that it says is read wrongly."""
    page = " ".join((ROOT / "docs" / "agree.md").read_text().split())
    ambiguous = re.findall(r'"([^"]+)"', page.partition("words make the number ambiguous:")[2].partition(". - ")[0])
    wrong = re.search(r'can read a wrong number: it reads "([^"]+)" as 4', page)
    assert len(ambiguous) > 20 and wrong
    replies = [{"item": n, "rater": "j", "reply": reply} for n, reply in enumerate([*ambiguous, wrong[1]])]
    done = st("st-agree", "parse-score", "--range", "1", "5", input=jsonl(*replies))
    assert [record["value"] for record in done.records] == [None] * len(ambiguous) + [4]
