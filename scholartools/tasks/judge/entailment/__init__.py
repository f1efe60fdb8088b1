"""Judge whether each item is covered by the other side's list (AAAR-1.0, section 4: En-Precision and En-Recall).

- ``prompted``: a model judges every item of both sides. ``builtin``: cosine with the nearest item.
- ``inputs``: both sides, and an order-independent fingerprint of their texts.
"""
