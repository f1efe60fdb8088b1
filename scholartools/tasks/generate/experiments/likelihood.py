"""How likely a sentence before the experiments tells of them: sums of the weights of what it holds.

Two sums, both log odds in thousandths, of a logistic regression in ``models/leaks.json`` (``tools/train_leaks.py`` says
what it was trained on):

- ``zone``: whether a sentence sounds like one of a section on experiments or like one of a section before them, by its
  words and pairs of words. It was learnt from where sentences are in papers.
- whether it leaks: by its words and pairs of words, those it begins with, the kind of its cue (:mod:`cues`), whether
  its neighbours have one, the role of its section, its place in that, what it has of ``zone`` itself, and what its
  neighbours and its section have. It was learnt from labelled sentences.

Sums of whole numbers are the same on any machine.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import scholartools
from scholartools.tasks.generate.experiments.cues import OPENING

PATH = Path(scholartools.__file__).parent / "models" / "leaks.json"

# Words at the beginning of a sentence, and parts of a section, that count as such.
_FIRST, _PARTS = 5, 5
# Values of ``zone`` that go in, each with a weight of its own.
ZONES = ("<zone>", "<zone before>", "<zone after>", "<zone section>")
# A value of ``zone`` further from 0 counts as this.
_MOST = 6000

_TOKEN = re.compile(
    r"(?P<math>\$[^$]*\$)"
    r"|(?P<cite>\[[^\]\[\d]*\d[^\]\[]*+\]|\((?=[^()]*+\))[^()]*?\b(?:19|20)\d\d[a-z]?\b[^()]*\)"
    r"|\bet al\.?(?: \(\d{4}[a-z]?\))?)"
    r"|(?P<number>\d+(?P<decimals>[.,]\d+)*)|%|[A-Za-z]+|[;:?]"
)
_SHORT_NUMBER = re.compile(r"\$\D{0,6}\d[\d.,]{0,8}\s*(?:\\?%|\\times)?\s*\$")


class Model(NamedTuple):
    """What is in the file: a version, from which log odds a sentence is taken out, and the weights by feature."""

    version: str
    threshold: int
    bias: int
    weights: dict[str, int]
    zone_bias: int
    zone: dict[str, int]


class Seen(NamedTuple):
    """A sentence as the model sees it: its text, the section it is in, the role of that, and the kind of its cue."""

    text: str
    place: str
    role: str
    cue: str | None


@functools.cache
def packaged_model() -> Model:
    """The packaged model, read once a process."""
    return load_model(PATH.read_bytes())


def load_model(data: bytes) -> Model:
    """The model in the bytes of a weights file."""
    written = json.loads(data)
    version = hashlib.sha256(data).hexdigest()[:12]
    zone = written["zone"]
    return Model(version, written["threshold"], written["bias"], written["weights"], zone["bias"], zone["weights"])


def find_likely(seen: Sequence[Seen]) -> list[bool]:
    """Whether each of the sentences before the experiments, in order, is taken for a leak."""
    model = packaged_model()
    return [odds >= model.threshold for odds in leak_log_odds(seen, model)]


def leak_log_odds(seen: Sequence[Seen], model: Model) -> list[int]:
    """The log odds that each sentence leaks, in thousandths."""
    zone = [zone_log_odds(one.text, model) for one in seen]
    rows = zip(sentence_features(seen), zone_values([one.place for one in seen], zone), strict=True)
    return [
        model.bias
        + sum(model.weights.get(name, 0) for name in held)
        + sum(model.weights.get(name, 0) * value for name, value in zip(ZONES, values, strict=True)) // 1000
        for held, values in rows
    ]


def zone_log_odds(text: str, model: Model) -> int:
    """The log odds that a sentence is of a section on experiments, in thousandths, within 6,000 of 0."""
    odds = model.zone_bias + sum(model.zone.get(name, 0) for name in zone_features(text))
    return max(-_MOST, min(_MOST, odds))


def zone_features(text: str) -> set[str]:
    """The words of a sentence, and its pairs of neighbouring words."""
    return _words_and_pairs(split_words(text))


def _words_and_pairs(words: Sequence[str]) -> set[str]:
    return {*words, *(f"{word} {after}" for word, after in zip(words, words[1:]))}


def zone_values(places: Sequence[str], zone: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """For each sentence what it has of ``zone``, what its neighbours in the section have, and the section on average.

    0 stands for a neighbour that is not there.
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
    """What each sentence holds: words, pairs, first words, cues, the role of its section, and its place there."""
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
    """The words of a text in small letters: formulas, citations, numbers and those with decimals each as one word."""
    return [_word_of(token) for token in _TOKEN.finditer(text)]


def _word_of(token: re.Match[str]) -> str:
    if token["math"]:
        return "<number>" if _SHORT_NUMBER.fullmatch(token["math"]) else "<math>"
    if token["cite"]:
        return "<cite>"
    if token["number"]:
        return "<decimals>" if token["decimals"] else "<number>"
    return token.group().lower()
