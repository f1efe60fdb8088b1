"""Metrics over plain lists, arrays and texts, independent of records, options and files.

- :mod:`.agreement`: agreement of raters: alpha, kappa, majority, spans.
- :mod:`.items`: comparison of lists of items: coverage, soft matching, ITF-IDF, decisions, facet scores.
- :mod:`.statistics`: intervals, tests, correlation, power, fitted weights.
- :mod:`.texts`: comparison of texts: ROUGE, BLEU, key words, extraction.
- ``values``: a number, or null with a reason. ``vectors``: cosine similarities.
"""
