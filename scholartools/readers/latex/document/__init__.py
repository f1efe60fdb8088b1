"""The document that is being read.

- ``state``: the current state. ``parts``: sections, captions, equations, notes. ``output``: text with offsets.
- ``counters``: numbers of sections and floats. ``math``, ``symbols``: formulas and characters as text.
"""
