"""Lists in records as tables: one row for each of their items.

- :mod:`.descriptions`: the tables. :mod:`.levels`: their columns, as the schema of a record has them.
- :mod:`.rows`: their rows. :mod:`.writing`: the rows of many records as a file of one of the formats.
- :mod:`.answers`: what the rows of a table are about, its interval and reason.
- :mod:`.results`: the tables of results, which are no papers.
- :mod:`.both_sides`: the texts of the items that were compared.
- :mod:`.utf16`: offsets in UTF-16 units.
- :mod:`.ids`: which ids of records are there twice, or only look different.
- :mod:`.dataset`: all of them as a folder for others. :mod:`.card`: the page that tells what is in it.
- :mod:`.listing`: which tables there are, and their columns, for reading.
"""
