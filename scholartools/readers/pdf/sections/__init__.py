"""Where the sections of a PDF begin, and how deep they are.

- ``headings``: the lines that are headings. ``heading_styles``: styles that only headings of a paper have.
- ``run_ins``: headings that open a paragraph. ``heading_levels``: the level of each heading.
"""
