"""The facet score: weighted ratings of facets, as a share of the maximum (Facet-aware Metric, section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping

from scholartools.errors import InputFault
from scholartools.metrics.values import Value
from scholartools.vocabulary import FACETS

OVERALL = "overall"


# Weight and maximum rating of each facet (section 3.2, equation 1).
WEIGHTS = {"background": 0.1, "method": 0.3, "result": 0.3, "conclusion": 0.3}


MAXIMA = {"background": 3, "method": 4, "result": 4, "conclusion": 3}


def facet_score(ratings: Mapping[str, float | None]) -> dict[str, Value]:
    """Compute the facet score of one text (``overall``) and of each facet (``rating / maximum``), from 0 to 1.

    The facet score of a text is ``sum of w * rating / maximum`` divided by ``sum of w``, over the facets with a rating
    (``w`` is the weight of a facet). The rating of a facet that the reference lacks is None, and the weights of the
    other facets are renormalised. If a facet is missing from ``ratings``, it was not rated, and the facet score of the
    text is undefined.

    Args:
        ratings: the rating of each facet, from 1 (also if the candidate lacks the facet) to the maximum of the facet.

    Raises:
        InputFault: a rating is out of range, or a key of ``ratings`` is not a facet.
    """
    _check_ratings(ratings)
    parts = {facet: _facet_part(facet, ratings) for facet in FACETS}
    unrated = [facet for facet in FACETS if facet not in ratings]
    rated = {facet: part.value for facet, part in parts.items() if part.value is not None}
    if unrated:
        overall = Value(None, f"no rating of {', '.join(unrated)}")
    elif not rated:
        overall = Value(None, "no facet in the reference")
    else:
        total = sum(WEIGHTS[facet] for facet in rated)
        overall = Value(sum(WEIGHTS[facet] * share for facet, share in rated.items()) / total)
    return {OVERALL: overall, **parts}


def _check_ratings(ratings: Mapping[str, float | None]) -> None:
    for facet, rating in ratings.items():
        if facet not in MAXIMA:
            raise InputFault(f'"{facet}" is rated but is not a facet ({", ".join(FACETS)})', kind="invalid-key")
        if rating is not None and not 1 <= rating <= MAXIMA[facet]:
            raise InputFault(f"the rating {rating:g} of {facet} is not in 1..{MAXIMA[facet]}", kind="invalid-key")


def _facet_part(facet: str, ratings: Mapping[str, float | None]) -> Value:
    if facet not in ratings:
        return Value(None, f"no rating of {facet}")
    rating = ratings[facet]
    return Value(None, lacks_facet(facet)) if rating is None else Value(rating / MAXIMA[facet])


def lacks_facet(facet: str) -> str:
    """Reason for the missing score of a facet that the reference lacks, here and in judgements."""
    return f"no {facet} in the reference"
