"""URLs of servers: normalised without credentials, and as endpoints of requests."""

from __future__ import annotations

import functools
import ipaddress
import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

_PORTS = {"http": 80, "https": 443}
_NO_PATH = re.compile(r"[?#;]")


@functools.lru_cache(maxsize=256)
def plain_address(address: str | None) -> str | None:
    """Normalise a URL and remove its user, password, parameters, query and fragment.

    Scheme and host become lower case; the default port and trailing slashes are dropped. Everything before the last @
    may be part of a password and is dropped as well, even where the text is not a valid URL.
    """
    if address is None:
        return None
    scheme, mark, rest = address.rpartition("://")
    try:
        parts = urlsplit(f"{scheme}{mark}{rest.rpartition('@')[2]}")
        host = _plain_host(parts)
    except ValueError:  # not a valid URL: the request to it reports that
        host = ""
    if not host:
        return _NO_PATH.split(address.rpartition("@")[2])[0]
    path = re.sub(r";[^/]*", "", parts.path)
    return urlunsplit((parts.scheme, host, path.rstrip("/"), "", ""))


def has_late_at(address: str) -> bool:
    """Whether an @ follows the host, as in a password with a /, ? or # that is not percent-encoded."""
    parts = urlsplit(address)
    return "@" in f"{parts.path}{parts.query}{parts.fragment}"


def _plain_host(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if ":" in host:
        host = f"[{ipaddress.ip_address(host).compressed}]"
    return host if parts.port in (None, _PORTS.get(parts.scheme)) else f"{host}:{parts.port}"


def calls_address(address: str) -> str:
    """URL of the chat completions endpoint of an OpenAI-compatible server; a query is kept."""
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/chat/completions", parts.query, ""))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
