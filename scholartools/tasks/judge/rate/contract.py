"""What a method of rating is: ours and a user's own are objects of one type, :class:`Method`.

A method of one's own in a module on the path::

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

#: What a method may need of an aspect, with what a criteria file calls it.
NEEDS = {"definition": "definition", "anchors": "low", "examples": "examples"}


class Item(NamedTuple):
    """One text to rate.

    Attributes:
        system: name of the system that wrote the text; no method shows it.
        id: name of the text among those of its system.
        path: dotted path of the text in the record.
        text: what is rated; blank where the record has none, and then no method is asked.
        source: what is shown beside the text (the abstract, say), as one text.
        paper: ``id`` of the record.
        groups: what the record has at the keys by which a fit distinguished papers: pairs of path and value.
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
        """A hash of the text and of what is shown beside it."""
        return fingerprint([self.text, self.source])


class Aspect(NamedTuple):
    """One aspect as a method is asked about it.

    Attributes:
        criteria: the whole criteria file.
        spec: what that file says of this aspect, with what :meth:`Method.prepare` adds (steps, sub-aspects).
        scale: lowest and highest score that is asked for.
        made: the model's answers of which :meth:`Method.prepare` made those steps or sub-aspects in this run.
    """

    criteria: Criteria
    spec: AspectCriteria
    scale: tuple[float, float]
    made: Sequence[Answer[Any] | Missing] = ()

    @property
    def name(self) -> str:
        """The aspect's name in the criteria file."""
        return self.spec.name

    @property
    def is_peoples_scale(self) -> bool:
        """Whether the scale asked for is the one on which people rated."""
        return list(self.scale) == self.spec.scale


#: All sub-aspects of coascore are scored in one call.
ONE_CALL = "one-call"


@dataclass(frozen=True)
class How:
    """What a user sets about methods; None leaves it to the method.

    Attributes:
        samples: how often each rating is asked for.
        weights: of geval: "samples" (the mean of samples), or "logprobs" (the mean of the scale's scores, weighted by
            the probabilities of their tokens in one reply).
        parse: how a score is read in a reply: "strict", or "published", as the published code does.
        combine: what is made of the samples of a rating: their "mean", "median" or "mode".
        min_samples: how many samples must have a score, else the rating is null; None: half of them.
        min_mass: with ``weights="logprobs"``, the least probability (0..1) that the scores of the scale have together,
            else the rating is null.
        steps: how many steps of evaluation a model drafts for an aspect that has none.
        sub_aspects: how many sub-aspects a model drafts for an aspect that has none, for coascore.
        coa: of coascore: "each" (a call for each sub-aspect) or "one-call" (all of them in one).
        use_steps: of analyze-rate and rate-explain: whether steps of evaluation are shown.
        batch_size: of batcheval: how many texts one call shows.
        rounds: of batcheval: how often each text is scored, each time among others.
        seed: of the batches of batcheval, and of the baseline that draws its scores by chance.
        keep_replies: whether the entries hold the raw replies.
        is_original_scale: whether methods that have a scale of their own are asked on it, not on people's.
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
        """What changes a result."""
        return vars(self).copy()


@dataclass
class Rating:
    """What a method says of one item and aspect.

    Attributes:
        score: on ``scale`` (None: a count, which has no highest), or None with a reason.
        made_of: "single", "samples", "logprobs" or "rounds".
        samples: of each the score, None where none could be read.
        answers: that it took: a value or why there is none, with the keys of their calls.
        is_explained: whether the score has an explanation; one that cannot be used is None.
        shares: of each answer's calls the part that is this item's, where that is not the whole: of a batch.
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
    """A way to rate items for an aspect; what differs is in the attributes and in :meth:`rate`.

    Attributes:
        name: on the command line and in records.
        source: who published it.
        unit: "item", or "pool": whether items are rated one by one or together.
        needs: what an aspect must have, of :data:`NEEDS`.
        scale: of its own, or None for people's.
        samples: that it takes of a rating where the user sets no number.
        prompts: all that it asks.
        is_builtin: whether it asks no model.
        origin: of a user's own method, where its object is and the hash of that file.
        how: what the user set.
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
        """A copy that rates as the user wants it."""
        made = copy.copy(self)
        made.how = how
        return made

    @property
    def n_samples(self) -> int:
        """Samples of a rating."""
        return self.how.samples or self.samples

    def aspect(self, criteria: Criteria, spec: AspectCriteria) -> Aspect:
        """An aspect as this method is asked about it."""
        own = self.scale if self.how.is_original_scale else None
        low, high = own or spec.scale
        return Aspect(criteria, spec, (low, high))

    def rating_scale(self, aspect: Aspect) -> tuple[float, float] | None:
        """The scale of the ratings for an aspect: the one that is asked for; None for a count, which has no highest."""
        return aspect.scale

    def check(self, aspect: Aspect) -> None:
        """Refuse an aspect that lacks what the method needs, before any call.

        Raises:
            UsageFault: it does.
        """
        for need in sorted(self.needs):
            wanted = ("low", "high") if need == "anchors" else (NEEDS[need],)
            if lacking := [name for name in wanted if not getattr(aspect.spec, name)]:
                reason = f'the aspect "{aspect.name}" has no "{lacking[0]}", which {self.name} needs in the criteria'
                raise UsageFault(f"{parameter('method', self.name)}: {reason}")

    def lacks(self, aspect: Aspect) -> str | None:
        """What :meth:`prepare` would have a model make, by the key that a criteria file has for it; None: nothing."""
        return None

    async def prepare(self, engine: Engine, aspect: Aspect) -> Aspect:
        """The aspect with what the method must have of it made once in a run: steps, sub-aspects. By default as is."""
        return aspect

    async def rate(self, engine: Engine, aspect: Aspect, items: Sequence[Item]) -> list[Rating]:
        """The rating of each item, in their order; all of a pool at once, else one item.

        Raises:
            ModelFault: the run must end.
        """
        raise NotImplementedError

    def parameters(self) -> Mapping[str, Any]:
        """What a signature must hold of the method beside its prompts: for baselines that depend on a library."""
        return {}
