"""LaTeX of an equation as a tree.

- ``tokens``, ``cursor``, ``atoms``, ``parser``: from LaTeX to a tree; every token is consumed or nothing is read.
- ``tree``: nodes with spans. ``vocabulary``: what commands mean. ``meaning``: what a tree says beyond its tokens.
- ``typesetting``: LaTeX in one style, which is read as the same tree.
"""
