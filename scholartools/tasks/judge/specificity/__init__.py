"""Judge which of two versions of a weakness is more specific; ``prompted``: by a model, per pair of versions."""
