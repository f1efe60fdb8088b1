"""Numbers from plain lists and arrays. Pure: no records, no files."""
