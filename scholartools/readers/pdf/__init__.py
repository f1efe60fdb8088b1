"""Reader that converts PDF files to paper records.

- ``reader``: entry point, from bytes to a record. ``layout``: from pages of lines to the parts of a paper.
- ``columns``, ``many_columns``, ``paragraphs``, ``page_furniture``, ``footnotes``: text in reading order.
- ``title``, ``abstract``, :mod:`.sections`: the parts of a paper.
- ``front_matter``: other text of the first pages. ``covers``: cover pages added by repositories and publishers.
- ``publication``: year, venue and identifiers of the paper.
- :mod:`.floats`: captions with their figures, tables and algorithms. ``line_map``: spans of lines with printed numbers.
- ``lines``: lines of the page in one direction. ``hidden_text``, ``optional_content``: text that is not visible.
- ``fonts``: characters without Unicode values. ``ocr``: text recognition.
- ``coverage``, ``text_order``: warnings of text that is missing in the record, and of columns that may be mixed.
"""
