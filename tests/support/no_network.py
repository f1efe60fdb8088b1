"""Blocks connections to other machines: they fail as without a network, and are recorded."""

from __future__ import annotations

import errno
import sys
from typing import Any

# Connections that were refused in this process.
REFUSED: list[str] = []


def forbid() -> None:
    """Refuse connections to other machines from now on, in this process and in processes forked from it."""
    sys.addaudithook(_refuse)


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    if event != "socket.connect" or not isinstance(args[1], tuple):
        return
    host = str(args[1][0])
    if host == "localhost" or host.startswith("127.") or host == "::1":
        return
    REFUSED.append(host)
    raise OSError(errno.ENETUNREACH, f"tests connect to no other machine, such as {host}")
