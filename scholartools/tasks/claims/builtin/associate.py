"""Built-in choice of the claims that a weakness disputes, by quotation or else similarity (CLAIMCHECK, section 4.1).

A weak baseline, since similar claims need not be disputed. The command's help has figures on our fixture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.claims.base import (
    BUILTIN,
    MOST_TARGETS,
    chosen_claim,
    items_of,
    paper_texts,
    sign_step,
    tell_lost_claims,
    with_rejected,
)
from scholartools.tasks.claims.entries import refuse_overwriting, replace_entry
from scholartools.tasks.claims.marks import association_mark, refuse_changed_claims
from scholartools.tasks.claims.mentions import Quoted, find, quotations
from scholartools.tasks.claims.similarity import Claims
from scholartools.text.sentences import spans

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, Span, Target, Weakness

STEP = "associate"

#: Minimum similarity of a target, and maximum distance of further targets from the most similar one.
THRESHOLD, BEHIND = 0.33, 0.03


def associate(record: Record, *, max_targets: int = MOST_TARGETS, system: str | None = None) -> Record:
    """Add ``targets`` to the ``weaknesses`` of a copy of the record: one entry of the system with its items.

    A claim that a weakness quotes is a target; a quotation from elsewhere in the paper gives a custom target, the
    sentence that contains it. Otherwise, the targets are the claims with a similarity of at least :data:`THRESHOLD`,
    possibly none. The order of the claims has no effect.

    Args:
        max_targets: maximum per weakness, custom ones included.
        system: name of the entry, None for "builtin"; entries of other systems are kept.

    Raises:
        InputFault: ``claims`` or ``weaknesses`` are missing or malformed; human targets would be replaced.
        UsageFault: ``max_targets`` is less than 1 or more than 3.
    """
    if not 1 <= max_targets <= MOST_TARGETS:
        raise UsageFault(f"{parameter('max_targets')} must be 1 to {MOST_TARGETS}, not {max_targets}")
    claims = sorted(items_of(record, "claims", "extract"), key=lambda claim: claim["id"])
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    refuse_changed_claims(record)
    refuse_overwriting(weaknesses, "targets", system or BUILTIN, BUILTIN)
    named = paper_texts(record)
    index = Claims([claim["text"] for claim in claims])
    made = []
    for weakness in weaknesses:
        items = _target_items(weakness, claims, index, named)[:max_targets]
        entry = {"system": system or BUILTIN, "by": BUILTIN, "items": items}
        entry["texts"] = association_mark(weakness, claims)
        made.append({**weakness, "targets": replace_entry(weakness.get("targets"), entry)})
    done = with_rejected({**record, "weaknesses": made}, STEP, [], system or BUILTIN)
    tell_lost_claims(done)
    options = {"max_targets": max_targets, "system": system, "threshold": THRESHOLD, "behind": BEHIND}
    options["embedder"] = index.name
    return sign_step(
        done, STEP, options, [[one["text"] for one in weaknesses], [[one["id"], one["text"]] for one in claims], named]
    )


def _target_items(weakness: Weakness, claims: Sequence[Claim], index: Claims, named: Mapping[str, str]) -> list[Target]:
    """The targets of a weakness: quoted claims, or else similar ones in descending order."""
    found: list[Target] = []
    for quote in quotations(weakness["text"]):
        item = _quoted_target(quote, claims, named)
        is_new = item is not None and item["spans"] not in [one["spans"] for one in found]
        if item is not None and is_new and not (item["custom"] and any(one["custom"] for one in found)):
            found.append(item)
    if found:
        return found
    scores = [one.score for one in index.similarities(weakness["text"])]
    best = max(scores, default=0.0)
    order = sorted(range(len(claims)), key=lambda place: (-scores[place], claims[place]["id"]))
    chosen = [place for place in order if scores[place] >= THRESHOLD and scores[place] >= best - BEHIND]
    return [{**chosen_claim(claims[place]), "score": scores[place]} for place in chosen]


def _quoted_target(quote: str, claims: Sequence[Claim], named: Mapping[str, str]) -> Target | None:
    """The claim that contains a quotation, else its sentence as a custom target; None if it is not in the paper."""
    place = find(quote, named)
    if place is None:
        return None
    holding = (claim for claim in claims if _holds_quotation(claim["spans"], place))
    found = next(holding, None)
    return _custom_target(place, named) if found is None else chosen_claim(found)


def _holds_quotation(spans_of_claim: Sequence[Span], place: Quoted) -> bool:
    """Whether a claim contains more than half of a quotation."""
    start, end = place.match.start, place.match.end
    shared = (min(end, span["end"]) - max(start, span["start"]) for span in spans_of_claim if span["in"] == place.name)
    return max(shared, default=0) > (end - start) / 2


def _custom_target(place: Quoted, named: Mapping[str, str]) -> Target:
    text = named[place.name]
    touched = [(start, end) for start, end in spans(text) if start < place.match.end and place.match.start < end]
    start, end = touched[0][0], touched[-1][1]
    span: Span = {"in": place.name, "start": start, "end": end}
    return {"claim": None, "custom": True, "text": text[start:end], "spans": [span]}
