"""Keyword overlap of two texts (BAGELS, appendix A.2, B), with keywords as KeyBERT finds them (Grootendorst 2020)."""

from __future__ import annotations

import functools
import math
import re
import runpy
from collections.abc import Callable, Collection, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from scholartools.metrics.values import Value
from scholartools.metrics.vectors import similarities

if TYPE_CHECKING:
    from numpy import ndarray

_WORD = re.compile(r"\b\w\w+\b")

TOP = 5
MAX_WORDS = 2


def keywords(
    text: str, vectors: Callable[[Sequence[str]], ndarray], top: int = TOP, max_words: int = MAX_WORDS
) -> list[str]:
    """Candidates most similar to the whole text, best first; ties are in alphabetical order.

    Candidates are the lower-cased words of two or more characters without English stop words, and sequences of up to
    ``max_words`` of them (possibly across a stop word), as from scikit-learn's CountVectorizer in KeyBERT, whose own
    default is single words.

    Args:
        text: any text; without candidates there are no keywords.
        vectors: returns the embeddings (n, d) of n texts.
        top: maximum number of keywords.
        max_words: maximum number of words per keyword.
    """
    import numpy as np

    found = _candidate_phrases(text, max_words)
    if not found:
        return []
    embedded = vectors([text, *found])
    fit = similarities(embedded[:1], embedded[1:])[0].astype(np.float32)
    ranked = sorted(zip((-fit).tolist(), found))
    return [keyword for _, keyword in ranked[:top]]


def keyword_overlap(reference: Collection[str], candidate: Collection[str]) -> dict[str, Value]:
    """``jaccard``, shared / all, and ``cosine``, shared / sqrt(n_reference * n_candidate), of two sets of keywords.

    The cosine is that of the 0/1 vectors. Both are None if the reference has no keywords, 0 if only the candidate has
    none.
    """
    wanted, given = set(reference), set(candidate)
    if not wanted:
        return dict.fromkeys(("jaccard", "cosine"), Value(None, "the reference has no keywords"))
    shared = len(wanted & given)
    cosine = shared / math.sqrt(len(wanted) * len(given)) if given else 0.0
    return {"jaccard": Value(shared / len(wanted | given)), "cosine": Value(cosine)}


def _candidate_phrases(text: str, max_words: int) -> list[str]:
    words = [word for word in _WORD.findall(text.lower()) if word not in _stop_words()]
    sizes = range(1, max_words + 1)
    return sorted({" ".join(words[start : start + size]) for size in sizes for start in range(len(words) - size + 1)})


@functools.cache
def _stop_words() -> frozenset[str]:
    """Stop words of scikit-learn, read from its file alone: `st-score text` then takes 0.63 s of processor time, not
    1.51 s.

    If the file does not exist in the installed version, the list is imported.
    """
    package = find_spec("sklearn")
    path = Path(str(package and package.origin)).parent / "feature_extraction" / "_stop_words.py"
    if path.exists():
        return runpy.run_path(str(path))["ENGLISH_STOP_WORDS"]
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return ENGLISH_STOP_WORDS
