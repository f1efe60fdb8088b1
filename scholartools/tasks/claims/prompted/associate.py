"""Choose the claims that a weakness disputes, by a model: one call per weakness and order (CLAIMCHECK, 3.3 and 4.1)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.base import MOST_TARGETS, items_of, paper_texts, review_text, tell_lost_claims
from scholartools.tasks.claims.context import Showing, check_length, context
from scholartools.tasks.claims.entries import refuse_overwriting, replace_entry
from scholartools.tasks.claims.marks import association_mark, refuse_changed_claims
from scholartools.tasks.claims.prompted.asking import finish_step, system_name
from scholartools.tasks.claims.target_choice import Choice, verify_choice

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, PaperRecord, Target, Weakness

STEP = "associate"
PROMPT = Prompt("claims-associate", replies.Association)

Order = Literal["given", "reversed"]
_ORDERS: tuple[Order, ...] = ("given", "reversed")


@dataclass(frozen=True)
class Associating:
    """Options of the choice of targets.

    Attributes:
        max_targets: maximum per weakness, the custom one included.
        orders: 1: candidates in the order of the record, as published; 2: also in reverse order.
        groundedness: whether the rating of the weakness is shown. It is a human label and hints at "none".
        text: whether the paper is shown, or only the candidates.
    """

    max_targets: int = MOST_TARGETS
    orders: int = 1
    groundedness: bool = True
    text: Literal["full", "none"] = "full"


@dataclass(frozen=True)
class _Question:
    weakness: Weakness
    review: str
    order: Order
    candidates: Sequence[Claim]


_Pair = tuple[_Question, Answer[Choice] | Missing]


async def associate(
    engine: Engine, record: Record, *, how: Associating | None = None, system: str | None = None
) -> Record:
    """Add ``targets`` by the model, with its reasoning, to the ``weaknesses`` of a copy of the record.

    A request is repeated if a number does not match its text, does not exist or is duplicate, or if there are too many
    targets. A custom target is located in the paper, or stored under ``rejected``. With two orders, the targets are
    those chosen in both; ``votes`` has each reply, ``tentative`` the union. A weakness without a usable reply, or with
    a prompt that is too long for the model, has null ``items``.

    Raises:
        InputFault: ``claims`` or ``weaknesses`` are missing or malformed; human targets would be replaced.
        ModelFault: the run must end.
    """
    how = how or Associating()
    by = system_name(engine, None)
    name = system or by
    claims = items_of(record, "claims", "extract")
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    refuse_changed_claims(record)
    refuse_overwriting(weaknesses, "targets", name, by)
    questions = _questions_of(record, weaknesses, claims, how.orders)
    named = paper_texts(record)
    answers = await ask_all([_ask_question(engine, record, question, named, how) for question in questions])
    pairs = list(zip(questions, answers))
    done = {**record, "weaknesses": _with_targets(weaknesses, claims, pairs, {"system": name, "by": by})}
    parts = [(f"{question.weakness['id']} {name}", answer) for question, answer in pairs]
    inputs = [[[one["text"], one.get("groundedness")] for one in weaknesses], [one["text"] for one in claims], named]
    options = {**vars(how), "system": name}
    shown = {**named, **{f"review:{one.weakness['review']}": one.review for one in questions}}
    rejected = _rejected_quotes(pairs)
    n_candidates = sum(answer.value.was_candidate for answer in answers if not isinstance(answer, Missing))
    counts = {"was_candidate": n_candidates}
    made = Found(done, "answers", parts, [PROMPT], options, inputs, counts)
    done = finish_step(engine, STEP, made, rejected, shown, name)
    tell_lost_claims(done)
    return done


def _questions_of(
    record: PaperRecord, weaknesses: Sequence[Weakness], claims: Sequence[Claim], orders: int
) -> list[_Question]:
    """One request per weakness and order of the candidates."""
    return [
        _Question(weakness, review_text(record, weakness), order, claims if order == "given" else claims[::-1])
        for weakness in weaknesses
        for order in _ORDERS[:orders]
    ]


def _with_targets(
    weaknesses: Sequence[Weakness], claims: Sequence[Claim], pairs: Sequence[_Pair], head: Record
) -> list[Record]:
    """Copies of the weaknesses with the targets from their answers, replacing an earlier entry of the system."""
    answered = dict[str, list[_Pair]]()
    for question, answer in pairs:
        answered.setdefault(question.weakness["id"], []).append((question, answer))
    entries = [
        {**head, **_target_entry(answered[one["id"]]), "texts": association_mark(one, claims)} for one in weaknesses
    ]
    return [{**one, "targets": replace_entry(one.get("targets"), entry)} for one, entry in zip(weaknesses, entries)]


def _rejected_quotes(pairs: Sequence[_Pair]) -> list[Record]:
    """Quotations that were not located, with the ids of their weaknesses."""
    return [
        {"weakness": question.weakness["id"], **entry}
        for question, answer in pairs
        if not isinstance(answer, Missing)
        for entry in answer.value.rejected
    ]


async def _ask_question(
    engine: Engine, record: Record, question: _Question, named: dict[str, str], how: Associating
) -> Answer[Choice]:
    # no images or captions: CLAIMCHECK mentions none for this task
    shown = context(record, [], Showing(how.text, "none"))
    grade = question.weakness.get("groundedness") if how.groundedness else None
    inputs = {
        "paper": shown.paper,
        "claims": "\n".join(
            f"{number}: {json.dumps(' '.join(claim['text'].split()), ensure_ascii=False)}"
            for number, claim in enumerate(question.candidates, 1)
        ),
        "review": question.review,
        "weakness": question.weakness["text"],
        "groundedness": "" if grade is None else f"How sure it is that it has a target, from 1 to 5: {grade}\n",
        "most": str(how.max_targets),
    }
    check_length(engine, PROMPT, inputs, (), f"{parameter('context', 'claims')} shows the candidates alone")

    def verify(reply: replies.Association) -> Choice:
        return verify_choice(reply, question.candidates, named, question.review, how.max_targets)

    return await ask(engine, PROMPT, inputs, verify)


def _target_entry(asked: Sequence[_Pair]) -> Record:
    """Targets of a weakness from the answers in one or two orders."""
    missing = [answer for _, answer in asked if isinstance(answer, Missing)]
    votes = [_vote_record(question, answer) for question, answer in asked]
    if missing:
        return {"items": None, "reason": missing[0].reason, **({"votes": votes} if len(asked) > 1 else {})}
    found = [answer.value for _, answer in asked if not isinstance(answer, Missing)]
    if len(found) == 1:
        return {"items": found[0].items, "reason": found[0].reasoning, "ranks": found[0].ranks}
    both = [item for item in found[0].items if item["spans"] in [one["spans"] for one in found[1].items]]
    union = [item["claim"] for choice_ in found for item in choice_.items if item["claim"]]
    return {
        "items": both,
        "tentative": list(dict.fromkeys(union)),
        "reason": found[0].reasoning,
        "votes": votes,
        "flips": _share_of_flips(found[0].items, found[1].items),
    }


def _vote_record(question: _Question, answer: Answer[Choice] | Missing) -> Record:
    if isinstance(answer, Missing):
        return {"order": question.order, "targets": None, "reason": answer.reason}
    custom = next((item["text"] for item in answer.value.items if item["custom"]), None)
    targets = [item["claim"] for item in answer.value.items if item["claim"]]
    vote = {"order": question.order, "targets": targets, "ranks": answer.value.ranks, "custom": custom}
    return {**vote, "rejected": answer.value.rejected[0]["text"]} if answer.value.rejected else vote


def _share_of_flips(first: Sequence[Target], second: Sequence[Target]) -> float | None:
    """Share of the chosen targets that were chosen in one order only; None if none was chosen."""
    places = [[item["spans"] for item in side] for side in (first, second)]
    every = [one for place, one in enumerate(places[0] + places[1]) if one not in (places[0] + places[1])[:place]]
    apart = [one for one in every if (one in places[0]) != (one in places[1])]
    return len(apart) / len(every) if every else None
