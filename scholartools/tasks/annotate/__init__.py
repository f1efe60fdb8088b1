"""People's answers: items given out to raters, sheets that they fill in, and what comes back, checked.

A batch is a folder: what is asked, of whom, in which order. Sheets are made from it; answers are checked against it.

- :mod:`.description`: kinds of items and of questions. :mod:`.kinds`: those that come with the package, and own ones.
- :mod:`.assignment`: who is given which item, in which order, with repeats and items of which the answer is known.
- :mod:`.batch`: the folder. :mod:`.changes`: a rater more, or less. :mod:`.guide`: the instructions of raters.
- :mod:`.sheets`: tables that raters fill in. :mod:`.rating_sheets`: those of st-judge, without a batch.
- :mod:`.passages`: places of what was marked.
- :mod:`.label_studio`: projects of Label Studio, and its exports. :mod:`.label_studio_server`: its server.
- :mod:`.exports`: the files of each rater. :mod:`.returns`: what comes back. :mod:`.answers`: it is checked and merged.
- :mod:`.disputes`: where raters differ, and what is taken for true.
- :mod:`.ratings`: answers as rows for st-agree. :mod:`.restore`: answers in records.
- :mod:`.progress`: how far raters are, and how far they agree. :mod:`.judges`: judges of records beside them.
"""
