"""The actions of st-claims without a model: deterministic baselines.

- ``select``: reviews that discuss claims, by keywords. ``extract``: claims, by position and cue words of sentences.
- ``weaknesses``: critical passages that refer to a claim. ``associate``: targets, by quotations and similarity.
- ``label``: types of weaknesses, by cue words.
"""
