"""Records are the same bytes on each kind of processor: NumPy and OpenBLAS are told to be on older ones."""

from __future__ import annotations

import random

import pytest
from support.everything import whole_record
from support.run import PAPER, ROOT, jsonl, st

# What NumPy and OpenBLAS read; on other processors than x86-64 they change nothing.
HASWELL = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX"}
NEHALEM = {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX AVX2 FMA3"}
PRESCOTT = {**NEHALEM, "OPENBLAS_CORETYPE": "Prescott"}


def ratings(count: int) -> list[dict]:
    rng = random.Random(4)
    chances = [rng.randint(5, 95) / 100 for _ in range(count)]
    return [{"item": at, "p": p, "valid": int(rng.random() < p**2)} for at, p in enumerate(chances)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "records"),
    [
        ("st-score", [whole_record(seed, f"p{seed}") for seed in range(12)]),
        ("st-judge facets", [whole_record(seed, f"p{seed}") for seed in range(12)]),
        ("st-agree calibrate --x p --y valid --item item", ratings(60)),
    ],
)
def test_kinds_of_processors_write_the_same_bytes(line: str, records: list[dict]) -> None:
    command, *options = line.split()
    given = jsonl(*records)
    here, *older = (st(command, *options, input=given, env=kind) for kind in ({}, HASWELL, NEHALEM))
    assert here.out.count(b"\n") >= len(records)
    for other in older:
        assert (other.status, other.out) == (here.status, here.out)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        f"st-parse {PAPER}",
        f"st-facets {ROOT / 'fixtures' / 'claims.jsonl'}",
        f"st-facets {ROOT / 'fixtures' / 'summaries.jsonl'}",
    ],
)
def test_kinds_of_processors_read_and_label_the_same(line: str) -> None:
    command, *options = line.split()
    here, *older = (st(command, *options, env=kind) for kind in ({}, HASWELL, PRESCOTT))
    assert here.status == 0 and here.out
    for other in older:
        assert (other.status, other.out) == (0, here.out)
