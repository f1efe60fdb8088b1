"""What several readers need.

- ``roles``, ``numbering``, ``outline``: what a heading says and its place.
- ``authors``, ``person_names``, ``addresses``: who wrote a paper, and where. ``table_rows``: rows without a caption.
- ``front_text``: what other texts before the abstract are.
- ``hyphenation``, ``prose``: words and paragraphs put together.
- ``page``: the types of what is on a page. ``file_types``: what a file is. ``ids``: ids of sections and captions.
- ``mupdf``: the library that reads PDF files and draws. ``pdf_resources``: what pages of a PDF can draw with.
- ``picture_files``: where pictures are written to.
- ``yaml_data``: YAML that came with a paper. ``tags``: what is markup in a title or an abstract.
"""
