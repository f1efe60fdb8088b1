"""Explain why each experiment of a paper is needed (AAAR-1.0, section 3.2), by experiment id.

- ``prompted``: a model explains them, in separate calls or in one. ``builtin``: a baseline that copies the experiment.
"""
