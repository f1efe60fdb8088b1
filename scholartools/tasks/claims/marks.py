"""Fingerprints of the texts that an entry is about, and refusals of what is of other texts than the record has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Entry, Record, read, spans_text
from scholartools.signature import fingerprint
from scholartools.tasks.claims.base import entry_of, paper_texts
from scholartools.tasks.shared.judgements import by_name

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, Edited, PaperRecord, Target, Verification, Weakness, WeaknessLabels


def weakness_mark(weakness: Weakness, targets: Sequence[Target] | None = None) -> str:
    """A fingerprint of a weakness, and of its targets where an entry is about these too."""
    return fingerprint([weakness["text"], None if targets is None else [target["text"] for target in targets]])


def association_mark(weakness: Weakness, claims: Sequence[Claim]) -> str:
    """A fingerprint of a weakness and of the candidates its targets were chosen from, whatever their order."""
    known = sorted([claim["id"], claim["text"]] for claim in claims)
    return fingerprint([weakness["text"], known])


def verification_mark(target_text: str, weakness: Weakness | None) -> str:
    """A fingerprint of a claim and of the weakness that disputes it, None on the model's side."""
    return fingerprint([target_text, weakness and weakness["text"]])


def rewriting_mark(weaknesses: Sequence[Weakness], system: str, ids: Sequence[str], author: Record | None) -> str:
    """A fingerprint of some weaknesses, of what a system made of them, and of the targets that an author gave them."""
    texts_of = {}
    for one in weaknesses:
        rewriting, entry = entry_of(one, "edited", {"system": system}), entry_of(one, "targets", author)
        targets = [target["text"] for target in (entry and entry["items"]) or ()]
        texts_of[one["id"]] = [one["text"], rewriting and rewriting["text"], targets]
    return fingerprint([texts_of.get(name) for name in ids])


def comparison_mark(verifications: Sequence[Verification], pairs: Sequence[Record]) -> str:
    """A fingerprint of what was compared in pairs of a reviewer's and a model's verification."""
    texts_of = {one["id"]: [one["claim"]["text"], one["text"]] for one in verifications}
    return fingerprint([[texts_of.get(pair[side]) for side in ("reviewer", "model")] for pair in pairs])


def refuse_stale(weakness: Weakness, entry: WeaknessLabels | Edited, what: str, action: str) -> None:
    """Refuse labels or a rewriting of another text of the weakness, or of targets that nobody has any more.

    Args:
        what: it is, for the reason: "labels".
        action: that makes it anew.

    Raises:
        InputFault: it is.
    """
    lists = [None, [], *(one["items"] for one in weakness.get("targets") or () if one["items"])]
    if entry.get("texts") not in (None, *(weakness_mark(weakness, targets) for targets in lists)):
        reason = f'the {what} of weakness "{weakness["id"]}" by "{entry["system"]}" are for other texts than the record'
        raise InputFault(f"{reason}: run st-claims {action} again", kind="stale")


def refuse_stale_verifications(record: PaperRecord, verifications: Sequence[Entry]) -> None:
    """Refuse what was distilled from another text of a weakness than the record has, and what is on no target any more.

    Raises:
        InputFault: there is such, or two are of one id.
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


def _is_target(claim: Claim, lists: Sequence[Sequence[Target]]) -> bool:
    return any(item["spans"] == claim["spans"] for items in lists for item in items)


def refuse_changed_claims(record: PaperRecord) -> None:
    """Refuse claims whose text is not the text at their place in the paper.

    Raises:
        InputFault: there is one.
    """
    named = paper_texts(record)
    for claim in read(record, "claims") or ():
        _refuse_moved(claim, named, f'claim "{claim["id"]}"')


def refuse_changed_targets(record: PaperRecord, author: Record | None) -> None:
    """Refuse targets of a system whose text is not that of their claim, or not the text at their place.

    Args:
        record: with ``weaknesses``.
        author: whose ``system`` has the targets that are read; None for all.

    Raises:
        InputFault: there is one.
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


def _refuse_moved(item: Claim | Target, named: Mapping[str, str], what: str) -> None:
    """Refuse an item that has another text than its place; a place in a text that is not there tells nothing."""
    spans = item.get("spans") or ()
    places = {span["in"] for span in spans}
    if len(places) == 1 and (source := named.get(*places)) is not None and spans_text(source, spans) != item["text"]:
        reason = f"the text of {what} differs from the text at its position: {item['text'][:60]}"
        raise InputFault(reason, kind="stale")
