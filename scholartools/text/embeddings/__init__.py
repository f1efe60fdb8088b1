"""Vectors of texts.

- ``sentence``: an embedder by its name, for whole texts. ``token``: vectors of the tokens of a text.
- ``precomputed``: vectors that a record has of its own texts. ``cached``: the vectors of the last texts, kept.
"""
