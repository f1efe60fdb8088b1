"""The stored reply of a model, its entry in the cache, and selections of replies."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

Record = dict[str, Any]

# Finish reasons of an incomplete reply: those of OpenAI, to which litellm translates; and those of Mistral, Anthropic,
# DeepSeek, Google and vLLM, from servers that are called directly.
_NOT_WHOLE = {
    "length", "content_filter", "max_tokens", "model_length", "error", "refusal", "insufficient_system_resource",
    "safety", "recitation", "abort", "no-reply", "unreadable",
}  # fmt: skip
# ``finish`` of a response that could not be parsed.
UNREADABLE = "unreadable"

# Fields of a reply that earlier versions did not store.
_LATER = ("body", "defect", "endpoint_name")


class Reply(NamedTuple):
    """Raw reply of a model.

    Attributes:
        text: the content, unchanged.
        finish: the finish reason: "stop", "length", "content_filter", ...
        prompt_tokens: as counted by the provider, or None; likewise ``completion_tokens``.
        cost: cost in USD, or None if the price is unknown.
        latency: seconds from the request to the complete reply.
        time: time of arrival, in seconds since 1970.
        endpoint: URL of the endpoint, as in :class:`scholartools.llm.endpoint.Endpoint`.
        refusal: text of the provider's refusal field, else None.
        body: complete response of the provider, with secrets redacted; None if stored by an earlier version.
        defect: invalid part of the response, e.g. a negative number of tokens, or None.
        endpoint_name: name of the endpoint given by the user, or None.
    """

    text: str
    finish: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    latency: float = 0.0
    time: float = 0.0
    endpoint: str | None = None
    refusal: str | None = None
    body: str | None = None
    defect: str | None = None
    endpoint_name: str | None = None

    def record(self) -> Record:
        """The reply as JSON; fields that earlier versions did not store are omitted if they are None."""
        made = self._asdict()
        return {name: value for name, value in made.items() if value is not None or name not in _LATER}

    @property
    def origin(self) -> str | None:
        """Name of the endpoint for messages, else its URL, None if unknown."""
        return self.endpoint_name or self.endpoint

    @property
    def is_usable(self) -> bool:
        """Whether the reply is a usable answer: not truncated, filtered, refused or empty."""
        return self.finish.lower() not in _NOT_WHOLE and not self.refusal and bool(self.text.strip())


# ``finish`` of an entry for a call without a reply; its text is the kind and the reason of the fault.
_NO_REPLY = "no-reply"


def failed_reply(kind: str, reason: str) -> Reply:
    """Entry for a call that was given up, with the fault of its record."""
    return Reply(text=f"{kind}: {reason}", finish=_NO_REPLY, cost=0.0, time=round(time.time(), 3))


def fault_of(reply: Reply) -> tuple[str, str] | None:
    """Kind and reason of the fault stored by :func:`failed_reply`, or None for a reply of a model."""
    if reply.finish != _NO_REPLY:
        return None
    kind, _, reason = reply.text.partition(": ")
    return kind, reason


def same_content(one: Reply, other: Reply) -> bool:
    """Whether two replies have the same text, finish reason and refusal."""
    return (one.text, one.finish, one.refusal) == (other.text, other.finish, other.refusal)


class Entry(NamedTuple):
    """A stored reply with its key, the name of the prompt, and the request, in which images are replaced by hashes."""

    key: bytes
    prompt: str
    request: Record
    reply: Reply

    def record(self) -> Record:
        """The entry as JSON, the key in hexadecimal digits."""
        return {"key": self.key.hex(), "prompt": self.prompt, "request": self.request, "reply": self.reply.record()}


class Selection(NamedTuple):
    """Selection of replies by model, by prompt, by age (before a time in seconds since 1970), or of unusable ones."""

    model: str | None = None
    prompt: str | None = None
    before: float | None = None
    unusable: bool = False

    def where(self) -> tuple[str, tuple[Any, ...]]:
        """SQL condition and its values, without ``unusable``."""
        given = {"model = ?": self.model, "prompt = ?": self.prompt, "created < ?": self.before}
        terms = {term: value for term, value in given.items() if value is not None}
        return " AND ".join(terms) or "TRUE", tuple(terms.values())
