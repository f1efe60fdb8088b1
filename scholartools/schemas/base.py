"""What every type of a record is made of: the checked model, a span, extracted text."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """Base of every record type: known keys are checked, unknown keys are allowed.

    What checks a type is built when it is first used: most runs use few of them.
    """

    model_config = ConfigDict(extra="allow", strict=True, defer_build=True)


class Span(Model):
    """A span of a text of the record: the code points from `start` (included) to `end` (excluded)."""

    in_: str = Field(
        alias="in",
        description=(
            'the text that contains the span: "abstract", the id of a section, "review:ID" or "summary:SYSTEM"'
        ),
    )
    start: int = Field(
        ge=0, description="offset of the first code point of the span in the text that `in` names, from 0"
    )
    end: int = Field(ge=0, description="offset after the last code point of the span")


class Extract(Model):
    """A text that was copied from the record: the texts of its spans, joined by one space."""

    text: str = Field(
        description=(
            "the text, copied word for word from the passages at `spans`; several passages are joined by one space"
        )
    )
    spans: list[Span] = Field(
        min_length=1, description="positions, in the texts of the record, of the passages that were copied"
    )


class Author(Model):
    """A system or rater whose targets (the claims that a weakness disputes) were used by another judgement."""

    system: str
    by: str | None = Field(
        default=None, description='who chose the targets: a model, "builtin" (a method without a model), or a person'
    )
