"""Judgements of texts beside a reference, kept under ``judgements`` with one list per task; a package for each task.

- :mod:`.facet_ratings`, :mod:`.rate`: texts rated. :mod:`.matching`, :mod:`.entailment`: lists of items compared.
- :mod:`.equation`, :mod:`.review_critique`: questions about equations, and segments of reviews.
- :mod:`.same_issue`, :mod:`.specificity`: faults that two sides find with a claim; versions of a weakness.
- ``entries``: the shape of a rating, and how entries go into a record.

In each, ``prompted`` is the model's way, ``builtin`` the weak way without one, where there is one; ``trivial``
systems are rows to compare with, and ``inputs`` says what is judged.
"""
