"""Tables of the built-in facet labelling: headings, boilerplate, and cue phrases (``words/facets.tsv``).

Phrases are lower-case words, separated by ``|``; ``#`` matches any number, ``^`` the start of a sentence, and a hyphen
equals a space. The weights of the cues are learned by the network of ``network.py``, which must be retrained after a
change of these tables.
"""

from __future__ import annotations

from scholartools.text.words import read_words

VERSION = "9"

# Phrases by table and row name; the name is empty in tables with a single row.
_TABLES: dict[str, dict[str, str]] = {}
for _table, _name, _phrases, _ in read_words("facets"):
    _TABLES.setdefault(_table, {})[_name] = _phrases

#: Names in headings. "X of the study", "main X", "X and Y" and "X, Y/Z" are parsed by the names X, Y and Z.
HEADINGS: dict[str, str] = _TABLES["heading"]

HEADING_QUALIFIERS = _TABLES["heading qualifier"][""]

#: Phrases that exclude a sentence from the argument, whatever else it contains.
CERTAINLY_OTHER = _TABLES["certainly other"][""]

#: Phrases that make a sentence a conclusion, because the author says so or interprets the results. In abstracts with
#: headings, 95% of such sentences are under a heading for conclusions; fewer of those with "the results show" or
#: "results indicate".
CERTAINLY_CONCLUSION = _TABLES["certainly conclusion"][""]

#: Cue phrases, grouped by the labels that they support. Each group is an input of the network, in this order.
CUES: dict[str, str] = _TABLES["cue"]
