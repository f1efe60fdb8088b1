"""Extract the limitations that authors and reviewers state, verbatim (BAGELS, section 3).

- ``extract``: extraction without and with a model, from the passages that ``in_papers`` and ``in_reviews`` find.
- ``headings``: headings of limitations in a paper; ``implicit``: passages elsewhere that state limitations;
  ``likelihood``: a classifier of sentences, trained on labelled ones.
- ``paper_cues``, ``review_cues``: cue words. ``passages``: division of passages into limitations, and reasons why a
  sentence states none (for example future work).
- ``prompted``: quotation by a model. ``merging``: merging of equivalent limitations.
"""

from scholartools.tasks.limits.extract import THRESHOLD, Merging, ask, extract
from scholartools.tasks.limits.implicit import check_keywords

__all__ = ["THRESHOLD", "Merging", "ask", "check_keywords", "extract"]
