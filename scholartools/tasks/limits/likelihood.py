"""Classify sentences as limitations of the paper by logistic regression.

The features of a sentence are words, bigrams, word classes (:data:`KINDS`), classes among the first words, and pairs of
classes within a few words. The weights, log odds in thousandths, are in ``models/limits.json``;
``tools/train_limits.py`` names the training data. Sums of integers are identical on any machine.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import scholartools
from scholartools.text.words import read_words

PATH = Path(scholartools.__file__).parent / "models" / "limits.json"

#: Word classes and their words (``words/limits.tsv``); a star matches any ending.
KINDS: dict[str, str] = {kind: words for kind, words in read_words("limits")}

#: Number of first words, and maximum distance of a pair of classes.
FIRST, NEAR = 4, 6

_TOKEN = re.compile(
    r"(?i)(?P<cite>\[[@\d][^\]]*\]|\([^()]*\b\d{4}[^()]*\))|(?P<not>n?['\u2019]t\b)|can(?=['\u2019]t\b)"
    r"|[a-z]+(?=n['\u2019]t\b)|[a-z]+"
    r"|(?P<number>\d+(?:\.\d+)?)|[,;:]"
)
_OF_KIND = {kind: re.compile("|".join(words.split()).replace("*", "[a-z]*")) for kind, words in KINDS.items()}


class Model(NamedTuple):
    """Contents of the weights file: version, bias, and weights by feature."""

    version: str
    bias: int
    weights: dict[str, int]


class Feature(NamedTuple):
    """A feature of a sentence, at the offsets ``start`` to ``end``."""

    name: str
    start: int
    end: int


@functools.cache
def packaged_model() -> Model:
    """The packaged model, loaded once per process."""
    return load_model(PATH.read_bytes())


def load_model(data: bytes) -> Model:
    """Load a model from the bytes of a weights file."""
    written = json.loads(data)
    return Model(hashlib.sha256(data).hexdigest()[:12], written["bias"], written["weights"])


def limitation_log_odds(sentence: str) -> int:
    """The log odds that a sentence states a limitation, in thousandths."""
    model = packaged_model()
    return model.bias + sum(model.weights.get(name, 0) for name in {one.name for one in sentence_features(sentence)})


def telling_words(sentence: str) -> str:
    """The words of a sentence with the highest weight for a limitation."""
    weights = packaged_model().weights
    most = max(sentence_features(sentence), key=lambda one: weights.get(one.name, 0), default=Feature("", 0, 0))
    return sentence[most.start : most.end]


def sentence_features(sentence: str) -> Iterator[Feature]:
    """Features of a sentence in order, with repetitions."""
    words = [(_word_of(token), token.start(), token.end()) for token in _TOKEN.finditer(sentence)]
    kinds = [_kinds_of(word) for word, _, _ in words]
    for place, (word, start, end) in enumerate(words):
        yield Feature(word, start, end)
        for after, _, last in words[place + 1 : place + 2]:
            yield Feature(f"{word} {after}", start, last)
        near = slice(place + 1, place + 1 + NEAR)
        for kind in kinds[place]:
            yield Feature(f"<{kind}>", start, end)
            if place < FIRST:
                yield Feature(f"^<{kind}>", start, end)
            for (_, _, last), others in zip(words[near], kinds[near]):
                yield from (Feature(f"<{kind}> <{other}>", start, last) for other in others if other != kind)


def _word_of(token: re.Match[str]) -> str:
    """Normalise a token: all citations, numbers and negations are each mapped to one word."""
    return {"cite": "cite", "not": "not", "number": "0"}.get(token.lastgroup or "") or token.group().lower()


@functools.lru_cache(maxsize=50_000)
def _kinds_of(word: str) -> tuple[str, ...]:
    return tuple(kind for kind, words in _OF_KIND.items() if words.fullmatch(word))
