"""The commands: one file each, or a package with a file for each task. Options in, one call, records out.

- ``parse``, ``facets``, ``extract_limits``, ``score``, ``table``, ``view``: commands of one task.
- :mod:`.claims`, :mod:`.eqsynth`, :mod:`.generate`, :mod:`.judge`, :mod:`.agree`, :mod:`.annotate`, :mod:`.cache`,
  :mod:`.fetch`: groups of tasks.
- :mod:`.shared`: what several need: common and model options, groups, exit statuses, man pages.
"""
