"""In which format replies are asked for: as set, or the first that the server takes."""

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
        current: the one in which questions are asked now.
    """

    def __init__(self, chosen: str, model: str) -> None:
        self.chosen = chosen
        takes_schema = budget.takes_schema(model) or is_local(model)
        self.current = chosen if chosen != AUTO else FORMATS[0] if takes_schema else TEXT

    def format_of_request(self, schema: str | None) -> str:
        """The format in which a question with this schema (JSON, or None) is asked now."""
        return self.current if schema is not None else TEXT

    def formats_of_cache(self, schema: str | None) -> tuple[str, ...]:
        """The formats under which a reply may be kept, in the order in which they are looked up.

        That is the same wherever and by whatever server a question was asked, so that any run can be replayed.
        """
        if schema is None:
            return (TEXT,)
        return FORMATS if self.chosen == AUTO else (self.chosen,)

    def is_stale(self, request: Mapping[str, Any]) -> bool:
        """Whether a request was made before its format was found to be refused."""
        name = _format_name(request)
        return name != TEXT and name != self.current

    def step_down(self, refused: str) -> str | None:
        """The next format, where a request in the current one was refused; None where another call found that out."""
        if refused != self.current:
            return None
        self.current = FORMATS[FORMATS.index(refused) + 1]
        return self.current


def _format_name(request: Mapping[str, Any]) -> str:
    """The format of a request as it is described there."""
    described = request.get("response_format")
    return TEXT if described is None else described["type"].replace("_", "-")


def describe_format(name: str, schema: str | None) -> dict[str, Any] | None:
    """The format as a request to a provider says it; None for text."""
    if schema is None or name == TEXT:
        return None
    if name == "json-object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": json.loads(schema), "strict": True}}
