"""Addresses of servers: their one spelling without secrets, and those of calls."""

from __future__ import annotations

import functools
import ipaddress
import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

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
    """Whether an @ comes after the host, as where a password has a /, ? or # that is not written as %2F, %3F, %23."""
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


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
