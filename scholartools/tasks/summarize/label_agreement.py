"""Agreement of each system's labels, or groundedness, with the reference (CLAIMCHECK, tables 2 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools.metrics.agreement.coefficients import Agreement, Level, Weighting, alpha, cohen_kappa
from scholartools.metrics.agreement.intervals import alpha_interval, kappa_interval
from scholartools.metrics.agreement.scales import Rating
from scholartools.metrics.statistics.resampling import Percentiles, Resampling
from scholartools.paths import Name, name_sort_key
from scholartools.records import Record
from scholartools.signature import fingerprint
from scholartools.tasks.summarize.groups import Key
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Score

_GROUNDEDNESS = "groundedness"
_SCALES = (*WEAKNESS_SCALES, _GROUNDEDNESS)

#: Labels with agreement, by metric.
LABELS: dict[str, tuple[str, ...]] = {
    "labels": (*WEAKNESS_SCALES, *WEAKNESS_TYPES),
    "weaknesses": (_GROUNDEDNESS,),
}

Pair = tuple[Rating, Rating]


class _Paper(NamedTuple):
    """Reference and system labels of a record's weaknesses, and the record's cluster."""

    cluster: Name | None
    mark: str
    weaknesses: list[Record]


class LabelAgreement:
    """Collects the labels of both sides, as two raters with weaknesses as items.

    Intervals are over records or clusters, since weaknesses of one paper are dependent.
    """

    def __init__(self) -> None:
        self._papers: dict[Key, list[_Paper]] = {}

    def add(self, key: Key, entry: Score, cluster: Name | None) -> None:
        """Add the labels of an entry of ``scores``."""
        weaknesses = entry.get("weaknesses") or []
        self._papers.setdefault(key, []).append(_Paper(cluster, fingerprint(weaknesses), weaknesses))

    def results(self, key: Key, how: Resampling, *, clustered: bool) -> dict[str, Record]:
        """Krippendorff's alpha and Cohen's kappa of each label; ``n`` counts weaknesses labelled by both sides."""
        papers = sorted(self._papers.get(key, ()), key=lambda paper: (name_sort_key(paper.cluster), paper.mark))
        found = [_label_coefficients(label, papers, how, clustered) for label in LABELS[key.metric]]
        # Alphas first, as in the paper's tables.
        alphas = {name: value for one in found for name, value in one.items() if name.endswith(".alpha")}
        return alphas | {name: value for one in found for name, value in one.items()}


def _label_pairs(label: str, weaknesses: Sequence[Record]) -> Iterator[Pair]:
    """Values of both sides for each weakness labelled by both; types are 0 or 1."""
    for weakness in weaknesses:
        sides = [weakness[side] for side in ("reference", "given")]
        if label in _SCALES:
            values = [side[label] for side in sides]
        else:
            values = [None if side["types"] is None else int(label in side["types"]) for side in sides]
        if None not in values:
            yield values[0], values[1]


def _label_coefficients(label: str, papers: Sequence[_Paper], how: Resampling, clustered: bool) -> dict[str, Record]:
    level: Level = "ordinal" if label in _SCALES else "nominal"
    weighting: Weighting | None = "quadratic" if label in _SCALES else None
    pairs: list[Pair] = []
    clusters: list[Name | None] = []
    for number, paper in enumerate(papers):
        of_paper = list(_label_pairs(label, paper.weaknesses))
        pairs += of_paper
        clusters += [paper.cluster if clustered else number] * len(of_paper)
    sides = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        f"{label}.alpha": _agreement_record(alpha(pairs, level), alpha_interval(pairs, level, how, clusters)),
        f"{label}.kappa": _agreement_record(
            cohen_kappa(*sides, weighting), kappa_interval(*sides, how, clusters, weighting)
        ),
    }


def _agreement_record(found: Agreement, between: Percentiles) -> Record:
    entry: Record = {"n": found.n_items, "value": found.value, "low": None, "high": None}
    if found.value is None:
        reason = "no weakness labelled by both" if not found.n_items else found.reason
        return {**entry, "reason": reason}
    entry |= {"low": between.low, "high": between.high}
    return entry if between.reason is None else {**entry, "reason": between.reason}
