"""Judge which segments of a review are deficient (AAAR-1.0, section 3.4; data of Du et al. 2024).

- ``prompted``: a model judges all segments with two prompts; ``replies``: parsing of replies by segment.
- ``trivial``: baselines that call no segment, or every segment, deficient. ``inputs``: reviews and segments.
"""
