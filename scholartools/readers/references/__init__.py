"""Entries of a bibliography.

- ``starts``: where each begins. ``entries``: each of them, and its fields.
- ``names``, ``titles``: authors, years and titles in it.
- ``identifiers``: DOI, arXiv and addresses; ``links``: those in the links of a PDF.
"""
