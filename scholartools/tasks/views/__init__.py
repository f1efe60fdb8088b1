"""Records for reading.

- ``plain_text``: outlines and lists in a terminal.
- ``page``: facets as an HTML page; ``highlights``: its texts, cut where facets begin and end; ``page_scores``: its
  tables of numbers.
"""
