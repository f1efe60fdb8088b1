"""Majority labels: a record per item, or a summary of how many items have a majority and why others have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scholartools.errors import UsageFault
from scholartools.metrics.agreement.majority import majority
from scholartools.paths import Name, as_json
from scholartools.records import Record
from scholartools.tasks.agree.ratings import Label, Ratings, View
from scholartools.tasks.agree.results import sign_result


def majority_records(ratings: Ratings, min_votes: int = 2) -> Iterator[Record]:
    """One record per item and label: the majority value, or null with the reason, and the votes.

    ``every_label`` tells whether the item has a majority for every label of the input, for ground truth that keeps
    only complete items (RQ evaluation, section 3).

    Raises:
        UsageFault: the key of clusters clashes with another key of the record.
    """
    found = {
        (label, item): majority(list(rated.values()), min_votes)
        for label, item, rated in ratings.iter_rated(*ratings.labels)
    }
    kept = Counter(item for (_, item), result in found.items() if result.reason is None)
    for (label, item), result in found.items():
        entry: Record = {
            "stat": "majority",
            "item": item,
            "label": label,
            "value": result.value,
            "n_ratings": result.n_ratings,
            "votes": [{"value": value, "votes": votes} for value, votes in result.counts],
            "every_label": kept[item] == len(ratings.labels),
            "reason": result.reason,
            "signature": _result_signature(ratings, label, min_votes, item=as_json(item)),
        }
        if ratings.keys.cluster in entry:
            raise UsageFault(f'each majority has another value at "{ratings.keys.cluster}"', parameter="cluster")
        yield entry if ratings.keys.cluster is None else {**entry, ratings.keys.cluster: ratings.cluster(item)}


def summary(ratings: Ratings, min_votes: int = 2) -> Iterator[Record]:
    """One record per label and, if there are several, one of the items with a majority for all (``every_label``)."""
    made = list(majority_records(ratings, min_votes))
    for label in ratings.labels:
        of_label = [entry for entry in made if entry["label"] == label]
        reasons = Counter(entry["reason"] for entry in of_label if entry["reason"] is not None)
        missing = View(ratings, (label,), tuple(ratings.raters(label))).missing()
        part = {"label": label, **_share_record(len(of_label) - reasons.total(), len(of_label))}
        yield {
            "stat": "majority", **part, "nulls": dict(sorted(reasons.items())), "n_missing": missing,
            "dropped": dict(sorted(ratings.dropped.items())), "signature": _result_signature(ratings, label, min_votes),
        }  # fmt: skip
    if len(ratings.labels) > 1:
        whole: dict[Name, bool] = {entry["item"]: entry["every_label"] for entry in made}
        yield {
            "stat": "majority", "label": None, "every_label": True, **_share_record(sum(whole.values()), len(whole)),
            "dropped": dict(sorted(ratings.dropped.items())),
            "signature": _result_signature(ratings, None, min_votes, every_label=True),
        }  # fmt: skip


def _share_record(n_kept: int, n_items: int) -> Record:
    return {"value": n_kept / n_items if n_items else None, "n_kept": n_kept, "n_items": n_items}


def _result_signature(ratings: Ratings, label: Label, min_votes: int, **more: object) -> str:
    parameters: Record = {"stat": "majority", "label": as_json(label), "min_votes": min_votes, **more}
    return sign_result({**parameters, "input": ratings.fingerprint()}, ratings.dropped, None)
