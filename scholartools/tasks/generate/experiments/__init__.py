"""Generate experiments for a paper, given only the part before its own experiments (AAAR-1.0, section 3.2).

- ``gold``: human lists of the experiments. ``first_experiment``: the end of the part before them. ``leaks``: sentences
  in that part that reveal the experiments; ``cues``: their cue words; ``likelihood``: a trained classifier.
- ``figures``: figures that may be shown. ``inputs``: the prepared part, with a report of removals and leaks.
  ``prompted``: generation by a model.
"""
