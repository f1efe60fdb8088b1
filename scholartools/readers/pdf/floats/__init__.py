"""Figures, tables and algorithms of a page.

- ``captions``: found by their labels, and taken out of the pages. ``content``: what is in a float, separated from text.
- ``table_rules``: where the rules of a table say that it begins and ends.
- ``figures``: where on the page the float of a caption is. ``figure_context``: what is around it.
- ``crops``: what is drawn on a page, and the floats as PNG files.
"""
