"""What TeX itself does with a source.

- ``archive``, ``source``, ``main_file``: the files of a paper, and which of them is the document.
- ``tokens``, ``stream``: characters to tokens, tokens expanded.
- ``macros``, ``definitions``, ``conditionals``, ``branches``: what the source defines and decides.
  ``signatures``: the arguments of ``\\NewDocumentCommand``.
- ``scopes``: groups, at whose end definitions go. ``numbers``, ``lengths``: what counts and measures. ``loops``: lists.
- ``packages``: what packages define that no source brings.
"""
