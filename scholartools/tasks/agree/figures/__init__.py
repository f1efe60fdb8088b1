"""Figures of results of st-agree, as SVG: a panel for each part of the results.

- ``drawing``: which figure shows which statistic. ``heat_map``: errors of methods on the same items (``errors``).
- ``strips``: coefficients of repeated runs (``runs``). ``scatter``: coefficients against tokens (``efficiency``).
- ``canvas``: the elements of SVG, and scales. ``axes``: their ticks and titles.
"""

from scholartools.tasks.agree.figures.drawing import Results, draw

__all__ = ["Results", "draw"]
