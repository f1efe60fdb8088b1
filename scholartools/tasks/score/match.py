"""Generated items against reference items: coverage, and quality of the matched pairs (BAGELS)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scholartools.errors import InputFault
from scholartools.metrics.items import coverage
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.texts import overlap
from scholartools.metrics.values import Value
from scholartools.records import Record, nonzero
from scholartools.signature import library
from scholartools.tasks.score.entailment import NO_JUDGEMENTS
from scholartools.tasks.score.metric import (
    COSINE,
    NOT_NEGATIVE,
    UNBOUNDED,
    LeftOut,
    Metric,
    Options,
    all_undefined,
    count_truncated,
    each_system,
    entry,
    mean,
    prf_values,
    refused_keys,
    values_in,
    with_prefix,
)
from scholartools.tasks.score.refusals import count_refused_items
from scholartools.tasks.score.text import (
    BERTSCORE_NAMES,
    bertscore_values,
    bertscore_version,
    embedding_cosine,
    keyword_values,
    rouge_values,
)
from scholartools.tasks.shared.embedder import need_model
from scholartools.tasks.shared.items import (
    Item,
    candidates,
    holds,
    mark,
    missing_items,
    places,
    plain,
    references,
)
from scholartools.tasks.shared.judgements import judgements_or_faults, refuse_other_texts, sound
from scholartools.text.embeddings.cached import embedder

Pair = tuple[int, int]

CANDIDATE = "generated.limitations"


_COVERAGE = ("c_gt", "c_llm", "tp", "fp", "fn", "precision", "recall", "f1")
_QUALITY = (
    *overlap.ROUGE, "bleu", "embedding_cosine", "count_cosine", "jaccard", "keyword_jaccard", "keyword_cosine",
    "heading_cosine",
)  # fmt: skip


def match_scores(record: Record, options: Options) -> Iterator[Record | LeftOut]:
    """PointWise coverage of each system's items, and the quality of its matched pairs (BAGELS, section 5.1).

    ``judged`` is the share of all pairs of items that were judged; the others count as not matching. A rejected item
    counts as a generated item without a match. A system whose judgements refer to outdated or unknown items is left
    out.
    """
    need_model(options.embedder)
    where = (options.reference or "limitations", options.candidate or CANDIDATE)
    judged, truths = judgements_or_faults(record, "match"), references(record, where[0])
    if judged is None:
        raise InputFault('no "judgements.match": run st-judge match first', kind="missing-key")
    systems = candidates(record, where[1], leave_out_missing=True)
    silent = missing_items(record, where[1])

    def make(system: str) -> Iterator[Record]:
        if system not in systems:
            reason = f'"judgements.match" is of "{system}", of which "{where[1]}" has nothing'
            raise InputFault(reason, kind="invalid-key")
        found = sound(judged[system]) if system in judged else None
        n_refused = count_refused_items(record, where[1], system)
        yield _score_system(system, (truths, systems[system]), found, where, options, n_refused)

    return each_system([*systems, *(one for one in judged if one not in systems and one not in silent)], make)


def _score_system(
    system: str,
    sides: tuple[list[Item], list[Item]],
    judged: Record | None,
    where: tuple[str, str],
    options: Options,
    n_refused: int,
) -> Record:
    truths, items = sides
    if judged is not None:
        refuse_other_texts(judged, "match", mark(truths, items))
    pairs = None if judged is None else judged["pairs"]
    verdicts = None if pairs is None else _pair_verdicts(pairs, truths, items, where)
    values = _match_values(truths, items, verdicts, options, n_refused)
    more = nonzero(n_empty=bool(truths) and not items and not n_refused)
    more |= refused_keys(n_refused, lambda: _coverage_of(_match_values(truths, items, verdicts, options)))
    more |= nonzero(n_unjudged=sum(verdict is None for verdict in (verdicts or {}).values()))
    more |= count_truncated([text for item in (*truths, *items) for text in (item.text, item.heading or "")], options)
    inputs = [plain(truths), plain(items), pairs, *([n_refused] if n_refused else ())]
    return entry("match", system, values, inputs, _match_versions(options), **more)


def _pair_verdicts(
    pairs: Sequence[Record], truths: Sequence[Item], items: Sequence[Item], where: tuple[str, str]
) -> dict[Pair, bool | None]:
    """The verdicts by pair of indices (reference, candidate)."""
    sides = [(places(truths, where[0]), "reference", where[0]), (places(items, where[1]), "candidate", where[1])]
    verdicts: dict[Pair, bool | None] = {}
    for pair in pairs:
        for known, side, path in sides:
            if pair[side] not in known:
                raise InputFault(
                    f'"judgements.match" has the {side} "{pair[side]}", which is not in "{path}"', kind="invalid-key"
                )
        place = (sides[0][0][pair["reference"]], sides[1][0][pair["candidate"]])
        if place in verdicts:
            twice = f'"{pair["reference"]}" and "{pair["candidate"]}"'
            raise InputFault(f'"judgements.match" has a duplicate pair of {twice}', kind="invalid-key")
        verdicts[place] = pair["match"]
    return verdicts


def _match_values(
    truths: Sequence[Item],
    items: Sequence[Item],
    verdicts: Mapping[Pair, bool | None] | None,
    options: Options,
    n_refused: int = 0,
) -> dict[str, Value]:
    n_pairs = len(truths) * len(items)
    if verdicts is None and not n_pairs:
        verdicts = {}
    if verdicts is None:
        return _no_match(NO_JUDGEMENTS, options)
    if missing := sum(verdict is None for verdict in verdicts.values()):
        return _no_match(f"{missing} of {len(verdicts)} judgements are missing", options)
    pairs = sorted(pair for pair, matched in verdicts.items() if matched)
    found = coverage.coverage(len(truths), len(items) + n_refused, pairs, options.tp)
    counts = {name: getattr(found, name) for name in ("tp", "fp", "fn")}
    judged = Value(len(verdicts) / n_pairs) if n_pairs else Value(None, "no pair to judge")
    quality = [_pair_quality(truths[truth], items[item], options) for truth, item in pairs]
    return {
        "c_gt": found.c_gt, "c_llm": found.c_llm, **counts, **prf_values(found.scores), "judged": judged,
        **with_prefix("pairs", _mean_qualities(quality, options)),
    }  # fmt: skip


def _coverage_of(values: Mapping[str, Value]) -> dict[str, Value]:
    """The values that change with an additional unmatched item."""
    return {name: values[name] for name in _COVERAGE}


def _no_match(reason: str, options: Options) -> dict[str, Value]:
    names = (*_COVERAGE, "judged", *(f"pairs.{name}" for name in _quality_names(options)))
    return all_undefined(names, reason)


def _mean_qualities(quality: Sequence[dict[str, Value]], options: Options) -> dict[str, Value]:
    return {name: mean([pair[name] for pair in quality], "no matched pair") for name in _quality_names(options)}


def _quality_names(options: Options) -> tuple[str, ...]:
    return (*_QUALITY, *BERTSCORE_NAMES) if options.bertscore else _QUALITY


def _pair_quality(truth: Item, item: Item, options: Options) -> dict[str, Value]:
    """The similarities of one matched pair: F1 of stemmed ROUGE, and others (BAGELS, appendix A.2)."""
    name = options.embedder
    scores = rouge_values(truth.text, item.text, stemmer=True)
    return {
        **{rouge_name: scores[rouge_name] for rouge_name in overlap.ROUGE},
        "bleu": overlap.bleu(truth.text, item.text),
        "embedding_cosine": embedding_cosine(truth.text, item.text, name),
        "count_cosine": overlap.count_cosine(truth.text, item.text),
        "jaccard": overlap.jaccard(truth.text, item.text),
        **keyword_values(truth.text, item.text, name),
        "heading_cosine": _heading_cosine(truth, item, name),
        **bertscore_values(truth.text, item.text, options.bertscore),
    }


def _heading_cosine(truth: Item, item: Item, name: str | None) -> Value:
    if not (truth.heading and item.heading):
        return Value(None, "a matched item has no heading")
    return embedding_cosine(truth.heading, item.heading, name)


def _match_versions(options: Options) -> Record:
    return {
        "tp": options.tp, "stemmer": True, "embedder": embedder(options.embedder).name,
        "rouge": library("rouge-score"), "library": [library("scikit-learn"), library("scipy"), library("numpy")],
        **bertscore_version(options.bertscore),
    }  # fmt: skip


METRICS = {
    "match": Metric(
        "limitations, generated.limitations (or {reference}, {candidate}), judgements.match",
        "C_GT, C_LLM, TP, FP, FN, P/R/F1 ({tp}); of matched pairs ROUGE, BLEU, cosines, Jaccard, keywords, headings, "
        "BERTScore ({bertscore})",
        values_in(SHARE, "c_gt", "c_llm", "precision", "recall", "f1", "judged")
        | values_in(NOT_NEGATIVE, "tp", "fp", "fn")
        | values_in(SHARE, *(f"pairs.{name}" for name in _QUALITY))
        | values_in(COSINE, "pairs.embedding_cosine", "pairs.heading_cosine")
        | values_in(UNBOUNDED, *(f"pairs.{name}" for name in BERTSCORE_NAMES)),
        lambda record: holds(record, "judgements.match"),
        match_scores,
        ("reference", "candidate", "embedder", "bertscore", "tp"),
        (CANDIDATE,),
    ),
}
