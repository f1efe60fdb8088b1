"""Client of a Label Studio server: create projects, send tasks, fetch answers. Written for version 1.23.

A token is either a legacy token of the account page or a personal one, which is exchanged for a token valid for five
minutes. It is read from an environment variable and never written to files or messages.
"""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any

from scholartools.address import plain_address
from scholartools.errors import ModelFault, UsageFault
from scholartools.json_text import loads
from scholartools.llm.faults import usable_proxy
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.annotate.batch import GUIDE, Batch
from scholartools.tasks.annotate.label_studio import ROW_KEY, label_studio_tasks, project_name, project_of, shared_rows
from scholartools.wording import count_of

TOKEN = "LABEL_STUDIO_API_KEY"
_LOCAL = ("127.0.0.1", "localhost", "::1")
_SECONDS = 60
_MOST_TASKS = 500  # per request; the server accepts 1,000
_REFRESH = 240  # seconds; tokens are valid for 300
# Error message of urllib if a proxy refuses a tunnel.
_TUNNEL = re.compile(r"Tunnel connection failed: (\d{3})\b")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Disables redirects, which would send the token to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class LabelStudio:
    """A connection to a server as one of its users."""

    def __init__(self, url: str, *, is_insecure: bool = False) -> None:
        """Check address and token, without a request.

        Raises:
            UsageFault: the address is invalid, or remote without TLS; there is no token in the environment.
        """
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise UsageFault(f'"{plain_address(url)}" is not the address of a server, such as http://HOST:PORT')
        is_local = parts.hostname in _LOCAL
        if parts.scheme == "http" and not is_local and not is_insecure:
            raise UsageFault(
                f"{plain_address(url)}: the token would be sent without encryption: "
                f"use https, or {parameter('insecure', True)}"
            )
        self.url = url.rstrip("/")
        self._token = os.environ.get(TOKEN, "").strip()
        if not self._token:
            raise UsageFault(f"no token: {TOKEN} must hold one of {plain_address(url)}")
        self._access, self._since = "", 0.0
        self._proxy = usable_proxy(url)
        proxies = {parts.scheme: self._proxy.url} if self._proxy else {}
        self._opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler(proxies))

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request and return the response.

        Raises:
            ModelFault: the server is unreachable, rejects the token, or answers with an error.
        """
        for attempt in (1, 2):
            request = urllib.request.Request(
                self.url + path,
                data=None if body is None else json.dumps(body).encode(),
                headers={"Authorization": self._authorization(), "Content-Type": "application/json"},
                method=method,
            )
            try:
                return self._open(request)
            except urllib.error.HTTPError as error:
                if error.code == 401 and attempt == 1 and self._is_personal():
                    self._access = ""
                    continue
                self._refuse_proxy(error.code)
                told = error.read(2000).decode(errors="replace")
                for secret in filter(None, (self._token, self._access)):
                    told = told.replace(secret, "...")
                raise ModelFault(f"{self._shown()}{path.partition('?')[0]}: {error.code}: {told[:300]}") from None
            except (OSError, ValueError) as error:
                raise self._unreachable(error) from None

    def _open(self, request: urllib.request.Request) -> Any:
        with self._opener.open(request, timeout=_SECONDS) as reply:
            return loads((reply.read() or b"null").decode())

    def _unreachable(self, error: Exception) -> ModelFault:
        """Error for a server without a readable response."""
        reason = str(getattr(error, "reason", error)) or type(error).__name__
        if self._proxy and (refused := _TUNNEL.match(reason)):
            return ModelFault(self._proxy.refusal(int(refused[1])))
        return ModelFault(f"{self._shown()}: {reason}")

    def _refuse_proxy(self, status: int) -> None:
        """Raise if the status can only come from a proxy that requires a password."""
        if self._proxy and status == 407:
            raise ModelFault(self._proxy.refusal(status))

    def _shown(self) -> str:
        shown = str(plain_address(self.url))
        return f"{shown} (through {self._proxy.name}; {self._proxy.way_around})" if self._proxy else shown

    def _is_personal(self) -> bool:
        return self._token.count(".") == 2

    def _authorization(self) -> str:
        if not self._is_personal():
            return f"Token {self._token}"
        if not self._access or time.monotonic() - self._since > _REFRESH:
            body = json.dumps({"refresh": self._token}).encode()
            request = urllib.request.Request(
                f"{self.url}/api/token/refresh/", data=body, headers={"Content-Type": "application/json"}
            )
            try:
                self._access = str(self._open(request)["access"])
            except urllib.error.HTTPError as error:
                self._refuse_proxy(error.code)
                if error.code >= 500:
                    raise ModelFault(f"{self._shown()}: {error.code}") from None
                raise ModelFault(f"{self._shown()}: the token of {TOKEN} is refused ({error.code})") from None
            except (KeyError, TypeError):
                raise ModelFault(f"{self._shown()}: the answer holds no token") from None
            except (OSError, ValueError) as error:
                raise self._unreachable(error) from None
            self._since = time.monotonic()
        return f"Bearer {self._access}"

    def find_project(self, batch: Batch, rater: str | None) -> int | None:
        """Number of a rater's project (None: the shared one), found by its description."""
        wanted, page = project_name(batch, rater), 1
        while True:
            found = self.ask("GET", f"/api/projects/?page={page}&page_size=100")
            for project in found["results"]:
                if project.get("description") == wanted:
                    return int(project["id"])
            if not found.get("next"):
                return None
            page += 1

    def add_numbers(self, users: Mapping[str, str]) -> dict[str, str]:
        """Raters by e-mail address, and by the user numbers of these addresses on the server."""
        known = {str(one["id"]): users[one["email"]] for one in self.ask("GET", "/api/users/") if one["email"] in users}
        return {**users, **known}

    def export(self, project: int) -> list[Record]:
        """All tasks of a project, with annotations and drafts."""
        return self.ask("GET", f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")


def push(server: LabelStudio, batch: Batch, rater: str | None) -> str:
    """Create or find the project of a rater (None: the shared one), send missing tasks, and return its address.

    Raises:
        ModelFault: see :meth:`LabelStudio.ask`; or the tasks on the server differ from those of the batch, or in
            whether they have suggestions.
    """
    guide = (batch.folder / GUIDE).read_text(encoding="utf-8")
    number = server.find_project(batch, rater)
    if number is None:
        number = int(server.ask("POST", "/api/projects/", project_of(batch, rater, guide))["id"])
    tasks = label_studio_tasks(batch, shared_rows(batch) if rater is None else batch.rows[rater])
    there = {_row_of(task): _n_suggested(task) for task in server.export(number)}
    for task in tasks:
        row = _row_of(task)
        if row in there and bool(there[row]) != bool(task.get("predictions")):
            has = "has" if there[row] else "lacks"
            told = f"{has} suggestions for tasks that are there: raters would begin differently; assign another batch"
            raise ModelFault(f"project {number} of {plain_address(server.url)} {told}")
    lacking = [task for task in tasks if _row_of(task) not in there]
    for start in range(0, len(lacking), _MOST_TASKS):
        server.ask("POST", f"/api/projects/{number}/import", lacking[start : start + _MOST_TASKS])
    found = {_row_of(task): task["data"] for task in server.export(number)}
    if found != {_row_of(task): task["data"] for task in tasks}:
        told = f"has other tasks than the {count_of(len(tasks), 'task')} that were sent"
        raise ModelFault(f"project {number} of {plain_address(server.url)} {told}")
    return f"{plain_address(server.url)}/projects/{number}"


def pull(server: LabelStudio, batch: Batch) -> Iterator[tuple[str | None, list[Record]]]:
    """Export the project of each rater, and the shared one.

    Raises:
        ModelFault: see :meth:`LabelStudio.ask`; or no rater has a project on the server.
    """
    names = [*batch.raters, *([None] if batch.is_shared else [])]
    projects = {rater: server.find_project(batch, rater) for rater in names}
    if not any(projects.values()):
        raise ModelFault(f"{plain_address(server.url)}: no project of the batch {batch.id}")
    for rater, number in projects.items():
        if number is not None:
            yield rater, server.export(number)


def _n_suggested(task: Record) -> int:
    """Number of suggestions of an exported task; depending on the server, these are counted or listed."""
    return int(task.get("total_predictions", len(task.get("predictions") or ())))


def _row_of(task: Record) -> Any:
    named = task["data"].get(ROW_KEY)
    return named.get("row") if isinstance(named, dict) else None
