"""Code shared by several commands.

- ``command``: common options, groups of tasks, and the conversion of faults to a one-line message and an exit status.
- ``mistakes``: messages on unknown options and tasks.
- ``options``: headings of the help, and conditions between options that are checked before a command runs.
- ``model_options``, ``bootstrap_options``: options of commands that call a model, or compute intervals.
- ``man``: man pages from the definitions of the commands.
"""
