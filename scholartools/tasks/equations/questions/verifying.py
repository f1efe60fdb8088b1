"""Certificates of records computed again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scholartools.errors import InputFault, ScholartoolsError
from scholartools.tasks.equations.certificates.certify import verify
from scholartools.tasks.equations.questions.edits import Edit, apply
from scholartools.tasks.equations.trees.tree import Unread
from scholartools.tasks.equations.trees.typesetting import typeset

Record = dict[str, Any]


def verify_record(record: Record) -> None:
    """Compute the certificates of a question, or of a pair that ``st-eqsynth compare`` certified, again.

    Raises:
        InputFault: the record holds none.
        ScholartoolsError: one is not what it should be; names the record and the option.
    """
    for name, positive, option in _certify_again(record):
        reason = verify(positive, option["latex"], option["certificate"]) or _check_option(positive, option)
        if reason:
            raise ScholartoolsError(f"{name}: certificate does not hold: {reason}", kind="certificate")


def _certify_again(record: Record) -> Iterator[tuple[str, str, Record]]:
    """Name, the paper's formula, and the option, of each certificate of a record."""
    name = str(record.get("id", "record"))
    if isinstance(record.get("certificate"), dict):
        texts = record.get("positive"), record.get("alternative")
        if not all(isinstance(text, str) for text in texts):
            raise InputFault('no "positive" and "alternative" for the certificate', kind="missing-key")
        yield name, str(texts[0]), {"latex": texts[1], "certificate": record["certificate"]}
        return
    options = _read_options(record)
    paper = [one["latex"] for one in options if one.get("origin") == "paper"]
    if len(paper) != 1:
        raise InputFault("one option must be the paper's", kind="invalid-key")
    _check_question(name, record, options, paper[0])
    for option in options:
        if option.get("origin") != "paper":
            if not isinstance(option.get("certificate"), dict):
                raise InputFault(f'option "{option.get("id")}" has no "certificate"', kind="missing-key")
            yield f"{name}, option {option.get('id')}", paper[0], option


def _read_options(record: Record) -> list[Record]:
    """The options of a question, each with its LaTeX."""
    options = record.get("options")
    if not isinstance(options, list) or not all(isinstance(one, dict) for one in options):
        raise InputFault('no "options" and no "certificate": st-eqsynth makes them', kind="missing-key")
    for option in options:
        if not isinstance(option.get("latex"), str):
            raise InputFault(f'option "{option.get("id")}" has no "latex" that is a text', kind="invalid-key")
        if not _are_edits(option.get("edits", [])):
            raise InputFault(f'"edits" of option "{option.get("id")}" are no edits', kind="invalid-key")
    return options


def _are_edits(edits: object) -> bool:
    types = {"op": str, "start": int, "end": int, "from": str, "to": str}
    return isinstance(edits, list) and all(
        isinstance(one, dict) and all(isinstance(one.get(key), kind) for key, kind in types.items()) for one in edits
    )


def _check_question(name: str, record: Record, options: list[Record], paper: str) -> None:
    """See that the paper's option is its equation and right, and that the order names each option once.

    Raises:
        ScholartoolsError: it is not so.
    """
    reason = None
    if any(option.get("origin") == "paper" and option.get("correct") is False for option in options):
        reason = 'the paper\'s option is not "correct"'
    ids = [option.get("id") for option in options]
    order = record.get("order", ids)
    if (
        not isinstance(order, list)
        or len(set(map(str, ids))) < len(ids)
        or sorted(map(str, order)) != sorted(map(str, ids))
    ):
        reason = '"order" does not name each option once'
    equation = record.get("equation")
    if isinstance(equation, dict) and not _is_typeset(equation.get("latex"), paper):
        reason = 'the paper\'s option is not the "equation"'
    if reason:
        raise ScholartoolsError(f"{name}: certificates do not hold: {reason}", kind="certificate")


def _is_typeset(latex: object, option: str) -> bool:
    """Whether an option is a formula in the one style of all options."""
    try:
        return isinstance(latex, str) and typeset(latex) == option
    except Unread:
        return False


def _check_option(positive: str, option: Record) -> str | None:
    """Why an option is not what its edits make of the paper's formula, or has not the verdict that it needs."""
    verdict = option["certificate"]["verdict"]
    if "correct" in option and (verdict == "same") != option["correct"]:
        return f'the verdict is "{verdict}", but "correct" is {str(option["correct"]).lower()}'
    if "edits" not in option:
        return None
    edits = [Edit(one["start"], one["end"], one["to"], one["op"]) for one in option["edits"]]
    if any(positive[one["start"] : one["end"]] != one["from"] for one in option["edits"]):
        return "an edit does not name what it changes"
    try:
        made = typeset(apply(positive, edits))
    except Unread as error:
        return error.reason
    return None if made == option["latex"] else "its edits make another formula"
