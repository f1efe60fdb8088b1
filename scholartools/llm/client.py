"""One call to one provider: the only import of litellm, and a straight way to servers that speak OpenAI's language.

Both raise the same three things: :class:`Transient` (worth sending again), ScholartoolsError (this record cannot be
answered) and ModelFault (no record can). Retries, limits and the cache are the engine's.
"""

from __future__ import annotations

import asyncio
import email.utils
import logging
import os
import re
import time
from typing import Any

from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.llm import budget
from scholartools.llm.cache import Reply, without_secrets
from scholartools.llm.settings import endpoint


class Transient(Exception):
    """A call that failed for reasons of the moment.

    Attributes:
        reason: one line, without secrets.
        pause: seconds the provider asked to wait (Retry-After), or None.
        limited: the provider said that it is too much (429).
        unreachable: nothing answered at the address.
        billed: the provider may have done the work and charged for it.
    """

    def __init__(
        self, reason: str, *, pause: float | None = None, limited: bool = False, unreachable: bool = False,
        billed: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(reason)
        self.reason = reason
        self.pause = pause
        self.limited = limited
        self.unreachable = unreachable
        self.billed = billed


# Servers of one's own, by the variable that says where: without it litellm would ask the provider whose language they
# speak.
_NEEDS_ADDRESS = {"hosted_vllm": "HOSTED_VLLM_API_BASE", "lm_studio": "LM_STUDIO_API_BASE"}
# Statuses by which a provider says that no call of this run will be answered.
_FATAL = {
    401: "the key was not accepted",
    402: "the account has no money left",
    403: "the key may not use this model",
    404: "no such model or address",
}
_NO_MONEY = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.I)
_NO_MODEL = re.compile(r"not a valid model|model\b.{0,80}\b(does not exist|not found|is not supported)", re.I)
_UNREACHABLE = {"ConnectError", "ClientConnectorError", "ConnectionRefusedError", "gaierror", "ConnectTimeout"}
_NO_KEY = re.compile(
    r"missing credentials|missing \w+ api key|api_?key.{0,40}(must be set|not set|missing|required)|no api key", re.I
)
_TOO_LONG = re.compile(r"context (window|length)|maximum context|too many tokens|too long", re.I)


class LiteLLM:
    """Calls through litellm: every provider."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.endpoint = endpoint(model)
        self._litellm = _import_litellm()

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request and return the raw reply."""
        start = time.monotonic()
        try:
            response = await asyncio.wait_for(
                self._litellm.acompletion(
                    model=self.model,
                    messages=request["messages"],
                    timeout=timeout,
                    max_retries=0,
                    num_retries=0,
                    **request["parameters"],
                    **_given(request, "response_format", "extra_body"),
                ),
                timeout,
            )
        except (TimeoutError, self._litellm.Timeout):
            raise Transient(f"no answer within {timeout:g} s", billed=True) from None
        except Exception as error:
            status = getattr(error, "status_code", None)
            raise _fault(status, str(error), _headers(error), unreachable=_is_unreachable(error)) from None
        return _reply(response.model_dump(), self.model, self.endpoint, time.monotonic() - start)

    async def close(self) -> None:
        """Close the connections litellm keeps."""
        await self._litellm.close_litellm_async_clients()


class Direct:
    """Calls straight to an OpenAI-compatible server that a variable names: a tenth of litellm's work a call."""

    def __init__(self, model: str, address: str, connections: int) -> None:
        self.model = model
        self.endpoint = address
        self._name = model.split("/", 1)[1]
        self._connections = connections
        self._session: Any = None

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request and return the raw reply."""
        import aiohttp

        body = {
            "model": self._name,
            "messages": request["messages"],
            **request["parameters"],
            **_given(request, "response_format"),
            **(request.get("extra_body") or {}),
        }
        start = time.monotonic()
        limit = aiohttp.ClientTimeout(total=timeout)
        try:
            async with self._open().post(f"{self.endpoint}/chat/completions", json=body, timeout=limit) as response:
                data = await response.read()
        except TimeoutError:
            raise Transient(f"no answer within {timeout:g} s", billed=True) from None
        except aiohttp.ClientConnectorError as error:
            where = without_secrets(self.endpoint)
            raise Transient(f"cannot connect to {where}: {error.strerror}", unreachable=True) from None
        except ValueError as error:  # an address without a scheme, or with a user as well as a key
            raise ModelFault(f"the address cannot be used: {redacted(str(error))}", kind="provider") from None
        except aiohttp.ClientError as error:
            raise Transient(f"the connection broke: {type(error).__name__}", billed=True) from None
        if response.status >= 400:
            raise _fault(response.status, _message(data), dict(response.headers))
        return _reply(_decoded(data), self.model, self.endpoint, time.monotonic() - start)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    def _open(self) -> Any:
        import aiohttp

        if self._session is None:
            key = os.environ.get(f"{self.model.split('/', 1)[0].upper()}_API_KEY")
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            connector = aiohttp.TCPConnector(limit=self._connections)
            self._session = aiohttp.ClientSession(headers=headers, connector=connector)
        return self._session


def connect(model: str, connections: int) -> LiteLLM | Direct:
    """The way to a model: straight where its provider's variable names an OpenAI-compatible server, else litellm.

    Raises:
        ModelFault: the model's name says no provider.
    """
    address = endpoint(model)
    if address is not None and not address.startswith(("http://", "https://")):
        raise ModelFault(f"the address {redacted(address)} does not begin with http:// or https://", kind="provider")
    if address is not None and model.split("/", 1)[0] in ("openai", "hosted_vllm"):
        if model.startswith("openai/") and not os.environ.get("OPENAI_API_KEY"):
            reason = f"no key for {model}: set OPENAI_API_KEY (to any word, where the server wants none)"
            raise ModelFault(reason, kind="key")
        return Direct(model, address, connections)
    variable = _NEEDS_ADDRESS.get(model.split("/", 1)[0])
    if variable is not None and not os.environ.get(variable):
        raise ModelFault(f"no address for {model}: set {variable}", kind="provider")
    return LiteLLM(model)


def redacted(text: str) -> str:
    """Text without the values of variables that hold secrets, and on one line."""
    for name, value in os.environ.items():
        if len(value) >= 6 and re.search(r"(KEY|TOKEN|SECRET|PASSWORD)S?$", name):
            text = text.replace(value, f"${name}")
    text = re.sub(r"://[^/\s@]+@", "://", re.sub(r"(://[^\s?]+)\?\S+", r"\1", text))
    return " ".join(re.sub(r"\bsk-[\w*-]{8,}", "[key]", text).split())


def _import_litellm() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import fetches a price list
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm


def _given(request: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: request[name] for name in names if request.get(name) is not None}


def _is_unreachable(error: BaseException | None) -> bool:
    """Whether nothing answered at the address, by what the error came from: litellm words it as a cut body."""
    seen = 0
    while error is not None and seen < 20:
        if type(error).__name__ in _UNREACHABLE or "Cannot connect to host" in str(error):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False


def _headers(error: Exception) -> dict[str, str]:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    return dict(headers or {})


def _fault(status: int | None, message: str, headers: dict[str, str], *, unreachable: bool = False) -> Exception:
    """What an answer that is no reply means for the call, the record or the run."""
    line = redacted(message.partition("Traceback (most recent call last)")[0])[:300]
    if _NO_KEY.search(message):
        return ModelFault(f"no key: {line}", kind="key")
    if unreachable:
        return Transient(line, unreachable=True)
    if _NO_MONEY.search(message):
        return ModelFault(f"the account has no money left: {line}", kind="provider")
    if status in _FATAL:
        return ModelFault(f"{_FATAL[status]}: {line}", kind="provider")
    if status == 429:
        return Transient(line, pause=_retry_after(headers), limited=True)
    if status in (400, 413, 422):
        if "LLM Provider NOT provided" in message:
            reason = "the model's name begins with no provider that is known: say openai/NAME, ollama/NAME, ..."
            return ModelFault(reason, kind="provider")
        if _NO_MODEL.search(message):
            return ModelFault(f"no such model: {line}", kind="provider")
        if "UnsupportedParamsError" in message:
            return ModelFault(line, kind="parameter")
        kind = "too-long" if _TOO_LONG.search(message) else "refused"
        return ScholartoolsError(f"the provider refused the request: {line}", kind=kind)
    return Transient(f"{status or 'no status'}: {line}", pause=_retry_after(headers), billed=status in (None, 408, 504))


def _retry_after(headers: dict[str, str]) -> float | None:
    for name, value in headers.items():
        if name.lower() == "retry-after":
            try:
                seconds = float(value)
            except ValueError:
                seconds = _seconds_until(value)
            return min(max(seconds, 0.0), 120.0)
    return None


def _seconds_until(date: str) -> float:
    try:
        return email.utils.parsedate_to_datetime(date).timestamp() - time.time()
    except ValueError:
        return 0.0


def _message(data: bytes) -> str:
    try:
        error = _decoded(data).get("error")
        return str(error.get("message") if isinstance(error, dict) else error or "no reason given")
    except Transient:
        return data[:200].decode(errors="replace")


def _decoded(data: bytes) -> dict[str, Any]:
    import orjson

    try:
        value = orjson.loads(data)
    except ValueError:
        raise Transient("the answer is not JSON, or is cut off", billed=True) from None
    if not isinstance(value, dict):
        raise Transient("the answer is not a JSON object", billed=True)
    return value


def _reply(response: dict[str, Any], model: str, address: str | None, latency: float) -> Reply:
    try:
        choice = response["choices"][0]
        message = choice["message"]
        content = message.get("content") or ""
    except (AttributeError, KeyError, IndexError, TypeError):
        raise Transient("the answer holds no message", billed=True) from None
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    usage = response.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    sent, received = usage.get("prompt_tokens"), usage.get("completion_tokens")
    price = budget.price(model)
    return Reply(
        text=str(content),
        finish=choice.get("finish_reason") or "stop",
        refusal=message.get("refusal"),
        prompt_tokens=sent,
        completion_tokens=received,
        cost=price.of(sent, received) if price and sent is not None and received is not None else None,
        latency=round(latency, 6),
        time=round(time.time(), 3),
        endpoint=address,
    )
