"""Settings of a model and its calls, with their validation."""

from __future__ import annotations

import math
import numbers
import os
import sys
from dataclasses import dataclass
from typing import Any

from scholartools.errors import UsageFault
from scholartools.llm.sampling import AS_THE_RUN, Sampling
from scholartools.parameters import parameter
from scholartools.vocabulary import AUTO, RESPONSE_FORMATS


@dataclass(frozen=True, eq=False)  # compared and hashed by identity, which is fast: this happens for each record
class Settings:
    """Settings for the calls of a language model, like the model options of the commands.

    ``model``, ``temperature``, ``top_p``, ``max_tokens``, ``seed``, ``samples``, ``namespace``, ``prompt_dir`` and
    ``response_format`` change the replies of the model, and are part of every cache key and signature. The other
    attributes of ``Settings`` change only the speed, reliability and cost of a run.

    Attributes:
        model: name of a model in litellm, e.g. ``openai/gpt-4o-mini``, ``ollama/llama3.1``, ``hosted_vllm/my-model``.
        seed: random seed of the first sample of a prompt; the seed of the next sample is ``seed + 1``, and so on.
        samples: number of independent replies of the model to each prompt.
        response_format: one of ``vocabulary.RESPONSE_FORMATS``. With "auto", the first of the other formats that the
            server accepts is used.
        namespace: name of a separate part of the cache for the replies, e.g. for a second independent run.
        concurrency: maximum number of calls that are sent at the same time.
        timeout: maximum time of one call in seconds.
        retries: maximum number of retries of a call after a transient error. After a rate limit, the maximum is three
            times as high.
        max_wait: maximum pause in seconds that a provider may ask for. The run ends if the provider asks for a longer
            pause, or refuses every call for ``max_wait`` seconds.
        max_reply: maximum size of a decompressed reply of the model in megabytes.
        max_cost: maximum cost of this run in USD.
        max_calls: maximum number of calls of this run, including retries.
        budget: name of a budget that several runs share. ``max_cost`` and ``max_calls`` then limit the sum over all
            runs with the same budget. The budget is stored beside the cache.
        batch: folder for files of prompts and replies. The prompts are sent as batches of at most ``part_size``
            prompts, at the batch price of the provider.
        batch_wait: maximum time in seconds that a run waits for the replies to its batches.
        batch_file: folder for files of at most ``part_size`` prompts, which another program answers. Only the commands,
            not the Python functions, support ``batch_file``.
        several_per_call: whether one call asks for all samples of a prompt, if the server supports the parameter ``n``.
        endpoint_name: common name of several servers of the same model, which share their cached replies.
        any_endpoint: whether cached replies of any server are used.
        shortened_by: name of the parameter by which a task splits its texts into shorter ones; error messages about
            long texts name it.
    """

    model: str = ""  # required; the default lets the check below report a missing name
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    samples: int = 1
    namespace: str | None = None
    prompt_dir: str | None = None
    response_format: str = AUTO

    concurrency: int = 8
    timeout: float = 120.0
    retries: int = 4
    max_wait: float = 600.0
    max_reply: float = 64.0
    max_cost: float | None = None
    max_calls: int | None = None
    budget: str | None = None
    batch: str | None = None
    batch_wait: float = 86_400.0
    batch_file: str | None = None
    part_size: int = 50_000
    dry_run: bool = False
    replay: bool = False
    cache: bool = True
    refresh: bool = False
    several_per_call: bool = True
    endpoint_name: str | None = None
    any_endpoint: bool = False
    shortened_by: str | None = None

    def __post_init__(self) -> None:
        """Validate the settings.

        Raises:
            UsageFault: a value is out of range, or two values cannot be used together.
        """
        _check_settings(self)

    @property
    def batch_folder(self) -> str | None:
        """The folder of the batch files, or None."""
        return self.batch or self.batch_file

    def parameters(self, sample: int, sampling: Sampling = AS_THE_RUN) -> dict[str, Any]:
        """The sampling parameters of one call: those of the run, else of the prompt, else the provider's defaults."""
        seed = None if self.seed is None else self.seed + sample
        named = {"temperature": self.temperature, "top_p": self.top_p, "max_tokens": self.max_tokens, "seed": seed}
        return sampling.parameters() | {name: value for name, value in named.items() if value is not None}

    def signature_parameters(self) -> dict[str, Any]:
        """The settings that enter a signature unchanged."""
        names = ("model", "temperature", "top_p", "max_tokens", "seed", "samples", "namespace")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


# Minimum of each number; for ``_MORE_THAN``, exclusive.
_AT_LEAST = {
    "temperature": 0, "max_tokens": 1, "seed": 0, "samples": 1, "concurrency": 1, "retries": 0, "max_cost": 0,
    "max_calls": 0, "max_wait": 0, "part_size": 1, "batch_wait": 0,
}  # fmt: skip
_MORE_THAN = {"timeout": 0, "max_reply": 0}
# Maximum of each number: as many samples as can be held at once, and megabytes whose bytes can be counted. Other whole
# numbers are at most what providers and the database of the budgets take, also if the seeds of all samples are added.
_AT_MOST: dict[str, float] = {"samples": 10_000, "max_reply": 1e6}
_LARGEST_WHOLE = 2**62


_TRUTHS = ("dry_run", "replay", "cache", "refresh", "several_per_call", "any_endpoint")
_TEXTS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("namespace", "endpoint_name", "shortened_by"), (str,)),
    **dict.fromkeys(("prompt_dir", "batch", "batch_file"), (str, os.PathLike)),
}
_MAY_BE_UNSET = ("temperature", "top_p", "max_tokens", "seed", "max_cost", "max_calls")
_WHOLE = ("max_tokens", "seed", "samples", "concurrency", "retries", "max_calls", "part_size")


def _check_number(name: str, value: Any) -> None:
    kind = numbers.Integral if name in _WHOLE else numbers.Real
    if isinstance(value, bool) or not isinstance(value, kind):
        wanted = "a whole number" if name in _WHOLE else "a number"
        raise UsageFault(f"{value!r} is not {wanted}", parameter=name)


def _check_types(settings: Settings) -> None:
    """Check truth values, names and folders: "no" would count as true, None as false where the default is true,
    and a number as another name."""
    for name in _TRUTHS:
        value = getattr(settings, name)
        if not isinstance(value, bool):
            raise UsageFault(f"{value!r:.40} is neither True nor False", parameter=name)
    for name, kind in _TEXTS.items():
        value = getattr(settings, name)
        if not (value is None or isinstance(value, kind)):
            raise UsageFault(f"{value!r:.40} is not a text", parameter=name)


def need_settings(value: Any, caller: str) -> Settings:
    """Check that an argument of a public function is a :class:`Settings` object, and return it.

    Raises:
        UsageFault: it is of another type, e.g. the name of a model.
    """
    if not isinstance(value, Settings):
        raise UsageFault(f"{caller}: the settings are {value!r:.40}, not Settings(model=...)")
    return value


def _check_settings(settings: Settings) -> None:
    for name in (*_AT_LEAST, *_MORE_THAN, "top_p"):
        value = getattr(settings, name)
        if value is None and name in _MAY_BE_UNSET:
            continue
        _check_number(name, value)
        if name not in _WHOLE and not -sys.float_info.max <= value <= sys.float_info.max:
            raise UsageFault(f"{value!s:.40} is not a finite number", parameter=name)
        most = _AT_MOST.get(name, _LARGEST_WHOLE if name in _WHOLE else math.inf)
        if value > most:
            raise UsageFault(f"{value} is out of range: at most {most:.0f}", parameter=name)
        least = _AT_LEAST.get(name, 0)
        if value < least or (name in _MORE_THAN and value == least) or (name == "top_p" and value > 1):
            raise UsageFault(f"{value} is out of range", parameter=name)
    refuse_equal_samples(settings.samples, settings.temperature)
    _check_types(settings)
    if not isinstance(settings.model, str):
        raise UsageFault(f"{settings.model!r} is not the name of a model", parameter="model")
    if not settings.model.strip():
        raise UsageFault("the name of a model is missing: Settings(model=...)", parameter="model")
    if settings.response_format not in RESPONSE_FORMATS:
        reason = f"one of {', '.join(RESPONSE_FORMATS)}, not {settings.response_format}"
        raise UsageFault(reason, parameter="response_format")
    if settings.budget is not None:
        _check_budget(settings)
    if settings.batch_folder is not None:
        _check_batch(settings)
    if settings.replay and (settings.refresh or not settings.cache):
        other = parameter("refresh", True) if settings.refresh else parameter("cache", False)
        raise UsageFault(f"{parameter('replay', True)} answers from the cache alone: it cannot be used with {other}")


def _check_budget(settings: Settings) -> None:
    name = settings.budget
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise UsageFault(f"{name!r} is not a name", parameter="budget")
    if settings.max_cost is None and settings.max_calls is None:
        raise UsageFault(f"needs {parameter('max_cost')} or {parameter('max_calls')}", parameter="budget")
    if not settings.cache:
        reason = f"is kept beside the cache: it cannot be used with {parameter('cache', False)}"
        raise UsageFault(reason, parameter="budget")


def _check_batch(settings: Settings) -> None:
    is_sent = settings.batch is not None
    named = parameter(*("batch", settings.batch) if is_sent else ("batch_file", settings.batch_file))
    if is_sent and settings.batch_file is not None:
        raise UsageFault(f"{named} and {parameter('batch_file', settings.batch_file)} cannot be used together")
    unused = {} if is_sent else {"max_cost": settings.max_cost, "max_calls": settings.max_calls}
    for name, value in {**unused, "budget": settings.budget}.items():
        if value is not None and is_sent:
            raise UsageFault(
                f"{named} has its own records of what was sent: {parameter(name, value)} cannot be used with it"
            )
        if value is not None:
            raise UsageFault(f"{named} sends nothing, so that {parameter(name, value)} limits nothing")
    for name, value in {"replay": settings.replay, "refresh": settings.refresh, "cache": not settings.cache}.items():
        if value:
            raise UsageFault(f"{named} cannot be used with {parameter(name, name != 'cache')}")
    providers = ("openai", "hosted_vllm", *(["anthropic"] if is_sent else []))
    if settings.model.split("/", 1)[0] not in providers or "/" not in settings.model:
        whose = "it is sent to" if is_sent else "its lines are those of OpenAI's API:"
        reason = f"{whose} {' or '.join(f'{name}/NAME' for name in providers)}, not {settings.model}"
        raise UsageFault(f"{named}: {reason}", parameter="model")


def refuse_equal_samples(samples: int, temperature: float | None) -> None:
    """Reject several samples at temperature 0: they would be the same reply, counted several times.

    Raises:
        UsageFault: ``samples`` is more than 1 and the temperature is 0.
    """
    if samples > 1 and temperature == 0:
        together = f"{parameter('samples', samples)} and {parameter('temperature', '0')} cannot be used together"
        raise UsageFault(f"{together}: all samples would be the same")
