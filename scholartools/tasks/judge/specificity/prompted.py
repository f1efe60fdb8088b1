"""Judge by a model which version of a weakness is more specific; in the paper this is human (CLAIMCHECK, 4.3).

Versions are anonymous, and both orders are used. Identical versions are a tie without a call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

from scholartools.errors import InputFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import Closed
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.parameters import parameter
from scholartools.records import Record, need, read
from scholartools.tasks.claims.base import was_rewritten
from scholartools.tasks.claims.entries import choose_system, targets_of
from scholartools.tasks.claims.marks import refuse_changed_targets, refuse_stale, rewriting_mark
from scholartools.tasks.judge.entries import COMMAND, tell_left_out, with_judgements
from scholartools.tasks.judge.same_issue.prompted import agree_votes
from scholartools.tasks.shared.judgements import by_name

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Target, Weakness

TASK = "specificity"
WINNERS = ("revised", "original", "tie")
_ORDERS = ("original-first", "revised-first")


class MoreSpecific(Closed):
    """A reply about two versions of a weakness."""

    more_specific: Literal["first", "second", "tie"]


PROMPT = Prompt("judge-specificity", MoreSpecific)


#: A control version that is less specific than any weakness: it fits every paper.
VAGUE = "Some of the claims of the paper are not well supported."

Votes = dict[tuple[str, str, str | None], list[Record]]  # of each pair, by system, weakness and correct winner


class _Pair(NamedTuple):
    """A weakness and its rewriting; for a control, the replacement and the correct winner."""

    system: str
    weakness: Weakness
    revised: str
    is_asked: bool
    targets: list[Target]
    expected: Literal["original", "tie"] | None = None


async def specificity(
    engine: Engine, record: Record, *, orders: int = 2, targets: str | None = None, controls: bool = False
) -> Record:
    """Add an entry for each system under ``judgements.specificity`` to a copy of the record: pairs, votes, a report.

    Args:
        engine: the engine of the requests.
        record: record whose ``weaknesses`` have ``edited``.
        orders: 2: both; 1: only the original first.
        targets: system whose targets are shown, None for the only one.
        controls: add pairs with a known winner under ``controls``: each weakness with itself, and with :data:`VAGUE`.

    Raises:
        InputFault: no weakness has a rewriting.
        UsageFault: there are targets of several systems and none is named.
        ModelFault: the run must end.
    """
    author = choose_system(read(record, "weaknesses") or (), "targets", targets)
    pairs = _pairs(record, author)
    n_pairs = len(pairs)
    pairs += _control_pairs(pairs) if controls else []
    asked = list(product((pair for pair in pairs if pair.is_asked), _ORDERS[:orders], range(engine.settings.samples)))
    answers = await ask_all([_ask_winner(engine, pair, order, sample) for pair, order, sample in asked])
    votes: Votes = {}
    for (pair, order, sample), answer in zip(asked, answers):
        votes.setdefault(_name_pair(pair), []).append(_make_vote(order, sample, answer))
    made = with_judgements(record, TASK, _make_entries(pairs, votes, engine.settings.model, author))
    lost = _find_lost(record)
    tell_left_out(made, TASK, "rewritings", lost, len(lost) + n_pairs)
    named = [(pair.system, answer) for (pair, _, _), answer in zip(asked, answers)]
    inputs = [[pair.system, pair.weakness["text"], pair.revised, pair.targets] for pair in pairs]
    options = {"orders": orders, "targets": author, "controls": controls}
    return finish(engine, COMMAND, TASK, Found(made, "votes", named, [PROMPT], options, inputs))


def _find_lost(record: PaperRecord) -> dict[str, str]:
    """Null rewritings by weakness and system, each with its reason."""
    return {
        f"{weakness['id']} {entry['system']}": entry.get("reason") or "no reason is given"
        for weakness in record["weaknesses"]
        for entry in weakness.get("edited") or ()
        if entry["text"] is None
    }


def _pairs(record: PaperRecord, author: Record | None) -> list[_Pair]:
    claims = read(record, "claims")
    refuse_changed_targets(record, author)
    for weakness in by_name(read(record, "weaknesses") or (), "id", "weaknesses").values():
        for entry in by_name(weakness.get("edited") or (), "system", "weaknesses.edited").values():
            refuse_stale(weakness, entry, "words", "edit")
    pairs = [
        _Pair(
            entry["system"],
            weakness,
            entry["text"],
            entry["text"].split() != weakness["text"].split(),
            targets_of(weakness, claims, author) or [],
        )
        for weakness in need(record, "weaknesses", "run st-claims edit first")
        for entry in weakness.get("edited") or ()
        if entry["text"] is not None
    ]
    if not pairs and record["weaknesses"] and (not was_rewritten(record) or _find_lost(record)):
        raise InputFault(
            f'no weakness has "edited": run st-claims edit or label {parameter("edit", True)} first', kind="missing-key"
        )
    return pairs


def _name_pair(pair: _Pair) -> tuple[str, str, str | None]:
    return pair.system, pair.weakness["id"], pair.expected


def _control_pairs(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Each rewritten weakness paired with itself (a tie), and with a vague statement (the weakness wins)."""
    found = []
    for pair in pairs:
        if pair.is_asked:
            found.append(pair._replace(revised=pair.weakness["text"], expected="tie"))
            found.append(pair._replace(revised=VAGUE, expected="original"))
    return found


async def _ask_winner(engine: Engine, pair: _Pair, order: str, sample: int) -> Answer[str]:
    versions = {"original": pair.weakness["text"], "revised": pair.revised}
    names = ["original", "revised"] if order == _ORDERS[0] else ["revised", "original"]
    inputs = {
        "targets": json_lines({"claim": target["text"]} for target in pair.targets) or "(none)",
        "first": versions[names[0]],
        "second": versions[names[1]],
    }

    def winner(reply: MoreSpecific) -> str:
        return {"first": names[0], "second": names[1], "tie": "tie"}[reply.more_specific]

    return await ask(engine, PROMPT, inputs, winner, sample=sample)


def _make_vote(order: str, sample: int, answer: Answer[str] | Missing) -> Record:
    reason = {"reason": answer.reason} if isinstance(answer, Missing) else {}
    return {"order": order, **({"sample": sample} if sample else {}), "winner": answer.value, **reason}


def _make_entries(pairs: Sequence[_Pair], votes: Votes, by: str, author: Record | None) -> list[Record]:
    systems = dict.fromkeys(pair.system for pair in pairs)
    return [_make_entry(name, [pair for pair in pairs if pair.system == name], votes, by, author) for name in systems]


def _make_entry(system: str, pairs: Sequence[_Pair], votes: Votes, by: str, author: Record | None) -> Record:
    made = [_judge_pair(pair, votes) for pair in pairs if pair.expected is None]
    counts = Counter(pair["winner"] for pair in made)
    first = [vote for pair in made for vote in pair.get("votes", ()) if vote["winner"] in ("original", "revised")]
    report = {name: counts[name] for name in WINNERS} | {
        "pairs": len(made),
        "unchanged": sum(pair.get("reason") == "unchanged" for pair in made),
        "inconsistent": sum(pair.get("reason") == "inconsistent" for pair in made),
        "undecided": counts[None],
        "first_wins": sum(vote["order"].startswith(vote["winner"]) for vote in first),
        "votes_with_winner": len(first),
    }
    mark = rewriting_mark([pair.weakness for pair in pairs], system, [pair["weakness"] for pair in made], author)
    entry = {"system": system, "by": by, "targets": author, "texts": mark, "pairs": made, "report": report}
    controls = [{**_judge_pair(pair, votes), "expected": pair.expected} for pair in pairs if pair.expected]
    return {**entry, "controls": controls} if controls else entry


def _judge_pair(pair: _Pair, votes: Votes) -> Record:
    if not pair.is_asked:
        return {"weakness": pair.weakness["id"], "winner": "tie", "reason": "unchanged"}
    of_pair = votes[_name_pair(pair)]
    winner, reason = agree_votes(of_pair, "all", "winner")
    entry = {"weakness": pair.weakness["id"], "winner": winner, "votes": of_pair}
    return {**entry, **({"reason": reason} if reason else {})}
