"""Anchors of a text that a rewriting keeps: line numbers, tables, quotations, citations (CLAIMCHECK, 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import NamedTuple


class AnchorChanges(NamedTuple):
    """Anchors of a text and of its rewriting, without duplicates.

    Attributes:
        kept: in both, in the order of the original.
        lost: only in the original.
        added: only in the rewriting.
        unfounded: added anchors that do not occur in the input of the rewriting.
    """

    kept: list
    lost: list
    added: list
    unfounded: list


def compare_anchors(
    original: Iterable[Hashable], revised: Iterable[Hashable], known: Collection[Hashable]
) -> AnchorChanges:
    """Compare the anchors of a text with those of its rewriting.

    Args:
        original: anchors of the text.
        revised: anchors of the rewriting.
        known: anchors in the paper, its captions, related papers and the review.
    """
    before, after = list(dict.fromkeys(original)), list(dict.fromkeys(revised))
    added = [anchor for anchor in after if anchor not in before]
    return AnchorChanges(
        [anchor for anchor in before if anchor in after],
        [anchor for anchor in before if anchor not in after],
        added,
        [anchor for anchor in added if anchor not in known],
    )
