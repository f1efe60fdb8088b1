"""What a rewriting keeps of the anchors of a text: line numbers, tables, quotations, citations (CLAIMCHECK, 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import NamedTuple


class AnchorChanges(NamedTuple):
    """Anchors of a text and of its rewriting; one that is named twice counts once.

    Attributes:
        kept: in both, in the order of the original.
        lost: in the original alone.
        added: in the rewriting alone.
        unfounded: those of the added that nothing the rewriter was given has.
    """

    kept: list
    lost: list
    added: list
    unfounded: list


def compare_anchors(
    original: Iterable[Hashable], revised: Iterable[Hashable], known: Collection[Hashable]
) -> AnchorChanges:
    """The anchors of a text beside those of its rewriting.

    Args:
        original: anchors of the text.
        revised: anchors of the rewriting.
        known: anchors that the paper, its captions, related papers and the review have.
    """
    before, after = list(dict.fromkeys(original)), list(dict.fromkeys(revised))
    added = [anchor for anchor in after if anchor not in before]
    return AnchorChanges(
        [anchor for anchor in before if anchor in after],
        [anchor for anchor in before if anchor not in after],
        added,
        [anchor for anchor in added if anchor not in known],
    )
