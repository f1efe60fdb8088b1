"""Scores from what a record holds: which metric, on which texts, with which signature.

Each family of metrics has a file of its own with its rows of the table; what they read beside the paper (judgements,
items, texts at dotted paths) is in :mod:`scholartools.tasks.shared`.
"""

from __future__ import annotations

from collections.abc import Sequence

from scholartools import __version__
from scholartools.errors import InputFault
from scholartools.metrics.items.facet_score import facet_score
from scholartools.parameters import fill_parameters
from scholartools.records import Record, add_provenance, need, read, replace_failure
from scholartools.signature import signature
from scholartools.tasks.score import (
    contamination,
    edits,
    entailment,
    equations,
    extraction,
    facets,
    match,
    reviews,
    soft,
    spans,
    support,
    targets,
    text,
    verifications,
    weaknesses,
)
from scholartools.tasks.score.facets import facet_scores
from scholartools.tasks.score.metric import COMMAND, DEFAULT, Metric, Options
from scholartools.tasks.score.support import support_scores
from scholartools.tasks.shared.embedder import check_embedder
from scholartools.tasks.shared.items import tell_missing_items
from scholartools.text.embeddings.cached import contextual_model

__all__ = ["METRICS", "Options", "check", "facet_score", "facet_scores", "listing", "score", "support_scores"]

#: The kind of the ``errors`` entry of a record that lacks ratings to score, and of one that lacks other judgements.
MISSING_RATINGS = "missing-ratings"
MISSING_JUDGEMENTS = "missing-judgements"

# Each family of metrics is a module with its rows of the table.
FAMILIES = (
    facets,
    support,
    text,
    spans,
    extraction,
    match,
    soft,
    entailment,
    equations,
    reviews,
    weaknesses,
    targets,
    edits,
    verifications,
    contamination,
)
METRICS: dict[str, Metric] = {name: row for family in FAMILIES for name, row in family.METRICS.items()}


def score(
    record: Record, metrics: Sequence[str] = (), options: Options = DEFAULT, *, keep_earlier: bool = True
) -> Record:
    """The record with ``scores`` added; metrics are chosen by what the record holds unless they are named.

    Entries of the same metrics from an earlier run are replaced, all others stay. Without ``keep_earlier`` only those
    stay whose metric is none of ours: made of other texts or with other options, ours must not be averaged with these.

    Raises:
        InputFault: the record has not what a named metric needs, or nothing that any metric needs.
    """
    names = list(dict.fromkeys(metrics)) or _fitting_metrics(record, options)
    made = [entry for name in names for entry in METRICS[name].make(record, options)]
    replaced = names if keep_earlier else METRICS
    kept = [entry for entry in read(record, "scores") or () if entry["metric"] not in replaced]
    scored = {**record, "scores": [*kept, *made]}
    if "facets" in names:
        _tell_unrated(scored, made)
    for name in names:
        if name != "facets":
            _tell_unjudged(scored, name, [entry for entry in made if entry["metric"] == name])
    _tell_missing(scored, names, options)
    used = {name for metric in names for name in METRICS[metric].uses}
    chosen = {name: value for name, value in vars(options).items() if name in used}
    add_provenance(scored, COMMAND, __version__, signature(COMMAND, {"metrics": sorted(names), **chosen}))
    return scored


def _tell_missing(record: Record, names: Sequence[str], options: Options) -> None:
    """Tell of a copy of a record which systems the metrics left out because their items are null."""
    own = [path for name in names for path in METRICS[name].candidates]
    for path in dict.fromkeys([options.candidate] if options.candidate and own else own):
        tell_missing_items(record, COMMAND, path)


def _tell_unrated(record: Record, made: Sequence[Record]) -> None:
    """Give a copy of a record one of ``errors`` that counts the ratings that its scores lack; an earlier one goes."""
    same = {"command": COMMAND, "kind": MISSING_RATINGS}
    n_unrated = sum(entry.get("n_unrated", 0) for entry in made)
    if not n_unrated:
        return replace_failure(record, same, None)
    why = next(entry["reasons"]["overall.score"] for entry in made if entry.get("n_unrated"))
    counted = "1 rating of a facet is" if n_unrated == 1 else f"{n_unrated} ratings of facets are"
    reason = f"{counted} missing, and with {'it' if n_unrated == 1 else 'them'} the facet score: {why}"
    return replace_failure(record, same, {"reason": reason, "missing": n_unrated})


def _tell_unjudged(record: Record, metric: str, made: Sequence[Record]) -> None:
    """Give a copy of a record one of ``errors`` that counts the judgements a metric lacks; an earlier one goes."""
    same = {"command": COMMAND, "kind": MISSING_JUDGEMENTS, "task": metric}
    n_unjudged = sum(entry.get("n_unjudged", 0) + entry.get("n_failed", 0) for entry in made)
    if not n_unjudged:
        return replace_failure(record, same, None)
    counted = "1 judgement is" if n_unjudged == 1 else f"{n_unjudged} judgements are"
    systems = dict.fromkeys(entry["system"] for entry in made if entry.get("n_unjudged") or entry.get("n_failed"))
    lost = "it" if n_unjudged == 1 else "them"
    reason = f"{metric}: {counted} missing ({', '.join(systems)}), and with {lost} the scores that need {lost}"
    replace_failure(record, same, {"reason": reason, "missing": n_unjudged})


def check(options: Options) -> None:
    """Refuse a model that is none.

    Raises:
        UsageFault: there is one.
    """
    check_embedder(options.embedder)
    if options.bertscore is not None:
        contextual_model(options.bertscore)


def listing() -> str:
    """What each metric needs and gives, and the shapes of the judgements, for people."""
    from textwrap import fill

    def part(title: str, text: str) -> str:
        return fill(f"{title} {fill_parameters(text)}", width=100, initial_indent="  ", subsequent_indent=" " * 10)

    blocks = [
        "\n".join([name, part("needs  ", metric.needs), part("gives  ", metric.gives)])
        for name, metric in METRICS.items()
    ]
    shapes = "\n".join(f"  judgements.{task}: {shape}" for task, shape in _SHAPES.items())
    items = '  items (limitations, weaknesses, ...): [{"id", "text", "heading"?, "review"?}]'
    systems = '  generated.TASK: [{"system", "items": [{"id", "text", "heading"?}]}]'
    words = "\n".join(["words", *(part(f"{name}:", text) for name, text in WORDS.items())])
    return "\n\n".join([*blocks, words, "\n".join(["shapes", items, REVIEWERS, systems, shapes])]) + "\n"


#: What each metric of words counts as one.
WORDS = {
    "BLEU, Jaccard, token P/R/F1": (
        "runs of letters, digits and underscores of the lower-cased text, in any script; everything else ends a word, "
        "a hyphen and an apostrophe too; no stemming. Jaccard takes each word once, token P/R/F1 as often as it "
        "occurs, BLEU runs of 1 to 4 words (one reference, unsmoothed: 0 where no run of 4 is shared)"
    ),
    "count cosine": "the same, of two characters or more (CountVectorizer's)",
    "ROUGE": (
        "runs of a-z and 0-9 of the lower-cased text (rouge-score's): other scripts have none; stemmed in match, "
        "entail and review, in text with {stemmer}, nowhere else"
    ),
    "sacrebleu": "its own 13a tokens: case is kept, marks are tokens; smoothed",
}

REVIEWERS = (
    "  weaknesses by reviewer: [[item or text, ...], ...], one inner list each; or items that name their review; or\n"
    '    [{"items": [...]}, ...]; a flat list that names none is one reviewer\'s'
)

_SHAPES = {
    "facets": '[{"system", "ratings": {"background": 1..3, "method": 1..4, "result": 1..4, "conclusion": 1..3}}]\n'
    '    a rating is null where the abstract lacks the facet, or where it is named under "missing"?: [facets]',
    "match": '[{"system", "pairs": [{"reference": id, "candidate": id, "match": bool | null}]}]',
    "entail": '[{"system", "candidates": [{"id", "entailed": bool | null}], "references": [...]}]',
    "equation": '[{"system", "options": [{"correct": bool, "answer": bool | null}]}]',
    "review": '[{"system", "reviews": [{"id", "segments": [{"deficient": bool, "explanation"?, "answers":\n'
    '    {"labeling-all": {"deficient": bool, "explanation"?} | null, "select-deficient": ...}}]}]}]',
}


def _fitting_metrics(record: Record, options: Options) -> list[str]:
    """The metrics whose keys the record holds.

    ``text`` is one only where no other is, or where paths aim it: else whoever has summaries would get it beside the
    facets.
    """
    if options.reference or options.candidate:
        return ["text"]
    fitting = [name for name, metric in METRICS.items() if metric.fits(record)]
    if len(fitting) > 1 and "text" in fitting:
        fitting.remove("text")
    if fitting:
        return fitting
    need(record, "facets", "run st-facets first")
    raise InputFault('neither "summaries" nor "sections" to score against the abstract', kind="missing-key")
