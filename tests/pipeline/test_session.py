"""A session begins with a record at once, and makes a task of it where it waits: every outcome comes, in order."""

from __future__ import annotations

import asyncio
import contextvars
import random
import threading

import pytest

from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.io import Line
from scholartools.llm.sender import RECORD
from scholartools.llm.settings import Settings
from scholartools.pipeline.outcome import identity
from scholartools.pipeline.own_task import OwnAsk
from scholartools.pipeline.session import Session

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


def outcomes(records, ask=follow_plan):
    session = Session(Settings(model="openai/mock", cache=False, concurrency=1), warn=print)
    lines = [Line(f"-:{place}", record) for place, record in enumerate(records, 1)]
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
