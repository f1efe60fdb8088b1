"""Readers of TEI (as written by GROBID) and JATS.

- ``tei``, ``jats``: the readers, with ``tei_references``, ``jats_references``, ``jats_markup``.
- ``writer``: parsing of XML, and conversion of trees to text. ``unread``: omitted words. ``mathml``: formulas.
- ``names``: names of people and groups from markup.
- ``publication``: year, venue and identifiers of the paper.
"""
