"""LaTeX source, expanded like TeX does but never run.

- ``reader``: files in, a record out. ``bibliography``, ``cross_references``, ``authors``: parts of the record.
- ``pictures``: the picture files of figures, drawn. ``publication``: year, venue and identifiers of the paper.
- :mod:`.tex`: files, tokens, macros, conditionals: what TeX itself knows.
- :mod:`.handlers`: what each command and environment does. :mod:`.document`: what they write to; ``document/output``
  finds the places of equations, citations and notes in the text.
"""
