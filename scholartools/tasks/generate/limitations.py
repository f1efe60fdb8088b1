"""What systems write about a paper, kept under ``generated`` with one list per task: here its limitations.

:func:`limitations` is both systems of BAGELS (section 4): a model that reads the paper alone, and one that is also
given passages of related papers. :func:`related` is what there is without a model: limitations that related papers
state, word for word. Neither sees what the paper itself says of its limitations (``redaction.py``), and a check
of what was given is part of every entry (``leakage.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scholartools import __version__
from scholartools.errors import ModelFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.signature import fingerprint, signature
from scholartools.tasks.generate import section_selection
from scholartools.tasks.generate.corpus import RELATIONS, Corpus, found_passages, open_corpus
from scholartools.tasks.generate.entries import COMMAND, number_items, with_generated, with_rejected
from scholartools.tasks.generate.leakage import find_leaked_runs, with_warnings
from scholartools.tasks.generate.options import (
    DEFAULT,
    Options,
    check,
    parameters,
)
from scholartools.tasks.generate.redaction import RedactedPaper, redact
from scholartools.tasks.shared.pieces import Part, pieces, title_and_abstract
from scholartools.tasks.shared.systems import sample_names
from scholartools.text.embeddings.sentence import embedder

if TYPE_CHECKING:
    from scholartools.llm.engine import Engine
    from scholartools.llm.task import Answer, Missing

__all__ = ["RELATIONS", "Corpus", "Options", "check", "limitations", "needs_model", "read_corpus", "related"]

TASK = "limitations"


class _Task(NamedTuple):
    """A paper made ready: what is shown of it, in pieces, and the passages found for it; None: none were looked for."""

    given: RedactedPaper
    sections: list[str]
    cosines: Record | None
    pieces: list[str]
    summary: str
    passages: list[Record] | None


def read_corpus(paths: Sequence[str], options: Options = DEFAULT, *, model: bool) -> Corpus:
    """The papers to draw on, with what the options want of them.

    Args:
        model: whether a model writes; without one, passages are limitations.

    Raises:
        UsageFault: a file or a line of it cannot be read, or no paper is related as wanted; names file and line.
    """
    words = options.chunk_words if model and not options.plain else None
    wants_limitations = not model or options.sections == (section_selection.TOP,)
    made = open_corpus(tuple(paths), words, TASK if wants_limitations else None, options.embedder)
    known = {relation for paper in made.papers for tie in paper.ties for relation in tie.relations}
    for relation in options.relation:
        if relation not in known:
            raise UsageFault(f'{parameter("relation")} {relation}: no record of the corpus has that "relation"')
    return made


def needs_model() -> ModelFault:
    """The fault of a run with neither a model nor papers to draw on."""
    reason = (
        f"nothing to write limitations with: name a model with {parameter('model')} or ST_MODEL, or related papers "
        f"with {parameter('corpus')} to list the limitations that these state"
    )
    return ModelFault(reason, kind="no-model")


# A model's way


async def limitations(
    engine: Engine, record: Record, options: Options = DEFAULT, corpus: Corpus | None = None
) -> Record:
    """A copy of the record with an entry under ``generated.limitations``, in place of an earlier one of the system.

    With several samples there is an entry for each, ``SYSTEM#1`` and so on. One that cannot be had has ``items`` null
    and the ``reason``; pieces without a usable reply are under ``missing``, and items that cannot be used under
    ``rejected`` of the record, which then has one more of ``errors``.

    Args:
        corpus: related papers to draw on; None: the paper alone.

    Raises:
        InputFault: no ``limitations`` or no text, or a choice of sections of which the paper has none.
        ModelFault: the run must end.
    """
    from scholartools.llm.task import ask_all, sign, tell_missing
    from scholartools.tasks.generate import prompted

    task = _prepare_task(record, options, corpus)
    samples = range(engine.settings.samples)
    written = await ask_all([_write_sample(engine, task, options, sample) for sample in samples])
    draws = task.passages is not None
    name = options.system or engine.settings.model + ("+rag" if draws else "")
    names = sample_names(name, len(samples))
    parts = {name: one.value for name, one in zip(names, written) if one.value is not None}
    entries = [_make_entry(name, engine.settings.model, task, made) for name, made in parts.items()]
    made = with_warnings(with_rejected(with_generated(record, TASK, entries), TASK, parts), entries)
    asked = [(name, answer) for name, part in parts.items() for answer in part["answers"]]
    tell_missing(made, COMMAND, "replies", asked, task="limitations")
    prompts = [*prompted.PROMPTS, *(prompted.RELATED_PROMPTS if draws else ())]
    chosen = parameters(options, corpus, model=True)
    shown = [task.pieces, task.summary, task.passages, task.given.withheld]
    sign(engine, made, COMMAND, prompts, [answer for _, answer in asked], fingerprint([chosen, shown]))
    made["provenance"][-1]["options"] = chosen
    return made


async def _write_sample(engine: Engine, task: _Task, options: Options, sample: int) -> Answer[Record]:
    """What one sample is made of: its items, its passages, what is missing, and a reason where there is one."""
    from scholartools.llm.task import Answer
    from scholartools.tasks.generate import prompted

    passages, answers = task.passages or [], []
    if passages and options.rerank == "model":
        answers = await prompted.rate_relevance(engine, task.summary, passages, sample)
        passages = [_rate_passage(one, rating, options) for one, rating in zip(passages, answers)]
    used = [one for one in passages if one["used"]]
    found = await prompted.write_limitations(engine, task.pieces, used, sample)
    made: Record = {"items": found.items, "used": used, "rejected": found.rejected}
    made["answers"] = [*answers, *found.answers]
    made |= {key: value for key in ("missing", "drafts") if (value := getattr(found, key))}
    reasons = [found.reason] if found.reason else []
    if task.passages is not None:
        made["passages"] = passages
        reasons += [] if used else [_paper_alone(passages)]
    if reasons:
        made["reason"] = "; ".join(reasons)
    return Answer(made, [key for answer in made["answers"] for key in answer.calls], None)


def _paper_alone(passages: Sequence[Record]) -> str:
    """Why no passage was used."""
    unrated = sum("reason" in one for one in passages)
    none = "no passage was relevant" if passages else "no passage of a related paper"
    lost = f", and {unrated} of {len(passages)} could not be rated" if unrated else ""
    return f"{none}{lost}: written from the paper alone"


def _rate_passage(passage: Record, rating: Answer[int] | Missing, options: Options) -> Record:
    """A passage with what a model says of it; not used where it said nothing usable."""
    scores = {**passage["scores"], "relevance": rating.value}
    if rating.value is None:
        return {**passage, "scores": scores, "used": False, "reason": rating.reason}
    return {**passage, "scores": scores, "used": rating.value >= options.min_relevance}


# The way without a model


def related(record: Record, corpus: Corpus, options: Options = DEFAULT) -> Record:
    """A copy of the record with limitations that related papers state, the best first, as an entry of its own.

    They are retrieved by title and abstract, and are other papers' words on other papers: a baseline, and something to
    think of, but not what anybody said of this paper.

    Raises:
        InputFault: no ``limitations`` or no text.
    """
    given = redact(record)
    summary, source = title_and_abstract(given.title, given.parts)
    hits = corpus.index.search(
        summary, corpus.candidates(record, options.relation), top=options.items, dense_weight=options.dense_weight
    )
    passages = found_passages(hits, corpus, used=len(hits))
    items = [{"text": one["text"], "heading": None, "passages": [one["id"]]} for one in passages]
    made: Record = {"items": items, "used": passages, "passages": passages}
    if not passages:
        made["reason"] = "no limitation of a related paper"
    entry = _make_entry(
        options.system or "related-limitations", "builtin", _Task(given, [source], None, [], summary, None), made
    )
    listed = with_warnings(with_generated(record, TASK, [entry]), [entry])
    chosen = parameters(options, corpus, model=False)
    inputs = fingerprint([record.get("id"), summary, passages, given.withheld])
    add_provenance(listed, COMMAND, __version__, signature(COMMAND, {**chosen, "input": inputs}))
    return listed


# Both


def _prepare_task(record: Record, options: Options, corpus: Corpus | None) -> _Task:
    given = redact(record)
    chosen, cosines = _choose_sections(record, given.parts, options, corpus)
    summary, _ = title_and_abstract(given.title, given.parts)
    passages = None
    if corpus is not None and not options.plain:
        places = corpus.candidates(record, options.relation)
        hits = corpus.index.search(summary, places, top=options.top_k, dense_weight=options.dense_weight)
        passages = found_passages(hits, corpus, used=options.top if options.rerank == "none" else 0)
    shown = pieces(given.title, chosen, options.split_words)
    return _Task(given, [part.name for part in chosen], cosines, shown, summary, passages)


def _choose_sections(
    record: Record, parts: Sequence[Part], options: Options, corpus: Corpus | None
) -> tuple[list[Part], Record | None]:
    """The sections to show, and for the top three the cosines by which they were chosen."""
    if options.sections not in ((section_selection.ALL,), (section_selection.TOP,)):
        return section_selection.select_named(parts, options.sections), None
    units = section_selection.units(parts)
    if options.sections == (section_selection.ALL,):
        return [part for unit in units for part in unit.parts], None
    vectors = embedder(options.embedder)
    reference = corpus.reference(record) if corpus is not None else None
    cosines = section_selection.similarities(
        units, section_selection.description_vector(vectors) if reference is None else reference, vectors
    )
    return section_selection.nearest(units, cosines), {unit.name: cosine for unit, cosine in zip(units, cosines)}


def _make_entry(system: str, by: str, task: _Task, made: Record) -> Record:
    """An entry of ``generated.limitations``, with what the check for limitations of the paper itself found."""
    entry: Record = {"system": system, "by": by, "sections": task.sections}
    if task.cosines is not None:
        entry["similarity"] = task.cosines
    if task.pieces:
        entry["pieces"] = len(task.pieces)
    entry["items"] = number_items(made["items"])
    entry |= {key: made[key] for key in ("passages", "missing", "drafts", "reason") if key in made}
    entry["leak"] = find_leaked_runs([*task.pieces, *(one["text"] for one in made["used"])], task.given.withheld)
    return entry
