"""Calls, tokens and USD of a run so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from scholartools.wording import count_of


@dataclass
class Counts:
    """Counts of a run so far; in a dry run, of what it would send."""

    sent: int = 0
    answered: int = 0
    cached: int = 0
    elsewhere: int = 0
    to_send: int = 0
    may_send: int = 0
    failed: int = 0
    repaired: int = 0
    asked_again: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    odd_usage: int = 0
    bound_prompt_tokens: int = 0
    bound_reply_tokens: int = 0
    bound_cost: float = 0.0
    prompts_cost: float = 0.0
    endpoints: dict[str | None, int] = field(default_factory=dict)

    def line(self, seconds: float) -> str:
        """The counts as one line of text; empty while there is neither a reply nor a failed question."""
        if not (self.answered or self.cached or self.elsewhere or self.failed):
            return ""
        parts = [
            f"{count_of(self.sent, 'call')} ({self.sent / seconds:.1f}/s)",
            f"{self.cached} cached",
            *([f"{self.elsewhere} asked by other processes"] if self.elsewhere else []),
            *(f"{count} {name}" for count, name in self._count_troubles() if count),
            f"{self.prompt_tokens} tokens in, {self.completion_tokens} out",
            self._price_text(),
            *self._endpoint_texts(),
        ]
        return ", ".join(parts)

    def _endpoint_texts(self) -> list[str]:
        """The endpoints of the used replies; with the numbers of replies, if there are several."""
        named = {name or "an endpoint that is not known": count for name, count in self.endpoints.items()}
        if len(named) < 2:
            return [f"replies of {name}" for name in named]
        return [f"{count} {'reply' if count == 1 else 'replies'} of {name}" for name, count in named.items()]

    def _price_text(self) -> str:
        if self.unpriced and not self.cost:
            return "price unknown"
        return f"{self.cost:.4f} USD" + (
            f" and {count_of(self.unpriced, 'call')} of unknown price" if self.unpriced else ""
        )

    def _count_troubles(self) -> tuple[tuple[int, str], ...]:
        return (
            (self.failed, "without a usable reply"),
            (self.repaired, "repaired"),
            (self.asked_again, "asked again"),
            (self.odd_usage, "with a usage that cannot be right"),
        )
