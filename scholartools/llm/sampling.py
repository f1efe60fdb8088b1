"""Sampling parameters of a single prompt, in addition to those of the run."""

from __future__ import annotations

from typing import Any, NamedTuple


class Sampling(NamedTuple):
    """Parameters of one prompt. Those of the run take precedence; both enter the key of a call and the signature.

    Attributes:
        temperature: None: the run's value, or else the provider's default; likewise ``top_p``.
        logprobs: whether the log probabilities of the reply's tokens are requested.
        top_logprobs: number of alternative tokens per position with log probabilities.
    """

    temperature: float | None = None
    top_p: float | None = None
    logprobs: bool = False
    top_logprobs: int | None = None

    def parameters(self) -> dict[str, Any]:
        """The parameters that are set, by the names that providers use."""
        named = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "logprobs": self.logprobs or None,
            "top_logprobs": self.top_logprobs,
        }
        return {name: value for name, value in named.items() if value is not None}


#: No parameter is set for the prompt.
AS_THE_RUN = Sampling()
