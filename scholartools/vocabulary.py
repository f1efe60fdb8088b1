"""Closed sets of words: roles of sections, facets of texts, types of weaknesses, formats of replies and of files."""

from __future__ import annotations

from typing import Literal, get_args

Role = Literal[
    "abstract", "introduction", "related", "background", "method", "data", "experiment", "result", "discussion",
    "limitation", "ethics", "conclusion", "future", "acknowledgement", "reference", "appendix", "other",
]  # fmt: skip
ROLES: tuple[str, ...] = get_args(Role)

Facet = Literal["background", "method", "result", "conclusion"]
FACETS: tuple[str, ...] = get_args(Facet)

WeaknessType = Literal["insufficient", "contradictory", "novelty", "clarity", "related_work", "other"]
WEAKNESS_TYPES: tuple[str, ...] = get_args(WeaknessType)
#: What weaknesses are rated on, 1 to 5 each (CLAIMCHECK, section 3.3).
WEAKNESS_SCALES = ("objectivity", "agreement")

# Coefficients of agreement that are computed together from the same ratings.
COEFFICIENTS = ("alpha", "kappa", "agreement", "fleiss", "perfect", "gwet")

# The criteria files that come with the package.
CRITERIA = ("rq", "summary")

# What a reply is asked to be, from the one that binds a model most; each next one is what more servers know.
TEXT = "text"
FORMATS = ("json-schema", "json-object", TEXT)
AUTO = "auto"
RESPONSE_FORMATS = (AUTO, *FORMATS)

# Files of records; the ending of a file names its format, too.
TABLE_FORMATS = ("csv", "tsv", "xlsx", "parquet")
RECORD_FORMATS = ("jsonl", *TABLE_FORMATS)
