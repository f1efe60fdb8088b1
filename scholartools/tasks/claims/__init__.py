"""Claims of papers, weaknesses that reviewers see in them, and which disputes which (CLAIMCHECK).

- :mod:`.builtin`: the actions without a model, a file each. :mod:`.prompted`: the actions by a model, a file each.
- ``base``: what the actions read of a record and how they write into it. ``sources``: the texts with claims.
- ``entries``: what each system says of a weakness. ``weakness_sets``: where the weaknesses of each are.
- ``marks``: fingerprints of what an entry is about, and the refusal of entries about other texts.
- ``cues``, ``mentions``, ``similarity``: words that tell claims, places that a review names, likeness of texts.
- ``context``, ``related``: what a model is shown of the paper, and of papers that it cites.
- ``replies``: the shapes of replies; verified by ``quotations``, ``target_choice`` and ``evidence``.
- ``controls``: claims that nobody disputes, and weaknesses that dispute nothing in common.
- ``anchor_changes``: which references to places of the paper a rewriting keeps, loses and adds.
- ``cut_off``: whether a paper came before a model's training data end.
- ``human_weaknesses``, ``human_labels``: weaknesses, labels and targets by people, from files of theirs, which
  ``answer_files`` reads.
"""
