"""Judgements of texts against a reference, stored under ``judgements`` with one list per task; one package per task.

- :mod:`.facet_ratings`, :mod:`.rate`: ratings of texts. :mod:`.matching`, :mod:`.entailment`: comparisons of lists.
- :mod:`.equation`, :mod:`.review_critique`: questions about equations, and segments of reviews.
- :mod:`.same_issue`, :mod:`.specificity`: criticisms of a claim by two sides; versions of a weakness.
- ``entries``: the structure of ratings, and their storage in records.

In each package, ``prompted`` uses a model, and ``builtin`` is a weak baseline without one, if there is one; ``trivial``
systems are further baselines, and ``inputs`` reads the judged texts.
"""
