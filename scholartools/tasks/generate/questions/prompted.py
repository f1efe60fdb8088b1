"""Write the research question of a paper with a model: one call per question, each variant as a separate system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scholartools.errors import UsageFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.replies import PlainText
from scholartools.llm.settings import Settings
from scholartools.llm.task import Found, ask, ask_all, finish
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.generate.entries import COMMAND, number_items, with_generated
from scholartools.tasks.generate.leakage import with_warnings
from scholartools.tasks.generate.questions.checks import describe_question, locate_phrase
from scholartools.tasks.generate.questions.inputs import (
    SECTIONS,
    TASK,
    ModelInput,
    check_sections,
    read_input,
    with_missing,
)
from scholartools.tasks.generate.questions.replies import (
    PROMPTS,
    VARIANTS,
    Question,
    read_question,
    read_structured,
)
from scholartools.tasks.shared.systems import sample_names


@dataclass(frozen=True)
class QuestionOptions:
    """Options for the generation of research questions.

    Attributes:
        variants: prompt variants, each a separate system.
        sections: roles or ids of the parts to read.
        items: number of questions per variant.
        system: prefix of the system names, None for the model; "+" and the variant are appended.
    """

    variants: tuple[str, ...] = VARIANTS
    sections: tuple[str, ...] = SECTIONS
    items: int = 1
    system: str | None = None

    def __post_init__(self) -> None:
        """Validate the options.

        Raises:
            UsageFault: an option is invalid.
        """
        check_sections(self.sections)
        if self.system is not None and not self.system.strip():
            raise UsageFault(f"{parameter('system')}: the name is empty")

    def check_settings(self, settings: Settings) -> None:
        """Check that several questions are not requested at temperature 0, where they would be identical.

        Raises:
            UsageFault: they are.
        """
        if self.items > 1 and settings.temperature == 0:
            together = f"{parameter('items', self.items)} and {parameter('temperature', '0')} cannot be used together"
            raise UsageFault(f"{together}: all questions would be the same")


_DEFAULT = QuestionOptions()
_Asked = Answer[Question] | Missing


async def questions(engine: Engine, record: Record, options: QuestionOptions = _DEFAULT) -> Record:
    """Add an entry under ``generated.questions`` for each variant and sample to a copy of the record.

    A question without a usable reply is listed with its reason and reported under ``errors``; a system without any
    question has null items.

    Raises:
        InputFault: none of the parts has text.
        ModelFault: the run must end.
    """
    given = read_input(record, options.sections)
    base = options.system or engine.settings.model
    plan = [
        (variant, name, sample)
        for variant in dict.fromkeys(options.variants)
        for sample, name in enumerate(sample_names(f"{base}+{variant}", engine.settings.samples))
    ]
    asked = [(variant, sample * options.items + place) for variant, _, sample in plan for place in range(options.items)]
    answers = await ask_all([_ask_question(engine, given, variant, sample) for variant, sample in asked])
    groups = [answers[n * options.items : (n + 1) * options.items] for n in range(len(plan))]
    by = engine.settings.model
    entries = [_entry(name, variant, by, given, group) for (variant, name, _), group in zip(plan, groups, strict=True)]
    result = with_missing(with_warnings(with_generated(record, TASK, entries), entries, "nothing"), given)
    parts = [(name, answer) for (_, name, _), group in zip(plan, groups, strict=True) for answer in group]
    prompts = [PROMPTS[variant] for variant in dict.fromkeys(options.variants)]
    inputs = given.text_with_headings()
    return finish(engine, COMMAND, TASK, Found(result, "questions", parts, prompts, vars(options), inputs))


async def _ask_question(engine: Engine, given: ModelInput, variant: str, sample: int) -> Answer[Question]:
    def verify(reply: PlainText) -> Question:
        return read_structured(reply) if variant == "structured" else read_question(reply)

    return await ask(engine, PROMPTS[variant], {"paper": given.text_with_headings()}, verify, sample=sample)


def _entry(name: str, variant: str, by: str, given: ModelInput, answers: Sequence[_Asked]) -> Record:
    made = [_item(answer.value, given) for answer in answers if answer.value is not None]
    lost = [answer.reason for answer in answers if isinstance(answer, Missing)]
    entry: Record = {"system": name, "variant": variant, "by": by}
    entry |= {"sections": [part.name for part in given.parts], "items": number_items(made or None)}
    if lost and not made:
        entry["reason"] = lost[0]
    return entry


def _item(question: Question, given: ModelInput) -> Record:
    item: Record = {"text": question.text, "problem": question.problem, "method": question.method}
    phrases = {"problem": question.problem, "method": question.method}
    located = {name: locate_phrase(phrase, given.parts) for name, phrase in phrases.items() if phrase}
    found = {name: span for name, span in located.items() if span}
    return {**item, **describe_question(question.text, given.source()), **({"located": found} if found else {})}
