"""Experiments for a paper of which only the part before its own is shown (AAAR-1.0, section 3.2).

- ``gold``: the experiments that people wrote down. ``first_experiment``: where the part before them ends. ``leaks``:
  sentences of it that tell of the experiments; ``cues``: their words; ``likelihood``: trained weights that decide.
- ``figures``: those that may be shown with it. ``inputs``: the part made ready, with what was taken out of it and what
  got through. ``prompted``: a model's way.
"""
