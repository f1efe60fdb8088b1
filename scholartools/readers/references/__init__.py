"""Parse the entries of a bibliography.

- ``ends``: where the last entry ends. ``starts``: where each entry begins. ``entries``: the entries and their fields.
- ``tagger``: labels words as authors, title or journal with trained weights; ``trust``: the odds that its title is
  right.
- ``names``, ``titles``, ``venues``: rules for authors, years, titles and journals.
- ``identifiers``: DOI, arXiv identifiers and addresses; ``links``: those in the links of a PDF.
``publication``: year, venue and identifiers of the paper itself, in the form common to all readers.
"""
