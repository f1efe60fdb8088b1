"""st-generate questions: a model writes the research question of papers; without a model, sentences stating aims."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from scholartools.commands.shared.command import command
from scholartools.commands.shared.model_options import model_options, model_settings
from scholartools.commands.shared.options import NonEmpty, needs, option

if TYPE_CHECKING:
    from scholartools.pipeline.stream import Stream

_VARIANTS = ("plain", "format", "structured")


@command(
    "st-generate questions",
    examples=[
        (
            "st-parse papers/*.pdf | st-generate questions --model openai/gpt-4o-mini --output questions.jsonl",
            "Write three research questions of each paper, one per variant.",
        ),
        (
            "st-generate questions parsed.jsonl --items 3",
            "Without a model, find up to three sentences of each paper that ask a question or state an aim.",
        ),
    ],
)
@option(
    "--variant", "variants", type=click.Choice(_VARIANTS), multiple=True, conditions=needs("--model"),
    help="Variant of the prompt; may be repeated (default: all three).",
)  # fmt: skip
@option(
    "--sections", metavar="A,B,...", default="abstract,introduction", show_default=True,
    help="Roles or ids of the sections that the model reads; each section includes its subsections.",
)  # fmt: skip
@option(
    "--items", metavar="N", type=click.IntRange(min=1), default=1, show_default=True,
    help="Number of questions per variant of the prompt; without a model, maximum number of sentences to quote per "
         "paper.",
)  # fmt: skip
@option(
    "--system", metavar="NAME", type=NonEmpty(), conditions=needs("--model"),
    help="First part of the system names, which have the form NAME+VARIANT (default: the name of the model).",
)  # fmt: skip
@model_options
def questions(stream: Stream, **options: Any) -> int:
    """Write the research question of each paper.

    The model reads the abstract and the introduction, and writes one question per variant of the prompt. The variant
    `plain` asks for a precise question, and `format` for a question of the form "Can PROBLEM be solved by METHOD?". The
    variant `structured` lets the model reason first, and then write the problem and the method of the question between
    tags. The questions of each variant are stored as a separate system, MODEL+VARIANT, under `generated.questions`. If
    two replies do not have the form that the prompt requests, the question is missing with a reason, and the exit
    status is 1. The keys `form`, `flags` and `new_words` of a question have the results of checks, which reject no
    question.

    Without a model, st-generate questions quotes the sentences that ask a question or state an aim, with their offsets.
    If no sentence of a paper asks a question or states an aim, the list of questions is empty. See docs/generate.md.
    """
    from scholartools.tasks.generate.questions.builtin import stated_aims
    from scholartools.tasks.generate.questions.inputs import check_sections
    from scholartools.tasks.generate.questions.prompted import QuestionOptions, questions

    sections = tuple(options["sections"].split(","))
    if not options["model"]:
        check_sections(sections)
        return stream.map_records(functools.partial(stated_aims, sections=sections, items=options["items"]))
    from scholartools.pipeline.asking import ask_each

    chosen = QuestionOptions(options["variants"] or _VARIANTS, sections, options["items"], options["system"])
    settings = model_settings(options)
    chosen.check_settings(settings)
    return ask_each(stream, settings, functools.partial(questions, options=chosen))
