"""Metadata of papers, related papers: what is asked of which source, and the records made of the answers.

- ``ids``: identifiers in any spelling. ``asking``: the pages of a source's answers. ``papers``: works by their ids.
- ``venues``: all papers of a venue and year, and which of them are taken. ``files``: sources and PDFs, by licence.
- ``matching``: whether two descriptions are of one paper. ``merging``: records of one paper made one.
- ``relations``: references, citing and similar works. ``entries``: records of works, and what of them is missing.
- ``sharing``: which answers may be passed on.
"""
