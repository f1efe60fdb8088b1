"""The built-in labels of sentences: headings, boilerplate, and the best path through the scores of the network.

1. The network of ``network.py`` scores each sentence of a text for each label.
2. Headings in the text, where they name at least two facets, restrict the sentences under them to the facets they name.
   Sentences that are certainly no part of the argument are restricted to ``other``, and in physics and mathematics
   those with phrases of ``exact_sciences.py`` to what these say.
3. The labels are the best path (Viterbi) under the scores, the restrictions and the scores of one label after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
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


# The cues that leave a sentence one label, and which.
_CERTAIN: dict[int, Allowed] = {CERTAINLY_OTHER: OTHER, CERTAINLY_CONCLUSION: (LABELS.index("conclusion"),)}
# Below any sum of scores a text of a size that fits in memory can have.
_FORBIDDEN = -(10**15)


def label_sentences(texts: Sequence[str]) -> list[list[Sentence]]:
    """Of each text each sentence's label (one of LABELS) and its offsets ``text[start:end]``, in order.

    Everything but whitespace is covered. A heading begins a sentence, and is in the sentence it heads.
    """
    divided = [_split_sentences(text) for text in texts]
    words = [[text[start:end] for start, end in places] for text, (places, _) in zip(texts, divided)]
    paths = decode_labels(words, [under for _, under in divided])
    return [[(label, *place) for label, place in zip(path, places)] for path, (places, _) in zip(paths, divided)]


def decode_labels(texts: Sequence[Sequence[str]], under: Sequence[Sequence[Allowed]] | None = None) -> list[list[str]]:
    """Of each text the label of each of its sentences; ``under``: the labels that the heading above each allows.

    Many texts at once take less time than one after another; the labels are the same.
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
    """Where the sentences of a text are, and which labels the heading above each allows."""
    headings = find_headings(text)
    places = is_broken(text, spans(text), [start for start, _ in headings])
    return places, label_under_headings(places, headings)


# Headings


# The best path


def _restrict_scores(scores: np.ndarray, allowed: Sequence[Allowed]) -> np.ndarray:
    """The scores, with those of labels that a sentence may not have out of reach."""
    import numpy as np

    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(allowed))}
    may = np.array([[label in kind for label in ANY] for kind in kinds])
    return np.where(may[[kinds[kind] for kind in allowed]], scores, _FORBIDDEN)


def _best_paths(scores: np.ndarray, counts: Sequence[int]) -> list[int]:
    """Viterbi in all texts at once: the labels of each with the highest sum of scores and transitions.

    Of equal paths it is the first one, by the last label in which they differ.

    Args:
        scores: of the sentences, one text's after another's; ``counts``: how many each text has, at least one.
    """
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
