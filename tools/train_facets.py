"""Trains the network of the built-in facet labels and writes its weights: ``make facet-model``.

The data are sentences of open abstracts with their facets: objects with ``source``, ``sentences`` and ``labels``, where
``a|b`` is a label known only up to a set. They are ``train.jsonl`` and ``qabstracts.jsonl`` (made by
``tools/qabstracts.py``) in the folder FACETS_DATA, and ``fixtures/facet-abstracts.jsonl``; what has another ``set``
than "train" is left out: "test", and "next", which waits for the next training. Nothing of them but the weights goes
into the package. They come from

- CSAbstruct, allenai/sequential_sentence_classification: Apache-2.0
- Evidence Inference, jayded/evidence-inference: MIT; articles of PMC's open access subset, each under its CC licence
- PubMedQA, pubmedqa/pubmedqa: MIT
- starter corpus of PLOS/allofplos: MIT; texts CC BY
- asreview/systematic-review-datasets: CC BY 4.0 or CC0
- serqco/qabstracts: CC BY 4.0
- arXiv's metadata: CC0; the labels are our own

The features are those of ``tasks/facets/features.py``. Trained is the likelihood of a linear-chain conditional random
field
over the labels of a text, a set of labels being the sum over the paths it allows. Words are dropped, and some texts are
cut down to a few of their sentences, as summaries are. The weights are a running mean over the steps, rounded as the
packaged networks compute. Each network has a seed of its own, from 1. It needs torch and some minutes on one core; on
one machine it always gives the same file.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from scholartools.signature import fingerprint
from scholartools.tasks.facets import cues as tables
from scholartools.tasks.facets import features
from scholartools.tasks.facets import network as packaged
from scholartools.tasks.facets.facet_sets import LABELS
from scholartools.tasks.facets.lexicon import KEYS
from scholartools.tasks.facets.phrases import CERTAINLY_CONCLUSION

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("FACETS_DATA", ROOT.parent / "shared" / "data" / "facets"))
OWN = ROOT / "fixtures" / "facet-abstracts.jsonl"

SETTINGS: dict[str, float] = {
    "vector": 32,
    "hidden": 64,
    "epochs": 12,
    "batch": 32,
    "rate": 0.004,
    "warm-up steps": 100,
    "word dropout": 0.7,
    "word identity dropout": 0.3,
    "dropout": 0.2,
    "mean decay": 0.99,
    "csabstruct weight": 2,
    "arxiv copies": 3,
    "qabstracts copies": 2,
    "share cut down": 0.6,
    "most left": 6,
    "networks": 3,
}
SOURCES = {
    "CSAbstruct": "Apache-2.0",
    "Evidence Inference": "MIT; texts PMC open access, CC",
    "PubMedQA": "MIT",
    "allofplos": "MIT; texts CC BY",
    "ASReview systematic review datasets": "CC BY 4.0 or CC0",
    "qabstracts": "CC BY 4.0",
    "arXiv": "metadata CC0; labels our own",
}


# CSAbstruct has one class for results and conclusions. Without one of these cues a sentence of it is taken as a result:
# else the last results of such abstracts would be taken for conclusions, as medical abstracts end with them.
_CONCLUDING = frozenset(
    [CERTAINLY_CONCLUSION]
    + [
        list(tables.CUES).index(name)
        for name in (
            "conclude",
            "suggest",
            "this study shows",
            "recommendation",
            "seeming",
            "implications",
            "discussed",
        )
    ]
)
# The last sentence of an abstract that may be either is taken as a conclusion if it says what results mean, not what
# was found.
_MEANING = frozenset(
    [CERTAINLY_CONCLUSION]
    + [list(tables.CUES).index(name) for name in ("conclude", "meaning of results", "seeming", "recommendation")]
)
_FOUND = frozenset(list(tables.CUES).index(name) for name in ("results show", "percent", "p value", "proof"))
_RESULT, _CONCLUSION = LABELS.index("result"), LABELS.index("conclusion")


class Example(NamedTuple):
    """One abstract: its sentences, the rows of their words, which labels each may have (n, labels), what it counts."""

    sentences: list[str]
    tokens: list[list[array[int]]]
    allowed: np.ndarray
    weight: float


class Batch(NamedTuple):
    """Texts side by side: b of them, of up to t sentences.

    Shapes: ``keys``, rows of the table of words, (k,); where each sentence's begin, ``starts``, and how many words it
    has, ``tokens``, (b * t,); ``dense`` (b, t, DENSE); ``allowed`` (b, t, labels); ``present`` (b, t);
    ``weights`` (b,).
    """

    keys: Tensor
    starts: Tensor
    tokens: Tensor
    dense: Tensor
    allowed: Tensor
    present: Tensor
    weights: Tensor


class Network(nn.Module):
    """The network of ``tasks/facets/network.py``, to be trained."""

    def __init__(self) -> None:
        super().__init__()
        vector, hidden = int(SETTINGS["vector"]), int(SETTINGS["hidden"])
        self.vectors = nn.EmbeddingBag(KEYS, vector, mode="sum")
        nn.init.normal_(self.vectors.weight, std=0.1)
        self.enter = nn.Linear(vector + features.DENSE, hidden)
        self.near = nn.Conv1d(hidden, hidden, packaged.REACH, padding=packaged.REACH // 2)
        self.far = nn.Conv1d(hidden, hidden, packaged.REACH, padding=packaged.REACH // 2)
        self.leave = nn.Linear(2 * hidden, len(LABELS))
        self.start = nn.Parameter(torch.zeros(len(LABELS)))
        self.stop = nn.Parameter(torch.zeros(len(LABELS)))
        self.after = nn.Parameter(torch.zeros(len(LABELS), len(LABELS)))
        self.dropout = nn.Dropout(SETTINGS["dropout"])

    def forward(self, batch: Batch) -> Tensor:
        """The scores of each sentence, shape (b, t, labels)."""
        words = self.vectors(batch.keys, batch.starts) / batch.tokens.clamp(min=1).sqrt().unsqueeze(1)
        present = batch.present.unsqueeze(2)
        entered = self.enter(torch.cat([words.view(*batch.present.shape, -1), batch.dense], 2))
        hidden = self.dropout(nn.functional.softsign(entered)) * present
        near = torch.relu(_along(self.near, hidden)) * present
        far = near + torch.relu(_along(self.far, self.dropout(near))) * present
        return self.leave(torch.cat([self.dropout(far), hidden], 2))

    def loss(self, batch: Batch) -> Tensor:
        """The mean negative log likelihood of the labels, per sentence."""
        scores = self(batch)
        likely = self._log_sum(scores.masked_fill(~batch.allowed, -1e4), batch.present)
        return ((self._log_sum(scores, batch.present) - likely) * batch.weights).sum() / batch.present.sum()

    def _log_sum(self, scores: Tensor, present: Tensor) -> Tensor:
        """The log of the sum over all paths of the exponential of their scores, shape (b,)."""
        totals = self.start + scores[:, 0]
        for place in range(1, scores.shape[1]):
            reached = torch.logsumexp(totals.unsqueeze(2) + self.after, 1) + scores[:, place]
            totals = torch.where(present[:, place : place + 1] > 0, reached, totals)
        return torch.logsumexp(totals + self.stop, 1)


def _along(layer: nn.Conv1d, rows: Tensor) -> Tensor:
    return layer(rows.transpose(1, 2)).transpose(1, 2)


# Data


def examples(path: Path) -> list[Example]:
    """The abstracts of a file that are for training, those of small sources several times."""
    with path.open(encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if record.get("set", "train") == "train"]
    copies = [int(SETTINGS.get(f"{record['source']} copies", 1)) for record in records]
    return [example for record, times in zip(records, copies) for example in [_example(record)] * times]


def _example(record: dict[str, Any]) -> Example:
    sentences = record["sentences"]
    tokens = [features.token_rows(sentence) for sentence in sentences]
    allowed = np.array([[label in known.split("|") for label in LABELS] for known in record["labels"]])
    last = features.find_cues(sentences[-1])
    if allowed[-1, _RESULT] and allowed[-1, _CONCLUSION] and last & _MEANING and not last & _FOUND:
        allowed[-1] = np.arange(len(LABELS)) == _CONCLUSION
    if record["source"] != "csabstruct":
        return Example(sentences, tokens, allowed, 1)
    for sentence, labels in zip(sentences, allowed):
        if labels[_RESULT] and _CONCLUDING.isdisjoint(features.find_cues(sentence)):
            labels[_CONCLUSION] = False
    return Example(sentences, tokens, allowed, SETTINGS["csabstruct weight"])


def cut_down(example: Example, random: np.random.Generator) -> Example:
    """Some of the sentences: neighbours, or any in order."""
    count = len(example.sentences)
    size = int(random.integers(1, max(2, min(count, SETTINGS["most left"] + 1))))
    first = int(random.integers(0, count - size + 1))
    scattered = np.sort(random.choice(count, size, replace=False))
    kept = scattered if random.random() < 0.5 else np.arange(first, first + size)
    sentences, tokens = ([whole[place] for place in kept] for whole in (example.sentences, example.tokens))
    return Example(sentences, tokens, example.allowed[kept], example.weight)


def epoch(data: list[Example], random: np.random.Generator) -> Iterator[Batch]:
    """Every abstract once, in batches of about one length."""
    size = int(SETTINGS["batch"])
    drawn = [data[place] for place in random.permutation(len(data))]
    drawn = [cut_down(one, random) if random.random() < SETTINGS["share cut down"] else one for one in drawn]
    for first in range(0, len(drawn), 8 * size):
        alike = sorted(drawn[first : first + 8 * size], key=lambda one: len(one.sentences))
        groups = [alike[place : place + size] for place in range(0, len(alike), size)]
        for place in random.permutation(len(groups)):
            yield batch_of(groups[place], random)


def batch_of(group: list[Example], random: np.random.Generator) -> Batch:
    """Some abstracts side by side, with words dropped."""
    longest = max(len(one.sentences) for one in group)
    shape = (len(group), longest)
    dense = np.zeros((*shape, features.DENSE), np.float32)
    allowed = np.ones((*shape, len(LABELS)), bool)
    present = np.zeros(shape, np.float32)
    keys: list[int] = []
    starts, tokens = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
    for row, one in enumerate(group):
        count = len(one.sentences)
        dense[row, :count] = features.assemble_features([one.sentences]).dense
        allowed[row, :count] = one.allowed
        present[row, :count] = 1
        for place in range(longest):
            starts[row, place] = len(keys)
            if place < count:
                kept = _kept(one.tokens[place], random)
                tokens[row, place] = len(kept)
                keys += [key for token in kept for key in token]
    arrays = (np.array([*keys, 0]), starts.reshape(-1), tokens.reshape(-1), dense, allowed, present)
    weights = torch.tensor([one.weight for one in group], dtype=torch.float32)
    return Batch(*map(torch.from_numpy, arrays), weights)


def _kept(tokens: list[array[int]], random: np.random.Generator) -> list[array[int]]:
    """The words that are not dropped, some of them by their endings only."""
    chances = random.random((2, len(tokens))).tolist()
    return [
        token[1:] if whole < SETTINGS["word identity dropout"] and len(token) > 1 else token
        for token, chance, whole in zip(tokens, *chances)
        if chance >= SETTINGS["word dropout"]
    ]


# Training


def train(data: list[Example], seed: int) -> Network:
    """The network whose weights are the running mean over the steps of training."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    network = Network()
    mean = copy.deepcopy(network)
    optimizer = torch.optim.Adam(network.parameters())
    steps = int(SETTINGS["epochs"]) * math.ceil(len(data) / SETTINGS["batch"])
    step = 0
    for number in range(int(SETTINGS["epochs"])):
        losses = []
        for batch in epoch(data, random):
            step += 1
            optimizer.param_groups[0]["lr"] = rate(step, steps)
            losses.append(_step(network, optimizer, batch))
            _follow(mean, network, min(SETTINGS["mean decay"], step / (step + 10)))
        print(f"epoch {number + 1}: loss {np.mean(losses):.4f}", flush=True)
    return mean


def rate(step: int, steps: int) -> float:
    """The learning rate: rising to its height, then falling by a cosine."""
    warm = min(1, step / SETTINGS["warm-up steps"])
    return SETTINGS["rate"] * (warm * (1 + math.cos(math.pi * step / steps)) / 2) + 1e-5


def _step(network: Network, optimizer: torch.optim.Optimizer, batch: Batch) -> float:
    loss = network.loss(batch)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5)
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def _follow(mean: Network, network: Network, decay: float) -> None:
    for average, current in zip(mean.parameters(), network.parameters()):
        average.lerp_(current, 1 - decay)


# The file


def weights(networks: list[Network]) -> dict[str, np.ndarray]:
    """The arrays of the weights file, as ``tasks/facets/network.py`` reads them."""
    arrays = [_arrays(network) for network in networks]
    together = {name: np.stack([own[name] for own in arrays]) for name in packaged.Network._fields}
    together["vectors"] = np.hstack([own["vectors"] for own in arrays])
    return together | {name: sum(own[name].astype(np.int32) for own in arrays) for name in packaged.TRANSITIONS}


def _arrays(network: Network) -> dict[str, np.ndarray]:
    entered, left = network.enter.weight.T, network.leave.weight.T
    # Convolutions: from (out, in, place) to one row for each input of each place.
    near, far = (
        layer.weight.permute(2, 1, 0).reshape(-1, layer.weight.shape[0]) for layer in (network.near, network.far)
    )
    layers = {"enter": entered, "near": near, "far": far, "leave": left}
    biases = {f"{name}_bias": getattr(network, name).bias for name in layers}
    transitions = {"start": network.start, "stop": network.stop, "into": network.after.T}
    return {
        "vectors": _whole(network.vectors.weight, packaged.VECTOR_UNIT, np.int8),
        **{name: _whole(array, packaged.UNIT, np.int16) for name, array in {**layers, **biases}.items()},
        **{name: _whole(array, packaged.SCORE_UNIT, np.int16) for name, array in transitions.items()},
    }


def _whole(array: Tensor, unit: int, kind: type) -> np.ndarray:
    limits = np.iinfo(kind)
    return np.rint(array.detach().double().numpy() * unit).clip(limits.min, limits.max).astype(kind)


def about() -> str:
    """What the file says of itself, as JSON."""
    told = {"cues": fingerprint(tables.CUES), "sources": SOURCES, "settings": SETTINGS, "torch": torch.__version__}
    return json.dumps(told, sort_keys=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the built-in facet labels.")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with train.jsonl and qabstracts.jsonl")
    parser.add_argument("--qabstracts", type=Path, help="that file, where it is elsewhere")
    parser.add_argument("--output", type=Path, default=packaged.PATH)
    given = parser.parse_args()
    paths = [given.data / "train.jsonl", given.qabstracts or given.data / "qabstracts.jsonl", OWN]
    for path in paths:
        if not path.is_file():
            parser.exit(
                2, f"train_facets: no {path.name} in {path.parent}: set FACETS_DATA to the folder that has it\n"
            )
    torch.set_num_threads(1)
    data = [example for path in paths for example in examples(path)]
    networks = [train(data, seed) for seed in range(1, int(SETTINGS["networks"]) + 1)]
    given.output.parent.mkdir(exist_ok=True)
    np.savez(given.output, about=np.array(about()), **weights(networks))
    print(f"{given.output}: {given.output.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
