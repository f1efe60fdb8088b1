"""Which proxy of the environment a request goes through, by the rules of curl, and the message about one that fails.

Where these rules and curl differ, docs/models.md says so.
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
_PORTS = {"http": 80, "https": 443}  # of an address that names none
_BETWEEN = re.compile(r"[ \t,]+")
# Statuses of an answer through a proxy that a proxy gives as often as the server behind it.
_EITHER = (403, 502, 503, 504)


class Proxy(NamedTuple):
    """A proxy, and whose requests go through it.

    Attributes:
        url: its address, with the user and the password; never to be shown.
        variable: the variable of the environment that names it.
        host: that is asked through it.
    """

    url: str
    variable: str
    host: str

    def __repr__(self) -> str:
        return f"{self.name}: {self.host}"

    @property
    def name(self) -> str:
        """What messages show, without secrets."""
        return f"the proxy {plain_address(self.url)} ({self.variable})"

    @property
    def way_around(self) -> str:
        """How its use is avoided."""
        return f"NO_PROXY={self.host} goes around it"

    @property
    def is_http(self) -> bool:
        """Whether it can be used: it is no SOCKS proxy."""
        return self.url.lower().startswith(("http://", "https://"))

    def refusal(self, status: int) -> str:
        """The message where it refuses to pass on a request."""
        why = " because it wants a user and a password" if status == 407 else ""
        return f"{self.name} refuses to connect to {self.host} (status {status}){why}; {self.way_around}"

    def says(self, status: int, words: str) -> str:
        """The words of an answer that came through it, with its name where it may be the one who answers."""
        return f"through {self.name}, {self.way_around}: {words}" if status in _EITHER else words


def is_final(status: int) -> bool:
    """Whether a proxy that answers so will not pass on the next request either."""
    return 400 <= status < 500 and status not in (408, 429)


def proxy_of(address: str) -> Proxy | None:
    """The proxy that requests to an address go through; None where they go straight there.

    Requests to this machine go straight, since no other can pass them on.
    """
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    ip = _ip_of(host)
    if is_loopback(host if ip is None else str(ip)) or _is_excepted(host, ip, parts.port or _PORTS.get(parts.scheme)):
        return None
    names = (f"{parts.scheme}_proxy", f"{parts.scheme}_proxy".upper(), "all_proxy", "ALL_PROXY")
    found = next(((name, value) for name in names if (value := os.environ.get(name, "").strip())), None)
    if found is None:  # of the system, which macOS and Windows have
        value = "" if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(parts.scheme, "")
        found = ("of the system", value)
    variable, proxy = found
    if not proxy:
        return None
    return Proxy(proxy if "://" in proxy else f"http://{proxy}", variable, host)


def _is_excepted(host: str, ip: _Ip | None, port: int | None) -> bool:
    """Whether NO_PROXY lists a host: itself, a domain or a network that it is in, or all hosts."""
    listed = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    if listed == "*":
        return True
    for entry in _BETWEEN.split(listed.lower()):
        if port is not None and (entry.count(":") == 1 or entry.startswith("[")):  # else an address of IPv6
            entry = entry.removesuffix(f":{port}")
        if ip is not None:
            if _holds(entry, ip):
                return True
        elif (domain := entry.removeprefix(".").removesuffix(".")) and (host == domain or host.endswith(f".{domain}")):
            return True
    return False


def _holds(entry: str, ip: _Ip) -> bool:
    """Whether an entry is an address, or a network in which it is."""
    network, slash, bits = entry.removeprefix("[").partition("/")
    try:
        of = ipaddress.ip_network((network.removesuffix("]"), int(bits) if slash else ip.max_prefixlen), strict=False)
    except ValueError:
        return False
    return ip in of


def _ip_of(host: str) -> _Ip | None:
    """The address that a host is, also in the short ways to write one (127.1, 0x7f000001); None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host)) if host[:1].isdigit() else None
    except OSError:
        return None
