"""Parse the LaTeX of an equation into a tree.

- ``tokens``, ``cursor``, ``atoms``, ``parser``: from LaTeX to a tree; a formula is rejected if any token is left over.
- ``tree``: nodes with spans. ``vocabulary``: classes of commands. ``meaning``: the semantic tree of a syntax tree.
- ``typesetting``: normalised LaTeX, which parses to the same tree.
"""
