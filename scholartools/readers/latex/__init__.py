"""Reader of LaTeX source: macros are expanded as in TeX, but TeX is never run.

- ``reader``: files in, a record out. ``bibliography``, ``cross_references``, ``authors``: parts of the record.
  ``bibtex_names``: names in databases.
- ``pictures``: rendering of figures from picture files. ``publication``: year, venue and identifiers of the paper.
- :mod:`.tex`: files, tokens, macros, conditionals.
- :mod:`.handlers`: implementations of commands and environments. :mod:`.document`: their output; ``document/output``
  locates equations, citations and notes in the text.
"""
