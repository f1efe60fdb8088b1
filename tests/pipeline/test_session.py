"""A session begins with a record at once, and makes a task of it where it waits: every outcome comes, in order."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import random
import threading

import pytest

from scholartools import pipeline
from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.io import Line
from scholartools.llm.sender import RECORD
from scholartools.llm.settings import Settings
from scholartools.pipeline.outcome import identity
from scholartools.pipeline.own_task import OwnAsk
from scholartools.pipeline.session import Session

SETTINGS = Settings(model="openai/mock", cache=False)
OWN: contextvars.ContextVar[int] = contextvars.ContextVar("own")


async def follow_plan(_, record):
    """Wait as often as the record says, then do what it says; each record has variables of its own all the while."""
    OWN.set(record["id"])
    number = RECORD.get()
    for step in record["steps"]:
        if step == "turn":
            await asyncio.sleep(0)
        elif step == "thread":
            await asyncio.get_running_loop().run_in_executor(None, threading.get_ident)
        elif step == "caught":
            with pytest.raises(ZeroDivisionError):
                await asyncio.gather(divide(), asyncio.sleep(0))
        elif step == "task":
            assert await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2)) == [1, 2]
        assert (OWN.get(), RECORD.get()) == (record["id"], number)
    if record["end"] == "fault":
        raise ScholartoolsError(f"fault of {record['id']}")
    return {**record, "number": number}


async def divide():
    return 1 // 0


def plain_records(count, steps=()):
    return [{"id": number, "steps": list(steps), "end": ""} for number in range(count)]


def outcomes(records, ask=follow_plan):
    session = Session(Settings(model="openai/mock", cache=False, concurrency=1), warn=print)
    lines = (Line(f"-:{place}", record) for place, record in enumerate(records, 1))
    return session.outcomes(lines, ask, "st-x", render=identity)


def test_every_outcome_comes_in_order_however_often_its_record_waits():
    draw = random.Random(1)
    steps = ["turn", "thread", "caught", "task"]
    records = [
        {
            "id": number,
            "steps": draw.choices(steps, k=draw.choice([0, 0, 0, 1, 3])),
            "end": draw.choice(["", "", "fault"]),
        }
        for number in range(2000)
    ]
    found = list(outcomes(records))
    for number, (record, outcome) in enumerate(zip(records, found, strict=True)):
        assert outcome.content["id"] == record["id"]
        if record["end"] == "fault":
            assert outcome.fault.reason == f"fault of {number}"
        else:
            assert outcome.fault is None and outcome.content["number"] == number


@pytest.mark.parametrize("steps", [[], ["turn"], ["thread"]])
def test_what_ends_the_run_comes_in_its_place(steps):
    async def ask(engine, record):
        made = await follow_plan(engine, record)
        if record["id"] == 50:
            raise ModelFault("no more", kind="budget")
        return made

    found = outcomes([{"id": number, "steps": steps, "end": ""} for number in range(100)], ask)
    taken = []
    with pytest.raises(ModelFault, match=r"-:51: no more \(50 "):
        taken.extend(outcome.content["id"] for outcome in found)
    assert taken == list(range(50))


def test_a_user_s_own_function_runs_in_a_task():
    """Time limits of asyncio and groups of tasks need one."""

    async def ask(engine, record):
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            made = group.create_task(follow_plan(engine, record))
        return made.result()

    records = [{"id": number, "steps": ["turn"] * (number % 3), "end": ""} for number in range(50)]
    assert [outcome.content["id"] for outcome in outcomes(records, OwnAsk(ask))] == list(range(50))


async def end_program(_, record):
    raise SystemExit(3)


async def end_program_in_a_task(_, record):
    await asyncio.create_task(end_program(_, record))


async def wait_for_a_cancelled_task(_, record):
    waiting = asyncio.create_task(asyncio.sleep(60))
    waiting.cancel()
    await waiting


async def cancel_itself(_, record):
    asyncio.current_task().cancel()
    await asyncio.sleep(60)


async def stop_the_loop(_, record):
    asyncio.get_running_loop().stop()
    await asyncio.sleep(0)
    raise ScholartoolsError("went on")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (end_program, "raised SystemExit: 3"),
        (end_program_in_a_task, "raised SystemExit: 3"),
        (wait_for_a_cancelled_task, "raised CancelledError"),
        (cancel_itself, "raised CancelledError"),
        (stop_the_loop, "went on"),
    ],
)
@pytest.mark.parametrize("steps", [[], ["turn"]])
def test_a_function_that_ends_what_it_runs_in_loses_its_own_record_alone(bad, reason, steps):
    async def ask(engine, record):
        made = await follow_plan(engine, record)
        return await bad(engine, record) if record["id"] == 7 else made

    found = list(outcomes(plain_records(40, steps), OwnAsk(ask)))
    assert [outcome.content["id"] for outcome in found] == list(range(40))
    assert [number for number, outcome in enumerate(found) if outcome.fault] == [7]
    assert reason in found[7].fault.reason


class Ended(BaseException):
    """Of a program's own."""


@pytest.mark.parametrize("kind", [KeyboardInterrupt, GeneratorExit, Ended])
@pytest.mark.parametrize("steps", [[], ["turn"]])
@pytest.mark.parametrize("wrap", [OwnAsk, lambda ask: ask])
def test_what_no_function_may_catch_ends_the_run_at_its_record(kind, steps, wrap):
    async def ask(engine, record):
        made = await follow_plan(engine, record)
        if record["id"] == 7:
            raise kind
        return made

    taken = []
    with pytest.raises(kind):
        taken.extend(outcome.content["id"] for outcome in outcomes(plain_records(40, steps), wrap(ask)))
    assert taken == list(range(7))


def test_a_record_whose_task_never_began_ends_the_run():
    cancelled: list[bool] = []

    async def ask(_, record):
        if not cancelled:
            cancelled.extend(task.cancel() for task in asyncio.all_tasks() - {asyncio.current_task()})
        return record

    with pytest.raises(ModelFault, match="its task was cancelled before it began"):
        for _ in outcomes(map(dict, itertools.repeat({})), OwnAsk(ask)):
            pass


@pytest.mark.parametrize("steps", [[], ["turn"], ["thread"]])
def test_a_function_may_end_the_run_that_runs_it(steps):
    async def ask(engine, record):
        made = await follow_plan(engine, record)
        if record["id"] == 20:
            answers.close()
        return made

    answers = pipeline.ask(plain_records(3000, steps), ask, SETTINGS)
    taken = [record["id"] for record in answers]
    assert taken == list(range(len(taken))) and len(taken) < 3000


def test_another_thread_ends_a_run_whose_records_come_at_once():
    answers = pipeline.ask(map(dict, itertools.repeat({"steps": [], "end": "", "id": 1})), follow_plan, SETTINGS)
    next(answers)
    closing = threading.Thread(target=answers.close)
    closing.start()
    for _ in answers:
        pass
    closing.join()
