"""Code shared by the readers.

- ``roles``, ``numbering``, ``outline``: roles, numbers and levels of headings.
- ``authors``, ``person_names``, ``addresses``: names and addresses of authors. ``table_rows``: rows without a caption.
- ``front_text``: the kinds of other texts before the abstract.
- ``hyphenation``, ``prose``: join lines to words and paragraphs.
- ``page``: types for pages, lines and spans. ``file_types``: kinds of files. ``ids``: ids of sections and captions.
- ``mupdf``: the library that reads PDF files and draws. ``pdf_resources``: fonts and images of the pages of a PDF.
- ``picture_files``: the files that pictures are written to.
- ``yaml_data``: YAML in the files of a paper. ``tags``: markup in a title or an abstract.
"""
