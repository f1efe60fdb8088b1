"""Section headings of a PDF and their levels.

- ``headings``: finds the lines that are headings. ``heading_styles``: styles that only the headings of a paper have.
- ``run_ins``: headings at the beginning of a paragraph. ``heading_levels``: the level of each heading.
"""
