"""Requests to web services, responses, and the limits of services."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from scholartools.cache.answers import StoredAnswer

Record = dict[str, Any]


class Lane(NamedTuple):
    """Kind of requests to a service that share a rate limit.

    Attributes:
        name: name known to all processes.
        interval: minimum number of seconds between requests.
        connections: maximum number of concurrent requests of one process.
        alone: whether only one request may be in flight on the whole machine.
        window: maximum number of requests, and the period in seconds.
    """

    name: str
    interval: float
    connections: int = 4
    alone: bool = False
    window: tuple[int, float] | None = None


class Service(NamedTuple):
    """Hosts, limits and authentication of a source.

    Attributes:
        name: name of the source.
        addresses: URLs of its hosts by name: ``{"": "https://api.example.org"}``.
        lanes: lanes by name.
        key_variable: environment variable with an API key, or None.
        key_header: header that carries the key, with ``{}`` for the key.
        file_hosts: other hosts that redirects may lead to.
        needs_contact: whether an e-mail address of the user is required.
        contact_query: query parameter for the e-mail address, added when a request is sent.
        login: variables with a user name and password for obtaining a key, or None.
    """

    name: str
    addresses: Mapping[str, str]
    lanes: Mapping[str, Lane]
    key_variable: str | None = None
    key_header: tuple[str, str] = ("Authorization", "Bearer {}")
    file_hosts: tuple[str, ...] = ()
    needs_contact: bool = False
    login: tuple[str, str] | None = None
    contact_query: str | None = None


class Ask(NamedTuple):
    """One request.

    Attributes:
        source: name of the source.
        path: path with a leading slash, percent-encoded.
        query: names and values of the query.
        at: name of the address of the source.
        lane: name of the lane.
        accept: expected type: "json", "xml", "text" or "file".
        auth: "none"; "key": a key is sent if set, which changes limits but not responses; "login": a key gives access
            to more, so that responses with and without one are stored separately.
        price: price in USD.
        items: subjects of the request, in order.
        label: role of the response, for its parser.
        may_be_private: whether status 403 is a valid response: the data is not public.
        is_page_if_missing: whether the service sends "not found" (404) as an HTML page.
        is_part: whether a failure makes only a part of a work null.
    """

    source: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    at: str = ""
    lane: str = ""
    method: str = "GET"
    body: Any = None
    accept: str = "json"
    auth: str = "none"
    price: float = 0.0
    items: tuple[str, ...] = ()
    label: str = ""
    may_be_private: bool = False
    is_page_if_missing: bool = False
    is_part: bool = False

    def request(self, namespace: str | None = None) -> Record:
        """Everything that determines the response; excludes host, secrets, e-mail address and time."""
        made: Record = {
            "source": self.source, "at": self.at, "method": self.method, "path": self.path,
            "query": sorted(map(list, self.query)), "body": self.body, "auth": self.auth, "namespace": namespace,
        }  # fmt: skip
        return {name: value for name, value in made.items() if value not in (None, "")}

    def address(self, base: str) -> str:
        """Complete URL on a host."""
        query = urlencode(self.query, safe=":|,*", quote_via=quote)
        return f"{base.rstrip('/')}{self.path}{'?' + query if query else ''}"


class Answer(NamedTuple):
    """Response; ``key`` is its key in the cache, ``time`` in seconds since 1970, ``body`` without transfer encoding."""

    status: int
    head: Mapping[str, str]
    body: bytes
    time: float
    key: str

    @property
    def sha256(self) -> str:
        """SHA-256 of the body."""
        return hashlib.sha256(self.body).hexdigest()

    @classmethod
    def of(cls, stored: StoredAnswer, key: bytes) -> Answer:
        """Response from the cache."""
        return cls(stored.status, stored.head, stored.body, stored.created, key.hex())
