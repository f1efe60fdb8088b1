"""How measures rank texts and systems that people scored.

``pairwise``: pairs of texts. ``methods``: which measure does it best, by permutation tests, with clusters of
significance.
"""
