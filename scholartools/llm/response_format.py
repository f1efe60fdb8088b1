"""The response format of requests: the chosen one, or the first that the server accepts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scholartools.llm.endpoint import is_local
from scholartools.llm.usage import budget
from scholartools.vocabulary import AUTO, FORMATS, TEXT


class ResponseFormat:
    """The format of a run's requests; "auto" steps down when the server refuses one.

    Attributes:
        current: format of new requests.
    """

    def __init__(self, chosen: str, model: str) -> None:
        self.chosen = chosen
        takes_schema = budget.takes_schema(model) or is_local(model)
        self.current = chosen if chosen != AUTO else FORMATS[0] if takes_schema else TEXT

    def format_of_request(self, schema: str | None) -> str:
        """The format of a new request for a reply with this schema (JSON, or None)."""
        return self.current if schema is not None else TEXT

    def formats_of_cache(self, schema: str | None) -> tuple[str, ...]:
        """The formats under which a reply may be cached, in the order of lookup.

        The order does not depend on the server, so that any run can be replayed.
        """
        if schema is None:
            return (TEXT,)
        return FORMATS if self.chosen == AUTO else (self.chosen,)

    def is_stale(self, request: Mapping[str, Any]) -> bool:
        """Whether a request has a format that has been refused since it was made."""
        name = _format_name(request)
        return name != TEXT and name != self.current

    def step_down(self, refused: str) -> str | None:
        """Switch to the next format after a refusal; None if another call has already done so."""
        if refused != self.current:
            return None
        self.current = FORMATS[FORMATS.index(refused) + 1]
        return self.current


def _format_name(request: Mapping[str, Any]) -> str:
    """The name of the response format of a request."""
    described = request.get("response_format")
    return TEXT if described is None else described["type"].replace("_", "-")


def describe_format(name: str, schema: str | None) -> dict[str, Any] | None:
    """The ``response_format`` parameter of a request; None for text."""
    if schema is None or name == TEXT:
        return None
    if name == "json-object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": json.loads(schema), "strict": True}}
