"""Sentences and other views of a text, always with character offsets."""
