"""Label the words of a printed reference as authors, title, container and so on: a linear-chain CRF.

The tokens (words, numbers, signs) get the sequence of labels with the highest score: the sum of the weights of the
features at and around each token and of the transitions between labels, as in conditional random fields (Lafferty et
al. 2001; for references Peng and McCallum 2004). The weights in ``models/references.npz`` are integers, so that sums
are the same on any machine; ``tools/train_references.py`` names the training data.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import scholartools

if TYPE_CHECKING:
    from numpy import ndarray

PATH = Path(scholartools.__file__).parent / "models" / "references.npz"

#: Authors, first word of a title, its other words, container (journal, proceedings, series), date, editors, other.
LABELS = "ABTJDEO"
TITLE, AUTHORS = "BT", "A"
OFFSETS = (-3, -2, -1, 0, 1, 2, 3)  # of the words that are features of a token
UNIT = 32  # scale of the weights: the integer for a weight of 1
LONGEST = 400  # maximum number of tokens; the rest of a text is ignored
_KEPT = 50_000  # size of each cache of sums, for words, shapes and states
_AT_ONCE = 100  # batch size in texts: _AT_ONCE * LONGEST tokens must fit in a cache

_TOKEN = re.compile(r"[^\W\d_]+|\d+|_+|[^\w\s]")
# Flags of a token: whether it is quoted, whether a quotation ended before it, whether the text has quotation marks.
_QUOTES = {flags: "".join(map(str, map(int, flags))) for flags in product((False, True), repeat=3)}
_COUNTED = frozenset('“„«"‘`”»([.,)]')  # signs that change the state of the next token
_ENDS = ("x", "Xx", "Y", "d1", "d2", "d3", ")")
_MONTHS = frozenset(
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september "
    "october november december januar februar märz mai juni juli oktober dezember".split()
)


State = tuple[int, int, int, bool, int, int, bool, str, str]


class Token(NamedTuple):
    """A word, a number or a sign of a text, with its character offsets."""

    word: str
    start: int
    end: int


class Part(NamedTuple):
    """A run of tokens with one kind of label: its character offsets in the text, and its margin.

    Attributes:
        margin: difference of scores (natural log) between the best labelling and the best one in which the run begins
            or ends elsewhere or is interrupted.
    """

    start: int
    end: int
    margin: float


class Reading(NamedTuple):
    """The labelling of a reference; a part that is absent is None."""

    authors: Part | None
    title: Part | None
    starts: tuple[int, ...] = ()  # character offset of each token
    labels: str = ""  # label of each token
    gaps: tuple[
        int, ...
    ] = ()  # for each token, best score with a title label minus best score with another label, in units

    def behind(self, start: int, end: int) -> float:
        """Lower bound of the score (natural log) that the best labelling has over one with a title at start to end."""
        own = [gap for at, gap in zip(self.starts, self.gaps) if start <= at < end]
        return max(0, -min(own, default=0)) / UNIT


def tokenize(text: str) -> list[Token]:
    """The first :data:`LONGEST` tokens of a text."""
    return [Token(found[0], found.start(), found.end()) for found in islice(_TOKEN.finditer(text), LONGEST)]


def read(texts: Sequence[str]) -> list[Reading]:
    """Label the tokens of references, which are given without their labels ("[3]")."""
    import numpy as np

    listed = [tokenize(text) for text in texts]
    if not any(listed):
        return [Reading(None, None) for _ in texts]
    model = _model()
    through = _best_through(
        model.emissions(listed, texts), model.transitions, np.array([len(tokens) for tokens in listed])
    )
    best = through.argmax(1).T
    of_authors, of_title = (_ahead(through, labels) for labels in (AUTHORS, TITLE))
    readings = []
    for row, tokens in enumerate(listed):
        labels = "".join(LABELS[label] for label in best[row, : len(tokens)].tolist())
        readings.append(
            Reading(
                _first_run(tokens, labels, AUTHORS, abs(of_authors[row])),
                _first_run(tokens, labels, TITLE, abs(of_title[row])),
                tuple(token.start for token in tokens),
                labels,
                tuple(of_title[row, : len(tokens)].tolist()),
            )
        )
    return readings


def trust() -> list[float]:
    """The weights of the evidence for a title of the tagger: see :mod:`.trust`."""
    return _model().trust


def _best_through(scores: ndarray, transitions: ndarray, lengths: ndarray) -> ndarray:
    """The max-marginals: score of the best chain with each label at each step, shape (steps, labels, texts).

    ``scores`` has the same shape; texts are the last axis, over which the operations are vectorised.
    """
    import numpy as np

    ahead, behind = scores.copy(), np.zeros_like(scores)
    steps, changes = len(scores), transitions[:, :, None]
    for at in range(1, steps):
        ahead[at] += (ahead[at - 1][:, None] + changes).max(0)
    for at in range(steps - 2, -1, -1):
        behind[at] = (changes + (scores[at + 1] + behind[at + 1])).max(1)
        behind[at, :, at + 1 >= lengths] = 0
    return ahead + behind


def _ahead(through: ndarray, labels: str) -> ndarray:
    """Best score of the given labels minus the best of the other labels at each step, shape (texts, steps)."""
    own = [LABELS.index(label) for label in labels]
    other = [index for index in range(len(LABELS)) if index not in own]
    return (through[:, own].max(1) - through[:, other].max(1)).T


def _first_run(tokens: list[Token], best: str, labels: str, apart: ndarray) -> Part | None:
    """The first run of the given labels in the best labelling; a title ends where the next one begins (label B)."""
    found = re.search(rf"[{labels}][{labels.replace('B', '')}]*", best)
    if found is None:
        return None
    first, last = found.start(), found.end() - 1
    margin = apart[max(first - 1, 0) : min(last + 2, len(tokens))].min()
    return Part(tokens[first].start, tokens[last].end, float(margin) / UNIT)


class _Sums:
    """Cached sums of the weights of items such as words or shapes."""

    def __init__(self, work_out: Callable[[list[Any]], ndarray], outside: ndarray) -> None:
        import numpy as np

        self.rows: dict[Hashable, int] = {}
        self.values = np.empty((_KEPT, *outside.shape), outside.dtype)
        self.values[0] = outside  # for positions outside the text
        self._work_out = work_out

    def rows_of(self, items: Sequence[Hashable]) -> list[int]:
        """Row of each item's sum in ``values``, valid until the next call; at most ``_KEPT`` - 1 different items."""
        rows = self.rows
        if len(rows) + len(items) >= _KEPT:
            rows.clear()
        if new := [item for item in dict.fromkeys(items) if item not in rows]:
            first, last = len(rows) + 1, len(rows) + len(new)
            self.values[first : last + 1] = self._work_out(new)
            rows.update(zip(new, range(first, last + 1)))
        return [rows[item] for item in items]


class Model:
    """The weights by feature key (see :func:`keys_of`), with cached sums for words, shapes and states."""

    def __init__(self, keys: Sequence[str], weights: ndarray, transitions: ndarray, trust: ndarray) -> None:
        import numpy as np

        self.index = {key: row for row, key in enumerate(keys)}
        self.weights = np.vstack([weights, np.zeros_like(weights[:1])])  # the last row is for unknown keys
        self.transitions = transitions
        self.trust = trust.tolist()
        ends = self._sums([[f"{offset}#"] for offset in OFFSETS])
        self.words = _Sums(self._of_words, ends)
        self.shapes = _Sums(
            lambda found: self._sums([shape_keys(*shapes) for shapes in found]), np.zeros_like(weights[0])
        )
        self.states = _Sums(
            lambda found: self._sums([state_keys(*state) for state in found]), np.zeros_like(weights[0])
        )

    def emissions(self, listed: list[list[Token]], texts: Sequence[str]) -> ndarray:
        """Sums of weights for each label at each token, shape (maximum number of tokens, labels, texts)."""
        import numpy as np

        found = np.zeros((len(listed), max(map(len, listed)), len(LABELS)), self.weights.dtype)
        for first in range(0, len(listed), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            if any(listed[part]):
                self._add_up(listed[part], texts[part], found[part])
        return np.ascontiguousarray(found.transpose(1, 2, 0))

    def _add_up(self, listed: list[list[Token]], texts: Sequence[str], found: ndarray) -> None:
        """Write the sums of weights of some texts into ``found``, shape (texts, tokens, labels)."""
        import numpy as np

        steps, edge = found.shape[1], max(OFFSETS)
        filled = np.arange(steps) < np.array([len(tokens) for tokens in listed])[:, None]
        words = np.zeros((len(listed), steps + 2 * edge), int)
        words[:, edge : edge + steps][filled] = self.words.rows_of([token.word for one in listed for token in one])
        found[filled] = self._of_contexts([one for pair in zip(listed, texts) for one in contexts_of(*pair)])
        for column, offset in enumerate(OFFSETS):
            found += self.words.values[words[:, edge + offset : edge + offset + steps], column]

    def _of_contexts(self, contexts: list[tuple[tuple[str, ...], State, tuple[str, str, str]]]) -> ndarray:
        """Sums of the weights of all features except single words, shape (tokens, labels)."""
        shapes, states, pairs = zip(*contexts)
        row_of, unknown = self.index.get, len(self.weights) - 1
        rows = [row_of(key, unknown) for keys in pairs for key in keys]
        before, own, after = (self.weights[rows[at::3]] for at in range(3))
        return (
            before
            + own
            + after
            + self.shapes.values[self.shapes.rows_of(shapes)]
            + self.states.values[self.states.rows_of(states)]
        )

    def _of_words(self, words: list[str]) -> ndarray:
        keys = [[f"{offset}{key}" for key in of_one] for of_one in map(word_keys, words) for offset in OFFSETS]
        return self._sums(keys).reshape(len(words), len(OFFSETS), -1)

    def _sums(self, listed: Sequence[Sequence[str]]) -> ndarray:
        """The sum of the weights of each list of keys, shape (lists, labels)."""
        import numpy as np

        row_of, unknown = self.index.get, len(self.weights) - 1
        rows = np.array([row_of(key, unknown) for keys in listed for key in keys])
        ends = np.cumsum([len(keys) for keys in listed])
        return np.add.reduceat(self.weights[rows], ends - [len(keys) for keys in listed])


@functools.cache
def _model() -> Model:
    import numpy as np

    with np.load(PATH, allow_pickle=False) as file:
        keys = file["keys"].tobytes().decode().split("\n")
        return Model(keys, file["weights"].astype(np.int32), file["transitions"].astype(np.int32), file["trust"])


def keys_of(tokens: list[Token], text: str) -> Iterator[list[str]]:
    """The keys of all features of each token."""
    words = [word_keys(token.word) for token in tokens]
    for at, (shapes, state, pairs) in enumerate(contexts_of(tokens, text)):
        keys = [*shape_keys(*shapes), *state_keys(*state), *pairs]
        for offset in OFFSETS:
            inside = 0 <= at + offset < len(tokens)
            keys += [f"{offset}{key}" for key in words[at + offset]] if inside else [f"{offset}#"]
        yield keys


def word_keys(word: str) -> tuple[str, ...]:
    """The feature keys of a word, independent of its context."""
    low, kind = word.lower(), shape_of(word)
    keys = ["w=" + low, "s=" + kind]
    if word[0].isalpha() and len(word) > 2:
        keys += ["e=" + low[-3:], "b=" + low[:3], f"l={min(len(low) // 3, 4)}{kind}"]
        keys += ["m"] if low in _MONTHS else []
    return tuple(keys)


@functools.lru_cache(_KEPT)
def shape_of(word: str) -> str:
    """The shape of a token: Y a year, d3 three digits, I an initial, Xx, XX, x; most signs stand for themselves."""
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


def contexts_of(tokens: list[Token], text: str) -> Iterator[tuple[tuple[str, ...], State, tuple[str, str, str]]]:
    """For each token, the arguments of :func:`shape_keys` and :func:`state_keys`, and the keys with its neighbours."""
    kinds = [shape_of(token.word) for token in tokens]
    glued = [bool(at) and tokens[at - 1].end == token.start for at, token in enumerate(tokens)]
    shapes = ("#", "#", *(kind if joined else "_" + kind for kind, joined in zip(kinds, glued)), "#", "#", "#")
    before = "#"
    for at, state in enumerate(_states(tokens, kinds, glued, text)):
        low = tokens[at].word.lower()
        around = shapes[at : at + 6]
        yield around, state, (f"U:{before}|{low}", f"V:{around[1]}|{low}", f"W:{low}|{around[3]}")
        before = low


def shape_keys(b: str, a: str, own: str, c: str, d: str, e: str) -> tuple[str, ...]:
    """The feature keys of a token's shape (``own``) and of the two shapes before and three after it."""
    return f"0:{own}", f"2:{a}{own}", f"3:{a}{own}{c}", f"4:{own}{c}{d}", f"5:{b}{a}{own}{c}", f"6:{own}{c}{d}{e}"


def state_keys(
    place: int, tenth: int, years: int, early: bool, stops: int, commas: int, inside: bool, kind: str, quotes: str
) -> tuple[str, ...]:
    """The feature keys of a token's position and state: see :func:`_states`."""
    return (f"p:{place}", f"r:{tenth}", f"y:{years}{early:d}", f"k:{stops}", f"c:{commas}", f"d:{inside:d}{kind}",
            f"q:{quotes}", f"Q:{quotes}{min(years, 1)}{min(stops, 3)}")  # fmt: skip


def _states(tokens: list[Token], kinds: list[str], glued: list[bool], text: str) -> Iterator[State]:
    """The state of each token: position, numbers of years, stops and commas before it, in brackets, quoted."""
    size = len(tokens)
    has_quotes = any(sign in text for sign in ("“", "„", "«", '"', "''", "``"))
    early = "Y" in kinds and kinds.index("Y") < 0.45 * size
    quoted = closed = False
    quotes = _QUOTES[quoted, closed, has_quotes]
    depth = years = stops = commas = 0
    for at, (token, kind) in enumerate(zip(tokens, kinds)):
        word = token.word
        counts = word in _COUNTED
        if counts:
            if word in "“„«" or (word == '"' and not quoted and not glued[at]) or (word in "‘`" and not glued[at]):
                quoted = True
            elif word in "”»" or (word == '"' and quoted):
                quoted, closed = False, True
            depth += word in "(["
            quotes = _QUOTES[quoted, closed, has_quotes]
        yield at if at < 8 else 8, 10 * at // size, years, early, stops, commas, depth > 0, kind, quotes
        if kind == "Y":
            years = min(years + 1, 2)
        elif not counts:
            continue
        elif word == ".":
            stops = min(stops + (at > 0 and kinds[at - 1] in _ENDS), 5)
        elif word == ",":
            commas = min(commas + 1, 6)
        elif word in ")]":
            depth = max(0, depth - 1)
