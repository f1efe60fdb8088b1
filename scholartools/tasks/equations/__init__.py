"""Equations of papers: parsing, comparison with certificates, and questions (AAAR-1.0, sections 3.1, 5.1).

- :mod:`.trees`: LaTeX to tokens and a tree with spans, and back.
- :mod:`.certificates`: whether two equations have the same meaning, with a witness that can be recomputed.
- :mod:`.questions`: wrong options by rule, squares of changes, contexts, and the accuracy of shortcuts on a set.
"""

from scholartools.tasks.equations.certificates.certify import certify, verify
from scholartools.tasks.equations.trees.parser import parse
from scholartools.tasks.equations.trees.tree import Node, Unread

__all__ = ["Node", "Unread", "certify", "parse", "verify"]
