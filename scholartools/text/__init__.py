"""Text without regard to papers: sentences, chunks, quotations located, embeddings, retrieval, orders to a model.

- ``sentences``, ``chunks``: where sentences end, and pieces of a size. ``repeats``: text that repeats itself.
  ``retrieval``: BM25 with embeddings.
- :mod:`.quotes`: quotations found in a source, and what may differ. :mod:`.embeddings`: vectors of texts and tokens.
- ``anchors``: line numbers, tables, citations and quotations in a text. ``ngrams``: runs of words that texts share.
- ``prompt_injection``: sentences that give orders to a model. ``reply_score``: the score in a model's reply.
  ``reply_words``: what leaves it open. ``words``: tables of words.
"""
