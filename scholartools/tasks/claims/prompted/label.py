"""Label and rewrite weaknesses with a model: one call per weakness (CLAIMCHECK, section 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt, json_lines
from scholartools.llm.replies import ReplyFault
from scholartools.llm.task import Found, ask, ask_all
from scholartools.parameters import parameter
from scholartools.records import Record, read
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.anchor_changes import compare_anchors, known_keys, rewriter_sources
from scholartools.tasks.claims.base import items_of, paper_texts, review_text
from scholartools.tasks.claims.context import Context, Showing, check_files, check_length, check_pictures, context
from scholartools.tasks.claims.entries import choose_system, refuse_overwriting, replace_entry, targets_of
from scholartools.tasks.claims.marks import refuse_changed_targets, weakness_mark
from scholartools.tasks.claims.prompted.asking import finish_step, system_name

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Target, Weakness

What = Literal["label", "label-edit", "edit"]

PROMPTS: dict[What, Prompt[Any]] = {
    "label": Prompt("claims-label", replies.Labels),
    "label-edit": Prompt("claims-label-edit", replies.LabelsAndEdit),
    "edit": Prompt("claims-edit", replies.Edit),
}

#: Addition to CLAIMCHECK's prompt, because its authors found that rewriting removes information that readers need.
KEEP_ANCHORS = (
    "Keep every place that the weakness names: line numbers, tables, figures, sections, equations, quotations with\n"
    "their marks, citations and numbers. Add none that the texts above do not have."
)


@dataclass(frozen=True)
class Labelling:
    """Options of labelling and rewriting.

    Attributes:
        what: labels, labels and a rewriting in one call (as published), or a rewriting alone.
        showing: the context shown of the paper and of related ones.
        targets: system whose targets are read; None for the only one.
        every: include weaknesses without a target.
        keep_anchors: whether a model is instructed to keep anchors; False: as published.
    """

    what: What = "label"
    showing: Showing = Showing()
    targets: str | None = None
    every: bool = False
    keep_anchors: bool = True


@dataclass(frozen=True)
class _Question:
    weakness: Weakness
    targets: list[Target]
    context: Context


async def label(engine: Engine, record: Record, *, how: Labelling | None = None, system: str | None = None) -> Record:
    """Add ``labels``, ``edited``, or both, by the model to the ``weaknesses`` of a copy of the record.

    A request is repeated unless scale values are 1 to 5 and at least one type is true. A rewriting has the lists of
    kept and lost anchors, but is not rejected for lost ones. A weakness without a usable reply, with too many images,
    or with a prompt that is too long has nulls, with the reason. ``provenance`` counts missing images and unresolved
    citations.

    Raises:
        InputFault: no ``weaknesses``, none with targets of the system, or stale targets; human labels would be
            replaced.
        UsageFault: there are targets of several systems and none is named.
        ModelFault: the run must end.
    """
    how = how or Labelling()
    by = system_name(engine, None)
    name = system or by
    for key in {"label": ("labels",), "edit": ("edited",)}.get(how.what, ("labels", "edited")):
        refuse_overwriting(items_of(record, "weaknesses", "weaknesses"), key, name, by)
    author = choose_system(record["weaknesses"], "targets", how.targets)
    questions = _questions_of(engine, record, how, author)
    answers = await ask_all([_ask_question(engine, record, question, how) for question in questions])
    found = {question.weakness["id"]: (question, answer) for question, answer in zip(questions, answers)}
    made = [
        _label_weakness(record, *found[one["id"]], how, name, by) if one["id"] in found else one
        for one in record["weaknesses"]
    ]
    step = "edit" if how.what == "edit" else "label"
    parts = [(f"{question.weakness['id']} {name}", answer) for question, answer in zip(questions, answers)]
    options = _provenance_options(how, name, author)
    inputs = [[weakness_mark(one.weakness, one.targets), one.context.paper, one.context.pictures] for one in questions]
    shown = paper_texts(record) | {f"review:{one['id']}": one["text"] for one in read(record, "reviews") or ()}
    done = {**record, "weaknesses": made}
    n_repaired = sum(getattr(answer.value, "n_repaired", 0) for answer in answers)
    engine.counts.repaired += n_repaired
    counts = gaps([one.context for one in questions]) | ({"repaired": n_repaired} if n_repaired else {})
    prompts = [PROMPTS[how.what]]
    result = Found(done, "weaknesses", parts, prompts, options, inputs, counts)
    return finish_step(engine, step, result, shown=shown)


def _provenance_options(how: Labelling, system: str, author: Record | None) -> Record:
    """Options for the provenance."""
    told = {"what": how.what, "system": system, "targets": author, "every": how.every, "keep_anchors": how.keep_anchors}
    return {**told, **how.showing.provenance_options()}


def gaps(contexts: Sequence[Context]) -> Record:
    """Context that was missing: images, and related papers that were not found."""
    images = list(dict.fromkeys(name for one in contexts for name in one.missing))
    citations = list(dict.fromkeys(text for one in contexts for text in one.related.unresolved))
    related = list(dict.fromkeys(paper["id"] for one in contexts for paper in one.related.papers))
    named = {"images_missing": images, "citations_unresolved": citations, "related": related}
    return {key: value for key, value in named.items() if value}


def _questions_of(engine: Engine, record: Record, how: Labelling, author: Record | None) -> list[_Question]:
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    claims = read(record, "claims")
    refuse_changed_targets(record, author)
    check_files(engine, record, how.showing)
    found = []
    for weakness in weaknesses:
        targets = targets_of(weakness, claims, author)
        if targets or how.every:
            texts = [weakness["text"], *(target["text"] for target in targets or ())]
            found.append(_Question(weakness, targets or [], context(record, texts, how.showing)))
    if weaknesses and not how.every and author is None:
        from scholartools.errors import InputFault

        raise InputFault(
            f'no "weaknesses.targets": run st-claims associate first, or give {parameter("all", True)}',
            kind="missing-key",
        )
    return found


async def _ask_question(engine: Engine, record: PaperRecord, question: _Question, how: Labelling) -> Answer[Any]:
    prompt = PROMPTS[how.what]
    inputs = {
        "paper": question.context.paper,
        "review": review_text(record, question.weakness),
        "weakness": question.weakness["text"],
        "targets": json_lines({"claim": target["text"]} for target in question.targets) or "(none)",
    }
    if how.what != "label":
        inputs["anchors"] = KEEP_ANCHORS if how.keep_anchors else ""
    way_on = f"{parameter('context', 'retrieved')} shows the passages that bear on the weakness"
    check_pictures(question.context.pictures, how.showing)
    check_length(engine, prompt, inputs, question.context.pictures, way_on)
    return await ask(engine, prompt, inputs, _verify_reply, images=question.context.pictures)


def _verify_reply(reply: Any) -> Any:
    """Check that the reply is complete."""
    if isinstance(reply, replies.Labels) and not reply.types.names():
        raise ReplyFault("no type is true: at least one applies")
    if isinstance(reply, (replies.LabelsAndEdit, replies.Edit)) and not reply.edited.strip():
        raise ReplyFault("the rewritten weakness is empty: give it as it is where it needs no change")
    return reply


def _label_weakness(
    record: PaperRecord, question: _Question, answer: Answer[Any] | Missing, how: Labelling, name: str, by: str
) -> Record:
    """Add the entries of an answer to a weakness."""
    weakness = question.weakness
    heading = {"system": name, "by": by}
    mark = {"texts": weakness_mark(weakness, question.targets)}
    made = dict(weakness)
    if how.what != "edit":
        made["labels"] = replace_entry(weakness.get("labels"), {**heading, **_labels_of(answer), **mark})
    if how.what != "label":
        entry = {**heading, **_edit_weakness(record, question, answer), **mark}
        made["edited"] = replace_entry(weakness.get("edited"), entry)
    return made


def _labels_of(answer: Answer[Any] | Missing) -> Record:
    if isinstance(answer, Missing):
        empty = dict.fromkeys(("objectivity", "agreement", "types"))
        return {**empty, "reasons": dict.fromkeys(empty, answer.reason)}
    reply = answer.value
    reasons = {key: getattr(reply, f"reasoning_{key}") for key in ("objectivity", "agreement", "types")}
    values = {"objectivity": reply.objectivity, "agreement": reply.agreement, "types": reply.types.names()}
    return {**values, "reasons": reasons}


def _edit_weakness(record: PaperRecord, question: _Question, answer: Answer[Any] | Missing) -> Record:
    if isinstance(answer, Missing):
        return {"text": None, "changed": None, "reason": answer.reason}
    weakness, text = question.weakness, answer.value.edited.strip()
    sources = rewriter_sources(record, weakness, question.context.related.papers)
    anchors = compare_anchors(weakness["text"], text, sources, known_keys(record, sources))
    is_changed = text.split() != weakness["text"].split()
    return {"text": text, "changed": is_changed, "reason": answer.value.reasoning_edit, "anchors": anchors}
