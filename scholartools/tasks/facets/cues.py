"""The tables of the built-in facet labelling: headings, boilerplate, and cues (``words/facets.tsv``).

A phrase is words in lower case; phrases are divided by ``|``; ``#`` is any number, ``^`` the start of the sentence. A
hyphen is a space. What a cue says for and against a label the network of ``network.py`` has learned: a change of
these tables needs it trained again.
"""

from __future__ import annotations

from scholartools.text.words import read_words

VERSION = "9"

# The phrases of each table by name; the name of a table's only row is empty.
_TABLES: dict[str, dict[str, str]] = {}
for _table, _name, _phrases, _ in read_words("facets"):
    _TABLES.setdefault(_table, {})[_name] = _phrases

#: What headings name. "X of the study", "main X", "X and Y" and "X, Y/Z" are read by the names of X, Y and Z.
HEADINGS: dict[str, str] = _TABLES["heading"]

HEADING_QUALIFIERS = _TABLES["heading qualifier"][""]

#: What makes a sentence certainly no part of the argument, whatever else it says.
CERTAINLY_OTHER = _TABLES["certainly other"][""]

#: What makes a sentence certainly a conclusion: the author says so, or says what the results mean. In abstracts with
#: headings 95% of such sentences are under one of conclusions; of "the results show" and "results indicate" fewer do.
CERTAINLY_CONCLUSION = _TABLES["certainly conclusion"][""]

#: Phrases that speak for and against the same labels. Each is an input of the network, in this order.
CUES: dict[str, str] = _TABLES["cue"]
