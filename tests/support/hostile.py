"""Servers on 127.0.0.1 that answer each request with the bytes that a test gives them, however odd."""

from __future__ import annotations

import http.server
import socketserver
import threading
from collections.abc import Callable, Iterable

Respond = Callable[["Request"], Iterable[bytes]]


class Request:
    """What came: the first line, the headers in lower case, the body."""

    def __init__(self, line: str, headers: dict[str, str], body: bytes) -> None:
        self.line, self.headers, self.body = line, headers, body


class Hostile:
    """``with Hostile(respond) as server``: what ``respond`` makes of a request is sent as it is, and the line closed.

    Attributes:
        seen: the requests, in the order in which they came.
        sent: bytes that were sent in all.
    """

    def __init__(self, respond: Respond) -> None:
        self.seen: list[Request] = []
        self.sent = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Request(self.requestline, headers, body)
                outer.seen.append(request)
                self.close_connection = True
                try:
                    for part in respond(request):
                        self.wfile.write(part)
                        outer.sent += len(part)
                except OSError:
                    pass

            do_GET = do_POST  # as a client does that follows a redirect
            do_CONNECT = do_POST  # as a proxy is asked

            def log_message(self, *_: object) -> None:
                pass

        class Threads(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True

        self._server = Threads(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Hostile:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def answer(status: int, body: bytes = b"{}", **headers: str) -> Iterable[bytes]:
    """An answer in one piece; underscores in the names of headers are hyphens."""
    named = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return [f"HTTP/1.1 {status} Word\r\n{head}\r\n".encode() + body]
