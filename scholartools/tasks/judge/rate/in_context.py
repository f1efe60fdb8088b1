"""icl: examples with human scores, then the text, without definition or criteria (Jain et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence

from scholartools.llm.engine import Engine
from scholartools.llm.prompts import json_lines
from scholartools.tasks.judge.rate.asking import rate_by_prompt
from scholartools.tasks.judge.rate.contract import Aspect, Item, Method, PlainText, Prompt, Rating, Sampling
from scholartools.tasks.judge.rate.inputs import show_parts

_PROMPT = Prompt("rate-icl", PlainText, Sampling(temperature=0), has_value=True)
#: Number of examples, as in the comparison of evaluation functions.
SHOWN = 5


class InContext(Method):
    """Shows the first examples of the aspect on the human scale; of the aspect only the name is given."""

    name = "icl"
    source = "Jain et al. 2023, arXiv 2306.01200"
    needs = frozenset({"examples"})
    prompts = (_PROMPT,)

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """As :meth:`Method.rate`."""
        scored = "score" if aspect.name in ("source", "text") else aspect.name
        examples = json_lines(
            {"source": show_parts(example.source), "text": example.candidate, scored: example.score}
            for example in (aspect.spec.examples or ())[:SHOWN]
        )
        criteria = aspect.criteria
        common = {
            "examples": examples,
            "aspect": aspect.name,
            "candidate_name": criteria.candidate_name,
            "source_name": criteria.source_name,
            "low": f"{aspect.scale[0]:g}",
            "high": f"{aspect.scale[1]:g}",
        }
        inputs = [{**common, "source": item.source, "candidate": item.text} for item in items]
        return [
            await rate_by_prompt(self, engine, _PROMPT, aspect, item, one)
            for item, one in zip(items, inputs, strict=True)
        ]


ICL = InContext()
