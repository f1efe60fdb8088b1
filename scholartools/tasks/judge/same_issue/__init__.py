"""Judge whether a reviewer and a model criticise the same issue of a claim; ``prompted``: by a model, per pair."""
