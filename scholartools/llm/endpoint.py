"""The endpoint of a model's calls, and whether a cached reply came from the same one."""

from __future__ import annotations

import os
from typing import NamedTuple

from scholartools.address import plain_address
from scholartools.llm.usage import budget

#: Stands for the provider's default address, if no variable gives one.
DEFAULT = "default"

# Variables from which litellm takes the address of providers for which they are not PROVIDER_API_BASE and
# PROVIDER_BASE_URL. The first that is set applies.
_VARIABLES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "text-completion-openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "ollama_chat": ("OLLAMA_API_BASE",),
    "ai21_chat": ("AI21_API_BASE",),
    "anthropic_text": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "azure_text": ("AZURE_API_BASE",),
    "bedrock": ("AWS_BEDROCK_RUNTIME_ENDPOINT",),
    "bedrock_converse": ("AWS_BEDROCK_RUNTIME_ENDPOINT",),
    "cohere_chat": ("COHERE_API_BASE",),
    "datarobot": ("DATAROBOT_ENDPOINT",),
    "featherless_ai": ("FEATHERLESS_AI_API_BASE", "FEATHERLESS_API_BASE"),
    "fireworks_ai": ("FIREWORKS_API_BASE",),
    "friendliai": ("FRIENDLI_API_BASE",),
    "gradient_ai": ("GRADIENT_AI_AGENT_ENDPOINT",),
    "huggingface": ("HF_API_BASE", "HUGGINGFACE_API_BASE"),
    "lambda_ai": ("LAMBDA_API_BASE",),
    "meta_llama": ("LLAMA_API_BASE",),
    "mistral": ("MISTRAL_AZURE_API_BASE", "MISTRAL_API_BASE"),
    "vertex_ai": ("VERTEXAI_API_BASE", "VERTEX_API_BASE"),
    "watsonx": ("WATSONX_API_BASE", "WATSONX_URL", "WX_URL", "WML_URL"),
}
# Default addresses of providers: setting the variable to one of them is equivalent to leaving it unset.
_OWN_ADDRESSES = {"openai": "https://api.openai.com/v1", "ollama": "http://localhost:11434"}

# Self-hosted servers, by the variable with their address: without it litellm would call the provider whose API they
# implement.
NEEDS_ADDRESS = {"hosted_vllm": "HOSTED_VLLM_API_BASE", "lm_studio": "LM_STUDIO_API_BASE"}
# Providers that have often been servers of the user's own; of these every version kept the address.
_OFTEN_LOCAL = ("openai", "hosted_vllm", "ollama", "ollama_chat")


class Endpoint(NamedTuple):
    """The source of a reply.

    Attributes:
        address: without user, password and query; :data:`DEFAULT` for the provider's own, None if unknown.
        name: user-defined name, shared by all endpoints that serve the same model; or None.
    """

    address: str | None
    name: str | None = None

    @property
    def shown(self) -> str | None:
        """The name, else the address, for messages."""
        return self.name or self.address

    def is_same(self, other: Endpoint) -> bool | None:
        """Whether replies of both endpoints are interchangeable; None if unknown."""
        if self.name and other.name:
            return self.name == other.name
        if self.address is None or other.address is None:
            return None
        return self.address == other.address


def endpoint_of_run(model: str, name: str | None) -> Endpoint:
    """Where calls to a model go, as the environment is now."""
    address = plain_address(address_of(model))
    own = _OWN_ADDRESSES.get(provider_of(model).removesuffix("_chat"))
    return Endpoint(DEFAULT if address in (None, own) else address, name)


def endpoint_of_kept(model: str, address: str | None, name: str | None) -> Endpoint:
    """The source of a cached reply.

    Earlier versions stored no address for a provider's default, nor for one that litellm took from a variable which
    they did not read.
    """
    if address is None and provider_of(model) in _OFTEN_LOCAL and "/" in model:
        address = DEFAULT
    return Endpoint(plain_address(address), name)


def provider_of(model: str) -> str:
    """The provider prefix of a model's name; for a bare name, the provider in litellm's table."""
    provider, slash, _ = model.partition("/")
    return provider if slash else budget.provider_of(model) or provider


def address_of(model: str) -> str | None:
    """The address of a model from a variable of its provider; None: the default address."""
    name = address_variable(model)
    return os.environ[name].strip() if name is not None else None


def address_variable(model: str) -> str | None:
    """The name of the variable with the address of a model, or None if none is set."""
    provider = provider_of(model)
    stem = provider.upper().replace("-", "_")
    names = _VARIABLES.get(provider, (f"{stem}_API_BASE", f"{stem}_BASE_URL"))
    return next((name for name in names if os.environ.get(name)), None)


def is_local(model: str) -> bool:
    """Whether a model is self-hosted or, for some providers, called at a user-defined address."""
    provider = model.split("/", 1)[0]
    if provider in NEEDS_ADDRESS or provider in ("ollama", "ollama_chat"):
        return True
    return provider in _OFTEN_LOCAL and address_variable(model) is not None
