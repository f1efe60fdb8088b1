"""Answer which equation is correct in its context (AAAR-1.0, section 3.1): options one by one, or a choice.

- ``prompted``: answers of a model; ``replies``: parsing of replies. ``trivial``: baselines that ignore the question.
- ``inputs``: displayed parts of a question. ``answers``: entries of ``judgements.equation``.
"""
