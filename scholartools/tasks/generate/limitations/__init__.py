"""The limitations of a paper (BAGELS, section 4).

- ``prompted``: a model writes them from the paper alone, or with passages of related papers; ``drafts``: the questions
  that it is asked: a draft from each piece of the paper, then one list of all.
- ``builtin``: limitations that related papers state, word for word.
- ``inputs``: what both are given of the paper and of the corpus, and how an entry is made.
- ``options``: what may be chosen, and what of it changes the result.
"""

from scholartools.tasks.generate.corpus import RELATIONS, Corpus
from scholartools.tasks.generate.limitations.builtin import needs_model, related
from scholartools.tasks.generate.limitations.inputs import read_corpus
from scholartools.tasks.generate.limitations.options import Options, check
from scholartools.tasks.generate.limitations.prompted import limitations

__all__ = ["RELATIONS", "Corpus", "Options", "check", "limitations", "needs_model", "read_corpus", "related"]
