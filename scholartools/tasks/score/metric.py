"""Code shared by the metrics of st-score: options, rows of the table of metrics, entries of scores, cached scorers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from scholartools.errors import InputFault
from scholartools.metrics.items.coverage import Reading
from scholartools.metrics.statistics.resampling import Interval
from scholartools.metrics.texts import overlap
from scholartools.metrics.values import PRF, Value
from scholartools.paths import lookup
from scholartools.records import Record, nonzero, read
from scholartools.signature import fingerprint, signature
from scholartools.tasks.shared.embedder import is_precomputed
from scholartools.tasks.shared.items import system_named
from scholartools.text.embeddings.cached import n_truncated

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Key

COMMAND = "st-score"

# Ranges of values other than shares: counts, sums and length ratios; cosines; BERTScore, whose F1 is unbounded.
NOT_NEGATIVE: Interval = (0.0, math.inf)
COSINE: Interval = (-1.0, 1.0)
UNBOUNDED: Interval = (-math.inf, math.inf)


@dataclass(frozen=True)
class Options:
    """Options of the metrics that ``score`` computes.

    Attributes:
        reference: dotted path of the reference texts in a record (default: the path that each metric defines).
        candidate: dotted path of the candidate texts in a record (default: the path that each metric defines).
        stemmer: whether the metric ``text`` computes ROUGE with stemmed words.
        embedder: name of the embedding model (default: the built-in model). With ``vectors:MODEL``, the metrics
            ``soft`` and ``entail`` use the embeddings in the record.
        bertscore: model and layer of BERTScore (``MODEL:LAYER``); with None, BERTScore is not computed.
        tp: what counts as a true positive in the metric ``match``: one of ``coverage.READINGS``.
        people: whether the metric ``soft`` scores the list of each reviewer against the lists of the other reviewers.
    """

    reference: str | None = None
    candidate: str | None = None
    stemmer: bool = False
    embedder: str | None = None
    bertscore: str | None = None
    tp: Reading = "one-to-one"
    people: bool = False


DEFAULT = Options()


class LeftOut(NamedTuple):
    """A system, or a part of the comparison, that a metric leaves out because its input is missing or invalid.

    Attributes:
        name: name of the system, or of the part.
        fault: why it is left out.
    """

    name: str
    fault: InputFault


@dataclass(frozen=True)
class Metric:
    """A row of the table of metrics.

    Attributes:
        needs: description of the keys it reads.
        gives: description of the values it computes.
        ranges: the range of each value, by a name that may have the wildcard "*".
        fits: whether a record has the required input.
        make: yields the entries of ``scores`` and the systems or parts left out; raises InputFault if input that all
            systems need is missing.
        uses: the options that affect the metric.
        candidates: paths of the candidates, if these are items by system.
    """

    needs: str
    gives: str
    ranges: Mapping[str, Interval]
    fits: Callable[[Record], bool]
    make: Callable[[Record, Options], Iterator[Record | LeftOut]]
    uses: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()

    def range_of(self, name: str) -> Interval | None:
        """The range of a value by its name; None if the metric has no such value."""
        if name in self.ranges:
            return self.ranges[name]
        return next((ends for pattern, ends in self.ranges.items() if fnmatchcase(name, pattern)), None)


def values_in(ends: Interval, *names: str) -> dict[str, Interval]:
    """Assign one range to several values."""
    return dict.fromkeys(names, ends)


def each_system(
    systems: Iterable[str], make: Callable[[str], Iterable[Record | LeftOut]]
) -> Iterator[Record | LeftOut]:
    """Yield the results of ``make`` for each system; an InputFault leaves out this system only."""
    for system in systems:
        try:
            made = list(make(system))
        except InputFault as fault:
            made = [LeftOut(system, fault)]
        yield from made


def read_entries(record: Record, key: Key) -> tuple[list[Record] | None, list[LeftOut]]:
    """The entries of systems at a known key, validated one by one; systems with malformed entries are left out.

    Raises:
        InputFault: the value is not a list, a malformed entry has no system, or no system is left.
    """
    try:
        entries: Any = read(record, key)
        return entries, []
    except InputFault as fault:
        listed = record[key] if isinstance(record[key], list) else []
        faults: dict[str, InputFault] = {}
        for one in listed:
            try:
                read({**record, key: [one]}, key)
            except InputFault as wrong:
                if not (isinstance(one, dict) and "system" in one):
                    raise
                faults[system_named(one)] = wrong
        sound = [one for one in listed if system_named(one) not in faults]
        if not sound:
            raise fault from None
        return sound, [LeftOut(name, wrong) for name, wrong in faults.items()]


def entry(
    metric: str, system: str, values: Mapping[str, Value], inputs: Any, parameters: Mapping[str, Any], **more: Any
) -> Record:
    """One entry of ``scores``.

    Args:
        values: values by name; a value of None has a reason.
        inputs: all inputs of the values, for the signature.
        parameters: options and versions that affect the values.
        more: further keys.
    """
    mark = signature(COMMAND, {"metric": metric, "input": fingerprint(inputs), **parameters})
    return {
        "metric": metric,
        "system": system,
        "signature": mark,
        "values": {name: value.value for name, value in values.items()},
        "reasons": {name: value.reason for name, value in values.items() if value.value is None},
        **more,
    }


def with_prefix(prefix: str, values: Mapping[str, Value]) -> dict[str, Value]:
    """Prefix the names of values: ``rouge1`` with ``pairs`` becomes ``pairs.rouge1``."""
    return {f"{prefix}.{name}": value for name, value in values.items()}


def prf_values(scores: PRF) -> dict[str, Value]:
    """Precision, recall and F1 by name."""
    return scores._asdict()


def all_undefined(names: Sequence[str], reason: str) -> dict[str, Value]:
    """Undefined values for all names, with one reason."""
    return dict.fromkeys(names, Value(None, reason))


def mean(values: Sequence[Value], none: str) -> Value:
    """The mean; undefined if one of the values is, or, with the reason ``none``, if there are no values."""
    if not values:
        return Value(None, none)
    if undefined := [value for value in values if value.value is None]:
        return undefined[0]
    return Value(math.fsum(value.value or 0.0 for value in values) / len(values))


@functools.cache
def rouge(stemmer: bool) -> overlap.Rouge:
    """The ROUGE scorer, cached since its construction is slow."""
    return overlap.Rouge(stemmer=stemmer)


@functools.cache
def sacrebleu() -> overlap.SacreBleu | None:
    """The sacrebleu scorer, cached; None if the package is not installed."""
    from importlib.util import find_spec

    return overlap.SacreBleu() if find_spec("sacrebleu") else None


def refused_keys(n_refused: int, without: Callable[[], Mapping[str, Value]]) -> Record:
    """Keys with the number of rejected items, and the values without them; empty if none was rejected."""
    if not n_refused:
        return {}
    return {"n_refused": n_refused, "without_refused": {name: value.value for name, value in without().items()}}


def count_truncated(texts: Sequence[str], options: Options) -> Record:
    """Key with the number of texts that a model truncated; empty if there are none."""
    return (
        {}
        if is_precomputed(options.embedder)
        else nonzero(n_cut=n_truncated(texts, options.embedder, options.bertscore))
    )


def count_incomplete(record: Record, paths: Sequence[str], system: str) -> Record:
    """Keys that flag incomplete entries of a system at some paths.

    ``n_shortened``: the system was given the beginning of the paper only; ``n_incomplete``: a reply is missing.
    """
    found = [lookup(record, path) for path in paths]
    entries = [one for listed in found if isinstance(listed, list) for one in listed if isinstance(one, dict)]
    own = [one for one in entries if one.get("system") == system]
    is_shortened = any(one.get("cut") or (one.get("given") or {}).get("cut") for one in own)
    return nonzero(n_shortened=is_shortened, n_incomplete=any(one.get("missing") for one in own))


def silent_counts(reference: str, candidate: str) -> Record:
    """Key that flags a candidate without words for a reference with words."""
    worded = [any(map(str.isalnum, text)) for text in (reference, candidate)]
    return nonzero(n_empty=worded == [True, False])
