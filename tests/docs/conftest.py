"""What the tests of the studies share: each study, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.slurm import running_slurm
from support.studies import SEED, copy_of, make, once, session_folder


@pytest.fixture
def made(tmp_path_factory) -> Callable[..., Path]:
    """The folder of a study that is made whole, once for all tests of the session; what they change is a copy of theirs."""

    def whole(study: str, seed: str = "") -> Path:
        seed = seed or SEED[study]

        def build(place: Path) -> None:
            (place / "said").write_text(make(copy_of(study, place), "-j2", "check", "calls", MADE_SEED=seed))

        return once(session_folder(tmp_path_factory) / f"{study}-{seed}", build) / "studies" / study

    return whole


@pytest.fixture
def slurm(tmp_path) -> Iterator[dict[str, str]]:
    """The environment of commands that find Slurm on this node."""
    with running_slurm(tmp_path / "slurm") as env:
        yield env
