"""Label the sentences of an abstract or summary with facets: background, method, result, conclusion.

The facets are those of the Facet-aware Metric (section 3.2): background includes introduction and objectives, method
the methods and comparisons, result observations and analysis, conclusion also limitations and outlook. A fifth class,
``other``, is for sentences outside the argument: copyright, registration, keywords.

:func:`label` uses no model: every sentence gets one label, from headings and the trained network of ``network.py``,
decoded over the whole text in ``decoding.py``.
:func:`ask` prompts a model, which quotes the passages of each facet; the quotations are located in the text.
The implementations are imported on use, so that neither needs the libraries of the other.

- ``builtin``: labels without a model, by ``decoding`` with ``headings``, ``cues`` and ``network``.
- ``exact_sciences``: phrases of physics and mathematics, for which the network has little training data.
- ``features``: the inputs of the network, from ``lexicon`` (words) and ``phrases`` (cue phrases).
- ``prompted``: labels by a model. ``facet_sets``: code shared by both methods. ``compared``: the facets
  that a judge compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from scholartools.errors import InputFault
from scholartools.records import Record
from scholartools.tasks.facets.facet_sets import COMMAND, LABELS

if TYPE_CHECKING:
    from scholartools.llm.engine import Engine

__all__ = ["COMMAND", "LABELS", "ask", "label", "label_all"]


def label(record: Record) -> Record:
    """Label background, method, result and conclusion in a record without a model, and return a copy with ``facets``.

    ``facets`` has a FacetSet for the abstract, then a FacetSet for each of ``summaries``. A facet to which no sentence
    belongs is null.

    Raises:
        InputFault: the record has neither an abstract nor summaries, a value has the wrong type, or two systems have
            the same name.
    """
    found = next(label_all([record]))
    if isinstance(found, InputFault):
        raise found
    return found


def label_all(records: Iterable[Record]) -> Iterator[Record | InputFault]:
    """Label the facets of many records, with the same results as :func:`label` in less time.

    For a record that fails, ``label_all`` yields the exception instead of raising it. ``label_all`` reads several
    records at once.
    """
    from scholartools.tasks.facets import builtin

    return builtin.label_all(records)


async def ask(engine: Engine, record: Record) -> Record:
    """Label the facets of a record by a model, and return a copy of the record with ``facets``, as :func:`label` does.

    The model quotes the passages of each facet (Facet-aware Metric, section 3.3), in one call for each text. A
    quotation that is not in the text is stored under ``rejected`` with the reason. With several samples, ``facets`` has
    a FacetSet for each sample of each text (key ``sample``). If the model gives no usable reply for a text, all facets
    of the text are null, with the ``reason``, and ``errors`` of the record gets an entry.

    Raises:
        InputFault: the record has neither an abstract nor summaries, a value has the wrong type, or two systems have
            the same name.
        ScholartoolsError: the model gave no usable reply for any text of the record.
        ModelFault: the run must end, for example because of the budget or the API key.
    """
    from scholartools.tasks.facets import prompted

    return await prompted.ask(engine, record)
