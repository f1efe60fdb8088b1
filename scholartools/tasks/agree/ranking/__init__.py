"""Agreement of measures with human scores on the ranking of texts and systems.

``pairwise``: pairs of texts. ``methods``: ranking of the measures by permutation tests, with significance clusters.
"""
