"""Metrics that compare lists of items.

- ``coverage``: matched pairs, four definitions of TP (BAGELS). ``soft_match``: S-precision, S-recall, S-F1 (AAAR-1.0).
- ``itf_idf``: diversity of weaknesses (AAAR-1.0). ``decisions``: precision and recall of yes-or-no decisions.
- ``facet_score``: weighted score of facet ratings (Facet-aware Metric).
- ``targets``, ``labels``: targets and labels of weaknesses. ``anchors``: references that a rewriting keeps.
- ``verdicts``: shares of verdicts on pairs (these four CLAIMCHECK).
"""
