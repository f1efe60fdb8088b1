"""Rate the agreement of each facet of a summary with that of the abstract (Facet-aware Metric, section 3.4).

- ``prompted``: ratings by a model, with examples from ``few_shot``; ``overall``: ratings of whole summaries.
- ``builtin``: word overlap and embeddings.
"""
