"""Rate facets without a model: thresholds on word overlap and embedding similarity. A weak baseline.

Similarity does not distinguish contradiction from agreement, so contradictory facets get high ratings, and 1 is only
given to facets that the candidate lacks. ``make bench-ratings`` evaluates it on ``fixtures/facet-pairs.jsonl``; the
thresholds were tuned on one half of these. Ratings of others are not replaced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.metrics.texts import overlap
from scholartools.metrics.vectors import cosine
from scholartools.records import Record, add_provenance, nonzero, read
from scholartools.tasks.judge.entries import (
    COMMAND,
    Sampled,
    heading,
    with_judgements,
)
from scholartools.tasks.judge.facet_ratings.prompted import Pair, judgement, pairs_of
from scholartools.tasks.shared.items import tell_missing_summaries
from scholartools.text.embeddings.cached import embedder as embedder_of
from scholartools.text.embeddings.cached import n_truncated

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_BROAD, _DETAILED = (0.37,), (0.3, 0.59)
#: Minimum similarity of each rating above 2, tuned with the default embedder for exact agreement on one half of the
#: fixture (the median of equally good thresholds).
THRESHOLDS: dict[str, tuple[float, ...]] = {
    "background": _BROAD, "method": _DETAILED, "result": _DETAILED, "conclusion": _BROAD,
}  # fmt: skip


def facets_builtin(
    record: Record, *, embedder: str | None = None, reference: str | None = None, candidate: str | None = None
) -> Record:
    """Add an entry for each candidate under ``judgements.facets`` to a copy of the record, with the similarities.

    Args:
        embedder: a name supported by :func:`scholartools.text.embeddings.sentence.embedder`.
        reference: dotted path of custom facets of the reference; by default the abstract's in ``facets``.
        candidate: dotted path of custom facets of the candidates; by default those of ``summaries``.

    Raises:
        InputFault: a side has no facets, several sets for one text, or stale ones; a facet of the reference has no
            words; or a system has ratings by another judge.
        UsageFault: there is no such embedder.
    """
    pairs = pairs_of(record, reference, candidate)
    _spare_others(record, {pair.system for pair in pairs})
    entries = [
        {**heading(system, reference, candidate, "builtin"), **_entry(pairs, system, embedder)}
        for system in dict.fromkeys(pair.system for pair in pairs)
    ]
    made = with_judgements(record, "facets", entries)
    if candidate is None:
        tell_missing_summaries(made, COMMAND, "facets")
    options = {"embedder": embedder_of(embedder).name, "thresholds": [*_BROAD, *_DETAILED]}
    inputs = [list(pair) for pair in pairs]
    add_provenance(made, COMMAND, "facets", method="builtin", options=options, input=inputs)
    return made


def similarity(reference: str, candidate: str, embedder: str | None = None) -> float:
    """Mean of word recall (0..1; ROUGE-1 for any script) and cosine of the embeddings (-1..1)."""
    first, second = embedder_of(embedder).vectors([reference, candidate])
    words = [Counter(overlap.plain_words(text)) for text in (reference, candidate)]
    return (overlap.recall(*words) + cosine(first, second)) / 2


def rating(similarity: float, thresholds: Sequence[float]) -> int:
    """Rating from 2 to the maximum of the scale, by thresholds; 1 is reserved for missing facets."""
    return 2 + sum(similarity >= threshold for threshold in thresholds)


def _spare_others(record: PaperRecord, systems: set[str]) -> None:
    for earlier in (read(record, "judgements") or {}).get("facets") or ():
        by = earlier.get("by")
        if earlier["system"] in systems and by != "builtin":
            who = f'by "{by}"' if by else "by an unnamed rater"
            reason = f'the facets of "{earlier["system"]}" are rated {who}: the built-in method does not replace that'
            raise InputFault(reason, kind="rated")


def _entry(pairs: list[Pair], system: str, embedder: str | None) -> Record:
    own = [pair for pair in pairs if pair.system == system]
    for pair in own:
        if pair.is_comparable and not overlap.plain_words(pair.reference or ""):
            raise InputFault(f"the {pair.facet} of the reference has no words to compare", kind="no-words")
    found = {
        pair.facet: similarity(pair.reference or "", pair.candidate or "", embedder)
        for pair in own
        if pair.is_comparable
    }
    ratings = [rating(found[pair.facet], THRESHOLDS[pair.facet]) if pair.is_comparable else None for pair in own]
    rated = [None if one is None else Sampled(one, [one], None) for one in ratings]
    read_in_part = nonzero(
        n_cut=n_truncated([text or "" for pair in own if pair.is_comparable for text in pair[2:]], embedder)
    )
    return {**judgement(own, rated), "similarity": found, **read_in_part}
