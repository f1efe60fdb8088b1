"""API keys for requests: from a variable, or obtained from the service with a user name and password."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable

import orjson

from scholartools.errors import ModelFault
from scholartools.secrets import learn_secret
from scholartools.web.request import Ask, Service

# Requested validity of a key in seconds.
_LASTS = 3600

Send = Callable[[Ask], Awaitable[tuple[int, bytes]]]


def has_access(service: Service) -> bool:
    """Whether a key, or a user name and password, is set."""
    return bool(_value(service.key_variable)) or (service.login is not None and all(map(_value, service.login)))


class Keys:
    """API keys of one run; those from a login are kept in memory only."""

    def __init__(self) -> None:
        self._had: dict[str, str] = {}
        self._renewed: set[str] = set()

    async def key_of(self, service: Service, ask: Ask, send: Send) -> str | None:
        """Key to send with a request, or None.

        Args:
            send: sends the login request; returns status and body.

        Raises:
            ModelFault: the login failed.
        """
        if ask.auth == "none":
            return None
        if own := _value(service.key_variable):
            return own
        if ask.auth == "key" or service.login is None or not all(map(_value, service.login)):
            return None
        if service.name not in self._had:
            self._had[service.name] = await self._log_in(service, send)
        return self._had[service.name]

    def may_renew(self, service: Service) -> bool:
        """Forget a key that was refused, so that a new one is obtained, once per run; return whether that was done."""
        if service.name not in self._had or service.name in self._renewed:
            return False
        self._renewed.add(service.name)
        del self._had[service.name]
        return True

    async def _log_in(self, service: Service, send: Send) -> str:
        assert service.login is not None
        name, password = service.login
        body = {"id": _value(name), "password": _value(password), "expiresIn": _LASTS}
        status, answer = await send(Ask(service.name, "/login", method="POST", body=body, label="login"))
        try:
            found = orjson.loads(answer)
        except ValueError:
            found = None
        token = found.get("token") if isinstance(found, dict) else None
        if status == 200 and isinstance(token, str) and token:
            learn_secret(token, f"{service.key_variable}")
            return token
        wants_more = isinstance(found, dict) and any("mfa" in str(key).lower() for key in found)
        told = "it wants a second factor, which is not given here" if wants_more else f"status {status}"
        ways = f"set {service.key_variable}, or check {name} and {password}"
        raise ModelFault(f"{service.name}: no login: {told}: {ways}; see docs/fetch.md", kind="key")


def _value(variable: str | None) -> str:
    return os.environ.get(variable or "", "").strip()
