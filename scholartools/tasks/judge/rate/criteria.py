"""Read and validate criteria files in JSON or YAML, with one-line error messages."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import shape_fault
from scholartools.schemas.criteria import AspectCriteria, Criteria
from scholartools.vocabulary import CRITERIA

_BUILTIN = "builtin:"
# Tolerance, in steps, for scales that are not a whole number of steps.
_ROUNDING = 1e-9


def read_criteria(path: str) -> Criteria:
    """Read the criteria of a file; ``builtin:rq`` and ``builtin:summary`` are packaged.

    Raises:
        UsageFault: the file cannot be read or is invalid.
    """
    named = parameter("aspects", path)
    try:
        return _check(_load(path, named), named)
    except ValidationError as error:
        raise UsageFault(f"{named}: {_first_fault(error)}") from None


def _load(path: str, named: str) -> Any:
    if path.startswith(_BUILTIN):
        name = path.removeprefix(_BUILTIN)
        if name not in CRITERIA:
            raise UsageFault(
                f"{named}: no such criteria, there are {', '.join(_BUILTIN + known for known in CRITERIA)}"
            )
        text = (files("scholartools") / "criteria" / f"{name}.yaml").read_text(encoding="utf-8")
        return _parse_yaml(text, named)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageFault(f"{named}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageFault(f"{named}: not UTF-8") from None
    has_duplicate = False

    def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal has_duplicate
        made = dict(pairs)
        has_duplicate = has_duplicate or len(made) < len(pairs)
        return made

    try:
        made = json.loads(text, object_pairs_hook=make_object)
    except ValueError:
        return _parse_yaml(text, named)
    # The YAML parser gives line numbers, but rejects tabs that JSON allows.
    return _parse_yaml(text.replace("\t", " "), named) if has_duplicate else made


def _parse_yaml(text: str, named: str) -> Any:
    import yaml

    try:
        if (twice := _find_duplicate(yaml.compose(text, yaml.SafeLoader))) is not None:
            line = twice.start_mark.line + 1
            raise UsageFault(f'{named}: line {line}: "{twice.value}" occurs a second time')
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        where = getattr(error, "problem_mark", None)
        line = f" in line {where.line + 1}" if where else ""
        problem = f": {reason}" if (reason := getattr(error, "problem", None)) else ""
        raise UsageFault(f"{named}: neither JSON nor YAML{line}{problem}") from None


def _find_duplicate(root: Any) -> Any:
    """Node of the first duplicate key in an object of a YAML document; None if there is none."""
    open_nodes, seen = [root], set()
    found = []
    while open_nodes:
        node = open_nodes.pop()
        if id(node) in seen or not isinstance(getattr(node, "value", None), list):
            continue
        seen.add(id(node))
        pairs = [pair for pair in node.value if isinstance(pair, tuple)]
        keys = [key for key, _ in pairs if isinstance(key.value, str)]
        names = [(key.tag, key.value) for key in keys]
        found += [key for place, key in enumerate(keys) if names[place] in names[:place]]
        open_nodes += [value for _, value in pairs] or node.value
    return min(found, key=lambda key: key.start_mark.index, default=None)


def _check(value: Any, named: str) -> Criteria:
    if not isinstance(value, dict):
        raise UsageFault(f"{named}: the file does not contain an object")
    criteria = Criteria.model_validate(value)
    names = [aspect.name for aspect in criteria.aspects]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageFault(f'{named}: two aspects are named "{twice[0]}"')
    for aspect in criteria.aspects:
        if (fault := _fault_of(aspect)) is not None:
            raise UsageFault(f'{named}: aspect "{aspect.name}": {fault}')
    return criteria


def _fault_of(aspect: AspectCriteria) -> str | None:
    """Error in the scale of an aspect or in values on it."""
    if (fault := _fault_of_scale(aspect)) is not None:
        return fault
    low, high = aspect.scale
    for example in aspect.examples or ():
        if not low <= example.score <= high:
            return f"an example's score {example.score:g} is not on the scale {low:g} to {high:g}"
    groups = (aspect.fitted or {}).get("groups", {})
    if not isinstance(groups, dict) or not all(isinstance(values, list) for values in groups.values()):
        return '"fitted.groups" is no object of lists'
    subs = [sub.name for sub in aspect.sub_aspects or ()]
    if len(subs) > len(set(subs)):
        return "two sub-aspects have one name"
    return None


def _fault_of_scale(aspect: AspectCriteria) -> str | None:
    low, high = aspect.scale
    named = f"the scale {low:g} to {high:g}"
    if not (low < high and math.isfinite(high - low)):
        return f"{named} has its lowest score not below its highest, or no end"
    steps = (high - low) / aspect.step
    if abs(steps - round(steps)) > _ROUNDING:
        return f'{named} is no whole number of steps of {aspect.step:g} ("step")'
    for level in aspect.levels:
        if not _is_on(level, low, high):
            return f'the level "{level}" is not on {named}'
    if len({float(level) for level in aspect.levels}) < len(aspect.levels):
        return "two levels are one number"
    return None


def _is_on(level: str, low: float, high: float) -> bool:
    try:
        return low <= float(level) <= high
    except ValueError:
        return False


def _first_fault(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "extra_forbidden":
        return f'"{".".join(map(str, first["loc"]))}" is no key of a criteria file'
    return shape_fault(error)


def pick_aspects(criteria: Criteria, names: tuple[str, ...]) -> list[AspectCriteria]:
    """The named aspects, or all.

    Raises:
        UsageFault: a name is unknown.
    """
    known = {aspect.name: aspect for aspect in criteria.aspects}
    for name in names:
        if name not in known:
            raise UsageFault(f"{parameter('only', name)}: no such aspect, the criteria have {', '.join(known)}")
    return [aspect for name, aspect in known.items() if not names or name in names]
