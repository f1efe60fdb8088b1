"""The type of a criteria file: what texts are rated for, on which scale, by which definition.

``python -m scholartools.schemas.criteria`` prints its JSON Schema, which is published as ``criteria.json``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _refuse_blank(text: str) -> str:
    """The text; raises ValueError where it is blank."""
    if not text.strip():
        raise ValueError("blank text")
    return text


Text = Annotated[str, Field(min_length=1), AfterValidator(_refuse_blank)]


class Strict(BaseModel):
    """Base of what a person writes: a key that is misspelt is refused, and so is a number in quotation marks."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SubAspect(Strict):
    """A part of an aspect that is rated before it."""

    name: Text
    definition: Text


class RatedExample(Strict):
    """A text with the score that people gave it."""

    source: dict[str, str] = Field(description="what it was written about, by name: title, abstract, ...")
    candidate: Text
    score: float
    id: str | None = Field(default=None, description='"PAPER#ITEM"')
    group: dict[str, str] = Field(
        default_factory=dict, description="what tells its paper where the id of a record does not: path and value"
    )


class AspectCriteria(Strict):
    """One aspect."""

    name: Text = Field(pattern=r"^[^.]+$")
    scale: list[float] = Field(min_length=2, max_length=2, description="people's lowest and highest score")
    step: float = Field(default=1, gt=0, description="between two scores of people")
    definition: Text = Field(description="that a model is shown")
    definition_for_people: str | None = Field(default=None, description="that raters were given, where it differs")
    levels: dict[str, Text] = Field(default_factory=dict, description="what each score of the scale means")
    low: Text | None = Field(default=None, description="what the lowest score means")
    high: Text | None = Field(default=None, description="what the highest score means")
    steps: list[Text] | None = Field(default=None, description="of evaluation; null: a model drafts them")
    sub_aspects: list[SubAspect] | None = Field(default=None, description="null: a model names them")
    examples: list[RatedExample] | None = None
    fitted: dict[str, Any] | None = Field(default=None, description="from which labels it was made, and how")


class Criteria(Strict):
    """What is rated, beside what, and for which aspects."""

    task: Text = Field(description="what the text is: a research question extracted from a paper")
    candidate_name: Text = "Text"
    source_name: Text = "Source"
    candidate: str | None = Field(default=None, description="path of the texts, where none is given")
    context: list[str] = Field(
        default_factory=list,
        description='paths of what is shown beside the text; a "?" behind one lets it lack; "sections[role=method]"',
    )
    aspects: list[AspectCriteria] = Field(min_length=1)


def schema() -> dict[str, Any]:
    """The JSON Schema of a criteria file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Criteria.model_json_schema()}


if __name__ == "__main__":
    import json

    print(json.dumps(schema(), indent=1, ensure_ascii=False))
