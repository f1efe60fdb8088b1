"""A file format in, a paper record out."""
