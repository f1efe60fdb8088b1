"""How the replies to one prompt are drawn, beside what is set for the run."""

from __future__ import annotations

from typing import Any, NamedTuple


class Sampling(NamedTuple):
    """Parameters of one prompt. What is set for the run wins; both are in the key of a call and in the signature.

    Attributes:
        temperature: None leaves it to the run, and then to the provider; likewise ``top_p``.
        logprobs: whether the reply is to tell the log probabilities of its tokens.
        top_logprobs: of how many other tokens at each place.
    """

    temperature: float | None = None
    top_p: float | None = None
    logprobs: bool = False
    top_logprobs: int | None = None

    def parameters(self) -> dict[str, Any]:
        """Those that are set, by the names that providers have for them."""
        named = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "logprobs": self.logprobs or None,
            "top_logprobs": self.top_logprobs,
        }
        return {name: value for name, value in named.items() if value is not None}


#: Nothing is set for the prompt.
AS_THE_RUN = Sampling()
