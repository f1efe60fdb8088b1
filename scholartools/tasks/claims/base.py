"""What the actions of st-claims share: their names, what they read of a record, and how they write into it."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scholartools import __version__
from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance, failures, need, read, replace_failure, spans_text, texts
from scholartools.signature import fingerprint, signature
from scholartools.tasks.shared.items import MISSING_ITEMS
from scholartools.tasks.shared.judgements import by_name

COMMAND = "st-claims"
ACTIONS = ("select", "extract", "weaknesses", "associate", "label", "edit", "verify", "contamination")

#: The most targets of a weakness, custom ones included; of these one at most (CLAIMCHECK, D).
MOST_TARGETS = 3

#: The rater that is the reference where none is named.
GOLD = "gold"

#: The name of what the built-in methods make.
BUILTIN = "builtin"


def paper_texts(record: Record) -> dict[str, str]:
    """Every text of the paper itself that a span can name: abstract, sections and captions (``caption:ID``).

    Raises:
        InputFault: two texts have one name, or one contains an unpaired surrogate.
    """
    named = texts({key: record.get(key) for key in ("abstract", "sections")})
    for caption in read(record, "captions") or ():
        name = f"caption:{caption['id']}"
        if name in named:
            raise InputFault(f'two texts are named "{name}": names must be unique in a record', kind="invalid-key")
        named[name] = caption["text"]
    return named


def reviews_of(record: Record) -> list[Record]:
    """The reviews of a record.

    Raises:
        InputFault: it has none, or two of one id.
    """
    reviews = need(record, "reviews", f"run st-parse with {parameter('reviews')}")
    texts({"reviews": reviews})
    return reviews


def items_of(record: Record, key: str, action: str) -> list[Record]:
    """The ``claims`` or ``weaknesses`` of a record, each with an id of its own.

    Raises:
        InputFault: it has none, or two of one id; names the action that makes them.
    """
    items = need(record, key, f"run st-claims {action} first")
    seen: set[str] = set()
    for item in items:
        if item["id"] in seen:
            raise InputFault(f'"{key}" has a duplicate "{item["id"]}"', kind="invalid-key")
        seen.add(item["id"])
    return items


def review_text(record: Record, weakness: Record) -> str:
    """The text of the review that a weakness is of.

    Raises:
        InputFault: the record has no such review.
    """
    for review in read(record, "reviews") or ():
        if review["id"] == weakness["review"]:
            return review["text"]
    raise InputFault(f'weakness "{weakness["id"]}" is of review "{weakness["review"]}", which is not there')


def replace_entry(entries: Sequence[Record] | None, made: Record) -> list[Record]:
    """Entries of several systems with one system's made anew, in its place."""
    entries = list(entries or ())
    for place, entry in enumerate(entries):
        if entry.get("system") == made["system"]:
            return [*entries[:place], made, *entries[place + 1 :]]
    return [*entries, made]


def same_name(first: str, second: str) -> bool:
    """Whether two names are one but for case and space."""
    return "".join(first.casefold().split()) == "".join(second.casefold().split())


def refuse_overwriting(weaknesses: Sequence[Record], key: str, system: str, by: str) -> None:
    """Refuse to replace what a person said by what a model says, or the other way round.

    A person's entries are by the name of their system; so are a model's that has no name of its own, which no other
    model may replace either.

    Args:
        weaknesses: of a record.
        key: of their lists of entries: targets, labels or edited.
        system: name of the entries to make.
        by: who makes them.

    Raises:
        InputFault: an entry of the system is by somebody else.
    """
    for weakness in weaknesses:
        for entry in weakness.get(key) or ():
            before = entry.get("by")
            if entry.get("system") == system and before not in (None, by) and system in (before, by, GOLD):
                reason = f'the {key} of weakness "{weakness["id"]}" by "{system}" are by {before}, not by {by}'
                raise InputFault(f"{reason}: give them another name", kind="invalid-key")


def with_rejected(record: Record, step: str, rejected: Sequence[Record]) -> Record:
    """The record with what this step rejected in place of what it rejected in an earlier run.

    Raises:
        InputFault: ``rejected`` is there and is something else.
    """
    earlier = record.get("rejected") or []
    if not isinstance(earlier, list):
        raise InputFault('"rejected" is not a list', kind="invalid-key")
    kept = [
        entry
        for entry in earlier
        if not isinstance(entry, dict) or (entry.get("command"), entry.get("step")) != (COMMAND, step)
    ]
    named = [{"command": COMMAND, "step": step, **entry} for entry in rejected]
    if not named and len(kept) == len(earlier):
        return record
    return {**record, "rejected": [*kept, *named]}


def sign_step(record: Record, step: str, parameters: dict[str, Any], inputs: Any) -> Record:
    """The record with an entry of ``provenance`` of a step by its built-in method."""
    made = {**record}
    parameters = {"step": step, "method": BUILTIN, **parameters, "input": fingerprint(inputs)}
    add_provenance(made, COMMAND, __version__, signature(COMMAND, parameters))
    made["provenance"][-1]["step"] = step
    return made


def weakness_mark(weakness: Record, targets: Sequence[Record] | None = None) -> str:
    """A fingerprint of a weakness, and of its targets where an entry is about these too."""
    return fingerprint([weakness["text"], None if targets is None else [target["text"] for target in targets]])


def verification_mark(target_text: str, weakness: Record | None) -> str:
    """A fingerprint of a claim and of the weakness that disputes it, None on the model's side."""
    return fingerprint([target_text, weakness and weakness["text"]])


def refuse_stale(weakness: Record, entry: Record, what: str, action: str) -> None:
    """Refuse labels or a rewriting of another text of the weakness, or of targets that nobody has any more.

    Args:
        what: it is, for the reason: "labels".
        action: that makes it anew.

    Raises:
        InputFault: it is.
    """
    lists = [None, [], *(one["items"] for one in weakness.get("targets") or () if one["items"])]
    if entry.get("texts") not in (None, *(weakness_mark(weakness, targets) for targets in lists)):
        reason = f'the {what} of weakness "{weakness["id"]}" by "{entry["system"]}" are of other texts'
        raise InputFault(f"{reason}: run st-claims {action} again", kind="stale")


def refuse_stale_verifications(record: Record, verifications: Sequence[Record]) -> None:
    """Refuse what was distilled from another text of a weakness than the record has, and what is on no target any more.

    Raises:
        InputFault: there is such, or two are of one id.
    """
    weaknesses = {one["id"]: one for one in read(record, "weaknesses") or ()}
    for one in by_name(verifications, "id", "verifications").values():
        weakness = weaknesses.get(one.get("weakness"))
        if weakness and one.get("texts") not in (None, verification_mark(one["claim"]["text"], weakness)):
            reason = f'verification "{one["id"]}" is of another text of weakness "{weakness["id"]}"'
            raise InputFault(f"{reason}: run st-claims verify again", kind="stale")
        disputing = list(weaknesses.values()) if one["side"] == "model" else [weakness] if weakness else []
        lists = [
            entry["items"] for some in disputing for entry in some.get("targets") or () if entry["items"] is not None
        ]
        if lists and not one.get("control") and not _is_target(one["claim"], lists):
            reason = f'verification "{one["id"]}" is of a claim that is no target'
            raise InputFault(f"{reason} any more: run st-claims verify again", kind="stale")


def _is_target(claim: Record, lists: Sequence[Sequence[Record]]) -> bool:
    return any(item["spans"] == claim["spans"] for items in lists for item in items)


def rewriting_mark(weaknesses: Sequence[Record], system: str, ids: Sequence[str]) -> str:
    """A fingerprint of some weaknesses and of what a system made of them."""
    texts_of = {
        one["id"]: [one["text"], next((e["text"] for e in one.get("edited") or () if e["system"] == system), None)]
        for one in weaknesses
    }
    return fingerprint([texts_of.get(name) for name in ids])


def comparison_mark(verifications: Sequence[Record], pairs: Sequence[Record]) -> str:
    """A fingerprint of what was compared in pairs of a reviewer's and a model's verification."""
    texts_of = {one["id"]: [one["claim"]["text"], one["text"]] for one in verifications}
    return fingerprint([[texts_of.get(pair[side]) for side in ("reviewer", "model")] for pair in pairs])


def need_system(weaknesses: Sequence[Record], key: str, system: str | None) -> None:
    """Refuse a name of a system that no weakness has an entry of: it is misspelt, or its step was not run.

    Args:
        weaknesses: of a record; where there is none nothing is lacking.
        key: of their lists of entries: targets or labels.
        system: that is asked for; None for the only one.

    Raises:
        InputFault: none has.
    """
    names = list(dict.fromkeys(entry["system"] for one in weaknesses for entry in one.get(key) or ()))
    if system is not None and weaknesses and system not in names:
        known = f"there are {', '.join(names)}" if names else "there are none"
        raise InputFault(f'no weakness has {key} of "{system}" ({parameter(key)}); {known}', kind="missing-key")


def tell_lost_claims(record: Record) -> None:
    """Add to ``errors`` of a copy of a record that its targets were chosen from a part of its claims."""
    lost = [
        one
        for one in failures(record)
        if isinstance(one, dict) and (one.get("command"), one.get("task")) == (COMMAND, "extract")
    ]
    same = {"command": COMMAND, "kind": MISSING_ITEMS, "task": "associate"}
    fault = {"reason": f"claims of extract are missing: {lost[0].get('reason')}"} if lost else None
    replace_failure(record, same, fault)


def refuse_changed_claims(record: Record) -> None:
    """Refuse claims whose text is not what stands at their place in the paper.

    Raises:
        InputFault: there is one.
    """
    named = paper_texts(record)
    for claim in read(record, "claims") or ():
        _refuse_moved(claim, named, f'claim "{claim["id"]}"')


def refuse_changed_targets(record: Record, system: str | None) -> None:
    """Refuse targets of a system whose text is not that of their claim, or not what stands at their place.

    Args:
        record: with ``weaknesses``.
        system: whose targets are read; None for all.

    Raises:
        InputFault: there is one.
    """
    named = paper_texts(record)
    claims = {claim["id"]: claim["text"] for claim in read(record, "claims") or ()}
    for weakness in read(record, "weaknesses") or ():
        for entry in weakness.get("targets") or ():
            for item in (entry["items"] or ()) if system in (None, entry["system"]) else ():
                whose = f'a target of weakness "{weakness["id"]}" by "{entry["system"]}"'
                if claims and item.get("claim") and claims.get(item["claim"]) != item["text"]:
                    reason = f'{whose} is no more the text of claim "{item["claim"]}"'
                    raise InputFault(f"{reason}: run st-claims associate again", kind="stale")
                _refuse_moved(item, named, whose)


def _refuse_moved(item: Record, named: Mapping[str, str], what: str) -> None:
    """Refuse an item that has another text than its place; a place in a text that is not there tells nothing."""
    spans = item.get("spans") or ()
    places = {span["in"] for span in spans}
    if len(places) == 1 and (source := named.get(*places)) is not None and spans_text(source, spans) != item["text"]:
        reason = f"the text of {what} is not what stands at its place: {item['text'][:60]}"
        raise InputFault(reason, kind="stale")


def association_mark(weakness: Record, claims: Sequence[Record]) -> str:
    """A fingerprint of a weakness and of the candidates its targets were chosen from, whatever their order."""
    known = sorted([claim["id"], claim["text"]] for claim in claims)
    return fingerprint([weakness["text"], known])


def entry_of(weakness: Record, key: str, system: str | None, hint: str) -> Record | None:
    """The entry of one system under ``targets`` or ``labels`` of a weakness; None where that system has none.

    Args:
        weakness: that it is of.
        key: of the list of entries.
        system: whose; None for the only one there is.
        hint: the parameter that names one.

    Raises:
        UsageFault: there are several and none is named.
    """
    entries = weakness.get(key) or ()
    if system is not None:
        return next((entry for entry in entries if entry["system"] == system), None)
    if len(entries) > 1:
        names = ", ".join(entry["system"] for entry in entries)
        raise UsageFault(f'weakness "{weakness["id"]}" has {key} of several systems ({names}): name one with {hint}')
    return entries[0] if entries else None


def targets_of(weakness: Record, claims: Sequence[Record] | None, system: str | None) -> list[Record] | None:
    """The targets of a weakness by one system; None where that system has no answer.

    Raises:
        UsageFault: there are several systems and none is named.
        InputFault: they are of another text of the weakness, were chosen from other claims, or one is there twice.
    """
    entry = entry_of(weakness, "targets", system, f"{parameter('targets')}")
    if entry is None or entry["items"] is None:
        return None
    mark = entry.get("texts")
    known = () if claims is None else (weakness_mark(weakness), association_mark(weakness, claims))
    if mark is not None and known and mark not in known:
        reason = f'the targets of weakness "{weakness["id"]}" by "{entry["system"]}" are of other texts'
        raise InputFault(f"{reason}: run st-claims associate again", kind="stale")
    refuse_twins(weakness, entry)
    return entry["items"]


def was_rewritten(record: Record) -> bool:
    """Whether rewritings were asked for: where no weakness has a target there is none all the same."""
    steps = [entry for entry in read(record, "provenance") or () if entry.get("command") == COMMAND]
    return any((entry.get("options") or {}).get("what") in ("edit", "label-edit") for entry in steps)


def refuse_twins(weakness: Record, entry: Record) -> None:
    """Refuse targets of which two are one claim, or one place of the paper: they would be counted twice.

    Raises:
        InputFault: there are such.
    """
    seen: list[Any] = []
    for target in entry["items"] or ():
        name = target.get("claim") or target.get("spans")
        if name and name in seen:
            whose = f'of weakness "{weakness["id"]}" by "{entry["system"]}"'
            reason = f'the targets {whose} have a duplicate "{target.get("claim") or target["text"][:60]}"'
            raise InputFault(reason, kind="invalid-key")
        seen.append(name)


def chosen_claim(claim: Record) -> Record:
    """A candidate claim as a target."""
    return {"claim": claim["id"], "custom": False, "text": claim["text"], "spans": claim["spans"]}


def with_claims(record: Record, items: list[Record], by: str, system: str | None) -> Record:
    """The record with claims: under ``claims``, or under ``generated.claims`` as those of a system."""
    if system is None:
        return {**record, "claims": items}
    generated = read(record, "generated") or {}
    entry = {"system": system, "by": by, "items": items}
    return {**record, "generated": {**generated, "claims": replace_entry(generated.get("claims"), entry)}}


def with_weaknesses(record: Record, sets: Sequence[tuple[str, list[Record] | None]], rater: str | None) -> Record:
    """The record with weaknesses, numbered: under ``weaknesses``, or under ``annotations.weaknesses`` as a rater's.

    Args:
        record: that they are of.
        sets: the id of each review and its weaknesses; None where they are missing.
        rater: whose set it is; None for ``weaknesses``.
    """
    named = number_sets(sets, ())
    if rater is None:
        return {**record, "weaknesses": [item for _, items in named for item in items or ()]}
    earlier = read(record, "annotations") or {}
    kept = [entry for entry in earlier.get("weaknesses") or () if entry["rater"] != rater]
    own = [{"rater": rater, "review": review, "items": items} for review, items in named]
    return {**record, "annotations": {**earlier, "weaknesses": [*kept, *own]}}


def number_sets(
    sets: Sequence[tuple[str, list[Record] | None]], taken: Collection[str]
) -> list[tuple[str, list[Record] | None]]:
    """Sets of weaknesses with the ids w1, w2 and so on that are free."""
    ids = (name for name in map("w{}".format, itertools.count(1)) if name not in taken)
    return [
        (review, None if items is None else [{"id": next(ids), **item} for item in items]) for review, items in sets
    ]


def refuse_people_weaknesses(record: Record, rater: str | None) -> None:
    """Refuse to replace by a method's weaknesses those that a person marked.

    Raises:
        InputFault: the record has ``weaknesses`` by "gold", or a set of a person whose name the rater has.
    """
    if rater is None:
        found = [GOLD] if any(one.get("by") == GOLD for one in read(record, "weaknesses") or ()) else []
    else:
        sets = (read(record, "annotations") or {}).get("weaknesses") or ()
        own = [one for entry in sets if entry["rater"] == rater for one in entry["items"] or ()]
        found = [rater] if any(one.get("by") == rater for one in own) else []
    if found:
        reason = f'weaknesses by "{found[0]}" are there, which a person marked'
        raise InputFault(f"{reason}: give the set a name of its own ({parameter('rater', 'NAME')})", kind="invalid-key")
