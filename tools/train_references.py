"""Trains the weights of ``readers/references/tagger.py`` and writes them: ``make reference-model``.

REFERENCES_DATA names a folder with ``train.jsonl``: a line a reference, {"text", "spans": [[label, start, end], ...]},
with labels A authors, T title, J container, D date, E editors. What we trained on: English and German references of
EXCITE (github.com/exciteproject/Exparser, GPL-3.0) and those of ParsCit (github.com/knmnyn/ParsCit, LGPL-3.0), of each
the half that a lot chose, 4,600 in all, and 10,000 that a script printed in random styles from bibliographies of open
papers. Nothing of them but the weights goes into the package.

``trust.jsonl`` has {"text", "title"} of references by which what speaks for a title is weighed; without ``train.jsonl``
only these weights are fitted anew. Ours: 2,085 of UMass (github.com/mmcmahon13/umass-citation, without a licence),
none of which the chain has seen, and 1,020 of EXCITE and ParsCit, by lot over documents, of which it has seen some.

The weights of the chain are those of a conditional random field, with a squared penalty, by L-BFGS, as whole numbers;
those of evidence are of a logistic regression. The same data give the same file on one machine.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from scholartools.readers.references.names import leading_names
from scholartools.readers.references.tagger import LABELS, PATH, UNIT, Token, keys_of, read, tokenize
from scholartools.readers.references.titles import evidence_of, find_title, title_read
from scholartools.readers.references.trust import letters_of

FEWEST = 4
STRENGTH = 0.6
STEPS = 120
LEAST = 2
BATCH = 400  # references of like length that are summed at once
SIZE = len(LABELS)
_EDGES = frozenset(",.;:()[]“”\"'‘’«»„`")
_JOINED = 14  # letters between two authors at most


def main() -> int:
    folder = os.environ.get("REFERENCES_DATA")
    if not folder:
        print("train_references: REFERENCES_DATA names no folder", file=sys.stderr)
        return 2
    if (Path(folder) / "train.jsonl").is_file():
        train_chain(lines_of(Path(folder) / "train.jsonl"))
    with np.load(PATH, allow_pickle=False) as file:
        found = dict(file)
    np.savez_compressed(PATH, **found | {"trust": fit_trust(lines_of(Path(folder) / "trust.jsonl"))})
    print(f"{PATH.stat().st_size:,} bytes")
    return 0


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def train_chain(data: list[dict[str, Any]]) -> None:
    """Trains and writes the chain, with weights of evidence that are still to be fitted."""
    keys, weights, transitions = train(data)
    kept = np.flatnonzero(abs(weights).max(1) >= LEAST)
    words = "\n".join(keys[row] for row in kept).encode()
    np.savez_compressed(
        PATH,
        keys=np.frombuffer(words, np.uint8),
        weights=weights[kept].clip(-127, 127).astype(np.int8),
        transitions=transitions,
        trust=np.zeros(0, np.float32),
    )
    print(f"{len(data)} references, {len(kept)} of {len(keys)} keys")


def fit_trust(data: list[dict[str, Any]]) -> Any:
    """What each kind of evidence for a title of the tagger weighs."""
    rows, right = [], []
    for at in range(0, len(data), BATCH):
        texts = [one["text"] for one in data[at : at + BATCH]]
        for text, one, reading in zip(texts, data[at : at + BATCH], read(texts)):
            if found := title_read(text, reading):
                names = leading_names(text)
                rows.append(evidence_of(text, found, find_title(text, names), names, reading))
                right.append(found.letters == letters_of(one["title"] or ""))
    return logistic(np.array(rows, float), np.array(right)).astype(np.float32)


def logistic(rows: Any, right: Any) -> Any:
    """The weights of a logistic regression, with a squared penalty on all but the first."""
    signs = np.where(right, 1.0, -1.0)
    penalty = np.concatenate([[0.0], np.ones(rows.shape[1] - 1)])

    def loss(weights: Any) -> tuple[float, Any]:
        held = signs * (rows @ weights)
        slope = -rows.T @ (signs / (1 + np.exp(held))) + penalty * weights
        return np.logaddexp(0, -held).sum() + 0.5 * (penalty * weights**2).sum(), slope

    return minimize(loss, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x


def labels_of(tokens: list[Token], spans: list[list[Any]]) -> list[int]:
    """The label of each token; signs at the edges of a part belong to none."""
    found = [LABELS.index("O")] * len(tokens)
    for label, start, end in join_authors(spans):
        inside = [at for at, token in enumerate(tokens) if token.start >= start and token.end <= end]
        edges = _EDGES - {"."} if label == "A" else _EDGES
        while inside and tokens[inside[-1]].word in edges:
            inside.pop()
        while inside and tokens[inside[0]].word in edges:
            inside.pop(0)
        for place, at in enumerate(inside):
            found[at] = LABELS.index("B" if label == "T" and not place else label)
    return found


def join_authors(spans: list[list[Any]]) -> list[list[Any]]:
    """The spans, authors that follow each other as one."""
    joined: list[list[Any]] = []
    for label, start, end in sorted(spans, key=lambda span: span[1]):
        if label == "A" and joined and joined[-1][0] == "A" and start - joined[-1][2] < _JOINED:
            joined[-1][2] = end
        else:
            joined.append([label, start, end])
    return joined


def train(data: list[dict[str, Any]]) -> tuple[list[str], Any, Any]:
    """The keys, their weights and those of transitions, in units."""
    listed = sorted(((tokenize(one["text"]), one) for one in data), key=lambda pair: len(pair[0]))
    listed = [(tokens, one) for tokens, one in listed if len(tokens) > 3]
    counts: Counter[str] = Counter()
    for tokens, one in listed:
        for keys in keys_of(tokens, one["text"]):
            counts.update(keys)
    index = {key: row for row, key in enumerate(key for key, count in counts.items() if count >= FEWEST)}
    columns, ends = [], [0]
    for tokens, one in listed:
        for keys in keys_of(tokens, one["text"]):
            columns += [index[key] for key in keys if key in index]
            ends.append(len(columns))
    held = csr_matrix((np.ones(len(columns), np.float32), columns, ends), shape=(len(ends) - 1, len(index)))
    gold = np.array([label for tokens, one in listed for label in labels_of(tokens, one["spans"])])
    chains = Chains(held, gold, np.array([len(tokens) for tokens, _ in listed]))
    least = minimize(chains.loss, np.zeros((len(index) + SIZE) * SIZE), jac=True, method="L-BFGS-B",
                     options={"maxiter": STEPS, "maxcor": 6})  # fmt: skip
    weights, transitions = chains.parts(least.x)
    return list(index), np.rint(weights * UNIT).astype(int), np.rint(transitions * UNIT).astype(int)


class Chains:
    """All references as chains: the penalised negative log likelihood of their labels, and its gradient."""

    def __init__(self, held: Any, gold: Any, lengths: Any) -> None:
        self.held, self.turned, self.gold = held, held.T.tocsr(), gold
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        follows = np.ones(len(gold), bool)
        follows[starts] = False
        self.later = np.flatnonzero(follows)
        self.marked = np.zeros((len(gold), SIZE), np.float32)
        self.marked[np.arange(len(gold)), gold] = 1
        self.pairs = np.zeros((SIZE, SIZE))
        np.add.at(self.pairs, (gold[self.later - 1], gold[self.later]), 1)
        self.batches = []
        for first in range(0, len(lengths), BATCH):
            own, size = starts[first : first + BATCH], lengths[first : first + BATCH]
            steps = np.arange(size.max())[None]
            inside = steps < size[:, None]
            self.batches.append((np.where(inside, own[:, None] + steps, 0), inside))

    def parts(self, values: Any) -> tuple[Any, Any]:
        return values[: -SIZE * SIZE].reshape(-1, SIZE), values[-SIZE * SIZE :].reshape(SIZE, SIZE)

    def loss(self, values: Any) -> tuple[float, Any]:
        weights, transitions = self.parts(values)
        scores = (self.held @ weights.astype(np.float32)).astype(float)
        likely, of_labels, of_pairs = self.expected(scores, transitions)
        right = scores[np.arange(len(self.gold)), self.gold].sum() + (transitions * self.pairs).sum()
        turns = self.turned @ (of_labels - self.marked)
        gradient = np.concatenate([turns.ravel(), (of_pairs - self.pairs).ravel()]) + STRENGTH * values
        return likely - right + 0.5 * STRENGTH * (values @ values), gradient

    def expected(self, scores: Any, transitions: Any) -> tuple[float, Any, Any]:
        """The log of the sum over all chains, and what they have on average of labels and of pairs."""
        turn, highest = np.exp(transitions - transitions.max()), scores.max(1, keepdims=True)
        values = np.exp(scores - highest)
        total = highest.sum() + transitions.max() * len(self.later)
        of_labels, of_pairs = np.zeros_like(self.marked), np.zeros((SIZE, SIZE))
        for rows, inside in self.batches:
            own = values[rows]
            ahead, scale = np.empty_like(own), np.ones(rows.shape)
            step = own[:, 0]
            for at in range(rows.shape[1]):
                step = (ahead[:, at - 1] @ turn) * own[:, at] if at else step
                kept = inside[:, at]
                scale[:, at] = np.where(kept, step.sum(1), 1)
                ahead[:, at] = np.where(kept[:, None], step / scale[:, at, None], ahead[:, at - 1] if at else step)
            total += np.log(scale).sum()
            behind, found = np.ones((len(rows), SIZE)), ahead.copy()
            for at in range(rows.shape[1] - 2, -1, -1):
                kept = inside[:, at + 1]
                after = own[:, at + 1] * behind / scale[:, at + 1, None]
                of_pairs += np.einsum("ni,ij,nj->ij", ahead[:, at] * kept[:, None], turn, after)
                behind = np.where(kept[:, None], after @ turn.T, 1.0)
                found[:, at] = ahead[:, at] * behind
            of_labels[rows[inside]] = (found / found.sum(2, keepdims=True))[inside]
        return total, of_labels, of_pairs


if __name__ == "__main__":
    sys.exit(main())
