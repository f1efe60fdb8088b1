"""Select reviews that discuss claims, by keywords (CLAIMCHECK, A.2)."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scholartools.errors import UsageFault
from scholartools.parameters import parameter
from scholartools.records import Record
from scholartools.tasks.claims import cues
from scholartools.tasks.claims.base import reviews_of, sign_step

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Review


def select(record: Record, *, keywords: Sequence[str] = cues.KEYWORDS, drop: bool = False) -> Record:
    """Add ``claim_related`` with the keywords found to the ``reviews`` of a copy of the record.

    Args:
        keywords: words or phrases, case-insensitive; a final star matches any ending.
        drop: remove the reviews without a keyword; the record is kept.

    Raises:
        InputFault: ``reviews`` are missing or malformed.
        UsageFault: a keyword without a letter.
    """
    reviews = reviews_of(record)
    pattern = _keyword_pattern(tuple(keywords))
    found = [(review, _keyword_hits(review, pattern)) for review in reviews]
    kept = [{**review, "claim_related": {"hits": hits}} for review, hits in found if hits or not drop]
    options, counts = {"keywords": list(keywords), "drop": drop}, {"dropped": len(found) - len(kept)} if drop else None
    return sign_step({**record, "reviews": kept}, "select", options, reviews, counts)


def check_keywords(keywords: Sequence[str]) -> None:
    """Validate keywords.

    Raises:
        UsageFault: there are none, or one has no letter.
    """
    if bad := [word for word in keywords if not any(map(str.isalpha, word))] or ([""] if not keywords else []):
        raise UsageFault(f'{parameter("keywords")}: "{bad[0]}" has no letter')


@functools.cache
def _keyword_pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    check_keywords(keywords)
    # longest first, so that "fully support" is one match
    stems = sorted((word.strip().lower() for word in keywords), key=len, reverse=True)
    parts = (
        r"\s+".join(map(re.escape, stem.rstrip("*").split())) + (r"\w*" if stem.endswith("*") else "") for stem in stems
    )
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(parts)})(?!\w)")


def _keyword_hits(review: Review, pattern: re.Pattern[str]) -> list[Record]:
    name = f"review:{review['id']}"
    return [
        {"text": hit.group(), "spans": [{"in": name, "start": hit.start(), "end": hit.end()}]}
        for hit in pattern.finditer(review["text"])
    ]
