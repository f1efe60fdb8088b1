"""What each job means: the way without a model (``builtin``) and the model's way (``prompted``) side by side.

A package knows no option and no stream. Python programs call the functions that its package offers:
``from scholartools.tasks import facets; facets.label(record)``; :mod:`scholartools.pipeline` runs them over many
records.

- :mod:`.parse`, :mod:`.facets`, :mod:`.limits`, :mod:`.claims`: text of a paper, and spans in it. :mod:`.equations`:
  questions about its equations. :mod:`.generate`: text by a model.
- :mod:`.judge`: texts rated or matched. :mod:`.score`: numbers of a record. :mod:`.summarize`: numbers of many.
- :mod:`.annotate`: items given to people. :mod:`.agree`: ratings of several raters.
- :mod:`.views`: records for reading. :mod:`.tabulate`: tables of them.
- :mod:`.fetch`: papers and related papers, from services that have them.
- :mod:`.shared`: what several need.
"""
