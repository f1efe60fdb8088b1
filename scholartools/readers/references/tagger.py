"""Which words of a printed reference are its authors, title and container: a linear chain with trained weights.

Each token (a word, a number, a sign) gets the label for which the whole chain scores highest: the sum of the weights of
what is at and around each token, and of each label after the one before it, as conditional random fields have them
(Lafferty et al. 2001; for references Peng and McCallum 2004). Weights are whole numbers in ``models/references.npz``,
so that sums are the same on any machine; ``tools/train_references.py`` names what they were trained on.
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

#: Authors, first word of a title, its other words, container (journal, proceedings, series), date, editors, the rest.
LABELS = "ABTJDEO"
TITLE, AUTHORS = "BT", "A"
OFFSETS = (-3, -2, -1, 0, 1, 2, 3)  # of the words that tell of a token
UNIT = 32  # whole numbers of a weight of 1
LONGEST = 400  # tokens that are read
_KEPT = 50_000  # words, shapes and states whose weights are kept
_AT_ONCE = 100  # texts whose weights are added up together; their tokens are fewer than are kept

_TOKEN = re.compile(r"[^\W\d_]+|\d+|_+|[^\w\s]")
# Whether a token is quoted, whether a quotation ended before it, whether the text has marks of quotation.
_QUOTES = {flags: "".join(map(str, map(int, flags))) for flags in product((False, True), repeat=3)}
_COUNTED = frozenset('“„«"‘`”»([.,)]')  # signs that change the state of a token
_ENDS = ("x", "Xx", "Y", "d1", "d2", "d3", ")")
_MONTHS = frozenset(
    "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september "
    "october november december januar februar märz mai juni juli oktober dezember".split()
)


State = tuple[int, int, int, bool, int, int, bool, str, str]


class Token(NamedTuple):
    """A word, a number or a sign of a text, and its place."""

    word: str
    start: int
    end: int


class Part(NamedTuple):
    """A run of tokens of one kind: its place in the text, and how far the best other reading lies behind.

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
    labels: str = ""  # of the tokens
    gaps: tuple[
        int, ...
    ] = ()  # of each token, how far the best reading with a title there lies before others, in units

    def behind(self, start: int, end: int) -> float:
        """How far the best reading lies before one with a title from start to end, in natural logarithms, at least."""
        own = [gap for at, gap in zip(self.starts, self.gaps) if start <= at < end]
        return max(0, -min(own, default=0)) / UNIT


def tokenize(text: str) -> list[Token]:
    """The first :data:`LONGEST` tokens of a text."""
    return [Token(found[0], found.start(), found.end()) for found in islice(_TOKEN.finditer(text), LONGEST)]


def read(texts: Sequence[str]) -> list[Reading]:
    """What each reference, without its label, consists of."""
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
    """What each kind of evidence for a title that is read here weighs: see :mod:`.trust`."""
    return _model().trust


def _best_through(scores: ndarray, transitions: ndarray, lengths: ndarray) -> ndarray:
    """The score of the best chain that has a label at a step: (steps, labels, texts), as the scores are.

    The texts come last, where they are worked on many at a time.
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
    """How far the best of some labels lies before the best of the others at each step: (texts, steps)."""
    own = [LABELS.index(label) for label in labels]
    other = [index for index in range(len(LABELS)) if index not in own]
    return (through[:, own].max(1) - through[:, other].max(1)).T


def _first_run(tokens: list[Token], best: str, labels: str, apart: ndarray) -> Part | None:
    """The first run of the labels among the best of each token; a title goes on until the next one begins."""
    found = re.search(rf"[{labels}][{labels.replace('B', '')}]*", best)
    if found is None:
        return None
    first, last = found.start(), found.end() - 1
    margin = apart[max(first - 1, 0) : min(last + 2, len(tokens))].min()
    return Part(tokens[first].start, tokens[last].end, float(margin) / UNIT)


class _Sums:
    """Sums of weights by what they tell of, each worked out once and kept."""

    def __init__(self, work_out: Callable[[list[Any]], ndarray], outside: ndarray) -> None:
        import numpy as np

        self.rows: dict[Hashable, int] = {}
        self.values = np.empty((_KEPT, *outside.shape), outside.dtype)
        self.values[0] = outside  # of no token
        self._work_out = work_out

    def rows_of(self, items: Sequence[Hashable]) -> list[int]:
        """Where the sums of the items, fewer than are kept, are among the values until it is called again."""
        rows = self.rows
        if len(rows) + len(items) >= _KEPT:
            rows.clear()
        if new := [item for item in dict.fromkeys(items) if item not in rows]:
            first, last = len(rows) + 1, len(rows) + len(new)
            self.values[first : last + 1] = self._work_out(new)
            rows.update(zip(new, range(first, last + 1)))
        return [rows[item] for item in items]


class Model:
    """The weights by key, as :func:`keys_of` gives keys; what words add up to is worked out once."""

    def __init__(self, keys: Sequence[str], weights: ndarray, transitions: ndarray, trust: ndarray) -> None:
        import numpy as np

        self.index = {key: row for row, key in enumerate(keys)}
        self.weights = np.vstack([weights, np.zeros_like(weights[:1])])  # the last row is that of unknown keys
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
        """What the weights add up to for each label at each token: (tokens of the longest, labels, texts)."""
        import numpy as np

        found = np.zeros((len(listed), max(map(len, listed)), len(LABELS)), self.weights.dtype)
        for first in range(0, len(listed), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            if any(listed[part]):
                self._add_up(listed[part], texts[part], found[part])
        return np.ascontiguousarray(found.transpose(1, 2, 0))

    def _add_up(self, listed: list[list[Token]], texts: Sequence[str], found: ndarray) -> None:
        """Put what the weights of some texts add up to in its place."""
        import numpy as np

        steps, edge = found.shape[1], max(OFFSETS)
        filled = np.arange(steps) < np.array([len(tokens) for tokens in listed])[:, None]
        words = np.zeros((len(listed), steps + 2 * edge), int)
        words[:, edge : edge + steps][filled] = self.words.rows_of([token.word for one in listed for token in one])
        found[filled] = self._of_contexts([one for pair in zip(listed, texts) for one in contexts_of(*pair)])
        for column, offset in enumerate(OFFSETS):
            found += self.words.values[words[:, edge + offset : edge + offset + steps], column]

    def _of_contexts(self, contexts: list[tuple[tuple[str, ...], State, tuple[str, str, str]]]) -> ndarray:
        """What all but words by themselves adds up to: (tokens, labels)."""
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
        """The sum of the weights of each list of keys."""
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
    """The keys of all that tells of each token."""
    words = [word_keys(token.word) for token in tokens]
    for at, (shapes, state, pairs) in enumerate(contexts_of(tokens, text)):
        keys = [*shape_keys(*shapes), *state_keys(*state), *pairs]
        for offset in OFFSETS:
            inside = 0 <= at + offset < len(tokens)
            keys += [f"{offset}{key}" for key in words[at + offset]] if inside else [f"{offset}#"]
        yield keys


def word_keys(word: str) -> tuple[str, ...]:
    """The keys of a word, whatever is around it."""
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


def contexts_of(tokens: list[Token], text: str) -> Iterator[tuple[tuple[str, ...], State, tuple[str, str, str]]]:
    """Of each token what :func:`shape_keys` and :func:`state_keys` take, and the keys of it with its neighbours."""
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
    """The keys of a token's shape and of those around it."""
    return f"0:{own}", f"2:{a}{own}", f"3:{a}{own}{c}", f"4:{own}{c}{d}", f"5:{b}{a}{own}{c}", f"6:{own}{c}{d}{e}"


def state_keys(
    place: int, tenth: int, years: int, early: bool, stops: int, commas: int, inside: bool, kind: str, quotes: str
) -> tuple[str, ...]:
    """The keys of a token's place: see :func:`_states`."""
    return (f"p:{place}", f"r:{tenth}", f"y:{years}{early:d}", f"k:{stops}", f"c:{commas}", f"d:{inside:d}{kind}",
            f"q:{quotes}", f"Q:{quotes}{min(years, 1)}{min(stops, 3)}")  # fmt: skip


def _states(tokens: list[Token], kinds: list[str], glued: list[bool], text: str) -> Iterator[State]:
    """Of each token its place, how many years, stops and commas it follows, and whether in brackets or quoted."""
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
