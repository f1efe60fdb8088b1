"""From the body of a provider's answer to a reply; the body is kept whole, whatever its parts are."""

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

# No request or reply has more tokens than this.
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
    """The reply that a body with status 200 holds. It keeps the body, without secrets, whatever can be read of it.

    Args:
        price: of the model; without one, the cost is not known.

    Raises:
        Transient: the body is no reply; its ``reply`` keeps the body all the same.
        ScholartoolsError: the body is an error that the provider sent with status 200; likewise Transient, ModelFault.
    """
    redact = current_redactor().reply
    clean = redact(spell_out_ascii(redact(body)))  # before anything is read: whatever is made of it is without secrets
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
    """The JSON of a body; NaN and the like, which some servers write where a count is unknown, are null.

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
    # Escapes of JSON may have hidden a secret; without any, the body has been searched as it is.
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
    """The replies to a call that asked for several, at most ``count`` of them: one for each choice in the body.

    The tokens and the cost of the call are booked once: the prompt with the first reply, what was replied in equal
    parts. Each keeps the body with its own choice alone.
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
    """Tokens and cost of each of several replies to one call; their sums are the call's."""
    whole = reply.completion_tokens
    parts = [None] * count if whole is None else [whole // count + (place < whole % count) for place in range(count)]
    cost = None if reply.cost is None else reply.cost / count
    prompts = [reply.prompt_tokens] + [None if reply.prompt_tokens is None else 0] * (count - 1)
    return [{"prompt_tokens": prompt, "completion_tokens": part, "cost": cost} for prompt, part in zip(prompts, parts)]


def read_logprobs(reply: Reply) -> list[dict[str, Any]] | None:
    """The tokens of a reply with their log probabilities, as the provider gave them; None where it gave none.

    Each has ``token``, ``logprob`` and ``top_logprobs`` (a list of the same without the last).
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
    """Text, reason to end and refusal; where one is of another type than it must be, the reply is not used."""
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
    """The text of a message, whole or in parts (of which thinking is left out); None where it is something else."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    parts = [part.get("text", "") if isinstance(part, dict) else part for part in content]
    return "".join(parts) if all(isinstance(part, str) for part in parts) else None


def _read_usage(usage: Any, text: str) -> _Usage:
    """The tokens that a provider says it counted. What cannot be right counts as not known, and says why.

    Tokens of reasoning are billed as those of a reply, also where a provider adds them to the total alone.
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
    """The type of a value, in JSON's words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}
    return names.get(type(value), "null")


def _to_json(value: Any) -> str:
    return canonical_json(value).decode()
