"""Questions, the calls sent for them, replies with their cache keys, and why a reply is unusable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from scholartools.cache import UNREADABLE, Reply, fault_of
from scholartools.errors import ScholartoolsError
from scholartools.llm.sampling import Sampling
from scholartools.parameters import parameter

# Kinds of faults: a call without a reply, and an unusable reply that is cached.
PROVIDER = "provider"
UNUSABLE = "unserved-reply"


class ClaimLost(ScholartoolsError):
    """This process did not renew its claim on a question in time, so another may have sent it."""


class Question(NamedTuple):
    """A question; each response format makes it a different call with a different key."""

    prompt: str
    messages: list[dict[str, Any]]
    sample: int
    schema: str | None
    sampling: Sampling


class Sending(NamedTuple):
    """A call to send: the name of its prompt, its key and request.

    A call for several samples has ``parts``: the key and request of each sample, under which its reply is cached as if
    it had been requested alone.
    """

    prompt: str
    key: bytes
    request: dict[str, Any]
    parts: Sequence[tuple[bytes, dict[str, Any]]] = ()


class CallKey(str):
    """The cache key of a question and its reply, as a hexadecimal string.

    Attributes:
        response_format: format of the request.
        reply: the reply under this key.
    """

    response_format: str
    reply: Reply

    def __new__(cls, key: bytes, response_format: str, reply: Reply) -> CallKey:
        """Encode the key in hexadecimal."""
        made = super().__new__(cls, key.hex())
        made.response_format = response_format
        made.reply = reply
        return made


class Call(NamedTuple):
    """A reply and its cache key."""

    key: CallKey
    reply: Reply


def unusable_reply_fault(reply: Reply) -> ScholartoolsError:
    """The fault of a question whose last reply is unusable or stands for a failed call."""
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
