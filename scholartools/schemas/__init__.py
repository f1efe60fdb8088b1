"""The types of every key of a record; the published JSON Schema (``paper.json``) is made of them.

``shapes.pyi``, which type checkers read, has the same as TypedDicts: ``typed_dicts`` prints it.

- :mod:`.base`: the checked model that all types are, spans, extracted text.
- :mod:`.paper`: a paper record and what a reader puts in it; prints the JSON Schema.
- :mod:`.annotations`: facets, limitations, claims, weaknesses, verifications, and text that was rejected.
- :mod:`.generated`: what systems wrote, with the passages they drew on.
- :mod:`.judgements`: ratings, matches and other judgements, by task.
- :mod:`.scores`: entries of ``scores``. :mod:`.criteria`: a criteria file (``criteria.json``).
"""
