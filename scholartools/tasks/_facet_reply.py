"""The reply of a model that extracts facets; apart, since labelling without a model needs no pydantic."""

from __future__ import annotations

from scholartools.llm.replies import Closed


class Reply(Closed, extra="forbid"):
    """What a model is asked for: passages copied from the text, by facet; under another key they would be lost."""

    background: list[str]
    method: list[str]
    result: list[str]
    conclusion: list[str]
