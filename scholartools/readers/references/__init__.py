"""Entries of a bibliography.

- ``entries``: where each begins and ends, and its fields. ``names``, ``titles``: authors, years and titles in it.
- ``identifiers``: DOI, arXiv and addresses; ``links``: those in the links of a PDF.
"""
