"""General text processing: sentences, chunks, location of quotations, embeddings, retrieval, prompt injection.

- ``sentences``, ``chunks``: sentence boundaries, and chunks of bounded length. ``repeats``: repetitive text.
  ``retrieval``: BM25 combined with embeddings.
- :mod:`.quotes`: quotations located in their source. :mod:`.embeddings`: vectors of texts and tokens.
- ``anchors``: line numbers, tables, citations and quotations that a text refers to. ``ngrams``: shared word n-grams.
- ``prompt_injection``: sentences that instruct a language model. ``reply_score``: the score in a model's reply.
  ``reply_words``: wording that makes such a score ambiguous. ``words``: word lists.
"""
