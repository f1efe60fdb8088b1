"""Code shared by the actions of st-claims: names, access to records, and writing of results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from scholartools.errors import InputFault
from scholartools.parameters import parameter
from scholartools.records import (
    Entry,
    Record,
    add_provenance,
    failures,
    need,
    read,
    replace_failure,
    replace_rejected,
    texts,
)
from scholartools.tasks.shared.items import MISSING_ITEMS

if TYPE_CHECKING:
    from scholartools.schemas.shapes import (
        Claim,
        Edited,
        PaperRecord,
        Review,
        Target,
        Targets,
        Weakness,
        WeaknessLabels,
    )

COMMAND = "st-claims"
ACTIONS = ("select", "extract", "weaknesses", "associate", "label", "edit", "verify", "contamination")

#: Maximum number of targets of a weakness, at most one of them custom (CLAIMCHECK, D).
MOST_TARGETS = 3

#: The reference rater by default.
GOLD = "gold"

#: Separator between the texts of a paper where they are displayed as one.
BETWEEN_TEXTS = "\n\n"

#: Author name of the built-in methods.
BUILTIN = "builtin"


def paper_texts(record: PaperRecord) -> dict[str, str]:
    """The texts of a paper to which spans can refer: abstract, sections and captions (``caption:ID``).

    Raises:
        InputFault: two texts have the same name, or one contains an unpaired surrogate.
    """
    named = texts({key: record.get(key) for key in ("abstract", "sections")})
    for caption in read(record, "captions") or ():
        name = f"caption:{caption['id']}"
        if name in named:
            raise InputFault(f'two texts are named "{name}": names must be unique in a record', kind="invalid-key")
        named[name] = caption["text"]
    return named


def whole_paper(named: Mapping[str, str]) -> str:
    """The texts of a paper joined as displayed to annotators."""
    return BETWEEN_TEXTS.join(named.values())


def reviews_of(record: Record) -> list[Review]:
    """The reviews of a record.

    Raises:
        InputFault: there are none, or ids are duplicate.
    """
    reviews = need(record, "reviews", f"run st-parse with {parameter('reviews')}")
    texts({"reviews": reviews})
    return reviews


@overload
def items_of(record: PaperRecord, key: Literal["claims"], action: str) -> list[Claim]: ...
@overload
def items_of(record: PaperRecord, key: Literal["weaknesses"], action: str) -> list[Weakness]: ...
def items_of(record: PaperRecord, key: Literal["claims", "weaknesses"], action: str) -> Any:
    """The ``claims`` or ``weaknesses`` of a record, which must have unique ids.

    Raises:
        InputFault: there are none, or ids are duplicate; the message names the action that creates them.
    """
    items = need(record, key, f"run st-claims {action} first")
    seen: set[str] = set()
    for item in items:
        if item["id"] in seen:
            raise InputFault(f'"{key}" has a duplicate "{item["id"]}"', kind="invalid-key")
        seen.add(item["id"])
    return items


def review_text(record: PaperRecord, weakness: Weakness) -> str:
    """Text of the review that a weakness comes from.

    Raises:
        InputFault: the record has no such review.
    """
    for review in read(record, "reviews") or ():
        if review["id"] == weakness["review"]:
            return review["text"]
    raise InputFault(f'weakness "{weakness["id"]}" is of review "{weakness["review"]}", which the record does not have')


@overload
def entry_of(weakness: Weakness, key: Literal["targets"], author: Entry | None) -> Targets | None: ...
@overload
def entry_of(weakness: Weakness, key: Literal["labels"], author: Entry | None) -> WeaknessLabels | None: ...
@overload
def entry_of(weakness: Weakness, key: Literal["edited"], author: Entry | None) -> Edited | None: ...
def entry_of(weakness: Weakness, key: Literal["targets", "labels", "edited"], author: Entry | None) -> Any:
    """Entry of an author's ``system`` under ``targets``, ``labels`` or ``edited`` of a weakness; None if absent.

    Raises:
        InputFault: there are two such entries.
    """
    entries: Sequence[Entry] = weakness.get(key) or ()
    found = [entry for entry in entries if author and entry["system"] == author["system"]]
    if len(found) > 1:
        reason = f'weakness {weakness.get("id")} has two entries of "{found[0]["system"]}" under "{key}"'
        raise InputFault(f"{reason}: leave one of them out", kind="duplicate")
    return found[0] if found else None


def with_rejected(record: Record, step: str, rejected: Sequence[Record], system: str | None = None) -> Record:
    """Replace the rejections of an earlier run of a step by new ones.

    Args:
        record: the record, which is copied.
        step: the action.
        rejected: rejections of this run.
        system: the system whose output was rejected; rejections of other systems are kept. None: the step has one
            author.

    Raises:
        InputFault: ``rejected`` is present but malformed.
    """
    author = {} if system is None else {"system": system}
    named = [{"command": COMMAND, "step": step, **author, **entry} for entry in rejected]
    return replace_rejected(
        record,
        named,
        lambda entry: (
            (entry["command"], entry.get("step")) == (COMMAND, step) and entry.get("system") in (None, system)
        ),
    )


def sign_step(
    record: Record, step: str, options: Record, inputs: Any, counts: Mapping[str, int] | None = None
) -> Record:
    """Add the ``provenance`` of a step by its built-in method."""
    made = {**record}
    add_provenance(made, COMMAND, step, method=BUILTIN, options=options, input=inputs, counts=counts)
    return made


def tell_lost_claims(record: Record) -> None:
    """Record in ``errors`` that the targets were chosen from an incomplete set of claims."""
    lost = [
        one
        for one in failures(record)
        if isinstance(one, dict) and (one.get("command"), one.get("task")) == (COMMAND, "extract")
    ]
    same = {"command": COMMAND, "kind": MISSING_ITEMS, "task": "associate"}
    fault = {"reason": f"claims of extract are missing: {lost[0].get('reason')}"} if lost else None
    replace_failure(record, same, fault)


def was_rewritten(record: PaperRecord) -> bool:
    """Whether rewritings were requested; there may be none if no weakness has targets."""
    steps = [entry for entry in read(record, "provenance") or () if entry.get("command") == COMMAND]
    return any((entry.get("options") or {}).get("what") in ("edit", "label-edit") for entry in steps)


def chosen_claim(claim: Claim) -> Target:
    """Turn a candidate claim into a target."""
    return {"claim": claim["id"], "custom": False, "text": claim["text"], "spans": claim["spans"]}
