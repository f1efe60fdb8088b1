"""Plain text and Markdown.

- ``other_text``: whether a text is no paper but data, a script or a program.
- ``reader``: which of the two a file is, and the record. ``markdown``, ``plain``: blocks of each.
- ``assemble``: blocks to sections, references and captions.
"""
