"""The answers of a review form as one text, with the place of each, and its ratings."""

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
        paper: the id that the file gives the paper, or None.
        reviews: each ``{"id", "text", "fields", "ratings", "reviewer"}`` as far as the file says; id and text always.
        title: the paper's title where the file has it.
        warnings: what was left out, as a record's ``warnings``.
        note_ids: ids of reviews that a service gave them: by these a review is known again in another file.
    """

    paper: str | None
    reviews: list[Record] = field(default_factory=list)
    title: str | None = None
    warnings: list[Record] = field(default_factory=list)
    note_ids: set[str] = field(default_factory=set)


# Questions that are answered by a choice or a number, whatever the form of the year calls them.
_CHOICES = re.compile(
    r"(\w*_)?(rating|score|confidence|recommendation|assessment|expertise)|soundness|presentation|contribution|"
    r"correctness|excitement|overall|reproducibility|originality|quality|clarity|significance|"
    r"(technical|empirical)_novelty_and_significance|flag_for_ethics_review|ethics_flag|needs_ethics_review|"
    r"ethical_concerns_flag|\w*code_of_conduct\w*|software|datasets|best_paper\w*|first_time_reviewer|"
    r"reviewer_certification|\w*acknowledgement|review_assessment:_\w+|knowledge_of_\w+|impact_of_knowledge_\w+|"
    r"\w+_compliance|ethical_concerns|paper_formatting_concerns"
)
# An answer that is a choice, whatever the question.
_SHORT_CHOICE = re.compile(r"(yes|no|n\.?/?a\.?|not applicable|none)[.!]?", re.IGNORECASE)
# Answers that say who somebody is: questions for such, profiles and addresses of people.
_PEOPLE = re.compile(r"secondary_reviewer\w*|authorids|\w*_profile")
_PERSON = re.compile(r"~[^\s,;]+?\d+|[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+")
_RATING = re.compile(r"-?\d+(?:\.\d+)?\s*(?::[^\n]{0,400}|/\s*\d+|(?:[ \t][^\W\d]+){0,3})")
_LONGEST_CHOICE = 400  # characters
_MADE_TITLE = re.compile(r"(official )?review (of|by|for) .*", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """What a venue's own form says of a question.

    Attributes:
        is_prose: whether its answer is written out, and no choice.
        choices: the answers that there are, each with what it means, or None.
    """

    is_prose: bool
    choices: tuple[tuple[Any, str | None], ...] = ()


Form = Mapping[str, Question]


def review_of(answers: Record, *, only: str | None = None, form: Form | None = None) -> Record | None:
    """A review from the answers of its form, in the form's order.

    Args:
        form: the venue's own, which decides what is prose; for questions that it has not, their names do.
        answers: from the question as the form names it to a text, a number or a list of choices.
        only: the question whose answer is the review itself; it is given without its name, and has no place of its own,
            where no other answer is prose.

    Returns:
        ``text`` (every answer that is prose under the name of its question), ``fields`` (the place of each answer, word
        for word) and ``ratings`` (the other answers, as given); None where no answer is prose.
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
    """Whether an answer is written out: a text that is neither a choice nor a number with its meaning."""
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
    """Whether an answer is the profile or the address of a person, which no record may hold."""
    if _PEOPLE.fullmatch(field):
        return True
    parts = answer if isinstance(answer, list) else [answer]
    return bool(parts) and all(isinstance(part, str) and _PERSON.fullmatch(part.strip()) for part in parts)


def _is_given(answer: Any) -> bool:
    """Whether a choice was made: a number, a text that is not blank, or a list with something in it."""
    if isinstance(answer, str):
        return bool(answer.strip())
    return isinstance(answer, (int, float)) or (isinstance(answer, list) and bool(answer))


def _field_name(key: Any) -> str:
    """A question's name in lower case with underscores."""
    return "_".join(str(key).casefold().split())


def _display_name(key: Any) -> str:
    """A question's name for people: ``Strengths and weaknesses``."""
    words = " ".join(str(key).replace("_", " ").split())
    return words[:1].upper() + words[1:]
