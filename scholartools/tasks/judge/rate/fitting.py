"""Fit the criteria that methods need: from human scores (criteria, examples) or definitions (steps, sub-aspects)."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scholartools.errors import InputFault, UsageFault
from scholartools.io import Line
from scholartools.llm.engine import Engine
from scholartools.llm.usage.forecast import STAGE
from scholartools.parameters import parameter
from scholartools.paths import ABSENT, lookup
from scholartools.records import Record
from scholartools.schemas.criteria import AspectCriteria, Criteria, RatedExample
from scholartools.signature import fingerprint
from scholartools.tasks.judge.rate.calibration import Labelled, Search, calibrate
from scholartools.tasks.judge.rate.contract import How, Method
from scholartools.tasks.judge.rate.form_filling import CALIBRATED, GEVAL, draft_steps
from scholartools.tasks.judge.rate.inputs import Where, items_of, owners_of
from scholartools.tasks.judge.rate.sub_aspects import COASCORE, draft_sub_aspects
from scholartools.tasks.shared.blanks import Blanks, given_name
from scholartools.wording import count_of

#: Methods that can be fitted, and whether they need labels and a model.
FITS = {"autocalibrate": (True, True), "geval": (False, True), "coascore": (False, True), "icl": (True, False)}
#: Warn if there are fewer labelled texts.
FEW = 8
# Placeholder for the aspect's name in the path of labels.
_ASPECT = "{aspect}"
# Ratings include the record id, so no further group is needed for papers identified by it.
_ID = "id"


@dataclass(frozen=True)
class Fitting:
    """Options of a fit.

    Attributes:
        method: one of :data:`FITS`.
        label: path of the human score in an item; ``{aspect}`` is replaced by the aspect's name.
        group: path of the value that texts of one paper share; groups are not divided by the split.
        split: share of the groups used for the fit.
        seed: random seed of split and choice.
        examples: number of examples for icl.
        choice: their selection: "random", or "spread" over the levels.
        search: options of autocalibrate.
        how: numbers of steps and sub-aspects.
    """

    method: str
    label: str = "human.{aspect}"
    group: str = "id"
    split: float = 0.5
    seed: int = 0
    examples: int = 5
    choice: str = "spread"
    search: Search = Search()
    how: How = How()


def read_labelled(
    lines: Iterable[Line], where: Where, specs: Sequence[AspectCriteria], fitting: Fitting, blanks: Blanks | None = None
) -> dict[str, list[Labelled]]:
    """Labelled texts of the fitting part, by aspect, independent of the order of the input.

    Blank labels are missing, and counted by ``blanks``.

    Raises:
        InputFault: a record is unusable, a label is not on the scale, or an aspect has no labels or only equal ones.
        UsageFault: several aspects would have the same label.
    """
    if len(specs) > 1 and _ASPECT not in fitting.label:
        place = f"write {_ASPECT} in place of the aspect's name, or choose one aspect with {parameter('only')}"
        reason = f"one path for the scores of {len(specs)} aspects: {place}"
        raise UsageFault(f"{parameter('label', fitting.label)}: {reason}")
    where, blanks = replace(where, groups=(fitting.group,)), blanks or Blanks()
    found: dict[str, list[tuple[str, Labelled]]] = {spec.name: [] for spec in specs}
    groups: set[str] = set()
    for line in lines:
        try:
            if line.fault is not None:
                raise line.fault
            group = str(given_name(line.record, fitting.group))
            groups.add(group)
            for name, labelled in _labels_of(line.record, where, specs, fitting.label, blanks):
                found[name].append((group, labelled))
            blanks.commit()
        except InputFault as fault:
            raise InputFault(f"{line.where}: {fault.reason}", kind=fault.kind) from None
    chosen = _choose_groups(groups, fitting)
    golden = {name: [one for group, one in pairs if group in chosen] for name, pairs in found.items()}
    for name, chosen_ones in golden.items():
        if len({one.label for one in chosen_ones}) < 2:
            path = f'"{fitting.label.replace(_ASPECT, name)}" ({parameter("label")})'
            what = "all scores at {} are equal" if chosen_ones else "no text has a score by people at {}"
            raise InputFault(f"{what.format(path)} in the papers that are used for fitting", kind="labels")
    return {name: sorted(of_aspect, key=_golden_order) for name, of_aspect in golden.items()}


def _golden_order(one: Labelled) -> tuple[str, ...]:
    return one.item.fingerprint, one.item.paper, *one.item[:2]


def _choose_groups(groups: set[str], fitting: Fitting) -> set[str]:
    ranked = sorted(groups, key=lambda group: fingerprint([fitting.seed, "split", group]))
    return set(ranked[: max(1, math.ceil(fitting.split * len(ranked)))])


def _labels_of(
    record: Record, where: Where, specs: Sequence[AspectCriteria], path: str, blanks: Blanks
) -> Iterator[tuple[str, Labelled]]:
    """Labelled texts of a record for each aspect; items without a label or text are skipped."""
    items = items_of(record, where)
    entries = [owner.record for owner in owners_of(record, where, items)]
    if not all(entries):
        raise InputFault(
            f'"{where.candidate}" has texts that are not objects, so they have no labels', kind="invalid-key"
        )
    for spec in specs:
        for entry, item in zip(entries, items, strict=True):
            label = blanks.take(lookup(entry, path.replace(_ASPECT, spec.name)))
            if label is ABSENT or label is None or not item.text.strip():
                continue
            low, high = spec.scale
            is_number = isinstance(label, (int, float)) and not isinstance(label, bool) and math.isfinite(label)
            if not is_number or not low <= label <= high:
                reason = f'the label {label!r} of "{item.id}" is no number on the scale {low:g} to {high:g}'
                raise InputFault(reason, kind="invalid-key")
            yield spec.name, Labelled(item, float(label))


async def fit(
    engine: Engine | None, criteria: Criteria, specs: Sequence[AspectCriteria], golden: dict[str, list[Labelled]],
    fitting: Fitting,
) -> Record:  # fmt: skip
    """The criteria file completed for the method; earlier fits for other methods are kept.

    Raises:
        ModelFault: the run must end, or no reply is usable.
    """
    STAGE.set(fitting.method)
    made = await asyncio.gather(*(_fit_aspect(engine, criteria, spec, golden, fitting) for spec in specs))
    by_name = {spec.name: spec for spec in made}
    aspects = [by_name.get(spec.name, spec) for spec in criteria.aspects]
    return criteria.model_copy(update={"aspects": aspects}).model_dump(exclude_defaults=True)


def tell_lost(made: Record, specs: Sequence[AspectCriteria], fitting: Fitting, **_: Any) -> Record:
    """Add ``errors`` to a copy of the criteria if parts of the search had no usable reply.

    Args:
        made: result of :func:`fit` with the same arguments.
        specs: the fitted aspects.
        fitting: options of the fit.
    """
    found = []
    for aspect in made["aspects"]:
        own = (aspect.get("fitted") or {}).get("autocalibrate")
        if fitting.method != "autocalibrate" or own is None or aspect["name"] not in {spec.name for spec in specs}:
            continue
        unscored = sum(one["n_unscored"] for one in own["tried"])
        counts = {"unusable drafts": len(own["unusable"]), "missing scores of texts by drafts": unscored}
        if told := [f"{count} {what}" for what, count in counts.items() if count]:
            found.append(f'"{aspect["name"]}": {", ".join(told)}')
    return {**made, "errors": [{"reason": "; ".join(found)}]} if found else made


async def _fit_aspect(
    engine: Engine | None, criteria: Criteria, spec: AspectCriteria, golden: dict[str, list[Labelled]], fitting: Fitting
) -> AspectCriteria:
    labelled = golden.get(spec.name, [])
    named: Record = {"seed": fitting.seed, "split": fitting.split, "label": fitting.label, "group": fitting.group}
    if fitting.method == "icl":
        chosen = choose_examples(labelled, fitting)
        examples = [_make_example(one) for one in chosen]
        return _fitted_aspect(spec, chosen, "icl", {**named, "choice": fitting.choice}, {"examples": examples})
    assert engine is not None
    model = {"model": engine.settings.model}
    if fitting.method == "autocalibrate":
        aspect = CALIBRATED.with_how(fitting.how).aspect(criteria, spec)
        found = await calibrate(engine, aspect, labelled, fitting.search)
        how = {"sizes": list(fitting.search.sizes), "trials": fitting.search.trials, "top": fitting.search.top}
        return _fitted_aspect(spec, labelled, "autocalibrate", {**named, **model, **how, **found}, {})
    method: Method = GEVAL if fitting.method == "geval" else COASCORE
    aspect = method.with_how(fitting.how).aspect(criteria, spec)
    if fitting.method == "geval":
        drafted = await draft_steps(engine, aspect, fitting.how.steps)
    else:
        drafted = await draft_sub_aspects(engine, aspect, fitting.how.sub_aspects)
    calls = sorted({call for answer in drafted.made for call in answer.calls})
    return _fitted_aspect(drafted.spec, [], fitting.method, {**model, "calls": calls}, {})


def calls_of(criteria: Criteria) -> list[str]:
    """Keys of the calls by which a criteria file was fitted."""
    fitted = [(aspect.fitted or {}).get(method) or {} for aspect in criteria.aspects for method in FITS]
    return [call for one in fitted if isinstance(one.get("calls"), list) for call in one["calls"]]


def _fitted_aspect(
    spec: AspectCriteria, used: Sequence[Labelled], method: str, said: Record, update: Record
) -> AspectCriteria:
    """The fitted aspect, with the papers and texts used, by which ratings of these are recognised."""
    before = spec.fitted or {}
    seen: Record = {
        "papers": sorted({*before.get("papers", ()), *(one.item.paper for one in used)}),
        "texts": sorted({*before.get("texts", ()), *(fingerprint(one.item.text.split()) for one in used)}),
    }
    groups = {path: set(values) for path, values in before.get("groups", {}).items()}
    for path, value in (pair for one in used for pair in _telling_groups(one)):
        groups.setdefault(path, set()).add(value)
    if groups:
        seen["groups"] = {path: sorted(values) for path, values in groups.items()}
    items = [f"{one.item.paper}#{one.item.id}" for one in used]
    own = {**said, "n": len(used), "items": items} if used else said
    return spec.model_copy(update={**update, "fitted": {**before, **seen, method: own}})


def choose_examples(labelled: Sequence[Labelled], fitting: Fitting) -> list[Labelled]:
    """Select examples for icl, at most one per group, in random order: at random, or spread over the levels.

    With "spread", levels have equal numbers of examples as far as possible; the remainder covers the range evenly.

    Raises:
        UsageFault: there are fewer groups than examples.
    """
    chance = random.Random(f"{fitting.seed} examples")
    left = list(labelled)
    chance.shuffle(left)
    chosen: list[Labelled] = []
    while left and len(chosen) < fitting.examples:
        one = _choose_example(left, chosen, fitting, chance)
        chosen.append(one)
        left = [other for other in left if _group_of(other, fitting) != _group_of(one, fitting)]
    if len(chosen) < fitting.examples:
        reason = f"labelled texts are of {count_of(len(chosen), 'paper')} only, and each example is of another paper"
        raise UsageFault(f"{parameter('examples', fitting.examples)}: {reason}")
    chance.shuffle(chosen)
    return chosen


def _choose_example(
    left: Sequence[Labelled], chosen: Sequence[Labelled], fitting: Fitting, chance: random.Random
) -> Labelled:
    """Select the next example; among the levels whose turn it is, the one with the fewest groups comes first."""
    if fitting.choice == "random":
        return left[0]
    counts = Counter(one.label for one in chosen)
    groups: dict[float, set[str]] = {}
    for one in left:
        groups.setdefault(one.label, set()).add(_group_of(one, fitting))
    fewest = min(counts[level] for level in groups)
    turn = sorted(level for level in groups if counts[level] == fewest)
    if fitting.examples - len(chosen) >= len(turn):
        level = min(turn, key=lambda level: len(groups[level]))
    else:
        held = [level for level, count in counts.items() if count > fewest]
        level = _farthest_level(turn, held, fitting.examples - len(chosen), chance)
    return next(one for one in left if one.label == level)


def _farthest_level(levels: Sequence[float], held: Sequence[float], count: int, chance: random.Random) -> float:
    """The level farthest from those with one more example; without any, an end of the range, or a random last one."""
    if not held:
        return chance.choice([levels[0], levels[-1]] if count > 1 else levels)
    apart = {level: min(abs(level - other) for other in held) for level in levels}
    return chance.choice([level for level in levels if apart[level] == max(apart.values())])


def _group_of(one: Labelled, fitting: Fitting) -> str:
    return dict(one.item.groups)[fitting.group]


def _make_example(one: Labelled) -> RatedExample:
    return RatedExample(
        source={"paper": one.item.source}, candidate=one.item.text, score=one.label,
        id=f"{one.item.paper}#{one.item.id}", group=dict(_telling_groups(one)),
    )  # fmt: skip


def _telling_groups(one: Labelled) -> list[tuple[str, str]]:
    """Values that identify an item's paper, besides the id of its record."""
    return [(path, value) for path, value in one.item.groups if path != _ID]
