"""Contextual token embeddings from one layer of a transformers model, as used by BERTScore."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scholartools.errors import UsageFault
from scholartools.signature import library
from scholartools.text.embeddings.sentence import (
    content_hash,
    model_folder,
    replace_surrogates,
    undisturbed_logging,
)

if TYPE_CHECKING:
    from numpy import ndarray

# Tokenizers without a length limit report about 1e30.
_NO_LIMIT = 10**6


@dataclass(frozen=True)
class TokenVectors:
    """Contextual embeddings of the tokens of one text.

    Attributes:
        vectors: array (tokens, dimensions) of float32, not normalised.
        is_text: array (tokens,), False for special tokens such as [CLS] and [SEP].
    """

    vectors: ndarray
    is_text: ndarray


@functools.cache
def contextual_model(spec: str) -> ContextualModel:
    """Load the model of ``MODEL:LAYER``, once per process.

    Args:
        spec: a folder with a transformers model, the name of an installed package that contains one (both read without
            network access), or a name on the Hugging Face hub; then a colon and the layer, 0 for the input embeddings.
            BERTScore recommends the layer that correlates best with human scores: 17 of roberta-large, 9 of
            bert-base-uncased (Zhang et al. 2020, appendix B).

    Raises:
        UsageFault: there is no such model or layer, or the library is not installed.
    """
    name, _, layer = spec.rpartition(":")
    if not name or not (layer.isascii() and layer.isdigit()):
        raise UsageFault(f'"{spec}" is not a model and its layer in the form MODEL:LAYER, such as roberta-large:17')
    folder = model_folder(name, "config.json", "transformers model")
    return ContextualModel(name if folder is None else str(folder), int(layer), local=folder is not None)


class ContextualModel:
    """One layer of a transformers model.

    Attributes:
        name: the libraries, the model's content, the layer and the device: part of every signature.
        limit: maximum length in tokens, special tokens included; the rest of a text is ignored.
    """

    def __init__(self, model: str, layer: int, *, local: bool) -> None:
        tokenizers, models = _import_transformers()
        with undisturbed_logging():
            try:
                # Byte-level tokenizers encode a word differently without a space before it; add one at the start of the
                # text.
                self._tokenizer = tokenizers.from_pretrained(model, local_files_only=local, add_prefix_space=True)
                self._model = models.from_pretrained(model, local_files_only=local).float().eval()
            except Exception as fault:  # it raises whatever the hub, the files or torch raise
                raise UsageFault(f'no model "{model}": {fault}') from None
        n_layers = self._model.config.num_hidden_layers
        if layer > n_layers:
            raise UsageFault(f'"{model}" has the layers 0 to {n_layers}, and no layer {layer}')
        self._layer, self.limit = layer, self._token_limit()
        # Pooler weights that the files lack are initialised at random; they are unused, so leave them out of the hash.
        weights = {name: part for name, part in self._model.state_dict().items() if not name.startswith("pooler.")}
        content = content_hash(f"{self._model} {self.limit}", self._tokenizer, weights)
        label = content if local else f"{model}@{content}"
        device = _to_graphics_card(self._model)
        self.name = "/".join([library("transformers"), library("torch"), label, f"layer-{layer}", device])

    def tokens(self, text: str) -> TokenVectors:
        """Embed the tokens of one text. Texts are not batched, because padding would change the last digits."""
        import torch

        parts = self._tokenizer(
            replace_surrogates(text).strip(), truncation=True, max_length=self.limit, return_special_tokens_mask=True,
            return_tensors="pt",
        )  # fmt: skip
        special = parts.pop("special_tokens_mask")[0].bool().numpy()
        with torch.inference_mode():
            made = self._model(**parts.to(self._model.device), output_hidden_states=True)
        return TokenVectors(made.hidden_states[self._layer][0].cpu().numpy(), ~special)

    def too_long(self, texts: Sequence[str]) -> list[int]:
        """Indices of the texts that exceed the limit and were truncated."""
        return [place for place, text in enumerate(texts) if self._n_tokens(text) > self.limit]

    def _n_tokens(self, text: str) -> int:
        return len(self._tokenizer(replace_surrogates(text).strip(), truncation=False, verbose=False)["input_ids"])

    def _token_limit(self) -> int:
        own = self._tokenizer.model_max_length
        return own if own < _NO_LIMIT else self._model.config.max_position_embeddings


def _to_graphics_card(model: Any) -> str:
    """Move a model to the GPU if there is one, and return the device type."""
    import torch

    return str(model.to("cuda" if torch.cuda.is_available() else "cpu").device.type)


def _import_transformers() -> tuple[Any, Any]:
    """The classes that load tokenizers and models."""
    try:
        import torch  # noqa: F401
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar, set_verbosity_error
    except ImportError:
        raise UsageFault(
            "BERTScore needs torch and transformers: pip install 'scholartools[bertscore]', "
            "with the CPU build of torch if there is no graphics card"
        ) from None
    disable_progress_bar()  # progress of loading weights
    set_verbosity_error()  # it warns of unused weights
    return AutoTokenizer, AutoModel
