"""Generate limitations of a paper (BAGELS, section 4).

- ``prompted``: written by a model from the paper alone, or with passages of related papers; ``drafts``: its requests, a
  draft for each chunk of the paper, then a merged list.
- ``builtin``: limitations that related papers state, verbatim.
- ``inputs``: the input from paper and corpus, and the resulting entries.
- ``options``: options, and which of them affect the result.
"""

from scholartools.tasks.generate.corpus import RELATIONS, Corpus
from scholartools.tasks.generate.limitations.builtin import needs_model, related
from scholartools.tasks.generate.limitations.inputs import read_corpus
from scholartools.tasks.generate.limitations.options import Options, check
from scholartools.tasks.generate.limitations.prompted import limitations

__all__ = ["RELATIONS", "Corpus", "Options", "check", "limitations", "needs_model", "read_corpus", "related"]
