"""Location of the figure, table or algorithm of each caption on the page, from drawings and lines next to it.

A float lies right above or right below its caption, in the caption's column or across the page, and ends where running
text, a heading or another caption begins. The side is determined by the content there; if both are possible, by the
usual side in the document.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scholartools.readers.common.page import (
    Body,
    Box,
    box_around,
    box_of_lines,
    covered_width,
    is_rule,
)
from scholartools.readers.pdf.floats.captions import Caption
from scholartools.readers.pdf.floats.figure_context import (
    SLACK,
    FigureContext,
    is_framed,
    is_in,
    is_solid,
    overlap_share,
    share_width,
)

_FIRST_GAP = 4.0  # maximum gap between a caption and its float, in leadings
_GRAPHIC_GAP = 3.0  # maximum gap between two parts of a drawing, in leadings
_TEXT_GAP = 1.3  # maximum gap between a drawing or row and its next line, in leadings
_LEAST = 8.0  # minimum width and height of a float, in points
_MARGIN = 3.0  # margin around a float where there is no caption or text, in points
_CLEAR = 1.5  # part of that margin that letters of a caption may extend into, in points
_TOUCH = 0.05  # two floats overlap from this share of the smaller one
_END = 0.1  # maximum share of a claim's height beyond another float that cuts it
_SHARED = 0.5  # two floats of which neither can be cut may overlap by less than this share of the smaller one
_USUAL = {"figure": True, "table": False, "algorithm": False}  # whether the float is above its caption


@dataclass(frozen=True)
class Sides:
    """The candidates for a caption's float above and below it, and whether they have drawings or table rules."""

    above: Box | None
    below: Box | None
    drawn_above: bool = False
    drawn_below: bool = False


def find_floats(found: list[tuple[Caption, FigureContext]]) -> dict[int, Box]:
    """The boxes of the floats of a document's captions, by the caption's ``id()``, without those not found.

    An area claimed by two captions goes to the one that has no other candidate, else to the nearer one.

    Args:
        found: the captions in order, each with the context of its page.
    """
    sides = [(caption, _look_around(caption, around_it)) for caption, around_it in found]
    habits = _caption_habits(sides)
    pages: dict[int, list[_Claim]] = {}
    for caption, its in sorted(sides, key=lambda one: _certainty_key(*one)):
        claims = pages.setdefault(id(caption.page), [])
        own = box_of_lines(caption.lines)
        for area in _ranked_sides(caption, its, habits):
            claim = _Claim(id(caption), own, area)
            if all(_resolve_conflict(claim, other) for other in claims):
                claims.append(claim)
                break
    return {claim.caption: claim.area for claims in pages.values() for claim in claims}


@dataclass
class _Claim:
    """The claim of a caption (by its ``id()``), with its box ``own``, that its float is in ``area``."""

    caption: int
    own: Box
    area: Box


def _resolve_conflict(new: _Claim, old: _Claim) -> bool:
    """Whether two claims on one page are compatible; a claim that extends beyond the other's float is cut, in place."""
    if overlap_share(new.area, old.area) < _TOUCH:
        return True
    for one, other in ((new, old), (old, new)):
        rest = _remaining_claim(one, other.area)
        if rest is not None:
            one.area = rest
            return True
    return overlap_share(new.area, old.area) < _SHARED


def _remaining_claim(claim: _Claim, other: Box) -> Box | None:
    """The part of a claim between its caption and another float at its far end; None if there is none."""
    x0, y0, x1, y1 = claim.area
    slack = SLACK + _END * (y1 - y0)
    above = y1 <= claim.own[1] + SLACK
    if above and other[1] - slack <= y0 and y1 - other[3] > _LEAST:
        return x0, other[3], x1, y1
    if not above and other[3] + slack >= y1 and other[1] - y0 > _LEAST:
        return x0, y0, x1, other[1]
    return None


def _certainty_key(caption: Caption, its: Sides) -> tuple[bool, float]:
    """Sort key: captions with a single candidate first, then by the distance of the nearest candidate."""
    own = box_of_lines(caption.lines)
    gaps = [own[1] - its.above[3]] if its.above else []
    gaps += [its.below[1] - own[3]] if its.below else []
    return len(gaps) > 1, min(gaps, default=0.0)


def _caption_habits(sides: list[tuple[Caption, Sides]]) -> dict[str, bool]:
    """For each kind, whether floats are above their captions, by majority of the captions with an unambiguous side."""
    votes: dict[str, Counter[bool]] = {}
    for caption, its in sides:
        if (its.above is None) != (its.below is None):
            votes.setdefault(caption.kind, Counter())[its.above is not None] += 1
        elif its.drawn_above != its.drawn_below:
            votes.setdefault(caption.kind, Counter())[its.drawn_above] += 1
    return {kind: (votes[kind][True] > votes[kind][False] if kind in votes and votes[kind][True] != votes[kind][False]
                   else usual) for kind, usual in _USUAL.items()}  # fmt: skip


def _ranked_sides(caption: Caption, its: Sides, habits: dict[str, bool]) -> list[Box]:
    """The candidates above and below, the likelier one first."""
    upward = habits[caption.kind]
    if its.drawn_above != its.drawn_below and caption.kind == "figure":
        upward = its.drawn_above
    return [area for area in ((its.above, its.below) if upward else (its.below, its.above)) if area is not None]


def _look_around(caption: Caption, around_it: FigureContext) -> Sides:
    """Find the candidates above and below: in the caption's column first, then drawings across the page."""
    own = box_of_lines(caption.lines)
    if framed := _framed_algorithm(caption, own, around_it):
        return Sides(None, framed, drawn_below=True)
    found: dict[bool, tuple[Box | None, bool]] = {True: (None, False), False: (None, False)}
    for upward in (True, False):
        for index, extent in enumerate(_search_extents(caption, own, around_it)):
            area, drawn = _look_aside(caption, own, extent, around_it, upward)
            if area is not None and share_width(area, own) and (drawn or not index):
                found[upward] = area, drawn
            if drawn:
                break
    return Sides(found[True][0], found[False][0], found[True][1], found[False][1])


def _framed_algorithm(caption: Caption, own: Box, around_it: FigureContext) -> Box | None:
    """The box of an algorithm between rules: right above its caption, right below, and at its end."""
    if caption.kind != "algorithm":
        return None
    rules = [one for one in around_it.graphics if is_rule(one) and covered_width(one, own) > 0.9]
    over = [one for one in rules if -SLACK <= own[1] - one[3] < 0.7 * around_it.body.leading]
    stop = min((other[1] for other in around_it.captions if other[1] > own[3] and share_width(other, own)), default=1e9)
    under = sorted(one[3] for one in rules if one[1] > own[3] - SLACK and one[3] < stop)
    if not over or len(under) < 2:
        return None
    top = over[-1]
    return top[0] - _MARGIN, top[1] - _MARGIN, top[2] + _MARGIN, under[1] + _MARGIN


def _search_extents(caption: Caption, own: Box, around_it: FigureContext) -> list[tuple[float, float]]:
    """Horizontal extents to search, limited by text at the caption's height: its column, then the page."""
    left, right = 0.0, around_it.width
    for one in around_it.text + around_it.captions:
        if one[1] >= own[3] - SLACK or one[3] <= own[1] + SLACK or one == own:
            continue
        # Drawings can be wider than their captions: of two side by side, each gets half of the gap.
        share = 0.5 if one in around_it.captions else 0.0
        if one[2] <= own[0] + SLACK:
            left = max(left, one[2] + share * (own[0] - one[2]))
        elif one[0] >= own[2] - SLACK:
            right = min(right, one[0] - share * (one[0] - own[2]))
    column = caption.lines[0].column
    if column == 0:
        return [(left, right)]
    middle = around_it.width / 2
    narrow = (left, min(right, max(middle, own[2]))) if column == 1 else (max(left, min(middle, own[0])), right)
    return [narrow, (left, right)]


def _look_aside(
    caption: Caption, own: Box, extent: tuple[float, float], around_it: FigureContext, upward: bool
) -> tuple[Box | None, bool]:
    """The candidate on one side of the caption, and whether it has drawings or, except for figures, rules."""
    limit, absorbed = _search_limit(caption, own, extent, around_it, upward)
    band = (extent[0], limit, extent[1], own[1]) if upward else (extent[0], own[3], extent[1], limit)
    drawn = [_cut_to_band(one, band, around_it) for one in around_it.graphics if is_in(one, band)]
    lines = [one for one in around_it.inner + absorbed if is_in(one, band)]
    chain = _chain_outwards(own, drawn, lines, around_it.body.leading, upward)
    if caption.kind == "table":
        chain = _end_at_rules(chain, around_it.body, upward)
    if not chain:
        return None, False
    x0, y0, x1, y1 = box_around(part for part, _ in chain)
    rows = sum(not is_drawn for _, is_drawn in chain)
    pictured = any(is_drawn and not is_rule(part) for part, is_drawn in chain)
    ruled = caption.kind != "figure" and any(is_drawn for _, is_drawn in chain)
    if x1 - x0 < _LEAST or y1 - y0 < _LEAST or (rows < 2 and not pictured and not ruled):
        return None, False
    return _with_margin((x0, y0, x1, y1), band, around_it), pictured or ruled


def _with_margin(area: Box, band: Box, around_it: FigureContext) -> Box:
    """Add a margin to the area, limited by the band vertically and by text beside it horizontally."""
    beside = [one for one in around_it.wordy if one[1] < area[3] and area[1] < one[3]]
    left = max((one[2] for one in beside if one[2] < area[0] + SLACK), default=0.0)
    right = min((one[0] for one in beside if one[0] > area[2] - SLACK), default=around_it.width)
    x0, x1 = max(area[0] - _MARGIN, min(left, area[0])), min(area[2] + _MARGIN, max(right, area[2]))
    top, bottom = min(area[1], band[1] + _CLEAR), max(area[3], band[3] - _CLEAR)
    return x0, max(area[1] - _MARGIN, top), x1, min(area[3] + _MARGIN, bottom)


def _search_limit(
    caption: Caption, own: Box, extent: tuple[float, float], around_it: FigureContext, upward: bool
) -> tuple[float, list[Box]]:
    """The y of the nearest running text or other caption, and boxes of text that belong to the float.

    The latter are lines in a drawn box and, for a table, between its rules.
    """
    strip = (extent[0], 0.0, extent[1], 0.0)
    text = [one for one in around_it.text if share_width(one, strip)]
    others = [one for one in around_it.captions if one != own and share_width(one, strip)]
    if upward:
        stop = max((one[3] for one in others if one[3] <= own[1] + SLACK), default=0.0)
    else:
        stop = min((one[1] for one in others if one[1] >= own[3] - SLACK), default=around_it.height)
    ruled = _rules_next_to(own, extent, around_it, stop, upward) if caption.kind == "table" else None
    absorbed = [one for one in text if (ruled and ruled[0] - SLACK <= one[1] and one[3] <= ruled[1] + SLACK)
                or any(is_framed(one, frame) for frame in around_it.frames)]  # fmt: skip
    left = [one for one in text if one not in absorbed]
    left += [one for one in around_it.wordy if share_width(one, strip) and _reaches_out(one, extent, around_it.width)]
    if upward:
        return max([stop, *(one[3] for one in left if one[3] <= own[1] + SLACK)]), absorbed
    return min([stop, *(one[1] for one in left if one[1] >= own[3] - SLACK)]), absorbed


def _reaches_out(one: Box, extent: tuple[float, float], width: float) -> bool:
    """Whether a line extends beyond the column, such as the authors' names above a figure."""
    return one[0] < extent[0] - _MARGIN or extent[1] + _MARGIN < one[2] < width


def _rules_next_to(
    own: Box, extent: tuple[float, float], around_it: FigureContext, stop: float, upward: bool
) -> tuple[float, float] | None:
    """Top and bottom of the rules of one width on this side of the caption; None if the nearest is not close."""
    rules = [one for one in around_it.graphics if is_rule(one) and is_in(one, (extent[0], 0, extent[1], 1e9))]
    rules = [one for one in rules if (stop < one[1] < own[1] if upward else own[3] < one[1] < stop)]
    if not rules:
        return None
    near = max(rules, key=lambda one: one[1]) if upward else min(rules, key=lambda one: one[1])
    if min(abs(near[1] - own[3]), abs(own[1] - near[1])) > 2 * around_it.body.leading:
        return None
    alike = [one[1] for one in rules if abs(one[0] - near[0]) < SLACK and abs(one[2] - near[2]) < SLACK]
    return min(alike), max(alike)


def _chain_outwards(
    own: Box, drawn: list[Box], lines: list[Box], leading: float, upward: bool
) -> list[tuple[Box, bool]]:
    """Drawings (True) and lines (False) from the caption outwards, as long as each is close to those before it."""
    items = [(one, True) for one in drawn] + [(one, False) for one in lines]
    items.sort(key=(lambda item: (-item[0][3], item[0])) if upward else (lambda item: (item[0][1], item[0])))
    chain: list[tuple[Box, bool]] = []
    edge = own[1] if upward else own[3]
    for item in items:
        part, is_drawn = item
        gap = edge - part[3] if upward else part[1] - edge
        if not chain:
            allowed = _FIRST_GAP
        else:
            allowed = _GRAPHIC_GAP if is_drawn else _TEXT_GAP
        if gap > allowed * leading:
            if is_drawn or not chain:
                break
            continue
        chain.append(item)
        edge = min(edge, part[1]) if upward else max(edge, part[3])
    return chain


def _end_at_rules(chain: list[tuple[Box, bool]], body: Body, upward: bool) -> list[tuple[Box, bool]]:
    """Cut a table with rules after the outermost one; rows without rules and notes may follow, but no picture."""
    rules = [part for part, is_drawn in chain if is_drawn and is_rule(part)]
    wide = max((one[2] - one[0] for one in rules), default=0.0)
    near = next((one for one in rules if one[2] - one[0] > max(40, 0.8 * wide)), None)
    main = [one for one in rules if near and abs(one[0] - near[0]) < SLACK and abs(one[2] - near[2]) < SLACK]
    if len(main) < 2:
        return chain
    row = _TEXT_GAP * body.leading
    if upward:
        end = min(one[1] for one in main)
        return [item for item in chain if item[0][1] >= end - row]
    end = max(one[3] for one in main)
    kept = [item for item in chain if item[0][3] <= end + row]
    edge = max(part[3] for part, _ in kept)
    for part, is_drawn in (item for item in chain if item[0][3] > end + row):
        if (is_drawn and is_solid(part)) or part[1] - edge > row:
            break
        kept.append((part, is_drawn))
        edge = max(edge, part[3])
    return kept


def _cut_to_band(one: Box, band: Box, around_it: FigureContext) -> Box:
    """Clip a drawing to the band; horizontally only where it would cover text, like drawings with a clipping path."""
    y0, y1 = max(one[1], band[1]), min(one[3], band[3])
    x0 = band[0] if _over_text((one[0], y0, band[0], y1), around_it) else one[0]
    x1 = band[2] if _over_text((band[2], y0, one[2], y1), around_it) else one[2]
    return x0, y0, x1, y1


def _over_text(area: Box, around_it: FigureContext) -> bool:
    return area[2] - area[0] > SLACK and any(
        share_width(one, area) and one[1] < area[3] and area[1] < one[3] for one in around_it.text + around_it.wordy
    )
