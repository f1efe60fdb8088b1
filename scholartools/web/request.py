"""What is asked of a web service, what it answered, and the limits that it sets."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from scholartools.cache.answers import StoredAnswer

Record = dict[str, Any]


class Lane(NamedTuple):
    """Requests of one kind to a service, which share a limit.

    Attributes:
        name: by which all processes know it.
        interval: least seconds between the starts of two requests.
        connections: requests in flight at most, of one process.
        alone: whether only one request of all processes of the machine may be in flight.
        window: so many requests at most in so many seconds.
    """

    name: str
    interval: float
    connections: int = 4
    alone: bool = False
    window: tuple[int, float] | None = None


class Service(NamedTuple):
    """Where and how a source is asked.

    Attributes:
        name: of the source.
        addresses: of its hosts, by a name for each: ``{"": "https://api.example.org"}``.
        lanes: by the name for each that requests use.
        key_variable: the variable that holds a key, or None.
        key_header: the header that carries it, with ``{}`` for the key.
        file_hosts: other hosts to which a redirect may lead.
        needs_contact: whether it is asked only with a mail address at which it can reach who asks.
        contact_query: name of a value of each address that carries the mail address; added where a request is sent.
        login: variables of a name and a password, with which a key can be had, or None.
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
        path: with a leading slash, percent-encoded.
        query: names and values.
        at: which of the source's addresses.
        lane: which of its lanes.
        accept: what is wanted: "json", "xml", "text" or "file".
        auth: "none"; "key": a key is sent where one is set, which changes limits and not answers; "login": with a key
            more may be seen, so that answers with one and without are two.
        price: USD.
        items: what it is about, in order.
        label: for whoever reads the answer: what it is a part of.
        may_be_private: status 403 is an answer: not everyone may see it.
        is_page_if_missing: the service says "no such thing" (404) in a page for people.
        is_part: without its answer a part of a work is null, and the work is kept.
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
        """All that an answer depends on: no host, no secret, no address of a person, no time."""
        made: Record = {
            "source": self.source, "at": self.at, "method": self.method, "path": self.path,
            "query": sorted(map(list, self.query)), "body": self.body, "auth": self.auth, "namespace": namespace,
        }  # fmt: skip
        return {name: value for name, value in made.items() if value not in (None, "")}

    def address(self, base: str) -> str:
        """The whole address, of a host."""
        query = urlencode(self.query, safe=":|,*", quote_via=quote)
        return f"{base.rstrip('/')}{self.path}{'?' + query if query else ''}"


class Answer(NamedTuple):
    """What a service answered; ``key`` is that of the cache, ``time`` seconds since 1970, ``body`` without coding."""

    status: int
    head: Mapping[str, str]
    body: bytes
    time: float
    key: str

    @property
    def sha256(self) -> str:
        """Of the body."""
        return hashlib.sha256(self.body).hexdigest()

    @classmethod
    def of(cls, stored: StoredAnswer, key: bytes) -> Answer:
        """An answer out of the cache."""
        return cls(stored.status, stored.head, stored.body, stored.created, key.hex())
