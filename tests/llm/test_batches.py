"""Batches at OpenAI's endpoints and Anthropic's, with all that goes wrong there: the bytes are those of an online run."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import zlib

import pytest
import zstandard
from aiohttp import web
from support.batch_server import BatchServer
from support.hostile import MEASURED, Hostile, answer
from support.model_runs import papers
from support.run import BIN, environment, st
from support.server import Server, completion, facets, fenced

from scholartools.llm.batch.offline import lock_folder
from scholartools.llm.settings import Settings
from scholartools.llm.usage import budget
from scholartools.llm.usage.counts import Counts
from scholartools.llm.usage.forecast import Forecast
from scholartools.llm.usage.spending import Spending

GPT, CLAUDE = "openai/gpt-4o-mini", "anthropic/claude-haiku-4-5"
N = 8


@pytest.fixture(scope="module")
def online(tmp_path_factory) -> bytes:
    """What an online run of the papers writes."""
    folder = tmp_path_factory.mktemp("online")
    (folder / "in.jsonl").write_bytes(papers(N))
    with Server() as server:
        done = st("st-facets", "--model", GPT, folder / "in.jsonl", env={**server.environment, "ST_CACHE": str(folder)})
    assert done.status == 0
    return done.out


@pytest.fixture
def run(tmp_path):
    """Runs st-facets on the papers in batches of a server, as often as it takes or once."""
    (tmp_path / "in.jsonl").write_bytes(papers(N))

    def run(server: Server, *more, model: str = GPT, cache: str = str(tmp_path / "cache")):
        env = {**server.environment, "ST_CACHE": cache}
        return st("st-facets", "--model", model, tmp_path / "in.jsonl", "--batch", tmp_path / "dir", *more, env=env)

    return run


@pytest.mark.parametrize("model", [GPT, pytest.param(CLAUDE, marks=pytest.mark.slow)])
def test_a_batch_gives_the_bytes_of_an_online_run(model, run, tmp_path):
    with BatchServer() as server:
        done = run(server, model=model)
        env = {**server.environment, "ST_CACHE": str(tmp_path / "online")}
        whole = st("st-facets", "--model", model, tmp_path / "in.jsonl", env=env)
        assert (done.status, done.out) == (0, whole.out), done.err
        assert sum(server.paid.values()) == N - 1 and len(server.batches) == 1, "the first is asked at once"
        assert server.files == {} and server.deleted, "nothing is left at the provider"
        again = st(
            "st-facets", "--model", model, tmp_path / "in.jsonl", "--replay", env={"ST_CACHE": str(tmp_path / "cache")}
        )
    assert again.out == whole.out
    spent = [path for path in tmp_path.rglob("*") if path.is_file() and b"canary" in path.read_bytes()]
    assert spent == [], "no key is in any file"


@pytest.mark.slow
def test_batches_whose_cache_is_a_database(database, run, online, tmp_path):
    """Killed when the batch is made, half of it expired, some lines refused; then collected, repeated and exported."""
    process: list[subprocess.Popen] = []

    def kill() -> bool:
        process[0].kill()
        process[0].wait()
        return True

    wrong = {"trouble": lambda name, count: kill if (name, count) == ("POST batches", 1) else None}
    with BatchServer({"500": 0.3}, fate=fate_of(ends="expired"), **wrong) as server:
        env = {**server.environment, "ST_CACHE": database}
        line = ["st-facets", "--model", GPT, tmp_path / "in.jsonl", "--batch", tmp_path / "dir"]
        process.append(subprocess.Popen([BIN / line[0], *line[1:]], env=environment(**env), stderr=subprocess.DEVNULL))
        assert process[0].wait(60) == -9
        assert run(server, "--batch-wait", "0", cache=database).status == 5
        assert st("st-cache", "batch", "collect", env=env).status == 0
        done = run(server, "--retries", "6", cache=database)
        assert (done.status, done.out) == (0, online), done.err
        assert server.again_after_good == 0 and server.files == {}
        parts = st("st-cache", "batch", "list", env=env).records
        assert {part["batch"]["remote"] for part in parts} == {f"batch_{n}" for n in range(1, len(server.batches) + 1)}
    assert st(*line[:4], "--replay", env={"ST_CACHE": database}).out == online
    assert st("st-cache", "merge", database, env={"ST_CACHE": str(tmp_path / "file")}).status == 0
    bundles = [st("st-cache", "export", env={"ST_CACHE": place}) for place in (database, str(tmp_path / "file"))]
    assert (
        bundles[0].out == bundles[1].out
        and st(*line[:4], "--replay", env={"ST_CACHE": str(tmp_path / "file")}).out == online
    )


CANARY = "canary-9f8e7d6c5b4a"


def echo(body, _):
    """What a server says that repeats the key in some of its answers."""
    said = fenced(body["messages"])
    if "Paper 1 " in said:
        return 400, {"error": {"message": f"Incorrect API key provided: sk-{CANARY}"}}, {}
    return (200, completion(f"Bearer sk-{CANARY}", "stop"), {}) if "Paper 2 " in said else None


KEPT = {
    "in the address": {},
    "in lines": {"respond": echo},
    "in the code of a refusal": {"fate": lambda *_: {"fails": f"sk-{CANARY}"}},
    "in the word of a state": {"trouble": lambda name, _: {"status": CANARY} if name == "GET batches/ID" else None},
}


@pytest.mark.parametrize(
    ("way", "model"), [*((way, GPT) for way in KEPT), pytest.param("in lines", CLAUDE, marks=pytest.mark.slow)]
)
def test_no_key_is_in_any_file_table_or_message(way, model, run, tmp_path):
    """Where the address or an answer of the provider holds it; the provider gets it in headers and the query alone."""
    with BatchServer(**KEPT[way]) as server:
        more = {"OPENAI_API_KEY": f"sk-{CANARY}", "ANTHROPIC_API_KEY": f"sk-{CANARY}"}
        if way == "in the address":
            more["OPENAI_BASE_URL"] = f"http://127.0.0.1:{server.port}/v1?version=2&key={CANARY}"
        env = {**server.environment, **more, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", "--model", model, tmp_path / "in.jsonl", "--batch", tmp_path / "dir", "--batch-wait"]
        done = [st(*line, wait, env=env) for wait in ("0", "0.0005")]
        done += [st("st-cache", *words.split(), env=env) for words in ("batch list", "batch status", "list", "export")]
        assert any(CANARY in str(key) for key in server.keys), "it was used"
        assert CANARY not in str(server.bodies), "no question holds it"
    assert way != "in the address" or done[1].status == 0, done[1].err
    assert not [one for one in done if CANARY in one.err or CANARY.encode() in one.out]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]


def doubled(lines: list, number: int) -> list:
    """One line twice with other words, one of no question, one that cannot be read."""
    if number > 1:
        return lines
    other = json.loads(json.dumps(lines[0]).replace("Paper", "Book"))
    return [*lines, other, {**lines[1], "custom_id": "f" * 64}, {"custom_id": 3}]


def first(what: object, name: str, times: int = 1):
    """Trouble with the first requests of a name."""
    return lambda asked, count: what if asked == name and count <= times else None


def fate_of(**kind):
    """What becomes of the first batch."""
    return lambda number, lines: {**kind, "done": len(lines) // 2} if number == 1 else None


# What the server does; and how many lines are paid for beside one a question.
FAULTS = {
    "lines doubled and unknown": ({"spoil": doubled}, 0),
    "a line missing": ({"spoil": lambda lines, number: lines[number == 1 :]}, 1),
    "expired half done": ({"fate": fate_of(ends="expired")}, 0),
    "cancelled half done": ({"fate": fate_of(ends="cancelled")}, 0),
    "too much at once": ({"fate": lambda n, lines: {"fails": "token_limit_exceeded"} if len(lines) > 4 else None}, 0),
    "429 at the upload": ({"trouble": first(429, "POST files")}, 0),
    "500 at the batch": ({"trouble": first(500, "POST batches")}, 0),
    "no answer to the upload": ({"trouble": first("drop", "POST files")}, 0),
    "no answer to the batch": ({"trouble": first("drop", "POST batches")}, 0),
    "looks that fail": ({"trouble": first(503, "GET batches/ID", 2)}, 0),
    "not there at first": ({"trouble": first(404, "GET batches/ID", 2)}, 0),
    "replies cut in the middle": ({"trouble": first("cut", "GET files/ID/content")}, 0),
    "replies not there yet": ({"trouble": first(404, "GET files/ID/content")}, 0),
    "files that stay": ({"trouble": first(500, "DELETE files/ID", 1)}, 0),
    "no name of the upload": ({"trouble": first({"id": None}, "POST files")}, 0),
    "files named late": ({"trouble": first({"output_file_id": None}, "GET batches/ID", 2)}, 0),
    "counts that are none": ({"trouble": first({"request_counts": [1]}, "GET batches/ID", 9)}, 0),
    "a list that is none": ({"trouble": lambda name, count: {"POST batches": "drop", "GET batches": {"data": None}}.get(name) if count == 1 else None}, 0),
    "a list that fails": ({"trouble": lambda name, count: {"POST batches": "drop", "GET batches": 500}.get(name) if count == 1 else None}, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_under_a_fault_nothing_is_lost_and_nothing_asked_twice(name, run, online):
    kind, more = FAULTS[name]
    if name == "a line missing":
        kind = {"spoil": lambda lines, number: lines[1:] if number == 1 else lines}
    with BatchServer(**kind) as server:
        done = run(server)
        assert (done.status, done.out) == (0, online), done.err
        assert sum(server.paid.values()) == N - 1 + more and server.again_after_good == more
        assert server.files == {} and b"Book" not in done.out


@pytest.mark.slow
def test_faults_of_anthropic(run, tmp_path):
    """All at once: no answer to the batch, lines that fail, twice and of no question, half of them expired, and a cut."""
    troubles = {"POST messages/batches": "drop", "GET messages/batches/ID/results": "cut"}
    faults = {"429": 0.2, "500": 0.2, "length": 0.1}
    with BatchServer(
        faults, spoil=doubled, fate=fate_of(ends="expired"),
        trouble=lambda name, count: troubles.get(name) if count == 1 else None,
    ) as server:  # fmt: skip
        done = run(server, "--retries", "6", model=CLAUDE)
        asked = server.requests
        assert server.again_after_good == 0
        server.faults = {}
        env = {**server.environment, "ST_CACHE": str(tmp_path / "online")}
        whole = st("st-facets", "--model", CLAUDE, tmp_path / "in.jsonl", env=env)
    assert (done.status, done.out) == (whole.status, whole.out), done.err
    assert asked > N


def packed(encoding: str) -> web.Response:
    """Spaces of 400 MB, packed to less than one."""
    pack = zlib.compressobj(9, wbits=31) if encoding == "gzip" else zstandard.ZstdCompressor(level=9).compressobj()
    parts = [pack.compress(b" " * 10**6) for _ in range(400)]
    return web.Response(body=b"".join([*parts, pack.flush()]), headers={"Content-Encoding": encoding})


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@pytest.mark.parametrize("at", ["GET batches/ID", "GET files/ID/content", "POST files"])
def test_a_packed_answer_about_batches_takes_no_memory(at, encoding, tmp_path):
    """90 kB packed by zstd, which was not asked for, took 8 GB."""
    (tmp_path / "in.jsonl").write_bytes(papers(3))
    with BatchServer(trouble=lambda asked, _: packed(encoding) if asked == at else None) as server:
        env = environment(**server.environment, ST_CACHE=str(tmp_path / "cache"))
        line = ["st-facets", "--model", GPT, "in.jsonl", "--batch", "dir", "--max-reply", "1", "--max-wait", "1"]
        measured = [sys.executable, "-c", MEASURED, BIN / line[0], *line[1:]]
        done = subprocess.run(measured, capture_output=True, env=env, cwd=tmp_path, timeout=100)
    told = "larger than 1 MB" if encoding == "gzip" else "compressed as zstd, which was not requested"
    assert done.returncode == 4 and told in done.stderr.decode(), done.stderr
    assert int(done.stderr.splitlines()[-1]) < 250_000, "kB"


@pytest.mark.parametrize("model", [GPT, pytest.param(CLAUDE, marks=pytest.mark.slow)])
def test_a_line_of_replies_that_is_too_long_costs_no_other(model, run):
    def longer(lines: list, _: int) -> list:
        return [*lines[:2], {**lines[2], "more": "x" * 3_000_000}, *lines[3:]]

    with BatchServer(spoil=longer) as server:
        done = run(server, "--max-reply", "1", model=model)
        assert set(server.paid.values()) == {1} and len(server.batches) == 1, "the same would come"
    kinds = [record["errors"][0]["kind"] for record in done.records if "errors" in record]
    assert (done.status, kinds) == (1, ["too-large"]) and "larger than 1 MB (--max-reply 1)" in done.err


@pytest.mark.parametrize("line", [b"x" * 10**6, b"\n" * 10**6, b'{"a": 1}\n' * 10**6, None])
def test_a_file_of_replies_without_end_ends(line, tmp_path):
    """In the last case, it comes drop by drop."""

    def respond(request):
        named = request.line.split()[1].removeprefix("/v1/")
        if named == "files/f/content":
            yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            while True:
                time.sleep(0.3 if line is None else 0)
                yield b"%x\r\n%b\r\n" % (len(line or b" "), line or b" ")
        batch = {
            "id": "b",
            "status": "completed",
            "output_file_id": "f",
            "request_counts": {"completed": 2, "failed": 0},
        }
        said = facets(json.loads(request.body)["messages"]) if named.startswith("chat") else ""
        made = completion(said, "stop") if said else {"id": "f", "data": []} if named.startswith("files") else batch
        yield from answer(200, json.dumps(made).encode())

    (tmp_path / "in.jsonl").write_bytes(papers(3))
    with Hostile(respond) as server:
        env = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": server.address, "ST_CACHE": str(tmp_path / "cache")}
        bounds = ("--max-reply", "2", "--timeout", "2", "--max-wait", "1")
        done = st("st-facets", "--model", GPT, "--batch", tmp_path / "dir", *bounds, tmp_path / "in.jsonl", env=env)
    told = {b"x": "larger than 2 MB", None: "no whole answer within 2 s"}.get(line and line[:1], "more than 200 lines")
    assert done.status == 4 and told in done.err, done.err


@pytest.mark.parametrize("faults", [{"500": 0.3}, {"invalid": 0.3, "length": 0.3}], ids=["errors", "words"])
def test_lines_that_fail_are_asked_again_as_online(faults, run, tmp_path):
    with BatchServer(faults) as server:
        done = run(server)
        asked = server.requests
    with Server(faults) as server:
        whole = st(
            "st-facets",
            "--model",
            GPT,
            tmp_path / "in.jsonl",
            env={**server.environment, "ST_CACHE": str(tmp_path / "o")},
        )
        assert (done.status, done.out) == (whole.status, whole.out) and asked <= server.requests + 1


def test_where_all_replies_are_bad_for_ever_it_ends_as_online(run, tmp_path):
    with BatchServer({"invalid": 1.0}, heals=False) as server:
        done = run(server)
        assert len(server.batches) <= 8
        env = {**server.environment, "ST_CACHE": str(tmp_path / "online")}
        whole = st("st-facets", "--model", GPT, tmp_path / "in.jsonl", env=env)
    assert (done.status, done.out) == (1, whole.out) == (whole.status, whole.out)


@pytest.mark.parametrize("ahead", [-7200, 7200])
@pytest.mark.parametrize("model", [GPT, pytest.param(CLAUDE, marks=pytest.mark.slow)])
def test_a_batch_is_found_whatever_the_clock_says(model, ahead, run):
    """The first of several batches got no answer, so that it is not the newest when it is looked for."""
    created = "POST batches" if model == GPT else "POST messages/batches"
    with BatchServer(ahead=ahead, after=2, trouble=first("drop", created)) as server:
        done = run(server, "--part-size", "2", model=model)
        assert done.status == 0 and len(server.batches) == 4, done.err


@pytest.mark.parametrize("status", [403, 409])
def test_a_key_that_may_not_delete_files_gets_its_results(status, run, online):
    with BatchServer(trouble=first(status, "DELETE files/ID", 99)) as server:
        done = run(server)
        assert (done.status, done.out) == (0, online) and server.files
        assert "files are still at the provider" in done.err


@pytest.mark.parametrize("at", ["POST files", "POST batches"])
def test_an_address_without_batches_is_one_line(at, run, online):
    with BatchServer(trouble=first(404, at)) as server:
        done = run(server)
        assert (done.status, done.err.count("\n")) == (4, 1) and "takes no batches" in done.err
        done = run(server)
        assert (done.status, done.out) == (0, online) and len(server.batches) == 1


@pytest.mark.parametrize("at", ["POST files", "POST batches"])
def test_a_key_without_permission_for_an_address_is_told_which(at, run, online):
    """The first question was answered: the key may use the model."""
    with BatchServer(trouble=first(403, at)) as server:
        done = run(server)
        assert done.status == 4 and "no permission for this request: POST http" in done.err
        assert f"/{at.split()[1]}: " in done.err and "model" not in done.err.partition("no permission")[2], done.err
        done = run(server)
        assert (done.status, done.out) == (0, online) and len(server.batches) == 1


@pytest.mark.slow
def test_replies_that_are_counted_and_in_no_file_are_asked_anew_only_by_order(run, online, tmp_path):
    unnamed = {"output_file_id": None}
    with BatchServer(trouble=lambda name, _: unnamed if name == "GET batches/ID" else None) as server:
        lost = run(server)
        assert lost.status == 4 and "st-cache batch cancel batch_1" in lost.err and len(server.batches) == 1
        assert run(server).status == 4 and len(server.batches) == 1
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert st("st-cache", "batch", "cancel", "batch_1", env=env).status == 0
        server.trouble = None
        done = run(server)
        assert (done.status, done.out, len(server.batches)) == (0, online, 2)


@pytest.mark.slow
def test_a_command_that_does_not_wait_takes_the_replies_that_come(run, online):
    """One line is counted by the provider and never comes: no later start waits for it."""
    counts = {"request_counts": {"total": N - 1, "completed": N - 1, "failed": 0}}
    with BatchServer(
        spoil=lambda lines, number: lines[number == 1 :],
        trouble=lambda name, _: counts if name == "GET batches/ID" and len(server.batches) == 1 else None,
    ) as server:
        statuses = [run(server, "--batch-wait", "0").status for _ in range(2)]
        done = run(server, "--batch-wait", "0")
        assert (statuses, done.status, done.out) == ([5, 5], 0, online) and len(server.batches) == 2


@pytest.mark.slow
def test_a_command_that_does_not_wait_ends_where_its_batch_is_gone(run):
    with BatchServer(trouble=lambda name, _: 404 if name == "GET batches/ID" else None) as server:
        assert run(server, "--batch-wait", "0").status == 5
        lost = run(server, "--batch-wait", "0")
        assert lost.status == 4 and "st-cache batch cancel batch_1" in lost.err and len(server.batches) == 1


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [doubled, lambda lines, number: lines[number == 1 :]], ids=["doubled", "lost"])
def test_what_a_batch_has_cost_is_what_its_questions_have(spoil, run, tmp_path):
    """Not the line that came twice, nor one of another's question; of a line that is lost, nobody knows."""
    with BatchServer(spoil=spoil) as server:
        done = run(server, "--max-tokens", "100", "--max-cost", "1")
        assert done.status == 0, done.err
        parts = st("st-cache", "batch", "list", env={"ST_CACHE": str(tmp_path / "cache")}).records
    lines, cost, reserved = parts[0]["lines"], parts[0]["batch"]["cost"], parts[0]["batch"]["reserved"]
    each = budget.price_of(GPT, in_batch=True).of(100, 50)
    assert len(parts) == 1 + (spoil is not doubled) and lines == N - 1
    assert cost == (pytest.approx(lines * each) if spoil is doubled else None) and reserved > lines * each


def test_only_too_many_questions_are_halved(run):
    with BatchServer(fate=lambda number, _: {"fails": "invalid_json_line"} if number == 1 else None) as server:
        assert run(server).status == 4
        assert run(server).status == 0 and len(server.batches) == 2


def test_replies_are_fetched_beside_no_command_that_sends(run, tmp_path):
    """What a command has written down and not sent yet would be sent twice."""
    with BatchServer(
        after=99, trouble=lambda name, count: 503 if name == "POST files" and count > 1 else None
    ) as server:
        assert run(server, "--part-size", "4", "--batch-wait", "0").status == 5
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        server.after, server.trouble = 1, None
        lock = lock_folder(str(tmp_path / "dir"))
        assert lock is not None
        beside = st("st-cache", "batch", "collect", env=env)
        assert "a running command uses this folder" in beside.err and not any(
            part["has_replies"] for part in beside.records
        )
        os.close(lock)
        assert [part["has_replies"] for part in st("st-cache", "batch", "collect", env=env).records] == [True, False]
        assert len(server.batches) == 1 and len(server.files) == 0
        (tmp_path / "dir").rename(tmp_path / "elsewhere")
        assert st("st-cache", "batch", "collect", env=env).status == 0
        (tmp_path / "elsewhere").rename(tmp_path / "dir")
        assert run(server).status == 0 and len(server.batches) == 2 and max(server.paid.values()) == 1


KILLED_AT = ["POST files", "POST batches", "GET batches/ID", "GET files/ID/content", "DELETE files/ID"]


@pytest.mark.slow
@pytest.mark.parametrize("at", KILLED_AT)
def test_a_run_that_is_killed_finds_its_batch_again(at, run, online, tmp_path):
    """Killed after the provider has done something and before it has said so."""
    process: list[subprocess.Popen] = []

    def kill() -> bool:
        process[0].kill()
        process[0].wait()
        return True

    with BatchServer(trouble=lambda name, count: kill if (name, count) == (at, 1) else None) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", "--model", GPT, tmp_path / "in.jsonl", "--batch", tmp_path / "dir"]
        process.append(subprocess.Popen([BIN / line[0], *line[1:]], env=environment(**env), stderr=subprocess.DEVNULL))
        assert process[0].wait(60) == -9
        done = run(server)
        assert (done.status, done.out) == (0, online), done.err
        assert sum(server.paid.values()) == N - 1 and len(server.batches) == 1 and server.files == {}


@pytest.mark.slow
@pytest.mark.parametrize("model", [GPT, CLAUDE])
def test_killed_at_random_nothing_is_sent_twice(model, run, tmp_path):
    draw = random.Random(3)
    with BatchServer(after=2) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", "--model", model, tmp_path / "in.jsonl", "--batch", tmp_path / "dir", "--part-size", "3"]
        begun = time.monotonic()
        whole = st(*line[:4], env={**env, "ST_CACHE": str(tmp_path / "online")})
        longest = 1.5 * (time.monotonic() - begun) + 1
        server.asked.clear()
        for _ in range(20 if model == GPT else 4):
            process = subprocess.Popen(
                [BIN / line[0], *line[1:]], env=environment(**env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            try:
                assert process.wait(draw.uniform(0.3, longest)) == 0
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        done = run(server, "--part-size", "3", model=model)
        assert (done.status, done.out) == (0, whole.out), done.err
        assert max(server.paid.values()) == 1 and sum(server.paid.values()) <= N


def test_what_is_left_goes_on_later(run, online, tmp_path):
    with BatchServer(after=3) as server:
        for _ in range(2):
            done = run(server, "--batch-wait", "0")
            assert done.status == 5 and done.out == b"" and "sent as batch_1" in done.err, done.err
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert st("st-cache", "batch", "collect", env=env).records[0]["has_replies"]
        done = run(server, "--batch-wait", "0")
        assert (done.status, done.out) == (0, online) and len(server.batches) == 1
        [part] = st("st-cache", "batch", "list", env=env).records
        assert part["batch"]["remote"] == "batch_1" and part["batch"]["told"] == "completed"


def test_a_batch_that_is_cancelled_keeps_what_was_done(run, online, tmp_path):
    with BatchServer(after=99) as server:
        assert run(server, "--batch-wait", "0").status == 5
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert st("st-cache", "batch", "cancel", "batch_9", env=env).status == 2
        assert st("st-cache", "batch", "cancel", "batch_1", env=env).status == 0
        server.after = 1
        done = run(server)
        assert (done.status, done.out) == (0, online) and len(server.batches) == 2
        assert sum(server.paid.values()) == N - 1


@pytest.mark.slow
def test_a_batch_that_the_provider_does_not_know_is_asked_anew_only_by_order(run, online, tmp_path):
    with BatchServer(after=99) as server:
        assert run(server, "--batch-wait", "0").status == 5
        server.batches.clear()
        lost = run(server)
        assert lost.status == 4 and "st-cache batch cancel batch_1" in lost.err
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert st("st-cache", "batch", "cancel", "batch_1", env=env).status == 0
        server.after = 1
        done = run(server)
        assert (done.status, done.out) == (0, online) and sum(server.paid.values()) == N - 1


@pytest.mark.parametrize("wrong", ["key", "format", "batch"])
def test_what_would_be_refused_tomorrow_is_refused_at_once(wrong, run, online):
    """Nothing is sent where the first question shows that all would fail."""

    def refuse(body, _):
        if wrong == "key":
            return 401, {"error": {"message": "bad key"}}, {}
        if wrong == "format" and body.get("response_format", {}).get("type") == "json_schema":
            return 400, {"error": {"message": "response_format: json_schema is not supported"}}, {}
        return None

    fate = (lambda *_: {"fails": "invalid_json_line"}) if wrong == "batch" else None
    with BatchServer(respond=refuse, fate=fate) as server:
        done = run(server)
        if wrong == "format":
            assert done.status == 0 and server.requests == N + 1 and sum(server.paid.values()) == N - 1
            return
        assert done.status == 4 and done.out == b""
        assert len(server.batches) == (wrong == "batch") and server.requests == 1


def least(n_lines: int) -> float:
    """What so many questions may cost at most, in a batch."""
    price = budget.price_of(GPT, in_batch=True)
    assert price is not None and price.prompt < budget.price_of(GPT).prompt
    return n_lines * price.completion * 100


def test_money_is_set_aside_at_the_price_of_batches(run, online, tmp_path):
    """Also for what is on its way from an earlier start."""
    with BatchServer(after=99) as server:
        limits = ("--max-tokens", "100", "--batch-wait", "0", "--max-cost")
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        assert run(server, *limits, "0.00001").status == 4 and not server.batches
        assert run(server, *limits, "0.0012").status == 5
        [part] = st("st-cache", "batch", "list", env=env).records
        assert 0 < part["lines"] < N - 1 and least(part["lines"]) < part["batch"]["reserved"] < 0.0012
        for _ in range(2):
            assert run(server, *limits, "0.0012").status == 5, "an earlier start holds it"
            held = [part["batch"]["reserved"] for part in st("st-cache", "batch", "list", env=env).records]
            assert sum(held) + budget.price_of(GPT).of(100, 50) <= 0.0012 and len(held) <= 2
        server.after = 1
        done = run(server, *limits[:2], "--max-cost", "0.0012")
        parts = st("st-cache", "batch", "list", env=env).records
        price = budget.price_of(GPT, in_batch=True)
        for part in parts:
            assert part["batch"]["cost"] == pytest.approx(part["lines"] * price.of(100, 50))
        spent = sum(part["batch"]["cost"] for part in parts) + budget.price_of(GPT).of(100, 50)
        assert spent < 0.0012 and (done.status == 0 or "--max-cost" in done.err)
        kept = [entry["cost"] for entry in st("st-cache", "list", env=env).records]
        assert sorted(kept)[0] == pytest.approx(price.of(100, 50)) and sum(kept) == pytest.approx(spent)


def test_the_share_that_batches_cost_is_the_table_s(run, tmp_path):
    """.8 of the full price at xAI; other shares of what is sent and what is replied for a model that OpenAI answers."""
    shares = []
    for name in ("xai/grok-4.3", model := "openai/ft:gpt-4o-2024-08-06"):
        full, price = budget.price_of(name), budget.price_of(name, in_batch=True)
        shares.append((price.prompt / full.prompt, price.completion / full.completion))
    assert shares[0] == pytest.approx((0.8, 0.8))
    sent, replied = shares[1]
    assert 0.5 < sent < replied < 1
    prompts = []
    for name in (GPT, model):
        with BatchServer(after=99) as server:
            env = {**server.environment, "ST_CACHE": str(tmp_path / name)}
            limits = ("--max-tokens", "100", "--batch-wait", "0", "--max-cost", "1", "--batch", tmp_path / name / "dir")
            limits += ("--response-format", "text")
            done = st("st-facets", "--model", name, tmp_path / "in.jsonl", *limits, env=env)
            assert done.status == 5, done.err
            [part] = st("st-cache", "batch", "list", env=env).records
            price = budget.price_of(name, in_batch=True)
            prompts.append((part["batch"]["reserved"] / part["lines"] - 100 * price.completion) / price.prompt)
    longer = len(model) - len(GPT)  # a byte of its name counts as one that is sent
    assert prompts[0] + longer == pytest.approx(prompts[1]), "as many tokens are set aside, each at its own price"


def test_the_price_of_long_prompts_is_not_that_of_many(run):
    """Above 272,000 tokens a prompt costs twice as much; 200 short ones do not."""
    model = "openai/gpt-5.5"
    assert budget.price_of(model, in_batch=True).tiers
    settings = Settings(model=model, batch="x", max_tokens=100)
    counts = Counts()
    forecast = Forecast(counts, Spending(settings, counts, print))
    request = {"model": model, "messages": [{"role": "user", "content": "word " * 3000}], "parameters": {}}
    for number in range(400):
        forecast.add({b"%d" % number}, "p", request)
    told = forecast.describe(model)["dry_run"]["batch"]
    price = budget.price_of(model, in_batch=True)
    assert told["prompt_usd"] == pytest.approx(counts.prompt_tokens * price.prompt) and counts.prompt_tokens > 272_000
    assert told["bound_usd"] < 1.01 * (counts.bound_prompt_tokens * price.prompt + 400 * 100 * price.completion)


@pytest.mark.slow
def test_what_replies_have_left_of_a_limit_is_spent_in_the_same_start(run, tmp_path):
    """Two questions of seven fit at first: the maximum cost of a part is free once it is known what it has cost."""
    with BatchServer() as server:
        done = run(server, "--max-tokens", "200", "--max-cost", "0.0006", "--part-size", "2")
        assert done.status == 0 and len(server.batches) >= 3, done.err


@pytest.mark.slow
def test_calls_are_counted_over_all_starts(run, tmp_path):
    with BatchServer() as server:
        done = run(server, "--max-calls", "5")
        assert done.status == 4 and "--max-calls" in done.err and server.requests == 5
        done = run(server, "--max-calls", "5")
        assert done.status == 4 and server.requests == 5
        assert run(server, "--max-calls", str(N)).status == 0 and server.requests == N


def test_a_dry_run_says_what_batches_cost(run):
    with BatchServer() as server:
        done = run(server, "--dry-run", "--max-tokens", "100", "--part-size", "3")
        assert done.status == 0 and server.requests == 0 and not server.seen
        told = done.records[0]["dry_run"]
        assert told["to_send"] == N and told["batch"]["parts"] == 3
        assert told["batch"]["bound_usd"] == pytest.approx(told["bound"]["usd"] / 2, rel=0.01)


def test_wrong_uses_of_batches(run, tmp_path):
    with BatchServer() as server:
        for more, words in {
            ("--batch-file", tmp_path): "--batch-file", ("--budget", "x", "--max-cost", "1"): "--budget",
            ("--replay",): "--replay", ("--no-cache",): "--no-cache", ("--refresh",): "--refresh",
        }.items():  # fmt: skip
            done = run(server, *more)
            assert done.status == 2 and words in done.err
        assert "anthropic/NAME" in run(server, model="ollama/x").err
        assert not server.seen


@pytest.mark.slow
def test_an_interrupt_leaves_the_batch(run, online, tmp_path):
    with BatchServer(after=99) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = [BIN / "st-facets", "--model", GPT, tmp_path / "in.jsonl", "--batch", tmp_path / "dir"]
        process = subprocess.Popen(line, env=environment(**env), stderr=subprocess.PIPE, text=True)
        while not server.seen["GET batches/ID"]:
            time.sleep(0.1)
        process.send_signal(2)
        _, told = process.communicate(timeout=30)
        assert process.returncode == 130 and "batch_1" in told.splitlines()[-2]
        server.after = 1
        assert run(server).out == online and len(server.batches) == 1


@pytest.mark.parametrize(
    ("first", "scheme", "model"),
    [
        ("refused", "http", GPT),
        ("refused", "https", GPT),
        ("answered", "http", GPT),  # through a tunnel, a proxy does not see what is asked
        pytest.param("refused", "http", CLAUDE, marks=pytest.mark.slow),
        pytest.param("refused", "https", CLAUDE, marks=pytest.mark.slow),
    ],
)
def test_a_proxy_that_refuses_a_batch_is_named_and_its_password_is_not(tmp_path, first, scheme, model):
    """A refused CONNECT and 407, also where the question that is asked at once is answered: no batch is noted as sent."""
    (tmp_path / "in.jsonl").write_bytes(papers(3))

    def respond(request, status: int):
        if first == "answered" and "/chat/completions" in request.line:
            said = facets(json.loads(request.body)["messages"])
            return answer(200, json.dumps(completion(said, "stop")).encode())
        return answer(status, b"<html>no</html>")

    for status in (403, 407):
        with Hostile(lambda request, status=status: respond(request, status)) as proxy:
            env = {
                "OPENAI_BASE_URL": f"{scheme}://model.example/v1", "OPENAI_API_KEY": "sk-canary",
                "ANTHROPIC_API_BASE": f"{scheme}://model.example", "ANTHROPIC_API_KEY": "sk-canary",
                f"{scheme}_proxy": f"me:pass-phrase@127.0.0.1:{proxy.port}", "no_proxy": "10.0.0.0/8", "NO_PROXY": "",
                "ST_CACHE": str(tmp_path / f"cache{status}"),
            }  # fmt: skip
            line = ["--batch", tmp_path / f"dir{status}", "--retries", "0", "--max-wait", "1"]
            done = st("st-facets", "--model", model, tmp_path / "in.jsonl", *line, env=env)
        told = next((text for text in done.err.splitlines() if "the proxy" in text), "")
        assert f"the proxy http://127.0.0.1:{proxy.port} ({scheme}_proxy)" in told, done.err
        assert "NO_PROXY=model.example goes around it" in told
        assert done.status == 4 and (str(status) in told or status == 403), done.err
        for secret in ("pass-phrase", "me:", "canary"):
            assert secret not in done.err and secret.encode() not in done.out
        assert proxy.seen and all(one.headers["proxy-authorization"].startswith("Basic ") for one in proxy.seen)
        assert first == "refused" or any("/files" in one.line for one in proxy.seen)
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and b"pass-phrase" in path.read_bytes()]
    assert kept == []


@pytest.mark.parametrize("way", ["502", "200", "silent", "pause"])
def test_a_run_of_batches_ends_where_nothing_is_answered_for_as_long_as_it_may_wait(tmp_path, way):
    """It went on for the 24 hours of --batch-wait, though no request for a batch was answered."""
    (tmp_path / "in.jsonl").write_bytes(papers(3))

    def respond(request):
        if "/chat/completions" in request.line:  # the question that is asked at once
            said = facets(json.loads(request.body)["messages"])
            return answer(200, json.dumps(completion(said, "stop")).encode())
        if way == "silent":
            return []
        if way == "pause":
            return answer(503, b"no", Retry_After="7200")
        return answer(int(way), b"<html>no</html>")

    with Hostile(respond) as server:
        env = {"OPENAI_BASE_URL": server.address, "OPENAI_API_KEY": "sk-canary", "ST_CACHE": str(tmp_path / "cache")}
        line = ["--model", GPT, tmp_path / "in.jsonl", "--batch", tmp_path / "dir", "--retries", "0"]
        wait = "600" if way == "pause" else "0.7"
        done = st("st-facets", *line, "--max-wait", wait, env=env)
    assert done.status == 4 and f"longer than --max-wait {wait}" in done.err and not done.out, done.err
    assert ("asks for a pause until" if way == "pause" else "has refused every call for") in done.err


@pytest.mark.slow
def test_an_outage_that_ends_in_time_ends_no_run_of_batches(tmp_path):
    """The first five looks fail, which take longer than the run may wait in all, but not one after the other."""
    (tmp_path / "in.jsonl").write_bytes(papers(3))
    with BatchServer(trouble=lambda name, n: 502 if "GET batches/ID" in name and n % 2 else None, after=3) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["--model", GPT, tmp_path / "in.jsonl", "--batch", tmp_path / "dir"]
        done = st("st-facets", *line, "--max-wait", "2.9", env=env)
    assert done.status == 0 and len(done.records) == 3 and server.seen["GET batches/ID"] >= 5, done.err
