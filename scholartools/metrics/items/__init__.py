"""A list of items against a list of items.

- ``coverage``: matched pairs, four readings of TP (BAGELS). ``soft_match``: S-precision, S-recall, S-F1 (AAAR-1.0).
- ``itf_idf``: diversity of weaknesses (AAAR-1.0). ``decisions``: precision and recall of yes and no.
- ``facet_score``: the weighted score of facet ratings (Facet-aware Metric).
- ``targets``, ``labels``: targets and labels of weaknesses. ``anchors``: references to places that a rewriting keeps.
- ``verdicts``: shares of verdicts on pairs (these four CLAIMCHECK).
"""
