"""What several tasks need.

- ``items``: the items at dotted paths. ``judgements``: those of a task and system, checked.
- ``questions``: the questions about equations. ``one_paper``: whether those that name one paper are of one.
- ``systems``: the names of systems and of their samples.
- ``pieces``: a paper's text in pieces that fit a call. ``pictures``: the figures and tables that a text names.
- ``csv_rows``: those of a file that people filled in. ``text_names``: what a rated text is called.
- ``corpus``: the records of a corpus. ``identity``: by what a paper is known again.
- ``blanks``: cells that hold no value.
- ``families``: tests that are read together.
- ``embedder``: an embedder by name, or the vectors that a record has of its own texts.
"""
