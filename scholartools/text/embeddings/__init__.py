"""Embeddings of texts and tokens.

- ``sentence``: embedders of whole texts, by name. ``token``: contextual embeddings of the tokens of a text.
- ``precomputed``: embeddings supplied in the record. ``cached``: embeddings of recent texts, cached.
"""
