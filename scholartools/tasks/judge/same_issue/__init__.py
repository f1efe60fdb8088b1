"""Whether a reviewer and a model find the same fault with a claim; ``prompted``: a model judges each pair."""
