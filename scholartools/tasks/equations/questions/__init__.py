"""Questions about an equation in its context.

- ``making``: from a paper's equations to questions. ``squares``: options of two changes.
- ``rules``, ``edits``, ``rewritings``: wrong and right alternatives. ``context``: the text around, with masks;
  ``surroundings``: what the formulas in it tell; ``masking``: squares of which it tells nothing once more is masked.
- ``prompted``: questions whose wrong options a model proposes; ``proposals``: such a proposal, verified.
- ``compiling``: whether an option compiles. ``shortcuts``, ``attacks``, ``shortcut_table``: what solves a set without
  reading it: single shortcuts, classifiers, their table.
- ``verifying``: what a question says of itself, computed again.
"""
