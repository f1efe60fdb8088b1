"""Which words of a printed reference are its authors, title and container: a linear chain with trained weights.

Each token (a word, a number, a sign) gets the label for which the whole chain scores highest: the sum of the weights of
what stands at and around each token, and of each label after the one before it, as conditional random fields have them
(Lafferty et al. 2001; for references Peng and McCallum 2004). Weights are whole numbers in ``models/references.npz``,
so that sums are the same on any machine; ``tools/train_references.py`` names what they were trained on.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import scholartools

if TYPE_CHECKING:
    from numpy import ndarray

PATH = Path(scholartools.__file__).parent / "models" / "references.npz"

#: Authors, first word of a title, its other words, container (journal, proceedings, series), date, editors, the rest.
LABELS = "ABTJDEO"
TITLE, AUTHORS = "BT", "A"
OFFSETS = (-3, -2, -1, 0, 1, 2, 3)  # of the words that tell of a token
UNIT = 32  # whole numbers of a weight of 1
LONGEST = 400  # tokens that are read
_KEPT = 50_000  # words, shapes and states whose weights are kept

_TOKEN = re.compile(r"[^\W\d_]+|\d+|_+|[^\w\s]")
_ENDS = ("x", "Xx", "Y", "d1", "d2", "d3", ")")
_MONTHS = frozenset(
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september "
    "october november december januar februar märz mai juni juli oktober dezember".split()
)


class Token(NamedTuple):
    """A word, a number or a sign of a text, and where it stands."""

    word: str
    start: int
    end: int


class Part(NamedTuple):
    """A run of tokens of one kind: where it stands in the text, and how far the best other reading lies behind.

    Attributes:
        margin: in natural logarithms, over readings in which the run begins or ends elsewhere or is interrupted.
    """

    start: int
    end: int
    margin: float


class Reading(NamedTuple):
    """What was read in a reference; None for what is not there."""

    authors: Part | None
    title: Part | None
    starts: tuple[int, ...] = ()  # of the tokens
    titled: tuple[int, ...] = ()  # of each token, how far the best reading with a title there lies behind, in units

    def behind(self, start: int, end: int) -> float:
        """How far the best reading lies before one with a title from start to end, in natural logarithms, at least."""
        own = [units for at, units in zip(self.starts, self.titled) if start <= at < end]
        return max(own, default=0) / UNIT


def tokenize(text: str) -> list[Token]:
    """The first :data:`LONGEST` tokens of a text."""
    return [Token(found[0], *found.span()) for found in _TOKEN.finditer(text)][:LONGEST]


def read(texts: Sequence[str]) -> list[Reading]:
    """What each reference, without its label, consists of."""
    import numpy as np

    listed = [tokenize(text) for text in texts]
    steps = max(map(len, listed), default=0)
    if not steps:
        return [Reading(None, None) for _ in texts]
    model = _model()
    scores = np.zeros((len(texts), steps, len(LABELS)), np.int64)
    for row, (tokens, text) in enumerate(zip(listed, texts)):
        if tokens:
            scores[row, : len(tokens)] = model.emissions(tokens, text)
    through = _best_through(scores, model.transitions, np.array([len(tokens) for tokens in listed]))
    titles = [LABELS.index(label) for label in TITLE]
    titled = through.max(2) - through[:, :, titles].max(2)
    return [
        Reading(
            _first_run(tokens, through[row, : len(tokens)], AUTHORS),
            _first_run(tokens, through[row, : len(tokens)], TITLE),
            tuple(token.start for token in tokens),
            tuple(titled[row, : len(tokens)].tolist()),
        )
        for row, tokens in enumerate(listed)
    ]


def _best_through(scores: ndarray, transitions: ndarray, lengths: ndarray) -> ndarray:
    """The score of the best chain that has a label at a step: (texts, steps, labels)."""
    import numpy as np

    ahead, behind = scores.copy(), np.zeros_like(scores)
    steps = scores.shape[1]
    for at in range(1, steps):
        ahead[:, at] += (ahead[:, at - 1, :, None] + transitions).max(1)
    for at in range(steps - 2, -1, -1):
        after = (transitions + (scores[:, at + 1] + behind[:, at + 1])[:, None, :]).max(2)
        behind[:, at] = np.where((at + 1 < lengths)[:, None], after, 0)
    return ahead + behind


def _first_run(tokens: list[Token], through: ndarray, labels: str) -> Part | None:
    """The first run of the labels; a title goes on until the next one begins."""
    best = "".join(LABELS[label] for label in through.argmax(1))
    found = re.search(rf"[{labels}][{labels.replace('B', '')}]*", best)
    if found is None:
        return None
    first, last = found.start(), found.end() - 1
    own = [LABELS.index(label) for label in labels]
    other = [index for index in range(len(LABELS)) if index not in own]
    around = slice(max(first - 1, 0), last + 2)
    apart = abs(through[around][:, own].max(1) - through[around][:, other].max(1))
    return Part(tokens[first].start, tokens[last].end, float(apart.min()) / UNIT)


class Model:
    """The weights by key, as :func:`keys_of` gives keys; what words add up to is worked out once."""

    def __init__(self, keys: Sequence[str], weights: ndarray, transitions: ndarray) -> None:
        import numpy as np

        self.index = {key: row for row, key in enumerate(keys)}
        self.weights = np.vstack([weights, np.zeros_like(weights[:1])])  # the last row is that of unknown keys
        self.transitions = transitions
        self.outside = np.stack([self._sum([f"{offset}#"]) for offset in OFFSETS])
        self.words: dict[str, int] = {}
        self.of_words = np.empty((_KEPT, len(OFFSETS), len(LABELS)), weights.dtype)

    def emissions(self, tokens: list[Token], text: str) -> ndarray:
        """What the weights add up to for each label at each token: (tokens, labels)."""
        unknown, size, row_of = len(self.weights) - 1, len(tokens), self.index.get
        rows = [row_of(key, unknown) for groups in contexts_of(tokens, text) for group in groups for key in group]
        found = self.weights[rows].reshape(size, -1, len(LABELS)).sum(1)
        words = self.of_words[self._rows_of([token.word for token in tokens])]
        for column, offset in enumerate(OFFSETS):
            found += self.outside[column]
            if abs(offset) < size:
                inside = slice(max(0, -offset), min(size, size - offset))
                found[inside] += words[max(0, offset) : size + min(0, offset), column] - self.outside[column]
        return found

    def _rows_of(self, words: list[str]) -> list[int]:
        """Where the sums of words stand, each at every offset."""
        import numpy as np

        if len(self.words) + len(words) > _KEPT:
            self.words.clear()
        for word in words:
            if word not in self.words:
                self.of_words[len(self.words)] = np.stack(
                    [self._sum([f"{offset}{key}" for key in word_keys(word)]) for offset in OFFSETS]
                )
                self.words[word] = len(self.words)
        return [self.words[word] for word in words]

    def _sum(self, keys: list[str]) -> ndarray:
        return self.weights[[self.index.get(key, -1) for key in keys]].sum(0)


@functools.cache
def _model() -> Model:
    import numpy as np

    with np.load(PATH, allow_pickle=False) as file:
        keys = file["keys"].tobytes().decode().split("\n")
        return Model(keys, file["weights"].astype(np.int64), file["transitions"].astype(np.int64))


def keys_of(tokens: list[Token], text: str) -> Iterator[list[str]]:
    """The keys of all that tells of each token."""
    words = [word_keys(token.word) for token in tokens]
    for at, groups in enumerate(contexts_of(tokens, text)):
        keys = [key for group in groups for key in group]
        for offset in OFFSETS:
            inside = 0 <= at + offset < len(tokens)
            keys += [f"{offset}{key}" for key in words[at + offset]] if inside else [f"{offset}#"]
        yield keys


def word_keys(word: str) -> tuple[str, ...]:
    """The keys of a word, whatever stands around it."""
    low, kind = word.lower(), shape_of(word)
    keys = ["w=" + low, "s=" + kind]
    if word[0].isalpha() and len(word) > 2:
        keys += ["e=" + low[-3:], "b=" + low[:3], f"l={min(len(low) // 3, 4)}{kind}"]
        keys += ["m"] if low in _MONTHS else []
    return tuple(keys)


@functools.lru_cache(_KEPT)
def shape_of(word: str) -> str:
    """What a token looks like: Y a year, d3 three figures, I an initial, Xx, XX, x; a sign stands for itself."""
    if word.isdigit():
        if len(word) == 4:
            return "Y" if word[:2] in ("15", "16", "17", "18", "19", "20") else "dd"
        return f"d{len(word)}" if len(word) < 4 else "dd"
    if not word[0].isalpha():
        return "-" if word in "–—−-‐‑" else "q" if word in "'’" else word
    if len(word) == 1:
        return "I" if word.isupper() else "i"
    if word.isupper():
        return "II" if len(word) == 2 else "XX"
    if word[0].isupper():
        return "Xx" if word[1:].islower() else "XxX"
    return "x" if word.islower() else "xX"


def contexts_of(tokens: list[Token], text: str) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Of each token the keys of the shapes around it, of what went before it, and of it with its neighbours."""
    kinds = [shape_of(token.word) for token in tokens]
    glued = [bool(at) and tokens[at - 1].end == token.start for at, token in enumerate(tokens)]
    shapes = ["#", "#", *(kind if joined else "_" + kind for kind, joined in zip(kinds, glued)), "#", "#", "#"]
    states = _states(tokens, kinds, glued, text)
    for at, state in enumerate(states):
        b, a, own, c, d, e = shapes[at : at + 6]
        low, before = tokens[at].word.lower(), tokens[at - 1].word.lower() if at else "#"
        yield (f"0:{own}", f"2:{a}{own}", f"3:{a}{own}{c}", f"4:{own}{c}{d}", f"5:{b}{a}{own}{c}",
               f"6:{own}{c}{d}{e}"), state, (f"U:{before}|{low}", f"V:{a}|{low}", f"W:{low}|{c}")  # fmt: skip


def _states(tokens: list[Token], kinds: list[str], glued: list[bool], text: str) -> Iterator[tuple[str, ...]]:
    """Of each token its place, whether it is quoted or in brackets, and how many years, stops and commas it follows."""
    size = len(tokens)
    has_quotes = any(sign in text for sign in ("“", "„", "«", '"', "''", "``"))
    early = "Y" in kinds and kinds.index("Y") < 0.45 * size
    quoted = closed = False
    depth = years = stops = commas = 0
    for at, (token, kind) in enumerate(zip(tokens, kinds)):
        word = token.word
        if word in "“„«" or (word == '"' and not quoted and not glued[at]) or (word in "‘`" and not glued[at]):
            quoted = True
        elif word in "”»" or (word == '"' and quoted):
            quoted, closed = False, True
        depth += word in "(["
        quotes = f"{quoted:d}{closed:d}{has_quotes:d}"
        yield (f"p:{min(at, 8)}", f"r:{10 * at // size}", f"y:{min(years, 2)}{early:d}", f"k:{min(stops, 5)}",
               f"c:{min(commas, 6)}", f"d:{min(depth, 1)}{kind}", f"q:{quotes}",
               f"Q:{quotes}{min(years, 1)}{min(stops, 3)}")  # fmt: skip
        depth = max(0, depth - (word in ")]"))
        years += kind == "Y"
        stops += word == "." and at > 0 and kinds[at - 1] in _ENDS
        commas += word == ","
