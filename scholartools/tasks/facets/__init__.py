"""Which passages of an abstract or a summary say background, method, result and conclusion.

The facets are those of the Facet-aware Metric (section 3.2): background holds introduction and objectives, method the
methods and comparisons, result observations and analysis, conclusion also limitations and outlook. A fifth class,
``other``, takes what is no part of the argument: copyright, registration, key words.

:func:`label` is the built-in way: every sentence gets one label, by the headings above it and by the trained network of
``network.py``, decoded over the whole text in ``decoding.py``.
:func:`ask` is a model's way: it quotes the passages of each facet, and every quotation is located in the text.
Each way is imported when it is used: neither needs the libraries of the other.

- ``builtin``: the runs of sentences that ``decoding`` gives one label, by ``headings``, ``cues`` and ``network``.
- ``exact_sciences``: what phrases of physics and mathematics say, where the network has seen little.
- ``features``: what the network sees of a text, by ``lexicon`` (its words) and ``phrases`` (its cue phrases).
- ``prompted``: a model's way. ``facet_sets``: what both ways share.
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
    """A copy of the record with ``facets``: a FacetSet for the abstract, then one for each of ``summaries``.

    A facet without a sentence is null. All facets of a text without sentences are null. The argument is not changed.

    Raises:
        InputFault: the record has neither an abstract nor summaries, a value has the wrong type, or two systems have
            the same name.
    """
    found = next(label_all([record]))
    if isinstance(found, InputFault):
        raise found
    return found


def label_all(records: Iterable[Record]) -> Iterator[Record | InputFault]:
    """The results of :func:`label` for many records, in less time. A fault is yielded, not raised.

    ``label_all`` reads several records at once.
    """
    from scholartools.tasks.facets import builtin

    return builtin.label_all(records)


async def ask(engine: Engine, record: Record) -> Record:
    """Like :func:`label`, but a model quotes the passages (Facet-aware Metric, section 3.3), in one call per text.

    A quotation that cannot be located in the text is kept under ``rejected`` with the reason. With several samples,
    each text has one FacetSet per sample, numbered by ``sample``. The FacetSet of a text without a usable reply is all
    null and has the ``reason``, and the record has one more of ``errors``.

    Raises:
        InputFault: as :func:`label`.
        ScholartoolsError: no text got a usable reply.
        ModelFault: the run must end.
    """
    from scholartools.tasks.facets import prompted

    return await prompted.ask(engine, record)
