"""Estimates of human scores from those of a judge.

- ``levels``, ``conformal``, ``means``: human levels, intervals and mean from a judge's scores. ``splits``: splits of
  rows into fit and held-out parts, without groups in common.
- ``calibration``: calibrated probabilities.
- ``against_people``: limits of agreement, and reliability of probabilities.
- ``weight_fit``: weights of facets that best predict human overall ratings.
"""
