"""What a model writes about a paper, kept under ``generated`` with one list a task.

- :mod:`.limitations`: those of the paper (BAGELS, section 4).
- :mod:`.weaknesses`, :mod:`.experiments`, :mod:`.explanations`: the tasks of AAAR-1.0.
- :mod:`.questions`: the research question of a paper.
- ``section_selection``: which sections are shown. ``redaction``: a paper without the limitations it states.
- ``corpus``: related papers, cut into passages and searched. ``leakage``: withheld text that got through.
- ``replies``: what of a list of texts can be used. ``entries``: how what was written goes into a record.
"""
