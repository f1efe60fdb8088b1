"""Claims of papers, weaknesses named in reviews, and which claims the weaknesses dispute (CLAIMCHECK).

- :mod:`.builtin`: the actions without a model, one per file. :mod:`.prompted`: the actions by a model, one per file.
- ``base``: code that the actions share to read and write records. ``sources``: the texts that contain claims.
- ``entries``: the entries of systems under a weakness. ``weakness_sets``: the weaknesses by author.
- ``marks``: fingerprints of the texts that an entry refers to, and checks that these have not changed.
- ``cues``, ``mentions``, ``similarity``: cue words of claims, places that a review mentions, similarity of texts.
- ``context``, ``related``: the parts of the paper, and of papers that it cites, that a model is shown.
- ``replies``: the schemas of replies; verified by ``quotations``, ``target_choice`` and ``evidence``.
- ``controls``: undisputed claims, and weaknesses that dispute no common claim.
- ``anchor_changes``: references to places of the paper that a rewriting keeps, loses and adds.
- ``cut_off``: whether a paper was submitted before the end of a model's training data.
- ``human_weaknesses``, ``human_labels``: human weaknesses, labels and targets, from files read by ``answer_files``.
"""
