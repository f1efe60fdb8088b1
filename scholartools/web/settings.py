"""Settings for requests to web services: the options shared by all actions."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from scholartools import __version__
from scholartools.cache import Place
from scholartools.errors import UsageFault
from scholartools.parameters import parameter

_MAIL = re.compile(r"[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+")
_THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class WebSettings:
    """Settings for requests to web services.

    Attributes:
        place: place of the cache; None: nothing is stored or read.
        contact: e-mail address of the user for the services.
        max_calls: maximum number of requests, including retries; None for no limit. Likewise ``max_cost`` (USD),
            ``max_bytes``.
        max_wait: longest delay in seconds that a run waits for.
        max_age: days after which a response is requested again; None: never.
        base: URL of a server that replaces all services, for tests: ``BASE/SOURCE/...``; None: the services.
        pace: factor of the intervals between requests to such a server on this machine.
    """

    place: Place | None = None
    contact: str | None = None
    max_calls: int | None = None
    max_cost: float | None = None
    max_bytes: int | None = None
    max_wait: float = 600.0
    max_age: float | None = None
    timeout: float = 60.0
    retries: int = 4
    replay: bool = False
    refresh: bool = False
    namespace: str | None = None
    base: str | None = None
    pace: float = 1.0

    def __post_init__(self) -> None:
        """Validate the values.

        Raises:
            UsageFault: a value is out of range, or the e-mail address is invalid.
        """
        for name in ("max_cost", "max_wait", "max_age", "timeout"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise UsageFault("not a finite number", parameter=name)
        if self.contact is not None and not _MAIL.fullmatch(self.contact):
            raise UsageFault(f'"{self.contact}" is not a mail address', parameter="mailto")
        if self.place is None and self.replay:
            raise UsageFault(f"{parameter('replay', True)} needs the cache")

    @property
    def user_agent(self) -> str:
        """User-Agent header of requests."""
        return f"scholartools/{__version__}" + (f" (mailto:{self.contact})" if self.contact else "")


def server_in_place() -> tuple[str | None, float]:
    """Server in ``ST_FETCH_BASE`` that replaces all services, and the factor of the intervals there.

    Raises:
        UsageFault: it is neither https nor on this machine, or ``ST_FETCH_PACE`` is not a number from 0 to 1.
    """
    base = os.environ.get("ST_FETCH_BASE") or None
    if base is None:
        return None, 1.0
    parts = urlsplit(base)
    is_here = parts.hostname in _THIS_MACHINE
    if parts.scheme not in ("http", "https") or not parts.hostname or (parts.scheme == "http" and not is_here):
        raise UsageFault("ST_FETCH_BASE: must be https://..., or http://... on this machine")
    try:
        pace = float(os.environ.get("ST_FETCH_PACE") or 1.0)
    except ValueError:
        pace = -1.0
    if not 0 <= pace <= 1:
        raise UsageFault("ST_FETCH_PACE: not a number from 0 to 1")
    return base.rstrip("/"), pace if is_here else 1.0
