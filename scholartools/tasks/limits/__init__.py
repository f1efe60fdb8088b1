"""Limitations that authors and reviewers state, word for word (BAGELS, section 3).

- ``extract``: the built-in way and the model's, over the passages that ``in_papers`` and ``in_reviews`` find.
- ``headings``: the places in a paper that name limitations; ``implicit``: passages elsewhere that state some,
  ``likelihood``: by how likely each sentence does, as learnt from sentences that were marked.
- ``paper_cues``, ``review_cues``: the words that these search for. ``passages``: blocks divided into limitations, and
  why a sentence states none (it speaks of future work, for example).
- ``prompted``: a model quotes. ``merging``: limitations that say the same are merged.
"""

from scholartools.tasks.limits.extract import THRESHOLD, Merging, ask, extract
from scholartools.tasks.limits.implicit import check_keywords

__all__ = ["THRESHOLD", "Merging", "ask", "check_keywords", "extract"]
