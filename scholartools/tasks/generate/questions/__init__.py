"""Generate the research question of a paper ("A Dataset for Evaluating LLM-based Evaluation Functions ...", 3.2).

- ``prompted``: written by a model, in three variants; ``replies``: valid replies.
- ``builtin``: verbatim sentences that state an aim or ask a question. ``checks``: rule-based flags of questions.
- ``inputs``: the parts of the paper that are read.
"""
