"""Export the lists in records as tables, with one row per item.

- :mod:`.descriptions`: the tables. :mod:`.levels`: their columns, derived from the schema of records.
- :mod:`.rows`: their rows. :mod:`.writing`: the rows of many records as a file.
- :mod:`.answers`: the main value of a table's rows, with its interval and reason.
- :mod:`.results`: tables of results, whose records are not papers.
- :mod:`.both_sides`: the texts of compared items.
- :mod:`.utf16`: offsets in UTF-16 units.
- :mod:`.ids`: duplicate and near-duplicate record ids.
- :mod:`.dataset`: all tables as a data set folder. :mod:`.card`: its README.
- :mod:`.listing`: lists of the tables and of their columns.
"""
