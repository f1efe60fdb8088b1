"""Score sentences for each label with the trained networks in ``models/facets.npz``.

The input of a sentence is the sum of the embeddings of its words and their endings, and the other features of
``features.py``. One layer makes a vector of these; two convolutions over the sentences of the text add a context of up
to four sentences on each side; a last layer gives a score for each label. Transitions between labels have scores, too,
and the labels are the path of the highest sum (``decoding.py``). Each network was trained as a linear-chain conditional
random field by ``tools/train_facets.py``, which names the data; they differ by the seed, and their scores are summed.

Scores are bitwise reproducible on any machine and independent of the batch: weights are multiples of 2**-9 and layer
inputs of 2**-6, small enough for 32-bit floats to hold every sum of products exactly, in any order of summation. Only
sums, products, quotients, square roots and roundings are used.
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

#: Scale factors in the file: of layer weights, of word embeddings, and of scores (transitions and labels).
UNIT, VECTOR_UNIT, SCORE_UNIT = 512, 64, 1024
#: Scale factor and maximum of layer inputs.
INPUT_UNIT, MOST = 64, 8
#: Width in sentences of a convolution.
REACH = 5

# Ratio of sentences to distinct sentences from which repeated computations are shared.
_REPEATED = 4
# Codes of distinct rows must fit in 64 bits.
_MOST_CODES = 2**62

TRANSITIONS = ("start", "stop", "into")


class Network(NamedTuple):
    """Weights of the layers, as 32-bit floats.

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
    """Deduplicated inputs of the layers for n sentences: r input rows, w and f distinct windows of REACH.

    Attributes:
        rows: index of a sentence with each distinct row, shape (r,).
        near: windows of row indices, r where there is no sentence, shape (w, REACH).
        far: windows of indices into ``near``, w where there is no sentence, shape (f, REACH).
        kinds: index into ``far`` of each sentence, shape (n,).
    """

    rows: np.ndarray
    near: np.ndarray
    far: np.ndarray
    kinds: np.ndarray


class Model(NamedTuple):
    """Contents of the weights file: m networks whose scores are summed.

    Attributes:
        version: first digits of the SHA-256 of the file.
        about: JSON with the data, their licences, and the training.
        vectors: embeddings of words and endings, concatenated over the networks, shape (KEYS + 1, m * v), last row 0;
            int8, in units of 1 / VECTOR_UNIT.
        networks: the layers of each network.
        start: score of each label in first position, ``stop``: in last position, ``into[now, before]``: of a
            transition; integers like the scores, summed over the networks.
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
    """The packaged model, loaded once per process."""
    return load_model(PATH.read_bytes())


def load_model(data: bytes) -> Model:
    """Load a model from the bytes of a weights file."""
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
    """Score of each sentence for each of LABELS, in units of 1 / SCORE_UNIT: integers, shape (n, labels)."""
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
    """Controller of the numerical libraries, to use a single thread: matrices this small gain nothing from several.

    4,000 abstracts take 0.74 s of CPU time in one thread and 1.2 s in two; the elapsed time is 0.63 s in both cases.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def by_length(sizes: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Order of sequences by descending length, and the number of sequences with an element at each position."""
    import numpy as np

    return np.argsort(-sizes, kind="stable"), (len(sizes) - np.bincount(sizes).cumsum()[:-1]).tolist()


def _sum_vectors(vectors: np.ndarray, words: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sum the embeddings of each sentence's words, position by position, because reduceat is slower."""
    import numpy as np

    order, present = by_length(np.diff(starts, append=len(words)))
    first = starts[order]
    sums = np.zeros((len(starts), vectors.shape[1]), vectors.dtype)
    for place, count in enumerate(present):
        sums[:count] += vectors.take(words.take(first[:count] + place), axis=0)
    return sums[order.argsort()]


def _see_neighbours(known: Texts, places: np.ndarray) -> _Neighbours:
    """Inputs of the layers; deduplicated if most sentences are repetitions.

    So a repetitive text takes no longer than another text of the same length.
    """
    import numpy as np

    count = len(known.kinds)
    is_repeated = _REPEATED * len(known.starts) < count
    rows = kinds = np.arange(count)
    if is_repeated:
        moves = (places[1:] != places[:-1]).any(axis=1)
        stretches = np.append(0, moves.cumsum())
        rows, kinds = _different_rows(np.column_stack([stretches, known.kinds]))
    # Positions of the sentences in an array with padding before each text and after the last.
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
    """First index of each distinct row of small integers, and the number of the distinct row of each row."""
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
    """Integer scores of one network for each distinct window of ``seen.far``, shape (f, labels)."""
    import numpy as np

    entered = entering @ weights.enter + weights.enter_bias
    hidden = _round_values(entered / (1 + np.abs(entered)))
    near = _round_values(_convolve_rows(hidden, seen.near, weights.near, weights.near_bias))
    own = seen.far[:, REACH // 2]
    far = _round_values(near.take(own, axis=0) + _convolve_rows(near, seen.far, weights.far, weights.far_bias))
    left = np.hstack([far, hidden.take(seen.near[own, REACH // 2], axis=0)]) @ weights.leave + weights.leave_bias
    return np.rint(left * SCORE_UNIT).astype(np.int64)


def _convolve_rows(rows: np.ndarray, windows: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Apply one convolution with ReLU to windows of rows; index len(rows) is a row of zeros."""
    import numpy as np

    padded = np.pad(rows, [(0, 1), (0, 0)])
    return np.maximum(0, padded.take(windows, axis=0).reshape(len(windows), -1) @ weights + bias)


def _round_values(values: np.ndarray) -> np.ndarray:
    """Round and clip to the precision of layer inputs."""
    import numpy as np

    whole = np.rint(values * INPUT_UNIT).clip(-MOST * INPUT_UNIT, MOST * INPUT_UNIT)
    return (whole / INPUT_UNIT).astype(np.float32, copy=False)
