"""The parts of TeX that are needed to expand a source.

- ``archive``, ``source``, ``main_file``: the files of a paper, and detection of its main file.
- ``tokens``, ``stream``: tokenization, and expansion of tokens.
- ``macros``, ``definitions``, ``conditionals``, ``branches``: definitions and conditionals of the source.
  ``signatures``: the arguments of ``\\NewDocumentCommand``. ``expl3``: functions of LaTeX 3.
- ``scopes``: groups and local definitions. ``numbers``, ``lengths``: registers, counters, lengths. ``loops``: lists.
- ``packages``: macros of packages that sources do not include.
"""
