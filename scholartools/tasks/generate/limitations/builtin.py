"""Limitations without a model: verbatim limitations of related papers."""

from __future__ import annotations

from scholartools.errors import ModelFault
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.tasks.generate.corpus import Corpus, passage_records
from scholartools.tasks.generate.entries import COMMAND, with_generated
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.generate.limitations.inputs import TASK, Task, make_entry
from scholartools.tasks.generate.limitations.options import (
    DEFAULT,
    Options,
    parameters,
)
from scholartools.tasks.generate.redaction import redact
from scholartools.tasks.shared.pieces import title_and_abstract


def needs_model() -> ModelFault:
    """Error of a run with neither a model nor related papers."""
    reason = (
        "the task limitations needs a model, or related papers from which it copies limitations: "
        f"name a model with {parameter('model')} or ST_MODEL, or a file of related papers with {parameter('corpus')}"
    )
    return ModelFault(reason, kind="no-model")


def related(record: Record, corpus: Corpus, options: Options = DEFAULT) -> Record:
    """Add limitations stated by related papers, best first, as an entry to a copy of the record.

    They are retrieved by title and abstract. This is a baseline: the texts are about other papers.

    Raises:
        InputFault: no ``limitations`` or no text.
    """
    given = redact(record)
    summary, source = title_and_abstract(given.title, given.parts)
    hits = corpus.index.search(
        summary, corpus.candidates(record, options.relation), top=options.items, dense_weight=options.dense_weight
    )
    passages = passage_records(hits, corpus, used=len(hits))
    items = [{"text": one["text"], "heading": None, "passages": [one["id"]]} for one in passages]
    made: Record = {"items": items, "used": passages, "passages": passages}
    if not passages:
        made["reason"] = "no limitation of a related paper"
    entry = make_entry(
        options.system or "related-limitations", "builtin", Task(given, [source], None, [], summary, None), made
    )
    listed = with_warnings(with_generated(record, TASK, [entry]), [entry])
    chosen = parameters(options, corpus, model=False)
    inputs = [record.get("id"), summary, passages, given.withheld]
    add_provenance(listed, COMMAND, TASK, method="builtin", options=chosen, input=inputs)
    return listed
