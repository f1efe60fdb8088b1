"""Rewritten weaknesses against the originals, and verdicts of judges (CLAIMCHECK, sections 4.2 and 4.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.items import verdicts
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.values import Value, mean
from scholartools.parameters import parameter
from scholartools.records import Entry, Record, nonzero, read
from scholartools.signature import library
from scholartools.tasks.claims.anchor_changes import compare_anchors, known_keys, rewriter_sources
from scholartools.tasks.claims.base import was_rewritten
from scholartools.tasks.claims.entries import count_authors
from scholartools.tasks.claims.marks import comparison_mark, refuse_stale, refuse_stale_verifications, rewriting_mark
from scholartools.tasks.score.metric import (
    NOT_NEGATIVE,
    UNBOUNDED,
    LeftOut,
    Metric,
    Options,
    each_system,
    entry,
    values_in,
)
from scholartools.tasks.score.text import BERTSCORE_NAMES, bertscore_values, bertscore_version, rouge_values
from scholartools.tasks.shared.items import holds
from scholartools.tasks.shared.judgements import by_name, judgements_or_faults, refuse_other_texts, sound

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Edited, PaperRecord, Weakness

_LEDGER = ("kept", "lost", "added", "unfounded")
_NONE = "no weakness was rewritten"


def edit_entries(record: PaperRecord, options: Options) -> Iterator[Record | LeftOut]:
    """Each system's rewritten weaknesses against the originals: means over weaknesses (including unchanged ones), and
    sums for the means over the whole input.

    The values are ROUGE-1 F1 without and with a stemmer (the paper does not say which), BERTScore if a model is named,
    the ratio of lengths in words, the share of unchanged weaknesses, the numbers of anchors kept, lost, added and
    unfounded, and the share of the original anchors that are kept. A system with a rewriting of an outdated text is
    left out.
    """
    found: dict[str, list[tuple[Weakness, Edited]]] = {}
    for weakness in by_name(read(record, "weaknesses") or (), "id", "weaknesses").values():
        for one in weakness.get("edited") or ():
            found.setdefault(one["system"], []).append((weakness, one))
    if not found and not was_rewritten(record) and read(record, "weaknesses") != []:
        raise InputFault(
            f'no weakness has "edited": run st-claims edit or label {parameter("edit", True)} first', kind="missing-key"
        )
    yield from each_system(found, lambda system: _score_system(record, system, found[system], options))


def _score_system(
    record: PaperRecord, system: str, pairs: Sequence[tuple[Weakness, Edited]], options: Options
) -> Iterator[Record]:
    for weakness, one in pairs:
        own = [entry for entry in weakness.get("edited") or () if entry["system"] == system]
        by_name(own, "system", "weaknesses.edited")
        refuse_stale(weakness, one, "words", "edit")
    texts = [(weakness, one, text) for weakness, one in pairs if (text := one["text"]) is not None]
    rows = [_weakness_row(weakness["text"], text, options) for weakness, _, text in texts]
    names = list(rows[0]) if rows else ["rouge1", "rouge1_stemmed", "length_ratio", "unchanged"]
    values = {name: _mean_value([row[name] for row in rows]) for name in names}
    values |= {f"{name}_sum": _sum_values([row[name] for row in rows]) for name in names}
    values |= _anchor_values(
        [one.get("anchors") or _anchor_ledger(record, weakness, text) for weakness, one, text in texts]
    )
    values["n"] = Value(float(len(texts)))
    versions = {"rouge": library("rouge-score"), **bertscore_version(options.bertscore)}
    inputs = [[weakness["text"], one["text"], one.get("anchors")] for weakness, one in pairs]
    yield entry("edits", system, values, inputs, versions, **nonzero(n_unjudged=len(pairs) - len(texts)))


def _weakness_row(original: str, revised: str, options: Options) -> dict[str, Value]:
    words = [len(text.split()) for text in (original, revised)]
    return {
        "rouge1": rouge_values(original, revised, False)["rouge1"],
        "rouge1_stemmed": rouge_values(original, revised, True)["rouge1"],
        "length_ratio": Value(words[1] / words[0]) if words[0] else Value(None, "the weakness has no words"),
        "unchanged": Value(float(original.split() == revised.split())),
        **{name: value for name, value in bertscore_values(original, revised, options.bertscore).items()},
    }


def _mean_value(values: Sequence[Value]) -> Value:
    known = [value.value for value in values if value.value is not None]
    return mean(known) if known else Value(None, values[0].reason if values else _NONE)


def _sum_values(values: Sequence[Value]) -> Value:
    """The sum; undefined if one of the values is, since the summary divides it by the number of all values."""
    undefined = [value for value in values if value.value is None]
    return undefined[0] if undefined else Value(math.fsum(value.value or 0.0 for value in values))


def _anchor_ledger(record: PaperRecord, weakness: Weakness, revised: str) -> Record:
    sources = rewriter_sources(record, weakness)
    return compare_anchors(weakness["text"], revised, sources, known_keys(record, sources))


def _anchor_values(ledgers: Sequence[Entry]) -> dict[str, Value]:
    counts = {name: float(sum(len(one[name]) for one in ledgers)) for name in _LEDGER}
    before = counts["kept"] + counts["lost"]
    share = Value(counts["kept"] / before) if before else Value(None, "no weakness has an anchor")
    return {"anchors.kept_share": share, **{f"anchors.{name}": Value(count) for name, count in counts.items()}}


def specificity_entries(record: Record, _: Options) -> Iterator[Record | LeftOut]:
    """How often the rewritten weakness, the original, or neither is more specific, as shares of the decided pairs."""
    names = dict(zip(("win", "tie", "loss"), verdicts.WINNERS))
    yield from _verdict_entries(record, "specificity", "winner", names, check_rewritings)


def same_issue_entries(record: Record, _: Options) -> Iterator[Record | LeftOut]:
    """How often a reviewer and a model raise the same, a similar or a different issue, as shares of decided pairs."""
    names = dict(zip(verdicts.ISSUES, verdicts.ISSUES))
    yield from _verdict_entries(record, "same_issue", "verdict", names, check_verifications)


def _verdict_entries(
    record: Record, task: str, key: str, said: Mapping[str, str], check: Callable[[Record, str, Record], None]
) -> Iterator[Record | LeftOut]:
    """The entry of each system; systems whose verdicts refer to outdated texts are left out."""
    if holds(record, f"judgements.{task}") and record["judgements"][task] == []:
        return iter(())  # no claim was disputed or no weakness rewritten, so that no judgement is missing
    systems = judgements_or_faults(record, task)
    if systems is None:
        raise InputFault(f'no "judgements.{task}": run st-judge {task.replace("_", "-")} first', kind="missing-key")

    def make(system: str) -> Iterator[Record]:
        judged = sound(systems[system])
        check(record, system, judged)
        yield _verdict_entry(record, task, judged, key, said)

    return each_system(systems, make)


def _verdict_entry(record: PaperRecord, task: str, judged: Record, key: str, said: Mapping[str, str]) -> Record:
    pairs, controls = judged["pairs"], judged.get("controls") or ()
    given = [pair[key] for pair in pairs]
    shares = verdicts.shares(given, list(said.values()))
    values = {name: shares[verdict] for name, verdict in said.items()} | {"undecided": shares["undecided"]}
    counts = {f"n_{name}": given.count(verdict) for name, verdict in said.items()}
    counts |= {"n_pairs": len(pairs), "n_inconsistent": sum(pair.get("reason") == "inconsistent" for pair in pairs)}
    counts |= _count_orders(pairs, key) | _count_controls(controls, key)
    counts["n_decided"] = len(given) - given.count(None)
    values |= {name: Value(float(count)) for name, count in counts.items()}
    authors = count_authors(_made_from_targets(record, task, judged))
    inputs = [judged.get("by"), pairs, judged.get("controls"), authors]
    n_lost = sum(_is_lost(pair, key) for pair in (*pairs, *controls))
    lost = nonzero(n_unjudged=n_lost + _count_null_sides(record, task, judged["system"]))
    return entry(task.replace("_", "-"), judged["system"], values, inputs, {}, **authors, **lost)


def _made_from_targets(record: PaperRecord, task: str, judged: Record) -> list[Entry]:
    """For each pair the entry with the origin of its target: the judgement itself, or the reviewer's verification."""
    if task == "specificity":
        return [judged] * len(judged["pairs"])
    verifications = {one["id"]: one for one in read(record, "verifications") or ()}
    return [verifications[pair["reviewer"]] for pair in judged["pairs"] if pair["reviewer"] in verifications]


def _count_null_sides(record: PaperRecord, task: str, system: str) -> int:
    """Number of pairs that were not judged because a rewriting, or a verification of either side, is null."""
    if task == "specificity":
        entries = [one for weakness in read(record, "weaknesses") or () for one in weakness.get("edited") or ()]
        return sum(one["text"] is None for one in entries if one["system"] == system)
    sides = [one for one in read(record, "verifications") or () if not one.get("control")]
    reviewers = [one for one in sides if one["side"] == "reviewer"]
    own = [one for one in reviewers if one["system"] == system] or reviewers
    models = [one for one in sides if one["side"] == "model" and one["system"] == system]
    pairs = [(one, model) for model in models for one in own if one["claim"]["spans"] == model["claim"]["spans"]]
    return sum(None in (one["text"], model["text"]) for one, model in pairs)


def check_rewritings(record: PaperRecord, system: str, judged: Entry) -> None:
    """Check that the verdicts of st-judge specificity refer to the current rewritings and targets of the record.

    Raises:
        InputFault: the verdicts are outdated.
    """
    if (weaknesses := read(record, "weaknesses")) is not None:
        ids = [pair["weakness"] for pair in judged["pairs"]]
        refuse_other_texts(judged, "specificity", rewriting_mark(weaknesses, system, ids, judged.get("targets")))


def check_verifications(record: PaperRecord, system: str, judged: Entry) -> None:
    """Check that the verdicts of st-judge same-issue refer to the current verifications of the record.

    Raises:
        InputFault: the verdicts, or the verifications, are outdated.
    """
    if (verifications := read(record, "verifications")) is not None:
        named = {pair[side] for pair in judged["pairs"] for side in ("reviewer", "model")}
        own = [one for one in verifications if one["id"] in named or one["system"] == system]
        refuse_stale_verifications(record, own)
        refuse_other_texts(judged, "same_issue", comparison_mark(verifications, judged["pairs"]))


def _count_orders(pairs: Sequence[Record], key: str) -> dict[str, int]:
    """Position bias, from samples judged in both orders; empty if every pair was judged in one order only.

    ``n_both`` counts these samples, ``n_flips`` those whose votes differ. For verdicts, the number of "same" votes per
    order; for winners, ``n_winners`` counts the votes that are not ties, ``n_first_wins`` those for the text shown
    first.
    """
    both = [votes for pair in pairs for votes in _votes_by_order(pair, key)]
    if not any(len({vote["order"] for vote in (pair.get("votes") or ())}) > 1 for pair in pairs):
        return {}
    counts = {"n_both": len(both), "n_flips": sum(len(set(votes.values())) > 1 for votes in both)}
    if key == "verdict":
        orders = [f"{side}-first" for side in ("reviewer", "model")]
        return counts | {f"n_same_{order}": sum(votes[order] == "same" for votes in both) for order in orders}
    named = [(order, winner) for votes in both for order, winner in votes.items() if winner != "tie"]
    first = sum(order.startswith(winner) for order, winner in named)
    return counts | {"n_winners": len(named), "n_first_wins": first}


def _votes_by_order(pair: Record, key: str) -> Iterator[dict[str, str]]:
    """The votes on a pair by order, for each sample with both orders."""
    samples: dict[int, dict[str, str]] = {}
    for vote in pair.get("votes") or ():
        if vote[key] is not None:
            samples.setdefault(vote.get("sample", 0), {})[vote["order"]] = vote[key]
    yield from (votes for votes in samples.values() if len(votes) > 1)


def _count_controls(controls: Sequence[Record], key: str) -> dict[str, int]:
    """Number of judged and of correctly judged controls, in total and by expected answer.

    Votes that differ by order count as a wrong answer; controls with missing votes are excluded (see ``n_unjudged``).
    """
    counts: dict[str, int] = {}
    for one in controls:
        if _is_lost(one, key):
            continue
        for name in ("controls", f"controls_{one['expected']}"):
            counts[f"n_{name}"] = counts.get(f"n_{name}", 0) + 1
            counts[f"n_{name}_right"] = counts.get(f"n_{name}_right", 0) + (one[key] == one["expected"])
    return counts


def _is_lost(pair: Record, key: str) -> bool:
    """Whether a pair has no verdict because votes are missing, not because they differ."""
    return pair[key] is None and pair.get("reason") != "inconsistent"


def _has_edits(record: PaperRecord) -> bool:
    weaknesses = record.get("weaknesses")
    listed = weaknesses if isinstance(weaknesses, list) else []
    return any(isinstance(one, dict) and one.get("edited") for one in listed)


METRICS = {
    "edits": Metric(
        "weaknesses with edited",
        "against the original weakness: ROUGE-1 F1 without and with a stemmer, BERTScore ({bertscore}), length ratio, "
        "share unchanged; anchors kept, lost, added, unfounded",
        values_in(SHARE, "rouge1", "rouge1_stemmed", "unchanged", "anchors.kept_share")
        | values_in(UNBOUNDED, *BERTSCORE_NAMES, "bertscore*_sum")
        | values_in(NOT_NEGATIVE, "length_ratio", "*_sum", "anchors.*", "n"),
        _has_edits,
        edit_entries,
        ("bertscore",),
    ),
    "specificity": Metric(
        "judgements.specificity",
        "wins, ties and losses of the rewritten weakness, undecided pairs apart; a sign test over all records",
        values_in(SHARE, "win", "tie", "loss", "undecided") | values_in(NOT_NEGATIVE, "n_*"),
        lambda record: holds(record, "judgements.specificity"),
        specificity_entries,
    ),
    "same-issue": Metric(
        "judgements.same_issue",
        "shares of same, similar and different; undecided and inconsistent pairs apart; accuracy on controls",
        values_in(SHARE, *verdicts.ISSUES, "undecided") | values_in(NOT_NEGATIVE, "n_*"),
        lambda record: holds(record, "judgements.same_issue"),
        same_issue_entries,
    ),
}
