"""Addresses of servers: their one spelling without secrets, those of calls, and the proxies on the way to them."""

from __future__ import annotations

import functools
import ipaddress
import re
from urllib.parse import SplitResult, urlsplit, urlunsplit
from urllib.request import getproxies, proxy_bypass

_PORTS = {"http": 80, "https": 443}
_NO_PATH = re.compile(r"[?#;]")


@functools.lru_cache(maxsize=256)
def plain_address(address: str | None) -> str | None:
    """An address without user, password, parameters, query and fragment, in the one way to write it.

    Scheme and host are lower case, a port that goes without saying and slashes at the end are left out. Whatever
    precedes the last @ may be a part of a password and is left out, also where it is no address any more.
    """
    if address is None:
        return None
    scheme, mark, rest = address.rpartition("://")
    try:
        parts = urlsplit(f"{scheme}{mark}{rest.rpartition('@')[2]}")
        host = _plain_host(parts)
    except ValueError:  # no address: a call to it says so
        host = ""
    if not host:
        return _NO_PATH.split(address.rpartition("@")[2])[0]
    path = re.sub(r";[^/]*", "", parts.path)
    return urlunsplit((parts.scheme, host, path.rstrip("/"), "", ""))


def has_late_at(address: str) -> bool:
    """Whether an @ stands behind the host, as where a password has a /, ? or # that is not written as %2F, %3F, %23."""
    parts = urlsplit(address)
    return "@" in f"{parts.path}{parts.query}{parts.fragment}"


def _plain_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{ipaddress.ip_address(host).compressed}]"
    return host if parts.port in (None, _PORTS.get(parts.scheme)) else f"{host}:{parts.port}"


def calls_address(address: str) -> str:
    """The address of the calls to a server that speaks OpenAI's language; a query stays at its end."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/chat/completions", parts.query, ""))


def proxy_of(address: str) -> str | None:
    """The proxy by which an address is reached, as the environment says (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY).

    None where there is none, and for addresses of this machine itself, which no other can reach.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    if is_loopback(host) or proxy_bypass(host if parts.port is None else f"{host}:{parts.port}"):
        return None
    named = getproxies()
    proxy = named.get(parts.scheme) or named.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
