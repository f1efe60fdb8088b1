"""Decide whether a paper is on a topic, by a model (CLAIMCHECK, A.2): one call per paper."""

from __future__ import annotations

from scholartools.errors import InputFault
from scholartools.llm.answers import refuse_all_missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.task import Found, ask, ask_all
from scholartools.records import Record, without
from scholartools.tasks.claims.context import head
from scholartools.tasks.claims.prompted.asking import finish_step, system_name
from scholartools.tasks.claims.replies import Topic

STEP = "select"
PROMPT = Prompt("claims-topic", Topic)


async def topic(engine: Engine, record: Record, *, name: str) -> Record:
    """Add ``topic`` to a copy of the record: its name, whether the paper is on it, and the author of the decision.

    Raises:
        InputFault: both title and abstract are missing.
        ScholartoolsError: no usable reply.
        ModelFault: the run must end.
    """
    keywords = record.get("keywords")
    known = ", ".join(word for word in keywords if isinstance(word, str)) if isinstance(keywords, list) else ""
    shown = "\n\n".join(part for part in (head(record), known and f"Keywords: {known}") if part)
    if not shown:
        raise InputFault('no "title" or "abstract" that shows the topic: run st-parse first', kind="missing-key")
    by = system_name(engine, None)
    answers = await ask_all([ask(engine, PROMPT, {"topic": name, "paper": shown}, lambda reply: reply.relevant)])
    refuse_all_missing("topics", answers, lambda: without(record, "topic"))
    made = {**record, "topic": {"name": name, "relevant": answers[0].value, "by": by}}
    found = Found(made, "topics", [("topic", answers[0])], [PROMPT], {"topic": name}, shown)
    return finish_step(engine, STEP, found, shown={"paper": shown})
