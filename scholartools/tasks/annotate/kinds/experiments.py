"""Experiments of a paper with their reasons, and human ratings of planned experiments and explanations (AAAR-1.0)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Entry, Record, need, read
from scholartools.tasks.annotate.description import Candidate, Choice, Item, Kind, Part, Text, YesNo, only_rater
from scholartools.tasks.generate.experiments.first_experiment import cut_sections, first_experiment
from scholartools.tasks.judge.entailment import inputs as entailment
from scholartools.tasks.shared.items import candidates, references
from scholartools.tasks.shared.judgements import judgements, refuse_other_texts

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord

_LEVELS = {
    "A": "It is necessary: without it the main claim is not supported.",
    "B": "It is optional: it would supplement the experiments.",
    "C": "It is unrelated to what the paper claims.",
}
#: Roles of sections, after the start of the experiments, that report no experiment of the paper itself.
_OTHERS = ("appendix", "reference", "acknowledgement", "related", "conclusion", "future", "limitation", "ethics")


def _about(record: PaperRecord) -> list[Part]:
    """Title and abstract of a paper, if present."""
    texts = (("title", "Title", read(record, "title")), ("abstract", "Abstract", read(record, "abstract")))
    return [Part(name, heading, text) for name, heading, text in texts if text]


def _sections(record: PaperRecord) -> Iterator[Item]:
    """Each section after the start of the experiments that may report one."""
    paper = str(record.get("id"))
    _, later = cut_sections(need(record, "sections", "run st-parse first"), first_experiment(record, []))
    for section in later:
        if section["text"].strip() and section["role"] not in _OTHERS:
            parts = (*_about(record), Part("section", section["heading"] or "Section", section["text"], section["id"]))
            yield Item(f"{paper}/{section['id']}", paper, paper, parts)


def _put_experiments(record: Record, given: Mapping[str, Mapping[str, Record]]) -> Record:
    """The only rater's answers as ``experiments`` and ``explanations``; each line of an answer is an experiment."""
    by, paper = only_rater(given), str(record.get("id"))
    made: dict[str, list[Entry]] = {"experiments": [], "explanations": []}
    for section in read(record, "sections") or ():
        name = section["id"]
        if (said := given.get(f"{paper}/{name}")) is None:
            continue
        written = ((said[by].get(key) or "").splitlines() for key in ("experiment", "explanation"))
        done, why = ([line.strip() for line in lines if line.strip()] for lines in written)
        if len(done) != len(why) or bool(done) != said[by]["reports"]:
            told = f'"reports": {said[by]["reports"]}, {len(done)} experiments and {len(why)} explanations'
            raise InputFault(f'section "{name}" has {told}: one line for each, in the same order', kind="invalid-key")
        for number, (text, reason) in enumerate(zip(done, why, strict=True), 1):
            one = name if len(done) == 1 else f"{name}-{number}"
            span = {"in": name, "start": 0, "end": len(section["text"])}
            made["experiments"].append({"id": one, "text": text, "spans": [span]})
            made["explanations"].append({"id": one, "text": reason})
    return {**record, **made} if made["experiments"] else record


def _novel(record: Record) -> Iterator[Item]:
    """Each planned experiment that the paper does not cover according to the judgements, with the paper's list."""
    paper, sides = str(record.get("id")), entailment.read_sides(record, None, None)
    judged = judgements(record, "entail")
    if judged is None:
        raise InputFault('no "judgements.entail": run st-judge entail first', kind="missing-key")
    listed = tuple(Candidate(str(one.id), one.text) for one in sides.truths)
    for system, items in sides.systems.items():
        if system not in judged:
            continue
        refuse_other_texts(judged[system], "entail", entailment.heading(sides, system, "")["texts"])
        new = {one["id"] for one in judged[system]["candidates"] if one["entailed"] is False}
        for item in items:
            if item.id in new:
                parts = (*_about(record), Part("experiment", "Experiment", item.text))
                yield Item(f"{paper}/{system}/{item.id}", paper, paper, parts, listed, stratum=system)


def _explained(record: Record) -> Iterator[Item]:
    """Each explanation of an experiment, with the experiment; the system is hidden."""
    paper = str(record.get("id"))
    texts = {one.id: one.text for one in references(record, "experiments")}
    for system, items in candidates(record, "generated.explanations", leave_out_missing=True).items():
        for item in items:
            if item.id not in texts:
                reason = f'"{item.id}" of "{system}" explains no experiment of "experiments"'
                raise InputFault(reason, kind="invalid-key")
            parts = (
                *_about(record),
                Part("experiment", "Experiment", texts[item.id]),
                Part("explanation", "Explanation", item.text),
            )
            yield Item(f"{paper}/{system}/{item.id}", paper, f"{paper}/{item.id}", parts, stratum=system)


KINDS = (
    Kind(
        "experiments",
        "Experiments of a paper",
        "a section of a paper",
        "A key experiment is one that the claims of the paper rest on. Write one a line, and a reason for each.",
        (
            YesNo("reports", "Does the section report key experiments?"),
            Text("experiment", "Which? Say what was done, one experiment a line.", is_required=False),
            Text("explanation", "Why was each of them made? One line each, in the same order.", is_required=False),
        ),
        _sections,
        _put_experiments,
        is_whole=True,
    ),
    Kind(
        "novel-experiments",
        "Experiments that a paper does not have",
        "an experiment that was proposed for a paper",
        "The candidates are the experiments that the paper has. Say how far the paper needs the one that was proposed.",
        (Choice("necessity", "How far does the paper need it?", values=tuple(_LEVELS), meanings=_LEVELS),),
        _novel,
    ),
    Kind(
        "explanations",
        "Explanations of experiments",
        "an experiment with an explanation of why it is made",
        "An explanation is acceptable where it says rightly what the experiment is for in this paper.",
        (YesNo("acceptable", "Is the explanation acceptable?"),),
        _explained,
    ),
)
