"""The built-in kinds of annotation tasks, and those of files.

- :mod:`.weaknesses`: weaknesses in reviews, their targets, labels and rewritings (CLAIMCHECK).
- :mod:`.facets`: facets of abstracts and summaries (Facet-aware Metric). :mod:`.questions`: a criteria file.
- :mod:`.limitations`: extracted limitations, and pairs of limitations (BAGELS).
- :mod:`.comparisons`: the tasks of model judges, for human raters.
- :mod:`.experiments`: reported experiments with reasons, missing planned ones, explanations (AAAR-1.0).
- :mod:`.own`: custom kinds described in a file.
"""

from __future__ import annotations

from pathlib import Path

from scholartools.errors import UsageFault
from scholartools.tasks.annotate.description import Kind

# Module of each kind, imported on use.
_PLACES = {
    "weaknesses": "weaknesses",
    "targets": "weaknesses",
    "labels": "weaknesses",
    "edits": "weaknesses",
    "facet-spans": "facets",
    "limits-check": "limitations",
    "limits-pairs": "limitations",
    "specificity": "comparisons",
    "same-issue": "comparisons",
    "verifications": "comparisons",
    "entailment": "comparisons",
    "equations": "comparisons",
    "equation-choice": "comparisons",
    "segment-labels": "comparisons",
    "segments": "comparisons",
    "claims": "weaknesses",
    "facet-ratings": "facets",
    "questions": "questions",
    "experiments": "experiments",
    "novel-experiments": "experiments",
    "explanations": "experiments",
}
NAMES = tuple(_PLACES)
#: Entry points of packages with further kinds: objects of type Kind.
ENTRY_POINTS = "scholartools.annotation_kinds"


def find_kind(name: str) -> Kind:
    """Look up a kind by name: built-in, of a package, or of a YAML or criteria file.

    Raises:
        UsageFault: there is no such kind.
    """
    import importlib
    from importlib.metadata import entry_points

    if name in _PLACES:
        module = importlib.import_module(f"scholartools.tasks.annotate.kinds.{_PLACES[name]}")
        return next(kind for kind in module.KINDS if kind.name == name)
    if Path(name).suffix in (".yaml", ".yml"):
        from scholartools.tasks.annotate.kinds.own import read_kind

        return read_kind(name)
    if name.startswith("builtin:"):
        from scholartools.tasks.annotate.kinds.questions import criteria_kind, read_criteria

        return criteria_kind(read_criteria(name), name)
    for point in entry_points(group=ENTRY_POINTS, name=name):
        kind = point.load()
        if not isinstance(kind, Kind) or kind.name != name:
            raise UsageFault(f'the kind "{name}" of {point.value} is no Kind of that name')
        return kind
    raise UsageFault(
        f'there is no kind of items "{name}": the kinds are {", ".join(NAMES)}, and files of your own (.yaml)'
    )
