"""Parse response bodies of providers into replies, which keep the whole body."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from scholartools.cache import UNREADABLE, Reply
from scholartools.cache.request import canonical_json, parse_canonical
from scholartools.llm import faults
from scholartools.llm.faults import Transient
from scholartools.llm.usage.budget import Price
from scholartools.secrets import current_redactor, spell_out_ascii

# Upper bound on plausible token counts.
_MOST_TOKENS = 100_000_000


class _Usage(NamedTuple):
    prompt: int | None
    completion: int | None
    reasoning: int
    defect: str | None


class _Message(NamedTuple):
    text: str
    finish: str
    refusal: str | None
    defect: str | None


def read_reply(body: str, price: Price | None, latency: float, *, format_sent: bool = False) -> Reply:
    """Parse a body with status 200. The reply keeps the whole body, without secrets.

    Args:
        price: price of the model; if None, the cost is unknown.

    Raises:
        Transient: the body is not a reply; the ``reply`` of the exception keeps the body.
        ScholartoolsError: the body is an error in spite of status 200; likewise Transient, ModelFault.
    """
    redact = current_redactor().reply
    clean = redact(spell_out_ascii(redact(body)))  # before parsing, so that no part of the reply has secrets
    kept = Reply("", UNREADABLE, latency=round(latency, 6), time=round(time.time(), 3), body=clean)
    try:
        value = _parse_body(clean)
    except (ValueError, RecursionError):
        raise _unreadable_reply(kept, "the answer is not JSON, or is cut off") from None
    if not isinstance(value, dict):
        raise _unreadable_reply(kept, "the answer is not a JSON object")
    if (answer := faults.in_reply(value)) is not None:
        raise _with_reply(faults.fault_of(answer, format_sent=format_sent), kept)
    return _read_reply(value, price, kept)


def _parse_body(body: str) -> Any:
    """Parse the JSON of a body; NaN and infinities, which some servers write for unknown counts, become null.

    Raises:
        ValueError: not JSON.
    """
    try:
        return parse_canonical(body.encode())
    except ValueError:
        value = json.loads(body, parse_constant=lambda _: None)
        if value is None:
            raise
        return value


def _read_reply(value: dict[str, Any], price: Price | None, kept: Reply) -> Reply:
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise _unreadable_reply(kept, "the answer holds no message")
    said = _read_message(choice, message)
    # JSON escapes may hide a secret; without them, the search of the body suffices.
    clean = current_redactor().reply if "\\u" in str(kept.body) else str
    usage = _read_usage(value.get("usage"), said.text)
    known = price is not None and usage.prompt is not None and usage.completion is not None
    return kept._replace(
        text=clean(said.text),
        finish=said.finish,
        refusal=said.refusal and clean(said.refusal),
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        cost=price.of(usage.prompt, usage.completion, usage.reasoning) if known else None,  # type: ignore[union-attr,arg-type]
        defect="; ".join(filter(None, (said.defect, usage.defect))) or None,
    )


def split_reply(reply: Reply, count: int) -> list[Reply]:
    """Split the reply to a call for several samples into at most ``count`` replies, one for each choice in the body.

    Their tokens and costs add up to those of the call: the first reply gets the prompt tokens; completion tokens and
    cost are divided equally. Each reply keeps the body with only its own choice.
    """
    value = _parse_body(str(reply.body))
    choices = [choice for choice in value["choices"][:count] if isinstance(choice, dict)]
    return [
        _read_choice(value, choice, reply._replace(**usage))
        for choice, usage in zip(choices, _share_usage(reply, len(choices)))
    ]


def _read_choice(value: dict[str, Any], choice: dict[str, Any], kept: Reply) -> Reply:
    body = canonical_json({**value, "choices": [choice]}).decode()
    message = choice.get("message")
    if not isinstance(message, dict):
        return kept._replace(text="", finish=UNREADABLE, refusal=None, body=body, defect="the answer holds no message")
    said = _read_message(choice, message)
    clean = current_redactor().reply if "\\u" in body else str
    refusal = said.refusal and clean(said.refusal)
    return kept._replace(text=clean(said.text), finish=said.finish, refusal=refusal, body=body, defect=said.defect)


def _share_usage(reply: Reply, count: int) -> list[dict[str, Any]]:
    """Tokens and cost of each of several replies to one call, which add up to those of the call."""
    whole = reply.completion_tokens
    parts = [None] * count if whole is None else [whole // count + (place < whole % count) for place in range(count)]
    cost = None if reply.cost is None else reply.cost / count
    prompts = [reply.prompt_tokens] + [None if reply.prompt_tokens is None else 0] * (count - 1)
    return [{"prompt_tokens": prompt, "completion_tokens": part, "cost": cost} for prompt, part in zip(prompts, parts)]


def read_logprobs(reply: Reply) -> list[dict[str, Any]] | None:
    """The tokens of a reply with log probabilities, as returned by the provider; None if it returned none.

    Each token has ``token``, ``logprob`` and ``top_logprobs``, a list of alternatives with the first two keys.
    """
    if reply.body is None:
        return None
    choices = _parse_body(reply.body).get("choices") or [{}]
    told = choices[0].get("logprobs") if isinstance(choices[0], dict) else None
    content = told.get("content") if isinstance(told, dict) else None
    is_told = isinstance(content, list) and content and all(isinstance(token, dict) for token in content)
    return content if is_told else None  # type: ignore[return-value]


def _unreadable_reply(kept: Reply, reason: str) -> Transient:
    return Transient(reason, billed=True, reply=kept._replace(defect=reason))


def _with_reply(fault: Exception, kept: Reply) -> Exception:
    if isinstance(fault, Transient):
        fault.reply = kept._replace(defect=fault.reason)
    return fault


def _read_message(choice: Mapping[str, Any], message: Mapping[str, Any]) -> _Message:
    """Text, finish reason and refusal; a text or finish reason of a wrong type makes the reply unusable."""
    content, finish, refusal = message.get("content"), choice.get("finish_reason"), message.get("refusal")
    text = _message_text(content)
    if text is None:
        defect = f"the content is {_json_type(content)}, not text"
        return _Message(_to_json(content), UNREADABLE, None, defect)
    if finish is not None and not isinstance(finish, str):
        return _Message(text, UNREADABLE, None, f"the reason to end is {_json_type(finish)}, not text")
    if refusal and not isinstance(refusal, str):
        refusal = _to_json(refusal)
    return _Message(text, finish or "stop", refusal or None, None)


def _message_text(content: Any) -> str | None:
    """The text of a message: a string, or parts, of which those without text (thinking) are ignored. Else None."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    parts = [part.get("text", "") if isinstance(part, dict) else part for part in content]
    return "".join(parts) if all(isinstance(part, str) for part in parts) else None


def _read_usage(usage: Any, text: str) -> _Usage:
    """The token counts that a provider reports. Counts that cannot be right are unknown, with the reason as ``defect``.

    Reasoning tokens are billed as completion tokens, even if a provider includes them only in the total.
    """
    if usage is None:
        return _Usage(None, None, 0, None)
    if not isinstance(usage, dict):
        return _Usage(None, None, 0, f"the usage is {_json_type(usage)}, not an object")
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    told = {"prompt_tokens": prompt, "completion_tokens": completion}
    for name, count in told.items():
        if count is not None and not _is_count(count):
            return _Usage(None, None, 0, f"the usage cannot be right: {name} is {_to_json(count)[:40]}")
    if prompt == 0 or (completion == 0 and text):
        name = "prompt_tokens" if prompt == 0 else "completion_tokens"
        return _Usage(None, None, 0, f"the usage cannot be right: {name} is 0")
    if prompt is None or completion is None:
        return _Usage(prompt, completion, 0, None)
    details, total = usage.get("completion_tokens_details"), usage.get("total_tokens")
    reasoning = details.get("reasoning_tokens") if isinstance(details, dict) else None
    reasoning = reasoning if _is_count(reasoning) else 0
    beside = reasoning if reasoning > completion else 0
    billed = max(completion + beside, total - prompt if _is_count(total) else 0)
    return _Usage(prompt, billed, max(reasoning, billed - completion), None)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS


def _json_type(value: Any) -> str:
    """The JSON type of a value, for messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}
    return names.get(type(value), "null")


def _to_json(value: Any) -> str:
    return canonical_json(value).decode()
