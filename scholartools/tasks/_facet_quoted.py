"""A model's way to the facets of a text: it quotes the passages of each, and every quotation is located in the text."""

from __future__ import annotations

from scholartools.llm.engine import Engine
from scholartools.llm.replies import Closed, ReplyFault
from scholartools.llm.task import Answer, Prompt, sign, together
from scholartools.llm.task import ask as ask_model
from scholartools.records import Record, read
from scholartools.signature import fingerprint
from scholartools.tasks._facet_set import COMMAND, facet_set, named_texts
from scholartools.text.quotes import Miss, locate_all
from scholartools.vocabulary import FACETS


class Reply(Closed, extra="forbid"):
    """What a model is asked for: passages copied from the text, by facet; under another key they would be lost."""

    background: list[str]
    method: list[str]
    result: list[str]
    conclusion: list[str]


PROMPT = Prompt("facets", Reply)


async def ask(engine: Engine, record: Record) -> Record:
    """See ``facets.ask``."""
    named = named_texts(record)
    samples = range(engine.settings.samples)
    answers = await together([_asked(engine, name, named[name], sample) for name in named for sample in samples])
    rejected = [entry for answer in answers for entry in answer.value[1]]
    made = {**record, "facets": [answer.value[0] for answer in answers]}
    if rejected:
        made["rejected"] = [*(read(record, "rejected") or ()), *rejected]
    sign(engine, made, COMMAND, [PROMPT], answers, fingerprint(named))
    return made


async def _asked(engine: Engine, name: str, text: str, sample: int) -> Answer[tuple[Record, list[Record]]]:
    """The FacetSet of one text, and the passages that were rejected."""
    number = {"sample": sample} if engine.settings.samples > 1 else {}
    if not text.strip():
        return Answer(({**facet_set(name, text, engine.settings.model, {}), **number}, []), [], None)

    def verify(reply: Reply) -> tuple[Record, list[Record]]:
        runs, rejected = _located(name, text, reply)
        return {**facet_set(name, text, engine.settings.model, runs), **number}, rejected

    return await ask_model(engine, PROMPT, {"text": text}, verify, sample=sample)


def _located(name: str, text: str, reply: Reply) -> tuple[dict[str, list[Record]], list[Record]]:
    """The spans of the passages a model quoted, by facet, and what is not in the text.

    Raises:
        ReplyFault: passages were quoted and none of them is in the text.
    """
    runs: dict[str, list[Record]] = {}
    rejected: list[Record] = []
    for facet in FACETS:
        quoted: list[str] = getattr(reply, facet)
        if not quoted:
            continue
        for quote, found in zip(quoted, locate_all(quoted, text)):
            if isinstance(found, Miss):
                entry = {"command": COMMAND, "in": name, "facet": facet, "text": quote, "reason": found.reason}
                rejected.append(entry)
                continue
            span = {"in": name, "start": found.start, "end": found.end}
            runs.setdefault(facet, []).append(span if found.kind == "exact" else {**span, "match": found.kind})
    if rejected and not runs:
        raise ReplyFault(f"none of the passages is in the text; the first: {rejected[0]['reason']}")
    return runs, rejected
