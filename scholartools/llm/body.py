"""The body of an answer, unpacked as it comes and never beyond a bound, whatever a server sends."""

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

# What is asked for, and can be unpacked in parts.
ENCODINGS = "gzip, deflate"
_GZIP, _ZLIB, _RAW = 31, 15, -15


class _Bounds(NamedTuple):
    """Of a call through litellm: bytes that its answer may have, and the proxies that answers came through."""

    most: int
    proxies: list[Proxy]


# None where a call is another's.
_BOUNDS: ContextVar[_Bounds | None] = ContextVar("bounds", default=None)
# What answers calls through litellm in place of their server.
_INSTEAD: ContextVar[Callable[[Any], bytes] | None] = ContextVar("instead", default=None)


class TooLarge(ScholartoolsError):
    """An answer is larger than a run reads; it may have been billed."""

    kind = "too-large"


class Body:
    """The bytes of a body, as far as they came."""

    def __init__(self, encoding: str, most: int) -> None:
        """Of a body that the header says is packed so (``Content-Encoding``), of at most so many bytes unpacked.

        Raises:
            Transient: it is packed in another way than was asked for.
        """
        names = [name for part in encoding.lower().split(",") if (name := part.strip()) not in ("", "identity")]
        if names not in ([], ["gzip"], ["x-gzip"], ["deflate"]):
            raise Transient(f"the answer is compressed as {', '.join(names)}, which was not requested", billed=True)
        self._name = names[0].removeprefix("x-") if names else None
        self._unpack: Any = None
        self._most = most
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, data: bytes) -> None:
        """More of it.

        Raises:
            TooLarge: it is larger than it may be.
            Transient: it cannot be unpacked.
        """
        if self._name is None:
            self._keep(data)
            return
        try:
            while data:
                data = self._unpack_some(data)
        except zlib.error:
            raise Transient("the answer cannot be decompressed", billed=True) from None

    def whole(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)

    def _unpack_some(self, data: bytes) -> bytes:
        """Unpack until all of it is, or its stream ends; what remains of it."""
        if self._unpack is None and self._size and not (data := data.lstrip(b"\0")):  # what fills up a stream's end
            return b""
        if self._unpack is None:
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
    """The fault of an answer that is larger than so many bytes."""
    told = parameter("max_reply", f"{most / 1e6:g}")
    return TooLarge(f"the answer is larger than {most / 1e6:g} MB ({told}): it was not read")


@contextlib.contextmanager
def bounded_httpx(most: int) -> Iterator[list[Proxy]]:
    """Let calls by httpx in the block follow no redirect, and read no answer that is larger than so many bytes.

    Gives a list, with the proxies that answers came through.
    """
    bounds = _Bounds(most, [])
    token = _BOUNDS.set(bounds)
    try:
        yield bounds.proxies
    finally:
        _BOUNDS.reset(token)


@contextlib.contextmanager
def answered_httpx(answer: Callable[[Any], bytes]) -> Iterator[None]:
    """Send no calls by httpx in the block: ``answer`` makes the body of an answer of each request."""
    token = _INSTEAD.set(answer)
    try:
        yield
    finally:
        _INSTEAD.reset(token)


@functools.cache
def guard_httpx() -> None:
    """Give httpx, by which litellm calls, the bounds of :func:`bounded_httpx`; calls of others stay as they are."""
    import httpx

    plain = httpx.AsyncClient.send

    @functools.wraps(plain)
    async def send(client: Any, request: Any, **options: Any) -> Any:
        bounds, instead = _BOUNDS.get(), _INSTEAD.get()
        if instead is not None:
            kind = {"content-type": "application/json"}
            return httpx.Response(200, headers=kind, content=instead(request), request=request)
        if bounds is None:
            return await plain(client, request, **options)
        request.headers["accept-encoding"] = ENCODINGS
        proxy = usable_proxy(str(request.url))
        try:
            answer = await plain(client, request, **{**options, "stream": True, "follow_redirects": False})
        except Exception as error:
            raise _proxy_fault(proxy, error) or error from None
        try:
            if proxy:
                bounds.proxies.append(proxy)
                if answer.status_code == 407:
                    raise refusal_fault(proxy, answer.status_code)
            if 300 <= answer.status_code < 400:
                raise redirect_fault(answer.status_code, str(request.url), answer.headers)
            body = Body(answer.headers.get("content-encoding", ""), bounds.most)
            async for data in answer.aiter_raw():
                body.add(data)
        finally:
            await answer.aclose()
        headers = [
            (name, value)
            for name, value in answer.headers.multi_items()
            if name.lower() not in ("content-encoding", "content-length", "transfer-encoding")
        ]
        made = httpx.Response(answer.status_code, headers=headers, content=body.whole(), request=request)
        made.elapsed = answer.elapsed
        return made

    setattr(httpx.AsyncClient, "send", send)  # noqa: B010  mypy wants the very same signature


def _proxy_fault(proxy: Proxy | None, error: Exception) -> Exception | None:
    """The fault of a proxy by what a call through it failed with; None where it is another's."""
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


@functools.cache
def guard_proxies(transport_class: Any) -> None:
    """Let calls through litellm's transport take the proxy that all other calls take; it has rules of its own."""
    plain = transport_class._get_proxy_settings

    @functools.wraps(plain)
    async def choose(transport: Any, request: Any) -> str | None:
        if _BOUNDS.get() is None:
            return await plain(transport, request)
        proxy = usable_proxy(str(request.url))
        return proxy and proxy.url

    transport_class._get_proxy_settings = choose
