"""Agreement of raters who each give several labels, as sets."""

from __future__ import annotations

import json
import random
from itertools import combinations

import pytest
from nltk.metrics import jaccard_distance as nltk_jaccard
from support.run import jsonl, st

from scholartools.metrics.agreement.coefficients import alpha
from scholartools.metrics.agreement.sets import jaccard_distance, masi_distance

TYPES = ("clarity", "novelty", "other")


def masi(one: set, other: set) -> float:
    """Passonneau 2006, in plain words."""
    if one == other:
        return 0.0
    weight = 2 / 3 if one <= other or other <= one else 1 / 3 if one & other else 0.0
    return 1 - weight * len(one & other) / len(one | other)


def alpha_by_hand(units: list[list[set]], distance) -> float:
    observed = sum(
        2 * sum(distance(a, b) for a, b in combinations(unit, 2)) / (len(unit) - 1) for unit in units if len(unit) > 1
    )
    every = [one for unit in units if len(unit) > 1 for one in unit]
    expected = 2 * sum(distance(a, b) for a, b in combinations(every, 2)) / (len(every) - 1)
    return 1 - observed / expected


def drawn_units(seed: int, n: int = 12) -> list[list[set]]:
    drawn = random.Random(seed)
    return [[{name for name in TYPES if drawn.random() < 0.5} for _ in range(drawn.randint(1, 4))] for _ in range(n)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("level", "distance"), [("masi", masi), ("jaccard", lambda a, b: nltk_jaccard(a, b) if a | b else 0.0)]
)
def test_alpha_of_sets_is_its_definition(level, distance, seed):
    units = drawn_units(seed)
    found = alpha([[tuple(sorted(one)) for one in unit] for unit in units], level)
    assert found.value == pytest.approx(alpha_by_hand(units, distance))


def test_distances_by_hand():
    assert masi_distance(0b11, 0b11) == masi_distance(0, 0) == 0.0 and masi_distance(0b01, 0b10) == 1.0
    assert masi_distance(0b01, 0b11) == pytest.approx(1 - 2 / 3 * 1 / 2)
    assert masi_distance(0b011, 0b110) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert jaccard_distance(0b011, 0b110) == pytest.approx(2 / 3)


def test_types_as_sets_from_the_command_line():
    rows = [
        {"item": str(item), "rater": str(rater), "label": "types", "value": sorted(one)}
        for item, unit in enumerate(drawn_units(3, 30))
        for rater, one in enumerate(unit)
    ]
    plain = [{"item": "0", "rater": str(rater), "label": "agreement", "value": rater + 1} for rater in range(2)]
    line = ("st-agree", "alpha", "--level-of", "types=masi", "--level-of", "agreement=ordinal", "--ci")
    done = st(*line, input=jsonl(*rows, *plain))
    found = {one["label"]: one for one in done.records}
    assert found["types"]["value"] == pytest.approx(alpha_by_hand(drawn_units(3, 30), masi))
    assert found["types"]["interval"]["low"] < found["types"]["value"] < found["types"]["interval"]["high"]
    assert found["types"]["level"] == "masi" and found["agreement"]["level"] == "ordinal"
    words = st("st-agree", "alpha", "--level", "masi", input=jsonl(*plain))
    assert words.status == 3 and "no list" in words.err
    many = [{"item": str(n), "rater": r, "value": [f"m{n}{r}"]} for n in range(30) for r in "ab"]
    assert "at most 52" in st("st-agree", "alpha", "--level", "masi", input=jsonl(*many)).err
    assert "not a string" in st("st-agree", "alpha", input=jsonl(*rows)).err
    assert json.loads(done.out.splitlines()[0])["signature"]
