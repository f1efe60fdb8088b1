"""Code shared by several tasks.

- ``items``: the items at dotted paths. ``judgements``: the judgements of a task by system, validated.
- ``questions``: questions about equations. ``one_paper``: checks that questions with one paper id share one paper.
- ``systems``: names of systems and of their samples.
- ``pieces``: a paper's text in chunks that fit a model call. ``pictures``: the figures and tables that a text mentions.
- ``csv_rows``: rows of sheets that annotators filled in. ``text_names``: names of rated texts.
- ``corpus``: the records of a corpus. ``identity``: identifiers that records of the same paper share.
- ``blanks``: missing values in cells.
- ``families``: families of tests with adjusted p-values.
- ``embedder``: an embedder by name, or the vectors supplied in a record.
"""
