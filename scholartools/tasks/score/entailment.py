"""En-Precision, En-Recall and En-F1 of experiments; S-Match and ROUGE of explanations (AAAR-1.0, section 4)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.metrics.items import soft_match
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.values import Value
from scholartools.metrics.vectors import similarities
from scholartools.paths import as_json
from scholartools.records import Record, nonzero
from scholartools.signature import library
from scholartools.tasks.score.metric import (
    COSINE,
    LeftOut,
    Metric,
    Options,
    all_undefined,
    count_incomplete,
    count_truncated,
    each_system,
    entry,
    prf_values,
    refused_keys,
    rouge,
    values_in,
    with_prefix,
)
from scholartools.tasks.score.refusals import count_refused_items
from scholartools.tasks.score.soft import need_words, vector_versions
from scholartools.tasks.shared.blanks import fold_writing
from scholartools.tasks.shared.embedder import embedder_for
from scholartools.tasks.shared.items import (
    Item,
    candidates,
    holds,
    missing_items,
    places,
    plain,
    references,
    unordered_mark,
)
from scholartools.tasks.shared.judgements import is_tie, judgements_or_faults, refuse_other_texts, sound
from scholartools.text.embeddings.cached import Source, vectors

EXPERIMENTS = "generated.experiments"
NO_JUDGEMENTS = "no judgements of this system"

_PRF = ("precision", "recall", "f1")
_LIKENESS = tuple(f"{part}{name}" for part in ("", "paired.") for name in ("s_match", *soft_match.EXPLANATION_ROUGE))
_EXPLAINED = tuple(f"explanations.{name}" for name in _LIKENESS)

# Judgements by system; the reference explanations and those by system.
Judged = Mapping[str, Record | InputFault]
Explained = tuple[list[Item], dict[str, list[Item]]]
ReadItems = Callable[[str, str], "list[Item] | None"]  # (path, system) -> items


class _Part(NamedTuple):
    """One of the two parts of the metric for one system: its values, counts, and the inputs for the signature."""

    values: dict[str, Value]
    counts: Record
    inputs: Any


def entail_scores(record: Record, options: Options) -> Iterator[Record | LeftOut]:
    """En-Precision, En-Recall and En-F1 from judgements; S-Match and ROUGE of explanations (AAAR-1.0, section 4).

    If the record has the experiments, items without a judgement count as missing instead of being ignored.
    Explanations are paired by id if both sides have ids, else by position (``n_by_place``). ``n_paired`` counts the
    pairs, ``missing`` and ``extra`` list the ids without a partner. A reference without a partner counts 0 in S-Match
    and ROUGE; ``paired`` values are means over the pairs only. ``n_tied`` counts judgements that are false because of
    tied votes. If a system lacks one of the two parts, its entry has the values of the other part.
    """
    found: dict[str, Any] = {}
    faults: dict[str, InputFault] = {}
    readers = {
        "judgements": lambda: judgements_or_faults(record, "entail"),
        "explanations": lambda: _read_explanations(record, options),
    }
    for name, read_part in readers.items():
        try:
            found[name] = read_part()
        except InputFault as fault:
            faults[name] = fault
    judged, explained = found.get("judgements"), found.get("explanations")
    if judged is None and explained is None:
        missing = InputFault('neither "judgements.entail" nor "explanations" with generated ones', kind="missing-key")
        raise next(iter(faults.values()), missing)
    yield from (LeftOut(name, fault) for name, fault in faults.items())
    planned = _systems_with_plans(record) if judged is not None else []
    systems = dict.fromkeys([*(judged or ()), *(explained[1] if explained is not None else ()), *planned])
    read_items = _items_reader(record)
    yield from each_system(systems, lambda one: _score_system(record, one, judged, explained, options, read_items))


def _score_system(
    record: Record,
    system: str,
    judged: Judged | None,
    explained: Explained | None,
    options: Options,
    read: ReadItems,
) -> Iterator[Record | LeftOut]:
    """The entry of a system, with null values for an invalid part, followed by the part's fault."""
    source = embedder_for(record, options.embedder) if explained is not None else None
    makes: list[tuple[Sequence[str], Callable[[], _Part]]] = []
    if judged is not None:
        makes.append((_PRF, lambda: _judged_part(record, system, judged, read)))
    if explained is not None:
        makes.append((_EXPLAINED, lambda: _explained_part(system, explained, source)))
    parts, faults = list[_Part](), list[InputFault]()
    for names, make in makes:
        try:
            parts.append(make())
        except InputFault as fault:
            faults.append(fault)
            parts.append(_Part(all_undefined(names, fault.reason), {}, fault.reason))
    if len(faults) == len(parts):
        raise faults[0]
    values = {name: value for part in parts for name, value in part.values.items()}
    counts = {name: count for part in parts for name, count in part.counts.items()}
    counts |= count_incomplete(record, [EXPERIMENTS, "generated.explanations"], system)
    wanted, given = explained or ([], {})
    counts |= count_truncated([item.text for item in (*wanted, *given.get(system, ()))], options)
    versions = vector_versions(source) if explained is not None else {}
    versions |= {"stemmer": True, "rouge": library("rouge-score")} if explained is not None else {}
    yield entry("entail", system, values, [part.inputs for part in parts], versions, **counts)
    yield from (LeftOut(system, fault) for fault in faults)


def _judged_part(record: Record, system: str, found: Judged, read: ReadItems) -> _Part:
    judged = sound(found[system]) if system in found else None
    lists = _item_lists(record, system, judged, read)
    n_refused = count_refused_items(record, (judged or {}).get("candidate") or EXPERIMENTS, system)
    counts = _count_unjudged(lists, judged) | _count_ties(judged)
    counts |= nonzero(n_empty=_is_silent(lists, judged) and not n_refused)
    counts |= refused_keys(n_refused, lambda: _score_entailment(lists, judged, 0))
    sides = {side: plain(items) for side, items in lists.items()}
    return _Part(_score_entailment(lists, judged, n_refused), counts, [judged, sides, n_refused])


def _explained_part(system: str, found: Explained, source: Source) -> _Part:
    wanted, given = found[0], found[1].get(system)
    values, counts = _explanation_values(wanted, given, source)
    counts |= nonzero(n_empty=bool(wanted) and given == [])
    return _Part(with_prefix("explanations", values), counts, [plain(wanted), plain(given)])


def _read_explanations(record: Record, options: Options) -> Explained | None:
    """The reference explanations and those by system; None if the record lacks either.

    Raises:
        InputFault: they are malformed, or the record lacks the vectors that ``options`` names.
    """
    if not (holds(record, "explanations") and holds(record, "generated.explanations")):
        return None
    embedder_for(record, options.embedder)
    generated = candidates(record, "generated.explanations", leave_out_missing=True)
    return need_words(references(record, "explanations"), "explanations"), generated


def _systems_with_plans(record: Record) -> list[str]:
    """The systems with a list of experiments, even if empty; empty if the lists cannot be read."""
    try:
        return list(candidates(record, EXPERIMENTS, leave_out_missing=True)) if holds(record, EXPERIMENTS) else []
    except InputFault:
        return []


def _score_entailment(
    lists: Mapping[str, list[Item] | None], judged: Record | None, n_refused: int
) -> dict[str, Value]:
    """The scores from judgements; a rejected item counts as not entailed."""
    if judged is None and not (lists["candidates"] == [] and lists["references"]):
        return all_undefined(_PRF, NO_JUDGEMENTS)
    judged = judged or {"candidates": [], "references": []}
    given, wanted = _verdicts(lists, judged)
    return prf_values(soft_match.entailment_scores([*given, *[False] * n_refused], wanted))


def _verdicts(lists: Mapping[str, list[Item] | None], judged: Record) -> list[list[bool | None]]:
    """The verdicts on the candidates, and on the references."""
    return [_verdicts_of(judged[side], lists[side]) for side in ("candidates", "references")]


def _count_unjudged(lists: Mapping[str, list[Item] | None], judged: Record | None) -> Record:
    """Number of items without a judgement; empty for a system without any judgements."""
    return nonzero(n_unjudged=sum(side.count(None) for side in _verdicts(lists, judged)) if judged else 0)


def _count_ties(judged: Record | None) -> Record:
    """Number of items with tied votes, which count as not covered."""
    votes = [one.get("votes") or [] for side in ("candidates", "references") for one in (judged or {}).get(side, ())]
    return nonzero(n_tied=sum(map(is_tie, votes)))


def _is_silent(lists: Mapping[str, list[Item] | None], judged: Record | None) -> bool:
    """Whether a system has no experiments although there are reference experiments."""
    held = {side: items if items is not None else (judged or {}).get(side) for side, items in lists.items()}
    return held["candidates"] == [] and bool(held["references"])


def _item_lists(record: Record, system: str, judged: Record | None, read: ReadItems) -> dict[str, list[Item] | None]:
    """The items that the judgements refer to, at the paths given in the judgements; None if the record lacks them.

    Raises:
        InputFault: the texts have changed since they were judged.
    """
    named = judged or {}
    paths = named.get("candidate") or EXPERIMENTS, named.get("reference") or "experiments"
    generated = read(paths[0], system) if holds(record, paths[0]) else None
    truths = references(record, paths[1]) if holds(record, paths[1]) else None
    if generated is not None and truths is not None:
        refuse_other_texts(named, "entail", unordered_mark(truths, generated))
    return {"candidates": generated, "references": truths}


def _items_reader(record: Record) -> ReadItems:
    """A function that returns the items of a system at a path, or None without an entry; each path is read once.

    The function raises an InputFault if the items of this system are null; those of other systems may be null.
    """
    missing = functools.cache(lambda path: missing_items(record, path))
    listed = functools.cache(lambda path, leaves_out: candidates(record, path, leave_out_missing=leaves_out))

    def read(path: str, system: str) -> list[Item] | None:
        return listed(path, system not in missing(path)).get(system)

    return read


def _verdicts_of(judged: Sequence[Record], items: Sequence[Item] | None) -> list[bool | None]:
    """One judgement per item, None if missing; all judgements in their order if the items are unknown."""
    if items is None:
        ids = [one["id"] for one in judged if one.get("id") is not None]
        if len(set(ids)) < len(ids):
            raise InputFault('"judgements.entail": duplicate judgement of an item', kind="invalid-key")
        return [one["entailed"] for one in judged]
    known = places(items, "experiments")
    verdicts: list[bool | None] = [None] * len(items)
    seen = set()
    for one in judged:
        if one.get("id") not in known:
            raise InputFault(
                f'"judgements.entail" has {as_json(one.get("id"))}, which is not an item', kind="invalid-key"
            )
        if one["id"] in seen:
            raise InputFault(f'"judgements.entail" has {as_json(one["id"])} twice', kind="invalid-key")
        seen.add(one["id"])
        verdicts[known[one["id"]]] = one["entailed"]
    return verdicts


def _explanation_values(
    wanted: Sequence[Item], given: Sequence[Item] | None, source: Source
) -> tuple[dict[str, Value], Record]:
    """The values of one system's explanations, and the counts of pairs."""
    if given is None:
        return all_undefined(_LIKENESS, "no explanations of this system"), {}
    try:
        pairing = soft_match.pair_items([item.id for item in given], [item.id for item in wanted])
    except InputFault as fault:
        raise InputFault(f"explanations: {fault.reason}", kind=fault.kind) from None
    if pairing.by_id:
        _refuse_ids_alike([wanted[place] for place in pairing.missing], [given[place] for place in pairing.extra])
    texts, references = ([item.text for item in side] for side in (given, wanted))
    matrix = similarities(vectors(texts, source), vectors(references, source))
    likeness = {
        "s_match": soft_match.soft_match(matrix, pairing.pairs),
        **soft_match.explanation_rouge(texts, references, pairing.pairs, rouge(True)),
    }
    values = {name: found.whole for name, found in likeness.items()}
    values |= {f"paired.{name}": found.paired for name, found in likeness.items()}
    counts: Record = {"n_paired": len(pairing.pairs), "paired_by": "id" if pairing.by_id else "place"}
    counts |= nonzero(
        n_by_place=0 if pairing.by_id else len(pairing.pairs),
        n_missing=len(pairing.missing),
        n_extra=len(pairing.extra),
    )
    if pairing.by_id and pairing.missing:
        counts["missing"] = [wanted[place].id for place in pairing.missing]
    if pairing.by_id and pairing.extra:
        counts["extra"] = [given[place].id for place in pairing.extra]
    return values, counts


def _refuse_ids_alike(missing: Sequence[Item], extra: Sequence[Item]) -> None:
    """Raise an InputFault if two unpaired items have ids that differ only in spelling."""
    known = {fold_writing(one.id): one.id for one in missing if one.id is not None}
    for one in extra:
        if one.id is not None and (like := known.get(fold_writing(one.id))) is not None:
            reason = f"the ids {as_json(one.id)} and {as_json(like)} look alike and are not equal: write them alike"
            raise InputFault(f"explanations: {reason}", kind="invalid-key")


METRICS = {
    "entail": Metric(
        "judgements.entail; explanations with generated.explanations",
        "En-Precision, En-Recall, En-F1; S-Match and ROUGE-1/L (stemmed) of the explanations, paired by id where both "
        "sides have ids, else by position, over all references and over the pairs alone",
        values_in(SHARE, *_PRF, *_EXPLAINED) | values_in(COSINE, "explanations.s_match", "explanations.paired.s_match"),
        lambda record: (
            holds(record, "judgements.entail")
            or (holds(record, "explanations") and holds(record, "generated.explanations"))
        ),
        entail_scores,
        ("embedder",),
        ("generated.explanations", EXPERIMENTS),
    ),
}
