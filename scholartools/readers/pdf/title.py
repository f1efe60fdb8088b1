"""The title, and the lines above the text of the first page."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass
from itertools import pairwise

from scholartools.readers.common import person_names
from scholartools.readers.common.hyphenation import Vocabulary, join_lines
from scholartools.readers.common.page import (
    Body,
    Line,
    Page,
)
from scholartools.readers.common.roles import ABSTRACT_LABEL, role_of
from scholartools.readers.pdf.abstract import label_of, prose_starts
from scholartools.readers.pdf.columns import in_order

NOT_TITLE = re.compile(
    r"(research (article|paper)|original (article|paper|research)|open access|article|review( article)?|"
    r"((accepted|submitted|author|revised|final) )?(manuscript|preprint|draft)|(full )?title|"
    r"technical report|(\w+ ){0,4}(working|discussion) papers?( series| in .*| no\b.*)?\W*\d*|"
    r"letter|(brief |short )?communication|editorial|software|(short|regular|full|brief) (paper|article|report)|"
    r"arxiv\b.*|plos\b.*|bmc\b.*|ieee\b.*transactions.*|journal of .*|vol(ume|\.).*|.*\bissn\b.*|https?:.*|"
    r"www\..*|doi\b.*|.*©.*)\W*",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:full )?title\s*:\s+", re.IGNORECASE)  # label in manuscripts
_FIELD = re.compile(r"[A-Z][\w() ]{2,30}:")  # the next label, after such a title
_REMARK = re.compile(r"\[[A-Z][a-z]{1,12}\]|\([A-Z][a-z]+\)")  # "[Re] Reading", "(Empirical) Bayes"
_SPACING = 1.75  # maximum line distance within a title, in multiples of the font size
_WIDEST = 2.3  # upper bound on the line distance of double-spaced manuscripts, in the same unit
_NEAR_GROUPS = 7  # one more than the number of latest groups that a line may join
_STEPS = 5  # minimum number of line distances for estimating a page's spacing
_WORDY = 20  # lines that count for it have more letters
_OFF_CENTRE = 0.04  # maximum deviation of a centred line's x0 + x1 from twice the middle, share of the page's width
_LEAST_LETTERS = 4  # minimum letters of a title of one word
_FAR_LARGER = 1.4  # minimum size of a title below the label of the abstract, in multiples of the text's size
_LABELS = 1.1  # maximum size of the labels of fields, in multiples of the text's size
_FEW_WORDS = 15  # minimum words of a paragraph in a narrow column
_RUNS_ON = 1.5  # maximum distance of consecutive lines of text, in leadings
_HEADED = 2.6  # the same for a heading and its text
_MOST_LETTERS = 800  # a title page has fewer letters
_MOST_LINES = 4  # maximum lines of a title that has no distinct size
_END_MARKS = "*†‡§¶∗⋆⁰¹²³⁴⁵⁶⁷⁸⁹ "


@dataclass(frozen=True)
class Title:
    """The text of the title, and the y of its top on the first page."""

    text: str
    top: float


def above_text(page: Page, body: Body) -> set[int]:
    """The ids of the lines above the abstract and text; they are put in column 0, in place, to be read by row."""
    tops = [line.y0 for line in page.lines if label_of(line)]
    starts = prose_starts(page.lines, body) or _short_prose(page.lines, body)
    tops += [page.lines[at].y0 for at in starts if not person_names.names_in(page.lines[at].text)[1:]]
    above = _without_text([line for line in page.lines if line.y1 <= min(tops, default=0.0)], page, body)
    for line in above:
        line.column = 0
    page.lines = [*in_order(above), *(line for line in page.lines if line not in above)]
    return set(map(id, above))


def _short_prose(lines: list[Line], body: Body) -> list[int]:
    """Indices of the first lines of short paragraphs in narrow columns, in the font and size of the text."""
    starts = prose_starts(lines, body, _FEW_WORDS)
    return [at for at in starts if lines[at].column > 0 and lines[at].style.font == body.font
            and abs(lines[at].size - body.size) < 0.4]  # fmt: skip


def _without_text(above: list[Line], page: Page, body: Body) -> list[Line]:
    """The lines above the text, without those of a column whose text begins higher, which continue further down."""
    kept = set(map(id, above))
    for line, below in zip(page.lines[-2::-1], page.lines[:0:-1]):
        step = below.y0 - line.y0
        runs_on = 0 < step < (_RUNS_ON if line.style == below.style else _HEADED if line.bold else 0.0) * body.leading
        if id(below) not in kept and line.column == below.column > 0 and runs_on:
            kept.discard(id(line))
    return [line for line in above if id(line) in kept]


def is_title_page(page: Page, body: Body) -> bool:
    """Whether a first page has little more than a title, names and addresses."""
    return sum(line.letters for line in page.lines) < _MOST_LETTERS and not prose_starts(page.lines, body)


def take_title(page: Page, body: Body, hint: str, vocabulary: Vocabulary) -> Title | None:
    """Remove the title from the first page: labelled text, text that matches ``hint``, or the largest text above."""
    best = title_lines(page, body, hint)
    if not best:
        return None
    ids = set(map(id, best))
    page.lines = [line for line in page.lines if id(line) not in ids]
    text = _LABEL.sub("", join_lines(best, vocabulary), count=1)
    return Title(text.rstrip(_END_MARKS), min(line.y0 for line in best))


def title_lines(page: Page, body: Body, hint: str) -> list[Line]:
    """The lines of the title on a first page; empty if there is none."""
    lines = sorted(page.lines, key=lambda line: (round(line.y0), line.x0))
    end = 0.62 * page.height if prose_starts(page.lines, body) else page.height  # a title page has no text
    upper = [line for line in lines if line.y0 < end and not line.hidden and not NOT_TITLE.fullmatch(line.text)]
    return _lines_of_label(upper) or _find_title(upper, page, body, hint)


def _lines_of_label(lines: list[Line]) -> list[Line]:
    """The lines of a labelled title of a manuscript ("Title: ..."), up to the next label."""
    start = next((at for at, line in enumerate(lines) if _LABEL.match(line.text)), len(lines))
    ends = (at for at, line in enumerate(lines) if at > start and _FIELD.match(line.text))
    title = lines[start : next(ends, start + 1)]
    return title if len(title) <= _MOST_LINES else []


def _find_title(upper: list[Line], page: Page, body: Body, hint: str) -> list[Line]:
    """The lines that match the title in the file's metadata (``hint``), else the largest text of two or more words."""
    all_groups = _title_groups(upper, body)
    groups = [group for group in all_groups if _could_be_title(group) and not _heads_a_part(group)
              and not _is_label(group[-1], body)]  # fmt: skip
    if not groups:
        return []
    wanted = _only_letters(hint)
    by_hint = [
        group for group in groups if len(wanted) > 12 and _only_letters(_plain_text(group)) in (wanted, wanted[:-1])
    ]
    best = by_hint[0] if by_hint else _largest_group(_above_abstract(groups, page, body))
    if not by_hint and best[0].size < 1.05 * body.size and not (best[0].bold or _is_caps(best[0])):
        return _centred_over_names(upper, page)
    return best if by_hint else _single_word(best, all_groups) or best


def _above_abstract(groups: list[list[Line]], page: Page, body: Body) -> list[list[Line]]:
    """The groups above a line "Abstract", if there are any, and far larger ones; below it, text may be emphasised."""
    labels = [line.y0 for line in page.lines if (label := ABSTRACT_LABEL.match(line.text)) and label[0] == line.text]
    limit = min(labels, default=0.0)
    above = [group for group in groups if group[0].y0 < limit]
    large = [group for group in groups if group[0].size > _FAR_LARGER * body.size]
    return groups if not above else [group for group in groups if group in above or group in large]


def _single_word(best: list[Line], groups: list[list[Line]]) -> list[Line]:
    """A larger title of one word near the best group, which then is a subtitle or the names of the authors.

    The name of a journal differs: it is at a distance from the title, or above a title followed by authors.
    """
    at = next(number for number, group in enumerate(groups) if group is best)
    beside = [*groups[max(0, at - 2) : at], *groups[at + 1 : at + 2]]  # a subtitle may be between
    words = [
        group for group in beside
        if len(group) == 1 and " " not in group[0].text and group[0].letters >= _LEAST_LETTERS
        and group[0].size > 1.1 * best[0].size
    ]  # fmt: skip
    if not words:
        return []
    word, under = words[0][0], best[0]
    if _could_be_names(best):
        return [] if any(map(_could_be_names, groups[at + 1 :])) else [word]
    is_close = 0 < under.y0 - word.y0 < 2 * word.size and word.style.font == under.style.font
    return [word] if is_close else []


def _could_be_names(group: list[Line]) -> bool:
    named = [person_names.names_in(line.text) for line in group if not person_names.is_date(line.text)]
    return named != [] and all(named)


def _centred_over_names(lines: list[Line], page: Page) -> list[Line]:
    """The first lines of a page if they are centred above a line of names, as in manuscripts with one font size."""
    end = next((at for at, line in enumerate(lines) if at and (_are_names([line]) or _begins_names(line))), 0)
    title = lines[:end]
    left, right = min((line.x0 for line in page.lines), default=0.0), max((line.x1 for line in page.lines), default=0.0)
    middles = (left + right, page.width)  # doubled; ragged text ends before the margin
    centred = all(min(abs(line.x0 + line.x1 - at) for at in middles) < _OFF_CENTRE * page.width for line in title)
    short = any(line.x0 > left + 2 * line.size for line in title)
    return title if centred and short and len(title) <= _MOST_LINES and _could_be_title(title) else []


def _largest_group(groups: list[list[Line]]) -> list[Line]:
    """The group with the largest size; among similar sizes the more emphatic one, then the first.

    Names that are little larger than a group above them are the authors, since recognised sizes vary.
    """
    size = max(group[0].size for group in groups)
    best = max(
        (group for group in groups if group[0].size > 0.95 * size),
        key=lambda group: (2 * group[0].bold + _is_caps(group[0]), -group[0].y0),
    )
    above = [group for group in groups if group[0].y0 < best[0].y0 and group[0].size > 0.85 * size]
    return max(above, key=lambda group: group[0].size) if above and _are_names(best) else best


def _are_names(group: list[Line]) -> bool:
    """Whether a group consists of the names of two or more people."""
    parts = person_names.parts_of(_plain_text(group))
    return len(parts) > 1 and all(map(person_names.is_name, parts))


def _begins_names(line: Line) -> bool:
    """Whether a line consists of names of two or more people and the first word of another name, continued below."""
    *names, cut = person_names.parts_of(line.text) or [""]
    return len(names) > 1 and all(map(person_names.is_name, names)) and cut.istitle() and " " not in cut


def _title_groups(lines: list[Line], body: Body) -> list[list[Line]]:
    """Group consecutive lines of one look; lines of the other column may come between them."""
    # Titles of double-spaced manuscripts are double-spaced, too.
    spacing = max(_SPACING, 1.1 * body.leading / (body.size or 1), 1.1 * _spacing_of(lines))
    groups: list[list[Line]] = []
    for line in lines:
        for group in groups[:-_NEAR_GROUPS:-1]:
            last = group[-1]
            if abs(last.size - line.size) < 0.6 and last.bold == line.bold and _is_next(last, line, spacing):
                group.append(line)
                break
        else:
            groups.append([line])
    return groups


def _spacing_of(lines: list[Line]) -> float:
    """The median distance of consecutive lines of one style, in multiples of their size; 0 if there are few."""
    steps = [(line.y0 - last.y0) / (line.size or 1) for last, line in pairwise(lines)
             if last.style == line.style and line.letters > _WORDY and line.y0 > last.y0]  # fmt: skip
    return min(statistics.median(steps), _WIDEST) if len(steps) >= _STEPS else 0.0


def _is_next(last: Line, line: Line, spacing: float) -> bool:
    return line.y0 - last.y0 < spacing * max(line.size, last.size) and line.overlaps(last) and line.size > 0


def _could_be_title(group: list[Line]) -> bool:
    words = _plain_text(group).split()
    return (
        len(group) <= 6
        and 2 <= len(words) <= 45
        and _is_wordy(group)
        and (words[0][0] not in "•[(@" or _REMARK.fullmatch(words[0]) is not None)
        and words[0] not in ("1", "1.", "I.")  # the first heading
        and "@" not in words[-1]
    )


def _is_label(line: Line, body: Body) -> bool:
    """Whether a line of the size of the text is the label of an empty field: "Running title:"."""
    return line.text.endswith(":") and line.size < _LABELS * body.size


def _heads_a_part(group: list[Line]) -> bool:
    return role_of(_plain_text(group)) in ("abstract", "introduction") and len(_plain_text(group)) < 40


def _is_wordy(group: list[Line]) -> bool:
    letters = sum(line.letters for line in group)
    return letters >= 8 and letters > 0.7 * len(_plain_text(group).replace(" ", ""))


def _is_caps(line: Line) -> bool:
    return line.letters > 5 and line.text.upper() == line.text


def _plain_text(group: list[Line]) -> str:
    return " ".join(line.text for line in group)


def _only_letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
