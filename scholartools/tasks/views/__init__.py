"""Render records for human readers.

- ``plain_text``: outlines and lists for a terminal.
- ``paper_pages``: records as an HTML page or a folder of pages; ``article``: a record, ``kinds``: its items as cards;
  ``pairs``: compared texts side by side.
- ``call_log``: pages of the model calls of a run.
- ``report``: a report page of a run; ``methods``: its description of the methods.
- ``facet_page``: a page of facets; ``facet_numbers``: its tables.
- ``cutting``: splitting of texts at the ends of spans; ``describing``: any value as page elements; ``typeset``:
  equations as MathML; ``templates``: rendering.
"""
