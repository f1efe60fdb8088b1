"""What raters are told, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.tasks.annotate.description import NONE, Choice, Kind, Number, Pick, Question, Scale, Spans, Winner

_END = (
    "Answer every row by itself, in the order in which the rows stand, and leave a cell empty where you have not "
    "decided. Where a row cannot be answered, write anything under `skip`, and why under `note`. Leave the first "
    "column as it is."
)


def write_guide(kind: Kind) -> str:
    """What raters are told of a kind and of its questions."""
    lines = [f"# {kind.title}", ""]
    lines += [kind.guide, ""] if kind.guide else []
    lines += [f"Each row is {kind.unit}.", ""]
    for question in kind.questions:
        lines += [f"## {question.name}", "", question.text, "", *_answers(question), ""]
    return "\n".join([*lines, "## How to fill in", "", _END, ""])


def _answers(question: Question) -> Iterator[str]:
    if isinstance(question, Scale):
        yield f"{question.allowed}, in steps of {question.step:g}:"
        yield ""
        yield from (f"- {level}: {meaning}" for level, meaning in question.levels.items())
    elif isinstance(question, Number):
        yield f"A number, {question.allowed}."
    elif isinstance(question, Choice):
        many = (
            f" Choose at least {question.at_least}."
            if question.at_least
            else f' Where none applies, write "{NONE}" under one of them.'
        )
        yield "One of these:" if not question.is_many else f"Write x under each that applies.{many}"
        yield ""
        yield from (
            f"- {value}: {question.meanings[value]}" if value in question.meanings else f"- {value}"
            for value in question.values
        )
    elif isinstance(question, Spans):
        labels = f" under its label ({', '.join(question.labels)})" if len(question.labels) > 1 else ""
        yield f'Copy each passage word for word{labels}, one a line; where you find none, write "{NONE}".'
    elif isinstance(question, Pick):
        own = " or one passage, copied word for word" if question.custom_in else ""
        yield f'Write the numbers of at most {question.at_most}{own}; where none fits, write "{NONE}".'
    elif isinstance(question, Winner):
        yield f"Write one of {question.allowed}."
    else:
        yield f"Answer with {question.allowed}."
    if not question.is_required:
        yield "This may be left empty."
