"""The actions of st-claims by a model; what it quotes is located, and a missing reply costs its own item alone.

- ``select``: whether a paper is of a topic. ``extract``: claims. ``weaknesses``: passages that dispute claims.
- ``associate``: targets. ``label``: labels, and rewritten weaknesses. ``verify``: what is wrong with a claim.
- ``contamination``: whether a model goes on with a review as published.
- ``asking``: what these share: entries by system, provenance, and what is missing.
"""
