"""Ask a model: every reply kept, every call counted, any run repeatable without a key. Knows no task."""
