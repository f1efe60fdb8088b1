"""Decode the labels of sentences from headings, boilerplate and the scores of the network.

1. The network of ``network.py`` scores each sentence of a text for each label.
2. Headings in the text, if they name at least two facets, restrict the sentences under them to the facets they name.
   Boilerplate sentences are restricted to ``other``, and in physics and mathematics sentences with phrases of
   ``exact_sciences.py`` to the labels of these.
3. The best path (Viterbi) is found under the scores, the restrictions and the transition scores between labels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, chain, groupby, islice, pairwise
from typing import TYPE_CHECKING

from scholartools.tasks.facets.exact_sciences import restrict_sentences
from scholartools.tasks.facets.facet_sets import LABELS
from scholartools.tasks.facets.features import assemble_features
from scholartools.tasks.facets.headings import (
    ANY,
    OTHER,
    Allowed,
    Sentence,
    Span,
    find_headings,
    is_broken,
    label_under_headings,
)
from scholartools.tasks.facets.network import by_length, packaged_model, score_sentences
from scholartools.tasks.facets.phrases import CERTAINLY_CONCLUSION, CERTAINLY_OTHER
from scholartools.text.sentences import spans

if TYPE_CHECKING:
    import numpy as np


# Cues that determine the label of a sentence, and the labels.
_CERTAIN: dict[int, Allowed] = {CERTAINLY_OTHER: OTHER, CERTAINLY_CONCLUSION: (LABELS.index("conclusion"),)}
# Texts with more sentences are decoded in blocks.
_LONG = 2000
# Lower than any sum of scores of a text that fits in memory.
_FORBIDDEN = -(10**15)


def label_sentences(texts: Sequence[str]) -> list[list[Sentence]]:
    """Label and offsets (``text[start:end]``) of each sentence of each text, in order.

    The sentences cover everything but whitespace. A heading starts a sentence and belongs to the sentence it heads.
    """
    divided = [_split_sentences(text) for text in texts]
    words = [[text[start:end] for start, end in places] for text, (places, _) in zip(texts, divided)]
    paths = decode_labels(words, [under for _, under in divided])
    return [[(label, *place) for label, place in zip(path, places)] for path, (places, _) in zip(paths, divided)]


def decode_labels(texts: Sequence[Sequence[str]], under: Sequence[Sequence[Allowed]] | None = None) -> list[list[str]]:
    """Labels of the sentences of each text; ``under``: the labels that the heading above each sentence allows.

    Labelling many texts at once is faster than one by one, with the same results.
    """
    if not any(texts):
        return [[] for _ in texts]
    written = [text for text in texts if text]
    known = assemble_features(written)
    allowed = list(chain.from_iterable(under or [[ANY] * len(text) for text in texts]))
    for place, cues in known.certain.items():
        certain = next(allowed for cue, allowed in _CERTAIN.items() if cue in cues)
        if certain == OTHER or certain[0] in allowed[place]:
            allowed[place] = certain
    allowed = [own if own != ANY else said for own, said in zip(allowed, restrict_sentences(written, known))]
    path = iter(_best_paths(_restrict_scores(score_sentences(known), allowed), known.counts))
    return [[LABELS[best] for best in islice(path, len(text))] for text in texts]


def _split_sentences(text: str) -> tuple[list[Span], list[Allowed]]:
    """Sentence offsets of a text, and the labels that the heading above each sentence allows."""
    headings = find_headings(text)
    places = is_broken(text, spans(text), [start for start, _ in headings])
    return places, label_under_headings(places, headings)


# The best path


def _restrict_scores(scores: np.ndarray, allowed: Sequence[Allowed]) -> np.ndarray:
    """Set the scores of disallowed labels to an unreachable value."""
    import numpy as np

    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(allowed))}
    may = np.array([[label in kind for label in ANY] for kind in kinds])
    return np.where(may[[kinds[kind] for kind in allowed]], scores, _FORBIDDEN)


def _best_paths(scores: np.ndarray, counts: Sequence[int]) -> list[int]:
    """Labels of each text with the highest sum of scores and transitions.

    Ties are resolved by the smaller label index at the last position of difference.

    Args:
        scores: scores of the sentences of all texts, concatenated; ``counts``: sentences per text, at least one.
    """
    parts: list[list[int]] = []
    first = 0
    for is_long, group in groupby(counts, lambda count: count > _LONG):
        sizes = [*group]
        last = first + sum(sizes)
        if is_long:
            ends = accumulate(sizes, initial=first)
            parts += (_best_path_in_blocks(scores[start:end]) for start, end in pairwise(ends))
        else:
            parts.append(_best_paths_beside(scores[first:last], sizes))
        first = last
    return [*chain.from_iterable(parts)]


def _best_paths_beside(scores: np.ndarray, counts: Sequence[int]) -> list[int]:
    """Viterbi on all texts in parallel, sentence by sentence."""
    import numpy as np

    weights = packaged_model()
    sizes = np.array(counts)
    order, present = by_length(sizes)
    first = (sizes.cumsum() - sizes)[order]
    totals = weights.start + scores[first]
    steps = []
    for place, count in enumerate(present[1:], 1):
        reached = totals[:count, None] + weights.into
        steps.append(reached.argmax(axis=2))
        totals[:count] = reached.max(axis=2) + scores[first[:count] + place]
    best = (totals + weights.stop).argmax(axis=1)
    paths = np.empty(len(scores), dtype=np.intp)
    for place, count in reversed([*enumerate(present)]):
        if place + 1 < len(present):
            going_on = present[place + 1]
            best[:going_on] = steps[place][np.arange(going_on), best[:going_on]]
        paths[first[:count] + place] = best[:count]
    return paths.tolist()


def _best_path_in_blocks(scores: np.ndarray) -> list[int]:
    """Viterbi on one long text, vectorised over blocks of about the square root of its length.

    First computes the best sums between all pairs of labels across each block, and from these the sums entering each
    block.
    """
    import numpy as np

    into, count = packaged_model().into, len(scores)
    size = math.isqrt(count - 1)
    end = 1 + (count - 1) // size * size
    blocks = np.moveaxis(scores[1:end].reshape(-1, size, len(into)), 0, 2).copy()
    # Best sum for each pair of entering and current label, in each block.
    through = into[:, :, None] + blocks[0][:, None]
    for place in range(1, size):
        through = (into[:, :, None, None] + through).max(axis=1) + blocks[place][:, None]
    totals = np.empty((count, len(into)), np.int64)
    totals[0] = packaged_model().start + scores[0]
    inside = totals[1:end].reshape(-1, size, len(into))
    reaching = np.empty((len(into), blocks.shape[2]), np.int64)
    best = totals[0]
    for number in range(blocks.shape[2]):
        reaching[:, number] = best
        best = (through[:, :, number] + best).max(axis=1)
    for place in range(size):
        reaching = (into[:, :, None] + reaching).max(axis=1) + blocks[place]
        inside[:, place] = reaching.T
    for place in range(end, count):
        totals[place] = (into + totals[place - 1]).max(axis=1) + scores[place]
    steps = (totals[:-1, None] + into).argmax(axis=2)
    last = int((totals[-1] + packaged_model().stop).argmax())
    return [*accumulate(reversed(steps.tolist()), lambda label, step: step[label], initial=last)][::-1]
