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
    evidence: dict[str, Any] | None = Field(default=None, description="support: what each facet was compared with")
    values: dict[str, float | None] = Field(description="values by name; null if a value is undefined")
    reasons: dict[str, str] = Field(description="reason why a value is null, by the name of the value")
    item: str | None = Field(default=None, description="the scored part of the record: a review")
    weaknesses: list[dict[str, Any]] | None = Field(
        default=None, description="targets, labels: the parts of the values, by weakness"
    )
    n_items: int | None = Field(default=None, description="soft: number of items of the system")
    n_reviewers: int | None = Field(default=None, description="soft: number of reviewers with an item")
    n_negative: int | None = Field(
        default=None, description="soft: 1 if precision or recall is negative, so that F1 is 0"
    )
    n_empty_reviewers: int | None = Field(default=None, description="soft: number of reviewers without an item")
    n_empty: int | None = Field(
        default=None, description="1 if the system gave nothing although there was something to find"
    )
    n_paired: int | None = Field(default=None, description="entail: explanations compared with a reference")
    paired_by: str | None = Field(default=None, description='entail: "id" or "place" (the position in the list)')
    n_by_place: int | None = Field(
        default=None, description="entail: explanations paired by position because a side has no ids"
    )
    n_tied: int | None = Field(
        default=None, description="entail: items that count as not covered because the votes are tied"
    )
    n_missing: int | None = Field(
        default=None, description="entail: reference explanations without a partner; targets, labels: weaknesses"
    )
    n_extra: int | None = Field(default=None, description="entail: the system's explanations without a partner")
    missing: list[str] | None = Field(default=None, description="ids of the reference explanations without a partner")
    extra: list[str] | None = Field(default=None, description="ids of the system's explanations without a partner")
    n_unrated: int | None = Field(default=None, description="facets: number of missing ratings")
    n_unjudged: int | None = Field(
        default=None, description="number of judgements, targets, labels, rewritings or verdicts without a usable reply"
    )
    n_unreferenced: int | None = Field(
        default=None,
        description="number of weaknesses (targets, labels) or reviews (weaknesses) without an answer of the reference",
    )
    targets_by: dict[str, int] | None = Field(
        default=None,
        description="verifications (without controls), same-issue, specificity: number by author of the targets",
    )
    n_renormalised: int | None = Field(default=None, description="facets: 1 if the score leaves out a facet")
    n_failed: int | None = Field(default=None, description="equations: answers without any reply")
    n_none_deficient: int | None = Field(default=None, description="review: 1 if people called no segment deficient")
    n_shortened: int | None = Field(
        default=None, description="soft, entail: 1 if the system saw only the beginning of the paper"
    )
    n_incomplete: int | None = Field(
        default=None, description="soft, entail: 1 if the system's list lacks the items of a piece of the paper"
    )
    n_refused: int | None = Field(
        default=None,
        description="number of items that the system gave and verification refused; they count as given and wrong",
    )
    without_refused: dict[str, float | None] | None = Field(
        default=None, description="values without the refused items, where they differ"
    )
    n_cut: int | None = Field(default=None, description="number of texts longer than the model reads")
