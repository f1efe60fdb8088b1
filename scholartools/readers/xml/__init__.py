"""TEI (as GROBID writes it) and JATS.

- ``tei``, ``jats``: a reader each, with ``tei_references``, ``jats_references``, ``jats_markup``.
- ``writer``: a tree to text with places. ``unread``: words of tables that are left out. ``mathml``: formulas.
- ``names``: people and groups as they are marked.
- ``publication``: year, venue and identifiers of the paper.
"""
