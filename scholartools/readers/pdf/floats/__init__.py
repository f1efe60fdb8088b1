"""Figures, tables and algorithms of a page.

- ``captions``: finds captions by their labels and removes them from the pages. ``content``: the lines within floats.
- ``table_rules``: the extent of a table from its rules.
- ``figures``: locates the float of each caption on the page. ``figure_context``: drawings and text around captions.
- ``crops``: adds drawings to pages, and writes floats as PNG files.
"""
