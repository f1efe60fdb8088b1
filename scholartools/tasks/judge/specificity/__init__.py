"""Which of two versions of a weakness is more specific; ``prompted``: a model judges each pair of versions."""
