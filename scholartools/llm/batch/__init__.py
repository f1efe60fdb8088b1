"""Questions that are asked later, all together: they are written into files, and read again once they are answered.

- ``lines``: a request as a line of such a file, and a reply from one. ``offline``: the files of a run in a folder.
- ``courier``: takes these files to a provider and brings the replies. ``endpoints``: how providers take them.
"""
