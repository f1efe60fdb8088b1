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
    values: dict[str, float | None] = Field(description="null where undefined")
    reasons: dict[str, str] = Field(description="why a value is null, by the value's name")
    item: str | None = Field(default=None, description="the part of the record that is scored: a review")
    weaknesses: list[dict[str, Any]] | None = Field(
        default=None, description="targets, labels: what the values are made of, by weakness"
    )
    n_items: int | None = Field(default=None, description="soft: items of the system")
    n_reviewers: int | None = Field(default=None, description="soft: reviewers with an item")
    n_negative: int | None = Field(default=None, description="soft: 1 where precision or recall is negative, and F1 0")
    n_empty_reviewers: int | None = Field(default=None, description="soft: reviewers without one")
    n_empty: int | None = Field(
        default=None, description="1: nothing from the system where there was something to find"
    )
    n_paired: int | None = Field(default=None, description="entail: explanations compared with a reference")
    paired_by: str | None = Field(default=None, description='entail: "id" or "place"')
    n_by_place: int | None = Field(
        default=None, description="entail: of these, those paired by place because a side has no ids"
    )
    n_tied: int | None = Field(
        default=None, description="entail: items that are not covered because the votes are split in halves"
    )
    n_missing: int | None = Field(
        default=None, description="entail: reference explanations without a partner; targets, labels: weaknesses"
    )
    n_extra: int | None = Field(default=None, description="entail: the system's explanations without a partner")
    missing: list[str] | None = Field(default=None, description="ids of the reference explanations without a partner")
    extra: list[str] | None = Field(default=None, description="ids of the system's explanations without a partner")
    n_unrated: int | None = Field(default=None, description="facets: ratings that should be there and are not")
    n_unjudged: int | None = Field(
        default=None, description="judgements, targets, labels, rewritings or verdicts that were asked for in vain"
    )
    n_unreferenced: int | None = Field(
        default=None,
        description="targets, labels: weaknesses, weaknesses: reviews, of which the reference has no answer",
    )
    targets_by: dict[str, int] | None = Field(
        default=None,
        description="verifications (without controls), same-issue, specificity: how many are on whose targets",
    )
    n_renormalised: int | None = Field(default=None, description="facets: 1 where the score leaves out a facet")
    n_failed: int | None = Field(default=None, description="equations: answers to which no reply came")
    n_none_deficient: int | None = Field(default=None, description="review: 1 where people called no segment deficient")
    n_shortened: int | None = Field(
        default=None, description="soft, entail: 1 where the system was shown the beginning of the paper only"
    )
    n_incomplete: int | None = Field(
        default=None, description="soft, entail: 1 where the system's list lacks the items of some piece of the paper"
    )
    n_refused: int | None = Field(
        default=None, description="items that the system gave and verification refused: given and wrong"
    )
    without_refused: dict[str, float | None] | None = Field(
        default=None, description="the values that these change, as they are without them"
    )
    n_cut: int | None = Field(default=None, description="texts longer than a model reads")
