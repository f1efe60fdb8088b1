"""The table of metrics, and scoring of a record by the selected ones.

Each family of metrics is a module with its rows of the table; access to their inputs (judgements, items, texts at
dotted paths) is in :mod:`scholartools.tasks.shared`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import fill_parameters
from scholartools.records import Record, add_provenance, need, read
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
from scholartools.tasks.score.metric import COMMAND, DEFAULT, LeftOut, Metric, Options
from scholartools.tasks.score.sound import sound_part
from scholartools.tasks.score.telling import Found, all_left_out, tell_left_out, tell_unjudged
from scholartools.tasks.shared.embedder import check_embedder
from scholartools.tasks.shared.items import missing_items, tell_all_missing
from scholartools.text.embeddings.cached import contextual_model

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
# Statistics of st-agree that users may look for among the metrics.
_OF_RATERS = frozenset(
    "alpha kappa icc fleiss agreement krippendorff cohen pearson spearman kendall correlation correlate".split()
)
METRICS: dict[str, Metric] = {name: row for family in FAMILIES for name, row in family.METRICS.items()}


def explain_name(name: str) -> str | None:
    """Explain a name of a value of a metric, or of a statistic of st-agree; return None for any other name."""
    if name.casefold() in _OF_RATERS:
        return f"st-agree computes agreement and correlations ({name})"
    wanted = name.casefold().replace("-", "").replace("_", "")
    makers = [
        metric
        for metric, row in METRICS.items()
        if any(value.rpartition(".")[2].casefold().replace("_", "").startswith(wanted) for value in row.ranges)
    ]
    if not makers:
        return None
    made = f"{name} is a score of the metric{'s' * (len(makers) > 1)} {', '.join(makers)}"
    return f"{made}: name one of these metrics (the help says what each compares)"


def score(
    record: Record, metrics: Sequence[str] = (), options: Options = DEFAULT, *, keep_earlier: bool = True
) -> Record:
    """Compute the named metrics of a record, and return a copy of the record with ``scores``.

    Without ``metrics``, ``score`` computes all metrics whose input the record has. Scores of the same metrics from an
    earlier run are replaced, and all other scores are kept. With ``keep_earlier=False``, only scores of metrics that
    scholartools does not define are kept, because earlier scores may be of other texts or options, and must not be
    averaged with new scores. If the input of a metric or of a system is missing, the metric or system is left out and
    reported under ``errors``.

    Raises:
        InputFault: the record lacks the input of all named metrics, or, if no metric is named, the input of every
            metric.
        UsageFault: a name is not the name of a metric.
    """
    if unknown := [name for name in metrics if name not in METRICS]:
        raise UsageFault(f'no metric "{unknown[0]}": {", ".join(METRICS)}')
    names = list(dict.fromkeys(metrics)) or _fitting_metrics(record, options)
    results = {name: _make_entries(record, name, options) for name in names}
    faults = {name: found.fault for name, found in results.items() if found.fault is not None}
    if len(faults) == len(names):
        raise all_left_out(faults)
    made = [entry for found in results.values() for entry in found.entries]
    replaced = names if keep_earlier else METRICS
    kept = [entry for entry in read(record, "scores") or () if entry["metric"] not in replaced]
    scored = {**record, "scores": [*kept, *made]}
    missing = _missing_items(record, [name for name in names if name not in faults], options)
    told = {system for systems in missing.values() for system in systems}
    for name in replaced:
        tell_left_out(scored, name, results.get(name), told)
    for name in names:
        tell_unjudged(scored, name, results[name].entries)
    tell_all_missing(scored, COMMAND, missing)
    used = {name for metric in names for name in METRICS[metric].uses}
    chosen = {name: value for name, value in vars(options).items() if name in used}
    chosen["metrics"] = sorted(names)
    add_provenance(scored, COMMAND, None, method="builtin", options=chosen, input=made)
    return scored


def _make_entries(record: Record, name: str, options: Options) -> Found:
    """The entries and omissions of one metric, or its fault if there are no entries.

    Entries with only null values count as entries, so that they do not depend on the other metrics.
    """
    found = _make_of(record, name, options)
    if found.fault is None and not found.left_out or (sound := sound_part(record, name)) is None:
        return found
    of_sound = _make_of(sound.record, name, options)
    if of_sound.fault is not None:
        return found
    others = [one for one in of_sound.left_out if one.name not in sound.faults]
    return Found(of_sound.entries, [*others, *(LeftOut(name, fault) for name, fault in sound.faults.items())])


def _make_of(record: Record, name: str, options: Options) -> Found:
    try:
        made = list(METRICS[name].make(record, options))
    except InputFault as fault:
        return Found([], [], fault)
    entries = [one for one in made if not isinstance(one, LeftOut)]
    left_out = [one for one in made if isinstance(one, LeftOut)]
    return Found(entries, left_out, None if entries or not left_out else left_out[0].fault)


def _missing_items(record: Record, names: Sequence[str], options: Options) -> dict[str, dict[str | None, str]]:
    """Systems with null items and the reasons, by path, for all paths from which the metrics read items by system."""
    own = [path for name in names for path in METRICS[name].candidates]
    paths = [options.candidate] if options.candidate and own else own
    found: dict[str, dict[str | None, str]] = {}
    for path in dict.fromkeys(paths):
        with contextlib.suppress(InputFault):  # reported by the metric
            found[path] = missing_items(record, path)
    return found


def check(options: Options) -> None:
    """Check the names of embedding models and of the model of BERTScore in the options of ``score``.

    Raises:
        UsageFault: an option names an unknown model.
    """
    check_embedder(options.embedder)
    if options.bertscore is not None:
        contextual_model(options.bertscore)


def listing() -> str:
    """Return a text that lists the input and the values of each metric, and the formats of judgements in records."""
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


#: Definition of a word in each word-based metric.
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


def _fits(metric: Metric, record: Record) -> bool:
    """Whether a record has the input of a metric. Malformed input counts, so that the metric reports it."""
    try:
        return metric.fits(record)
    except InputFault:
        return True


def _fitting_metrics(record: Record, options: Options) -> list[str]:
    """The metrics whose input the record has.

    ``text`` is included only if there is no other, or if paths are given, since every record with summaries fits it.
    """
    if options.reference or options.candidate:
        return ["text"]
    fitting = [name for name, metric in METRICS.items() if _fits(metric, record)]
    if len(fitting) > 1 and "text" in fitting:
        fitting.remove("text")
    if fitting:
        return fitting
    need(record, "facets", "run st-facets first")
    raise InputFault('neither "summaries" nor "sections" to score against the abstract', kind="missing-key")
