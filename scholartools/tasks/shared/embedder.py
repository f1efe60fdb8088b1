"""Choose the embedder of a record: one by name, or the vectors supplied in the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record, need
from scholartools.text.embeddings.cached import Source, embedder
from scholartools.text.embeddings.precomputed import PrecomputedVectors
from scholartools.text.embeddings.sentence import GIVEN

if TYPE_CHECKING:
    from scholartools.schemas.shapes import PaperRecord


def is_precomputed(name: str | None) -> bool:
    """Whether a name refers to vectors supplied in the records."""
    return name is not None and name.startswith(GIVEN)


def embedder_for(record: PaperRecord, name: str | None) -> Source:
    """The embedder for the texts of a record.

    Args:
        name: name of an embedder, or ``vectors:MODEL`` for the record's own ``vectors`` of a model.

    Raises:
        InputFault: the record lacks them, or they are malformed.
    """
    if name is None or not is_precomputed(name):
        return name
    model = name.removeprefix(GIVEN)
    given = need(record, "vectors", f'give the vectors of its texts by model: {{"{model}": {{TEXT: [NUMBER, ...]}}}}')
    if model not in given:
        raise InputFault(f'no "vectors.{model}": there are {", ".join(given) or "none"}', kind="missing-key")
    return PrecomputedVectors(model, given[model])


def need_model(name: str | None) -> None:
    """Check that a name is of an embedding model, for a metric that embeds texts of which the records hold no vectors.

    Raises:
        InputFault: it names the vectors of the records.
    """
    if is_precomputed(name):
        reason = f'"{name}": the vectors of the records can only be used for soft scores and entailment'
        raise InputFault(reason, kind="missing-key")


class VectorSpace:
    """Checks that the vectors of a model have the same dimension in all records.

    Args:
        name: name of an embedder; only ``vectors:MODEL`` is checked.
    """

    def __init__(self, name: str | None) -> None:
        self._model = name.removeprefix(GIVEN) if name is not None and is_precomputed(name) else None
        self._dimensions: int | None = None

    def check(self, record: Record) -> None:
        """Check the dimension of a record's vectors against the first record.

        Raises:
            InputFault: the dimensions differ.
        """
        given = (record.get("vectors") or {}).get(self._model) or {}
        made = len(next(iter(given.values()), ())) or None
        if made and made != (self._dimensions or made):
            reason = f'"vectors.{self._model}" are of {made} numbers, those of the first record of {self._dimensions}'
            raise InputFault(reason, kind="invalid-key")
        self._dimensions = self._dimensions or made


def check_embedder(name: str | None) -> None:
    """Load an embedder, to fail early; names of supplied vectors are skipped.

    Raises:
        UsageFault: there is no such embedder.
    """
    if name and not is_precomputed(name):
        embedder(name)
