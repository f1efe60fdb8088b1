"""The trained networks that score sentences for each label, from the weights in ``models/facets.npz``.

A sentence is the sum of the vectors of its words and their endings, and what else ``features.py`` says of it. A
layer makes one vector of that; two convolutions over the sentences of the text add what is up to four sentences
before and after; a last layer gives a score for each label. Which label follows which has scores of its own: the labels
are the path of the highest sum (``decoding.py``). Each network was trained as a linear-chain conditional random
field, by ``tools/train_facets.py``, which names the data; they differ by the seed, and their scores are added up.

The same text gives the same scores to the bit, on any machine and whatever else is labelled beside it: weights are
multiples of 2**-9 and the inputs of every layer of 2**-6, and both so small that a 32-bit float holds each sum of their
products exactly, in whatever order it is made. Nothing else is computed than sums, products, quotients, square roots
and roundings.
"""

from __future__ import annotations

import functools
import hashlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import scholartools
from scholartools.tasks.facets.features import Texts

if TYPE_CHECKING:
    import numpy as np
    from threadpoolctl import ThreadpoolController

PATH = Path(scholartools.__file__).parent / "models" / "facets.npz"

#: What 1 is in the file: for weights of layers, for vectors of words, for scores (of transitions, and of labels).
UNIT, VECTOR_UNIT, SCORE_UNIT = 512, 64, 1024
#: What 1 is in the inputs of a layer, and the most that an input is.
INPUT_UNIT, MOST = 64, 8
#: Of how many sentences a convolution sees each one's neighbourhood.
REACH = 5

# Where so many times as many sentences are as different ones, what is the same is computed once.
_REPEATED = 4
# Numbers of different rows fit in 64 bits.
_MOST_CODES = 2**62

TRANSITIONS = ("start", "stop", "into")


class Network(NamedTuple):
    """The weights of the layers, as 32-bit floats.

    Shapes: enter (v + DENSE, h); near and far (REACH * h, h); leave (2 * h, labels); each with its bias.
    """

    enter: np.ndarray
    enter_bias: np.ndarray
    near: np.ndarray
    near_bias: np.ndarray
    far: np.ndarray
    far_bias: np.ndarray
    leave: np.ndarray
    leave_bias: np.ndarray


class _Neighbours(NamedTuple):
    """What the layers see of n sentences, each thing once: r rows that enter, w and f neighbourhoods of REACH.

    Attributes:
        rows: a sentence that has each of the rows, shape (r,).
        near: of rows, by their number; r where no sentence is: shape (w, REACH).
        far: of those, by their number; w where no sentence is: shape (f, REACH).
        kinds: which of these each sentence has, shape (n,).
    """

    rows: np.ndarray
    near: np.ndarray
    far: np.ndarray
    kinds: np.ndarray


class Model(NamedTuple):
    """What is in the file: m networks whose scores are added up.

    Attributes:
        version: the first digits of the SHA-256 of the file.
        about: JSON: the data, their licences, how it was trained.
        vectors: of words and endings, for each network side by side, shape (KEYS + 1, m * v), the last one 0; int8, in
            parts of VECTOR_UNIT.
        networks: the layers of each.
        start: the score of each label as the first, ``stop``: as the last, and ``into[now, before]``: of each after
            another; whole numbers, as scores are, of all networks together.
    """

    version: str
    about: str
    vectors: np.ndarray
    networks: list[Network]
    start: np.ndarray
    stop: np.ndarray
    into: np.ndarray


@functools.cache
def packaged_model() -> Model:
    """The packaged model, read once a process."""
    return load_model(PATH.read_bytes())


def load_model(data: bytes) -> Model:
    """The model in the bytes of a weights file."""
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as file:

        def weights(name: str) -> np.ndarray:
            return np.float32(1 / UNIT) * file[name]

        return Model(
            version=hashlib.sha256(data).hexdigest()[:12],
            about=str(file["about"]),
            vectors=np.pad(file["vectors"], [(0, 1), (0, 0)]),
            networks=[Network(*layers) for layers in zip(*map(weights, Network._fields))],
            **{name: file[name].astype(np.int64) for name in TRANSITIONS},
        )


def score_sentences(known: Texts) -> np.ndarray:
    """For each sentence its score for each of LABELS, in whole parts of SCORE_UNIT: shape (n, labels)."""
    import numpy as np

    networks = packaged_model().networks
    sums = _sum_vectors(known.lexicon.sum_rows(packaged_model().vectors), known.words, known.starts)
    words = _round_values(sums / VECTOR_UNIT / np.sqrt(known.tokens)[:, None])
    places = _round_values(known.places)
    seen = _see_neighbours(known, places)
    kinds = known.kinds.take(seen.rows)
    dense = np.hstack([places.take(seen.rows, axis=0), _round_values(known.said.take(kinds, axis=0))])
    parts = zip(np.hsplit(words.take(kinds, axis=0), len(networks)), networks)
    with _numeric_libraries().limit(limits=1, user_api="blas"):
        scored = [_score_by_network(np.hstack([part, dense]), seen, network) for part, network in parts]
    return np.sum(scored, axis=0).take(seen.kinds, axis=0)


@functools.cache
def _numeric_libraries() -> ThreadpoolController:
    """The numerical libraries that are loaded. Products as small as these gain nothing from several threads.

    4,000 abstracts take 0.74 s of processor time in one thread and 1.2 s in two, and 0.63 s of time either way.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def by_length(sizes: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """The order of sequences from the longest to the shortest, and how many of them have each of their places."""
    import numpy as np

    return np.argsort(-sizes, kind="stable"), (len(sizes) - np.bincount(sizes).cumsum()[:-1]).tolist()


def _sum_vectors(vectors: np.ndarray, words: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The sum of the vectors of each sentence's words; word by word in all sentences, since reduceat takes longer."""
    import numpy as np

    order, present = by_length(np.diff(starts, append=len(words)))
    first = starts[order]
    sums = np.zeros((len(starts), vectors.shape[1]), vectors.dtype)
    for place, count in enumerate(present):
        sums[:count] += vectors.take(words.take(first[:count] + place), axis=0)
    return sums[order.argsort()]


def _see_neighbours(known: Texts, places: np.ndarray) -> _Neighbours:
    """What the layers see of each sentence; each thing once, where most sentences are the same as others.

    So a text of one short sentence, thousands of times, takes no longer than a text of its length in other sentences.
    """
    import numpy as np

    count = len(known.kinds)
    is_repeated = _REPEATED * len(known.starts) < count
    rows = kinds = np.arange(count)
    if is_repeated:
        moves = (places[1:] != places[:-1]).any(axis=1)
        stretches = np.append(0, moves.cumsum())
        rows, kinds = _different_rows(np.column_stack([stretches, known.kinds]))
    # The place of each sentence when none is a neighbour before each text and after the last.
    own = np.arange(count) + np.repeat(np.arange(1, len(known.counts) + 1) * (REACH // 2), known.counts)
    around = own[:, None] + np.arange(-(REACH // 2), REACH // 2 + 1)

    def neighbourhoods(kinds: np.ndarray, none: int) -> tuple[np.ndarray, np.ndarray]:
        padded = np.full(own[-1] + 1 + REACH // 2, none)
        padded[own] = kinds
        windows = padded.take(around)
        if not is_repeated:
            return windows, np.arange(count)
        firsts, kinds = _different_rows(windows)
        return windows.take(firsts, axis=0), kinds

    near, kinds = neighbourhoods(kinds, len(rows))
    far, kinds = neighbourhoods(kinds, len(near))
    return _Neighbours(rows, near, far, kinds)


def _different_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each different row of small numbers first is, and which of these each row is."""
    import numpy as np

    codes = np.zeros(len(rows), np.int64)
    most = 1
    for column in rows.T:
        size = int(column.max()) + 1
        if most * size >= _MOST_CODES:
            _, codes = np.unique(codes, return_inverse=True)
            most = int(codes.max()) + 1
        codes, most = codes * size + column, most * size
    _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
    return first, kinds


def _score_by_network(entering: np.ndarray, seen: _Neighbours, weights: Network) -> np.ndarray:
    """One network's scores, whole numbers, of each different neighbourhood of ``seen.far``: shape (f, labels)."""
    import numpy as np

    entered = entering @ weights.enter + weights.enter_bias
    hidden = _round_values(entered / (1 + np.abs(entered)))
    near = _round_values(_convolve_rows(hidden, seen.near, weights.near, weights.near_bias))
    own = seen.far[:, REACH // 2]
    far = _round_values(near.take(own, axis=0) + _convolve_rows(near, seen.far, weights.far, weights.far_bias))
    left = np.hstack([far, hidden.take(seen.near[own, REACH // 2], axis=0)]) @ weights.leave + weights.leave_bias
    return np.rint(left * SCORE_UNIT).astype(np.int64)


def _convolve_rows(rows: np.ndarray, windows: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Each neighbourhood of rows through one layer, what is below 0 cut off; after the last row comes one of zeros."""
    import numpy as np

    padded = np.pad(rows, [(0, 1), (0, 0)])
    return np.maximum(0, padded.take(windows, axis=0).reshape(len(windows), -1) @ weights + bias)


def _round_values(values: np.ndarray) -> np.ndarray:
    """As a layer takes them."""
    import numpy as np

    whole = np.rint(values * INPUT_UNIT).clip(-MOST * INPUT_UNIT, MOST * INPUT_UNIT)
    return (whole / INPUT_UNIT).astype(np.float32, copy=False)
