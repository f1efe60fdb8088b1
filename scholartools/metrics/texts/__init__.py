"""Metrics that compare two texts.

- ``overlap``: ROUGE, BLEU, cosines, edit distance. ``edits``: edit distances of long texts.
- ``keywords``: key words and their overlap. ``extraction``: quality of an extracted text.
"""
