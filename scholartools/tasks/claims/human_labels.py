"""Import human labels and targets of weaknesses, of one or more raters, from a table or JSONL file.

Each row is an answer: ``paper``, ``weakness``, ``rater``, then ``label`` and ``value`` for labels, or ``target`` for
targets: the id or the text of a claim, or "none". A blank value of a label ("", NA) is missing. Answer records of
``st-annotate import`` are also accepted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from scholartools.errors import InputFault, UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record, read
from scholartools.tasks.claims.answer_files import (
    NONE,
    AnswerFile,
    Answers,
    Passage,
    answers_of,
    parse_passage,
    parse_rating,
)
from scholartools.tasks.claims.base import BETWEEN_TEXTS, MOST_TARGETS, chosen_claim, items_of, paper_texts
from scholartools.tasks.claims.entries import refuse_overwriting, refuse_twins, replace_entry, same_name
from scholartools.tasks.claims.marks import refuse_stale, weakness_mark
from scholartools.tasks.claims.mentions import final_end, locate_passage
from scholartools.tasks.shared.blanks import is_blank
from scholartools.text.quotes import fold_text
from scholartools.vocabulary import WEAKNESS_SCALES, WEAKNESS_TYPES

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Claim, PaperRecord, Span, Target, Weakness

Direction = Literal["as-objectivity", "reversed"]

_YES = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}


def read_labels(path: str, direction: Direction | None = None) -> Answers:
    """Read the labels of a file, one per row: objectivity and agreement of 1 to 5, and the six types as 0 or 1.

    Args:
        path: path of the file, a table or JSONL.
        direction: meaning of a column "subjectivity": 5 is objective, as on CLAIMCHECK's scale, or subjective. None:
            such a column is an error.

    Raises:
        UsageFault: the file cannot be read, or a row is invalid; names file and line.
    """
    given: dict[tuple[str, str], dict[str, Any]] = {}
    file = AnswerFile(path, ("paper", "weakness", "rater", "label", "value", "text"))
    for where, row in file.rows():
        if file.take_record("labels", row, where, given):
            continue
        key = file.key(row, where)
        if row.get("label") in ("", None):
            raise UsageFault(f'{where}: no "label"')
        label, value = _parse_label(row, direction, where)
        if value is None:
            if label != "comment":  # comments are optional
                file.count_blank(row.get("value"))
            continue
        said = given.setdefault((key.paper, key.about), {}).setdefault(key.rater, {})
        if label in said:
            raise UsageFault(f"{where}: {key.rater} labels {label} of {key.paper}/{key.about} twice")
        said[label] = value
    return answers_of(file, "labels", given)


def read_targets(path: str) -> Answers:
    """Read the targets of a file, one per row; the target "none" means that the weakness has none.

    Raises:
        UsageFault: the file cannot be read, or a row is invalid; names file and line.
    """
    given: dict[tuple[str, str], dict[str, Any]] = {}
    file = AnswerFile(path, ("paper", "weakness", "rater", "target", "text"))
    for where, row in file.rows():
        if file.take_record("targets", row, where, given):
            continue
        key = file.key(row, where)
        if (target := parse_passage("target", row.get("target"), where)) is None:
            file.count_blank(row.get("target"))
            continue
        said = given.setdefault((key.paper, key.about), {}).setdefault(key.rater, [])
        if target in said or (said and NONE in (target, *said)):
            raise UsageFault(f"{where}: {key.rater} has contradicting or equal targets of {key.paper}/{key.about}")
        if len(said) == MOST_TARGETS:
            raise UsageFault(f"{where}: {key.rater} has more than {MOST_TARGETS} targets of {key.paper}/{key.about}")
        said.append(target)
    return answers_of(file, "targets", given)


def add(record: Record, answers: Answers, used: Callable[[tuple[str, str]], None]) -> Record:
    """Add an entry for each rater to the ``weaknesses`` of a copy of the record; earlier answers are kept.

    Args:
        record: record with ``weaknesses``.
        answers: human answers.
        used: called with each weakness found in the file.

    Raises:
        InputFault: no ``weaknesses``; a target is neither a claim nor a passage of the paper, or is duplicate; a row
            shows another text of a weakness; a rater contradicts an earlier answer, or has the name of a model.
    """
    make = _label_entry if answers.kind == "labels" else _target_entry
    made = []
    weaknesses = items_of(record, "weaknesses", "weaknesses")
    for weakness in weaknesses:
        key = (str(record.get("id")), weakness["id"])
        entries: Any = weakness.get(answers.kind)
        if key in answers.given:
            used(key)
            _refuse_other_text(weakness, answers.shown.get(key))
        for rater, said in answers.given.get(key, {}).items():
            refuse_overwriting([weakness], answers.kind, rater, rater)
            earlier = _earlier_entry(cast("Weakness", {**weakness, answers.kind: entries}), answers.kind, rater)
            mark = {"texts": weakness_mark(weakness)}
            entry = {"system": rater, "by": rater, **make(record, weakness, said, earlier), **mark}
            if answers.kind == "targets":
                refuse_twins(weakness, entry)
            entries = replace_entry(entries, entry)
        made.append({**weakness, answers.kind: entries} if entries else weakness)
    return {**record, "weaknesses": made}


def _refuse_other_text(weakness: Weakness, shown: tuple[str, str] | None) -> None:
    """Check that a row shows the current text of the weakness, as it would otherwise answer about another one.

    Raises:
        InputFault: the texts differ.
    """
    if shown is not None and fold_text(shown[0]) != fold_text(weakness["text"]):
        reason = f'{shown[1]}: "text" is not that of weakness "{weakness["id"]}": "{" ".join(shown[0].split())[:60]}"'
        raise InputFault(reason, kind="invalid-key")


def _earlier_entry(weakness: Weakness, kind: Any, rater: str) -> Record | None:
    """The earlier entry of a rater on a weakness.

    Raises:
        InputFault: it refers to another text, or the names differ only in case or spaces.
    """
    entries: Any = weakness.get(kind)
    for entry in entries or ():
        if entry["system"] == rater:
            if entry.get("texts") is not None:
                refuse_stale(weakness, entry, kind, "label" if kind == "labels" else "associate")
            return entry
        if same_name(entry["system"], rater):
            reason = f'the raters "{entry["system"]}" and "{rater}" differ only in case or spaces: use one name'
            raise InputFault(reason, kind="invalid-key")
    return None


def _keep_value(weakness: Weakness, name: str, before: Any, value: Any) -> Any:
    """Merge the earlier and the new value of a rater; either may be missing.

    Raises:
        InputFault: the two differ.
    """
    if before is not None and value is not None and before != value:
        told = f"{json.dumps(before)} before, {json.dumps(value)} in the file"
        reason = f'weakness "{weakness["id"]}": a rater has two values of {name}: {told}; take the one before away'
        raise InputFault(reason, kind="invalid-key")
    return before if value is None else value


def _label_entry(record: PaperRecord, weakness: Weakness, said: dict[str, Any], earlier: Record | None) -> Record:
    before = earlier or {}
    scales = {name: _keep_value(weakness, name, before.get(name), said.get(name)) for name in WEAKNESS_SCALES}
    comment = _keep_value(weakness, "comment", before.get("comment"), said.get("comment"))
    types = _merge_types(weakness, said, before.get("types"))
    return {**scales, "types": types, **({"comment": comment} if comment else {})}


def _merge_types(weakness: Weakness, said: dict[str, Any], before: list[str] | None) -> list[str] | None:
    """Merge a rater's types with earlier ones; if any type is given, blank ones count as 0.

    Raises:
        InputFault: all types are 0, or one contradicts the earlier value.
    """
    if before is not None:
        for name in WEAKNESS_TYPES:
            _keep_value(weakness, name, int(name in before), None if said.get(name) is None else int(said[name]))
        return before
    types = [name for name in WEAKNESS_TYPES if said.get(name)]
    if not types and any(said.get(name) is not None for name in WEAKNESS_TYPES):
        raise InputFault(f'weakness "{weakness["id"]}": a rater says that no type applies, but at least one must apply')
    return types or None


def _target_entry(record: PaperRecord, weakness: Weakness, said: list[str | Passage], earlier: Record | None) -> Record:
    claims = {claim["id"]: claim for claim in read(record, "claims") or ()}
    items = [] if said == [NONE] else [_parse_target(one, claims, record, weakness) for one in said]
    texts = sorted(_without_end(item["text"]) for item in items)
    given = None if earlier is None else earlier["items"]
    before = None if given is None else sorted(_without_end(one["text"]) for one in given)
    _keep_value(weakness, "targets", before, texts)
    return {"items": items}


def _parse_target(said: str | Passage, claims: Mapping[str, Claim], record: PaperRecord, weakness: Weakness) -> Target:
    text = said if isinstance(said, str) else said.text
    if said in claims:
        return chosen_claim(claims[text])
    if (same := _same_claim(text, claims.values())) is not None:
        return chosen_claim(same)
    named = paper_texts(record)
    span = None if isinstance(said, str) else _place_in_paper(said, named)
    if span is None:
        place = locate_passage(text, named)
        if isinstance(place, str):
            reason = f'a target of weakness "{weakness["id"]}" is no claim and {place}: "{text[:60]}"'
            raise InputFault(reason, kind="invalid-key")
        span = {"in": place.name, "start": place.match.start, "end": place.match.end}
    source = named[span["in"]]
    span = {**span, "end": final_end(source, span["start"], span["end"])}
    found = source[span["start"] : span["end"]]
    there = [one for one in claims.values() if _overlaps(one["spans"][0], span)]
    if (same := _same_claim(found, there)) is not None:
        return chosen_claim(same)
    return {"claim": None, "custom": True, "text": found, "spans": [span]}


def _place_in_paper(passage: Passage, named: Mapping[str, str]) -> Span | None:
    """Span of a passage marked in the text of :func:`whole_paper`; None if it is not within a single text."""
    start = -1 if passage.start is None else passage.start
    for name, text in named.items():
        if start >= 0 and text.startswith(passage.text, start):
            return {"in": name, "start": start, "end": start + len(passage.text)}
        start -= len(text) + len(BETWEEN_TEXTS)
    return None


def _same_claim(text: str, claims: Collection[Claim]) -> Claim | None:
    """The claim with a text: verbatim, or else up to typography, case and final punctuation, as for model replies."""
    if (same := next((one for one in claims if one["text"] == text), None)) is not None:
        return same
    wanted = _without_end(text)
    return next((one for one in claims if _without_end(one["text"]) == wanted), None)


def _without_end(text: str) -> str:
    return fold_text(text).rstrip(".,;:!?\"' ")


def _overlaps(first: Span, second: Span) -> bool:
    return first["in"] == second["in"] and first["start"] < second["end"] and second["start"] < first["end"]


def _parse_label(row: Record, direction: Direction | None, where: str) -> tuple[str, Any]:
    label, value = row.get("label"), row.get("value")
    if label == "comment":
        return "comment", value or None
    if label == "subjectivity":
        if direction is None:
            reason = (
                f'"subjectivity" may mean two things: give {parameter("subjectivity", "as-objectivity")} where its 5 '
                "is objective, or reversed where its 5 is subjective"
            )
            raise UsageFault(f"{where}: {reason}")
        rated = parse_rating("subjectivity", value, where)
        return "objectivity", 6 - rated if rated is not None and direction == "reversed" else rated
    if label in WEAKNESS_SCALES:
        return label, parse_rating(label, value, where)
    if label in WEAKNESS_TYPES:
        return str(label), _parse_flag(label, value, where)
    raise UsageFault(f'{where}: "{label}" is not a label: {", ".join([*WEAKNESS_SCALES, *WEAKNESS_TYPES])}')


def _parse_flag(label: str, value: Any, where: str) -> bool | None:
    if is_blank(value):
        return None
    flag = _YES.get(str(value).strip().lower())
    if flag is None:
        raise UsageFault(f"{where}: {label} must be 0 or 1, not {json.dumps(value)}")
    return flag
