"""Vectors of texts (``sentence``, ``given``) and of tokens (``token``); ``cached`` keeps those of the last texts."""
