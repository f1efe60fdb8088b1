"""The names of systems."""

from __future__ import annotations


def sample_names(name: str, samples: int) -> list[str]:
    """The systems of several samples, ``NAME#1`` and so on; of one the name alone."""
    return [f"{name}#{sample + 1}" if samples > 1 else name for sample in range(samples)]
