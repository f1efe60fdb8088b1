"""Generate weaknesses of a paper as in a review (AAAR-1.0, section 3.3).

- ``prompted``: a model reads the paper in chunks and lists its weaknesses; ``replies``: valid replies.
- ``builtin``: weaknesses that reviewers named of related papers. ``options``: options.
"""
