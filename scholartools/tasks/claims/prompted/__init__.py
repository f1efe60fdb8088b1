"""The actions of st-claims by a model; its quotations are located, and a missing reply only affects its own item.

- ``select``: whether a paper is on a topic. ``extract``: claims. ``weaknesses``: passages that dispute claims.
- ``associate``: targets. ``label``: labels, and rewritten weaknesses. ``verify``: what is wrong with a claim.
- ``contamination``: whether a model continues a review verbatim.
- ``asking``: code shared by these: entries by system, provenance, and missing replies.
"""
