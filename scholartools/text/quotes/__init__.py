"""Locate quotations in their source text.

- ``location``: the position of a quotation, or the reason why it is not found. ``folding``: normalisation of
  typography, with offsets. ``alignment``: approximate search. ``meaning``: differences that change the meaning.
"""

from scholartools.text.quotes.location import Match, Miss, fold_text, locate, locate_all

__all__ = ["Match", "Miss", "fold_text", "locate", "locate_all"]
