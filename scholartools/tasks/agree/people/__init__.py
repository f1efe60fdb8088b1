"""What people would say, from what a judge says.

- ``levels``, ``conformal``, ``means``: people's levels, intervals and mean from a judge's score. ``splits``: rows in
  parts, no group in two of them, to fit on and to keep apart.
- ``calibration``: probabilities that come true as often as they say.
- ``against_people``: limits of agreement, and reliability of probabilities.
- ``weight_fit``: weights of facets by which ratings come nearest to people's overall ones.
"""
