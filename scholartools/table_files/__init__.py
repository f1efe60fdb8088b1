"""Tables: rows of CSV, TSV, Excel workbooks and Parquet files as records, and rows as such files.

- :mod:`.reading`: the rows of a file as records, with the place of each.
- :mod:`.headings`: what the headings of a table say: paths into a record, and the type of what is there.
- :mod:`.cells`: the value in a cell, by its type; never guessed.
- :mod:`.types`: the types of a record's keys, of its published JSON Schema.
- :mod:`.delimited`: CSV and TSV. :mod:`.workbooks`: Excel. :mod:`.columnar`: Parquet.
- :mod:`.formats`: what is written. :mod:`.text_out`: CSV, TSV and Markdown. :mod:`.latex_out`: LaTeX.
  :mod:`.workbook_out`: Excel. :mod:`.columnar_out`: Parquet.
- :mod:`.guard`: cells that are no formulas. :mod:`.sorting`: rows in order. :mod:`.wide`: rows in wide form.
- :mod:`.best`: the best numbers of a column. :mod:`.libraries`: what these need.
"""
