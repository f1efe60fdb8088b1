"""Limitations that authors and reviewers state, word for word (BAGELS, section 3).

- ``extract``: the built-in way and the model's, over the passages that ``in_papers`` and ``in_reviews`` find.
- ``paper_cues``, ``review_cues``: the tables they go by. ``passages``: blocks and their items.
- ``prompted``: a model quotes. ``merging``: what says the same is one.
"""

from scholartools.tasks.limits.extract import THRESHOLD, Merging, ask, extract
from scholartools.tasks.limits.in_papers import check_keywords

__all__ = ["THRESHOLD", "Merging", "ask", "check_keywords", "extract"]
