"""Read papers in plain text and Markdown.

- ``other_text``: detects texts that are data, scripts or programs instead of papers.
- ``reader``: chooses between the two formats and builds the record. ``markdown``, ``plain``: split a text into blocks.
- ``assemble``: blocks to sections, references and captions.
"""
