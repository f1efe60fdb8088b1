"""The commands: one module each, or a package with a module for each task. A command parses options and runs one task.

- ``parse``, ``facets``, ``extract_limits``, ``score``, ``table``, ``view``: commands of one task.
- :mod:`.claims`, :mod:`.eqsynth`, :mod:`.generate`, :mod:`.judge`, :mod:`.agree`, :mod:`.annotate`, :mod:`.cache`,
  :mod:`.fetch`: groups of tasks.
- ``start``: imports and runs a command; Ctrl-C ends it from the beginning.
- :mod:`.shared`: code shared by commands: common and model options, groups, exit statuses, man pages.
"""
