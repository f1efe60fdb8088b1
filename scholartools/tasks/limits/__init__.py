"""Limitations that authors and reviewers state, word for word (BAGELS, section 3).

- ``extract``: the built-in way and the model's, over the passages that ``in_papers`` and ``in_reviews`` find.
- ``headings``: the places in a paper that name limitations; ``implicit``: passages elsewhere that state some,
  ``likelihood``: by how likely each sentence does, as learnt from sentences that were marked.
- ``paper_cues``, ``review_cues``: the tables they go by. ``passages``: blocks and their items.
- ``prompted``: a model quotes. ``merging``: what says the same is one.
"""

from scholartools.tasks.limits.extract import THRESHOLD, Merging, ask, extract
from scholartools.tasks.limits.implicit import check_keywords

__all__ = ["THRESHOLD", "Merging", "ask", "check_keywords", "extract"]
