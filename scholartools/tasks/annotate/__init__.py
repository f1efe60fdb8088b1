"""Human annotation: assignment of items to raters, sheets to fill in, and import of answers with checks.

A batch is a folder with the questions, raters and order of items. Sheets are made from it, answers checked against it.

- :mod:`.description`: kinds of items and questions. :mod:`.kinds`: the built-in kinds, and custom ones.
- :mod:`.assignment`: assignment and order of items, with repeats and items with known answers.
- :mod:`.batch`: the folder. :mod:`.changes`: adding or dropping a rater. :mod:`.guide`: instructions for raters.
- :mod:`.sheets`: tables that raters fill in. :mod:`.rating_sheets`: those of st-judge, without a batch.
- :mod:`.passages`: locations of marked passages.
- :mod:`.label_studio`: projects of Label Studio, and its exports. :mod:`.label_studio_server`: its server.
- :mod:`.exports`: the files of each rater. :mod:`.returns`: reading filled files. :mod:`.answers`: checks and merging.
- :mod:`.disputes`: disagreements between raters, and gold answers.
- :mod:`.ratings`: answers as rows for st-agree. :mod:`.restore`: answers in records.
- :mod:`.progress`: progress and agreement of raters. :mod:`.judges`: model judges compared with raters.
"""
