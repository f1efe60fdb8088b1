"""Overlap of words and characters between a reference and a candidate text. All values lie in 0..1.

Empty texts: if the reference is empty, all values are None; if only the candidate is empty, all values are 0 except
precision, which is undefined. "Empty" means without words for metrics of words, without characters for metrics of
characters. (ROUGE precision is 0 there, as in the rouge-score package.)
"""

from __future__ import annotations

import functools
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from scholartools.errors import InputFault, UsageFault
from scholartools.metrics.texts.edits import edit_distance, n_in_common, too_long
from scholartools.metrics.values import PRF, Value, harmonic, undefined_prf

ROUGE = ("rouge1", "rouge2", "rougeL")
BLEU_ORDER = 4

NO_REFERENCE_WORDS = "the reference has no words"
NO_LONG_REFERENCE_WORDS = "the reference has no word of two characters or more"
NO_CANDIDATE_WORDS = "the candidate has no words"
NO_REFERENCE = "the reference is empty"

_WORD = re.compile(r"\w+")
_VECTOR_WORD = re.compile(r"\b\w\w+\b")


class Overlap(NamedTuple):
    """Precision, recall and F1 in 0..1 as in rouge-score: 0 if the texts share nothing."""

    precision: float
    recall: float
    f1: float


class RougeWords(NamedTuple):
    """Words of a text in order, with the counts of unigrams and bigrams."""

    tokens: list[str]
    single: Counter[tuple[str, ...]]
    pairs: Counter[tuple[str, ...]]


class Rouge:
    """ROUGE-1, ROUGE-2 and ROUGE-L as in the rouge-score package (Lin 2004), by default without stemming.

    Tokens and stems are from the package. Its table for the longest common subsequence has a cell for each pair of
    words: 36 s and 0.9 GB for two texts of 10,000 words; :func:`n_in_common` needs 13 ms. Short texts are tokenized
    once and cached, since texts of lists occur in many pairs.
    """

    def __init__(self, *, stemmer: bool = False) -> None:
        stem = _porter_stemmer() if stemmer else None
        self._tokenize = functools.partial(_tokenizer(), stemmer=stem)
        self._count_short = functools.lru_cache(maxsize=_N_KEPT)(self._count)

    def __call__(self, reference: str, candidate: str) -> dict[str, Overlap] | None:
        """Scores by name; None if the reference has no words, so that recall is undefined.

        Raises:
            InputFault: the texts are too long, see :func:`too_long`.
        """
        wanted, given = self._take_apart(reference), self._take_apart(candidate)
        if not wanted.tokens:
            return None
        if (reason := too_long(wanted.tokens, given.tokens)) is not None:
            raise InputFault(f"ROUGE-L: {reason}", kind="too-many")
        lengths = len(wanted.tokens), len(given.tokens)
        return {
            "rouge1": _rouge_scores(_n_shared(wanted.single, given.single), *lengths),
            "rouge2": _rouge_scores(_n_shared(wanted.pairs, given.pairs), *(max(n - 1, 0) for n in lengths)),
            "rougeL": _rouge_scores(n_in_common(wanted.tokens, given.tokens), *lengths),
        }

    def _take_apart(self, text: str) -> RougeWords:
        return self._count_short(text) if len(text) <= _LONGEST_KEPT else self._count(text)

    def _count(self, text: str) -> RougeWords:
        tokens = self._tokenize(text)
        return RougeWords(tokens, ngrams(tokens, 1), ngrams(tokens, 2))


# Size of the cache of recent texts: under 100 MB.
_N_KEPT = 2048
_LONGEST_KEPT = 2000


def _n_shared(one: Counter, other: Counter) -> int:
    """Number of n-grams that two texts share, with multiplicity."""
    fewer, more = sorted((one, other), key=len)
    return sum(min(count, more[ngram]) for ngram, count in fewer.items() if ngram in more)


def _rouge_scores(n_shared: int, n_reference: int, n_candidate: int) -> Overlap:
    """Scores from numbers of n-grams; 0 if a text has none."""
    precision, share = n_shared / max(n_candidate, 1), n_shared / max(n_reference, 1)
    return Overlap(precision, share, 2 * precision * share / (precision + share) if n_shared else 0.0)


def _tokenizer() -> Callable[..., list[str]]:
    from rouge_score.tokenize import tokenize

    return tokenize


@functools.cache
def _porter_stemmer() -> Any:
    """Porter stemmer of nltk, as used by rouge-score, with a cache.

    Importing all of nltk would import scipy and scikit-learn, one second of processor time. During the import, its two
    packages are replaced by empty modules with the same search paths; afterwards they can be imported as usual.
    """
    from importlib.util import find_spec

    spec = None if "nltk" in sys.modules else find_spec("nltk")
    places = (spec and spec.submodule_search_locations) or []
    folders = {"nltk": places, "nltk.stem": [f"{place}/stem" for place in places]} if places else {}
    for name, path in folders.items():
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = path
    try:
        from rouge_score.tokenizers import porter
    finally:
        for name in folders:
            del sys.modules[name]

    class Stemmer:
        """Stemmer with a cache."""

        stem = staticmethod(functools.lru_cache(maxsize=65_536)(porter.PorterStemmer().stem))

    return Stemmer


class SacreBleu:
    """Sentence BLEU as sacrebleu computes it (Post 2018): case kept, 13a tokens, smoothed, effective order.

    Attributes:
        signature: sacrebleu's own, which names its version and every setting.

    Raises:
        UsageFault: the sacrebleu package is not installed.
    """

    def __init__(self) -> None:
        try:
            from sacrebleu.metrics import BLEU
        except ImportError:
            raise UsageFault("sacrebleu is not installed: pip install sacrebleu") from None
        self._bleu = BLEU(effective_order=True)
        self._bleu.sentence_score("a", ["a"])  # the signature tells the number of references, known after a first use
        self.signature = str(self._bleu.get_signature())

    def __call__(self, reference: str, candidate: str) -> Value:
        """The score / 100: 0..1, where sacrebleu prints 0..100."""
        if not reference.strip():
            return Value(None, NO_REFERENCE)
        # Rounding leaves a text against itself at 100.00000000000004 there.
        return Value(min(self._bleu.sentence_score(candidate, [reference]).score / 100, 1.0))


def words(text: str) -> list[str]:
    """Words counted by ROUGE: lower-cased runs of a-z and 0-9, unstemmed (tokenizer of rouge-score)."""
    return _tokenizer()(text, None)


def plain_words(text: str) -> list[str]:
    r"""Words of all other metrics here: runs of ``\w`` in the lower-cased text, in any script."""
    return _WORD.findall(text.lower())


def vector_words(text: str) -> list[str]:
    """Words counted by default by scikit-learn's CountVectorizer: plain words of two or more characters."""
    return _VECTOR_WORD.findall(text.lower())


def ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """n-grams of a list of words, with their counts."""
    return Counter(zip(*(tokens[i:] for i in range(n))))


def recall(reference: Counter, candidate: Counter) -> float:
    """Share of the reference's n-grams (with multiplicity) that are in the candidate; 0 for an empty reference."""
    total = reference.total()
    return (reference & candidate).total() / total if total else 0.0


def token_overlap(reference: str, candidate: str) -> PRF:
    """Precision, recall and F1 of plain words with multiplicity (BAGELS, section 3.3)."""
    wanted, given = Counter(plain_words(reference)), Counter(plain_words(candidate))
    if not wanted:
        return undefined_prf(NO_REFERENCE_WORDS)
    if not given:
        return PRF(Value(None, NO_CANDIDATE_WORDS), Value(0.0), Value(0.0))
    precision, share = recall(given, wanted), recall(wanted, given)
    return PRF(Value(precision), Value(share), Value(harmonic(precision, share)))


def bleu(reference: str, candidate: str) -> Value:
    """Sentence BLEU of plain words against one reference, unsmoothed (Papineni et al. 2002, section 2.3).

    ``BP * exp(mean of ln p_n for n = 1..4)``, where p_n is the clipped n-gram precision; BP is 1 for a candidate longer
    than the reference, else exp(1 - r/c) of their lengths in words. It is 0 if any p_n is 0, and thus for every
    candidate of fewer than four words.
    """
    wanted, given = plain_words(reference), plain_words(candidate)
    if not wanted:
        return Value(None, NO_REFERENCE_WORDS)
    precisions = [recall(ngrams(given, n), ngrams(wanted, n)) for n in range(1, BLEU_ORDER + 1)]
    if not all(precisions):
        return Value(0.0)
    brevity = min(0.0, 1 - len(wanted) / len(given))
    return Value(math.exp(brevity + sum(map(math.log, precisions)) / BLEU_ORDER))


def count_cosine(reference: str, candidate: str) -> Value:
    """Cosine of the two texts' word counts, over scikit-learn's words (see vector_words).

    Equal to CountVectorizer and cosine_similarity with their defaults: words of one character do not count.
    """
    wanted, given = Counter(vector_words(reference)), Counter(vector_words(candidate))
    return cosine_of_counts(wanted, given) if wanted else Value(None, NO_LONG_REFERENCE_WORDS)


def cosine_of_counts(reference: Counter[str], candidate: Counter[str]) -> Value:
    """Cosine of two count vectors; 0 if only the candidate is empty."""
    if not reference:
        return Value(None, NO_REFERENCE_WORDS)
    if not candidate:
        return Value(0.0)
    dot = sum(count * candidate[word] for word, count in reference.items())
    lengths = [sum(count * count for count in counts.values()) for counts in (reference, candidate)]
    return Value(dot / math.sqrt(lengths[0] * lengths[1]))


def jaccard(reference: str, candidate: str) -> Value:
    """Jaccard index of the two sets of plain words: shared / all."""
    wanted, given = set(plain_words(reference)), set(plain_words(candidate))
    if not wanted:
        return Value(None, NO_REFERENCE_WORDS)
    return Value(len(wanted & given) / len(wanted | given))


def fuzzy_ratio(reference: str, candidate: str) -> Value:
    """``rapidfuzz.fuzz.ratio`` / 100: 1 - (insertions + deletions) / (sum of the lengths), in characters.

    The texts are compared unchanged, including case, punctuation and spaces.
    """
    if not reference:
        return Value(None, NO_REFERENCE)
    if (reason := too_long(reference, candidate)) is not None:
        return Value(None, reason)
    total = len(reference) + len(candidate)
    # Same order of operations as in rapidfuzz, for an identical floating-point result.
    return Value((1.0 - (total - 2 * n_in_common(reference, candidate)) / total) * 100 / 100)


def edit_similarity(reference: str, candidate: str) -> Value:
    """1 - Levenshtein distance / length of the longer text, in characters of the unchanged texts."""
    if not reference:
        return Value(None, NO_REFERENCE)
    if (reason := too_long(reference, candidate)) is not None:
        return Value(None, reason)
    return Value(1 - edit_distance(reference, candidate) / max(len(reference), len(candidate)))
