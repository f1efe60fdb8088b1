"""Judge by a model whether a reviewer and a model criticise the same issue of a claim (CLAIMCHECK, section 4.2).

Sides are anonymous. By default both orders are used; the published one has the reviewer first. Inconsistent verdicts
are counted and give no result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from scholartools.errors import InputFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, name_of, need, read
from scholartools.tasks.claims.controls import Disputes
from scholartools.tasks.claims.marks import comparison_mark, refuse_stale_verifications
from scholartools.tasks.judge.entries import COMMAND, tell_left_out, with_judgements
from scholartools.text.quotes import fold_text
from scholartools.wording import share_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import FocalClaim, Verification

TASK = "same_issue"
Verdict = Literal["same", "similar", "different"]
Rule = Literal["all", "majority"]
VERDICTS: tuple[str, ...] = get_args(Verdict)
_ORDERS = ("reviewer-first", "model-first")


Votes = dict[tuple[str, str, str], list[Record]]  # of each pair, by its system and the ids of both sides


class SameIssue(Closed):
    """A reply about two criticisms of one claim."""

    verdict: Verdict


PROMPT = Prompt("judge-same-issue", SameIssue)


@dataclass(frozen=True)
class Comparing:
    """Options of comparison.

    Attributes:
        orders: 2: both; 1: only the reviewer first, as published.
        votes: all: votes must be unanimous; majority: more than half.
        controls: add pairs with a known verdict: a reviewer's verification with itself, and with that of another
            weakness that disputes none of the same claims.
    """

    orders: int = 2
    votes: Rule = "all"
    controls: bool = False


class _Pair(NamedTuple):
    """Two verifications; for a control, also the correct verdict."""

    system: str
    claim: FocalClaim
    reviewer: Verification
    model: Verification
    expected: Verdict | None = None


async def same_issue(engine: Engine, record: Record, how: Comparing | None = None) -> Record:
    """Add an entry for each system under ``judgements.same_issue`` to a copy of the record: pairs, votes, a report.

    A pair consists of a reviewer's and a model's verification of a claim by one system; if only one system has
    reviewers' verifications, these are used for all. Verifications of control claims form no pair, nor do those without
    text, which are reported under ``errors``. Control pairs are stored under ``controls`` and excluded from shares.

    Raises:
        InputFault: no ``verifications``, no pair, or a stale verification.
        ModelFault: the run must end.
    """
    how = how or Comparing()
    verifications = need(record, "verifications", "run st-claims verify first")
    refuse_stale_verifications(record, verifications)
    pairs = _verification_pairs(verifications)
    pairs += _control_pairs(record, pairs) if how.controls else []
    asked = list(product(pairs, _ORDERS[: how.orders], range(engine.settings.samples)))
    answers = await ask_all([_ask_verdict(engine, pair, order, sample) for pair, order, sample in asked])
    votes: Votes = {}
    for (pair, order, sample), answer in zip(asked, answers):
        votes.setdefault(_name_pair(pair), []).append(_make_vote(order, sample, answer))
    systems = list(dict.fromkeys(pair.system for pair in pairs))
    entries = [
        _make_entry(system, [pair for pair in pairs if pair.system == system], votes, how, engine.settings.model)
        for system in systems
    ]
    made = with_judgements(record, TASK, entries)
    named = [(pair.system, answer) for (pair, _, _), answer in zip(asked, answers)]
    lost = {one["id"]: one.get("reason") or "no reason is given" for one in verifications if one["text"] is None}
    tell_left_out(made, TASK, "verifications", lost, len(verifications))
    inputs = [[pair.claim["text"], pair.reviewer["text"], pair.model["text"]] for pair in pairs]
    counts = _lacking_controls(engine, record, [pair for pair in pairs if pair.expected])
    return finish(engine, COMMAND, TASK, Found(made, "votes", named, [PROMPT], vars(how), inputs, counts))


def _verification_pairs(verifications: Sequence[Verification]) -> list[_Pair]:
    """The pairs of both sides; empty if no claim is disputed.

    Raises:
        InputFault: claims are disputed, but there is no pair.
    """
    usable = [one for one in verifications if one["text"] and not one.get("control")]
    of_reviewers = [one for one in usable if one["side"] == "reviewer"]
    reviewing = list(dict.fromkeys(one["system"] for one in of_reviewers))
    pairs = []
    for model in (one for one in usable if one["side"] == "model"):
        own = model["system"] if model["system"] in reviewing else reviewing[0] if len(reviewing) == 1 else None
        pairs += [
            _Pair(model["system"], model["claim"], reviewer, model)
            for reviewer in of_reviewers
            if reviewer["system"] == own and reviewer["claim"]["spans"] == model["claim"]["spans"]
        ]
    if not pairs and any(not one.get("control") for one in verifications):
        raise InputFault(
            f"no claim is verified from both sides: run st-claims verify {parameter('side', 'both')}",
            kind="missing-key",
        )
    return pairs


def _name_pair(pair: _Pair) -> tuple[str, str, str]:
    return pair.system, pair.reviewer["id"], pair.model["id"]


def _control_pairs(record: Record, pairs: Sequence[_Pair]) -> list[_Pair]:
    """Each reviewer's verification with itself (same issue), and with the next different one (different issue).

    The latter is from another weakness that disputes no common claim and has other words; it is omitted if there is
    none.
    """
    found: list[_Pair] = []
    disputes = Disputes(record, (one for one in read(record, "verifications") or () if one["side"] == "reviewer"))
    for system in dict.fromkeys(pair.system for pair in pairs):
        sides = list({pair.reviewer["id"]: pair.reviewer for pair in pairs if pair.system == system}.values())
        said = {side["id"]: fold_text(side["text"] or "") for side in sides}
        for place, side in enumerate(sides):
            found.append(_Pair(system, side["claim"], side, side, "same"))
            later = [one for one in (*sides[place + 1 :], *sides[:place]) if said[one["id"]] != said[side["id"]]]
            if (other := next((one for one in later if disputes.are_apart(side, one)), None)) is not None:
                found.append(_Pair(system, side["claim"], side, other, "different"))
    return found


def _lacking_controls(engine: Engine, record: Record, controls: Sequence[_Pair]) -> Record:
    """Number of reviewers' verifications without a control of a different issue, for the provenance."""
    counts = Counter(pair.expected for pair in controls)
    lacking = counts["same"] - counts["different"]
    if not lacking:
        return {}
    told = f"no weakness of another claim stands beside {lacking} of {counts['same']} controls"
    engine.warn_once(f"{COMMAND} same-issue: {name_of(record, 'id') or '(no id)'}: {told}")
    return {"controls_missing": lacking}


def show_verification(verification: Entry) -> str:
    """Format a verification for a judge: reasoning, then evidence by label."""
    lines = [
        f"{one['label']}: {' '.join((one.get('text') or one.get('caption') or '').split())}"
        for one in verification.get("evidence") or ()
    ]
    return "\n".join([verification["text"], "", "Evidence:", *(lines or ["(none)"])])


async def _ask_verdict(engine: Engine, pair: _Pair, order: str, sample: int) -> Answer[Verdict]:
    sides = [show_verification(pair.reviewer), show_verification(pair.model)]
    first, second = sides if order == _ORDERS[0] else sides[::-1]
    inputs = {"claim": pair.claim["text"], "first": first, "second": second}
    return await ask(engine, PROMPT, inputs, lambda reply: reply.verdict, sample=sample)


def _make_vote(order: str, sample: int, answer: Answer[Verdict] | Missing) -> Record:
    reason = {"reason": answer.reason} if isinstance(answer, Missing) else {}
    return {"order": order, **({"sample": sample} if sample else {}), "verdict": answer.value, **reason}


def agree_votes(votes: Sequence[Record], rule: Rule, key: str) -> tuple[str | None, str | None]:
    """Agreed value of votes, or None with the reason."""
    said = [vote[key] for vote in votes]
    if None in said:
        return None, f"{share_of(said.count(None), len(said), 'vote', 'are')} missing"
    value, count = Counter(said).most_common(1)[0]
    is_settled = count == len(said) if rule == "all" else count > len(said) / 2
    return (value, None) if is_settled else (None, "inconsistent")


def _make_entry(system: str, pairs: Sequence[_Pair], votes: Votes, how: Comparing, by: str) -> Record:
    made = [_judge_pair(pair, votes, how) for pair in pairs if pair.expected is None]
    counts = Counter(pair["verdict"] for pair in made)
    report = {name: counts[name] for name in VERDICTS} | {
        "pairs": len(made),
        "inconsistent": sum(pair.get("reason") == "inconsistent" for pair in made),
        "undecided": counts[None],
        "by_order": _by_order(made),
    }
    sides = [side for pair in pairs for side in (pair.reviewer, pair.model)]
    entry = {"system": system, "by": by, "texts": comparison_mark(sides, made), "pairs": made, "report": report}
    if not how.controls:
        return entry
    controls = [{**_judge_pair(pair, votes, how), "expected": pair.expected} for pair in pairs if pair.expected]
    report["controls"] = {
        name: {
            "pairs": sum(one["expected"] == name for one in controls),
            "right": sum(one["expected"] == one["verdict"] == name for one in controls),
        }
        for name in ("same", "different")
    }
    return {**entry, "controls": controls}


def _judge_pair(pair: _Pair, votes: Votes, how: Comparing) -> Record:
    of_pair = votes[_name_pair(pair)]
    verdict, reason = agree_votes(of_pair, how.votes, "verdict")
    names = {"claim": pair.claim.get("id"), "reviewer": pair.reviewer["id"], "model": pair.model["id"]}
    return {**names, "verdict": verdict, "votes": of_pair, **({"reason": reason} if reason else {})}


def _by_order(pairs: Sequence[Record]) -> Record:
    """Frequency of each verdict by order: equal in both for a judge without position bias."""
    orders = list(dict.fromkeys(vote["order"] for pair in pairs for vote in pair["votes"]))
    return {
        order: {
            name: sum(vote["verdict"] == name for pair in pairs for vote in pair["votes"] if vote["order"] == order)
            for name in VERDICTS
        }
        for order in orders
    }
