"""One call to one provider: the only import of litellm, and a straight way to servers that speak OpenAI's language.

Both raise what :mod:`scholartools.llm.faults` makes of an answer: :class:`Transient` (worth sending again),
ScholartoolsError (this record cannot be answered) and ModelFault (no record can). Retries, limits and the cache are the
engine's.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import time
from typing import Any
from urllib.parse import urlsplit

from scholartools.errors import ModelFault
from scholartools.llm.cache import Reply, without_secrets
from scholartools.llm.faults import Answer, Transient, clean_words, fault_of, parse_answer
from scholartools.llm.reading import read_reply
from scholartools.llm.request import canonical_json
from scholartools.llm.settings import NEEDS_ADDRESS, endpoint_of, endpoint_variable

_UNREACHABLE = {"ConnectError", "ClientConnectorError", "ConnectionRefusedError", "gaierror", "ConnectTimeout"}


class LiteLLM:
    """Calls through litellm: every provider."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.endpoint = endpoint_of(model)
        self._litellm = _import_litellm()

    async def send(self, request: dict[str, Any], timeout: float) -> Reply:
        """Send one request and return the raw reply."""
        start = time.monotonic()
        sent = "response_format" in request
        try:
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
            raise fault_of(_answer_of(error), format_sent=sent, unreachable=_is_unreachable(error)) from None
        body = json.dumps(response.model_dump(), default=str)  # as litellm hands it over: it keeps no bytes
        return read_reply(body, self.model, self.endpoint, time.monotonic() - start, format_sent=sent)

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
            **_pick_present(request, "response_format"),
            **(request.get("extra_body") or {}),
        }
        start = time.monotonic()
        limit = aiohttp.ClientTimeout(total=timeout)
        try:
            sending = self._open_session().post(
                f"{self.endpoint}/chat/completions", data=canonical_json(body), timeout=limit
            )
            async with sending as response:
                data = (await response.read()).decode(errors="backslashreplace")
        except TimeoutError:
            raise Transient(f"no answer within {timeout:g} s", billed=True) from None
        except aiohttp.ClientConnectorError as error:
            where = without_secrets(self.endpoint)
            raise Transient(clean_words(f"cannot connect to {where}: {error.strerror}"), unreachable=True) from None
        except ValueError as error:  # an address without a scheme, or with a user as well as a key
            raise ModelFault(f"the address cannot be used: {clean_words(str(error))}", kind="provider") from None
        except aiohttp.ClientError as error:
            raise Transient(f"the connection broke: {type(error).__name__}", billed=True) from None
        sent = "response_format" in request
        if response.status >= 400:
            answer = parse_answer(response.status, data, response.headers)
            raise self._hint_at_address(fault_of(answer, format_sent=sent), response.status)
        return read_reply(data, self.model, self.endpoint, time.monotonic() - start, format_sent=sent)

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    def _hint_at_address(self, error: Exception, status: int) -> Exception:
        """The fault of a path that the server does not have, with the likely reason where the address has no /v1."""
        shown = clean_words(without_secrets(self.endpoint) or "")
        base = shown.removesuffix("/").removesuffix("/chat/completions")
        if status not in (404, 405) or (base == shown.removesuffix("/") and re.search(r"/v\d", urlsplit(shown).path)):
            return error
        reason = getattr(error, "reason", str(error))
        fault = "has no /v1" if base == shown.removesuffix("/") else "ends in /chat/completions, which is added to it"
        tried = base if re.search(r"/v\d", base) else f"{base}/v1"
        hint = f"the address {fault}: try {endpoint_variable(self.model)}={tried}"
        return ModelFault(f"{reason}; {hint}", kind="provider")

    def _open_session(self) -> Any:
        import aiohttp

        if self._session is None:
            key = os.environ.get(f"{self.model.split('/', 1)[0].upper()}_API_KEY")
            headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
            connector = aiohttp.TCPConnector(limit=self._connections)
            self._session = aiohttp.ClientSession(headers=headers, connector=connector)
        return self._session


def connect(model: str, connections: int) -> LiteLLM | Direct:
    """The way to a model: straight where its provider's variable names an OpenAI-compatible server, else litellm.

    Raises:
        ModelFault: the model's name says no provider.
    """
    address = endpoint_of(model)
    if address is not None and not address.startswith(("http://", "https://")):
        raise ModelFault(f"the address {clean_words(address)} does not begin with http:// or https://", kind="provider")
    if address is not None and model.split("/", 1)[0] in ("openai", "hosted_vllm"):
        if model.startswith("openai/") and not os.environ.get("OPENAI_API_KEY"):
            reason = f"no key for {model}: set OPENAI_API_KEY (to any word, where the server wants none)"
            raise ModelFault(reason, kind="key")
        return Direct(model, address, connections)
    needed = NEEDS_ADDRESS.get(model.split("/", 1)[0])
    if needed is not None and not os.environ.get(needed):
        raise ModelFault(f"no address for {model}: set {needed}", kind="provider")
    return LiteLLM(model)


def _import_litellm() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import fetches a price list
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
    return litellm


def _pick_present(request: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: request[name] for name in names if request.get(name) is not None}


def _is_unreachable(error: BaseException | None) -> bool:
    """Whether nothing answered at the address, by what the error came from: litellm words it as a cut body."""
    seen = 0
    while error is not None and seen < 20:
        if type(error).__name__ in _UNREACHABLE or "Cannot connect to host" in str(error):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False


def _answer_of(error: Exception) -> Answer:
    """What a provider said, by the exception that litellm makes of it."""
    codes = (type(error).__name__, *(getattr(error, name, None) for name in ("code", "type", "param")))
    named = " ".join(str(code) for code in codes if isinstance(code, (str, int)))
    return Answer(getattr(error, "status_code", None), str(error), named, _response_headers(error))


def _response_headers(error: Exception) -> dict[str, str]:
    headers = getattr(error, "litellm_response_headers", None)
    if headers is None:
        headers = getattr(getattr(error, "response", None), "headers", None)
    return dict(headers or {})
