"""The types of scores."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from scholartools.schemas.base import Model


class Score(Model):
    """The values of one metric for one system on one record."""

    metric: str
    system: str
    signature: str
    evidence: dict[str, Any] | None = Field(
        default=None, description="metric support: the sentences of the paper with which each facet was compared"
    )
    values: dict[str, float | None] = Field(
        description="the values of the metric by name; null if a value is undefined"
    )
    reasons: dict[str, str] = Field(description="reason why a value is null, by name of the value")
    item: str | None = Field(default=None, description="id of the part of the record that was scored, such as a review")
    weaknesses: list[dict[str, Any]] | None = Field(
        default=None, description="metrics targets and labels: the values for each weakness"
    )
    n_items: int | None = Field(
        default=None,
        description="metric soft: number of items (such as weaknesses) that the system generated for the paper",
    )
    n_reviewers: int | None = Field(
        default=None,
        description="metric soft: number of reviewers whose review has at least one item (such as a weakness)",
    )
    n_negative: int | None = Field(
        default=None, description="metric soft: 1 if precision or recall is negative, so that F1 is 0"
    )
    n_empty_reviewers: int | None = Field(
        default=None, description="metric soft: number of reviewers whose review has no item (such as a weakness)"
    )
    n_empty: int | None = Field(
        default=None, description="1 if the system gave no item although the reference has at least one"
    )
    n_paired: int | None = Field(
        default=None,
        description="metric entail: number of explanations that were compared with a reference explanation",
    )
    paired_by: str | None = Field(
        default=None,
        description='metric entail: how explanations were paired: "id", or "place" (the position in the list)',
    )
    n_by_place: int | None = Field(
        default=None,
        description="metric entail: number of explanations paired by position, because the "
        "explanations of the system or of the reference have no ids",
    )
    n_tied: int | None = Field(
        default=None,
        description=(
            "metric entail: number of items that count as not covered, because as many votes say yes as say no"
        ),
    )
    n_missing: int | None = Field(
        default=None,
        description=(
            "number of reference explanations (metric entail) or of weaknesses (metrics targets and labels) "
            "that the system lacks"
        ),
    )
    n_extra: int | None = Field(
        default=None, description="metric entail: number of the system's explanations without a reference explanation"
    )
    missing: list[str] | None = Field(
        default=None, description="ids of the reference explanations that the system lacks"
    )
    extra: list[str] | None = Field(
        default=None, description="ids of the system's explanations without a reference explanation"
    )
    n_unrated: int | None = Field(default=None, description="metric facets: number of missing ratings")
    n_unjudged: int | None = Field(
        default=None,
        description="number of judgements, targets, labels, rewritings or verdicts that are missing because no reply "
        "was usable",
    )
    n_unreferenced: int | None = Field(
        default=None,
        description=(
            "number of weaknesses (metrics targets and labels) or reviews (metric weaknesses) for which the "
            "reference has no answer"
        ),
    )
    targets_by: dict[str, int] | None = Field(
        default=None,
        description=(
            "metrics verifications, same-issue and specificity: for each system or rater that chose disputed claims "
            "(targets), the number of scored verifications or pairs about these claims; claims that were added as "
            "controls are not counted"
        ),
    )
    n_renormalised: int | None = Field(
        default=None, description="metric facets: 1 if the facet score leaves out a facet"
    )
    n_failed: int | None = Field(
        default=None, description="metric equations: number of options for which no reply came from the model"
    )
    n_none_deficient: int | None = Field(
        default=None, description="for the metric `review`: 1 if people called no segment deficient"
    )
    n_shortened: int | None = Field(
        default=None, description="metrics soft and entail: 1 if the system saw only the beginning of the paper"
    )
    n_incomplete: int | None = Field(
        default=None,
        description="metrics soft and entail: 1 if the system's list is incomplete, because the model gave no usable "
        "reply about at least one part of the paper",
    )
    n_refused: int | None = Field(
        default=None,
        description=(
            "number of items that the system gave but that were rejected, for example because a quotation is "
            "not in the text; rejected items count as wrong"
        ),
    )
    without_refused: dict[str, float | None] | None = Field(
        default=None,
        description="the values of the metric without the rejected items, if these values differ from `values`",
    )
    n_cut: int | None = Field(
        default=None,
        description="number of texts that were shortened, because they are longer than the embedding model can read",
    )
