"""Servers that send calls elsewhere, answer without end, pack a bomb, or ask for long pauses; and proxies."""

from __future__ import annotations

import bz2
import gzip
import json
import re
import socketserver
import subprocess
import sys
import threading
import time
import zlib
from email.utils import formatdate

import pytest
from support.hostile import MEASURED, Hostile, Request, answer
from support.model_runs import papers
from support.run import BIN, environment, st
from support.server import completion, facets

from scholartools.address import calls_address
from scholartools.llm.body import Body, TooLarge
from scholartools.llm.faults import Transient
from scholartools.proxies import proxy_of

DIRECT = ("--model", "openai/mock", "--temperature", "0")


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def ask(cache, server: Hostile | None, *args: str, count: int = 1, model=DIRECT, **env: str):
    where = {} if server is None else {"OPENAI_BASE_URL": server.address}
    base = {"OPENAI_API_KEY": "sk-canary-0123456789", **where, **cache, **env}
    return st("st-facets", *model, *args, input=papers(count), env=base)


def good(request) -> bytes:
    """The usual answer."""
    return json.dumps(completion(facets(json.loads(request.body)["messages"]), "stop")).encode()


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304])
def test_no_redirect_is_followed_and_one_line_says_so(cache, status):
    with Hostile(lambda request: answer(200, good(request))) as other:
        where = f"http://127.0.0.1:{other.port}/v1/chat/completions?token=secret"
        more = {} if status == 304 else {"Location": where}
        with Hostile(lambda _: answer(status, b"", **more)) as server:
            result = ask(cache, server, count=3)
    assert result.status == 4 and other.seen == []
    [line] = [line for line in result.err.splitlines() if "redirect" in line]
    assert server.address in line and "secret" not in result.err
    assert ("without saying where to" if status == 304 else where.partition("?")[0]) in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("provider", "status"),
    [("lm_studio", 301), ("lm_studio", 307), ("ollama", 301), ("ollama_chat", 307), ("maritalk", 307)],
)
def test_no_redirect_is_followed_by_litellm_either(cache, provider, status):
    """Of some providers, litellm asks by calls that block: they took key and prompt to the other server."""
    with Hostile(lambda request: answer(200, good(request))) as other:
        where = f"http://127.0.0.1:{other.port}/api/chat"
        with Hostile(lambda _: answer(status, b"", Location=where)) as server:
            prefix = provider.removesuffix("_chat").upper()
            named = {f"{prefix}_API_BASE": server.address, f"{prefix}_API_KEY": "x"}
            result = ask(cache, None, model=("--model", f"{provider}/mock"), **named)
    assert result.status == 4 and other.seen == [] and server.seen, result.err
    assert f"redirects to {where} (status {status})" in result.err, result.err


def test_a_provider_that_follows_redirects_is_refused(cache):
    result = ask(cache, None, model=("--model", "aiohttp_openai/mock"), AIOHTTP_OPENAI_API_BASE="http://127.0.0.1:9/v1")
    assert result.status == 4 and "write openai/NAME" in result.err


# Answers that nobody asked for


class Speaking(socketserver.ThreadingTCPServer):
    """Answers the first request and, on the idle connection, says ``more``; the second request is first told to wait."""

    daemon_threads = allow_reuse_address = True

    def __init__(self, more: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Spoken)
        self.more, self.seen = more, []
        self.address = f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Spoken(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        while line := self.rfile.readline():
            headers = dict(one.decode().strip().casefold().split(": ", 1) for one in iter(self.rfile.readline, b"\r\n"))
            request = Request(line.decode(), headers, self.rfile.read(int(headers["content-length"])))
            self.server.seen.append(request)
            place = len(self.server.seen)
            if place == 2:
                time.sleep(0.3)  # the first connection is idle before this one is
                self.wfile.write(kept_open(429, b"{}", b"Retry-After: 1\r\n"))
                continue
            self.wfile.write(kept_open(200, good(request)))
            if place == 1:
                time.sleep(0.1)
                self.wfile.write(self.server.more or kept_open(200, good(request)))


def kept_open(status: int, body: bytes, more: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d Word\r\n%sContent-Length: %d\r\n\r\n%s" % (status, more, len(body), body)


@pytest.mark.parametrize("model", [DIRECT, pytest.param(("--model", "lm_studio/mock"), marks=pytest.mark.slow)])
@pytest.mark.parametrize("more", [b"", kept_open(408, b""), b"HTTP/1.1 200 OK\r\nContent-"])
def test_what_a_server_says_unasked_is_no_answer(cache, model, more):
    """A second answer on an idle connection was read, and stored, as the answer to the next question."""
    with Speaking(more) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        env = {"OPENAI_BASE_URL": server.address, "LM_STUDIO_API_BASE": server.address, "LM_STUDIO_API_KEY": "x"}
        result = ask(cache, None, "--concurrency", "2", count=2, model=model, **env)
        server.shutdown()
    assert result.status == 0 and len(server.seen) == 3, result.err
    for record in result.records:
        assert f"Paper {record['id'][1:]} asks why." in json.dumps(record["facets"]), record


# Large answers


def bomb(size: int) -> bytes:
    """So many bytes, in a thousandth of them."""
    packer = zlib.compressobj(9, wbits=31)
    piece = b" " * 1_000_000
    return b"".join([*(packer.compress(piece) for _ in range(size // 1_000_000)), packer.flush()])


def endless():
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"100000\r\n" + b" " * 2**20 + b"\r\n"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["gzip", "deflate", None])
def test_a_large_answer_is_no_reply_and_takes_no_memory(cache, encoding):
    packed = bomb(300_000_000) if encoding == "gzip" else zlib.compress(b" " * 80_000_000)

    def respond(_):
        return endless() if encoding is None else answer(200, packed, Content_Encoding=encoding)

    with Hostile(respond) as server:
        env = environment(OPENAI_API_KEY="x", OPENAI_BASE_URL=server.address, **cache)
        line = [sys.executable, "-c", MEASURED, BIN / "st-facets", *DIRECT]
        done = subprocess.run(line, input=papers(2), capture_output=True, env=env, timeout=100)
        asked = len(server.seen)
        again = ask(cache, server, "--replay", count=2)
    assert done.returncode == 1 and asked == 2  # not sent again: the same would come
    assert done.stderr.count(b"the answer is larger than 64 MB (--max-reply 64): it was not read") == 2
    made = [json.loads(text) for text in done.stdout.splitlines()]
    assert [record["errors"][-1]["kind"] for record in made] == ["too-large"] * 2
    assert again.status == 1 and again.out == done.stdout and server.sent < 200_000_000
    assert int(done.stderr.splitlines()[-1]) < 900_000  # KB: two answers at once, unpacked to 64 MB each


def test_the_bound_is_an_option(cache):
    with Hostile(lambda request: answer(200, gzip.compress(good(request)), Content_Encoding="gzip")) as server:
        small = ask(cache, server, "--max-reply", "0.0001")
        assert small.status == 1 and "larger than 0.0001 MB (--max-reply 0.0001)" in small.err
        assert ask(cache, server).status == 0
        assert server.seen[0].headers["accept-encoding"] == "gzip, deflate"
        assert ask(cache, server, "--max-reply", "0").status == 2


@pytest.mark.slow
def test_litellm_reads_no_more_either(cache):
    packed = bomb(200_000_000)
    with Hostile(lambda _: answer(200, packed, Content_Encoding="gzip")) as server:
        env = {"LM_STUDIO_API_BASE": server.address, "LM_STUDIO_API_KEY": "x"}
        result = ask(cache, None, model=("--model", "lm_studio/mock"), **env)
        assert result.status == 1 and "larger than 64 MB" in result.err and len(server.seen) == 1, result.err
    with Hostile(lambda request: answer(200, gzip.compress(good(request)), Content_Encoding="gzip")) as server:
        env = {"LM_STUDIO_API_BASE": server.address, "LM_STUDIO_API_KEY": "x"}
        result = ask(cache, None, "--any-endpoint", model=("--model", "lm_studio/mock"), **env)
        assert result.status == 0, result.err


def unpack(data: bytes, encoding: str, most: int, size: int) -> bytes:
    body = Body(encoding, most)
    for start in range(0, len(data), size):
        body.add(data[start : start + size])
    return body.whole()


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_each_way_to_pack_gives_the_same_bytes(size):
    text = bytes(range(256)) * 40
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "": text,
        "identity": text,
        "gzip": gzip.compress(text[:5000]) + gzip.compress(text[5000:]) + b"\0\0",
        "X-GZIP": gzip.compress(text),
        "deflate": zlib.compress(text),
        "Deflate": raw.compress(text) + raw.flush(),
    }
    for encoding, data in packed.items():
        assert unpack(data, encoding, len(text), size) == text, encoding
        with pytest.raises(TooLarge):
            unpack(data, encoding, len(text) - 1, size)


@pytest.mark.parametrize(
    ("encoding", "data"), [("br", b"x"), ("gzip, gzip", b"x"), ("gzip", b"no gzip"), ("deflate", bz2.compress(b"x"))]
)
def test_what_cannot_be_unpacked_is_sent_again(encoding, data):
    with pytest.raises(Transient):
        unpack(data, encoding, 10_000, 3)


def test_an_answer_packed_as_it_was_not_asked_for_costs_its_record(cache):
    with Hostile(lambda request: answer(200, good(request), Content_Encoding="br")) as server:
        result = ask(cache, server, "--retries", "0")
    assert result.status == 1 and "compressed as br, which was not requested" in result.err


def test_an_answer_of_very_many_empty_parts_is_not_read_to_its_end(cache):
    """Each is read alone, and none counts for the size: 4 MB of them kept the event loop for seconds."""
    packed = gzip.compress(b"") * 200_000
    with Hostile(lambda request: answer(200, packed + gzip.compress(good(request)), Content_Encoding="gzip")) as server:
        result = ask(cache, server, "--retries", "0")
    assert result.status == 1 and "compressed in more than 1,000 parts" in result.err


# Pauses


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("after", ["3600", "date"])
def test_a_long_pause_ends_the_run_at_once_and_keeps_what_is_done(cache, status, after):
    wait = formatdate(time.time() + 3600, usegmt=True) if after == "date" else after

    def respond(request):
        if len(server.seen) <= 3:
            return answer(200, good(request))
        return answer(status, b'{"error": {"message": "later"}}', Retry_After=wait)

    start = time.monotonic()
    with Hostile(respond) as server:
        result = ask(cache, server, "--concurrency", "1", count=40)
        assert time.monotonic() - start < 60 and len(server.seen) == 4
    assert result.status == 4 and len(result.records) == 3
    then = time.strftime("%H:%M", time.localtime(time.time() + 3600))
    [line] = [line for line in result.err.splitlines() if "run again then" in line]
    found = re.search(r"a pause until (\d\d:\d\d):\d\d .*longer than --max-wait 600", line)[1]
    assert found in (then, time.strftime("%H:%M", time.localtime(time.time() + 3540)))


@pytest.mark.parametrize("after", ["9999999999999", "9" * 400, "3600.5000000000001", "Fri, 31 Dec 99999 23:59:59 GMT"])
def test_a_pause_of_many_digits_is_a_very_long_one(cache, after):
    with Hostile(lambda _: answer(429, b'{"error": {"message": "later"}}', Retry_After=after)) as server:
        result = ask(cache, server, count=20)
    assert result.status == 4 and len(server.seen) <= 8
    assert re.search(r"asks for a pause until (a year that no clock has|\d\d:\d\d:\d\d)", result.err), result.err


@pytest.mark.slow
def test_a_rate_limit_without_a_pause_ends_with_the_retries(cache):
    """One retry is three of a rate limit: four calls, after pauses of at most half a second, 1 s and 2 s."""
    start = time.monotonic()
    with Hostile(lambda _: answer(429, b'{"error": {"message": "later"}}')) as server:
        result = ask(cache, server, "--retries", "1", count=1)
    assert len(server.seen) == 4 and time.monotonic() - start < 30
    assert result.status == 1 and "no reply after 4 calls: later" in result.err


@pytest.mark.slow
def test_a_provider_that_refuses_everything_ends_the_run_after_the_longest_wait(cache):
    with Hostile(lambda _: answer(429, b'{"error": {"message": "later"}}')) as server:
        result = ask(cache, server, "--max-wait", "1", count=40)
    assert result.status == 4 and not result.records, result.err
    assert re.search(
        r"has refused every call for \d+ s \(later\), longer than --max-wait 1; .* run again later", result.err
    )


def test_a_long_pause_ends_the_run_though_others_wait(cache):
    """One call is told to wait a little, another one for ever: neither holds the end of the run up."""

    def respond(request):
        wait = "500" if len(server.seen) % 2 else "90000"
        return answer(429, b'{"error": {"message": "later"}}', Retry_After=wait)

    start = time.monotonic()
    with Hostile(respond) as server:
        result = ask(cache, server, count=20)
    assert result.status == 4 and time.monotonic() - start < 60
    assert re.search(r"until \d\d:\d\d:\d\d on \d{4}-\d\d-\d\d ", result.err)


@pytest.mark.slow
@pytest.mark.parametrize("after", ["0", "-5", "Wed, 21 Oct 2015 07:28:00 GMT", "soon", "nan", "1e999", "Wed, 99"])
def test_a_pause_that_is_over_leaves_the_own_back_off(cache, after):
    def respond(request):
        if len(server.seen) <= 7:
            return answer(429, b'{"error": {"message": "later"}}', Retry_After=after)
        return answer(200, good(request))

    start = time.monotonic()
    with Hostile(respond) as server:
        result = ask(cache, server, "--concurrency", "4", count=4)
    # pauses of at least 1/4, 1/2, 1, 2 s between the rounds of at most 4, 2, 1, 1, ... calls
    assert result.status == 0 and time.monotonic() - start > 1.5


@pytest.mark.slow
def test_max_wait_is_an_option(cache):
    def respond(request):
        return answer(503, b"{}", Retry_After="2") if len(server.seen) == 1 else answer(200, good(request))

    with Hostile(respond) as server:
        assert ask(cache, server, "--max-wait", "1").status == 4
    with Hostile(respond) as server:
        assert ask(cache, server, "--any-endpoint").status == 0


# Proxies and addresses


@pytest.mark.slow
def test_direct_calls_obey_the_proxies_of_the_environment(cache):
    with Hostile(lambda request: answer(200, good(request))) as proxy:
        named = {"OPENAI_BASE_URL": "http://model.example:8000/v1?team=7", "HTTP_PROXY": f"127.0.0.1:{proxy.port}"}
        result = ask(cache, None, **named)
        assert result.status == 0, result.err
        assert proxy.seen[0].line == "POST http://model.example:8000/v1/chat/completions?team=7 HTTP/1.1"
        assert result.records[0]["provenance"][-1]["endpoints"] == ["http://model.example:8000/v1"]
        around = ask(cache, None, "--refresh", NO_PROXY="model.example", **named)
        assert around.status == 4 and len(proxy.seen) == 1 and "cannot reach" in around.err
    gone = ask(cache, None, "--refresh", **{**named, "HTTP_PROXY": "http://me:pass-phrase@127.0.0.1:1"})
    assert gone.status == 4 and "cannot connect to the proxy http://127.0.0.1:1" in gone.err
    assert "pass-phrase" not in gone.err
    socks = ask(cache, None, "--refresh", OPENAI_BASE_URL=named["OPENAI_BASE_URL"], ALL_PROXY="socks5://127.0.0.1:1")
    assert socks.status == 4 and "is no HTTP proxy: NO_PROXY=model.example goes around it" in socks.err


def test_a_server_of_this_machine_is_reached_without_a_proxy(cache, monkeypatch):
    with Hostile(lambda request: answer(200, good(request))) as server:
        assert ask(cache, server, HTTP_PROXY="http://127.0.0.1:1").status == 0
    monkeypatch.setenv("http_proxy", "http://p:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("HTTP_PROXY", raising=False)
    assert proxy_of("http://localhost:8000/v1") is proxy_of("http://[::1]/v1") is proxy_of("http://127.9.0.1/") is None
    assert proxy_of("http://host.example/v1").url == "http://p:1"


@pytest.mark.parametrize("status", [403, 407, 502])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_refuses_is_named_and_its_password_is_not(cache, scheme, status):
    with Hostile(lambda _: answer(status, b"<html>no</html>")) as proxy:
        variable = f"{scheme}_proxy"
        named = {"OPENAI_BASE_URL": f"{scheme}://model.example/v1", variable: f"me:pass-phrase@127.0.0.1:{proxy.port}"}
        result = ask(cache, None, "--retries", "1", "--max-wait", "1", NO_PROXY="10.0.0.0/8", no_proxy="", **named)
    [first, *_] = [line for line in result.err.splitlines() if "proxy" in line]
    assert f"the proxy http://127.0.0.1:{proxy.port} ({variable})" in first
    assert "NO_PROXY=model.example goes around it" in first
    assert (str(status) in first or status == 403) and (status == 502 or result.status == 4)
    assert "pass-phrase" not in result.err and b"pass-phrase" not in result.out and "me:" not in result.err
    assert proxy.seen[0].headers["proxy-authorization"].startswith("Basic ")


@pytest.mark.parametrize("user", ["", "me:pass-phrase@"])
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("model", [DIRECT, ("--model", "lm_studio/x")])
def test_a_proxy_is_never_told_the_key_of_the_server(cache, scheme, user, model):
    with Hostile(lambda _: answer(403)) as proxy:
        base = f"{scheme}://model.example/v1"
        named = {"OPENAI_BASE_URL": base, "LM_STUDIO_API_BASE": base, "LM_STUDIO_API_KEY": "sk-canary-0123456789"}
        env = {**named, f"{scheme}_proxy": f"{user}127.0.0.1:{proxy.port}", "no_proxy": "", "NO_PROXY": ""}
        ask(cache, None, "--retries", "0", model=model, **env)
    assert proxy.seen
    for request in proxy.seen:
        told = dict(request.headers)
        if scheme == "http":  # such a request is the server's own: the proxy passes it on as it is
            assert told.pop("authorization") == "Bearer sk-canary-0123456789"
        assert "canary" not in f"{request.line} {told}"
        assert told.get("proxy-authorization", "").startswith("Basic ") == bool(user)


@pytest.mark.slow
def test_calls_through_litellm_choose_the_same_proxy(cache):
    """litellm alone would send a server of this machine to a proxy, and knows no networks."""
    with Hostile(lambda request: answer(200, good(request))) as server, Hostile(lambda _: answer(407)) as proxy:
        env = {
            "LM_STUDIO_API_KEY": "x",
            "http_proxy": f"me:pass-phrase@127.0.0.1:{proxy.port}",
            "no_proxy": "",
            **cache,
        }
        model = ("--model", "lm_studio/mock")
        here = ask(cache, None, model=model, **{**env, "LM_STUDIO_API_BASE": server.address})
        assert here.status == 0 and len(server.seen) == 1 and proxy.seen == [], here.err
        far = ask(cache, None, "--refresh", model=model, **{**env, "LM_STUDIO_API_BASE": "http://10.255.255.1/v1"})
        assert far.status == 4 and proxy.seen, far.err
        assert f"the proxy http://127.0.0.1:{proxy.port} (http_proxy) refuses to connect to 10.255.255.1" in far.err
        assert "pass-phrase" not in far.err and "wants a user and a password" in far.err
        n_asked = len(proxy.seen)
        around = {**env, "LM_STUDIO_API_BASE": "http://10.255.255.1/v1", "NO_PROXY": "10.0.0.0/8"}
        ask(cache, None, "--refresh", "--timeout", "1", "--retries", "0", model=model, **around)
        assert len(proxy.seen) == n_asked
        secure = {**env, "LM_STUDIO_API_BASE": "https://model.example/v1", "https_proxy": env["http_proxy"]}
        refused = ask(cache, None, "--refresh", model=model, **secure)
        assert refused.status == 4 and "(https_proxy) refuses to connect to model.example (status 407)" in refused.err
        gone = ask(cache, None, "--refresh", "--retries", "0", model=model, **{**secure, "https_proxy": "127.0.0.1:1"})
        assert "cannot connect to the proxy http://127.0.0.1:1 (https_proxy)" in gone.err


@pytest.mark.parametrize(
    ("base", "calls"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("http://h/v1?key=a/", "http://h/v1/chat/completions?key=a/"),
        ("http://u:p@[::1]:80/v1/?a=b&c=%2F", "http://u:p@[::1]:80/v1/chat/completions?a=b&c=%2F"),
        ("http://h?a", "http://h/chat/completions?a"),
    ],
)
def test_a_query_stays_at_the_end_of_an_address(base, calls):
    assert calls_address(base) == calls


# Half of a character


@pytest.mark.parametrize("half", [r"\ud800", r"\\ud800", r"\udc00\ud800", r"\ud83d"])
def test_half_a_character_in_a_reply_costs_its_record_alone(cache, half):
    """It stood in the raw reply of the entry in ``errors``, which could not be written: the run ended there."""

    def reply(request) -> bytes:
        if b"Paper 1" not in request.body:
            return answer(200, good(request))
        made = json.dumps(completion("HALF", "stop")).replace("HALF", rf"{{\"method\": [\"{half}\"]}} {half}")
        return answer(200, made.encode())

    given = "".join(json.dumps({"id": i, "abstract": f"Paper {i}. We count bees. They rise."}) + "\n" for i in range(3))
    with Hostile(reply) as server:
        base = {"OPENAI_API_KEY": "sk-canary-0123456789", "OPENAI_BASE_URL": server.address, **cache}
        result = st("st-facets", *DIRECT, input=given, env=base)
    records = [json.loads(line) for line in result.out.splitlines()]
    assert result.status == 1 and [record["id"] for record in records] == [0, 1, 2], result.err
    assert ["errors" in record for record in records] == [False, True, False]
    assert st("st-facets", *DIRECT, "--replay", input=given, env=base).out == result.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "name"), [(500, "InternalServerError"), (429, "RateLimitError"), (400, "BadRequestError")]
)
def test_litellm_names_an_error_once(cache, status, name):
    with Hostile(lambda _: answer(status, b'{"error": {"message": "oops"}}')) as server:
        result = ask(
            cache, None, "--retries", "0", model=("--model", "lm_studio/mock"), LM_STUDIO_API_BASE=server.address,
            LM_STUDIO_API_KEY="x",
        )  # fmt: skip
    assert "litellm." not in result.err and result.err.count(f"{name}: ") == 1, result.err
