"""One text against another.

- ``overlap``: ROUGE, BLEU, cosines, edit distance. ``edits``: what two texts have in common.
- ``keywords``: key words and their overlap. ``extraction``: how well an extracted text covers what was to be extracted.
"""
