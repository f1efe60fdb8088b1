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
    """A part of an aspect, which is rated before the aspect."""

    name: Text
    definition: Text


class RatedExample(Strict):
    """A text with the score that people gave it."""

    source: dict[str, str] = Field(
        description="the texts about which the example was written, by name, such as title or abstract"
    )
    candidate: Text
    score: float
    id: str | None = Field(default=None, description='id of the example: "PAPER#ITEM"')
    group: dict[str, str] = Field(
        default_factory=dict,
        description=(
            "paths in the record with their values, which identify the paper of the example if the id of the "
            "record does not"
        ),
    )


class AspectCriteria(Strict):
    """The criteria for one aspect that is rated."""

    name: Text = Field(pattern=r"^[^.]+$")
    scale: list[float] = Field(
        min_length=2, max_length=2, description="lowest and highest score that people can give for the aspect"
    )
    step: float = Field(
        default=1, gt=0, description="difference between two neighbouring scores of the scale that people use"
    )
    definition: Text = Field(description="definition of the aspect that a model sees")
    definition_for_people: str | None = Field(
        default=None,
        description="definition of the aspect that people saw, if it differs from the definition for models",
    )
    levels: dict[str, Text] = Field(default_factory=dict, description="meaning of each score of the scale")
    low: Text | None = Field(default=None, description="meaning of the lowest score")
    high: Text | None = Field(default=None, description="meaning of the highest score")
    steps: list[Text] | None = Field(
        default=None, description="steps by which the aspect is evaluated; if null, a model drafts the steps"
    )
    sub_aspects: list[SubAspect] | None = Field(
        default=None, description="parts of the aspect that are rated first; if null, a model names the parts"
    )
    examples: list[RatedExample] | None = None
    fitted: dict[str, Any] | None = Field(
        default=None,
        description="how the criteria were made: the ratings by people from which they were made, and the method",
    )


class Criteria(Strict):
    """Criteria for rating a text: the kind of text, the context shown with the text, and the aspects."""

    task: Text = Field(description="kind of text that is rated, such as a research question extracted from a paper")
    candidate_name: Text = "Text"
    source_name: Text = "Source"
    candidate: str | None = Field(
        default=None, description="path of the rated texts in a record, which is used if --candidate is not given"
    )
    context: list[str] = Field(
        default_factory=list,
        description=(
            'paths of the texts shown with the rated text; "?" after a path makes the text optional; '
            '"sections[role=method]" selects sections'
        ),
    )
    aspects: list[AspectCriteria] = Field(min_length=1)


def schema() -> dict[str, Any]:
    """The JSON Schema of a criteria file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Criteria.model_json_schema()}


if __name__ == "__main__":
    import json

    print(json.dumps(schema(), indent=1, ensure_ascii=False))
