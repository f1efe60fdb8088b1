"""Match generated items with known ones (BAGELS, section 5).

- ``prompted``: a model judges every pair, with the prompts of ``prompts``; ``votes``: decisions from its answers.
- ``builtin``: cosines of embeddings. ``inputs``: both sides. ``report``: disagreement between prompts and orders.
"""
