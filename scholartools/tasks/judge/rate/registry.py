"""Methods by name: published ones, baselines without a model, and custom ones."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.tasks.judge.rate.batches import BATCHEVAL
from scholartools.tasks.judge.rate.builtin import BASELINES
from scholartools.tasks.judge.rate.contract import NEEDS, Method
from scholartools.tasks.judge.rate.form_filling import ANALYZE_RATE, CALIBRATED, DIRECT, GEVAL, RATE_EXPLAIN
from scholartools.tasks.judge.rate.in_context import ICL
from scholartools.tasks.judge.rate.sub_aspects import COASCORE

#: The methods with a model, in the order of the paper's table.
PUBLISHED: dict[str, Method] = {
    method.name: method for method in (CALIBRATED, DIRECT, GEVAL, ANALYZE_RATE, RATE_EXPLAIN, BATCHEVAL, COASCORE, ICL)
}
METHODS: dict[str, Method] = {**PUBLISHED, **{baseline.name: baseline for baseline in BASELINES}}
ALL = "all"
ENTRY_POINTS = "scholartools.rate_methods"


def pick_methods(names: Sequence[str], *, baselines: bool = False) -> list[Method]:
    """Look up methods: ``all`` for the published ones, ``package.module:OBJECT`` for a custom one.

    Args:
        names: in the user's order.
        baselines: whether to add all baselines.

    Raises:
        UsageFault: a name is unknown, or the object is not a method.
    """
    wanted = [one for name in names for one in (PUBLISHED if name == ALL else [name])]
    found = [_find(name) for name in dict.fromkeys(wanted)]
    known = {method.name for method in found}
    return found + [baseline for baseline in BASELINES if baselines and baseline.name not in known]


def _find(name: str) -> Method:
    if name in METHODS:
        return METHODS[name]
    if ":" in name:
        return _check(name, *_load(name))
    if (value := _entry_point(name)) is not None:
        return _check(name, *_load(value))
    near = difflib.get_close_matches(name, METHODS, n=2, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join([ALL, *METHODS])}"
    raise UsageFault(f"{parameter('method', name)}: there is no such method{hint}")


def _entry_point(name: str) -> str | None:
    """Location of a method that an installed package offers under a name."""
    from importlib.metadata import entry_points

    return next((point.value for point in entry_points(group=ENTRY_POINTS, name=name)), None)


def _load(name: str) -> tuple[Any, str]:
    """An object in a module, also searched in the working directory, and the path of the module."""
    module_name, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        module = importlib.import_module(module_name)
        return getattr(module, attribute), str(module.__file__)
    except Exception as error:  # any exception of a custom module
        reason = f"{type(error).__name__}: {error}"
        raise UsageFault(f"{parameter('method', name)}: cannot be loaded: {reason}") from None


def _check(name: str, found: Any, path: str) -> Method:
    made = found() if isinstance(found, type) and issubclass(found, Method) else found
    if not isinstance(made, Method) or not getattr(made, "name", None):
        raise UsageFault(f"{parameter('method', name)}: it is not a Method with a name")
    if made.unit not in ("item", "pool") or made.name in METHODS:
        taken = f'the name "{made.name}" is taken' if made.name in METHODS else f'its unit is "{made.unit}"'
        raise UsageFault(f"{parameter('method', name)}: {taken}")
    if unknown := sorted(set(made.needs) - set(NEEDS)):
        raise UsageFault(
            f'{parameter("method", name)}: it has the unknown need "{unknown[0]}"; known are {", ".join(NEEDS)}'
        )
    made.origin = {"object": name, "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]}
    return made
