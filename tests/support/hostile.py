"""Servers on 127.0.0.1 that answer each request with arbitrary bytes given by a test."""

from __future__ import annotations

import http.server
import socketserver
import threading
from collections.abc import Callable, Iterable

#: Runs a command and prints its peak of memory, in kB, as the last line of standard error.
MEASURED = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(status)
"""

Respond = Callable[["Request"], Iterable[bytes]]


class Request:
    """A request: its first line, its headers by lower-case name, its body."""

    def __init__(self, line: str, headers: dict[str, str], body: bytes) -> None:
        self.line, self.headers, self.body = line, headers, body


class Hostile:
    """``with Hostile(respond) as server``: send the parts that ``respond`` returns for a request, then disconnect.

    Attributes:
        seen: requests in order of arrival.
        sent: total number of bytes sent.
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

            do_GET = do_POST  # from a client that follows a redirect
            do_CONNECT = do_POST  # from a client of a proxy

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
    """A complete HTTP answer in one part; underscores in the names of headers become hyphens."""
    named = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return [f"HTTP/1.1 {status} Word\r\n{head}\r\n".encode() + body]
