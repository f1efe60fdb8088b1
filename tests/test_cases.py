"""The cases of a test function that make test runs show all values of its parameters, as far as so many cases can."""

from __future__ import annotations

import itertools
import random
from types import SimpleNamespace

import pytest
from support.cases import spread_cases


@pytest.mark.parametrize("seed", range(20))
def test_the_cases_that_are_kept_show_all_values(seed):
    drawn = random.Random(seed)
    sizes = [drawn.randint(1, 5) for _ in range(drawn.randint(1, 3))]
    cases = [
        SimpleNamespace(nodeid=f"test[{values}]", callspec=SimpleNamespace(indices=dict(enumerate(values))))
        for values in itertools.product(*map(range, sizes))
    ]
    most = drawn.randint(1, 6)
    kept = spread_cases(cases, most)
    assert len(kept) == len({case.nodeid for case in kept}) == min(most, len(cases))
    for place, size in enumerate(sizes):
        assert len({case.callspec.indices[place] for case in kept}) == min(most, size)
    drawn.shuffle(cases)
    assert spread_cases(cases, most) == kept
