"""What every type of a record is made of: the checked model, a span, extracted text."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """Base of every record type: known keys are checked, unknown keys are allowed.

    What checks a type is built when it is first used: most runs use few of them.
    """

    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)


class Span(Model):
    """A span of a text of the record: from start (included) to end (excluded), in code points."""

    in_: str = Field(alias="in", description='"abstract", a section id, "review:ID" or "summary:SYSTEM"')
    start: int = Field(ge=0, description="first code point")
    end: int = Field(ge=0, description="one past the last code point")


class Extract(Model):
    """Extracted text: the texts of its spans, joined by one space."""

    text: str
    spans: list[Span] = Field(min_length=1)


class Author(Model):
    """The systems or raters whose targets were read."""

    system: str
    by: str | None = Field(default=None, description='a model, "builtin", or a person')
