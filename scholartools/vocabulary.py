"""Closed vocabularies: section roles, facets, weakness types, formats of replies and of files."""

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
#: Scales from 1 to 5 on which weaknesses are rated (CLAIMCHECK, section 3.3).
WEAKNESS_SCALES = ("objectivity", "agreement")

# Coefficients of agreement that are computed together from the same ratings.
COEFFICIENTS = ("alpha", "kappa", "agreement", "fleiss", "perfect", "gwet")

# Names of the criteria files in the package.
CRITERIA = ("rq", "summary")

# Formats of a reply, from the strictest to the most widely supported.
TEXT = "text"
FORMATS = ("json-schema", "json-object", TEXT)
AUTO = "auto"
RESPONSE_FORMATS = (AUTO, *FORMATS)

# Formats of record files; the suffix of a file name selects the format, too.
TABLE_FORMATS = ("csv", "tsv", "xlsx", "parquet")
RECORD_FORMATS = ("jsonl", *TABLE_FORMATS)
