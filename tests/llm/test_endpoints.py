"""Replies of one server are not taken for those of another: by address, by name, in a cache, a bundle and a replay."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from support.model_runs import papers
from support.run import environment, st
from support.server import Server, completion, facets

from scholartools.address import plain_address
from scholartools.cache import Cache, Reply
from scholartools.errors import ModelFault
from scholartools.llm.batch.endpoints import connect_batches
from scholartools.llm.client import connect
from scholartools.llm.endpoint import DEFAULT, Endpoint, endpoint_of_kept, endpoint_of_run
from scholartools.llm.engine import Engine
from scholartools.llm.settings import Settings

MODEL = ("--model", "openai/mock", "--temperature", "0")


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def reverse(messages) -> str:
    """Another server's answers: the facets in the opposite order."""
    made = json.loads(facets(messages))
    return json.dumps(dict(zip(made, reversed(list(made.values())))))


def ask(cache, *args: str, count: int = 2, model=MODEL, **env: str):
    return st("st-facets", *model, *args, input=papers(count), env={"OPENAI_API_KEY": "x", **cache, **env})


def dead_port() -> int:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}/v1"


def test_replies_of_another_server_are_refused_whatever_asks_and_however_quiet(cache):
    with Server() as first, Server(answer=reverse) as second:
        pilot = ask(cache, OPENAI_BASE_URL=address(first))
        assert pilot.status == 0 and f"replies of {address(first)}" in pilot.err
        assert all(record["provenance"][-1]["endpoints"] == [address(first)] for record in pilot.records)
        dead = f"http://127.0.0.1:{dead_port()}/v1"
        for where in ({"OPENAI_BASE_URL": address(second)}, {"OPENAI_API_BASE": address(second)},
                      {"OPENAI_BASE_URL": dead}, {}):  # fmt: skip
            for more in ((), ("--quiet",), ("--dry-run",)):
                refused = ask(cache, *more, **where)
                assert refused.status == 4, (where, more)
                [line] = [line for line in refused.err.splitlines() if "is asked now" in line]
                assert address(first) in line and "--any-endpoint" in line
                assert next(iter(where.values()), "the provider itself") in line
        assert second.requests == 0
        taken = ask(cache, "--any-endpoint", OPENAI_BASE_URL=dead)
        assert taken.status == 0 and taken.out == pilot.out
        replayed = ask(cache, "--replay")
        assert replayed.status == 0 and replayed.out == pilot.out and f"replies of {address(first)}" in replayed.err
        anew = ask(cache, "--refresh", OPENAI_BASE_URL=address(second))
        assert anew.status == 0 and [r["facets"] for r in anew.records] != [r["facets"] for r in pilot.records]
        assert ask(cache, OPENAI_BASE_URL=address(first)).status == 4
        # what stands in provenance alone tells them apart: the signature says what was asked
        assert anew.records[0]["provenance"][-1]["signature"] == pilot.records[0]["provenance"][-1]["signature"]


def test_what_was_done_before_a_refusal_is_written_and_mixed_replies_are_counted(cache):
    with Server() as first, Server() as second:
        ask(cache, count=1, OPENAI_BASE_URL=address(first))
        mixed = ask(cache, "--any-endpoint", count=3, OPENAI_BASE_URL=address(second))
        assert mixed.status == 0
        assert f"1 reply of {address(first)}, 2 replies of {address(second)}" in mixed.err
        whose = [record["provenance"][-1]["endpoints"] for record in mixed.records]
        assert whose == [[address(first)], [address(second)], [address(second)]]
        stopped = ask(cache, count=3, OPENAI_BASE_URL=address(first))
        assert stopped.status == 4 and len(stopped.records) == 1 and "(1 record was finished before)" in stopped.err


def test_nodes_of_one_name_share_their_replies(cache):
    with Server() as first, Server() as second:
        named = ("--endpoint-name", "cluster")
        pilot = ask(cache, *named, OPENAI_BASE_URL=address(first))
        assert pilot.records[0]["provenance"][-1]["endpoints"] == ["cluster"]
        same = ask(cache, OPENAI_BASE_URL=address(second), ST_ENDPOINT_NAME="cluster")
        assert same.status == 0 and same.out == pilot.out and second.requests == 0
        assert ask(cache, "--endpoint-name", "other", OPENAI_BASE_URL=address(first)).status == 4
        assert ask(cache, OPENAI_BASE_URL=address(first)).status == 0  # the address is the same
        unnamed = ask(cache, OPENAI_BASE_URL=address(second))
        assert unnamed.status == 4 and "the reply of cluster" in unnamed.err
        assert ask(cache, "--endpoint-name", " ", OPENAI_BASE_URL=address(first)).status == 2


def test_a_bundle_replays_anywhere_and_is_refused_by_another_server(cache, tmp_path):
    bundle = tmp_path / "calls.jsonl"
    with Server() as server:
        pilot = ask(cache, "--endpoint-name", "cluster", OPENAI_BASE_URL=address(server))
    st("st-cache", "export", "--output", bundle, env=cache)
    elsewhere = {"ST_CACHE": str(tmp_path / "elsewhere")}
    assert st("st-cache", "import", bundle, env=elsewhere).status == 0
    replayed = ask(elsewhere, "--replay", OPENAI_BASE_URL="http://elsewhere.example/v1")
    assert replayed.status == 0 and replayed.out == pilot.out and "replies of cluster" in replayed.err
    assert ask(elsewhere, OPENAI_BASE_URL="http://elsewhere.example/v1").status == 4


@pytest.mark.parametrize(
    ("model", "variable", "status", "words"),
    [
        ("openai/mock", "OPENAI_BASE_URL", 4, "the reply of the provider itself"),
        ("openai/mock", None, 0, "replies of an endpoint that is not known"),
        ("groq/mock", "GROQ_API_BASE", 0, "some replies in the cache have no address of a server"),
        ("groq/mock", None, 0, "some replies in the cache have no address of a server"),
    ],
)
def test_replies_without_an_address_are_those_that_an_earlier_version_kept(
    cache, tmp_path, model, variable, status, words
):
    with Server() as server:
        pilot = ask(cache, OPENAI_BASE_URL=address(server))
        bundle = st("st-cache", "export", env=cache, is_described=False).out.decode()
    renamed = tmp_path / "renamed"
    renamed.mkdir()
    with Cache.open(renamed / "calls.sqlite") as new, Cache.open(f"{cache['ST_CACHE']}/calls.sqlite") as old:
        from scholartools.cache.request import call_key

        for entry in old.entries():
            request = {**entry.request, "model": model}
            new.put(call_key(request), request, entry.reply._replace(endpoint=None), entry.prompt)
    assert address(server) in bundle and pilot.status == 0
    where = {} if variable is None else {variable: "http://127.0.0.1:1/v1"}
    later = ask({"ST_CACHE": str(renamed)}, model=("--model", model, "--temperature", "0"), **where)
    assert (later.status, later.err.count(words)) == (status, 1), later.err
    if status == 0:
        assert later.records[0]["provenance"][-1]["endpoints"] == [None]
    replayed = ask({"ST_CACHE": str(renamed)}, "--replay", model=("--model", model, "--temperature", "0"), **where)
    assert replayed.status == 0


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("http://Host.Example:80/v1/", "http://host.example/v1"),
        ("HTTPS://user:secret@Host.example:443/v1//?key=secret#part", "https://host.example/v1"),
        ("https://host.example:8443/v1", "https://host.example:8443/v1"),
        ("http://[0:0:0:0:0:0:0:1]:8000/v1", "http://[::1]:8000/v1"),
        ("http://[::1]:80", "http://[::1]"),
        ("http://user:se@cret@[::1]:8000/v1?a=b", "http://[::1]:8000/v1"),
        ("http://host.example./v1", "http://host.example/v1"),
        ("http://host.example:http/v1?key=secret", "http://host.example:http/v1"),
        ("user:secret@host.example/v1", "host.example/v1"),
        ("http://[::1/v1?secret", "http://[::1/v1"),
        ("http://user:123#secret@host.example/v1", "http://host.example/v1"),
        ("http://sec?ret@host.example/v1", "http://host.example/v1"),
        ("http://user:1/secret@host.example/v1", "http://host.example/v1"),
        ("http://host.example/v1;key=secret/chat;a=b?c=d", "http://host.example/v1/chat"),
        ("host.example/v1;key=secret", "host.example/v1"),
        (DEFAULT, DEFAULT),
        (None, None),
    ],
)
def test_an_address_has_one_spelling_and_no_secret(written, plain):
    assert plain_address(written) == plain
    assert plain_address(plain) == plain


@pytest.mark.parametrize(
    "written",
    [
        "http://user:Pa55#w0rd@127.0.0.1/v1",
        "http://user:Pa55/w0rd@127.0.0.1/v1",
        "http://user:9#Pa55w0rd@127.0.0.1/v1",
        "http://Pa55?w0rd@127.0.0.1/v1",
        "http://user:Pa55w0rd@[::1/v1",
        "http://user:Pa55w0rd@127.0.0.1:99999/v1",
        "user:Pa55w0rd@127.0.0.1/v1",
        "http://",
    ],
)
def test_an_address_that_is_none_ends_the_run_and_shows_no_password(cache, written):
    run = ask(cache, OPENAI_BASE_URL=written)
    assert (run.status, run.out) == (4, b"") and len(run.err.splitlines()) == 1
    assert "the address" in run.err and "Pa55" not in run.err and "w0rd" not in run.err


@pytest.mark.parametrize("login", ["user:Pa55w0rd", ":Pa55w0rd", "Pa55w0rd", "us%40er:Pa55w0rd"])
@pytest.mark.parametrize(
    ("model", "variables"),
    [
        ("openai/m", ("OPENAI_BASE_URL", "OPENAI_API_KEY")), ("hosted_vllm/m", ("HOSTED_VLLM_API_BASE", "HOSTED_VLLM_API_KEY")),
        ("ollama/m", ("OLLAMA_API_BASE",)), ("anthropic/claude-3-haiku-20240307", ("ANTHROPIC_API_BASE", "ANTHROPIC_API_KEY")),
        ("groq/llama3-8b-8192", ("GROQ_API_BASE", "GROQ_API_KEY")),
    ],
)  # fmt: skip
def test_a_login_in_an_address_that_cannot_be_sent_is_told_without_it(monkeypatch, model, variables, login):
    """The client of HTTP refused such an address in words of its own, once for each record."""
    for name in variables:
        monkeypatch.setenv(name, "key")
    monkeypatch.setenv(variables[0], f"http://{login}@127.0.0.1:9/v1")
    has_batches = model.partition("/")[0] in ("openai", "hosted_vllm", "anthropic")
    for way in (connect, connect_batches) if has_batches else (connect,):
        with pytest.raises(ModelFault) as told:
            way(Settings(model))
        reason = told.value.reason
        assert reason.startswith("the address http://127.0.0.1:9/v1 has a user or password before its host,"), reason
        assert "Pa55" not in reason and "us%40er" not in reason


@pytest.mark.parametrize("way", [connect, connect_batches])
def test_a_server_of_ones_own_without_an_address_is_never_another_s(monkeypatch, way):
    """Batches of hosted_vllm went to OpenAI, with the key of the own server."""
    monkeypatch.delenv("HOSTED_VLLM_API_BASE", raising=False)
    monkeypatch.delenv("HOSTED_VLLM_BASE_URL", raising=False)
    monkeypatch.setenv("HOSTED_VLLM_API_KEY", "key")
    with pytest.raises(ModelFault, match="no address for hosted_vllm/m: set HOSTED_VLLM_API_BASE"):
        way(Settings("hosted_vllm/m"))


def test_another_spelling_of_an_address_is_the_same_server(cache):
    with Server() as server:
        assert ask(cache, OPENAI_BASE_URL=address(server)).status == 0
        for other in (
            f"{address(server)}/",
            f"{address(server)}?team=7",
            f"http://me:pass-phrase@127.0.0.1:{server.port}/v1",
        ):
            same = ask(cache, OPENAI_BASE_URL=other)
            assert same.status == 0 and "pass-phrase" not in same.err


@pytest.mark.slow
def test_replies_that_another_run_gets_meanwhile_are_refused_too(cache):
    """Two runs of two servers at once: the second waits for what the first asks, and that is another's reply."""
    waiting, go_on = threading.Event(), threading.Event()

    def late(messages) -> str:
        waiting.set()
        go_on.wait(20)
        return facets(messages)

    with Server() as first, Server(answer=late) as second, ThreadPoolExecutor(2) as threads:
        early = threads.submit(ask, cache, count=1, OPENAI_BASE_URL=address(second))
        assert waiting.wait(20)
        later = threads.submit(ask, cache, count=1, OPENAI_BASE_URL=address(first))
        time.sleep(1)
        go_on.set()
        assert early.result().status == 0
        assert later.result().status == 4 and address(second) in later.result().err
        assert not first.requests


def test_samples_of_one_call_are_refused_as_single_replies_are(tmp_path, monkeypatch):
    class Fake:
        async def send(self, request, timeout):
            choice = completion("said", "stop")["choices"][0]
            return Reply("said", "stop", body=json.dumps({"choices": [choice] * request["parameters"].get("n", 1)}))

        async def close(self):
            pass

    async def draw(where: str):
        monkeypatch.setenv("OPENAI_BASE_URL", where)
        engine = Engine(Settings("openai/m"), Cache.open(tmp_path / "cache"), connect=lambda *_: Fake())
        try:
            return await engine.complete_samples("p", [{"role": "user", "content": "?"}], range(3)), engine.counts
        finally:
            await engine.close()

    first, counts = asyncio.run(draw("http://a/v1"))
    assert [call.reply.origin for call in first] == ["http://a/v1"] * 3 and counts.endpoints == {"http://a/v1": 3}
    with pytest.raises(ModelFault, match="the reply of http://a/v1 to this question"):
        asyncio.run(draw("http://b/v1"))


def test_names_decide_where_both_have_one():
    a, b = Endpoint("http://a", "x"), Endpoint("http://b", "x")
    assert a.is_same(b) and not a.is_same(Endpoint("http://a", "y"))
    assert a.is_same(Endpoint("http://a")) and not a.is_same(Endpoint("http://b"))
    assert a.is_same(Endpoint(None)) is None and Endpoint(None, "x").is_same(a)


def test_the_provider_s_own_address_is_no_other(monkeypatch):
    for name in list(os.environ):
        if re.search(r"_(BASE_URL|API_BASE)$", name):
            monkeypatch.delenv(name)
    plain = endpoint_of_run("openai/x", None)
    assert plain == Endpoint(DEFAULT) == endpoint_of_kept("openai/x", None, None)
    monkeypatch.setenv("OPENAI_BASE_URL", "https://API.openai.com:443/v1/")
    assert endpoint_of_run("openai/x", None) == plain == endpoint_of_run("gpt-4o-mini", None)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://mine/v1")
    assert endpoint_of_run("gpt-4o-mini", None).address == "http://mine/v1" != endpoint_of_run("gpt-4o-mini", "n").shown


# Every variable that litellm's source names, in turn; what it then says of every provider is the truth.
_ORACLE = """
import json, os, re, sys
from pathlib import Path
import litellm
from scholartools.llm.endpoint import endpoint_of_run
root = Path(litellm.__file__).parent
files = [*root.glob("llms/**/*.py"), root / "main.py", root / "litellm_core_utils/get_llm_provider_logic.py"]
found = re.compile(r'"([A-Z0-9_]+(?:API_BASE|BASE_URL|_URL|_ENDPOINT))"')
names = {name for file in files for name in found.findall(file.read_text())}
providers = [str(getattr(one, "value", one)) for one in litellm.provider_list]
os.environ.update({one.upper().replace("-", "_") + "_API_KEY": "x" for one in providers})
sentinels = {name: f"http://{name.replace('_', '-').lower()}.example/v1" for name in names}
names_of = {address: name for name, address in sentinels.items()}
wrong, right = [], 0
for provider in providers:
    os.environ.update(sentinels)
    while True:
        try:
            address = litellm.get_llm_provider(f"{provider}/m")[3]
        except Exception:
            break
        if address not in names_of:
            break
        right += 1
        if endpoint_of_run(f"{provider}/m", None).address != address:
            wrong.append([provider, names_of[address]])
        del os.environ[names_of[address]]
print(json.dumps([right, wrong]))
"""


@pytest.mark.slow
def test_each_variable_by_which_litellm_finds_an_address_is_known():
    env = environment(LITELLM_LOCAL_MODEL_COST_MAP="True")
    done = subprocess.run(
        [sys.executable, "-c", _ORACLE], capture_output=True, text=True, env=env, cwd=Path(__file__).parent
    )
    right, wrong = json.loads(done.stdout.splitlines()[-1])
    assert right > 40 and wrong == []


def test_who_gives_a_reply_is_counted_once_for_each_reply():
    assert Reply("x", "stop", endpoint="http://a", endpoint_name="n").origin == "n"
    assert Reply("x", "stop", endpoint="http://a").origin == "http://a"
    assert "endpoint_name" not in Reply("x", "stop", endpoint="http://a").record()
