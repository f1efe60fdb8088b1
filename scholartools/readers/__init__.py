"""Readers: each turns a file of one format into a paper record. ``formats`` detects the format of a file.

- :mod:`.pdf`, :mod:`.latex`, :mod:`.xml` (TEI and JATS), :mod:`.text` (plain text and Markdown): one reader each.
- :mod:`.references`: parses the entries of a bibliography. :mod:`.reviews`: reads reviews of papers.
- :mod:`.common`: code shared by the readers: roles and numbers of headings, names, hyphens, the types of a page.
"""
