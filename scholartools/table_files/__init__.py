"""Tables: read rows of CSV, TSV, Excel and Parquet files as records, and write such files.

- :mod:`.reading`: rows of a file as records, each with its position.
- :mod:`.headings`: headings of a table: paths into a record, and types.
- :mod:`.cells`: values of cells by type, without guessing.
- :mod:`.types`: types of a record's keys, from its JSON Schema.
- :mod:`.delimited`: CSV and TSV. :mod:`.workbooks`: Excel. :mod:`.columnar`: Parquet.
- :mod:`.formats`: interface of the output formats. :mod:`.text_out`: CSV, TSV and Markdown. :mod:`.latex_out`: LaTeX.
  :mod:`.workbook_out`: Excel. :mod:`.columnar_out`: Parquet.
- :mod:`.guard`: protection against formulas. :mod:`.sorting`: sorting. :mod:`.wide`: wide form.
- :mod:`.best`: the best numbers of a column. :mod:`.libraries`: optional dependencies.
"""
