"""What the actions of st-claims share: their names, what they read of a record, and how they write into it."""

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

#: The most targets of a weakness, custom ones included; of these one at most (CLAIMCHECK, D).
MOST_TARGETS = 3

#: The rater that is the reference where none is named.
GOLD = "gold"

#: The separator between the texts of a paper where they are shown as one.
BETWEEN_TEXTS = "\n\n"

#: The name of what the built-in methods make.
BUILTIN = "builtin"


def paper_texts(record: PaperRecord) -> dict[str, str]:
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


def whole_paper(named: Mapping[str, str]) -> str:
    """The texts of a paper as one, as people are shown it."""
    return BETWEEN_TEXTS.join(named.values())


def reviews_of(record: Record) -> list[Review]:
    """The reviews of a record.

    Raises:
        InputFault: it has none, or two of one id.
    """
    reviews = need(record, "reviews", f"run st-parse with {parameter('reviews')}")
    texts({"reviews": reviews})
    return reviews


@overload
def items_of(record: PaperRecord, key: Literal["claims"], action: str) -> list[Claim]: ...
@overload
def items_of(record: PaperRecord, key: Literal["weaknesses"], action: str) -> list[Weakness]: ...
def items_of(record: PaperRecord, key: Literal["claims", "weaknesses"], action: str) -> Any:
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


def review_text(record: PaperRecord, weakness: Weakness) -> str:
    """The text of the review that a weakness is of.

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
    """The entry under ``targets``, ``labels`` or ``edited`` of a weakness by the ``system`` of an author, if any.

    Raises:
        InputFault: there are two: which one is meant is not known.
    """
    entries: Sequence[Entry] = weakness.get(key) or ()
    found = [entry for entry in entries if author and entry["system"] == author["system"]]
    if len(found) > 1:
        reason = f'weakness {weakness.get("id")} has two entries of "{found[0]["system"]}" under "{key}"'
        raise InputFault(f"{reason}: leave one of them out", kind="duplicate")
    return found[0] if found else None


def with_rejected(record: Record, step: str, rejected: Sequence[Record], system: str | None = None) -> Record:
    """The record with what this step rejected in place of what it rejected in an earlier run.

    Args:
        record: of which a copy is made.
        step: the action.
        rejected: of this run.
        system: that gave what was rejected; what others gave in the same step stays. None: the step has one author.

    Raises:
        InputFault: ``rejected`` is there and is something else.
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
    """The record with an entry of ``provenance`` of a step by its built-in method."""
    made = {**record}
    add_provenance(made, COMMAND, step, method=BUILTIN, options=options, input=inputs, counts=counts)
    return made


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


def was_rewritten(record: PaperRecord) -> bool:
    """Whether rewritings were asked for: where no weakness has a target there is none all the same."""
    steps = [entry for entry in read(record, "provenance") or () if entry.get("command") == COMMAND]
    return any((entry.get("options") or {}).get("what") in ("edit", "label-edit") for entry in steps)


def chosen_claim(claim: Claim) -> Target:
    """A candidate claim as a target."""
    return {"claim": claim["id"], "custom": False, "text": claim["text"], "spans": claim["spans"]}
