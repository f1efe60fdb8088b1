"""Figures by matplotlib, as SVG, PNG or PDF: a panel for each part of the results or records.

- ``results``: chooses the figure for results. ``heat_map``: errors of methods on the same items (``errors``).
  ``violins``: coefficients of repeated runs (``runs``). ``tokens``: coefficients against tokens (``efficiency``).
  ``forest``: values with their intervals (``correlate``, ``pairwise``, ``mean``, ``bias``).
- ``pairs``: chooses the figure for pairs of numbers in records. ``scatter``: a judge against people. ``differences``:
  limits of agreement. ``calibration``: reliability of probabilities.
- ``panel``: the base class of panels. ``rows``: rows with marks on one axis. ``axes``: scales, ticks, axis breaks.
- ``layout``: panels on a page, and the text alternative. ``labels``: untrusted names as labels. ``page``: the only
  module that imports matplotlib, with sizes and colours.
"""

from scholartools.tasks.agree.figures.layout import WIDTHS, Drawing, compose
from scholartools.tasks.agree.figures.pairs import KINDS, Kind, pair_panels
from scholartools.tasks.agree.figures.panel import Panel
from scholartools.tasks.agree.figures.results import Results

__all__ = ["KINDS", "WIDTHS", "Drawing", "Kind", "Panel", "Results", "compose", "pair_panels"]
