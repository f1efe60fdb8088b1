"""Tasks over many records from Python: in order, in processes, with a model; whatever ends the run and whenever."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import json
import os
import subprocess
import sys
import threading
import time

import pytest
from support.model_runs import MODEL
from support.run import environment, jsonl, st
from support.server import Server
from support.server import facets as quoted

from scholartools import io
from scholartools.errors import InputFault, ModelFault, UsageFault
from scholartools.pipeline import Limits, ScholartoolsError, Settings, ask, estimate, run
from scholartools.tasks import facets, score

SETTINGS = Settings(model="openai/mock", retries=0)


def paper(number):
    return {"id": number, "abstract": f"Paper {number} asks why. We do {number} things. They work. So do more."}


PAPERS = [paper(number) for number in range(30)]
FAILING = [PAPERS[0], {"id": "none"}, PAPERS[2]]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("ST_CACHE", str(tmp_path / "cache.sqlite"))


@pytest.fixture
def serve(monkeypatch):
    @contextlib.contextmanager
    def serve(server):
        with server:
            for name, value in server.environment.items():
                monkeypatch.setenv(name, value)
            yield server

    return serve


def command_line(server, *args, records):
    """What the command writes with the same server and cache."""
    env = {**server.environment, "ST_CACHE": os.environ["ST_CACHE"]}
    return st("st-facets", *MODEL, *args, input=jsonl(*records), env=env)


def written(records):
    return b"".join(io.dumps(record) + b"\n" for record in records)


def test_a_task_gives_what_its_command_writes_in_each_way():
    command = st("st-facets", input=jsonl(*PAPERS, *FAILING)).out
    records = [*PAPERS, *FAILING]
    assert written(run(records, facets.label)) == command
    assert written(run(records, facets.label, many=facets.label_all, chunk=64)) == command
    assert written(run(records, facets.label, jobs=2, chunk=4)) == command


def test_what_fails_is_kept_left_out_or_raised():
    assert [record["id"] for record in run(FAILING, facets.label)] == [0, "none", 2]
    assert [record["id"] for record in run(FAILING, facets.label, on_error="skip")] == [0, 2]
    records = run(FAILING, facets.label, on_error="raise")
    assert next(records)["id"] == 0
    with pytest.raises(InputFault, match='^record 2: no "abstract" or "summaries"') as raised:
        next(records)
    assert raised.value.kind == "missing-key"


def test_what_had_failed_before_is_raised_too():
    before = [{"id": 1, "errors": [{"command": "st-parse", "kind": "unreadable", "reason": "gone"}]}]
    assert list(run(before, facets.label)) == before
    with pytest.raises(ScholartoolsError, match="record 1: it failed before"):
        next(run(before, facets.label, on_error="raise"))


def sleep_at_first(record):
    if record["id"] == 1:
        time.sleep(60)
    return {**record, "is_done": True}


def own_task(record):
    return {**record, "half": 1 / record["id"]}


def test_a_task_of_the_user_s_own_names_itself_and_its_exception():
    kept = list(run([{"id": 2}, {"id": 0}], functools.partial(own_task)))
    assert kept[0] == {"id": 2, "half": 0.5}
    assert kept[1]["errors"][0]["command"].endswith(".own_task")
    assert kept[1]["errors"][0]["reason"].startswith("the given function own_task raised ZeroDivisionError: ")
    assert next(run([{"id": 0}], own_task, name="halve"))["errors"][0]["command"] == "halve"
    with pytest.raises(ScholartoolsError) as raised:
        next(run([{"id": 0}], own_task, on_error="raise"))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def returns_nothing(record):
    record["seen"] = True


async def asks_nothing(engine, record):
    return None


def test_what_a_given_function_returns_is_told_by_its_name():
    told = [next(run([{"id": 1}], returns_nothing)), next(ask([{"id": 1}], asks_nothing, SETTINGS))]
    told += [next(run([{"id": 1}], lambda record: {**record, "share": float("nan")}))]
    reasons = [record["errors"][0]["reason"] for record in told]
    assert reasons[0] == "the given function returns_nothing returned None, not a record (a dict)"
    assert reasons[1] == "the given function asks_nothing returned None, not a record (a dict)"
    many = next(run(PAPERS, facets.label_all))["errors"][0]["reason"]
    assert many.startswith("the given function scholartools.tasks.facets.label_all returned a value of the type ")
    assert reasons[2].endswith('<lambda> returned no record: a number in "share" is not finite')
    assert estimate([{"id": 1}], asks_nothing, SETTINGS)["failed"] == 1


def test_records_are_read_as_they_are_wanted():
    read = []
    records = run((read.append(number) or paper(number) for number in itertools.count()), facets.label)
    assert next(records)["id"] == 0 and read == [0]


@pytest.mark.slow
def test_limits_cost_the_record_that_passes_them():
    records = [{"id": 1}, {"id": 2}]
    made = list(run(records, sleep_at_first, chunk=1, limits=Limits(seconds=3)))
    assert [entry["reason"] for entry in made[0]["errors"]] == ["not done within 3 s"]
    assert made[1] == {"id": 2, "is_done": True}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: run(PAPERS, facets.label, on_error="stop"), "on_error must be one of keep, skip, raise"),
        (lambda: run(PAPERS, facets.label, jobs=0), "jobs and chunk must be whole numbers of 1 or more"),
        (lambda: run(PAPERS, facets.label, jobs="2"), "jobs and chunk must be whole numbers of 1 or more"),
        (lambda: score.score(PAPERS[0], ["nope"]), 'no metric "nope": '),
        (lambda: run(PAPERS, lambda record: record, jobs=2), "cannot be sent to another process"),
        (lambda: list(run([["id"]], facets.label)), "record 1 is of the type list, not dict"),
        (lambda: ask(PAPERS, facets.ask, SETTINGS, on_error="stop"), "on_error must be one of"),
        (lambda: ask(PAPERS, facets.ask, Settings(model="openai/mock", dry_run=True)), "call estimate"),
        (lambda: list(ask([3], facets.ask, SETTINGS)), "record 1 is of the type int, not dict"),
        (lambda: run(PAPERS, facets.ask), r"facets.ask asks a model: give it to ask\("),
        (lambda: run(PAPERS, functools.partial(facets.label, kind=1)), "cannot be called with a record alone"),
        (lambda: run(PAPERS, None), "the task is of the type NoneType, no function"),
        (lambda: ask(PAPERS, facets.label, SETTINGS), r"label cannot be called with .* give it to run\("),
        (lambda: estimate(PAPERS, facets.label, SETTINGS), "estimate: .*label cannot be called"),
        (lambda: Settings(model="openai/mock", concurrency=0), "concurrency"),
        (lambda: Settings(model="openai/mock", timeout=float("nan")), "timeout"),
        (lambda: Settings(model="openai/mock", temperature=-1.0), "temperature"),
        (lambda: Settings(model="openai/mock", replay=True, cache=False), "replay"),
        (lambda: Settings(model="openai/mock", response_format="yaml"), "response_format"),
        (lambda: Settings(model=" "), "model"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, words):
    with pytest.raises(UsageFault, match=words):
        wrong()


def test_a_model_s_answers_are_what_the_command_writes_and_come_in_order(serve):
    with serve(Server({"500": 0.2, "fence": 0.2}, latency=0.01)) as server:
        settings = Settings(model="openai/mock", concurrency=5)
        with ask([*PAPERS, *FAILING], facets.ask, settings) as answers:
            found = list(answers)
        assert [record["id"] for record in found] == [record["id"] for record in [*PAPERS, *FAILING]]
        assert answers.counts.answered == 30 and answers.n_unsaved == 0
        assert 1 < server.peak <= 5
        sent = server.requests
        command = command_line(server, records=[*PAPERS, *FAILING])
        assert written(found) == command.out and server.requests == sent


def test_a_model_is_asked_where_an_event_loop_runs(serve):
    async def main():
        return [record["id"] for record in ask(PAPERS, facets.ask, SETTINGS)]

    with serve(Server()):
        assert asyncio.run(main()) == list(range(30))


def test_the_look_ahead_is_bounded_and_ends_with_the_run(serve):
    read = []
    records = (read.append(number) or paper(number) for number in itertools.count())
    threads = set(threading.enumerate())
    with serve(Server()) as server:
        own = set(threading.enumerate()) - threads
        with ask(records, facets.ask, SETTINGS) as answers:
            assert next(answers)["id"] == 0
        assert len(read) <= 2 * SETTINGS.concurrency + 256 + 4 * 32 + 1
        for thread in set(threading.enumerate()) - threads - own:
            thread.join(10)
            assert not thread.is_alive()
        seen = len(read)
        assert list(answers) == [] and len(read) == seen
        assert server.requests <= seen


@pytest.mark.slow
def test_ending_early_keeps_what_was_paid_for(serve):
    with serve(Server(latency=0.5)) as server:
        answers = ask(PAPERS, facets.ask, SETTINGS)
        next(answers)
        answers.close()
        sent = server.requests
        assert 1 <= sent < len(PAPERS) and answers.counts.answered == sent
        assert len(list(ask(PAPERS, facets.ask, SETTINGS))) == len(PAPERS)
        assert server.requests == len(PAPERS), "nothing is asked twice"


def close_in_thread(answers) -> None:
    closer = threading.Thread(target=answers.close)
    closer.start()
    closer.join(60)
    assert not closer.is_alive()


def close_in_task(answers) -> None:
    import asyncio

    async def cancel() -> None:
        loop = asyncio.get_running_loop()
        waiting = asyncio.ensure_future(loop.run_in_executor(None, lambda: next(answers, None)))
        await asyncio.sleep(0.05)
        waiting.cancel()
        answers.close()

    asyncio.run(cancel())


@pytest.mark.parametrize("close", [close_in_thread, close_in_task, lambda answers: answers.close()])
def test_closing_while_another_thread_takes_records_sends_no_more(serve, close):
    many = [{**PAPERS[0], "id": n, "abstract": f"Paper {n} asks why. It works."} for n in range(600)]
    ended: list[object] = []
    with serve(Server(latency=0.1)) as server:
        answers = ask(many, facets.ask, SETTINGS)
        taken = [next(answers)]

        def take() -> None:
            try:
                taken.extend(answers)
                ended.append(None)
            except BaseException as error:
                ended.append(error)

        taker = threading.Thread(target=take)
        taker.start()
        time.sleep(0.3)
        before = server.requests
        close(answers)
        taker.join(60)
        assert ended == [None] and not taker.is_alive(), "the other thread sees the end, and no fault"
        assert server.requests <= before + 2 * SETTINGS.concurrency < 600
        assert answers.counts.answered == server.requests and answers.n_unsaved == 0
        sent = server.requests
        time.sleep(0.3)
        assert server.requests == sent and next(answers, None) is None
        assert len(list(ask(many[:50], facets.ask, SETTINGS))) == 50


EXITS = """
from scholartools.pipeline import Settings, ask
from scholartools.tasks import facets

papers = [{"id": n, "abstract": f"Paper {n} asks why. We do {n} things. They work. So do more."} for n in range(30)]
answers = ask(papers, facets.ask, Settings(model="openai/mock"))
print(next(answers)["id"])
"""


def test_a_program_that_ends_with_answers_on_their_way_keeps_them(serve):
    with serve(Server(latency=0.2)) as server:
        done = subprocess.run([sys.executable, "-c", EXITS], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")
        assert 1 <= server.requests < len(PAPERS)
        assert len(list(ask(PAPERS, facets.ask, SETTINGS))) == len(PAPERS)
        assert server.requests == len(PAPERS), "nothing is asked twice"


def test_a_budget_ends_the_run_and_the_next_goes_on(serve):
    with serve(Server()) as server:
        answers = ask(PAPERS, facets.ask, Settings(model="openai/mock", max_calls=3, concurrency=1))
        found = []
        with pytest.raises(ModelFault, match=r"^record 4: .*\(3 records were finished before\)$"):
            for record in answers:
                found.append(record["id"])
        assert found == [0, 1, 2] and server.requests == 3
        assert len(list(ask(PAPERS, facets.ask, SETTINGS))) == 30 and server.requests == 30


def test_a_run_is_replayed_with_no_server(serve):
    with serve(Server()):
        first = list(ask(PAPERS, facets.ask, SETTINGS))
    again = Settings(model="openai/mock", replay=True)
    assert list(ask(PAPERS, facets.ask, again)) == first
    with pytest.raises(ModelFault, match="record 31: .*no reply in the cache"):
        list(ask([*PAPERS, paper(99)], facets.ask, again))


def partly(messages):
    return "no" if "Paper 1 asks" in str(messages) else quoted(messages)


def test_a_reply_that_is_not_usable_costs_its_part(serve):
    record = {"abstract": paper(0)["abstract"], "summaries": [{"system": "a", "text": paper(1)["abstract"]}]}
    with serve(Server(answer=partly)):
        made = next(ask([record], facets.ask, SETTINGS))
        assert made["facets"][0]["background"] and made["facets"][1]["background"] is None
        assert [entry["kind"] for entry in made["errors"]] == ["missing-parts"]
        assert len(list(ask([record], facets.ask, SETTINGS, on_error="skip"))) == 1
        with pytest.raises(ScholartoolsError, match="record 1: 1 of 2 texts is missing") as raised:
            next(ask([record], facets.ask, SETTINGS, on_error="raise"))
        assert raised.value.kind == "missing-parts"


def test_warnings_are_given_to_the_caller(serve):
    told = []
    refuse = lambda body, _: (400, {"error": {"message": "response_format is not supported"}}, {}) if "response_format" in body else None  # noqa: E731  # fmt: skip
    with serve(Server(respond=refuse)):
        assert len(list(ask(PAPERS, facets.ask, SETTINGS, warn=told.append))) == 30
    assert any("format" in message for message in told)


def test_an_estimate_sends_nothing(serve):
    with serve(Server()) as server:
        list(ask(PAPERS[:10], facets.ask, SETTINGS))
        found = estimate([*PAPERS, {"id": "none"}], facets.ask, SETTINGS)
        assert (found["cached"], found["to_send"], found["failed"]) == (10, 20, 1)
        assert found["estimate"]["prompt_tokens"] > 0 and server.requests == 10
        command = command_line(server, "--dry-run", records=[*PAPERS, {"id": "none"}])
        assert json.loads(command.out)["dry_run"] == {key: found[key] for key in found if key != "failed"}


def test_the_package_is_light_to_import():
    code = "import sys, scholartools.pipeline; print([name for name in ('orjson', 'pydantic', 'numpy', 'litellm') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("guard", ["", "if __name__ == '__main__':\n    "])
def test_a_script_without_a_guard_gets_one_error_and_no_storm(tmp_path, guard):
    """Each process runs the script's own lines: unguarded, they would start processes for ever."""
    script = tmp_path / "script.py"
    script.write_text(
        "from scholartools.pipeline import run\nfrom scholartools.tasks import facets\n"
        f"{guard}print(len(list(run([{{'abstract': 'We show it.'}}], facets.label, jobs=2))))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment(), timeout=60)
    if guard:
        assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
    else:
        assert done.returncode == 1 and done.stdout == "" and done.stderr.count("Traceback") == 1
        assert 'must start its work under `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
