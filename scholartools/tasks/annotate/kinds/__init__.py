"""The kinds that come with the package, and those of a file.

- :mod:`.weaknesses`: weaknesses in reviews, their targets, labels and rewritings (CLAIMCHECK).
- :mod:`.facets`: facets of abstracts and summaries (the Facet-aware Metric). :mod:`.questions`: a criteria file.
- :mod:`.limitations`: limitations that were extracted, and pairs of them (BAGELS).
- :mod:`.comparisons`: what judges of the record are asked, for people.
- :mod:`.experiments`: experiments of a paper with their reasons, planned ones that it lacks, explanations (AAAR-1.0).
- :mod:`.own`: kinds that somebody describes in a file.
"""

from __future__ import annotations

from pathlib import Path

from scholartools.errors import UsageFault
from scholartools.tasks.annotate.description import Kind

# Where each kind is defined; a module is imported when one of its kinds is used.
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
#: Entry points of packages that have kinds of their own: objects of the type Kind.
ENTRY_POINTS = "scholartools.annotation_kinds"


def find_kind(name: str) -> Kind:
    """The kind of a name, of a package that offers one, of a YAML file, or of a criteria file.

    Raises:
        UsageFault: there is none.
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
