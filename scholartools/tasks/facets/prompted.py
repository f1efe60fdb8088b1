"""Facets by a prompted model: it quotes the passages of each facet, and the quotations are located in the text."""

from __future__ import annotations

from scholartools.llm.answers import Answer, Missing, refuse_all_missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import Closed, Items, ReplyFault
from scholartools.llm.task import Found, ask_all, finish
from scholartools.llm.task import ask as ask_model
from scholartools.records import Record, without
from scholartools.tasks.facets.facet_sets import COMMAND, facet_set, named_texts, with_rejected
from scholartools.tasks.shared.items import tell_missing_summaries
from scholartools.text.quotes.location import Miss, locate_all
from scholartools.vocabulary import FACETS


class Reply(Closed, extra="forbid"):
    """What a model is asked for: passages copied from the text, by facet; under another key they would be lost."""

    background: Items[str]
    method: Items[str]
    result: Items[str]
    conclusion: Items[str]


PROMPT = Prompt("facets", Reply)

# A FacetSet and the rejected passages.
Located = tuple[Record, list[Record]]


async def ask(engine: Engine, record: Record) -> Record:
    """See ``facets.ask``."""
    named = named_texts(record)
    asked = [(name, sample) for name in named for sample in range(engine.settings.samples)]
    answers = await ask_all([_ask_about(engine, name, named[name], sample) for name, sample in asked])
    refuse_all_missing("texts", answers, lambda: with_rejected(without(record, "facets"), []))
    found = [_set_of(engine, (name, named[name]), sample, answer) for (name, sample), answer in zip(asked, answers)]
    made = {**record, "facets": found}
    rejected = [entry for answer in answers if answer.value is not None for entry in answer.value[1]]
    made = with_rejected(made, rejected)
    tell_missing_summaries(made, COMMAND)
    parts = zip((name for name, _ in asked), answers)
    return finish(engine, COMMAND, None, Found(made, "texts", parts, [PROMPT], {}, named))


def _set_of(engine: Engine, named: tuple[str, str], sample: int, answer: Answer[Located] | Missing) -> Record:
    """The FacetSet of one text; all null, with the reason, if there was no usable reply."""
    number = {"sample": sample} if engine.settings.samples > 1 else {}
    if isinstance(answer, Missing):
        return {**facet_set(*named, engine.settings.model, {}), **number, "reason": answer.reason}
    return {**answer.value[0], **number}


async def _ask_about(engine: Engine, name: str, text: str, sample: int) -> Answer[Located]:
    """The FacetSet of one text and the rejected passages."""
    if not text.strip():
        return Answer((facet_set(name, text, engine.settings.model, {}), []), [], None)

    def verify(reply: Reply) -> Located:
        runs, rejected = _locate_passages(name, text, reply)
        return facet_set(name, text, engine.settings.model, runs), rejected

    return await ask_model(engine, PROMPT, {"text": text}, verify, sample=sample)


def _locate_passages(name: str, text: str, reply: Reply) -> tuple[dict[str, list[Record]], list[Record]]:
    """Spans of the quoted passages by facet, and the passages not found in the text.

    Raises:
        ReplyFault: passages were quoted, but none is in the text.
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
