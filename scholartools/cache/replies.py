"""What is stored of a model's answer: the raw reply, the question it answered, and how some of them are chosen."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

Record = dict[str, Any]

# Reasons to end that mean "not the whole answer": OpenAI's, to which litellm translates; Mistral's, Anthropic's,
# DeepSeek's, Google's and vLLM's own, which a server that is asked directly may send.
_NOT_WHOLE = {
    "length", "content_filter", "max_tokens", "model_length", "error", "refusal", "insufficient_system_resource",
    "safety", "recitation", "abort", "no-reply", "unreadable",
}  # fmt: skip
# The ``finish`` of what a provider sent in place of a reply that can be read.
UNREADABLE = "unreadable"

# Parts of a reply that earlier versions did not write.
_LATER = ("body", "defect", "endpoint_name")


class Reply(NamedTuple):
    """What a model answered, raw.

    Attributes:
        text: the content as it came.
        finish: why the model ended: "stop", "length", "content_filter", ...
        prompt_tokens: as the provider counted them, or None; likewise ``completion_tokens``.
        cost: USD, or None where the price is not known.
        latency: seconds from sending to the whole reply.
        time: when it came, in seconds since 1970.
        endpoint: the address that answered, as :class:`scholartools.llm.endpoint.Endpoint` has it.
        refusal: the model's words where it refused by the provider's own means, else None.
        body: the whole answer as the provider sent it, but for secrets; None for what earlier versions kept.
        defect: what in the answer is not as it must be, e.g. a negative number of tokens, or None.
        endpoint_name: that the user gave to the endpoint, or None.
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
        """The reply as JSON; what earlier versions did not write only where there is one."""
        made = self._asdict()
        return {name: value for name, value in made.items() if value is not None or name not in _LATER}

    @property
    def origin(self) -> str | None:
        """Who gave it, as messages name it: the name of the endpoint, else its address, None where it is not known."""
        return self.endpoint_name or self.endpoint

    @property
    def is_usable(self) -> bool:
        """Whether the reply can stand for an answer: not cut, filtered, refused or empty."""
        return self.finish.lower() not in _NOT_WHOLE and not self.refusal and bool(self.text.strip())


# The ``finish`` of an entry that stands for a call to which no reply came; its text is the fault's kind and reason.
_NO_REPLY = "no-reply"


def failed_reply(kind: str, reason: str) -> Reply:
    """What is kept of a call that was given up: the fault of its record."""
    return Reply(text=f"{kind}: {reason}", finish=_NO_REPLY, cost=0.0, time=round(time.time(), 3))


def fault_of(reply: Reply) -> tuple[str, str] | None:
    """The kind and the reason of the fault that :func:`failed_reply` kept, or None for what a model replied."""
    if reply.finish != _NO_REPLY:
        return None
    kind, _, reason = reply.text.partition(": ")
    return kind, reason


def same_content(one: Reply, other: Reply) -> bool:
    """Whether two replies are the same to whoever reads them."""
    return (one.text, one.finish, one.refusal) == (other.text, other.finish, other.refusal)


class Entry(NamedTuple):
    """A reply as it is kept: with its key, the name of the prompt, and the request, images by their hash."""

    key: bytes
    prompt: str
    request: Record
    reply: Reply

    def record(self) -> Record:
        """The entry as JSON, the key in hexadecimal digits."""
        return {"key": self.key.hex(), "prompt": self.prompt, "request": self.request, "reply": self.reply.record()}


class Selection(NamedTuple):
    """Some of the replies: of a model, of a prompt, from before a time (seconds since 1970), unusable ones."""

    model: str | None = None
    prompt: str | None = None
    before: float | None = None
    unusable: bool = False

    def where(self) -> tuple[str, tuple[Any, ...]]:
        """The condition but for ``unusable`` as SQL, and its values."""
        given = {"model = ?": self.model, "prompt = ?": self.prompt, "created < ?": self.before}
        terms = {term: value for term, value in given.items() if value is not None}
        return " AND ".join(terms) or "TRUE", tuple(terms.values())
