"""A local server that mocks the web services: invented works in the services' formats, and faults.

Works are determined by their numbers, so that expected results are known without our readers. Each fault has a name and
is served once, in place of an answer; ``log`` has every request.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import random
import re
import sys
import threading
import time
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from support import web_forums, web_others

# Number of works; if the number of a work is divisible by 7, it has no abstract; if by 5, no publisher's DOI.
N_WORKS = 1200
SECRET = "marked-key-0123456789abcdef"


class Work:
    """An invented work."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.openalex = f"W{90_000 + number}"
        self.s2 = f"{number:040x}"
        self.arxiv = f"2401.{number:05d}"
        self.doi = None if number % 5 == 0 else f"10.5555/work.{number}"
        self.title = f"On the Number {number} & its {'Neighbours' if number % 2 else 'Cousins'}"
        self.abstract = None if number % 7 == 0 else f"We study the number {number} . It is the number {number} ."
        self.authors = [f"Ada Author{number}", "Bo Writer"]
        self.year = 2000 + number % 25
        self.references = [] if number > 300 else [number + step for step in range(1, 1 + number % 40)]


WORKS = {number: Work(number) for number in range(1, N_WORKS + 1)}


def inverted(text: str | None) -> dict[str, list[int]] | None:
    if text is None:
        return None
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split(" ")):
        index.setdefault(word, []).append(place)
    return index


def openalex_work(one: Work) -> dict[str, Any]:
    doi = one.doi or f"10.48550/arxiv.{one.arxiv}"
    return {
        "id": f"https://openalex.org/{one.openalex}",
        "ids": {"openalex": f"https://openalex.org/{one.openalex}", "doi": f"https://doi.org/{doi}"},
        "doi": f"https://doi.org/{doi}",
        "title": one.title,
        "publication_year": one.year,
        "publication_date": f"{one.year}-05-06",
        "type": "article",
        "authorships": [{"author": {"display_name": name}} for name in one.authors],
        "primary_location": {"source": {"display_name": "Journal of Numbers"}, "license": None},
        "best_oa_location": {"license": "cc-by", "landing_page_url": "https://example.org/x"},
        "is_retracted": one.number == 13,
        "cited_by_count": len(citing(one)),
        "referenced_works": [f"https://openalex.org/{WORKS[number].openalex}" for number in one.references],
        "related_works": [f"https://openalex.org/{WORKS[one.number % 50 + step].openalex}" for step in (3, 1, 2)],
        "referenced_works_count": len(one.references),
        "abstract_inverted_index": inverted(one.abstract),
    }


def citing(one: Work) -> list[Work]:
    return _CITING.get(one.number, [])


_CITING: dict[int, list[Work]] = {}
for _other in WORKS.values():
    for _number in _other.references:
        _CITING.setdefault(_number, []).append(_other)


@functools.cache
def _by_openalex_name() -> dict[str, Work]:
    by_name = {one.openalex: one for one in WORKS.values()}
    return by_name | {openalex_work(one)["doi"].removeprefix("https://doi.org/"): one for one in WORKS.values()}


def s2_work(one: Work) -> dict[str, Any]:
    ids = {"ArXiv": one.arxiv, "CorpusId": one.number} | ({"DOI": one.doi} if one.doi else {})
    return {
        "paperId": one.s2,
        "externalIds": ids,
        "title": one.title,
        "abstract": one.abstract,
        "authors": [{"authorId": "1", "name": name} for name in one.authors],
        "year": one.year,
        "publicationDate": f"{one.year}-05-06",
        "venue": "Journal of Numbers",
        "publicationTypes": ["JournalArticle"],
        "openAccessPdf": None,
        "referenceCount": len(one.references),
        "citationCount": len(citing(one)),
    }


def crossref_work(one: Work) -> dict[str, Any]:
    names = [dict(zip(("given", "family"), name.rsplit(" ", 1))) for name in one.authors]
    made: dict[str, Any] = {
        "DOI": (one.doi or f"10.5555/other.{one.number}").upper(), "title": [f"<i>{one.title}</i>"], "author": names,
        "issued": {"date-parts": [[one.year, 5]]}, "container-title": ["Journal of Numbers"], "type": "journal-article",
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{one.abstract}</jats:p>" if one.abstract else None,
        "license": [{"URL": "https://creativecommons.org/licenses/by/4.0/", "content-version": "vor", "delay-in-days": 0}],
    }  # fmt: skip
    if one.number == 13:
        made["updated-by"] = [{"type": "retraction", "source": "retraction-watch", "DOI": "10.5555/r"}]
    return made


def arxiv_entry(one: Work) -> str:
    authors = "".join(f"<author><name>{name}</name></author>" for name in one.authors)
    comment = "<arxiv:comment>This paper has been withdrawn by its authors</arxiv:comment>" if one.number == 17 else ""
    return (
        f"<entry><id>http://arxiv.org/abs/{one.arxiv}v2</id><updated>{one.year}-06-07T00:00:00Z</updated>"
        f"<published>{one.year}-05-06T00:00:00Z</published><title>{escape(one.title)}</title>"
        f"<summary>  {one.abstract or 'An abstract.'}\n</summary>{authors}{comment}"
        '<arxiv:primary_category term="math.NT"/></entry>'
    )


class WebServer:
    """The server; ``base`` is the value for ST_FETCH_BASE.

    Attributes:
        log: for each request: time, service, method, path with query, API key, user agent and body.
        faults: names of faults by service, each served once, in this order.
        short_tail: length after which lists of Semantic Scholar are empty, despite their count.
        challenge: whether OpenReview demands a challenge from anonymous clients.
        tokens: keys that OpenReview accepts; None for any. A login returns the next of ``logins``, or demands a second
            factor if none is left.
        broken: pattern of the paths that get status 502.
        encoding: Content-Encoding of files.
        jitter: maximum random delay of an answer in seconds.
        heads: further headers of each answer, by service.
    """

    def __init__(self) -> None:
        self.log: list[dict[str, Any]] = []
        self.faults: dict[str, list[str]] = {}
        self.short_tail: int | None = None
        self.s2_claims: dict[int, int] = {}
        self.unlinked: set[int] = set()
        self.extra: Any = None
        self.broken: str | None = None
        self.challenge, self.big_claims = False, 0
        self.tokens: set[str] | None = None
        self.logins: list[str] = []
        self.encoding: str | None = None
        self.jitter, self.n_megabytes = 0.0, 0
        self.heads: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"web": self}))
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def fail(self, service: str, *names: str) -> None:
        self.faults.setdefault(service, []).extend(names)

    def take_fault(self, service: str) -> str | None:
        with self._lock:
            waiting = self.faults.get(service)
            return waiting.pop(0) if waiting else None

    def sent(self, service: str | None = None) -> list[dict[str, Any]]:
        return [one for one in self.log if service in (None, one["service"])]

    def login(self, body: Any) -> tuple[int, str, bytes]:
        assert set(body) == {"id", "password", "expiresIn"}
        if not self.logins:
            return _json({"mfaPending": True})
        token = self.logins.pop(0)
        self.tokens = {f"Bearer {token}"}
        return _json({"token": token, "user": {"id": "~Somebody1"}})

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextlib.contextmanager
def serving() -> Iterator[WebServer]:
    server = WebServer()
    try:
        yield server
    finally:
        server.close()


class _Handler(BaseHTTPRequestHandler):
    web: WebServer
    protocol_version = "HTTP/1.1"
    _retry_after = ""

    def log_message(self, *_: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        self._serve(None)

    def do_POST(self) -> None:
        self._serve(json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"null"))

    def _serve(self, body: Any) -> None:
        parts = urlsplit(self.path)
        service, _, path = parts.path.lstrip("/").partition("/")
        key = self.headers.get("Authorization") or self.headers.get("x-api-key")
        entry = {"time": time.time(), "service": service, "method": self.command, "path": self.path, "key": key}
        self.web.log.append({**entry, "agent": self.headers.get("User-Agent"), "body": body})
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        fault = self.web.take_fault(service)
        if self.web.broken is not None and re.search(self.web.broken, self.path):
            fault = "502"
        status, kind, data = self._answer(service, unquote(path), query, body)
        time.sleep(random.uniform(0, self.web.jitter))
        if fault is None:
            self._write(status, data, kind, **self.web.heads.get(service, {}))
        else:
            self._write_fault(fault, status, data, kind)

    def _answer(self, service: str, path: str, query: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        if service == "openalex":
            return self._openalex(path, query)
        if service == "semantic-scholar":
            return self._s2(path, query, body)
        if service == "arxiv" and path == "api/query":
            return self._arxiv(query)
        if service == "arxiv":
            return web_forums.oai(query) if path == "oai/oai" else web_forums.eprint(path)
        if service == "openreview":
            return web_forums.openreview(self.web, path, query, body, self.headers.get("Authorization"))
        if service == "crossref":
            return self._crossref(path, query)
        if service == "acl-anthology":
            return web_forums.acl(path)
        if service in ("europe-pmc", "unpaywall", "dblp", "biorxiv"):
            return web_others.answer(service, path, query, WORKS)
        if self.web.extra is not None and (found := self.web.extra(service, path, query, body)) is not None:
            return found
        return _json({"error": "not found"}, 404)

    def _openalex(self, path: str, query: dict[str, str]) -> tuple[int, str, bytes]:
        by_name = _by_openalex_name()
        if path != "works":
            one = by_name.get(path.removeprefix("works/").removeprefix("doi:"))
            return _json(openalex_work(one)) if one else _json({"error": "Not Found", "message": "no such work"}, 404)
        if "search" in query:
            number = int((re.findall(r"\d+", query["search"]) or ["1"])[0])
            return _json({"results": [openalex_work(WORKS[number + step]) for step in (1, 0)]})
        name, _, value = query["filter"].partition(":")
        if name == "cites":
            found = citing(by_name[value])
            start, size = int(query["cursor"].strip("*") or 0), int(query["per_page"])
            cursor = str(start + size) if start + size < len(found) else None
            meta = {"count": len(found), "next_cursor": cursor}
            return _json({"meta": meta, "results": [openalex_work(one) for one in found[start : start + size]]})
        assert len(value.split("|")) <= 100 and name in ("openalex", "doi")
        results = [openalex_work(by_name[one]) for one in reversed(value.split("|")) if one in by_name]
        return _json({"meta": {"count": len(results)}, "results": results})

    def _s2(self, path: str, query: dict[str, str], body: Any) -> tuple[int, str, bytes]:
        by_name = {one.s2: one for one in WORKS.values()}
        by_name |= {f"ARXIV:{one.arxiv}": one for one in WORKS.values()}
        by_name |= {f"DOI:{one.doi}": one for one in WORKS.values() if one.doi}
        if path == "graph/v1/paper/search/match":
            number = int((re.findall(r"\d+", query["query"]) or ["0"])[0])
            return (
                _json({"data": [s2_work(WORKS[number])]})
                if number in WORKS
                else _json({"error": "Title match not found"}, 404)
            )
        if path == "graph/v1/paper/batch":
            assert len(body["ids"]) <= 500
            return _json([s2_work(by_name[name]) if name in by_name else None for name in body["ids"]])
        if path.startswith("recommendations"):
            one = by_name.get(path.removeprefix("recommendations/v1/papers/forpaper/"))
            others = [WORKS[one.number + step] for step in range(1, 30)] if one else []
            works = [s2_work(each) for each in others[: int(query["limit"])]]
            return _json({"recommendedPapers": works}) if one else _json({"error": "Paper not found"}, 404)
        found = re.fullmatch(r"graph/v1/paper/(.+?)(?:/(references|citations))?", path)
        assert found is not None
        name, what = found[1], found[2]
        one = by_name.get(name)
        if one is None:
            return _json({"error": f"Paper with id {name} not found"}, 404)
        if not what:
            made = s2_work(one)
            made["referenceCount"] = self.web.s2_claims.get(one.number, made["referenceCount"])
            return _json(made)
        others = [WORKS[number] for number in one.references] if what == "references" else citing(one)
        if one.number in self.web.s2_claims:
            others = [WORKS[number] for number in range(1, self.web.s2_claims[one.number] + 1)]
        start, size = int(query["offset"]), int(query["limit"])
        known = others if self.web.short_tail is None else others[: self.web.short_tail]
        page = known[start : start + size]
        role = "citedPaper" if what == "references" else "citingPaper"
        data = [
            {
                "contexts": [f"see {each.number}"],
                "intents": ["background"],
                "isInfluential": False,
                role: self._listed(each),
            }
            for each in page
        ]
        more = {"next": start + size} if start + size < len(others) and page else {}
        return _json({"offset": start, "data": data, **more})

    def _crossref(self, path: str, query: dict[str, str]) -> tuple[int, str, bytes]:
        assert "mailto:" in (self.headers.get("User-Agent") or ""), "the polite pool"
        if path != "v1/works":
            return 404, "text/plain", b"Resource not found."
        by_doi = {one.doi: one for one in WORKS.values() if one.doi}
        if "filter" in query:
            found = [
                by_doi[name] for part in query["filter"].split(",") if (name := part.removeprefix("doi:")) in by_doi
            ]
        else:  # a search always has results, in which the wanted work need not be first
            found = [
                WORKS[int(number) + step]
                for number in re.findall(r"\d+", query["query.bibliographic"])
                for step in (1, 0)
            ]
        return _json({"status": "ok", "message": {"items": [crossref_work(one) for one in found[::-1]][::-1]}})

    def _listed(self, one: Work) -> dict[str, Any]:
        if one.number in self.web.unlinked:
            return {"paperId": None, "title": one.title, "externalIds": None}
        return {"paperId": one.s2, "title": one.title, "externalIds": {}}

    def _arxiv(self, query: dict[str, str]) -> tuple[int, str, bytes]:
        if "search_query" in query:
            numbers = [int(number) for number in re.findall(r"\d+", query["search_query"])]
            entries = [arxiv_entry(WORKS[number + step]) for number in numbers for step in (1, 0)]
            return 200, "application/atom+xml", _feed("".join(entries), len(entries))
        names = [re.sub(r"v\d+$", "", name) for name in query["id_list"].split(",")]
        by_name = {one.arxiv: one for one in WORKS.values()}
        entries = [arxiv_entry(by_name[name]) for name in reversed(names) if name in by_name]
        return 200, "application/atom+xml", _feed("".join(entries), len(entries))

    def _write(self, status: int, data: bytes, kind: str, **headers: str) -> None:
        if self.web.encoding and kind in ("application/octet-stream", "application/pdf"):
            headers["Content-Encoding"] = self.web.encoding
            data = gzip.compress(data) if data.startswith(b"%PDF") else data
        if "gzip" in self.headers.get("Accept-Encoding", "") and len(data) > 200 and "Content-Encoding" not in headers:
            data, headers = gzip.compress(data, 1), {**headers, "Content-Encoding": "gzip"}
        self.send_response(status)
        if self._retry_after:
            headers["Retry-After"], self._retry_after = self._retry_after, ""
        for name, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def _write_fault(self, fault: str, status: int, data: bytes, kind: str) -> None:
        name, _, value = fault.partition(" ")
        made = self._limited(name, value) or _refused(name) or _spoilt(name, data, kind)
        if made is not None:
            self._write(*made)
        elif name == "cut-gzip":
            self._write(200, gzip.compress(data)[:-9], kind, **{"Content-Encoding": "gzip"})
        elif name == "short":  # fewer bytes than Content-Length
            self.send_response(200)
            self.send_header("Content-Length", str(len(data) + 10))
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = True
        elif name == "drop":
            self.close_connection = True
        elif name == "endless":  # ``value`` MB, while the client reads
            self.send_response(200)
            self.send_header("Content-Type", "application/pdf")
            self.send_header("Content-Length", str(int(value) * 1_000_000))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                for _ in range(int(value)):
                    self.wfile.write(b"%PDF-".ljust(1_000_000, b"x"))
                    self.web.n_megabytes += 1
            self.close_connection = True
        elif name == "drip":  # a file in pieces, so that a client can be stopped in the middle
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                for start in range(0, len(data), 1 + len(data) // 10):
                    self.wfile.write(data[start : start + 1 + len(data) // 10])
                    self.wfile.flush()
                    time.sleep(0.03)
        elif name == "slow":
            time.sleep(float(value))
            with contextlib.suppress(BrokenPipeError):  # the client may be gone
                self._write(status, data, kind)
        elif name == "moved":
            self._write(301, b"", kind, Location=self.path)
        elif name == "elsewhere":
            self._write(302, b"", kind, Location="http://198.51.100.7/stolen")
        elif name == "echo":  # the answer contains the key
            key = self.headers.get("Authorization", "")
            self._write(200, data[:-1] + f', "seen": "{key}"}}'.encode(), kind)
        else:
            raise AssertionError(fault)

    def _limited(self, name: str, value: str) -> tuple[int, bytes, str] | None:
        """Status 429 with the time of the next attempt in one of three forms; sets the Retry-After header."""
        told: dict[str, Any] = {"error": "Too many requests"}
        if name == "429-reset":
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + float(value)))
            told = {"name": "RateLimitError", "details": {"limit": 36, "remaining": 0, "resetTime": moment}}
        elif name == "429-date":
            self._retry_after = formatdate(time.time() + float(value), usegmt=True)
        elif name == "429":
            self._retry_after = value
        else:
            return None
        return 429, _json(told)[2], "application/json"


PAGE = b"<!DOCTYPE html><html><body>Down for maintenance</body></html>"


def _refused(name: str) -> tuple[int, bytes, str] | None:
    if name == "403-challenge":
        told = {"name": "ChallengeRequiredError", "details": {"challengeUrl": "https://example.org/"}}
        return 403, _json(told)[2], "application/json"
    if name in ("401", "403", "500"):
        return int(name), _json({"error": "no", "message": SECRET})[2], "application/json"
    return (int(name), PAGE, "text/html") if name in ("502", "503") else None


def _spoilt(name: str, data: bytes, kind: str) -> tuple[int, bytes, str] | None:
    """An unusable answer with status 200."""
    is_json = data.startswith((b"{", b"["))
    entry = "<entry><id>http://arxiv.org/api/errors#x</id><title>Error</title><summary>bad</summary></entry>"
    made = {
        "html200": PAGE, "empty": b"", "cut": data[: len(data) // 2], "null": b"null" if is_json else b"<a/>",
        "other-shape": b'{"unexpected": []}' if is_json else b"<feed/>", "no-entries": _feed("", 0),
        "error-entry": _feed(entry, 1), "huge": b"%PDF-" + b"x" * 3_000_000,
    }.get(name)  # fmt: skip
    return None if made is None else (200, made, "text/html" if name == "html200" else kind)


def _json(value: Any, status: int = 200) -> tuple[int, str, bytes]:
    return status, "application/json", json.dumps(value).encode()


def _feed(entries: str, total: int) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">'
        f"<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>"
    ).encode()


def main(path: str) -> None:
    """Write the server's address to a file, and serve until the file is deleted."""
    place = Path(path)
    with serving() as web:
        place.write_text(web.base)
        while place.exists():
            time.sleep(0.2)


if __name__ == "__main__":
    main(sys.argv[1])
