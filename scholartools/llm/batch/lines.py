"""Lines of batch files in the format of OpenAI's API and ``vllm run-batch``: requests and their results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scholartools.cache import Reply
from scholartools.cache.batches import Answered
from scholartools.cache.request import canonical_json, parse_canonical
from scholartools.llm.body import TooLarge
from scholartools.llm.client import request_body
from scholartools.llm.faults import Transient, fault_of, parse_answer
from scholartools.llm.reading import read_reply
from scholartools.llm.usage.budget import Price

_URL = "/v1/chat/completions"


def line_of(key: bytes, name: str, request: dict[str, Any]) -> bytes:
    """A request as a line, including the newline.

    Args:
        key: cache key of the request.
        name: name of the model on its server.
    """
    body = request_body(name, request)
    return canonical_json({"custom_id": key.hex(), "method": "POST", "url": _URL, "body": body}) + b"\n"


def answers_in(path: Path) -> Iterator[Answered | None]:
    """The key, position and status of each result in a file; None for a line that cannot be parsed or has no valid key.

    Raises:
        OSError: the file cannot be read.
    """
    place = 0
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield _answer_in(line, place)
            place += len(line)


def _answer_in(line: bytes, place: int) -> Answered | None:
    value = _read(line)
    named = value.get("custom_id") if isinstance(value, dict) else None
    if not isinstance(named, str):
        return None
    try:
        key = bytes.fromhex(named)
    except ValueError:
        return None
    return Answered(key, place, len(line), _status_of(value)) if len(key) == 32 else None


def _read(line: bytes) -> Any:
    try:
        return parse_canonical(line)
    except (ValueError, RecursionError):
        return None


def _status_of(value: dict[str, Any]) -> int | None:
    response = value.get("response")
    status = response.get("status_code") if isinstance(response, dict) else None
    if isinstance(status, int) and not isinstance(status, bool):
        return status
    has_body = isinstance(response, dict) and response.get("body") is not None
    return 200 if has_body and not value.get("error") else None


def reply_in(line: bytes, key: bytes, price: Price | None, *, format_sent: bool) -> Reply:
    """Parse the reply in a line.

    Args:
        price: price of the model; if None, the cost is unknown.

    Raises:
        Transient: there is no reply, for a transient reason.
        ScholartoolsError: the request was refused; ModelFault: all others would be too.
    """
    value = _read(line)
    if not isinstance(value, dict) or value.get("custom_id") != key.hex():
        raise Transient("the file of replies no longer has a line for the question")
    response, error = value.get("response"), value.get("error")
    body = response.get("body") if isinstance(response, dict) else None
    status = _status_of(value)
    if status == 200:
        return read_reply(_text(body), price, 0.0, format_sent=format_sent)
    answer = parse_answer(status, _text(error if body is None else body), {})
    if isinstance(error, dict) and error.get("code") == TooLarge.kind:  # written when the file was fetched
        raise TooLarge(answer.words)
    if status is None:
        raise Transient(f"the question was not answered: {answer.words}")
    raise fault_of(answer, format_sent=format_sent)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
