"""Controls are true: drawn records at the shape of CLAIMCHECK, and a check of overlap that shares no code with ours."""

from __future__ import annotations

import random
import re

import pytest

from scholartools.tasks.claims.controls import Disputes, count_unknown, undisputed_controls

#: Draws of a quick test, and of a slow one.
DRAWS = [pytest.param(0, 150, id="quick"), pytest.param(1, 10_000, id="slow", marks=pytest.mark.slow)]
WORDS = "the model data loss rate bees hive noise runs table prior bound proof seed test split".split()


def draw(rng: random.Random) -> dict:
    """A paper of about 20 claims, some within others or said twice, and weaknesses of several systems and people."""
    text = " ".join(rng.choice(WORDS) + rng.choice(["", "", ",", ";", ")"]) for _ in range(300))
    starts = [0, *(found.end() for found in re.finditer(" ", text))]

    def passage(length: int) -> dict:
        first = rng.randrange(len(starts) - length - 1)
        start, end = starts[first], starts[first + length] - 1
        return {"text": text[start:end], "spans": [{"in": "s1", "start": start, "end": end}]}

    claims = [
        {"id": f"c{n}", "role": rng.choice(["result", "method"]), **passage(rng.randint(3, 14))}
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
        start = rng.randrange(50) * 10
        span = {"in": "review:r1", "start": start, "end": start + rng.randint(5, 25)}
        targets = [
            {"system": one, "items": rng.choice([None, [], [target() for _ in range(rng.randint(1, 3))]])}
            for one in systems
        ]
        return {"id": name, "review": "r1", "text": f"Weakness {name} {start}", "spans": [span], "targets": targets}

    weaknesses = [weakness(f"w{n}") for n in range(rng.randint(1, 5))]
    others = [{"rater": "b", "review": "r1", "items": rng.choice([None, [weakness("w1")]])}]
    return {
        "id": "p", "abstract": None, "claims": claims, "weaknesses": weaknesses, "annotations": {"weaknesses": others}
    }  # fmt: skip


def letters(text: str) -> list[str]:
    return re.findall("[a-z]+", text.lower())


def is_one(first: dict, second: dict) -> bool:
    """Whether two passages share a character of the paper, or one says all words of the other in a row."""
    places = [
        {(span["in"], n) for span in one["spans"] for n in range(span["start"], span["end"])} for one in (first, second)
    ]
    one, other = sorted((letters(first["text"]), letters(second["text"])), key=len)
    within = any(other[n : n + len(one)] == one for n in range(len(other) - len(one) + 1))
    return bool(places[0] & places[1]) or within


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
        for first in sides[:4]:
            for second in sides:
                one, other = weaknesses[first["weakness"]], weaknesses[second["weakness"]]
                is_shared = is_passage_shared(one, other) or any(
                    is_one(target, item) for target in all_targets([one]) for item in all_targets([other])
                )
                assert disputes.are_apart(first, second) == (one is not other and not is_shared)
                n_pairs += not is_shared
    assert n_pairs > n_draws / 10


def is_passage_shared(first: dict, second: dict) -> bool:
    [one], [other] = first["spans"], second["spans"]
    return bool(set(range(one["start"], one["end"])) & set(range(other["start"], other["end"])))


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
