"""Questions in files, answered by a stand-in for `vllm run-batch`: what comes out is what the online run gives."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from support.failed_runs import CASES, QUICK
from support.model_runs import MODEL, papers
from support.run import BIN, environment, jsonl, st
from support.run_batch import run_batch
from support.schema_replies import Drawing
from support.server import Server, completion, disturbed, fenced
from support.server import facets as drawn_facets

from scholartools.cache import Cache, cache_place
from scholartools.errors import UsageFault
from scholartools.llm.batch import offline
from scholartools.llm.parking import Parked
from scholartools.llm.settings import Settings
from scholartools.pipeline import ask
from scholartools.tasks import facets


def waiting(folder: Path) -> list[Path]:
    """The parts that have no replies yet."""
    parts = [path for path in sorted(folder.glob("part-*.jsonl")) if ".out" not in path.name]
    return [path for path in parts if not reply_path(path).exists()]


def reply_path(part: Path) -> Path:
    return part.with_name(part.name.replace(".jsonl", ".out.jsonl"))


def in_waves(server: Server, line: list, env: dict, folder: Path, *, spoil=None, most: int = 12):
    """Run a command again and again until it waits for nothing; its result, and the number of passes."""
    for n_passes in range(1, most + 1):
        result = st(*line, "--batch-file", folder, env=env)
        if result.status != 5:
            return result, n_passes
        assert result.out == b"" and "run the same command again" in result.err
        parts = waiting(folder)
        assert parts and str(reply_path(parts[-1])) in result.err
        for part in parts:
            run_batch(str(part), str(reply_path(part)), f"http://127.0.0.1:{server.port}/v1")
            if spoil is not None:
                spoil(reply_path(part), n_passes)
    raise AssertionError(f"it still waits after {most} passes: {result.err}")


def questions(server: Server) -> set[str]:
    """What a server was asked, whatever came of it."""
    return {json.dumps(body, sort_keys=True) for body in server.bodies}


def compare(
    tmp_path: Path, line: list, *, status: int | None = 0, spoil=None, more: tuple = (), **kind
) -> tuple[int, list]:
    """Online and in files: the same bytes, the same questions; the number of passes, and of what both servers got."""
    with Server(**kind) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "online")}
        online = st(*line, env=env)
        asked, n_online = questions(server), server.requests
    assert online.status == status or status is None, online.err
    status = online.status
    with Server(**kind) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "files")}
        made, n_passes = in_waves(server, [*line, *more], env, tmp_path / "dir", spoil=spoil)
        assert made.status == status and made.out == online.out, made.err
        assert questions(server) == asked
        n_files = server.requests
        again = st(*line, "--replay", env=env)
        assert (again.status, again.out) == (status, online.out)
    return n_passes, [n_online, n_files]


@pytest.fixture
def twelve(tmp_path) -> Path:
    (tmp_path / "in.jsonl").write_bytes(papers(12))
    return tmp_path / "in.jsonl"


def test_facets_in_files_are_those_of_an_online_run(twelve, tmp_path):
    assert compare(tmp_path, ["st-facets", *MODEL, twelve]) == (2, [12, 12])
    states = st("st-cache", "batch", "list", env={"ST_CACHE": str(tmp_path / "files")}).records
    assert [(state["state"], state["lines"], state["answered"]) for state in states] == [("done", 12, 12)]
    [run] = st("st-cache", "batch", "status", env={"ST_CACHE": str(tmp_path / "files")}).records
    assert (run["state"], run["parts"], run["waiting"]) == ("done", 1, 0)


@pytest.mark.parametrize("name", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in CASES])
def test_every_command_gives_in_files_what_it_gives_online(name, tmp_path):
    """Whatever it asks after other questions, and where replies cannot be used, for once or at all: nothing is asked of
    assumed replies."""
    record = CASES[name].make()
    record = {key: value for key, value in record.items() if key not in ("judgements",)}
    (tmp_path / "in.jsonl").write_bytes(jsonl(record, {**record, "id": "another"}))
    line = [*CASES[name].line.split(), *MODEL, tmp_path / "in.jsonl"]
    late = 0.3 if name != "eqsynth questions" else 0.0  # its samples are one prompt: which is the first is chance
    n_passes, counts = compare(tmp_path, line, status=None, respond=Drawing(5, 0.1, late))
    assert n_passes >= 2 and counts[0] == counts[1]


LONGER = {
    "generate weaknesses": "--reflect 2 --ensemble 2 --temperature 1",
    "judge rate": "--samples 3 --temperature 1 --method geval --method direct",
    "generate experiments": "--samples 2 --temperature 1",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONGER)
def test_steps_and_samples_in_files(name, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(jsonl(CASES[name].make()))
    line = [*CASES[name].line.split(), *LONGER[name].split(), *MODEL, tmp_path / "in.jsonl"]
    n_passes, counts = compare(tmp_path, line, status=None, respond=Drawing(5, 0.1))
    assert n_passes >= (4 if "weaknesses" in name else 2) and counts[0] == counts[1]


def test_bad_first_replies_take_one_more_pass(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(papers(60))
    n_passes, counts = compare(
        tmp_path, ["st-facets", *MODEL, tmp_path / "in.jsonl"], status=None, faults={"invalid": 0.1}
    )
    assert n_passes == 3 and counts[0] == counts[1] > 60


def test_where_every_reply_is_bad_it_ends_as_online(twelve, tmp_path):
    """Each paper in its own way; an online run whose server always fails would end early."""

    def respond(body, _):
        fault = ["invalid", "empty", "length", "refusal", "500"][int(fenced(body["messages"]).split()[1]) % 5]
        if fault == "500":
            return 500, {"error": {"message": "broken"}}, {}
        made = completion(*disturbed(fault, drawn_facets(body["messages"])))
        if fault == "refusal":
            made["choices"][0]["message"] |= {"content": None, "refusal": "No."}
        return 200, made, {}

    twelve.write_bytes(papers(10))
    line = ["st-facets", *MODEL, "--retries", "2", twelve]
    n_passes, counts = compare(tmp_path, line, status=1, respond=respond)
    assert n_passes <= 8 and counts[0] == counts[1]


@pytest.mark.slow
def test_every_fault_in_files_and_online(tmp_path):
    """Broken servers, too many calls, cut bodies, words around the JSON: in parts of 30 lines."""
    (tmp_path / "in.jsonl").write_bytes(papers(120))
    faults = {name: 0.05 for name in ("429", "500", "fence", "prose", "invalid", "empty", "length", "refusal")}
    line = ["st-facets", *MODEL, tmp_path / "in.jsonl"]
    n_passes, counts = compare(tmp_path, line, status=None, more=("--part-size", "30"), faults=faults)
    assert counts[0] == counts[1] and n_passes > 3
    parts = [path for path in (tmp_path / "dir").glob("part-*.jsonl") if ".out" not in path.name]
    assert max(len(part.read_bytes().splitlines()) for part in parts) == 30
    env = {"ST_CACHE": str(tmp_path / "files")}
    kept = [entry for entry in st("st-cache", "list", "--unusable", env=env).records]
    online = st("st-cache", "list", "--unusable", env={"ST_CACHE": str(tmp_path / "online")}).records
    assert sorted(one["key"] for one in kept) == sorted(one["key"] for one in online), "each is kept once"


def cut_last(path: Path, _: int) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])


def spoil_first(path: Path, n_passes: int) -> None:
    """Lines that are missing, doubled with other words, of no question, of no sense."""
    if n_passes > 1:
        return
    lines = path.read_bytes().splitlines(keepends=True)
    other = lines[3].replace(b"Paper", b"Book")
    unknown = lines[4].replace(json.loads(lines[4])["custom_id"].encode(), b"f" * 64)
    odd = [b"\n", b"[]\n", b'{"custom_id": 3}\n', b'{"custom_id": "x"}\n', b"\xff\n", b"[" * 100_000 + b"\n"]
    expired = {"custom_id": json.loads(lines[5])["custom_id"], "response": None, "error": {"code": "batch_expired"}}
    path.write_bytes(
        b"".join([*lines[:2], *odd, *lines[3:5], unknown, other, json.dumps(expired).encode(), b"\n", *lines[6:]])
    )


def test_the_line_that_was_cut_goes_into_the_next_part(twelve, tmp_path):
    with Server() as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", *MODEL, twelve]
        online = st(*line, "--no-cache", env=env)
        made, n_passes = in_waves(
            server, line, env, tmp_path / "dir", spoil=lambda path, n: n == 1 and cut_last(path, n)
        )
        assert n_passes == 3 and made.out == online.out
        assert [len(part.read_bytes().splitlines()) for part in sorted((tmp_path / "dir").glob("part-000?.jsonl"))] == [
            12,
            1,
        ]
        assert server.requests == 12 + 13


def test_odd_lines_answer_nothing(twelve, tmp_path):
    with Server() as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", *MODEL, twelve]
        online = st(*line, "--no-cache", env=env)
        made, n_passes = in_waves(server, line, env, tmp_path / "dir", spoil=spoil_first)
        assert n_passes == 3 and made.out == online.out and b"Book" not in made.out
        assert server.requests == 12 + 12 + 2, "the one that is missing, and the one that was not done"
    first = st("st-cache", "batch", "list", env=env).records[0]
    assert (first["answered"], first["doubled"], first["unknown"]) == (11, 1, 6)


HOSTILE = ["nul \0 byte.", "half \ud83d pair.", "\u202e turned.", "a" * 1_000_000 + ".", 'quote " \\ and \u2028.']


@pytest.mark.slow
def test_hostile_texts_in_files(place, tmp_path):
    records = [{"id": f"p{n}", "abstract": f"We ask. {text} It works. More."} for n, text in enumerate(HOSTILE)]
    (tmp_path / "in.jsonl").write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in records))
    line = ["st-facets", *MODEL, tmp_path / "in.jsonl"]
    with Server() as server:
        online = st(*line, env={**server.environment, "ST_CACHE": str(tmp_path / "online")})
        made, _ = in_waves(server, line, {**server.environment, "ST_CACHE": place}, tmp_path / "dir")
    assert (made.status, made.out) == (online.status, online.out)
    said = []
    for named in (place, str(tmp_path / "online")):
        with Cache.open(cache_place(named)) as cache:
            said.append([(entry.key, entry.request, entry.reply.text) for entry in cache.entries()])
    assert said[0] == said[1] and len(said[0]) == len(HOSTILE) - 1, "half a pair is refused as it is read"


def test_no_key_is_in_any_file(twelve, tmp_path):
    with Server() as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        in_waves(server, ["st-facets", *MODEL, twelve], env, tmp_path / "dir")
    found = [path for path in tmp_path.rglob("*") if path.is_file() and b"sk-canary" in path.read_bytes()]
    assert found == []


@pytest.mark.slow
def test_a_run_that_is_killed_at_random_asks_nothing_twice(place, tmp_path):
    (tmp_path / "in.jsonl").write_bytes(papers(200))
    draw, folder = random.Random(1), tmp_path / "dir"
    with Server() as server:
        env = {**server.environment, "ST_CACHE": place}
        line = ["st-facets", *MODEL, tmp_path / "in.jsonl"]
        for _ in range(10):  # of each kind of cache
            process = subprocess.Popen(
                [BIN / line[0], *line[1:], "--batch-file", folder, "--part-size", "75"], env=environment(**env),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            try:
                process.wait(draw.uniform(0.2, 1.6))
            except subprocess.TimeoutExpired:
                process.kill()
            assert process.wait() in (-9, 5, 0)
            if draw.random() < 0.3:
                for part in waiting(folder):
                    run_batch(str(part), str(reply_path(part)), f"http://127.0.0.1:{server.port}/v1")
        made, _ = in_waves(server, line, env, folder)
        assert server.requests == 200 and server.again_after_good == 0
        online = st(*line, env={**server.environment, "ST_CACHE": str(tmp_path / "online")})
    assert made.status == 0 and made.out == online.out
    assert not list(folder.glob("*.part"))


@pytest.mark.slow
def test_two_runs_of_one_cache_ask_each_question_once(place, twelve, tmp_path):
    with Server() as server:
        env = {**server.environment, "ST_CACHE": place}
        line = ["st-facets", *MODEL, twelve]
        assert st(*line, "--batch-file", tmp_path / "one", env=env).status == 5
        other = st(*line, "--batch-file", tmp_path / "two", env=env)
        assert other.status == 5 and f"12 questions in files of another run, in {tmp_path / 'one'}" in other.err
        assert waiting(tmp_path / "two") == []
        first, _ = in_waves(server, line, env, tmp_path / "one")
        second = st(*line, "--batch-file", tmp_path / "two", env=env)
        assert (first.status, second.status, server.requests) == (0, 0, 12) and first.out == second.out
        waits = ["st-facets", *MODEL, "--cache-namespace", "n", twelve, "--batch-file"]
        assert st(*waits, tmp_path / "one", env=env).status == 5
        for part in waiting(tmp_path / "one"):
            part.unlink()
        assert st(*waits, tmp_path / "two", env=env).status == 5 and len(waiting(tmp_path / "two")) == 1
        gone = st(*waits, tmp_path / "one", env=env)
        assert "its questions are asked again" in gone.err and "in files of another run" in gone.err


def test_a_model_that_the_server_does_not_have_ends_the_run_and_the_next_asks_again(twelve, tmp_path):
    missing = (404, {"error": {"message": "The model `mock` does not exist.", "code": 404}}, {})
    with Server(respond=lambda _, time: missing if time == 1 else None) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", *MODEL, twelve, "--batch-file", tmp_path / "dir"]
        assert st(*line, env=env).status == 5
        [part] = waiting(tmp_path / "dir")
        run_batch(str(part), str(reply_path(part)), f"http://127.0.0.1:{server.port}/v1")
        ended = st(*line, env=env)
        assert ended.status == 4 and "no such model" in ended.err and "run again" in ended.err
        made, n_passes = in_waves(server, line[:-2], env, tmp_path / "dir")
        assert made.status == 0 and n_passes == 2


def test_a_format_that_the_server_refuses_is_left(twelve, tmp_path):
    def refuse(body, _):
        if body.get("response_format", {}).get("type") == "json_schema":
            return 400, {"error": {"message": "response_format: json_schema is not supported"}}, {}
        return None

    with Server(respond=refuse) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        made, n_passes = in_waves(server, ["st-facets", *MODEL, twelve], env, tmp_path / "dir")
        assert made.status == 0 and n_passes == 3 and server.requests == 24
        online = st("st-facets", *MODEL, twelve, env={**env, "ST_CACHE": str(tmp_path / "online")})
    assert made.out == online.out


def test_a_run_that_is_over_is_begun_anew(twelve, tmp_path):
    """What failed is asked again by the next run in the folder, as the next online run does."""
    with Server({"500": 1.0}, heals=False) as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", *MODEL, "--retries", "0", twelve]
        made, n_passes = in_waves(server, line, env, tmp_path / "dir")
        assert (made.status, n_passes, server.requests) == (1, 2, 12)
        server.faults = {}
        made, n_passes = in_waves(server, line, env, tmp_path / "dir")
        assert (made.status, n_passes, server.requests) == (0, 2, 24)


def test_the_output_of_before_stays_until_all_is_answered(twelve, tmp_path):
    (out := tmp_path / "out.jsonl").write_text("before")
    with Server() as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", *MODEL, twelve, "--output", out]
        assert st(*line, "--batch-file", tmp_path / "dir", env=env).status == 5
        assert out.read_text() == "before" and not (tmp_path / "out.jsonl.part").exists()
        made, _ = in_waves(server, line, env, tmp_path / "dir")
        assert made.status == 0 and len(out.read_bytes().splitlines()) == 12


def test_wrong_uses_of_files(twelve, tmp_path):
    env = {"ST_CACHE": str(tmp_path / "cache"), "OPENAI_API_KEY": "sk-canary"}
    files = ("--batch-file", tmp_path / "dir")
    for more, words in {
        ("--max-cost", "1"): "--max-cost", ("--max-calls", "1"): "--max-calls", ("--replay",): "--replay",
        ("--no-cache",): "--no-cache", ("--refresh",): "--refresh",
    }.items():  # fmt: skip
        result = st("st-facets", *MODEL, *files, *more, twelve, env=env)
        assert result.status == 2 and words in result.err
    for line, words in {
        ("st-facets", *MODEL, *files): "not standard input",
        ("st-facets", *files, str(twelve)): "needs --model",
        ("st-facets", *MODEL, "--part-size", "3", str(twelve)): "needs --batch or --batch-file",
        ("st-facets", "--model", "ollama/x", *files, str(twelve)): "openai/NAME or hosted_vllm/NAME",
        ("st-facets", *MODEL, "--batch-file", f"{twelve}/x", str(twelve)): "Not a directory",
    }.items():
        result = st(*line, input=papers(1), env=env)
        assert result.status == 2 and words in result.err, result.err
    assert st("st-cache", "batch", "list", env=env).out == b""
    env["OPENAI_BASE_URL"] = "http://127.0.0.1:1/v1"
    dry = st("st-facets", *MODEL, "--batch-file", tmp_path / "dry", "--dry-run", twelve, env=env)
    assert dry.status == 0 and dry.records[0]["dry_run"]["to_send"] == 12 and not (tmp_path / "dry").exists()
    assert st("st-cache", "batch", "next", env=env).status == 2


def test_a_folder_is_one_run_s_at_a_time(twelve, tmp_path):
    (tmp_path / "dir").mkdir()
    held = os.open(tmp_path / "dir", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    env = {"ST_CACHE": str(tmp_path / "cache"), "OPENAI_API_KEY": "sk-canary"}
    result = st("st-facets", *MODEL, "--batch-file", tmp_path / "dir", twelve, env=env)
    os.close(held)
    assert result.status == 2 and "another run uses the folder" in result.err


def test_a_part_is_no_larger_than_providers_take(twelve, tmp_path, monkeypatch):
    monkeypatch.setattr(offline, "_LARGEST", 3000)
    files = offline.Offline(
        Settings("openai/mock", batch_file=str(tmp_path / "dir")), cache_place(str(tmp_path / "cache")), print
    )

    async def park() -> None:
        for number in range(20):
            request = {"model": "openai/mock", "messages": [{"role": "user", "content": "x" * 700}], "parameters": {}}
            with pytest.raises(Parked):
                await files.send({**request, "sample": number}, 1.0)

    asyncio.run(park())
    parts = files.finish()
    files.end()
    sizes = [part.path.stat().st_size for part in parts]
    assert sum(part.lines for part in parts) == 20 and len(parts) > 5 and max(sizes) <= 3000


def test_a_program_is_told_that_files_are_for_commands(tmp_path):
    with pytest.raises(UsageFault, match="only a command"):
        ask([{"id": "a"}], facets.ask, Settings("openai/mock", batch_file=str(tmp_path)))


@pytest.mark.parametrize("at", [1, 7, 13])
def test_on_error_stop_in_files(at, tmp_path):
    """A record that cannot be asked about, before and behind those that wait."""
    lines = papers(12).splitlines(keepends=True)
    (tmp_path / "in.jsonl").write_bytes(b"".join([*lines[: at - 1], b"no JSON\n", *lines[at - 1 :]]))
    with Server() as server:
        env = {**server.environment, "ST_CACHE": str(tmp_path / "cache")}
        line = ["st-facets", *MODEL, "--on-error", "stop", tmp_path / "in.jsonl", "--output", tmp_path / "out.jsonl"]
        made, n_passes = in_waves(server, line, env, tmp_path / "dir")
        online = st(*line, env={**env, "ST_CACHE": str(tmp_path / "online")})
    assert made.status == online.status and n_passes == (1 if at == 1 else 2)
    assert not (tmp_path / "out.jsonl").exists()
    without = [text.splitlines()[0] for text in (made.err, online.err)]
    assert without[0] == without[1]
