"""A file format in, a paper record out. ``formats`` tells which of them reads a file.

- :mod:`.pdf`, :mod:`.latex`, :mod:`.xml` (TEI and JATS), :mod:`.text` (plain text and Markdown): a reader each.
- :mod:`.references`: entries of a bibliography, taken apart. :mod:`.reviews`: reviews of papers.
- :mod:`.common`: headings' roles and numbers, names, hyphens, the types of a page; what several readers need.
"""
