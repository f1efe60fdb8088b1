"""What is asked, what is sent for it, and the reply with its name in the cache; why a reply cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scholartools.cache import UNREADABLE, Reply, fault_of
from scholartools.errors import ScholartoolsError
from scholartools.llm.sampling import Sampling
from scholartools.parameters import parameter

# Kinds of faults: of a call without a reply, and of a reply that is kept and cannot be used.
PROVIDER = "provider"
UNUSABLE = "unserved-reply"


class ClaimLost(ScholartoolsError):
    """Another process may ask the question by now: this one gave no sign of life for long."""


class Question(NamedTuple):
    """What is asked: in each format it is another call, with another key."""

    prompt: str
    messages: list[dict[str, Any]]
    sample: int
    schema: str | None
    sampling: Sampling


class Sending(NamedTuple):
    """A call to send: the name of its prompt, its key and request.

    A call for several samples has ``parts``: of each the key and the request that it is kept under, as if it had been
    asked for alone.
    """

    prompt: str
    key: bytes
    request: dict[str, Any]
    parts: Sequence[tuple[bytes, dict[str, Any]]] = ()


class CallKey(str):
    """The name of a question and its reply in the cache.

    Attributes:
        response_format: that in which it was asked.
        reply: what it names.
    """

    response_format: str
    reply: Reply

    def __new__(cls, key: bytes, response_format: str, reply: Reply) -> CallKey:
        """The key in hexadecimal digits."""
        made = super().__new__(cls, key.hex())
        made.response_format = response_format
        made.reply = reply
        return made


class Call(NamedTuple):
    """A question and its reply; ``key`` names both in the cache."""

    key: CallKey
    reply: Reply


def unusable_reply_fault(reply: Reply) -> ScholartoolsError:
    """The fault of a question whose last reply, or the want of one, is this."""
    if (fault := fault_of(reply)) is not None:
        kind, reason = fault
        return ScholartoolsError(reason, kind=kind)
    return ScholartoolsError(_why_unusable(reply), kind=UNUSABLE, details={"reply": reply.text})


def _why_unusable(reply: Reply) -> str:
    if reply.finish == UNREADABLE:
        return f"the provider's answer cannot be read: {reply.defect}"
    if reply.finish.lower() in ("length", "max_tokens", "model_length"):
        return f"the reply was cut off at its length limit: raise {parameter('max_tokens')}"
    if reply.refusal:
        return f"the model refused: {reply.refusal}"
    if reply.finish == "content_filter":
        return "the content filter of the provider blocked the reply"
    if reply.text.strip() or reply.finish.lower() not in ("stop", "end_turn"):
        return f"the provider ended the reply early: {reply.finish}"
    return "the reply was empty"
