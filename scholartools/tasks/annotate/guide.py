"""Instructions for raters: in Markdown, editable in the folder of a batch, and as an HTML page."""

from __future__ import annotations

from collections.abc import Iterator

from scholartools.tasks.annotate.description import NONE, Choice, Kind, Number, Pick, Question, Scale, Spans, Winner

_SHEET_END = (
    "Answer each row independently, in the given order. Leave a cell empty until you have "
    "decided. If you cannot answer a row, write anything under `skip`, and the reason under "
    "`note`. Do not change the first column."
)
_PAGE_END = (
    "Answer each task independently, in the given order, and submit it. If you cannot answer "
    "a task, press Skip. The small digit or letter beside a label or choice is its keyboard "
    "shortcut, not part of the answer."
)
_PAGE = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>How to answer</title><style>body {{ '
    "font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem }}</style></head>\n"
    "<body>\n{}</body></html>\n"
)


def write_guide(kind: Kind, *, is_page: bool = False) -> str:
    """Instructions for raters on a kind and its questions.

    Args:
        is_page: whether raters answer in an annotation tool rather than in a sheet.
    """
    lines = [f"# {kind.title}", ""]
    lines += [kind.guide, ""] if kind.guide else []
    lines += [f"Each {'task' if is_page else 'row'} is {kind.unit}.", ""]
    for question in kind.questions:
        lines += [f"## {question.name}", "", question.text, "", *_answers(question, is_page=is_page), ""]
    return "\n".join(
        [*lines, "## How to answer" if is_page else "## How to fill in", "", _PAGE_END if is_page else _SHEET_END, ""]
    )


def as_html(guide: str) -> str:
    """Render a Markdown guide as HTML; embedded HTML is escaped."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).render(guide)


def as_page(guide: str) -> str:
    """Render a Markdown guide as a standalone HTML page."""
    return _PAGE.format(as_html(guide))


def _answers(question: Question, *, is_page: bool) -> Iterator[str]:
    if isinstance(question, Scale):
        yield f"{question.allowed}, in steps of {question.step:g}:"
        yield ""
        yield from (f"- {level}: {meaning}" for level, meaning in question.levels.items())
    elif isinstance(question, Number):
        yield f"A number, {question.allowed}."
    elif isinstance(question, Choice):
        yield _choice(question, is_page=is_page)
        yield ""
        yield from (
            f"- {value}: {question.meanings[value]}" if value in question.meanings else f"- {value}"
            for value in question.values
        )
    elif isinstance(question, (Spans, Pick)):
        yield (_on_page if is_page else _in_cells)(question)
    elif isinstance(question, Winner):
        yield f"{'Choose' if is_page else 'Write'} one of {question.allowed}."
    else:
        yield f"Answer with {question.allowed}."
    if not question.is_required:
        yield ""
        yield "This may be left empty."


def _choice(question: Choice, *, is_page: bool) -> str:
    if not question.is_many:
        return "One of these:"
    if question.at_least:
        more = f" Choose at least {question.at_least}."
    else:
        more = " If none applies, " + ('tick "None of them".' if is_page else f'write "{NONE}" under one of them.')
    return f"{'Tick' if is_page else 'Write x under'} each that applies.{more}"


def _in_cells(question: Spans | Pick) -> str:
    if isinstance(question, Pick):
        own = " or one passage, copied word for word" if question.custom_in else ""
        return f'Write the numbers of at most {question.at_most}{own}; if none fits, write "{NONE}".'
    labels = f" under its label ({', '.join(question.labels)})" if len(question.labels) > 1 else ""
    told = f'Copy each passage word for word{labels}, one per line. If you find none, write "{NONE}". '
    told += "Write a passage of several lines on one line, or with an empty line before and after it."
    return told + (
        f" {_rated(question)} Write it in the next column, a line for each passage." if question.rated else ""
    )


def _on_page(question: Spans | Pick) -> str:
    if isinstance(question, Pick):
        own = ', or choose the label "passage" and mark one passage' if question.custom_in else ""
        return f'Tick at most {question.at_most}{own}; if none fits, tick "none of them".'
    told = 'Choose a label, then mark the passage with the mouse. If there is no such passage, tick "There is none".'
    return told + (f" {_rated(question)} Choose it while the passage is selected." if question.rated else "")


def _rated(question: Spans) -> str:
    scale = question.rated
    levels = "" if scale is None else " ".join(f"{level}: {meaning}" for level, meaning in scale.levels.items())
    return "" if scale is None else f"{scale.text} {scale.allowed}{f' ({levels})' if levels else ''}."
