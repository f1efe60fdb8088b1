"""The trained networks that score sentences for each label, from the weights in ``models/facets.npz``.

A sentence is the sum of the vectors of its words and their endings, and what else ``_facet_features.py`` says of it. A
layer makes one vector of that; two convolutions over the sentences of the text add what stands up to four sentences
before and after; a last layer gives a score for each label. Which label follows which has scores of its own: the labels
are the path of the highest sum (``_facet_rules.py``). Each network was trained as a linear-chain conditional random
field, by ``tools/train_facets.py``, which names the data; they differ by the seed, and their scores are added up.

The same text gives the same scores to the bit, on any machine and whatever else is labelled beside it: weights and the
inputs of every layer are multiples of 2**-10, and so small that a double holds each sum of their products exactly, in
whatever order it is made. Nothing else is computed than sums, products, quotients, square roots and roundings.
"""

from __future__ import annotations

import functools
import hashlib
import io
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scholartools.tasks._facet_features import Texts

if TYPE_CHECKING:
    import numpy as np

PATH = Path(__file__).parent.parent / "models" / "facets.npz"

#: What 1 is in the file, for the weights of layers and for the vectors of words.
UNIT, VECTOR_UNIT = 1024, 64
#: Of how many sentences a convolution sees each one's neighbourhood.
REACH = 5

TRANSITIONS = ("start", "stop", "into")

Row = list[int]


class Network(NamedTuple):
    """The weights of the layers, as doubles.

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


class Model(NamedTuple):
    """What is in the file: m networks whose scores are added up.

    Attributes:
        version: the first digits of the SHA-256 of the file.
        about: JSON: the data, their licences, how it was trained.
        vectors: of words and endings, for each network side by side, shape (KEYS + 1, m * v), the last one 0; int8, in
            parts of VECTOR_UNIT.
        networks: the layers of each.
        start: the score of each label as the first, ``stop``: as the last, and ``into[now][before]``: of each after
            another; whole numbers, as scores are, of all networks together.
    """

    version: str
    about: str
    vectors: np.ndarray
    networks: list[Network]
    start: Row
    stop: Row
    into: list[Row]


@functools.cache
def model() -> Model:
    """The packaged model, read once a process."""
    return load(PATH.read_bytes())


def load(data: bytes) -> Model:
    """The model in the bytes of a weights file."""
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return Model(
            version=hashlib.sha256(data).hexdigest()[:12],
            about=str(file["about"]),
            vectors=np.pad(file["vectors"], [(0, 1), (0, 0)]),
            networks=[Network(*layers) for layers in zip(*(file[name] / UNIT for name in Network._fields))],
            **{name: file[name].tolist() for name in TRANSITIONS},
        )


def scores(known: Texts) -> list[list[Row]]:
    """For each sentence of each text its score for each of LABELS, in parts of UNIT."""
    import numpy as np

    vectors, networks = model().vectors, model().networks
    sums = np.add.reduceat(vectors.take(known.keys, axis=0), known.starts, axis=0, dtype=np.int32)
    words = _rounded(sums / VECTOR_UNIT / np.sqrt(known.tokens)[:, None])
    dense = _rounded(known.dense)
    # Where each sentence stands when zeros for its neighbours stand before each text and after the last.
    own = np.arange(len(words)) + np.repeat(np.arange(1, len(known.counts) + 1) * (REACH // 2), known.counts)
    parts = zip(np.hsplit(words, len(networks)), networks)
    scored = [_scored(np.hstack([part, dense]), own, network) for part, network in parts]
    rows = iter(np.sum(scored, axis=0).tolist())
    return [[*islice(rows, count)] for count in known.counts]


def _scored(entering: np.ndarray, own: np.ndarray, weights: Network) -> np.ndarray:
    """One network's scores, whole numbers, shape (n, labels)."""
    import numpy as np

    entered = entering @ weights.enter + weights.enter_bias
    hidden = _rounded(entered / (1 + np.abs(entered)))
    near = _rounded(_convolved(hidden, own, weights.near, weights.near_bias))
    far = near + _rounded(_convolved(near, own, weights.far, weights.far_bias))
    left = np.hstack([far, hidden]) @ weights.leave + weights.leave_bias
    return np.rint(left * UNIT).astype(np.int64)


def _convolved(rows: np.ndarray, own: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Each row's neighbourhood through one layer, what is below 0 cut off; ``own``: the places of the rows."""
    import numpy as np

    count, width = rows.shape
    padded = np.zeros((own[-1] + 1 + REACH // 2, width))
    padded[own] = rows
    neighbours = padded.take(own[:, None] + np.arange(-(REACH // 2), REACH // 2 + 1), axis=0)
    return np.maximum(0, neighbours.reshape(count, REACH * width) @ weights + bias)


def _rounded(values: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.rint(values * UNIT) / UNIT
