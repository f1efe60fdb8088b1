"""The embedder of a record: one by name, or the vectors that the record gives of its own texts."""

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
    """Whether a name is that of vectors which records give."""
    return name is not None and name.startswith(GIVEN)


def embedder_for(record: PaperRecord, name: str | None) -> Source:
    """What embeds the texts of a record.

    Args:
        name: of an embedder, or ``vectors:MODEL`` for what the record has under ``vectors``.

    Raises:
        InputFault: it has none of the model, or they are no vectors.
    """
    if name is None or not is_precomputed(name):
        return name
    model = name.removeprefix(GIVEN)
    given = need(record, "vectors", f'give the vectors of its texts by model: {{"{model}": {{TEXT: [NUMBER, ...]}}}}')
    if model not in given:
        raise InputFault(f'no "vectors.{model}": there are {", ".join(given) or "none"}', kind="missing-key")
    return PrecomputedVectors(model, given[model])


class VectorSpace:
    """The number of dimensions that the vectors of a model have in all records: that of the first of them.

    Args:
        name: of an embedder; only of ``vectors:MODEL`` records give vectors.
    """

    def __init__(self, name: str | None) -> None:
        self._model = name.removeprefix(GIVEN) if name is not None and is_precomputed(name) else None
        self._dimensions: int | None = None

    def check(self, record: Record) -> None:
        """Refuse a record whose vectors cannot be compared with those of the records before.

        Raises:
            InputFault: they have more or fewer dimensions.
        """
        given = (record.get("vectors") or {}).get(self._model) or {}
        made = len(next(iter(given.values()), ())) or None
        if made and made != (self._dimensions or made):
            reason = f'"vectors.{self._model}" are of {made} numbers, those of the first record of {self._dimensions}'
            raise InputFault(reason, kind="invalid-key")
        self._dimensions = self._dimensions or made


def check_embedder(name: str | None) -> None:
    """Load an embedder, unless records give their own vectors.

    Raises:
        UsageFault: there is no such embedder.
    """
    if name and not is_precomputed(name):
        embedder(name)
