"""Response bodies, decompressed while they are received, up to a maximum size."""

from __future__ import annotations

import contextlib
import functools
import zlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, NamedTuple

from scholartools.errors import ScholartoolsError
from scholartools.llm.faults import Transient, clean_words, iter_causes, redirect_fault, refusal_fault, usable_proxy
from scholartools.parameters import parameter
from scholartools.proxies import Proxy

# Requested encodings (Accept-Encoding): those that zlib decompresses incrementally.
ENCODINGS = "gzip, deflate"
_GZIP, _ZLIB, _RAW = 31, 15, -15
# Maximum number of compressed streams in one body: many empty ones take long to read and never reach the maximum size.
_MOST_STREAMS = 1_000


class _Bounds(NamedTuple):
    """Maximum size in bytes of the response to a call through litellm, and the proxies of the responses."""

    most: int
    proxies: list[Proxy]


# None for calls that are not ours.
_BOUNDS: ContextVar[_Bounds | None] = ContextVar("bounds", default=None)
# Makes the response to a call through litellm, instead of the server.
_INSTEAD: ContextVar[Callable[[Any], bytes] | None] = ContextVar("instead", default=None)


class TooLarge(ScholartoolsError):
    """A response exceeds the maximum size; it may have been billed."""

    kind = "too-large"


class Body:
    """A response body that is decompressed while it is received."""

    def __init__(self, encoding: str, most: int) -> None:
        """``encoding``: the Content-Encoding header; ``most``: maximum decompressed size in bytes.

        Raises:
            Transient: the encoding was not requested.
        """
        names = [name for part in encoding.lower().split(",") if (name := part.strip()) not in ("", "identity")]
        if names not in ([], ["gzip"], ["x-gzip"], ["deflate"]):
            raise Transient(f"the answer is compressed as {', '.join(names)}, which was not requested", billed=True)
        self._name = names[0].removeprefix("x-") if names else None
        self._unpack: Any = None
        self._most = most
        self._parts: list[bytes] = []
        self._size = self._received = self._streams = 0

    def add(self, data: bytes) -> None:
        """Append received bytes.

        Raises:
            TooLarge: the body exceeds the maximum size.
            Transient: it cannot be decompressed.
        """
        self._received += len(data)
        if self._received > 2 * self._most:  # compression never makes a text twice as long
            self._parts.clear()
            raise too_large(self._most)
        if self._name is None:
            self._keep(data)
            return
        try:
            while data:
                data = self._unpack_some(data)
        except zlib.error:
            raise Transient("the answer cannot be decompressed", billed=True) from None

    def whole(self) -> bytes:
        """The decompressed body."""
        return b"".join(self._parts)

    def take(self) -> bytes:
        """What was decompressed since the last call; it no longer counts for the maximum size."""
        taken = self.whole()
        self._parts.clear()
        self._size = self._received = 0
        self._streams = min(self._streams, 1)
        return taken

    def _unpack_some(self, data: bytes) -> bytes:
        """Decompress up to the end of a stream; return the remaining bytes."""
        if self._unpack is None and self._streams and not (data := data.lstrip(b"\0")):  # zero padding after a stream
            return b""
        if self._unpack is None:
            self._streams += 1
            if self._streams > _MOST_STREAMS:
                raise Transient(f"the answer is compressed in more than {_MOST_STREAMS:,} parts", billed=True)
            is_wrapped = self._name == "gzip" or (data[0] & 15 == 8 and data[0] >> 4 <= 7)
            self._unpack = zlib.decompressobj((_GZIP if self._name == "gzip" else _ZLIB) if is_wrapped else _RAW)
        self._keep(self._unpack.decompress(data, self._most - self._size + 1))
        if not self._unpack.eof:
            return self._unpack.unconsumed_tail
        rest: bytes = self._unpack.unused_data
        self._unpack = None  # another stream may follow
        return rest

    def _keep(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > self._most:
            self._parts.clear()
            raise too_large(self._most)
        self._parts.append(data)


def too_large(most: int) -> TooLarge:
    """The fault of a response that exceeds ``most`` bytes."""
    told = parameter("max_reply", f"{most / 1e6:g}")
    return TooLarge(f"the answer is larger than {most / 1e6:g} MB ({told}): it was not read")


@contextlib.contextmanager
def bounded_httpx(most: int) -> Iterator[list[Proxy]]:
    """In the block, let httpx follow no redirect and read no response of more than ``most`` bytes.

    Yields a list to which the proxies of the responses are added.
    """
    bounds = _Bounds(most, [])
    token = _BOUNDS.set(bounds)
    try:
        yield bounds.proxies
    finally:
        _BOUNDS.reset(token)


@contextlib.contextmanager
def answered_httpx(answer: Callable[[Any], bytes]) -> Iterator[None]:
    """In the block, let httpx send nothing: ``answer`` makes the response body for each request."""
    token = _INSTEAD.set(answer)
    try:
        yield
    finally:
        _INSTEAD.reset(token)


@functools.cache
def guard_httpx() -> None:
    """Patch httpx, which litellm uses, for :func:`bounded_httpx` and :func:`answered_httpx`; else it is unchanged."""
    import httpx

    plain, plain_at_once = httpx.AsyncClient.send, httpx.Client.send

    @functools.wraps(plain)
    async def send(client: Any, request: Any, **options: Any) -> Any:
        bounds, instead = _BOUNDS.get(), _INSTEAD.get()
        if instead is not None:
            return _response(request, 200, _JSON, instead(request))
        if bounds is None:
            return await plain(client, request, **options)
        proxy = _prepare(request)
        try:
            answer = await plain(client, request, **options | _AS_SENT)
        except Exception as error:
            raise _proxy_fault(proxy, error) or error from None
        try:
            body = _begin_body(answer, proxy, bounds)
            async for data in answer.aiter_raw():
                body.add(data)
        finally:
            await answer.aclose()
        return _received(answer, body)

    @functools.wraps(plain_at_once)
    def send_at_once(client: Any, request: Any, **options: Any) -> Any:
        bounds, instead = _BOUNDS.get(), _INSTEAD.get()
        if instead is not None:
            return _response(request, 200, _JSON, instead(request))
        if bounds is None:
            return plain_at_once(client, request, **options)
        proxy = _prepare(request)
        answer = plain_at_once(client, request, **options | _AS_SENT)
        try:
            body = _begin_body(answer, proxy, bounds)
            for data in answer.iter_raw():
                body.add(data)
        finally:
            answer.close()
        return _received(answer, body)

    # litellm asks some providers by calls that block (all of MariTalk's, and Ollama's for what a model can do).
    setattr(httpx.AsyncClient, "send", send)  # noqa: B010  mypy wants the very same signature
    setattr(httpx.Client, "send", send_at_once)  # noqa: B010


_JSON = [("content-type", "application/json")]
# Options of httpx by which it neither follows a redirect nor reads a response.
_AS_SENT = {"stream": True, "follow_redirects": False}


def _prepare(request: Any) -> Proxy | None:
    """Ask for the encodings that can be read in parts; return the proxy of the request."""
    request.headers["accept-encoding"] = ENCODINGS
    return usable_proxy(str(request.url))


def _begin_body(answer: Any, proxy: Proxy | None, bounds: _Bounds) -> Body:
    """The empty body of a response.

    Raises:
        ModelFault, Transient: it is a redirect or a refusal of the proxy, or has an encoding that was not requested.
    """
    if proxy:
        bounds.proxies.append(proxy)
        if answer.status_code == 407:
            raise refusal_fault(proxy, answer.status_code)
    if 300 <= answer.status_code < 400:
        raise redirect_fault(answer.status_code, str(answer.request.url), answer.headers)
    return Body(answer.headers.get("content-encoding", ""), bounds.most)


def _received(answer: Any, body: Body) -> Any:
    """A response with its whole body, for litellm."""
    left_out = ("content-encoding", "content-length", "transfer-encoding")
    headers = [(name, value) for name, value in answer.headers.multi_items() if name.lower() not in left_out]
    made = _response(answer.request, answer.status_code, headers, body.whole())
    made.elapsed = answer.elapsed
    return made


def _response(request: Any, status: int, headers: list[tuple[str, str]], content: bytes) -> Any:
    import httpx

    return httpx.Response(status, headers=headers, content=content, request=request)


def _proxy_fault(proxy: Proxy | None, error: Exception) -> Exception | None:
    """The fault of the proxy from the exception of a call; None if the proxy is not the cause."""
    import aiohttp

    if proxy is None:
        return None
    for one in iter_causes(error):
        if isinstance(one, aiohttp.ClientHttpProxyError):
            return refusal_fault(proxy, one.status)
        if isinstance(one, aiohttp.ClientProxyConnectionError):
            told = f"cannot connect to {proxy.name}; {proxy.way_around}: {one.strerror}"
            return Transient(clean_words(told), unreachable=True)
    return None


def close_spoken(connector: Any) -> None:
    """Let a connector of aiohttp close each idle connection on which the server has said something.

    A second answer to the last request, or a notice that the time is over, would be read as the answer to the next one.
    """
    plain = connector._get

    async def get(*given: Any) -> Any:
        while (kept := await plain(*given)) is not None and kept.protocol.should_close:
            kept.close()
        return kept

    connector._get = get


@functools.cache
def guard_litellm(transport_class: Any) -> None:
    """Patch litellm's transport to choose proxies and keep connections as all other calls do."""
    plain = transport_class._get_proxy_settings

    @functools.wraps(plain)
    async def choose(transport: Any, request: Any) -> str | None:
        if _BOUNDS.get() is None:
            return await plain(transport, request)
        connector = transport.get_valid_client_session().connector
        if "_get" not in vars(connector):
            close_spoken(connector)
        proxy = usable_proxy(str(request.url))
        return proxy and proxy.url

    transport_class._get_proxy_settings = choose
