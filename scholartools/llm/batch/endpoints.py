"""Batch APIs of providers: OpenAI's files and batches, and Anthropic's message batches.

Both take requests and return replies as lines of OpenAI's batch files. There are no retries here.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import ssl
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, NamedTuple, Protocol, cast
from urllib.parse import parse_qsl, urlsplit

from scholartools.address import plain_address
from scholartools.cache.batches import Sent
from scholartools.cache.request import canonical_json, parse_canonical
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.llm.body import ENCODINGS, Body, TooLarge, too_large
from scholartools.llm.client import Translator, usable_address
from scholartools.llm.faults import (
    Transient,
    clean_words,
    fault_of,
    parse_answer,
    redirect_fault,
    refusal_fault,
    usable_proxy,
)
from scholartools.llm.settings import Settings
from scholartools.proxies import Proxy

# Metadata key by which a batch is found again, and prefix of the names of uploaded files.
_NONCE = "scholartools"
_OPENAI = "https://api.openai.com/v1"
# Tolerated difference of two clocks in seconds.
_SKEW = 600
# The same for batches with metadata, where a larger value only costs more requests.
_LARGE_SKEW = 86_400
# The id of a question at the beginning of a line; quotation marks in texts have backslashes.
_CUSTOM_ID = re.compile(rb'"custom_id"\s*+:\s*+"(\w++)"')
# Bytes of a response that are decompressed at once, and the rate in bytes per second below which a response that takes
# longer than a call may is ended. Bytes of the longest text of a refusal.
_PIECE, _LEAST_PER_SECOND = 16_384, 10_000
_LONGEST_REFUSAL = 1_000_000
# A line that is as many times longer than an answer may be is not read to its end.
_ENDLESS = 10
# HTTP statuses that correspond to Anthropic's types of errors.
_STATUSES = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504,
    "overloaded_error": 529,
}  # fmt: skip


class Told(NamedTuple):
    """Status of a batch, as reported by its provider.

    Attributes:
        remote: id of the batch at the provider.
        status: the provider's name of the status.
        has_ended: whether processing has ended.
        lines: number of requests with a reply or an error; None if unknown.
        refusal: error code and message if no request was processed, else None.
        files: ids of the files of replies and errors.
        is_without_files: whether the batch has ended with replies but names no file for them.
    """

    remote: str
    status: str
    has_ended: bool
    lines: int | None = None
    refusal: tuple[str, str] | None = None
    files: tuple[str, ...] = ()
    is_without_files: bool = False


class NotThere(Exception):
    """The provider does not know the batch, file or path; the text is its message."""


class Endpoint(Protocol):
    """A client of a provider's batch API. All methods raise :class:`Transient` if a retry may succeed.

    Attributes:
        address: URL of the API, without user, password and query.
    """

    address: str

    def begin(self, sent: Sent, questions: Path, note: Callable[[Sent], None]) -> Told:
        """Send the requests of a file; ``note`` records the state that is needed after an interruption."""

    def find(self, sent: Sent, known: set[str]) -> Told | None:
        """The batch that was created for ``sent``, unless its id is in ``known``; None if there is none."""

    def look(self, remote: str) -> Told:
        """Status of a batch. Raises NotThere."""

    def replies(self, told: Told, questions: Path) -> Iterator[bytes]:
        """The lines of all replies and errors, including the newlines."""

    def cancel(self, remote: str) -> None:
        """Cancel a batch; the requests processed by then are charged. Raises NotThere."""

    def forget(self, sent: Sent, told: Told | None) -> None:
        """Delete the data that the provider has of a batch that has ended."""

    def close(self) -> None:
        """Close the connections."""


def connect_batches(settings: Settings) -> Endpoint:
    """The client of the batch API for a model.

    Raises:
        ModelFault: the key is missing, or the address is invalid.
    """
    return Anthropic(settings) if settings.model.startswith("anthropic/") else OpenAI(settings)


class _Http:
    """Requests to one server; redirects are not followed, and all responses except files are limited in size.

    Attributes:
        address: URL of the server, without user, password and query.
        ahead: seconds by which the server's clock was ahead of ours in its last response.
    """

    def __init__(self, base: str, headers: dict[str, str], settings: Settings) -> None:
        import httpx

        parts = urlsplit(base)
        self._base = parts._replace(path=parts.path.rstrip("/"), query="", fragment="").geturl()
        self._query = parse_qsl(parts.query, keep_blank_values=True)
        self.address = plain_address(base) or base
        self._most, self._timeout = int(settings.max_reply * 1_000_000), settings.timeout
        self._proxy = usable_proxy(base)
        self.ahead = 0.0
        self._httpx = httpx
        self._client = httpx.Client(
            headers={"Accept-Encoding": ENCODINGS, **headers}, timeout=settings.timeout, trust_env=False,
            proxy=self._proxy and self._proxy.url,
            verify=ssl.create_default_context() if base.startswith("https://") else False,
        )  # fmt: skip

    def call(self, method: str, path: str, **what: Any) -> dict[str, Any]:
        """The response to a request, a JSON object.

        Raises:
            NotThere, Transient, ModelFault, ScholartoolsError: there is no such response.
        """
        with self._open(method, path, **what) as response:
            body = Body(response.headers.get("Content-Encoding", ""), self._most)
            for data in self._received(response):
                body.add(data)
        try:
            value = parse_canonical(body.whole())
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Transient(f"{method} {path}: the answer is no JSON object")
        return value

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of a file, including the newlines.

        A line that is longer than an answer may be is replaced by an error for its question, and costs no other reply.

        Raises:
            TooLarge: a line does not end.
        """
        held: list[bytes] = []  # the parts of the line that has not ended
        size = 0
        with self._open("GET", path) as response:
            body = Body(response.headers.get("Content-Encoding", ""), self._most)
            for data in self._received(response):
                body.add(data)
                *ended, rest = body.take().split(b"\n")
                for part in ended:
                    yield (self._error_of(held) if size > self._most else b"".join([*held, part])) + b"\n"
                    held, size = [], 0
                if size <= self._most:
                    held.append(rest)
                size += len(rest)
                if size > _ENDLESS * self._most:
                    raise too_large(self._most)
            if size:
                yield (self._error_of(held) if size > self._most else b"".join(held)) + b"\n"

    def _error_of(self, parts: Sequence[bytes]) -> bytes:
        """A line that tells that the line with this beginning is too long; the beginning itself if it has no id."""
        start = b"".join(parts)
        named = _CUSTOM_ID.search(start, 0, _PIECE)
        error = {"code": TooLarge.kind, "message": too_large(self._most).reason}
        return canonical_json({"custom_id": named[1].decode(), "error": error}) if named else start

    def _received(self, response: Any) -> Iterator[bytes]:
        """The bytes of a response as they were sent, in small pieces, since each may decompress to a thousand times as
        many.

        Raises:
            Transient: the response takes longer than the time of a call, and is slower than any connection in use.
        """
        start, size = time.monotonic(), 0
        for data in response.iter_raw():
            yield from (data[place : place + _PIECE] for place in range(0, len(data), _PIECE))
            size += len(data)
            if time.monotonic() - start > self._timeout + size / _LEAST_PER_SECOND:
                raise Transient(f"no whole answer within {self._timeout:g} s")

    def close(self) -> None:
        self._client.close()

    @contextlib.contextmanager
    def _open(
        self, method: str, path: str, params: Mapping[str, str] = MappingProxyType({}), **what: Any
    ) -> Iterator[Any]:
        asked = {"url": f"{self._base}{path}", "params": [*self._query, *params.items()], **what}
        try:
            with self._client.stream(method, **asked) as response:
                if 300 <= response.status_code < 400:
                    raise redirect_fault(response.status_code, f"{self.address}{path}", response.headers)
                self._note_clock(response.headers.get("Date"))
                if response.status_code >= 400:
                    raise self._refusal(response, f"{method} {self.address}{path}")
                yield response
        except self._httpx.ProxyError as error:
            raise self._proxy_fault(str(error)) from None
        except self._httpx.ConnectError as error:
            where = f"{self._proxy.name}; {self._proxy.way_around}" if self._proxy else self.address
            raise Transient(clean_words(f"cannot connect to {where}: {error}"), unreachable=True) from None
        except self._httpx.TransportError as error:
            where = f" through {self._proxy.name}" if self._proxy else ""
            raise Transient(f"the connection{where} broke: {type(error).__name__}") from None

    def _refusal(self, response: Any, asked: str) -> Exception:
        """The exception for a response with a status of 400 or more."""
        status = response.status_code
        said = b""
        with contextlib.suppress(TooLarge, Transient):
            body = Body(response.headers.get("Content-Encoding", ""), _LONGEST_REFUSAL)
            for data in self._received(response):
                body.add(data)
            said = body.whole()
        answer = parse_answer(status, said.decode(errors="replace"), response.headers)
        if self._proxy and status == 407:
            return refusal_fault(self._proxy, 407)
        words = self._proxy.says(status, answer.words) if self._proxy else answer.words
        if status == 404:
            return NotThere(clean_words(words))
        words = f"{asked}: {words}" if status == 403 else words
        return fault_of(answer._replace(words=words), format_sent=False)

    def _proxy_fault(self, told: str) -> Exception:
        """The exception for a proxy error, whose message in httpx starts with the status."""
        proxy = cast(Proxy, self._proxy)
        status = told.partition(" ")[0]
        return refusal_fault(proxy, int(status)) if status.isdecimal() else Transient(f"{proxy.name}: {told}")

    def _note_clock(self, date: str | None) -> None:
        with contextlib.suppress(ValueError):
            self.ahead = parsedate_to_datetime(date or "").timestamp() - time.time()


class OpenAI:
    """The files and batches APIs of OpenAI and compatible servers."""

    def __init__(self, settings: Settings) -> None:
        address = usable_address(settings.model) or _OPENAI
        provider = settings.model.split("/", 1)[0].upper()
        key = os.environ.get(f"{provider}_API_KEY")
        if not key and provider == "OPENAI":
            raise ModelFault(f"no key for {settings.model}: set OPENAI_API_KEY", kind="key")
        parts = urlsplit(address)
        base = parts._replace(path=parts.path.rstrip("/").removesuffix("/chat/completions")).geturl()
        self._http = _Http(base, {"Authorization": f"Bearer {key}"} if key else {}, settings)
        self.address = self._http.address

    def begin(self, sent: Sent, questions: Path, note: Callable[[Sent], None]) -> Told:
        """Upload the requests, unless that has been done, and create a batch."""
        files = () if sent.file else self._listed("/files", sent.made)
        found = (str(one.get("id")) for one in files if one.get("filename") == _file_name(sent))
        if (file := sent.file or next(found, None)) is None:
            with questions.open("rb") as data:
                named = {"file": (_file_name(sent), data, "application/jsonl")}
                file = _name_in(self._http.call("POST", "/files", data={"purpose": "batch"}, files=named))
        note(sent._replace(file=file))
        asked = {
            "input_file_id": file, "endpoint": "/v1/chat/completions", "completion_window": "24h",
            "metadata": {_NONCE: sent.id},
        }  # fmt: skip
        try:
            return _told_by_openai(self._http.call("POST", "/batches", json=asked))
        except (NotThere, ScholartoolsError):  # the file may be the reason: the next attempt looks it up
            note(sent._replace(file=None))
            raise

    def find(self, sent: Sent, known: set[str]) -> Told | None:
        """Find a batch by its metadata."""
        for batch in self._listed("/batches", sent.made):
            metadata = batch.get("metadata")
            if isinstance(metadata, dict) and metadata.get(_NONCE) == sent.id:
                return _told_by_openai(batch)
        return None

    def look(self, remote: str) -> Told:
        """Status of a batch."""
        return _told_by_openai(self._http.call("GET", f"/batches/{remote}"))

    def replies(self, told: Told, questions: Path) -> Iterator[bytes]:
        """The lines of the files of replies and errors."""
        for file in told.files:
            yield from self._http.lines(f"/files/{file}/content")

    def cancel(self, remote: str) -> None:
        """Cancel a batch."""
        self._http.call("POST", f"/batches/{remote}/cancel")

    def forget(self, sent: Sent, told: Told | None) -> None:
        """Delete the files of a batch."""
        for file in filter(None, (sent.file, *(told.files if told else ()))):
            with contextlib.suppress(NotThere):
                self._http.call("DELETE", f"/files/{file}")

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _listed(self, path: str, since: float) -> Iterator[dict[str, Any]]:
        """Entries of a list from the newest on, of batches only those since a time; none if there is no such list."""
        after: dict[str, str] = {}
        while True:
            try:
                page = self._http.call("GET", path, params={"limit": "100", **after})
            except NotThere:
                return
            data = _listed_in(page)
            for one in data:
                yield one
                made = one.get("created_at")
                if path == "/batches" and isinstance(made, (int, float)) and made < since - _LARGE_SKEW:
                    return
            if not page.get("has_more") or not data or after.get("after") == data[-1].get("id"):
                return
            after = {"after": _name_in(data[-1])}


def _file_name(sent: Sent) -> str:
    return f"{_NONCE}-{sent.id}.jsonl"


def _name_in(value: dict[str, Any]) -> str:
    if not isinstance(named := value.get("id"), str) or not named:
        raise Transient("the provider's answer has no id")
    return named


def _listed_in(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a page; an unreadable page is a fault, since no entry may be considered missing."""
    data = page.get("data")
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise Transient("the provider's answer is not a list")
    return data


def _counts_in(batch: dict[str, Any]) -> dict[str, int]:
    counts = batch.get("request_counts")
    return {name: count for name, count in counts.items() if type(count) is int} if isinstance(counts, dict) else {}


def _told_by_openai(batch: dict[str, Any]) -> Told:
    status, remote = batch.get("status"), batch.get("id")
    if not isinstance(status, str) or not isinstance(remote, str):
        raise Transient("the provider's answer is not a batch")
    has_ended = status in ("completed", "expired", "cancelled", "failed")
    files = tuple(str(batch[name]) for name in ("output_file_id", "error_file_id") if batch.get(name))
    counts = _counts_in(batch)
    lines = counts["completed"] + counts["failed"] if {"completed", "failed"} <= counts.keys() else None
    refusal = None
    if status == "failed" and not files:
        errors = batch.get("errors")
        data = errors.get("data") if isinstance(errors, dict) else None
        first = data[0] if isinstance(data, list) and data and isinstance(data[0], dict) else {}
        code, words = str(first.get("code") or ""), str(first.get("message") or "no reason given")
        refusal = clean_words(code), clean_words(words)
    is_without_files = has_ended and refusal is None and not files and counts.get("completed", 0) > 0
    return Told(remote, clean_words(status), has_ended, lines if files else None, refusal, files, is_without_files)


class Anthropic:
    """Anthropic's message batches; litellm translates the requests and replies."""

    def __init__(self, settings: Settings) -> None:
        if not os.environ.get("ANTHROPIC_API_KEY"):
            raise ModelFault(f"no key for {settings.model}: set ANTHROPIC_API_KEY", kind="key")
        usable_address(settings.model)
        self._translator = Translator(settings.model)
        call = self._translator.native({"messages": [{"role": "user", "content": "?"}]})
        headers = {name: value for name, value in call.headers.items() if name in ("x-api-key", "anthropic-version")}
        self._http = _Http(f"{call.url}/batches", headers, settings)
        self.address = self._http.address

    def begin(self, sent: Sent, questions: Path, note: Callable[[Sent], None]) -> Told:
        """Send all requests of the file in one HTTP request."""
        headers = {"Content-Type": "application/json"}
        with tempfile.TemporaryFile(dir=questions.parent) as body:
            if betas := self._translate(questions, body):
                headers["anthropic-beta"] = ",".join(sorted(betas))
            headers["Content-Length"] = str(body.tell())
            body.seek(0)
            return _told_by_anthropic(self._http.call("POST", "", content=body, headers=headers))

    def _translate(self, questions: Path, body: IO[bytes]) -> set[str]:
        """Write the body for a file of requests; return the names of the beta features that it needs."""
        betas: set[str] = set()
        body.write(b'{"requests":[')
        with questions.open("rb") as lines:
            for number, line in enumerate(lines):
                asked = parse_canonical(line)
                call = self._translator.native(asked["body"])
                betas |= set(filter(None, call.headers.get("anthropic-beta", "").split(",")))
                one = canonical_json({"custom_id": asked["custom_id"], "params": call.body})
                body.write(b"," * (number > 0) + one)
        body.write(b"]}")
        return betas

    def find(self, sent: Sent, known: set[str]) -> Told | None:
        """The oldest batch since ``sent.made`` of the same size; only its replies show whether it is ours."""
        found: Told | None = None
        after: dict[str, str] = {}
        while True:
            page = self._http.call("GET", "", params={"limit": "100", **after})
            data = _listed_in(page)
            for batch in data:
                if _time_of(batch.get("created_at")) < sent.made + self._http.ahead - _SKEW:
                    return found
                if batch.get("id") not in known and sum(_counts_in(batch).values()) == sent.lines:
                    found = _told_by_anthropic(batch)
            if not page.get("has_more") or not data or after.get("after_id") == data[-1].get("id"):
                return found
            after = {"after_id": _name_in(data[-1])}

    def look(self, remote: str) -> Told:
        """Status of a batch."""
        return _told_by_anthropic(self._http.call("GET", f"/{remote}"))

    def replies(self, told: Told, questions: Path) -> Iterator[bytes]:
        """The results in OpenAI's format, as from an online call."""
        asked = _Asked(questions)
        for line in self._http.lines(f"/{told.remote}/results"):
            try:
                result = parse_canonical(line)
                yield canonical_json(self._read(result, asked)) + b"\n"
            except (ValueError, TypeError, AttributeError, LookupError, RecursionError):
                yield line  # it is counted as a line that cannot be parsed

    def _read(self, line: dict[str, Any], asked: _Asked) -> dict[str, Any]:
        named, result = line["custom_id"], line["result"]
        made: dict[str, Any] = {"custom_id": named, "response": None, "error": None}
        kind = result.get("type")
        if kind == "succeeded" and (body := asked.get(named)) is not None:
            answer = self._translator.read(body, json.dumps(result["message"]).encode())
            return {**made, "response": {"status_code": 200, "body": json.loads(json.dumps(answer, default=str))}}
        if kind == "errored":
            error = result["error"].get("error", result["error"])
            status = _STATUSES.get(error.get("type"), 500)
            return {**made, "response": {"status_code": status, "body": {"error": error}}}
        return {**made, "error": {"code": f"batch_{kind}", "message": f"this request was {kind} in its batch"}}

    def cancel(self, remote: str) -> None:
        """Cancel a batch."""
        self._http.call("POST", f"/{remote}/cancel")

    def forget(self, sent: Sent, told: Told | None) -> None:
        """Delete the batch."""
        if sent.remote is not None:
            with contextlib.suppress(NotThere):
                self._http.call("DELETE", f"/{sent.remote}")

    def close(self) -> None:
        """Close the connections."""
        self._http.close()
        self._translator.close()


class _Asked:
    """The requests of a file by id; only their offsets are in memory."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._places: dict[str, int] = {}
        place = 0
        for line in self._file:
            self._places[parse_canonical(line)["custom_id"]] = place
            place += len(line)

    def get(self, named: str) -> dict[str, Any] | None:
        if (place := self._places.get(named)) is None:
            return None
        self._file.seek(place)
        body: dict[str, Any] = parse_canonical(self._file.readline())["body"]
        return body


def _told_by_anthropic(batch: dict[str, Any]) -> Told:
    status, remote = batch.get("processing_status"), batch.get("id")
    if not isinstance(status, str) or not isinstance(remote, str):
        raise Transient("the provider's answer is not a batch")
    counts = _counts_in(batch)
    has_ended = status == "ended"
    return Told(remote, clean_words(status), has_ended, sum(counts.values()) if has_ended and counts else None)


def _time_of(text: Any) -> float:
    """Seconds since 1970; the current time if the text is not a time."""
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return time.time()
