"""The research question of a paper ("A Dataset for Evaluating LLM-based Evaluation Functions ...", section 3.2).

- ``prompted``: a model writes it, in three variants; ``replies``: what it may answer.
- ``builtin``: sentences that state an aim or ask, word for word. ``checks``: what rules say of a question.
- ``inputs``: which parts of the paper are read.
"""
