"""Text that a model writes about a paper, stored under ``generated`` with one list per task.

- :mod:`.limitations`: limitations of the paper (BAGELS, section 4).
- :mod:`.weaknesses`, :mod:`.experiments`, :mod:`.explanations`: the tasks of AAAR-1.0.
- :mod:`.questions`: the research question of a paper.
- ``section_selection``: choice of the sections shown. ``redaction``: removal of the limitations that a paper states.
- ``corpus``: related papers, split into passages and searched. ``leakage``: detection of leaked text.
- ``replies``: validation of lists of texts. ``entries``: storage of results in a record.
"""
