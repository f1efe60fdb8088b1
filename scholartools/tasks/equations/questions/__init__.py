"""Questions about an equation in its context.

- ``making``: make questions from a paper's equations. ``squares``: sets of options from two changes.
- ``rules``, ``edits``, ``rewritings``: wrong and right alternatives.
- ``context``: the text around an equation, with masks. ``surroundings``: statistics of its formulas. ``masking``:
  squares that need further masks, so that the text does not reveal the right option.
- ``prompted``: questions whose wrong options a model proposes. ``proposals``: verification of a proposal.
- ``compiling``: whether an option compiles.
- ``shortcuts``, ``attacks``, ``shortcut_table``: guesses without understanding: single shortcuts, classifiers, and
  the table of their accuracies.
- ``verifying``: recompute the certificates and other claims of a question.
"""
