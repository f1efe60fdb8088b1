"""Weaknesses that raters and systems mark in reviews, against a reference, per review (CLAIMCHECK, 3.3, 3.4)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.agreement.spans import assign
from scholartools.metrics.items import labels as label_metrics
from scholartools.metrics.items.targets import MEASURES, Targets, target_scores, target_sums
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.values import Value
from scholartools.parameters import parameter
from scholartools.records import Record, nonzero, read
from scholartools.signature import library
from scholartools.tasks.claims.base import COMMAND as CLAIMS
from scholartools.tasks.claims.base import GOLD
from scholartools.tasks.claims.marks import refuse_moved_passages
from scholartools.tasks.claims.weakness_sets import sets_of_raters, weakness_authors
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    LeftOut,
    Metric,
    Options,
    each_system,
    entry,
    refused_keys,
    values_in,
    with_prefix,
)
from scholartools.tasks.score.refusals import refused_quotes
from scholartools.tasks.score.targets import places_of, scale_sums, select_sums
from scholartools.tasks.shared.items import holds

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Weakness

#: Minimum edit similarity of two passages for a comparison of groundedness; less similar ones are different weaknesses.
SAME_PASSAGE = 0.5

Sets = dict[str, "list[Weakness] | None"]


def weakness_entries(record: PaperRecord, options: Options) -> Iterator[Record | LeftOut]:
    """Each rater's weaknesses against the reference's, matched within each review, over the reviews that both rated.

    The reference is the ``weaknesses`` by "gold" or by the rater or method of the option ``reference``, which may also
    be under ``annotations.weaknesses``. Reviews without the reference are excluded; ``n_unreferenced`` counts them. F1,
    precision and recall are by edit similarity, by equality and by overlap of spans. ``groundedness`` is compared for
    assigned passages with a similarity of at least :data:`SAME_PASSAGE`. A quoted passage that does not occur in the
    review counts as a false positive. A rater whose passages are no longer in the reviews is left out.

    Raises:
        InputFault: there is no reference, or no other rater, or the passages of the reference are no longer there.
    """
    reference = options.reference or GOLD
    golden, others = _sides(record, reference)
    refuse_moved_passages(record, _items_in(golden))
    raters = [rater for rater in others if options.candidate in (None, rater)]
    yield from each_system(raters, lambda rater: [_score_rater(record, reference, rater, golden, others[rater])])


def _items_in(sets: Sets) -> Iterator[Weakness]:
    return itertools.chain.from_iterable(items or () for items in sets.values())


def _score_rater(record: PaperRecord, reference: str, rater: str, golden: Sets, sets: Sets) -> Record:
    refuse_moved_passages(record, _items_in(sets))
    pairs = [(name, golden[name], sets.get(name)) for name in golden]
    both = [(name, gold or [], own) for name, gold, own in pairs if own is not None]
    refused = Counter(one.get("in") for one in refused_quotes(record, CLAIMS, "weaknesses", rater))
    compared = {name: _compare_sets(gold, own, refused[f"review:{name}"]) for name, gold, own in both}
    rated = [pair for _, gold, own in both for pair in _grade_items(gold, own)]
    values = _set_values(list(compared.values()))
    values |= _groundedness([(a, b) for a, b in rated if a is not None and b is not None])
    rows = [{"reference": {"groundedness": a}, "given": {"groundedness": b}} for a, b in rated]
    of_review = [{"review": name, **select_sums(target_sums([one]))} for name, one in compared.items()]
    n_absent = sum(name not in sets for name in golden)
    n_unreferenced = sum(name not in golden for name in sets)
    n_unjudged = len(pairs) - len(both) - n_absent
    gaps = nonzero(n_missing=n_absent, n_unjudged=n_unjudged, n_unreferenced=n_unreferenced)
    n_refused = sum(one.n_refused for one in compared.values())
    gaps |= refused_keys(n_refused, lambda: _set_values([replace(one, n_refused=0) for one in compared.values()]))
    inputs: list[object] = [[name, _plain(gold), _plain(own)] for name, gold, own in pairs]
    inputs += [[one.n_refused for one in compared.values()]] if n_refused else []
    versions = {"reference": reference, "library": [library("rapidfuzz"), library("scipy")]}
    return entry("weaknesses", rater, values, inputs, versions, reviews=of_review, weaknesses=rows, **gaps)


def _set_values(compared: Sequence[Targets]) -> dict[str, Value]:
    """F1, precision and recall by each measure, and the underlying sums."""
    whole = target_sums(compared)
    scores = {name: value for name, value in target_scores(whole).items() if name.endswith(MEASURES)}
    return scores | {name: Value(number) for name, number in select_sums(whole).items()}


def _sides(record: PaperRecord, reference: str) -> tuple[Sets, dict[str, Sets]]:
    """The reference's weaknesses by review (null ones removed), and those of each other rater.

    Raises:
        InputFault: there is no reference, or no other rater.
    """
    sets: dict[str, Sets] = {}
    for one in sets_of_raters(record):
        sets.setdefault(one["rater"], {})[one["review"]] = one["items"]
    golden = sets.pop(reference, None) or _marked_by(record, reference)
    if not golden:
        raise InputFault(_why_no_reference(record, reference, list(sets)), kind="missing-key")
    if not sets:
        raise InputFault(
            f'nobody\'s "annotations.weaknesses": run st-claims weaknesses {parameter("rater", "NAME")}',
            kind="missing-key",
        )
    return {name: items for name, items in golden.items() if items is not None}, sets


def _marked_by(record: PaperRecord, author: str) -> Sets:
    """The weaknesses by an author under ``weaknesses``, by review."""
    weaknesses = read(record, "weaknesses") or ()
    own = [name for name, by in weakness_authors(record).items() if by == author]
    return {name: [one for one in weaknesses if one["review"] == name] for name in own}


def _why_no_reference(record: PaperRecord, reference: str, raters: Sequence[str]) -> str:
    others = dict.fromkeys([*weakness_authors(record).values(), *raters])
    known = f"there are those of {', '.join(others)}" if others else "there are none"
    return f'no weaknesses of "{reference}" ({parameter("reference")} names whose are the reference); {known}'


def _plain(side: Sequence[Weakness] | None) -> list[list[object]] | None:
    return None if side is None else [[one["text"], one.get("groundedness"), one.get("spans")] for one in side]


def _compare_sets(gold: Sequence[Weakness], own: Sequence[Weakness], n_refused: int) -> Targets:
    sides = [[one["text"] for one in side] for side in (gold, own)]
    return Targets(sides[0], sides[1], 0, places_of(gold), places_of(own), n_refused)


def _grade_items(gold: Sequence[Weakness], own: Sequence[Weakness]) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of the two sides' groundedness values for matching passages."""
    ranked = [sorted(side, key=lambda one: one["text"]) for side in (gold, own)]
    for first, second, similarity in assign(*([one["text"] for one in side] for side in ranked)):
        if similarity >= SAME_PASSAGE:
            yield ranked[0][first].get("groundedness"), ranked[1][second].get("groundedness")


def _groundedness(pairs: Sequence[tuple[int, int]]) -> dict[str, Value]:
    sides = [[pair[place] for pair in pairs] for place in (0, 1)]
    scores = label_metrics.scale_scores(sides[0], sides[1])
    return with_prefix("groundedness", {**scores, **scale_sums(pairs)})


def _is_marked(record: PaperRecord) -> bool:
    """Whether "gold" annotated the weaknesses of some review, or marked one."""
    listed = [record.get(key) for key in ("reviews", "weaknesses")]
    items = [one for some in listed if isinstance(some, list) for one in some if isinstance(one, dict)]
    return any(GOLD in (one.get("weaknesses_by"), one.get("by")) for one in items)


METRICS = {
    "weaknesses": Metric(
        'weaknesses by "gold" (or {reference} NAME) and annotations.weaknesses',
        "review by review: F1, P and R by edit similarity, by equality and by overlap of spans; groundedness of "
        "shared passages: share equal, mean absolute error, alpha and kappa over all records",
        values_in(SHARE, *(f"*_{measure}" for measure in MEASURES))
        | values_in(SHARE, "groundedness.equal")
        | values_in(
            NOT_NEGATIVE, "groundedness.*", "n_reference", "n_given", *(f"{measure}_sum" for measure in MEASURES)
        ),
        lambda record: holds(record, "annotations.weaknesses") and _is_marked(record),
        weakness_entries,
        ("reference", "candidate"),
    ),
}
