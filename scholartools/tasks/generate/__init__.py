"""What a model writes about a paper, kept under ``generated`` with one list a task.

- :mod:`.limitations`: those of the paper (BAGELS, section 4).
- :mod:`.weaknesses`, :mod:`.experiments`, :mod:`.explanations`: the tasks of AAAR-1.0.
- :mod:`.questions`: the research question of a paper.
- ``section_selection``: which sections are shown. ``redaction``: a paper without the limitations it states.
- ``corpus``: related papers, cut into passages and searched. ``leakage``: withheld text that got through.
- ``replies``: what of a list of texts can be used. ``entries``: how what was written goes into a record.
"""

from scholartools.tasks.generate.experiments.inputs import Showing, show_input
from scholartools.tasks.generate.experiments.prompted import experiments
from scholartools.tasks.generate.explanations.builtin import SYSTEM as COPY_INPUT
from scholartools.tasks.generate.explanations.builtin import copy_input
from scholartools.tasks.generate.explanations.builtin import needs_model as needs_model_or_copy
from scholartools.tasks.generate.explanations.prompted import explanations
from scholartools.tasks.generate.limitations import (
    RELATIONS,
    Corpus,
    Options,
    check,
    limitations,
    needs_model,
    read_corpus,
    related,
)
from scholartools.tasks.generate.questions.builtin import stated_aims
from scholartools.tasks.generate.questions.inputs import check_sections as check_question_sections
from scholartools.tasks.generate.questions.prompted import QuestionOptions, questions
from scholartools.tasks.generate.weaknesses.builtin import needs_model as needs_model_or_reviews
from scholartools.tasks.generate.weaknesses.builtin import read_reviews, related_weaknesses
from scholartools.tasks.generate.weaknesses.options import WeaknessOptions
from scholartools.tasks.generate.weaknesses.prompted import weaknesses

__all__ = [
    "COPY_INPUT", "RELATIONS", "Corpus", "Options", "Showing", "WeaknessOptions", "check", "copy_input", "experiments",
    "explanations", "limitations", "needs_model", "needs_model_or_copy", "needs_model_or_reviews", "read_corpus",
    "read_reviews", "related", "related_weaknesses", "show_input", "weaknesses",
]  # fmt: skip
__all__ += ["QuestionOptions", "check_question_sections", "questions", "stated_aims"]
