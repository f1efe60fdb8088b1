"""Entries of a bibliography.

- ``starts``: where each begins. ``entries``: each of them, and its fields.
- ``tagger``: which words are authors, title, journal, by trained weights; ``trust``: how sure its title is.
- ``names``, ``titles``, ``venues``: authors, years, titles and journals in it.
- ``identifiers``: DOI, arXiv and addresses; ``links``: those in the links of a PDF.
``publication``: year, venue and identifiers of the paper itself, as every reader gives them.
"""
