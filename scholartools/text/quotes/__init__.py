"""Quotations located in their source, word for word.

- ``location``: where a quotation is, or why it is nowhere. ``folding``: what may differ in spelling.
- ``alignment``: the nearest place of one that is not exact. ``meaning``: changes that are never forgiven.
"""

from scholartools.text.quotes.location import Match, Miss, fold_text, locate, locate_all

__all__ = ["Match", "Miss", "fold_text", "locate", "locate_all"]
