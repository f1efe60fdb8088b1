"""geval by the probabilities of tokens: the place that was read decides, and each of its tokens counts once."""

from __future__ import annotations

import math
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from scholartools.llm.replies import ReplyFault
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.tasks.judge.rate import How, Rating
from scholartools.tasks.judge.rate.contract import Aspect
from scholartools.tasks.judge.rate.numbers import find_rating, read_rating
from scholartools.tasks.judge.rate.token_scores import find_token, scores_of, weigh


def aspect_on(low: float, high: float, step: float = 1) -> Aspect:
    spec = AspectCriteria(name="a", scale=[low, high], step=step, definition="d")
    return Aspect(Criteria(task="t", aspects=[spec]), spec, (low, high))


def token(name: str, probabilities: dict[str, float] | None = None, chosen: float | None = None) -> dict:
    """A token as a provider tells it; sure where nothing is said of others."""
    others = [{"token": one, "logprob": math.log(p)} for one, p in (probabilities or {}).items()]
    return {"token": name, "logprob": 0.0 if chosen is None else math.log(chosen), "top_logprobs": others}


def weighed(aspect: Aspect, tokens: list[dict], text: str | None = None, least: float = 0.0) -> Rating:
    """What a reply of these tokens is worth."""
    text = "".join(one["token"] for one in tokens) if text is None else text
    made = Rating(None, aspect.scale)
    try:
        at = find_token(text, find_rating(text, aspect, How())[1], tokens)
    except ReplyFault as fault:
        at = fault.reason
    if isinstance(at, str):
        made.reason = at
        return made
    return weigh(made, aspect, at, least)


# What stands around a score, X; "sure" where there is one place that can be meant.
AROUND = [
    (["X"], True),
    ([" X", "\n"], True),
    (["Rating", ":", " X", "\n", "It", " names", " ", "C", " parts", " of", " the", " problem", "."], True),
    (["I", " thought", " of", " ", "O", ".", "\n", "Rating", ":", " X"], True),
    (["Score", ":", " ", "**", "X", "**", "\n", "C", " of", " ", "O", " hold"], True),
    (["**X**"], True),
    (["**", "X", "**"], True),
    (["X", "/", "H"], True),
    (["X", " out", " of", " ", "H"], True),
    (["X", " (", "scale", " ", "L", "-", "H", ")"], True),
    (["On", " ", "L", " to", " ", "H", ":", " X"], True),
    (["<think>", "C", " or", " ", "O", "?", "</think>", "X"], True),
    (["X", "<|eot_id|>", "</s>"], True),
    (["X", " (", "maximum", ":", " ", "H", ")"], True),
    (["X", " (", "at", " ", "C", ")"], False),
    (["X", "\n", "It", " names", " ", "C", " parts", "."], False),
    (["Rating", ":", " X", "\n", "Score", ":", " C"], False),
    (["X", ".", "0"], False),
    (["X", ".", "5"], False),
    (["X", "C"], False),
    (["0", "X"], False),
    ([" X."], False),
]


def draw(seed: int) -> tuple[Aspect, list[dict], str, float | None, float]:
    """A reply with its tokens, its score by the definition (None: its place cannot be known), and the scores' mass."""
    rng = random.Random(seed)
    low = rng.randint(0, 4)
    step = rng.randint(1, 3)
    high = low + step * rng.randint(1, (9 - low) // step)
    scores = list(range(low, high + 1, step))
    names, is_sure = rng.choice(AROUND)
    chosen, other = rng.choice(scores), rng.choice([n for n in range(low, high + 1)])
    shares = {str(n): rng.random() for n in range(10)} | {" the": rng.random() / 5}
    shares = {name: p / sum(shares.values()) for name, p in shares.items()}
    if rng.random() < 0.5:  # most of it lies on the scale
        shares = {name: p * (1 if name.isdigit() and int(name) in scores else 1e-3) for name, p in shares.items()}
        shares = {name: p / sum(shares.values()) for name, p in shares.items()}
    mass = sum(shares[str(n)] for n in scores)
    truth = sum(n * shares[str(n)] for n in scores) / mass
    tokens = []
    for name in names:
        for mark, digit in (("X", chosen), ("C", chosen), ("O", other), ("L", low), ("H", high)):
            if mark in name and len(name.strip("* .\n")) == 1 and name.strip("* .\n") == mark:
                spelled = name.replace(mark, str(digit))
                if mark == "X":
                    own = shares[str(chosen)]
                    marked = {spelled if n == str(chosen) else n: p for n, p in shares.items()}
                    listed = marked if rng.random() < 0.7 else {n: p for n, p in marked.items() if n != spelled}
                    tokens.append(token(spelled, listed, own * rng.choice([1, 1 + 1e-8, 1 - 1e-8])))
                else:
                    tokens.append(token(spelled, {spelled: 0.9999}, 0.9999))
                break
        else:
            tokens.append(token(name))
    said = "".join(one["token"] for one in tokens).removesuffix("</s>").removesuffix("<|eot_id|>")
    return aspect_on(low, high, step), tokens, said.rpartition("</think>")[2].strip(), truth if is_sure else None, mass


@pytest.mark.parametrize("part", range(4))
def test_the_mean_of_the_place_that_was_read(part):
    """Scores before, in and after other numbers: the mean that the definition gives, or null; never another."""
    n_values = 0
    for seed in range(part * 500, part * 500 + 500):
        aspect, tokens, text, truth, mass = draw(seed)
        made = weighed(aspect, tokens, text, 0.5)
        if truth is None:
            assert made.score is None and made.reason, (seed, text)
        elif mass < 0.5:
            assert made.score is None and made.mass == pytest.approx(mass), (seed, text)
        else:
            assert made.score == pytest.approx(truth) and made.mass == pytest.approx(mass), (seed, text, made.reason)
            n_values += 1
    assert n_values > 100


WORDS = ["0", "1", "2", " 1", " 2", "**2", "Rating", "Score", ":", " is", "\n", " ", "**", "/", "-", ".", "not", "(", ")",
         " of", " out", " to", "a", "5", "2.0", ">", "minus"]  # fmt: skip


@settings(max_examples=1500)
@given(some.lists(some.sampled_from(WORDS), min_size=1, max_size=9))
def test_another_digit_at_the_place_makes_another_score(names):
    """Independent of how a reply is read: a place is read where another digit there makes that digit the score."""
    aspect, how = aspect_on(0, 2), How()
    text = "".join(names).rstrip()

    def read(reply):
        try:
            return read_rating(reply, aspect, how)
        except ReplyFault:
            return None

    decides = [
        place
        for place, character in enumerate(text)
        if character in "012"
        and read(text) is not None
        and any(
            read(text[:place] + digit + text[place + 1 :]) == int(digit) for digit in "012" if int(digit) != read(text)
        )
    ]
    tokens = [
        token(name, {"0": 0.001 * (n + 1), "1": 0.5, "2": 0.499 - 0.001 * (n + 1)}) for n, name in enumerate(names)
    ]
    for one in tokens:
        one["logprob"] = -60.0
    made = weighed(aspect, tokens, text)
    alone = [n for n in range(len(names)) if len(decides) == 1 and is_digit_at(names, n, decides[0])]
    assert made.score is None or alone, (text, decides)
    if made.score is not None:
        low = 0.001 * (alone[0] + 1)
        assert made.score == pytest.approx((0.5 + 2 * (0.499 - low)) / 0.999, abs=1e-6)


def is_digit_at(names: list[str], n: int, place: int) -> bool:
    """Whether a token holds a place and spells a digit that is a number by itself."""
    text, start = "".join(names), sum(map(len, names[:n]))
    number = next(found[0] for found in re.finditer(r"[0-9.+]+", text) if found.start() <= place < found.end())
    return start <= place < start + len(names[n]) and names[n].strip(" *\n") in "012" and len(number.rstrip(".")) == 1


def test_by_example():
    """The cases by which this was found."""
    three = aspect_on(0, 2)
    at = token("2", {"2": 0.5, "1": 0.3, "0": 0.2}, 0.5)
    sure = token("2", {"2": 1.0})
    behind = [token("\nIt names "), sure, token(" parts of the problem.")]
    assert weighed(three, [token("Rating: "), at, *behind]).score == pytest.approx(1.3)
    assert weighed(three, [at, token(" (scale 0-"), sure, token(")")]).score == pytest.approx(1.3)
    assert weighed(three, [token("**"), at, token("** (maximum: "), sure, token(")")]).score == pytest.approx(1.3)
    assert "several places" in weighed(three, [at, token(", so "), sure, token(".")]).reason
    assert "do not spell" in weighed(three, [sure], text="It is 2").reason
    assert "more than one digit" in weighed(three, [token("2.")], text="2.").reason
    assert "several tokens" in weighed(three, [token("2"), token("."), token("0")]).reason


def test_each_token_counts_once():
    """The chosen token is often told again, from another rounding."""
    scale = aspect_on(1, 5)
    told = {"4": 0.876, "1": 0.058, "2": 0.03, "3": 0.028}
    for near in (1, 1 + 1e-8, 1 - 1e-8):
        made = weighed(scale, [token("4", told, 0.876 * near)])
        assert made.mass == pytest.approx(0.992) and made.score == pytest.approx(3.706 / 0.992)
    apart = token("4", {"4": 0.3, "3": 0.2}, 0.5)
    assert "told twice" in weighed(scale, [apart]).reason
    above = token("4", {"3": 0.7}, 0.5)
    assert weighed(scale, [above]).score is None and "above 1" in weighed(scale, [above]).reason


def test_the_least_mass_is_enough_and_a_step_is_a_step():
    assert weighed(aspect_on(0, 4, 2), [token("2")], least=1.0).score == 2
    mixed = token("2", {"0": 0.2, "1": 0.3, "2": 0.1, "3": 0.3, "4": 0.1}, 0.1)
    made = weighed(aspect_on(0, 4, 2), [mixed])
    assert made.mass == pytest.approx(0.4) and made.distribution == pytest.approx({"0": 0.5, "2": 0.25, "4": 0.25})
    assert made.score == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("scale", "scores"),
    [((0, 2, 1), [0, 1, 2]), ((1, 9, 4), [1, 5, 9]), ((1, 10, 1), []), ((-1, 1, 1), []), ((0.5, 2.5, 1), [])],
)
def test_a_scale_of_one_digit_scores(scale, scores):
    assert scores_of(aspect_on(*scale)) == scores


@pytest.mark.parametrize("logprob", [None, "-0.1", 3.0, float("nan")])
def test_log_probabilities_that_are_none_give_no_score(logprob):
    made = weighed(aspect_on(1, 5), [{"token": "5", "logprob": logprob, "top_logprobs": None}])
    assert made.score is None and "no numbers" in made.reason
