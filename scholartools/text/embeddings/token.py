"""Vectors of a text's tokens in their context, from a layer of any transformers model: what BERTScore compares."""

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

# A tokenizer without a limit of its own says it is about 1e30.
_NO_LIMIT = 10**6


@dataclass(frozen=True)
class TokenVectors:
    """A text's tokens.

    Attributes:
        vectors: array (tokens, dimensions) of float32, of any length.
        is_text: array (tokens,), False for what the model puts around a text, such as [CLS] and [SEP].
    """

    vectors: ndarray
    is_text: ndarray


@functools.cache
def contextual_model(spec: str) -> ContextualModel:
    """The model of ``MODEL:LAYER``; a second call with the same gives the same one.

    Args:
        spec: a folder with a transformers model, the name of an installed package that carries one (both read without
            network), or a name on its hub; then a colon and which of its layers to take, 0 for the embeddings. For
            BERTScore the layer that went best with people's scores is meant: 17 of roberta-large, 9 of
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
        limit: tokens a text may have, with those put around it; what is beyond is not read.
    """

    def __init__(self, model: str, layer: int, *, local: bool) -> None:
        tokenizers, models = _import_transformers()
        with undisturbed_logging():
            try:
                # Models with byte-level tokens know a word at the start of a text by a space before it.
                self._tokenizer = tokenizers.from_pretrained(model, local_files_only=local, add_prefix_space=True)
                self._model = models.from_pretrained(model, local_files_only=local).float().eval()
            except Exception as fault:  # it raises whatever the hub, the files or torch raise
                raise UsageFault(f'no model "{model}": {fault}') from None
        n_layers = self._model.config.num_hidden_layers
        if layer > n_layers:
            raise UsageFault(f'"{model}" has the layers 0 to {n_layers}, and no layer {layer}')
        self._layer, self.limit = layer, self._token_limit()
        # What pools tokens is made up at random where the files lack it, and is not used.
        weights = {name: part for name, part in self._model.state_dict().items() if not name.startswith("pooler.")}
        content = content_hash(f"{self._model} {self.limit}", self._tokenizer, weights)
        label = content if local else f"{model}@{content}"
        device = _to_graphics_card(self._model)
        self.name = "/".join([library("transformers"), library("torch"), label, f"layer-{layer}", device])

    def tokens(self, text: str) -> TokenVectors:
        """The tokens of one text; each text goes alone, for padding would change the last digits."""
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
        """The places of the texts that are longer than the limit, and were read only up to it."""
        return [place for place, text in enumerate(texts) if self._n_tokens(text) > self.limit]

    def _n_tokens(self, text: str) -> int:
        return len(self._tokenizer(replace_surrogates(text).strip(), truncation=False, verbose=False)["input_ids"])

    def _token_limit(self) -> int:
        own = self._tokenizer.model_max_length
        return own if own < _NO_LIMIT else self._model.config.max_position_embeddings


def _to_graphics_card(model: Any) -> str:
    """Move a model where it is fastest; the kind of the device."""
    import torch

    return str(model.to("cuda" if torch.cuda.is_available() else "cpu").device.type)


def _import_transformers() -> tuple[Any, Any]:
    """What loads tokenizers and models."""
    try:
        import torch  # noqa: F401
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils.logging import disable_progress_bar, set_verbosity_error
    except ImportError:
        raise UsageFault(
            "BERTScore needs torch and transformers: pip install 'scholartools[bertscore]', "
            "with the CPU build of torch if there is no graphics card"
        ) from None
    disable_progress_bar()  # of the loading of weights
    set_verbosity_error()  # it warns of weights that are not used
    return AutoTokenizer, AutoModel
