"""Rate the texts of a record by methods with a model, and by baselines."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scholartools.errors import InputFault, ModelFault, UsageFault
from scholartools.llm.answers import Answer, Missing, tell_missing
from scholartools.llm.engine import Engine
from scholartools.llm.settings import Settings, refuse_equal_samples
from scholartools.llm.task import sign
from scholartools.llm.usage.forecast import STAGE
from scholartools.parameters import parameter
from scholartools.records import Record, add_provenance
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.signature import fingerprint
from scholartools.tasks.judge.entries import COMMAND
from scholartools.tasks.judge.rate.contract import Aspect, How, Item, Method, Rating
from scholartools.tasks.judge.rate.entries import TASK, make_entry, refuse_other_texts, with_ratings
from scholartools.tasks.judge.rate.form_filling import NotPrepared
from scholartools.tasks.judge.rate.inputs import Where, group_paths, items_of, leaks, missing_systems, warn_of_orders
from scholartools.tasks.judge.rate.own_methods import rate_group
from scholartools.tasks.judge.rate.pools import Pools
from scholartools.tasks.shared.items import tell_all_missing

BUILTIN = "builtin"
NO_TEXT = "no text"


class Rater:
    """Rates texts by methods and aspects; a single object per run, so that steps etc. are generated once."""

    def __init__(
        self, criteria: Criteria, specs: Sequence[AspectCriteria], methods: Sequence[Method], where: Where, how: How
    ) -> None:
        """Check the requirements, without requests.

        Raises:
            UsageFault: an aspect does not meet the requirements of a method.
        """
        self.criteria, self.specs, self.how = criteria, list(specs), how
        self.where = replace(where, groups=group_paths(self.specs))
        self.methods = [method.with_how(how) for method in methods]
        self.pools: Pools[list[Rated]] | None = None
        self._prepared: dict[tuple[str, str], asyncio.Future[Aspect]] = {}
        for method in self.methods:
            for spec in self.specs:
                method.check(method.aspect(criteria, spec))

    def check_settings(self, settings: Settings) -> None:
        """Check the model settings, before any call.

        Raises:
            UsageFault: several samples at temperature 0; or steps would be drafted without a cache to keep them.
        """
        for method in self.methods:
            if method.prompts and not method.is_builtin:
                sampling = method.prompts[-1].sampling
                _refuse_equal_samples(method, settings.parameters(0, sampling).get("temperature"))
        lacking = [method.lacks(method.aspect(self.criteria, spec)) for method in self.methods for spec in self.specs]
        if not settings.cache and any(lacking):
            part = next(filter(None, lacking))
            reason = f'the criteria have no "{part}", and without a cache each run would draft others'
            raise UsageFault(f"{parameter('cache', False)}: {reason}: make them first (st-judge fit)")

    async def rate(self, engine: Engine | None, record: Record) -> Record:
        """Add an entry under ``judgements.rate`` for each item, method and aspect to a copy of the record.

        A missing rating is null with a reason and reported under ``errors``; so is a rating with examples from the
        text's own paper.

        Raises:
            InputFault: there is no text, required context is missing, or an item of the same name at another path has
                ratings.
            ModelFault: the run must end.
        """
        pool = None if self.pools is None else self.pools.of(record)
        items = self._items(record)
        if pool is None:
            return self.put_in(engine, record, items, await self.rate_items(engine, items))
        if pool.work is None:
            pool.members = {id(one): self._members(one) for one in pool.records}
            together = [item for one in pool.records for item in pool.members[id(one)]]
            pool.work = asyncio.ensure_future(self.rate_items(engine, together))
        return self.put_in(engine, record, pool.members[id(record)], await asyncio.shield(pool.work))

    def _members(self, record: Record) -> list[Item]:
        """Items of a record in a pool; none if the record is invalid."""
        try:
            return self._items(record)
        except InputFault:
            return []

    def _items(self, record: Record) -> list[Item]:
        items = items_of(record, self.where)
        refuse_other_texts(record, items, {spec.name for spec in self.specs})
        return items

    async def rate_items(self, engine: Engine | None, items: Sequence[Item]) -> list[Rated]:
        """Rate items, as one pool for methods that rate jointly.

        A method that cannot be prepared only loses its own ratings; the run ends if no other is requested.
        """
        pairs = [(method, spec) for method in self.methods for spec in self.specs]
        found = await asyncio.gather(
            *(self._rate_aspect(engine, *pair, items) for pair in pairs), return_exceptions=True
        )
        lost = [(pair, fault) for pair, fault in zip(pairs, found) if isinstance(fault, NotPrepared)]
        if lost and len(lost) == len(pairs):
            (method, _), first = lost[0]
            raise ModelFault(f"{parameter('method', method.name)}: {first.reason}", kind=first.kind)
        found = [
            self._unprepared(*pair, items, one) if isinstance(one, NotPrepared) else one
            for pair, one in zip(pairs, found)
        ]
        faults = [fault for fault in found if isinstance(fault, BaseException)]
        for fault in sorted(faults, key=lambda fault: not isinstance(fault, ModelFault)):
            raise fault
        return [one for ratings in found for one in ratings]  # type: ignore[union-attr]

    async def _rate_aspect(
        self, engine: Engine | None, method: Method, spec: AspectCriteria, items: Sequence[Item]
    ) -> list[Rated]:
        STAGE.set(method.name)
        aspect = await self._prepare(engine, method, spec)
        unasked = {id(item): reason for item in items if (reason := _refusal_reason(method, spec, item))}
        asked = [item for item in items if id(item) not in unasked]
        groups = [asked] if method.unit == "pool" and asked else [[item] for item in asked]
        made = await asyncio.gather(*(rate_group(method, engine, aspect, group) for group in groups))
        ratings = {id(item): one for group, found in zip(groups, made) for item, one in zip(group, found)}
        scale = method.rating_scale(aspect)
        ratings |= {place: Rating(None, scale, reason=reason) for place, reason in unasked.items()}
        return [Rated(item, method, aspect, ratings[id(item)]) for item in items]

    def _unprepared(
        self, method: Method, spec: AspectCriteria, items: Sequence[Item], fault: NotPrepared
    ) -> list[Rated]:
        aspect = method.aspect(self.criteria, spec)
        scale = method.rating_scale(aspect)
        return [
            Rated(item, method, aspect, Rating(None, scale, reason=reason or fault.reason, answers=[fault.answer]))
            for item in items
            for reason in [_refusal_reason(method, spec, item)]
        ]

    async def _prepare(self, engine: Engine | None, method: Method, spec: AspectCriteria) -> Aspect:
        """Complete the aspect for a method, once for all records."""
        aspect = method.aspect(self.criteria, spec)
        if engine is None or method.is_builtin:
            return aspect
        key = (method.name, spec.name)
        if key not in self._prepared:
            self._prepared[key] = asyncio.ensure_future(method.prepare(engine, aspect))
        return await asyncio.shield(self._prepared[key])

    def put_in(self, engine: Engine | None, record: Record, items: Sequence[Item], rated: Sequence[Rated]) -> Record:
        """Add the entries of its items to a copy of the record, with provenance."""
        by = None if engine is None else engine.settings.model
        own = {id(item) for item in items}
        mine = [one for one in rated if id(one.item) in own]
        made = warn_of_orders(with_ratings(record, [one.entry(by) for one in mine]), items)
        if any(not method.is_builtin for method in self.methods) and engine is not None:
            self._sign_prompted(engine, made, items, [one for one in mine if not one.method.is_builtin])
        if any(method.is_builtin for method in self.methods):
            self._sign_builtin(made, items)
        missing = missing_systems(record, self.where)
        tell_all_missing(made, COMMAND, {self.where.candidate: missing}, TASK)
        return made

    def _sign_prompted(self, engine: Engine, made: Record, items: Sequence[Item], rated: Sequence[Rated]) -> None:
        lost = [(one.item.system, one.answer_or_missing) for one in rated]
        tell_missing(made, COMMAND, "ratings", lost, task=TASK)
        methods = [method for method in self.methods if not method.is_builtin]
        prompts = list(dict.fromkeys(prompt for method in methods for prompt in method.prompts))
        answers = [answer for one in rated for answer in (*one.aspect.made, *one.rating.answers)]
        pools = sorted({one.rating.batch["pool"] for one in rated if one.rating.batch})
        inputs = [*self._signed_options(methods, rated), [list(item) for item in items], pools]
        sign(engine, made, COMMAND, TASK, prompts, _unique_answers(answers), self._options(methods), inputs)

    def _sign_builtin(self, made: Record, items: Sequence[Item]) -> None:
        baselines = [method for method in self.methods if method.is_builtin]
        inputs = [*self._signed_options(baselines, []), [list(item) for item in items]]
        libraries = {name: value for baseline in baselines for name, value in baseline.parameters().items()}
        options = {**self._options(baselines), **libraries}
        add_provenance(made, COMMAND, TASK, method="builtin", options=options, input=inputs)

    def _signed_options(self, methods: Sequence[Method], rated: Sequence[Rated]) -> list[Any]:
        """All parameters that affect a rating besides the texts, including generated parts of aspects."""
        named = [[method.name, method.origin, method.scale] for method in methods]
        file = self.criteria.model_dump(exclude={"aspects"})
        made = {(one.method.name, one.aspect.name): one.aspect.spec.model_dump() for one in rated}
        specs = [spec.model_dump() for spec in self.specs]
        return [
            named,
            self.how.signature_parameters(),
            file,
            specs,
            sorted(made.items(), key=lambda pair: pair[0]),
            vars(self.where),
        ]

    def _options(self, methods: Sequence[Method]) -> Record:
        """Options for the provenance, in readable form."""
        own = {method.name: dict(method.origin) for method in methods if method.origin}
        differs = [
            spec.name for spec in self.specs if (spec.definition_for_people or spec.definition) != spec.definition
        ]
        return {
            "methods": [method.name for method in methods],
            "aspects": [spec.name for spec in self.specs],
            "scales": {spec.name: spec.scale for spec in self.specs},
            "criteria": fingerprint(self.criteria.model_dump()),
            "where": {name: value for name, value in vars(self.where).items() if value},
            **({"own": own} if own else {}),
            **({"people_had_another_definition": differs} if differs else {}),
            **({"context_words": self.where.context_words} if self.where.context_words else {}),
        }


def _refusal_reason(method: Method, spec: AspectCriteria, item: Item) -> str | None:
    """Why a text is not rated: it is blank, or an example of the method is from its own paper."""
    if not item.text.strip():
        return NO_TEXT
    if "examples" in method.needs and any(leaks(example, item) for example in spec.examples or ()):
        return "an example is of this paper, or is this text: leave it out of the criteria"
    return None


def _refuse_equal_samples(method: Method, temperature: float | None) -> None:
    try:
        refuse_equal_samples(method.n_samples, temperature)
    except UsageFault as fault:
        raise UsageFault(f"{parameter('method', method.name)}: {fault.reason}") from None


class Rated:
    """A rating with its item, method and aspect."""

    def __init__(self, item: Item, method: Method, aspect: Aspect, rating: Rating) -> None:
        """``aspect`` is the aspect prepared for the method."""
        self.item, self.method, self.aspect, self.rating = item, method, aspect, rating

    def entry(self, model: str | None) -> Record:
        """Entry of ``judgements.rate``."""
        by = BUILTIN if self.method.is_builtin or model is None else model
        return make_entry(self.item, self.method, self.aspect, by, self.rating)

    @property
    def answer_or_missing(self) -> Answer[Any] | Missing:
        """Missing if a model gave no score; blank texts are not requested and thus not missing.

        A score with an unusable explanation only lacks that.
        """
        calls = [key for answer in self.rating.answers for key in answer.calls]
        if self.rating.score is not None or self.rating.reason == NO_TEXT:
            is_bare = self.rating.is_explained and self.rating.explanation is None
            why = (lack for one in self.rating.answers if isinstance(one, Answer) for lack in one.lacks)
            lacks = [f"{self.method.name}, {self.aspect.name}: {next(why)}"] if is_bare else ()
            return Answer(self.rating.score, calls, None, lacks)
        reply = next((one.reply for one in self.rating.answers if isinstance(one, Missing) and one.reply), None)
        return Missing(f"{self.method.name}, {self.aspect.name}: {self.rating.reason}", "reply", calls, reply)


def _unique_answers(answers: Sequence[Answer[Any] | Missing]) -> list[Answer[Any] | Missing]:
    """Answers without repeated calls."""
    seen: set[str] = set()
    found = []
    for answer in answers:
        calls = [key for key in answer.calls if key not in seen]
        seen |= set(calls)
        found.append(answer._replace(calls=calls))
    return found
