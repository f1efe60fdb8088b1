"""Fingerprints of the texts that entries refer to, and checks that entries are not stale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Entry, Record, read, spans_text, texts
from scholartools.signature import fingerprint
from scholartools.tasks.claims.base import entry_of, paper_texts
from scholartools.tasks.shared.judgements import by_name

if TYPE_CHECKING:
    from scholartools.schemas.shapes import (
        Claim,
        Edited,
        PaperRecord,
        Review,
        Target,
        Verification,
        Weakness,
        WeaknessLabels,
    )


def weakness_mark(weakness: Weakness, targets: Sequence[Target] | None = None) -> str:
    """Fingerprint of a weakness, and of its targets if an entry refers to these, too."""
    return fingerprint([weakness["text"], None if targets is None else [target["text"] for target in targets]])


def association_mark(weakness: Weakness, claims: Sequence[Claim]) -> str:
    """Fingerprint of a weakness and of the candidate claims, independent of their order."""
    known = sorted([claim["id"], claim["text"]] for claim in claims)
    return fingerprint([weakness["text"], known])


def verification_mark(target_text: str, weakness: Weakness | None) -> str:
    """Fingerprint of a claim and of the weakness that disputes it; None on the model's side."""
    return fingerprint([target_text, weakness and weakness["text"]])


def rewriting_mark(weaknesses: Sequence[Weakness], system: str, ids: Sequence[str], author: Record | None) -> str:
    """Fingerprint of weaknesses, of their rewritings by a system, and of their targets by an author."""
    texts_of = {}
    for one in weaknesses:
        rewriting, entry = entry_of(one, "edited", {"system": system}), entry_of(one, "targets", author)
        targets = [target["text"] for target in (entry and entry["items"]) or ()]
        texts_of[one["id"]] = [one["text"], rewriting and rewriting["text"], targets]
    return fingerprint([texts_of.get(name) for name in ids])


def comparison_mark(verifications: Sequence[Verification], pairs: Sequence[Record]) -> str:
    """Fingerprint of the texts compared in pairs of a reviewer's and a model's verification."""
    texts_of = {one["id"]: [one["claim"]["text"], one["text"]] for one in verifications}
    return fingerprint([[texts_of.get(pair[side]) for side in ("reviewer", "model")] for pair in pairs])


def reviews_mark(reviews: Sequence[Review]) -> str:
    """Fingerprint of the ids and texts of reviews, independent of their order."""
    return fingerprint(sorted([one["id"], one["text"]] for one in reviews))


def refuse_stale(weakness: Weakness, entry: WeaknessLabels | Edited, what: str, action: str) -> None:
    """Check that labels or a rewriting refer to the current weakness and to targets that still exist.

    Args:
        what: noun for the message: "labels".
        action: the action that recreates them.

    Raises:
        InputFault: they refer to other texts.
    """
    lists = [None, [], *(one["items"] for one in weakness.get("targets") or () if one["items"])]
    if entry.get("texts") not in (None, *(weakness_mark(weakness, targets) for targets in lists)):
        reason = f'the {what} of weakness "{weakness["id"]}" by "{entry["system"]}" are for other texts than the record'
        raise InputFault(f"{reason}: run st-claims {action} again", kind="stale")


def refuse_stale_verifications(record: PaperRecord, verifications: Sequence[Entry]) -> None:
    """Check that verifications refer to the current text of their weakness and to an existing target.

    Raises:
        InputFault: one does not, or ids are duplicate.
    """
    weaknesses: dict[str | None, Weakness] = {one["id"]: one for one in read(record, "weaknesses") or ()}
    for one in by_name(verifications, "id", "verifications").values():
        weakness = weaknesses.get(one.get("weakness"))
        if weakness and one.get("texts") not in (None, verification_mark(one["claim"]["text"], weakness)):
            reason = f'verification "{one["id"]}" is about another text of weakness "{weakness["id"]}"'
            raise InputFault(f"{reason}: run st-claims verify again", kind="stale")
        disputing = list(weaknesses.values()) if one["side"] == "model" else [weakness] if weakness else []
        lists = [
            entry["items"] for some in disputing for entry in some.get("targets") or () if entry["items"] is not None
        ]
        if lists and not one.get("control") and not _is_target(one["claim"], lists):
            reason = f'verification "{one["id"]}" is of a claim that is no target'
            raise InputFault(f"{reason} any more: run st-claims verify again", kind="stale")


def refuse_stale_continuations(record: PaperRecord, entry: Entry) -> None:
    """Check that the continued reviews have the texts that the record has now, if it still has all of them.

    Raises:
        InputFault: one has another text.
    """
    known = {one["id"]: one for one in read(record, "reviews") or ()}
    names = [one["review"] for one in entry["reviews"]]
    if known.keys() >= set(names) and entry.get("texts") not in (None, reviews_mark([known[name] for name in names])):
        reason = f'the contamination of "{entry["system"]}" is about other texts of the reviews than the record'
        raise InputFault(f"{reason}: run st-claims contamination again", kind="stale")


def _is_target(claim: Claim, lists: Sequence[Sequence[Target]]) -> bool:
    return any(item["spans"] == claim["spans"] for items in lists for item in items)


def refuse_changed_claims(record: PaperRecord) -> None:
    """Check that the text of each claim is the text at its position in the paper.

    Raises:
        InputFault: a text differs.
    """
    named = paper_texts(record)
    for claim in read(record, "claims") or ():
        _refuse_moved(claim, named, f'claim "{claim["id"]}"')


def refuse_changed_targets(record: PaperRecord, author: Record | None) -> None:
    """Check that the text of each target is that of its claim, and the text at its position.

    Args:
        record: record with ``weaknesses``.
        author: author whose targets are checked; None for all.

    Raises:
        InputFault: a text differs.
    """
    named = paper_texts(record)
    claims = {claim["id"]: claim["text"] for claim in read(record, "claims") or ()}
    for weakness in read(record, "weaknesses") or ():
        for entry in weakness.get("targets") or ():
            for item in (entry["items"] or ()) if author is None or entry["system"] == author["system"] else ():
                whose = f'a target of weakness "{weakness["id"]}" by "{entry["system"]}"'
                if claims and (claim := item.get("claim")) and claims.get(claim) != item["text"]:
                    reason = f'{whose} is no longer the text of claim "{claim}"'
                    raise InputFault(f"{reason}: run st-claims associate again", kind="stale")
                _refuse_moved(item, named, whose)


def refuse_moved_passages(record: PaperRecord, weaknesses: Iterable[Weakness]) -> None:
    """Check that the text of each weakness is the text at its position in the review.

    Raises:
        InputFault: a text differs.
    """
    named = texts({"reviews": record.get("reviews")})
    for one in weaknesses:
        _refuse_moved(one, named, f'weakness "{one["id"]}" of review "{one["review"]}"')


def _refuse_moved(item: Claim | Target | Weakness, named: Mapping[str, str], what: str) -> None:
    """Check the text of an item at its position; positions in unknown texts are not checked."""
    spans = item.get("spans") or ()
    places = {span["in"] for span in spans}
    if len(places) == 1 and (source := named.get(*places)) is not None and spans_text(source, spans) != item["text"]:
        reason = f"the text of {what} differs from the text at its position: {item['text'][:60]}"
        raise InputFault(reason, kind="stale")
