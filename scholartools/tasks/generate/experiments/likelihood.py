"""Classify sentences before the experiments as leaks, by logistic regression.

Two models in ``models/leaks.json`` give log odds in thousandths (``tools/train_leaks.py`` describes the training):

- ``zone``: whether a sentence resembles those in sections on experiments, from unigrams and bigrams; trained on the
  position of sentences in papers.
- leak: from unigrams, bigrams, the first words, the kind of cue (:mod:`cues`), cues of neighbours, the share of cues in
  section and paper, the role of the section and the position in it, the ``zone`` values of the sentence, its neighbours
  and section, and the overlap with the text from the first experiment on; trained on labelled sentences.

Sums of integers are identical on any machine.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import scholartools
from scholartools.tasks.generate.experiments.cues import OPENING

PATH = Path(scholartools.__file__).parent / "models" / "leaks.json"

# Number of first words of a sentence, and of position bins of a section.
_FIRST, _PARTS = 5, 5
# Features with ``zone`` values.
ZONES = ("<zone>", "<zone before>", "<zone after>", "<zone section>")
# Further numerical features, in thousandths: overlap of a sentence with the text from the first experiment on, and
# shares of sentences with a cue in the paper, in the section and nearby.
LATER = ("<later words>", "<later more>", "<later pairs>", "<later triples>", "<later numbers>", "<later names>")
CUED = ("<cues paper>", "<cues section>", "<cues near>", "<paper sections>")
# Maximum absolute value of ``zone``.
_MOST = 6000
# Minimum letters of words that are compared with the later text, and the maximum of counted numbers and names.
_LETTERS, _SAID = 4, 3
# Sentences without a cue that are added to those of a paper and a section, to smooth shares of small counts.
_ADDED_PAPER, _ADDED_SECTION = 20, 2
# Number of sentences on each side that count as near.
_NEAR = 3
#: Thresholds of removal.
PRECISE, WIDE = "precise", "wide"
# Minimum sentences of sections that are removed as a whole, and roles of sections that never are.
_FEWEST = 3
_IN_PARTS = (*OPENING, "related", "background")

_TOKEN = re.compile(
    r"(?P<math>\$[^$]*\$)"
    r"|(?P<cite>\[[^\]\[\d]*\d[^\]\[]*+\]|\((?=[^()]*+\))[^()]*?\b(?:19|20)\d\d[a-z]?\b[^()]*\)"
    r"|\bet al\.?(?: \(\d{4}[a-z]?\))?)"
    r"|(?P<number>\d+(?P<decimals>[.,]\d+)*)|%|[A-Za-z]+|[;:?]"
)
_NUMBER = re.compile(r"\d[\d,.]*\d")
# Words with an inner capital or digit: data sets, methods, measures.
_NAME = re.compile(r"\b[A-Z](?:[a-z_-]*[A-Z\d])[\w-]*")
_SHORT_NUMBER = re.compile(r"\$\D{0,6}\d[\d.,]{0,8}\s*(?:\\?%|\\times)?\s*\$")


class Model(NamedTuple):
    """Contents of the weights file: version, thresholds of the log odds, and weights by feature."""

    version: str
    thresholds: dict[str, int]
    bias: int
    weights: dict[str, int]
    zone_bias: int
    zone: dict[str, int]


class Seen(NamedTuple):
    """Input of the classifier: text of a sentence, its section and the role of that, and the kind of its cue."""

    text: str
    place: str
    role: str
    cue: str | None


@functools.cache
def packaged_model() -> Model:
    """The packaged model, loaded once per process."""
    return load_model(PATH.read_bytes())


def load_model(data: bytes) -> Model:
    """Load a model from the bytes of a weights file."""
    written = json.loads(data)
    version = hashlib.sha256(data).hexdigest()[:12]
    zone = written["zone"]
    return Model(version, written["thresholds"], written["bias"], written["weights"], zone["bias"], zone["weights"])


def find_likely(seen: Sequence[Seen], later: str, removal: str) -> list[bool]:
    """Classify the sentences before the experiments as leaks, in order.

    Args:
        seen: the sentences.
        later: the text from the first experiment on.
        removal: threshold: "precise", or "wide", which also removes whole sections.
    """
    model = packaged_model()
    likely = [odds >= model.thresholds[removal] for odds in leak_log_odds(seen, later, model)]
    return fill_sections(seen, likely) if removal == WIDE else likely


def fill_sections(seen: Sequence[Seen], likely: Sequence[bool]) -> list[bool]:
    """Extend the removal to all sentences of a section if at least half of them leak.

    Sections on the topic of the paper and on other work are excluded.
    """
    sizes = Counter(one.place for one in seen)
    taken = Counter(one.place for one, leaks in zip(seen, likely, strict=True) if leaks)
    whole = {place for place, size in sizes.items() if size >= _FEWEST and 2 * taken[place] >= size}
    return [
        leaks or (one.place in whole and one.role not in _IN_PARTS) for one, leaks in zip(seen, likely, strict=True)
    ]


def leak_log_odds(seen: Sequence[Seen], later: str, model: Model) -> list[int]:
    """Log odds that each sentence leaks, in thousandths."""
    zone = [zone_log_odds(one.text, model) for one in seen]
    rows = zip(sentence_features(seen), sentence_values(seen, zone, later), strict=True)
    return [
        model.bias
        + sum(model.weights.get(name, 0) for name in held)
        + sum(model.weights.get(name, 0) * value for name, value in values.items()) // 1000
        for held, values in rows
    ]


def sentence_values(seen: Sequence[Seen], zone: Sequence[int], later: str) -> Iterator[dict[str, int]]:
    """Numerical features of each sentence, in thousandths."""
    places = [one.place for one in seen]
    rows = zip(zone_values(places, zone), _later_values(seen, later), _cued_values(seen), strict=True)
    for of_zone, of_later, of_cues in rows:
        yield dict(zip((*ZONES, *LATER, *CUED), (*of_zone, *of_later, *of_cues), strict=True))


def _later_values(seen: Sequence[Seen], later: str) -> Iterator[tuple[int, ...]]:
    """Shares of each sentence that occur in the later text: words, words more frequent there, bigrams, numbers, ..."""
    after, before = split_words(later), [split_words(one.text) for one in seen]
    count, own = Counter(after), Counter(word for words in before for word in words)
    n_after, n_own = len(after) + 1, own.total() + 1
    pairs, triples = set(zip(after, after[1:])), set(zip(after, after[1:], after[2:]))
    numbers, names = set(_NUMBER.findall(later)), set(_NAME.findall(later))
    for one, words in zip(seen, before, strict=True):
        long = [word for word in words if len(word) >= _LETTERS and word.isalpha()]
        yield (
            _share([word in count for word in long]),
            _share([count[word] * n_own > own[word] * n_after for word in long]),
            _share([pair in pairs for pair in zip(words, words[1:])]),
            _share([triple in triples for triple in zip(words, words[1:], words[2:])]),
            1000 * min(_SAID, len(numbers.intersection(_NUMBER.findall(one.text)))),
            1000 * min(_SAID, len(names.intersection(_NAME.findall(one.text)))),
        )


def _share(held: Sequence[bool]) -> int:
    return 1000 * sum(held) // max(1, len(held))


def _cued_values(seen: Sequence[Seen]) -> Iterator[tuple[int, ...]]:
    """Shares of sentences with a cue: in the paper, in the section, and nearby; and the number of sections."""
    sizes, cued = Counter(one.place for one in seen), Counter(one.place for one in seen if one.cue)
    paper = 1000 * cued.total() // (len(seen) + _ADDED_PAPER)
    for number, one in enumerate(seen):
        first = max(0, number - _NEAR)
        near = [
            1000 // abs(number - place)
            for place, other in enumerate(seen[first : number + _NEAR + 1], first)
            if place != number and other.cue and other.place == one.place
        ]
        section = 1000 * cued[one.place] // (sizes[one.place] + _ADDED_SECTION)
        yield paper, section, sum(near), min(1000, 50 * len(sizes))


def zone_log_odds(text: str, model: Model) -> int:
    """Log odds that a sentence is from a section on experiments, in thousandths, clipped to 6,000."""
    odds = model.zone_bias + sum(model.zone.get(name, 0) for name in zone_features(text))
    return max(-_MOST, min(_MOST, odds))


def zone_features(text: str) -> set[str]:
    """Unigrams and bigrams of a sentence."""
    return _words_and_pairs(split_words(text))


def _words_and_pairs(words: Sequence[str]) -> set[str]:
    return {*words, *(f"{word} {after}" for word, after in zip(words, words[1:]))}


def zone_values(places: Sequence[str], zone: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """``zone`` values of each sentence, its neighbours in the section, and the mean of the section.

    Missing neighbours have 0.
    """
    sums = {place: [0, 0] for place in places}
    for place, value in zip(places, zone, strict=True):
        sums[place][0] += value
        sums[place][1] += 1
    for number, (place, value) in enumerate(zip(places, zone, strict=True)):
        before = zone[number - 1] if number and places[number - 1] == place else 0
        after = zone[number + 1] if number + 1 < len(places) and places[number + 1] == place else 0
        yield value, before, after, sums[place][0] // sums[place][1]


def sentence_features(seen: Sequence[Seen]) -> Iterator[set[str]]:
    """Binary features of each sentence: unigrams, bigrams, first words, cues, role of the section, position in it."""
    sizes: dict[str, int] = {}
    for one in seen:
        sizes[one.place] = sizes.get(one.place, 0) + 1
    count: dict[str, int] = {}
    for before, one, after in zip([None, *seen], seen, [*seen[1:], None]):
        words = split_words(one.text)
        number = count[one.place] = count.get(one.place, 0) + 1
        part = min(_PARTS - 1, number * _PARTS // sizes[one.place])
        of_role = one.role if one.role in OPENING else "further"
        held = _words_and_pairs(words) | {f"^{word}" for word in words[:_FIRST]}
        held |= {f"<role {one.role}>", f"<part {of_role} {part}>"}
        held |= {"<cue>", f"<cue {one.cue}>", f"<cue {one.cue} {of_role}>"} if one.cue else set()
        held |= {"<cue before>"} if before and before.cue and before.place == one.place else set()
        yield held | ({"<cue after>"} if after and after.cue and after.place == one.place else set())


def split_words(text: str) -> list[str]:
    """Lower-case words of a text; formulas, citations, numbers and decimals are replaced by one token each."""
    return [_word_of(token) for token in _TOKEN.finditer(text)]


def _word_of(token: re.Match[str]) -> str:
    if token["math"]:
        return "<number>" if _SHORT_NUMBER.fullmatch(token["math"]) else "<math>"
    if token["cite"]:
        return "<cite>"
    if token["number"]:
        return "<decimals>" if token["decimals"] else "<number>"
    return token.group().lower()
