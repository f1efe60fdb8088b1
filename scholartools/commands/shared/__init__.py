"""What several commands need.

- ``command``: the common options, groups of tasks, and the edge where a fault becomes one line and an exit status.
- ``mistakes``: what is said of an option or a task that there is not.
- ``options``: headings of the help, and conditions between options that are checked before a command runs.
- ``model_options``, ``bootstrap_options``: the options of commands that ask a model, or give intervals.
- ``man``: man pages from the definitions of the commands.
"""
