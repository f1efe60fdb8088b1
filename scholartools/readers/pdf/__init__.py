"""PDF files in, paper records out.

- ``reader``: pages in, a record out. ``layout``: the order of what it does.
- ``columns``, ``many_columns``, ``lines``, ``paragraphs``, ``page_furniture``, ``footnotes``: text in reading order.
- ``title``, ``abstract``, :mod:`.sections`: the parts of a paper.
- ``front_matter``: what else the first pages hold. ``covers``: pages that repositories put before them.
- ``publication``: year, venue and identifiers of the paper.
- :mod:`.floats`: captions and what they belong to. ``line_map``: where lines with printed numbers are in the record.
- ``hidden_text``, ``optional_content``, ``fonts``, ``ocr``: what is not seen, and what cannot be read.
- ``coverage``, ``text_order``: text that no key of the record holds, columns that may be mixed; both are warnings.
"""
