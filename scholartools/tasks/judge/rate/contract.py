"""The interface of rating methods: built-in and custom ones are objects of type :class:`Method`.

A custom method in a module on the path::

    from scholartools.tasks.judge.rate import Method, PlainText, Prompt, rate_by_prompt

    class Terse(Method):
        name, source, needs = "terse", "our own", frozenset({"definition"})
        prompts = (Prompt("terse", PlainText, own="[user]\\nRate {{scale}} for {{definition}}\\n{{candidate}}"),)

        async def rate(self, engine, aspect, items):
            prompt = self.prompts[0]
            told = {"definition": aspect.spec.definition, "scale": "{:g} to {:g}".format(*aspect.scale)}
            inputs = [{**told, "candidate": item.text} for item in items]
            return [await rate_by_prompt(self, engine, prompt, aspect, item, one) for item, one in zip(items, inputs)]

    METHOD = Terse()
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scholartools.errors import UsageFault
from scholartools.llm.answers import Answer, Missing
from scholartools.llm.engine import Engine
from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import PlainText
from scholartools.llm.sampling import Sampling
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.signature import fingerprint

__all__ = ["Aspect", "How", "Item", "Method", "PlainText", "Prompt", "Rating", "Sampling"]

#: Requirements that a method may have of an aspect, with their keys in a criteria file.
NEEDS = {"definition": "definition", "anchors": "low", "examples": "examples"}


class Item(NamedTuple):
    """A text to rate.

    Attributes:
        system: name of the system that wrote the text; never shown to a judge.
        id: id of the text within its system.
        path: dotted path of the text in the record.
        text: the rated text; blank if the record has none, in which case no method is used.
        source: displayed context of the text (such as the abstract), joined to one text.
        paper: ``id`` of the record.
        groups: values of the record that identify papers in a fit: pairs of path and value.
    """

    system: str
    id: str
    path: str
    text: str
    source: str
    paper: str
    groups: tuple[tuple[str, str], ...] = ()

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the text and its source."""
        return fingerprint([self.text, self.source])


class Aspect(NamedTuple):
    """An aspect as rated by a method.

    Attributes:
        criteria: the complete criteria file.
        spec: its part on the aspect, completed by :meth:`Method.prepare` (steps, sub-aspects).
        scale: lowest and highest requested score.
        made: the answers from which :meth:`Method.prepare` derived steps or sub-aspects in this run.
    """

    criteria: Criteria
    spec: AspectCriteria
    scale: tuple[float, float]
    made: Sequence[Answer[Any] | Missing] = ()

    @property
    def name(self) -> str:
        """Name of the aspect in the criteria file."""
        return self.spec.name

    @property
    def is_peoples_scale(self) -> bool:
        """Whether the requested scale is that of the human ratings."""
        return list(self.scale) == self.spec.scale


#: Value of ``coa`` with which coascore scores all sub-aspects in one call.
ONE_CALL = "one-call"


@dataclass(frozen=True)
class How:
    """Options of methods; None for the default of a method.

    Attributes:
        samples: number of samples per rating.
        weights: for geval: "samples" (mean of samples), or "logprobs" (mean of the scale's scores, weighted by their
            token probabilities in one reply).
        parse: parser of replies: "strict", or "published" for that of the published code.
        combine: aggregation of samples: "mean", "median" or "mode".
        min_samples: minimum number of samples with a score for a rating; None: half of them.
        min_mass: with ``weights="logprobs"``, minimum total probability (0..1) of the scale's scores for a rating.
        steps: number of evaluation steps drafted for an aspect without steps.
        sub_aspects: number of sub-aspects drafted for an aspect without any, for coascore.
        coa: for coascore: "each" (a call per sub-aspect) or "one-call" (one call for all).
        use_steps: for analyze-rate and rate-explain: whether to show evaluation steps.
        batch_size: for batcheval: texts per call.
        rounds: for batcheval: number of scores per text, in different batches.
        seed: random seed of batches, and of the random baseline.
        keep_replies: whether to store raw replies in the entries.
        is_original_scale: whether methods use their published scale instead of the human one.
    """

    samples: int | None = None
    weights: str = "samples"
    parse: str = "strict"
    combine: str = "mean"
    min_samples: int | None = None
    min_mass: float = 0.9
    steps: int = 5
    sub_aspects: int = 5
    coa: str = "each"
    use_steps: bool = True
    batch_size: int = 10
    rounds: int = 3
    seed: int = 0
    keep_replies: bool = False
    is_original_scale: bool = False

    def signature_parameters(self) -> dict[str, Any]:
        """Options that affect a result."""
        return vars(self).copy()


@dataclass
class Rating:
    """A method's result for one item and aspect.

    Attributes:
        score: score on ``scale`` (None for unbounded counts), or None with a reason.
        made_of: "single", "samples", "logprobs" or "rounds".
        samples: scores of the samples, None for unreadable ones.
        answers: underlying answers or the reasons of missing ones, with the keys of their calls.
        is_explained: whether the method gives explanations; an unusable explanation is None.
        shares: this item's share of each answer's calls, if it is not the whole, as for batches.
    """

    score: float | None
    scale: tuple[float, float] | None
    made_of: str = "single"
    reason: str | None = None
    samples: list[float | None] | None = None
    unparsed: dict[str, int] = field(default_factory=dict)
    spread: float | None = None
    distribution: dict[str, float] | None = None
    mass: float | None = None
    sub_scores: dict[str, float | None] | None = None
    explanation: str | None = None
    is_explained: bool = False
    batch: Record | None = None
    answers: Sequence[Answer[Any] | Missing] = ()
    shares: Sequence[float] | None = None


class Method:
    """A method to rate items for an aspect, defined by its attributes and :meth:`rate`.

    Attributes:
        name: name on the command line and in records.
        source: publication.
        unit: "item" or "pool": whether items are rated separately or together.
        needs: requirements of an aspect, from :data:`NEEDS`.
        scale: published scale; None for the human one.
        samples: default number of samples per rating.
        prompts: all prompts.
        is_builtin: whether it uses no model.
        origin: for custom methods, location of the object and hash of the file.
        how: options.
    """

    name: str
    source: str = ""
    unit: str = "item"
    needs: frozenset[str] = frozenset()
    scale: tuple[float, float] | None = None
    samples: int = 1
    prompts: Sequence[Prompt] = ()
    is_builtin: bool = False
    origin: Mapping[str, str] | None = None
    how: How = How()

    def with_how(self, how: How) -> Method:
        """A copy with given options."""
        made = copy.copy(self)
        made.how = how
        return made

    @property
    def n_samples(self) -> int:
        """Number of samples per rating."""
        return self.how.samples or self.samples

    def aspect(self, criteria: Criteria, spec: AspectCriteria) -> Aspect:
        """The aspect with the scale that this method requests."""
        own = self.scale if self.how.is_original_scale else None
        low, high = own or spec.scale
        return Aspect(criteria, spec, (low, high))

    def rating_scale(self, aspect: Aspect) -> tuple[float, float] | None:
        """Scale of the ratings for an aspect; None for unbounded counts."""
        return aspect.scale

    def check(self, aspect: Aspect) -> None:
        """Check that an aspect meets the requirements, before any call.

        Raises:
            UsageFault: it does not.
        """
        for need in sorted(self.needs):
            wanted = ("low", "high") if need == "anchors" else (NEEDS[need],)
            if lacking := [name for name in wanted if not getattr(aspect.spec, name)]:
                reason = f'the aspect "{aspect.name}" has no "{lacking[0]}", which {self.name} needs in the criteria'
                raise UsageFault(f"{parameter('method', self.name)}: {reason}")

    def lacks(self, aspect: Aspect) -> str | None:
        """Criteria file key of what :meth:`prepare` would generate by a model; None for nothing."""
        return None

    async def prepare(self, engine: Engine, aspect: Aspect) -> Aspect:
        """Complete the aspect once per run, for example by steps or sub-aspects. By default unchanged."""
        return aspect

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """Rate items, in order: a whole pool, or a single item.

        Raises:
            ModelFault: the run must end.
        """
        raise NotImplementedError

    def parameters(self) -> Mapping[str, Any]:
        """Further parameters for the signature: for baselines, libraries they depend on."""
        return {}
