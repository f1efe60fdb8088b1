"""What several tasks need.

Items at dotted paths (``items``), judgements as they were made (``judgements``), a paper as it is shown (``pieces``),
the pictures that go with it (``pictures``), what embeds its texts (``embedder``), the
names of systems (``systems``).
"""
