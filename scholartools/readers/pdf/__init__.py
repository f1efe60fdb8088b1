"""PDF files.

- ``reader``: pages in, a record out; the only module that knows PyMuPDF. ``layout``: the order of what it does.
- ``columns``, ``lines``, ``paragraphs``, ``page_furniture``, ``footnotes``: text in reading order.
- ``title``, ``abstract``, ``headings``: the parts of a paper.
- :mod:`.floats`: captions and what they belong to.
- ``hidden_text``, ``optional_content``, ``fonts``, ``ocr``: what is not seen, and what cannot be read.
"""
