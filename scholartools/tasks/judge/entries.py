"""Code shared by the judges: structure of ratings, and storage of entries in records."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BeforeValidator

from scholartools.llm.answers import Answer, Missing
from scholartools.llm.replies import Closed
from scholartools.records import Entry, Record, add_provenance, read, replace_failure
from scholartools.tasks.shared.items import MISSING_ITEMS, tell_missing_items
from scholartools.tasks.shared.systems import of_other_runs

COMMAND = "st-judge"

Key = TypeVar("Key")


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a whole number is needed")
    return value


OneToThree = Annotated[Literal[1, 2, 3], BeforeValidator(_no_bool)]
OneToFour = Annotated[Literal[1, 2, 3, 4], BeforeValidator(_no_bool)]


WholeNumber = Annotated[int, BeforeValidator(_no_bool)]


class BroadRating(Closed):
    """A reply on the scale of background and conclusion."""

    rating: OneToThree


class DetailedRating(Closed):
    """A reply on the scale of method and result."""

    rating: OneToFour


class Sampled(NamedTuple):
    """A rating from several samples.

    Attributes:
        rating: median of the available samples, or the mean of the middle two; None if there are none.
        samples: all samples; None for missing ones.
        reason: why samples are missing; None if none is.
    """

    rating: int | float | None
    samples: list[int | None]
    reason: str | None

    @property
    def is_missing(self) -> bool:
        """Whether all samples are missing."""
        return self.rating is None


def take_medians(asked: Sequence[Key], answers: Sequence[Answer[int] | Missing], samples: int) -> dict[Key, Sampled]:
    """Ratings by name; ``answers`` has all samples of the first name, then those of the second, and so on."""
    starts = range(0, len(answers), samples)
    return {name: _take_median(answers[start : start + samples]) for name, start in zip(asked, starts)}


def _take_median(answers: Sequence[Answer[int] | Missing]) -> Sampled:
    values = [answer.value for answer in answers]
    given = [value for value in values if value is not None]
    reasons = [answer.reason for answer in answers if isinstance(answer, Missing)]
    if not reasons:
        return Sampled(_median(given), values, None)
    reason = f"{len(reasons)} of {len(values)} samples missing: {reasons[0]}" if len(values) > 1 else reasons[0]
    return Sampled(_median(given) if given else None, values, reason)


def _median(samples: Sequence[int]) -> int | float:
    median = statistics.median(samples)
    return int(median) if median == int(median) else median


def heading(system: str, reference: str | None, candidate: str | None, by: str) -> Record:
    """Start of an entry: system, its text, the reference, and the judge.

    Args:
        reference: path of a custom key, None for the abstract.
        candidate: path of a custom key, None for the system's summary.
    """
    return {
        "system": system,
        "in": f"summary:{system}" if candidate is None else candidate,
        "reference": "abstract" if reference is None else reference,
        "by": by,
    }


def finish_cosine_judge(
    record: Record, task: str, entries: list[Record], candidate: str, inputs: object, options: Mapping[str, Any]
) -> Record:
    """Add the entries of an embedding-based judge to a copy of the record, with provenance.

    Args:
        candidate: dotted path of the judged items; systems whose items are null are reported under ``errors``.
        inputs: the judged texts.
        options: threshold and embedder, for signature and provenance.
    """
    made = with_judgements(record, task, entries)
    tell_missing_items(made, COMMAND, candidate, task, by_id=True)
    add_provenance(made, COMMAND, task, method="builtin", options=options, input=inputs)
    return made


def tell_left_out(record: Record, task: str, what: str, lost: Mapping[str, str], of: int) -> None:
    """Record under ``errors`` which objects were skipped because they are null, replacing an earlier entry.

    Args:
        what: plural noun for the objects: "verifications".
        lost: reason for each skipped object, by name.
        of: total number of objects.
    """
    same = {"command": COMMAND, "kind": MISSING_ITEMS, "task": task}
    if not lost:
        return replace_failure(record, same, None)
    verb = "is" if len(lost) == 1 else "are"
    reason = f"{len(lost)} of {of} {what} {verb} null and left out: {next(iter(lost.values()))}"
    return replace_failure(record, same, {"reason": reason, "missing": len(lost), "parts": list(lost)})


def with_judgements(record: Record, task: str, entries: Sequence[Record]) -> Record:
    """Add entries under ``judgements`` to a copy of the record.

    They replace earlier entries of the same systems, including all samples of an earlier run.

    Raises:
        InputFault: ``judgements`` is present but malformed.
    """
    earlier: Entry = read(record, "judgements") or {}
    kept = of_other_runs(earlier.get(task) or (), {entry["system"] for entry in entries})
    return {**record, "judgements": {**earlier, task: [*kept, *entries]}}
