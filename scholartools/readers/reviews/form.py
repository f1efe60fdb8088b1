"""Convert the answers to a review form to one text with the span of each answer, and ratings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]


@dataclass
class Given:
    """The reviews of one paper.

    Attributes:
        paper: id of the paper in the file, or None.
        reviews: each ``{"id", "text"}``, and ``fields``, ``ratings`` and ``reviewer`` if the file has them.
        title: the paper's title if the file has it.
        warnings: omissions, in the form of a record's ``warnings``.
        note_ids: ids of reviews that a service assigned, which identify the same review in other files.
    """

    paper: str | None
    reviews: list[Record] = field(default_factory=list)
    title: str | None = None
    warnings: list[Record] = field(default_factory=list)
    note_ids: set[str] = field(default_factory=set)


# Questions that are answered by a choice or a number, under their names in various forms.
_CHOICES = re.compile(
    r"(\w*_)?(rating|score|confidence|recommendation|assessment|expertise)|soundness|presentation|contribution|"
    r"correctness|excitement|overall|reproducibility|originality|quality|clarity|significance|"
    r"(technical|empirical)_novelty_and_significance|flag_for_ethics_review|ethics_flag|needs_ethics_review|"
    r"ethical_concerns_flag|\w*code_of_conduct\w*|software|datasets|best_paper\w*|first_time_reviewer|"
    r"reviewer_certification|\w*acknowledgement|review_assessment:_\w+|knowledge_of_\w+|impact_of_knowledge_\w+|"
    r"\w+_compliance|ethical_concerns|paper_formatting_concerns"
)
# Answers that are choices for any question.
_SHORT_CHOICE = re.compile(r"(yes|no|n\.?/?a\.?|not applicable|none)[.!]?", re.IGNORECASE)
# Answers that identify persons: by their questions; profiles and e-mail addresses.
_PEOPLE = re.compile(r"secondary_reviewer\w*|authorids|\w*_profile")
_PERSON = re.compile(r"~[^\s,;]+?\d+|[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+")
_RATING = re.compile(r"-?\d+(?:\.\d+)?\s*(?::[^\n]{0,400}|/\s*\d+|(?:[ \t][^\W\d]+){0,3})")
_LONGEST_CHOICE = 400  # maximum characters
_MADE_TITLE = re.compile(r"(official )?review (of|by|for) .*", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """A question of a venue's form.

    Attributes:
        is_prose: whether the answer is free text, not a choice.
        choices: the possible answers, each with its description or None.
    """

    is_prose: bool
    choices: tuple[tuple[Any, str | None], ...] = ()


Form = Mapping[str, Question]


def review_of(answers: Record, *, only: str | None = None, form: Form | None = None) -> Record | None:
    """Build a review from the answers to its form, in the form's order.

    Args:
        form: the venue's form, which decides which answers are prose; for questions that it lacks, their names decide.
        answers: maps the name of each question to a text, a number or a list of choices.
        only: the question whose answer is the whole review; if no other answer is prose, the review is this answer
            without the question's name and without ``fields``.

    Returns:
        ``text`` (each prose answer below the name of its question), ``fields`` (the span of each of these answers) and
        ``ratings`` (the other answers, unchanged); None if no answer is prose.
    """
    answers = {key: answer for key, answer in answers.items() if not _names_person(_field_name(key), answer)}
    prose = {key: answer for key, answer in answers.items() if _is_prose(str(key), answer, form)}
    ratings = {
        _field_name(key): answer
        for key, answer in answers.items()
        if key not in prose and _field_name(key) != "title" and _is_given(answer)
    }
    if not prose:
        return None
    rated = {"ratings": ratings} if ratings else {}
    if only is not None and list(prose) == [only]:
        return {"text": prose[only], **rated}
    text = ""
    fields = []
    for key, answer in prose.items():
        text += ("\n\n" if text else "") + f"{_display_name(key)}:\n"
        fields.append({"name": _field_name(key), "start": len(text), "end": len(text) + len(answer)})
        text += answer
    return {"text": text, "fields": fields, **rated}


def _is_prose(key: str, answer: Any, form: Form | None = None) -> bool:
    """Whether an answer is prose: a text that is neither a choice nor a number with its description."""
    if not isinstance(answer, str) or not answer.strip():
        return False
    if _field_name(key) == "title" and _MADE_TITLE.fullmatch(answer.strip()):
        return False
    question = (form or {}).get(_field_name(key))
    if question is not None:
        return question.is_prose and not _SHORT_CHOICE.fullmatch(answer.strip())
    short = "\n" not in answer.strip() and len(answer) <= _LONGEST_CHOICE
    if _SHORT_CHOICE.fullmatch(answer.strip()):
        return False
    return not (short and (_CHOICES.fullmatch(_field_name(key)) or _RATING.fullmatch(answer.strip())))


def _names_person(field: str, answer: Any) -> bool:
    """Whether an answer is the profile or the address of a person, which must not be recorded."""
    if _PEOPLE.fullmatch(field):
        return True
    parts = answer if isinstance(answer, list) else [answer]
    return bool(parts) and all(isinstance(part, str) and _PERSON.fullmatch(part.strip()) for part in parts)


def _is_given(answer: Any) -> bool:
    """Whether a choice was made: a number, a non-blank text, or a non-empty list."""
    if isinstance(answer, str):
        return bool(answer.strip())
    return isinstance(answer, (int, float)) or (isinstance(answer, list) and bool(answer))


def _field_name(key: Any) -> str:
    """A question's name in lower case with underscores."""
    return "_".join(str(key).casefold().split())


def _display_name(key: Any) -> str:
    """A question's name as a heading: ``Strengths and weaknesses``."""
    words = " ".join(str(key).replace("_", " ").split())
    return words[:1].upper() + words[1:]
