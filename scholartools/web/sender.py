"""Send one HTTP request, only to the hosts of its service."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode, urljoin, urlsplit

from scholartools.cache.request import canonical_json
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.parameters import parameter
from scholartools.proxies import Proxy, is_final, proxy_of
from scholartools.web.faults import Again
from scholartools.web.files import LARGEST_FILE, Sink
from scholartools.web.request import Ask, Service
from scholartools.web.settings import WebSettings

_REDIRECTS = 5
_MOVED = (301, 302, 303, 307, 308)
# Maximum size of a decompressed body in bytes; the longest known lists have a tenth of it.
_LARGEST = 256_000_000
# Headers that are stored.
_KEPT = ("content-type", "date", "etag", "last-modified", "retry-after", "content-disposition")
_TYPES = {"json": "application/json", "xml": "application/atom+xml, application/xml", "text": "*/*", "file": "*/*"}

Sent = tuple[int, dict[str, str], bytes]


class _Way(NamedTuple):
    """Parameters of one HTTP request.

    Attributes:
        at_home: whether no redirect has led to another host, which must not receive the key.
    """

    method: str
    address: str
    data: bytes | None
    at_home: bool = True


class _Redirect(NamedTuple):
    """A response with another URL."""

    status: int
    place: str


class Sender:
    """Sends requests; retries, limits and the cache are up to the client."""

    def __init__(self, settings: WebSettings) -> None:
        """Nothing is connected yet."""
        self._settings = settings
        self._session: Any = None

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()

    async def send(
        self, service: Service, ask: Ask, receive: Callable[[int], bool] = lambda size: True, *,
        key: str | None = None, sink: Sink | None = None,
    ) -> Sent:  # fmt: skip
        """Send a request; return status, headers (:data:`_KEPT` and rate limits) and decompressed body.

        Args:
            receive: called with the number of bytes of each chunk; False aborts.
            key: API key, sent only to the host of the service.
            sink: receives the bytes of a file; the body is then its facts (:class:`scholartools.web.files.Facts`).

        Raises:
            Again: no complete response was received.
            ModelFault: a redirect leads away from the service, or the URL cannot be used.
            ScholartoolsError: the response is too large.
        """
        data = None if ask.body is None else canonical_json(ask.body)
        way = _Way(ask.method, self._first_address(service, ask), data)
        for _ in range(_REDIRECTS + 1):
            answer = await self._send_once(service, ask, way, receive, key=key if way.at_home else None, sink=sink)
            if not isinstance(answer, _Redirect):
                return answer
            way = self._follow(service, ask, way, answer)
        raise ScholartoolsError(f"{service.name}: more than {_REDIRECTS} redirects", kind="refused")

    async def _send_once(
        self, service: Service, ask: Ask, way: _Way, receive: Callable[[int], bool], *,
        key: str | None, sink: Sink | None,
    ) -> Sent | _Redirect:  # fmt: skip
        """Send a request to one URL without following redirects."""
        import aiohttp

        limit = aiohttp.ClientTimeout(total=self._settings.timeout if ask.accept != "file" else None, sock_read=60)
        proxy = _proxy_of(way.address)
        sending = self._open_session().request(
            way.method, way.address, data=way.data, headers=self._headers(service, ask, key), timeout=limit,
            allow_redirects=False, proxy=proxy and proxy.url,
        )  # fmt: skip
        try:
            async with sending as response:
                if response.status == 407 and proxy:
                    raise _refusal(service, proxy, response.status)
                place = response.headers.get("Location")
                if response.status in _MOVED and place:
                    return _Redirect(response.status, place)
                body = await _read_body(service, response, ask, receive, sink if response.status == 200 else None)
                return response.status, _kept(response.headers), body
        except TimeoutError:
            raise Again(f"{service.name}: no answer within {self._settings.timeout:g} s") from None
        except aiohttp.ClientError as error:
            raise _fault_of(service, way.address, proxy, error) from None

    def _first_address(self, service: Service, ask: Ask) -> str:
        """URL of a request, with the user's e-mail address if the service requires it in the query."""
        address = ask.address(self.address_of(service, ask))
        if service.contact_query and self._settings.contact:
            address += ("&" if ask.query else "?") + urlencode({service.contact_query: self._settings.contact})
        return address

    def _follow(self, service: Service, ask: Ask, way: _Way, redirect: _Redirect) -> _Way:
        """Request for a redirect; status 303 changes it to GET without a body.

        Raises:
            ModelFault: it leads away from the service.
        """
        moved = urljoin(way.address, redirect.place)
        at_home = self._check_redirect(service, ask, way.address, moved) and way.at_home
        method, data = ("GET", None) if redirect.status == 303 else (way.method, way.data)
        return _Way(method, moved, data, at_home)

    def address_of(self, service: Service, ask: Ask) -> str:
        """Base URL of requests, without path."""
        base = self._settings.base
        if base is None:
            return service.addresses[ask.at]
        return f"{base}/{service.name}" + (f"/{ask.at}" if ask.at else "")

    def _check_redirect(self, service: Service, ask: Ask, address: str, moved: str) -> bool:
        """Check that a redirect stays at the service; return whether it stays at the same host.

        Raises:
            ModelFault: it leads away from the service.
        """
        to, asked = urlsplit(moved), urlsplit(address)
        home = urlsplit(self.address_of(service, ask))
        if self._settings.base is not None:
            allowed = {home.netloc}
        else:
            allowed = {*(urlsplit(one).netloc for one in service.addresses.values()), *service.file_hosts}
        if to.netloc not in allowed or (to.scheme != "https" and to.scheme != asked.scheme) or to.username:
            where = f"{to.scheme}://{to.hostname}"
            raise ModelFault(f"{service.name} redirects to {where}, which is not followed", kind="redirect")
        return to.netloc == home.netloc

    def _headers(self, service: Service, ask: Ask, key: str | None) -> dict[str, str]:
        coding = "identity" if ask.accept == "file" else "gzip"
        # Set per request, not per session: aiohttp sends session headers to a proxy, too.
        made = {"User-Agent": self._settings.user_agent, "Accept": _TYPES[ask.accept], "Accept-Encoding": coding}
        if ask.body is not None:
            made["Content-Type"] = "application/json"
        if key:
            name, pattern = service.key_header
            made[name] = pattern.format(key)
        return made

    def _open_session(self) -> Any:
        import aiohttp

        if self._session is None:
            self._session = aiohttp.ClientSession(auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar())
        return self._session


def _proxy_of(address: str) -> Proxy | None:
    proxy = proxy_of(address)
    if proxy is not None and not proxy.is_http:
        raise ModelFault(f"{proxy.name} is no HTTP proxy: {proxy.way_around}", kind="network")
    return proxy


def _refusal(service: Service, proxy: Proxy, status: int) -> Exception:
    reason = f"{service.name}: {proxy.refusal(status)}"
    return ModelFault(reason, kind="network") if is_final(status) else Again(reason, unreachable=True)


def _fault_of(service: Service, address: str, proxy: Proxy | None, error: Exception) -> Exception:
    """Error for a request without a response."""
    import aiohttp

    if proxy and isinstance(error, aiohttp.ClientHttpProxyError):
        return _refusal(service, proxy, error.status)
    if isinstance(error, aiohttp.ClientConnectorError):
        where = f"{proxy.name}; {proxy.way_around}" if proxy else urlsplit(address).netloc
        return Again(
            f"{service.name}: cannot connect to {where} ({error.strerror or 'no connection'})", unreachable=True
        )
    way = f" through {proxy.name}" if proxy else ""
    return Again(f"{service.name}: the connection{way} broke ({type(error).__name__})")


def _kept(headers: Mapping[str, str]) -> dict[str, str]:
    lowered = {name.lower(): value for name, value in headers.items()}
    return {
        name: value
        for name, value in lowered.items()
        if name in _KEPT or name.startswith(("x-rate-limit", "x-ratelimit"))
    }


async def _read_body(
    service: Service, response: Any, ask: Ask, receive: Callable[[int], bool], sink: Sink | None
) -> bytes:
    """Body without transfer encoding, or the facts of a file, which is written to disk."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise Again(f"{service.name}: packed as {encoding[:20]}, which was not asked for")
    parts, size = [], 0
    most, what = (_LARGEST, "an answer") if sink is None else (LARGEST_FILE, "a file")
    if sink is not None:
        sink.open()
    unpack = zlib.decompressobj(31) if encoding.endswith("gzip") and ask.accept != "file" else None
    async for data in response.content.iter_any():
        if not receive(len(data)):
            response.close()
            told = parameter("max_bytes")
            raise ScholartoolsError(f"{service.name}: more bytes than {told} allows", kind="too-large")
        try:
            data = unpack.decompress(data, most - size + 1) if unpack else data
        except zlib.error:
            raise Again(f"{service.name}: the answer cannot be decompressed") from None
        size += len(data)
        if size > most:
            response.close()
            told = f"{what} of more than {most // 1_000_000} MB"
            raise ScholartoolsError(f"{service.name}: {told}", kind="too-large")
        if sink is None:
            parts.append(data)
        else:
            sink.write(data)
    if unpack is not None and not unpack.eof:
        raise Again(f"{service.name}: the answer was cut off")
    return b"".join(parts) if sink is None else sink.finish(encoding).dump()
