"""Find what is wrong with a claim, from a review and independently by a model (CLAIMCHECK, section 4.2).

The reviewer's side is distilled from a weakness, one request per weakness and target. The model's side sees no review,
one request per claim; before a request is sent, it is checked for n-grams that occur in the reviews.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from scholartools.errors import InputFault, ScholartoolsError
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import ReplyFault
from scholartools.llm.task import Found, ask, ask_all
from scholartools.parameters import parameter
from scholartools.records import Record, name_of, read
from scholartools.tasks.claims import replies
from scholartools.tasks.claims.base import COMMAND, entry_of, items_of, paper_texts, review_text
from scholartools.tasks.claims.context import Context, Showing, check_files, check_length, check_pictures, context
from scholartools.tasks.claims.controls import count_unknown, undisputed_controls
from scholartools.tasks.claims.entries import choose_system, targets_of
from scholartools.tasks.claims.evidence import Evidence, Papers, evidence
from scholartools.tasks.claims.marks import refuse_changed_targets, verification_mark
from scholartools.tasks.claims.prompted.asking import finish_step, system_name
from scholartools.tasks.claims.prompted.label import gaps
from scholartools.text.ngrams import LENGTH, count_shared, ngrams
from scholartools.wording import count_of

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord, Target, Weakness

STEP = "verify"
DISTILL = Prompt("claims-distill", replies.Distilled)
VERIFY = Prompt("claims-verify", replies.Verified)

Side = Literal["reviewer", "model", "both"]

#: Instruction about the types for the model's side. With CLAIMCHECK's, the first, any weakness found is uninformative.
PRESUMPTION = {
    True: "At least one of these types of weakness applies, and several may:",
    False: "One or more of these types of weakness may apply, or none; where none applies, say why:",
}


@dataclass(frozen=True)
class Verifying:
    """Options of verification.

    Attributes:
        side: whose criticism is requested.
        showing: the context shown of the paper and of related ones.
        presume: whether the model's side is told that something is wrong with the claim.
        types: whether the reviewer's side is shown the types of the weakness.
        targets: system whose targets are read; None for the only one.
        labels: system whose types are shown; None for the only one.
        controls: on the model's side, add undisputed claims, as many as disputed ones if available.
    """

    side: Side = "both"
    showing: Showing = Showing()
    presume: bool = True
    types: bool = True
    targets: str | None = None
    labels: str | None = None
    controls: bool = False


@dataclass(frozen=True)
class _Question:
    side: Literal["reviewer", "model"]
    claim: Target
    weakness: Weakness | None
    types: Sequence[str] | None
    context: Context
    targets: Record
    is_control: bool = False


class _Authors(NamedTuple):
    """The systems whose targets are verified and whose types are shown; None for none."""

    targets: Record | None
    labels: Record | None


async def verify(engine: Engine, record: Record, *, how: Verifying | None = None, system: str | None = None) -> Record:
    """Add ``verifications`` by the model to a copy of the record; those of other systems are kept.

    Evidence is a stretch of the paper that it names, or one of its tables, figures and algorithms; other evidence is
    stored under ``rejected``. On the model's side, a claim with several weaknesses is verified once. A request without
    a usable reply, or with too many images, has a null ``text``, with the reason.

    Raises:
        InputFault: no ``weaknesses``, none with targets of the system, or stale targets.
        UsageFault: there are targets or labels of several systems and none is named.
        ModelFault: the run must end.
    """
    how = how or Verifying()
    by = system_name(engine, None)
    name = system or by
    authors = _choose_authors(record, how)
    questions = _questions_of(engine, record, how, authors)
    answers = await ask_all([_ask_question(engine, record, question, how) for question in questions])
    sides = ("reviewer", "model") if how.side == "both" else (how.side,)
    kept = [one for one in read(record, "verifications") or () if one["system"] != name or one["side"] not in sides]
    ids = _free_ids({one["id"] for one in kept}, len(questions))
    made = [
        {"id": id_, "system": name, "by": by, **_verification_entry(question, answer)}
        for id_, question, answer in zip(ids, questions, answers)
    ]
    parts = [
        (f"{question.side} {_subject_name(question)} {name}", answer) for question, answer in zip(questions, answers)
    ]
    prompts = [prompt for side, prompt in (("reviewer", DISTILL), ("model", VERIFY)) if side in sides]
    done = {**record, "verifications": [*kept, *made]}
    options, inputs = _provenance_options(how, name, authors), _inputs_of(questions)
    rejected, shown = _rejected_evidence(ids, answers), paper_texts(record)
    counts = gaps([one.context for one in questions])
    if how.controls:
        counts |= _lacking_controls(engine, record, questions)
    found = Found(done, "verifications", parts, prompts, options, inputs, counts)
    return finish_step(engine, STEP, found, rejected, shown, name)


def _lacking_controls(engine: Engine, record: Record, questions: Sequence[_Question]) -> Record:
    """Counts of missing or uncertain controls; the first such record is reported as a warning."""
    if n_unknown := count_unknown(record):
        told = f"what {count_of(n_unknown, 'weakness', 'weaknesses')} may dispute is not known, perhaps a control"
        engine.warn_once(f"{COMMAND} {STEP}: {name_of(record, 'id') or '(no id)'}: {told}")
    counts = {"weaknesses_without_targets": n_unknown} if n_unknown else {}
    of_model = [one for one in questions if one.side == "model"]
    n_controls = sum(one.is_control for one in of_model)
    n_wanted = len(of_model) - n_controls
    if n_controls == n_wanted:
        return counts
    told = f"{n_controls} of {n_wanted} controls: the paper has no more undisputed claims"
    engine.warn_once(f"{COMMAND} {STEP}: {name_of(record, 'id') or '(no id)'}: {told}")
    return {**counts, "controls_missing": n_wanted - n_controls}


def _provenance_options(how: Verifying, system: str, authors: _Authors) -> Record:
    """Options for the provenance."""
    options = {key: value for key, value in vars(how).items() if key != "showing"}
    return {**options, **authors._asdict(), "system": system, **how.showing.provenance_options()}


def _inputs_of(questions: Sequence[_Question]) -> list[Any]:
    """Inputs for the fingerprint in the signature."""
    inputs = [[one.claim["text"], one.weakness and one.weakness["text"], one.context.paper] for one in questions]
    return [*inputs, [one.context.pictures for one in questions]]


# Requests


def _choose_authors(record: PaperRecord, how: Verifying) -> _Authors:
    """Choose the systems whose targets and types are read.

    Raises:
        InputFault: no weakness has targets, or none of the named system.
        UsageFault: there are several systems and none is named.
    """
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    targets = choose_system(weaknesses, "targets", how.targets)
    if weaknesses and targets is None:
        raise InputFault('no "weaknesses.targets": run st-claims associate first', kind="missing-key")
    is_disputed = any((entry := entry_of(one, "targets", targets)) and entry["items"] for one in weaknesses)
    are_types_shown = how.types and how.side != "model" and is_disputed
    return _Authors(targets, choose_system(weaknesses, "labels", how.labels) if are_types_shown else None)


def _questions_of(engine: Engine, record: Record, how: Verifying, authors: _Authors) -> list[_Question]:
    claims = read(record, "claims")
    author = authors.targets
    refuse_changed_targets(record, author)
    check_files(engine, record, how.showing)
    if author is None:
        return []
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    pairs = [(weakness, target) for weakness in weaknesses for target in targets_of(weakness, claims, author) or ()]
    found = []
    if how.side != "model":
        for weakness, target in pairs:
            shown = context(record, [weakness["text"], target["text"]], how.showing)
            labels = entry_of(weakness, "labels", authors.labels)
            found.append(_Question("reviewer", target, weakness, labels and labels.get("types"), shown, author))
    if how.side != "reviewer":
        distinct = list({_span_of(target): target for _, target in pairs}.values())
        undisputed = undisputed_controls(record, claims or (), distinct) if how.controls else []
        for claim, is_control in [*zip(distinct, repeat(False)), *zip(undisputed, repeat(True))]:
            shown = context(record, [claim["text"]], how.showing)
            found.append(_Question("model", claim, None, None, shown, author, is_control))
    return found


def _span_of(target: Target) -> tuple[str, int, int]:
    span = target["spans"][0]
    return span["in"], span["start"], span["end"]


async def _ask_question(
    engine: Engine, record: Record, question: _Question, how: Verifying
) -> Answer[tuple[Evidence, Sequence[str] | None]]:
    prompt: Prompt[Any] = DISTILL if question.side == "reviewer" else VERIFY
    inputs = {"paper": question.context.paper, "claim": json.dumps(question.claim["text"], ensure_ascii=False)}
    review = ""
    if question.weakness is not None:
        review = review_text(record, question.weakness)
        told = f"Its types: {', '.join(question.types)}\n" if question.types else ""
        inputs |= {"review": review, "weakness": question.weakness["text"], "types": told}
    else:
        inputs["presumption"] = PRESUMPTION[how.presume]
        _refuse_leak(record, question, inputs)
    way_on = f"{parameter('context', 'retrieved')} shows the passages that bear on the claim"
    check_pictures(question.context.pictures, how.showing)
    check_length(engine, prompt, inputs, question.context.pictures, way_on)
    papers = Papers(record, question.context.related.papers, review)

    def verify_reply(reply: Any) -> tuple[Evidence, Sequence[str] | None]:
        types = reply.types.names() if isinstance(reply, replies.Verified) else question.types
        if isinstance(reply, replies.Verified) and how.presume and not types:
            raise ReplyFault("no type is true: at least one applies")
        return evidence(reply.evidence, reply.reasoning, papers), types

    return await ask(engine, prompt, inputs, verify_reply, images=question.context.pictures)


def _refuse_leak(record: PaperRecord, question: _Question, inputs: dict[str, str]) -> None:
    """Check that a prompt of the model's side shares no n-gram with a review, unless the papers contain it, too.

    Raises:
        ScholartoolsError: it does.
    """
    papers = [*paper_texts(record).values(), read(record, "title") or ""]
    papers += [text for paper in question.context.related.papers for text in paper_texts(paper).values()]
    own = {gram for text in papers for gram, _ in ngrams(text)}
    of_reviews = {gram for review in read(record, "reviews") or () for gram, _ in ngrams(review["text"])} - own
    sent = {gram for text in inputs.values() for gram, _ in ngrams(text)}
    if found := sorted(sent & of_reviews):
        reason = f'the prompt would show the model a review: it holds "{found[0]}", {LENGTH} words of one'
        raise ScholartoolsError(reason, kind="leak")


# Results


def _verification_entry(question: _Question, answer: Answer[tuple[Evidence, Sequence[str] | None]] | Missing) -> Record:
    target, weakness = question.claim, question.weakness
    claim = {"id": target.get("claim"), "text": target["text"], "spans": target["spans"]}
    entry = {
        "side": question.side,
        "claim": claim,
        "weakness": weakness and weakness["id"],
        "targets": question.targets,
        "texts": verification_mark(target["text"], weakness),
        **({"control": True} if question.is_control else {}),
    }
    if isinstance(answer, Missing):
        return {**entry, "types": None, "text": None, "evidence": None, "cited": None, "reason": answer.reason}
    found, types = answer.value
    if found.text is None:
        more: Record = {"reason": "; ".join(answer.lacks)}
    else:
        more = {"copied": count_shared(found.text, weakness["text"])} if weakness else {}
    return {**entry, "types": types, "text": found.text, "evidence": found.items, "cited": found.cited, **more}


def _rejected_evidence(
    ids: Sequence[str], answers: Sequence[Answer[tuple[Evidence, Sequence[str] | None]] | Missing]
) -> list[Record]:
    """The rejected evidence, with the ids of the verifications."""
    given = [(id_, answer.value[0]) for id_, answer in zip(ids, answers) if not isinstance(answer, Missing)]
    return [{"verification": id_, **entry} for id_, found in given for entry in found.rejected]


def _subject_name(question: _Question) -> str:
    span = question.claim["spans"][0]
    claim = question.claim.get("claim") or f"{span['in']}:{span['start']}"
    return f"{question.weakness['id']}/{claim}" if question.weakness else str(claim)


def _free_ids(taken: set[str], n: int) -> list[str]:
    """The first n free ids of the form v1, v2, ..."""
    free: list[str] = []
    number = 0
    while len(free) < n:
        number += 1
        if f"v{number}" not in taken:
            free.append(f"v{number}")
    return free
