"""Fetch metadata of papers and related papers: requests to sources, and records from the responses.

- ``ids``: identifiers in any spelling. ``asking``: paginated responses of a source. ``papers``: works by ids.
- ``venues``: papers of a venue and year, and their selection. ``files``: sources and PDFs, by licence.
- ``matching``: whether two descriptions are of the same paper. ``merging``: merging of records of the same paper.
- ``relations``: references, citing and similar works. ``entries``: records of works, and of missing ones.
- ``sharing``: which responses may be redistributed.
"""
