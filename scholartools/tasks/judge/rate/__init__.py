"""Texts rated aspect by aspect, by published evaluation functions, by floors without a model, or by a user's own.

- ``contract``: what a method is, what it is given and what it returns. ``registry``: all methods, and a user's own.
- ``criteria``: the criteria file. ``inputs``: the texts of a record and what is shown beside them.
- ``asking``, ``numbers``: how a method asks, and the score in a reply. ``entries``: judgements of a record.
- ``form_filling`` (direct, geval, analyze-rate, rate-explain), ``token_scores``: geval by token probabilities,
  ``in_context`` (icl), ``sub_aspects`` (coascore), ``batches`` (batcheval), ``pools``, ``mates``: its batches.
- ``builtin``: floors. ``prompted``: a record's ratings by a model. ``fitting``: criteria made from labels.
"""
