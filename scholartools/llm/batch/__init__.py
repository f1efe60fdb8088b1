"""Batches: requests are written to files, and their replies are read when the files have been answered.

- ``lines``: requests and replies as lines of such files. ``offline``: the files of a run in a folder.
- ``courier``: sends these files to a provider and fetches the replies. ``endpoints``: batch APIs of providers.
"""
