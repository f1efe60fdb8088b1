"""Controls are true: drawn records at the shape of CLAIMCHECK, and a check of overlap that shares no code with ours."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from scholartools.tasks.claims.controls import Disputes, count_unknown, undisputed_controls

#: Draws of a quick test, of a slow one, and of one that takes minutes.
DRAWS = [
    pytest.param(0, 150, id="quick"),
    pytest.param(1, 2_000, id="slow", marks=pytest.mark.slow),
    pytest.param(2, 10_000, id="exhaustive", marks=pytest.mark.exhaustive),
]
#: All different, so that two passages are alike for no other reason than that they overlap or one repeats the other.
WORDS = ["".join(word) for word in itertools.islice(itertools.product("abcdefg", repeat=5), 1000)]


def draw(rng: random.Random) -> dict:
    """A paper of about 20 claims, some within others or said twice, and weaknesses of several systems and people."""
    text = " ".join(word + rng.choice(["", "", ",", ";", ")"]) for word in rng.sample(WORDS, 300))
    starts = [0, *(found.end() for found in re.finditer(" ", text))]

    def passage(length: int) -> dict:
        first = rng.randrange(len(starts) - length - 1)
        start, end = starts[first], starts[first + length] - 1
        return {"text": text[start:end], "spans": [{"in": "s1", "start": start, "end": end}]}

    claims = [
        {"id": f"c{n}", "by": "m", "role": rng.choice(["result", "method"]), **passage(rng.randint(3, 14))}
        for n in range(rng.randint(4, 28))
    ]
    for claim in rng.sample(claims, 2):  # said again in the abstract, with a period
        again = f"{claim['text'].capitalize()}."
        place = {"in": "abstract", "start": 1000 * len(claims), "end": 1000 * len(claims) + len(again)}
        claims.append({**claim, "id": f"c{len(claims)}", "text": again, "spans": [place]})

    def target() -> dict:
        if rng.random() < 0.3:
            return {"claim": None, "custom": True, **passage(rng.randint(2, 8))}
        claim = rng.choice(claims)
        return {"claim": claim["id"], "custom": False, "text": claim["text"], "spans": claim["spans"]}

    def weakness(name: str) -> dict:
        systems = rng.sample(["gold", "a", "m"], rng.randint(1, 3))
        start = rng.randrange(50) * 20
        span = {"in": "review:r1", "start": start, "end": start + rng.randint(5, 25)}
        targets = [
            {"system": one, "items": rng.choice([None, [], [target() for _ in range(rng.randint(1, 3))]])}
            for one in systems
        ]
        return {
            "id": name,
            "review": "r1",
            "text": " ".join(WORDS[start : start + 9]),
            "spans": [span],
            "targets": targets,
        }

    weaknesses = [weakness(f"w{n}") for n in range(rng.randint(1, 5))]
    others = [{"rater": "b", "review": "r1", "items": rng.choice([None, [weakness("w1")]])}]
    return {
        "id": "p", "abstract": None, "claims": claims, "weaknesses": weaknesses, "annotations": {"weaknesses": others}
    }  # fmt: skip


def letters(text: str) -> list[str]:
    return re.findall("[a-z]+", text.lower())


def is_one(first: dict, second: dict) -> bool:
    """Whether two passages share a character of the paper, six words, or over a third of the words of the shorter.

    That is enough: each word stands in the text once, and again where a claim is said again.
    """
    places = [
        {(span["in"], n) for span in one["spans"] for n in range(span["start"], span["end"])} for one in (first, second)
    ]
    one, other = set(letters(first["text"])), set(letters(second["text"]))
    return bool(places[0] & places[1]) or len(one & other) >= 6 or 3 * len(one & other) > min(len(one), len(other))


def all_targets(weaknesses: list[dict]) -> list[dict]:
    return [item for one in weaknesses for entry in one["targets"] for item in entry["items"] or ()]


@pytest.mark.parametrize(("seed", "n_draws"), DRAWS)
def test_no_control_is_disputed_by_anybody(seed, n_draws):
    rng = random.Random(seed)
    n_controls = n_lacking = 0
    for _ in range(n_draws):
        record = draw(rng)
        everybody = all_targets(record["weaknesses"]) + all_targets(
            [one for entry in record["annotations"]["weaknesses"] for one in entry["items"] or ()]
        )
        own = [one for one in everybody if rng.random() < 0.5]
        made = undisputed_controls(record, record["claims"], own)
        assert not [one for one in made if any(is_one(one, target) for target in everybody)]
        assert not [one for n, one in enumerate(made) if any(is_one(one, other) for other in made[:n])]
        free = [one for one in record["claims"] if not any(is_one(one, target) for target in everybody)]
        assert len(made) == len(own) or all(any(is_one(one, other) for other in made) for one in free)
        n_controls += len(made)
        n_lacking += len(own) - len(made)
    assert n_controls > n_draws / 2 and n_lacking > n_draws / 10


SAID_ONCE = {
    "in one order": lambda claim: {"items": [], "votes": [{"order": "given", "targets": [claim["id"]]}]},
    "where the other order failed": lambda claim: {
        "items": None,
        "votes": [{"order": "given", "targets": None}, {"order": "reversed", "targets": [claim["id"]]}],
    },
    "at first": lambda claim: {"items": [], "tentative": [claim["id"], "an id of no claim"]},
    "in its own words": lambda claim: {
        "items": [],
        "votes": [{"order": "given", "targets": [], "custom": claim["text"][:30]}],
    },
}


@pytest.mark.parametrize("said", SAID_ONCE.values(), ids=SAID_ONCE)
def test_what_one_vote_alone_disputes_is_no_control(said):
    texts = ["Dry snow slides from steep roofs at night", "Our rain gauge never freezes in April", "Wind is weak here"]
    claims = [
        {"id": f"c{n}", "by": "m", "text": text, "spans": [{"in": f"s{n}", "start": 0, "end": len(text)}]}
        for n, text in enumerate(texts)
    ]
    gold = {"system": "gold", "items": [{**claims[0], "claim": "c0", "custom": False}]}
    place = {"review": "r1", "groundedness": None}
    weaknesses = [
        {
            "id": f"w{n}",
            **place,
            "text": text,
            "spans": [{"in": "review:r1", "start": 9 * n, "end": 9 * n + 6}],
            "targets": [entry],
        }
        for n, text, entry in [(1, "Roofs?", gold), (2, "Gauges", {"system": "m", **said(claims[1])})]
    ]
    record = {"id": "p", "claims": claims, "weaknesses": weaknesses}
    [control] = undisputed_controls(record, claims, [claims[0]])
    assert control["claim"] == "c2"
    sides = [{"weakness": "w1", "claim": claims[0]}, {"weakness": "w2", "claim": claims[2]}]
    assert Disputes(record, sides).are_apart(*sides)
    gold["items"] = [{**claims[1], "claim": "c1", "custom": False}]
    assert not Disputes(record, sides).are_apart(*sides)


@pytest.mark.parametrize(("seed", "n_draws"), DRAWS)
def test_no_pair_of_different_issues_is_one_weakness_or_one_claim(seed, n_draws):
    rng = random.Random(seed)
    n_pairs = 0
    for _ in range(n_draws):
        record = draw(rng)
        sides = [
            {"id": f"v{n}", "side": "reviewer", "weakness": one["id"], "claim": {"id": item["claim"], **item}}
            for n, (one, item) in enumerate((one, item) for one in record["weaknesses"] for item in all_targets([one]))
        ]
        disputes = Disputes(record, sides)
        weaknesses = {one["id"]: one for one in record["weaknesses"]}
        rated = [one for entry in record["annotations"]["weaknesses"] for one in entry["items"] or ()]
        of_all = {
            name: all_targets([one, *(other for other in rated if is_passage_shared(one, other))])
            for name, one in weaknesses.items()
        }
        for first in sides[:4]:
            for second in sides:
                one, other = weaknesses[first["weakness"]], weaknesses[second["weakness"]]
                is_shared = is_passage_shared(one, other) or any(
                    is_one(target, item) for target in of_all[one["id"]] for item in of_all[other["id"]]
                )
                assert disputes.are_apart(first, second) == (one is not other and not is_shared)
                n_pairs += not is_shared
    assert n_pairs > n_draws / 10


def is_passage_shared(first: dict, second: dict) -> bool:
    [one], [other] = first["spans"], second["spans"]
    return bool(set(range(one["start"], one["end"])) & set(range(other["start"], other["end"])))


def edited(rng: random.Random, words: list[str]) -> str:
    """The same said once more: words inserted, others replaced or left out, another citation, another end."""
    made = [*words, *rng.sample(WORDS[500:], rng.randint(0, len(words) // 2))]
    for _ in range(len(words) // 5):
        place = rng.randrange(len(words))
        made[place : place + rng.randint(0, 1)] = rng.sample(WORDS[500:], rng.randint(0, 1))
    said = " ".join(made).capitalize()
    return said + rng.choice(["", ".", f" [{rng.randrange(99)}].", f" (Smith et al., {rng.randrange(1990, 2020)})!"])


@pytest.mark.parametrize(("seed", "n_draws"), [(3, 300), pytest.param(4, 20_000, marks=pytest.mark.exhaustive)])
def test_what_is_said_twice_with_edits_is_no_control(seed, n_draws):
    """And what shares a fifth of its words with another, in any order, is one."""
    rng = random.Random(seed)
    for _ in range(n_draws):
        drawn = rng.sample(WORDS[:500], 80)
        own = drawn[: rng.randint(4, 40)]
        foreign = [*own[: len(own) // 5], *drawn[len(own) : 2 * len(own) - len(own) // 5]]
        texts = [edited(rng, own), edited(rng, own), " ".join(rng.sample(foreign, len(foreign)))]
        weaknesses = [{"id": f"w{n}", "review": "r1", "text": text, "spans": []} for n, text in enumerate(texts)]
        sides = [{"weakness": f"w{n}", "claim": {"text": f"{'abc'[n] * 9}", "spans": []}} for n in range(3)]
        disputes = Disputes({"weaknesses": weaknesses}, sides)
        found = [disputes.are_apart(sides[one], sides[other]) for one, other in ((0, 1), (0, 2), (1, 2))]
        assert found == [False, True, True], texts


def test_a_claim_that_a_model_named_in_other_words_is_no_control():
    """The paper has no such words, so the target was refused: the claim was taken for one that nobody disputes."""
    texts = ["Dry snow slides from steep roofs at night", "Our rain gauge never freezes in April", "Wind is weak here"]
    claims = [
        {"id": f"c{n}", "by": "m", "text": text, "spans": [{"in": f"s{n}", "start": 0, "end": len(text)}]}
        for n, text in enumerate(texts)
    ]
    entry = {"system": "m", "by": "m", "items": [{**claims[0], "claim": "c0", "custom": False}]}
    weaknesses = [
        {"id": f"w{n}", "review": "r1", "text": text, "spans": [{"in": "review:r1", "start": n, "end": n + 1}]}
        for n, text in enumerate(["Roofs?", "Gauges"])
    ]
    record = {"id": "p", "claims": claims, "weaknesses": [{**one, "targets": [entry]} for one in weaknesses]}
    sides = [{"weakness": "w0", "claim": claims[0]}, {"weakness": "w1", "claim": claims[1]}]
    [control] = undisputed_controls(record, claims, [claims[0]])
    assert control["claim"] == "c1"
    refused = {"command": "st-claims", "step": "associate", "system": "m", "weakness": "w0", "reason": "not there"}
    record["rejected"] = [{**refused, "text": "The rain gauge never freezes in April"}]
    [control] = undisputed_controls(record, claims, [claims[0]])
    assert control["claim"] == "c2"
    record["weaknesses"][1]["targets"] = [{**entry, "items": [{**claims[1], "claim": "c1", "custom": False}]}]
    assert not Disputes(record, sides).are_apart(*sides)


def test_a_side_without_a_weakness_is_beside_none():
    side = {"weakness": None, "side": "reviewer", "claim": {"text": "A.", "spans": []}}
    assert not Disputes({}, [side]).are_apart(side, {**side, "weakness": "w1"})


def test_what_a_reviewer_disputed_before_is_no_control_and_what_nobody_knows_is_counted():
    """As after targets were chosen anew, or where a model gave no reply about a weakness."""
    record = draw(random.Random(2))
    claim = record["claims"][0]
    side = {"id": "v1", "system": "old", "by": "m", "side": "reviewer", "weakness": "w1", "text": "x", "claim": claim}
    record |= {"weaknesses": [], "annotations": {}}
    assert [one["claim"] for one in undisputed_controls(record, [claim], [{"claim": None, **claim}])] == []
    beside = [{"claim": None, "text": "Else.", "spans": []}]
    assert len(undisputed_controls(record, [claim], beside)) == 1
    assert undisputed_controls({**record, "verifications": [side]}, [claim], beside) == []
    found = [
        {"id": f"w{n}", "review": "r1", "text": "x", "spans": [], "targets": [{"system": "a", "items": one}]}
        for n, one in enumerate([None, [], None])
    ]
    found[2]["targets"].append({"system": "b", "items": []})
    assert count_unknown({**record, "weaknesses": found}) == 1
