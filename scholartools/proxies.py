"""Select the proxy of a request from the environment by curl's rules, and describe failures of proxies.

docs/models.md lists the differences from curl.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import urllib.request
from typing import NamedTuple
from urllib.parse import urlsplit

from scholartools.address import is_loopback, plain_address

_Ip = ipaddress.IPv4Address | ipaddress.IPv6Address
_PORTS = {"http": 80, "https": 443}  # default ports
_BETWEEN = re.compile(r"[ \t,]+")
# Statuses of responses that may come from the proxy or from the server behind it.
_EITHER = (403, 502, 503, 504)


class Proxy(NamedTuple):
    """A proxy for requests to one host.

    Attributes:
        url: URL of the proxy with user and password; must not be shown.
        variable: the environment variable that names it.
        host: the host that requests go to.
    """

    url: str
    variable: str
    host: str

    def __repr__(self) -> str:
        return f"{self.name}: {self.host}"

    @property
    def name(self) -> str:
        """Description for messages, without credentials."""
        return f"the proxy {plain_address(self.url)} ({self.variable})"

    @property
    def way_around(self) -> str:
        """Advice on how to bypass the proxy."""
        return f"NO_PROXY={self.host} goes around it"

    @property
    def is_http(self) -> bool:
        """Whether it is an HTTP proxy, the only supported kind (not SOCKS)."""
        return self.url.lower().startswith(("http://", "https://"))

    def refusal(self, status: int) -> str:
        """Message for a refusal to forward a request."""
        why = " because it wants a user and a password" if status == 407 else ""
        return f"{self.name} refuses to connect to {self.host} (status {status}){why}; {self.way_around}"

    def says(self, status: int, words: str) -> str:
        """Text of a response through the proxy, preceded by the proxy if the response may be its own."""
        return f"through {self.name}, {self.way_around}: {words}" if status in _EITHER else words


def is_final(status: int) -> bool:
    """Whether this status of a proxy means that it will not forward later requests either."""
    return 400 <= status < 500 and status not in (408, 429)


def proxy_of(address: str) -> Proxy | None:
    """Proxy for requests to a URL; None for a direct connection.

    Requests to the loopback interface never use a proxy, which could not forward them.
    """
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    ip = _ip_of(host)
    if is_loopback(host if ip is None else str(ip)) or _is_excepted(host, ip, parts.port or _PORTS.get(parts.scheme)):
        return None
    names = (f"{parts.scheme}_proxy", f"{parts.scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")
    found = next(((name, value) for name in names if (value := os.environ.get(name, "").strip())), None)
    if found is None:  # proxy settings of the system (macOS, Windows)
        value = "" if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(parts.scheme, "")
        found = ("of the system", value)
    variable, proxy = found
    if not proxy:
        return None
    return Proxy(proxy if "://" in proxy else f"http://{proxy}", variable, host)


def _is_excepted(host: str, ip: _Ip | None, port: int | None) -> bool:
    """Whether NO_PROXY lists a host: the host, its domain or network, or all hosts."""
    listed = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    if listed == "*":
        return True
    for entry in _BETWEEN.split(listed.lower()):
        if port is not None and (entry.count(":") == 1 or entry.startswith("[")):  # else an IPv6 address
            entry = entry.removesuffix(f":{port}")
        if ip is not None:
            if _holds(entry, ip):
                return True
        elif (domain := entry.removeprefix(".").removesuffix(".")) and (host == domain or host.endswith(f".{domain}")):
            return True
    return False


def _holds(entry: str, ip: _Ip) -> bool:
    """Whether an entry is this address or a network that contains it."""
    network, slash, bits = entry.removeprefix("[").partition("/")
    try:
        of = ipaddress.ip_network((network.removesuffix("]"), int(bits) if slash else ip.max_prefixlen), strict=False)
    except ValueError:
        return False
    return ip in of


def _ip_of(host: str) -> _Ip | None:
    """IP address of a host, also in short notations (127.1, 0x7f000001); None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host)) if host[:1].isdigit() else None
    except OSError:
        return None
