"""Which equation is right in its context (AAAR-1.0, section 3.1): each option alone, or one of all.

- ``prompted``: a model answers; ``replies``: what it may answer, verified. ``trivial``: systems that read nothing.
- ``inputs``: what is shown of a question. ``answers``: entries of ``judgements.equation``.
"""
