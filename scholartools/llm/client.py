"""Clients that send one call to one provider: through litellm, or directly to an OpenAI-compatible server.

Only this module imports litellm. Both clients raise the faults of :mod:`scholartools.llm.faults`: :class:`Transient`
(worth a retry), ScholartoolsError (this request cannot be answered) and ModelFault (no request can). The engine handles
retries, limits and the cache.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import time
from collections.abc import Callable
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from scholartools.address import calls_address, has_late_at, plain_address
from scholartools.cache import Reply
from scholartools.cache.request import canonical_json, parse_canonical
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.llm.body import (
    ENCODINGS,
    Body,
    answered_httpx,
    bounded_httpx,
    close_spoken,
    guard_httpx,
    guard_litellm,
)
from scholartools.llm.endpoint import NEEDS_ADDRESS, address_of, address_variable
from scholartools.llm.faults import (
    Answer,
    Transient,
    clean_words,
    fault_of,
    iter_causes,
    parse_answer,
    redirect_fault,
    refusal_fault,
    usable_proxy,
)
from scholartools.llm.reading import read_reply
from scholartools.llm.settings import Settings
from scholartools.llm.usage.budget import price_of
from scholartools.proxies import Proxy

# Providers of OpenAI-compatible servers, which are called without litellm if they have an address.
_DIRECT = ("openai", "hosted_vllm")
_UNREACHABLE = {"ConnectError", "ClientConnectorError", "ConnectionRefusedError", "gaierror", "ConnectTimeout"}

# Prefix of litellm's messages: the name of the exception, mostly twice.
_NAMED = re.compile(r"\A(?:litellm\.)?(\w++): (?:\1: )*+")


class LiteLLM:
    """Calls to any provider through litellm."""

    def __init__(self, settings: Settings) -> None:
        self.model = settings.model
        self._most = _bytes_of_reply(settings)
        self._litellm = _import_litellm()

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request and return the raw reply."""
        start = time.monotonic()
        sent = "response_format" in request
        try:
            with bounded_httpx(self._most) as proxies:
                response = await asyncio.wait_for(
                    self._litellm.acompletion(
                        model=self.model,
                        messages=request["messages"],
                        timeout=timeout,
                        max_retries=0,
                        num_retries=0,
                        **request["parameters"],
                        **_pick_present(request, "response_format", "extra_body"),
                    ),
                    timeout,
                )
        except (TimeoutError, self._litellm.Timeout):
            raise Transient(f"no answer within {timeout:g} s", billed=True) from None
        except Exception as error:
            if (ours := _own_fault(error)) is not None:
                raise ours from None
            answer = _answer_of(error)
            if proxies and answer.status:
                answer = answer._replace(words=proxies[-1].says(answer.status, answer.words))
            raise fault_of(answer, format_sent=sent, unreachable=_is_unreachable(error)) from None
        body = json.dumps(response.model_dump(), default=str)  # litellm does not keep the original bytes
        return read_reply(body, price_of(self.model), time.monotonic() - start, format_sent=sent)

    async def close(self) -> None:
        """Close the connections of litellm."""
        await self._litellm.close_litellm_async_clients()


class Native(NamedTuple):
    """A request in the format of its provider: URL, headers and body."""

    url: str
    headers: dict[str, str]
    body: dict[str, Any]


# A minimal response in Anthropic's format.
_NO_ANSWER = {
    "id": "", "type": "message", "role": "assistant", "model": "", "content": [{"type": "text", "text": ""}],
    "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
}  # fmt: skip


class Translator:
    """Translate requests and responses by litellm without sending anything."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._litellm = _import_litellm()
        self._loop = asyncio.new_event_loop()

    def native(self, body: dict[str, Any]) -> Native:
        """Translate a request from OpenAI's format to the provider's.

        Raises:
            ModelFault, ScholartoolsError: litellm rejects the request.
        """
        sent: list[Native] = []

        def take(request: Any) -> bytes:
            sent.append(Native(str(request.url), dict(request.headers), parse_canonical(request.content)))
            return canonical_json(_NO_ANSWER)

        try:
            self._call(body, take)
        except Exception as error:  # also raised if the response is not in the provider's format
            if not sent:
                raise fault_of(_answer_of(error), format_sent="response_format" in body) from None
        return sent[0]

    def read(self, body: dict[str, Any], answer: bytes) -> dict[str, Any]:
        """Translate the response to a request to OpenAI's format, as in an online call."""
        made: dict[str, Any] = self._call(body, lambda _: answer).model_dump()
        return made

    def _call(self, body: dict[str, Any], answer: Callable[[Any], bytes]) -> Any:
        options = {**body, "model": self._model, "max_retries": 0, "num_retries": 0}
        with answered_httpx(answer):
            return self._loop.run_until_complete(self._litellm.acompletion(**options))

    def close(self) -> None:
        """Close the connections and tasks of litellm."""
        self._loop.run_until_complete(self._litellm.close_litellm_async_clients())
        if left := asyncio.all_tasks(self._loop):  # logging tasks; each would warn when it is garbage-collected
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.close()


class Direct:
    """Direct calls to an OpenAI-compatible server at an address from a variable, at a tenth of litellm's overhead."""

    def __init__(self, settings: Settings, address: str) -> None:
        self.model = settings.model
        self._address = address
        self._calls = calls_address(address)
        self._proxy = usable_proxy(address)
        self._name = self.model.split("/", 1)[1]
        self._connections = settings.concurrency
        self._most = _bytes_of_reply(settings)
        self._session: Any = None

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request and return the raw reply."""
        import aiohttp

        body = request_body(self._name, request)
        start = time.monotonic()
        limit = aiohttp.ClientTimeout(total=timeout)
        try:
            sending = self._open_session().post(
                self._calls, data=canonical_json(body), headers=self._headers(), timeout=limit, allow_redirects=False,
                proxy=self._proxy and self._proxy.url,
            )  # fmt: skip
            async with sending as response:
                if 300 <= response.status < 400:
                    raise redirect_fault(response.status, self._calls, response.headers)
                data = (await self._read_body(response)).decode(errors="backslashreplace")
        except TimeoutError:
            raise Transient(f"no answer within {timeout:g} s", billed=True) from None
        except aiohttp.ClientConnectorError as error:
            where = f"{self._proxy.name}; {self._proxy.way_around}" if self._proxy else plain_address(self._address)
            hint = ""
            if "WRONG_VERSION_NUMBER" in str(error.strerror) and not self._proxy:
                plain = re.sub("^https:", "http:", where or "")
                hint = f"; the server has no TLS: try {address_variable(self.model)}={plain}"
            told = f"cannot connect to {where}: {error.strerror}{hint}"
            raise Transient(clean_words(told), unreachable=True) from None
        except aiohttp.ClientHttpProxyError as error:
            raise refusal_fault(cast(Proxy, self._proxy), error.status) from None
        except ValueError as error:  # e.g. an address without a scheme, or with both user and key
            raise ModelFault(f"the address cannot be used: {clean_words(str(error))}", kind="provider") from None
        except aiohttp.ClientError as error:
            where = f" through {self._proxy.name}" if self._proxy else ""
            raise Transient(f"the connection{where} broke: {type(error).__name__}", billed=True) from None
        if response.status == 407 and self._proxy:
            raise refusal_fault(self._proxy, response.status)
        sent = "response_format" in request
        if response.status >= 400:
            answer = parse_answer(response.status, data, response.headers)
            if self._proxy:
                answer = answer._replace(words=self._proxy.says(response.status, answer.words))
            raise self._hint_at_address(fault_of(answer, format_sent=sent), response.status)
        return read_reply(data, price_of(self.model), time.monotonic() - start, format_sent=sent)

    async def _read_body(self, response: Any) -> bytes:
        body = Body(response.headers.get("Content-Encoding", ""), self._most)
        try:
            async for data in response.content.iter_any():
                body.add(data)
        except (Transient, ScholartoolsError):
            response.close()  # do not receive the rest
            raise
        return body.whole()

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    def _hint_at_address(self, error: Exception, status: int) -> Exception:
        """Add a hint to the fault of a 404 or 405 if the address lacks /v1 or includes /chat/completions."""
        shown = clean_words(plain_address(self._address) or "")
        base = shown.removesuffix("/").removesuffix("/chat/completions")
        if status not in (404, 405) or (base == shown.removesuffix("/") and re.search(r"/v\d", urlsplit(shown).path)):
            return error
        reason = getattr(error, "reason", str(error))
        fault = "has no /v1" if base == shown.removesuffix("/") else "ends in /chat/completions, which must be left out"
        tried = base if re.search(r"/v\d", base) else f"{base}/v1"
        hint = f"the address {fault}: try {address_variable(self.model)}={tried}"
        return ModelFault(f"{reason}; {hint}", kind="provider")

    def _open_session(self) -> Any:
        import aiohttp

        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections)
            close_spoken(connector)
            self._session = aiohttp.ClientSession(connector=connector, auto_decompress=False)
        return self._session

    def _headers(self) -> dict[str, str]:
        """Headers of a request, not of the session: aiohttp sends the latter, including the key, to a proxy too."""
        key = os.environ.get(f"{self.model.split('/', 1)[0].upper()}_API_KEY")
        headers = {"Content-Type": "application/json", "Accept-Encoding": ENCODINGS}
        return headers | ({"Authorization": f"Bearer {key}"} if key else {})


def request_body(name: str, request: dict[str, Any]) -> dict[str, Any]:
    """Body of a request to an OpenAI-compatible server; ``name`` is the model's name on the server."""
    return {
        "model": name,
        "messages": request["messages"],
        **request["parameters"],
        **_pick_present(request, "response_format"),
        **(request.get("extra_body") or {}),
    }


def connect(settings: Settings) -> LiteLLM | Direct:
    """Client of a model: direct for OpenAI-compatible servers with an address from a variable, else litellm.

    Raises:
        ModelFault: the key or the address is missing, or the address is invalid.
    """
    model, address = settings.model, usable_address(settings.model)
    if address is None or model.split("/", 1)[0] not in _DIRECT:
        return LiteLLM(settings)
    if model.startswith("openai/") and not os.environ.get("OPENAI_API_KEY"):
        reason = f"no key for {model}: set OPENAI_API_KEY (any word will do if the server needs no key)"
        raise ModelFault(reason, kind="key")
    return Direct(settings, address)


def usable_address(model: str) -> str | None:
    """The address of a model from its variable; None for the provider's default address.

    Raises:
        ModelFault: the address is invalid or has a user that cannot be sent, or a self-hosted server has no address:
            another server would get its key and prompts; or the provider would send these wherever a redirect leads.
    """
    address, provider = address_of(model), model.split("/", 1)[0]
    if provider == "aiohttp_openai":
        reason = "litellm lets this provider follow redirects, with the key: write openai/NAME"
        raise ModelFault(f"{model} cannot be used: {reason}", kind="provider")
    is_direct = address is not None and provider in _DIRECT
    if address is not None:
        _check_address(address)
    needed = NEEDS_ADDRESS.get(provider)
    if needed is not None and not is_direct and not os.environ.get(needed):
        raise ModelFault(f"no address for {model}: set {needed}", kind="provider")
    if address is not None:
        _refuse_login(address, beside=f"{provider.upper()}_API_KEY" if is_direct else None)
    return address


def _check_address(address: str) -> None:
    """Raise ModelFault for an address that is not a usable HTTP URL."""
    shown = clean_words(plain_address(address) or "")
    if not address.lower().startswith(("http://", "https://")):
        raise ModelFault(f"the address {shown} does not begin with http:// or https://", kind="provider")
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:  # its message may show a part of the password
        usable = False
    if not usable:
        reason = "cannot be used: its host or port cannot be read (in a password, @ / # ? are %40 %2F %23 %3F)"
        raise ModelFault(f"the address {shown} {reason}", kind="provider")
    if has_late_at(address):
        reason = "cannot be used: an @ behind the host is written %40 (and in a password, / # ? are %2F %23 %3F)"
        raise ModelFault(f"the address {shown} {reason}", kind="provider")


def _refuse_login(address: str, beside: str | None = None) -> None:
    """Reject a user in an address; with ``beside``, only if that variable is set: both would use the same header."""
    if urlsplit(address).username is None or (beside and not os.environ.get(beside)):
        return
    why = (
        f"and {beside} is set: leave out one of the two"
        if beside
        else "which this provider does not take: leave it out"
    )
    shown = clean_words(plain_address(address) or "")
    raise ModelFault(f"the address {shown} has a user or password before its host, {why}", kind="provider")


def _bytes_of_reply(settings: Settings) -> int:
    return int(settings.max_reply * 1_000_000)


def _import_litellm() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import fetches a price list
    os.environ.setdefault("LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS", "True")  # and a call to Anthropic a list of headers
    import litellm
    from litellm.llms.custom_httpx.aiohttp_transport import LiteLLMAiohttpTransport

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    guard_httpx()
    guard_litellm(LiteLLMAiohttpTransport)
    return litellm


def _pick_present(request: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: request[name] for name in names if request.get(name) is not None}


def _own_fault(error: Exception) -> Exception | None:
    """The exception raised by our own code inside litellm, which wraps it; None if there is none."""
    return next((one for one in iter_causes(error) if isinstance(one, (ScholartoolsError, Transient))), None)  # type: ignore[return-value]


def _is_unreachable(error: BaseException | None) -> bool:
    """Whether the address is unreachable, from the causes of the error: litellm's message suggests a truncated body."""
    return any(type(one).__name__ in _UNREACHABLE or "Cannot connect to host" in str(one) for one in iter_causes(error))


def _answer_of(error: Exception) -> Answer:
    """The provider's error response, from litellm's exception."""
    codes = (type(error).__name__, *(getattr(error, name, None) for name in ("code", "type", "param")))
    named = " ".join(str(code) for code in codes if isinstance(code, (str, int)))
    words = _NAMED.sub(r"\1: ", str(error))
    return Answer(getattr(error, "status_code", None), words, named, _response_headers(error))


def _response_headers(error: Exception) -> dict[str, str]:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    return dict(headers or {})
