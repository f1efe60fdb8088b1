"""S-Precision, S-Recall and S-F1 of weaknesses against those of each reviewer (AAAR-1.0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scholartools.errors import InputFault
from scholartools.metrics.items import soft_match
from scholartools.metrics.statistics.resampling import SHARE
from scholartools.metrics.vectors import similarities
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
    values_in,
)
from scholartools.tasks.score.refusals import count_refused_items
from scholartools.tasks.score.reviewers import flat_candidates, not_flat, reviewers
from scholartools.tasks.shared.embedder import embedder_for
from scholartools.tasks.shared.items import Item, holds
from scholartools.text.embeddings.cached import Source, embedder, vectors

WEAKNESSES, GENERATED_WEAKNESSES = "weaknesses", "generated.weaknesses"
#: System name of the reviewers when they are scored against each other.
PEOPLE = "people"


def soft_scores(record: Record, options: Options) -> Iterator[Record | LeftOut]:
    """S-Precision, S-Recall and S-F1 of each system's items against those of each reviewer (AAAR-1.0, eq. 4 and 5).

    ``n_reviewers`` counts the reviewers with items, over which the scores are averaged. With the option ``people``,
    each reviewer's list is also scored against the others', one entry per reviewer, as the system :data:`PEOPLE`. If
    no reviewer has items, that is a single entry without values, since the paper counts in ITF-IDF.
    """
    source = embedder_for(record, options.embedder)
    where, path = options.reference or WEAKNESSES, options.candidate or GENERATED_WEAKNESSES
    lists = [refuse_twins(need_words(items, where), where) for items in reviewers(record, where)]
    texts = [[item.text for item in items] for items in lists]
    systems = systems_at(record, path, people=options.people)
    nested = not_flat(record, path) if systems else {}

    def make(system: str) -> Iterator[Record]:
        if system in nested:
            raise nested[system]
        items = refuse_twins(systems[system], path)
        n_refused = count_refused_items(record, path, system)
        scored = _score_list(system, [item.text for item in items], texts, source, options, n_refused)
        yield {**scored, **count_incomplete(record, [path], system)}

    yield from each_system(systems, make)
    if options.people and not any(lists):
        values = all_undefined(("precision", "recall", "f1"), "no reviewer names an item")
        yield entry("soft", PEOPLE, values, [lists, []], vector_versions(source), n_items=0, n_reviewers=0)
    for place, items in enumerate(lists if options.people else ()):
        if items:
            others = [*texts[:place], *texts[place + 1 :]]
            name = items[0].review or str(place + 1)
            yield {**_score_list(PEOPLE, texts[place], others, source, options), "item": name}


def systems_at(record: Record, path: str, *, people: bool) -> dict[str, list[Item]]:
    """The items of each system at a path; with ``people``, the default path may be absent.

    Raises:
        InputFault: the path is absent, a value is not a text, or a system has the reserved name :data:`PEOPLE`.
    """
    if people and path == GENERATED_WEAKNESSES and not holds(record, path):
        return {}
    systems = flat_candidates(record, path)
    if people and PEOPLE in systems:
        raise InputFault(f'"{path}" has a system "{PEOPLE}": that is the name of the reviewers', kind="invalid-key")
    return systems


def _score_list(
    system: str, predicted: list[str], lists: list[list[str]], source: Source, options: Options, n_refused: int = 0
) -> Record:
    rows = vectors(predicted, source)
    matrices = [similarities(rows, vectors(texts, source)) for texts in lists]
    scores = soft_match.soft_scores(matrices, n_refused)
    values = prf_values(scores)
    counts = {"n_items": len(predicted), "n_reviewers": sum(map(bool, lists))}
    counts |= refused_keys(n_refused, lambda: prf_values(soft_match.soft_scores(matrices)))
    counts |= nonzero(n_empty=any(lists) and not predicted and not n_refused, n_empty_reviewers=lists.count([]))
    counts |= nonzero(n_negative=min(scores.precision.value or 0.0, scores.recall.value or 0.0) < 0)
    counts |= count_truncated([*predicted, *(text for texts in lists for text in texts)], options)
    inputs = [lists, predicted, *([n_refused] if n_refused else ())]
    return entry("soft", system, values, inputs, vector_versions(source), **counts)


def need_words(items: list[Item], path: str) -> list[Item]:
    """Check that all reference items have words, and return them; one without words would always score 0."""
    for place, item in enumerate(items, 1):
        if not any(map(str.isalnum, item.text)):
            raise InputFault(f'"{path}": item {place} has no word', kind="invalid-key")
    return items


def refuse_twins(items: list[Item], path: str) -> list[Item]:
    """Check that the ids of a list are unique, and return the items; duplicates would count twice."""
    named = Counter(item.id for item in items if item.id is not None)
    if twice := next((name for name, count in named.items() if count > 1), None):
        raise InputFault(f'"{path}" has a duplicate "{twice}"', kind="invalid-key")
    return items


def vector_versions(source: Source) -> Record:
    """Versions of the embedder and the library, for the signature."""
    return {"embedder": embedder(source).name, "library": library("numpy")}


METRICS = {
    "soft": Metric(
        "weaknesses, one list for each reviewer or each with its review, generated.weaknesses (or {reference}, "
        "{candidate})",
        "S-Precision, S-Recall, S-F1; ITF-IDF over the whole input with {summary} ({empty})",
        values_in(COSINE, "precision", "recall") | values_in(SHARE, "f1"),
        lambda record: holds(record, "weaknesses") and holds(record, GENERATED_WEAKNESSES),
        soft_scores,
        ("reference", "candidate", "embedder", "itf_idf_threshold", "itf_idf_items", "empty", "people"),
        (GENERATED_WEAKNESSES,),
    ),
}
