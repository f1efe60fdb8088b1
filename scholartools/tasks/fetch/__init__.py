"""Metadata of papers, related papers: what is asked of which source, and the records made of the answers.

- ``ids``: identifiers in any spelling. ``asking``: the pages of a source's answers. ``papers``: works by their ids.
- ``relations``: references, citing and similar works. ``entries``: records of works, and what of them is missing.
"""
