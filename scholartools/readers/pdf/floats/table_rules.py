"""The extent of a table from its horizontal rules."""

from __future__ import annotations

from collections.abc import Iterable

from scholartools.readers.common.page import (
    Body,
    Box,
    Line,
    Page,
    box_of_lines,
    covered_width,
)

_COVERED = 0.5  # a rule above a line covers more than this share of the line's width
_NEAR = 2.5  # maximum distance between a caption and the first rule of its table, in leadings
_ALIKE = 2.5  # maximum difference of the ends of one table's rules, in points
_PARAGRAPH = 4  # minimum lines of running text between two rules of different tables
_SENTENCE = 20  # a line of running text has more letters; cells of a table have fewer


def is_ruled_off(line: Line, last: Line, page: Page) -> bool:
    """Whether a rule is between two lines, as above the head of a table."""
    top, bottom = (last.y0 + last.y1) / 2, (line.y0 + line.y1) / 2
    return any(top < rule[1] < bottom and covered_width(rule, box_of_lines([line])) > _COVERED for rule in page.rules)


def table_span(
    caption: list[Line], page: Page, prose: Iterable[Line], others: Iterable[Line], body: Body, *, upward: bool
) -> tuple[float, float] | None:
    """Top and bottom of the rules of one width next to a table's caption; None if there are fewer than two.

    Args:
        caption: lines of the caption.
        page: page of the caption.
        prose: the page's running text, which separates tables.
        others: lines of the page's other captions, which also separate tables.
        body: the look of the document's text.
        upward: whether to search above the caption, rather than below.
    """
    own = box_of_lines(caption)
    rules = _rules_beside(own, page.rules, [box_of_lines([line]) for line in others], upward)
    if not rules or _gap_to_rule(own, rules[0], upward) > _NEAR * body.leading:
        return None
    alike = [rule for rule in rules if max(abs(rule[0] - rules[0][0]), abs(rule[2] - rules[0][2])) < _ALIKE]
    text = [
        line
        for line in prose
        if line.cells == 1 and line.letters > _SENTENCE and covered_width(alike[0], box_of_lines([line])) > 0
    ]
    end = near = alike[0][1]
    for rule in alike[1:]:
        top, bottom = sorted((end, rule[1]))
        if sum(top < (line.y0 + line.y1) / 2 < bottom for line in text) >= _PARAGRAPH:
            break
        end = rule[1]
    return (min(near, end), max(near, end)) if end != near else None


def _rules_beside(own: Box, rules: Iterable[Box], others: list[Box], upward: bool) -> list[Box]:
    """The rules on one side of a caption up to the next caption, sorted by distance."""
    meeting = [one for one in others if one[0] < own[2] and own[0] < one[2]]
    if upward:
        stop = max((one[3] for one in meeting if one[3] <= own[1] + 1), default=0.0)
        found = [rule for rule in rules if stop < rule[1] <= own[1] + 1]
    else:
        stop = min((one[1] for one in meeting if one[1] >= own[3] - 1), default=1e9)
        found = [rule for rule in rules if own[3] - 1 <= rule[1] < stop]
    found = [rule for rule in found if rule[0] < own[2] and own[0] < rule[2]]
    return sorted(found, key=lambda rule: _gap_to_rule(own, rule, upward))


def _gap_to_rule(own: Box, rule: Box, upward: bool) -> float:
    return own[1] - rule[1] if upward else rule[1] - own[3]
