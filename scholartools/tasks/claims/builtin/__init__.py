"""The actions of st-claims without a model: deterministic, and each is weak.

- ``select``: reviews that speak of claims, by keywords. ``extract``: claims, by the place and words of a sentence.
- ``weaknesses``: critical passages that point to a claim. ``associate``: targets, by quotations and similarity.
- ``label``: types of weaknesses, by their words.
"""
