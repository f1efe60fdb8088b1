"""Records for reading.

- ``plain_text``: outlines and lists in a terminal.
- ``paper_pages``: records as a page, or as a folder of pages; ``article``: one record, ``kinds``: its items as cards;
  ``pairs``: what judges compared, side by side.
- ``call_log``: pages of the calls that made records.
- ``report``: one page of a run; ``methods``: what it says of the method.
- ``facet_page``: facets as a page; ``facet_numbers``: its tables of numbers.
- ``cutting``: a text cut where spans begin and end; ``describing``: any value as the parts of a page; ``typeset``: an
  equation as MathML; ``templates``: what renders them.
"""
