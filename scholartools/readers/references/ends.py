"""Find where the entries of a bibliography end and what is printed below them begins."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from scholartools.readers.common import person_names
from scholartools.readers.common.page import Line
from scholartools.readers.references.identifiers import find_arxiv, find_doi, find_url
from scholartools.readers.references.names import leading_names
from scholartools.readers.references.starts import entry_starts

_ROWS = 6  # consecutive rows of numbers that are a table
# What journals print below a bibliography, at the beginning of a line.
_COLOPHON = re.compile(
    r"©|\(c\)\s?\d{4}|copyright\b|(this is an )?open[- ]access\b(?! to\b)"
    r"|this (article|work|paper|is) (is (an open access|licensed|published under|distributed)|was submitted to|an open)"
    r"|publisher.s note|disclaimer\b|this article has been cited by\b"
    r"|(declaration of )?(conflicts? of|competing) interests?( statement)?\s?:"
    r"|\[?(\(?(manuscript |first |article )?(received|submitted|accepted|revised|published online)|citation"
    r"|(address )?(for )?correspondence( to)?|e-?mail"
    r"|recibido|aceptado|recebido|aceito|re[çc]u|eingegangen|edited by|reviewed by|handling editor)\s?:"
    r"|\(?(manuscript |article |paper )?(received|submitted|submetido|recibido|recebido|eingereicht|eingegangen)"
    r"\s(on |em |el |le |am )?(\d{1,2}\b|[^\W\d_]{3,10}\.? \d)|re[çc]u le \d"
    r"|(please )?cite this (article|paper)|how to cite\b"
    r"|submit your (next )?manuscript|reproduced with permission of"
    r"|about the authors?$|zu(r|m|n| den| d?e[rn]) (person(en)?|autor(in(nen)?|en)?)$"
    r"|(correspondence|address(es)? (for|of)|author.?s.? address)[^.]{0,40}(:|$)",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"[.\])”\"?!]$|https?://\S+$|\d$")  # the end of an entry's last line
_LABEL = re.compile(r"\[[^\[\]]{1,60}\]?|\(?\d{1,3}[.)]|\d{1,3}(?=\s+[^\W\d_])")
_DATED = re.compile(
    r"(?<!\d)(?:1[5-9]|20)\d\d[a-z]?(?!\d)|\b(?:n\. ?d\.|in press|forthcoming|im druck|submitted|in prep)",
    re.IGNORECASE,
)
_SIZE = 0.4  # a change of the font size is larger, in points
_ALIKE = 0.9  # minimum share of the lines of the list that are set alike
_GAP = 1.3  # a gap is larger than this multiple of the widest usual distance of its lines
_USUAL = 0.95  # share of the distances of lines that are usual
_INDENT = 4.0  # a change of the indentation is larger, in points
_CELLS = 3  # minimum pieces of a row of a table
_LEAST = 4  # minimum entries of a list whose setting is known
_WORDS = 6  # a sentence has more words
_VERBS = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|we|she|he|his|her|they|their|this|that|which|who|whose|can|may|our|"
    r"your|you|will|would|should|could|these|those|not)\b",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(
    r"\b(?:press|verlag|publish\w*|publications|springer|wiley|routledge|elsevier|pp?\.|vol\.|eds?\.|hrsg|in:|thesis)"
    r"|(?-i:[^\W\d_]{3,}: [A-Z])",
    re.IGNORECASE,
)  # what the later lines of a reference may have without a year
_PROSE = 0.07  # minimum share of such words among the words of prose; titles have fewer


@dataclass(frozen=True)
class End:
    """The end of a list of references: one past its last line, and whether words tell what follows."""

    line: int
    is_told: bool


def find_end(lines: list[Line]) -> End:
    """Find the end of the entries among the lines below the heading of a bibliography.

    What follows is known by its first words, such as those of a licence; else it differs in size, distance,
    indentation or style from all lines above, or it is no reference. An entry that may be incomplete goes on.
    """
    told = (at for at, line in enumerate(lines) if _COLOPHON.match(line.text) and _may_end_above(lines, at))
    stop = min(next(told, len(lines)), _table_below(lines))
    kept = lines[:stop]
    starts = entry_starts(kept)
    if len(starts) < _LEAST:
        return End(stop, True)
    labelled = sum(_LABEL.match(kept[at].text) is not None for at in starts) >= _ALIKE * len(starts)
    end = _end_by_setting(kept, starts, labelled=labelled)
    end = min(end, _end_by_words(kept[:end], [at for at in starts if at < end], labelled=labelled))
    return End(end, end == stop)


def _may_end_above(lines: list[Line], at: int) -> bool:
    """Whether an entry may end above a line."""
    return not at or _CLOSED.search(lines[at - 1].text) is not None


def _table_below(lines: list[Line]) -> int:
    """Index of the first of several consecutive lines with fewer letters than digits, as rows of a table have."""
    run = 0
    for index, line in enumerate(lines):
        run = run + 1 if line.letters < sum(map(str.isdigit, line.text)) else 0
        run = 0 if run == 1 and not _may_end_above(lines, index) else run  # the last line of an entry may be a year
        if run == _ROWS:
            return index + 1 - run
    return len(lines)


def _end_by_setting(lines: list[Line], starts: list[int], *, labelled: bool) -> int:
    """Index of the first line that is set unlike all lines above it, and below which there are few references."""
    setting = _Setting(lines, starts, labelled=labelled)
    first = starts[-1] + 1 if labelled else starts[_LEAST - 1]
    for at in range(first, len(lines)):
        if not _may_end_above(lines, at) or not setting.changes_at(at):
            continue
        if labelled or not _are_references(lines, [start for start in starts if start > at] or [at], at):
            return at
    return len(lines)


class _Setting:
    """How the lines of a list are set: their size, their distances, and the indentation of an entry's later lines."""

    def __init__(self, lines: list[Line], starts: list[int], *, labelled: bool) -> None:
        self.lines, self.starts = lines, set(starts)
        held = lines[: starts[-1] + 1] if labelled else lines[: max(starts[_LEAST - 1], 2 * len(lines) // 3)]
        self.size = Counter(round(line.size, 1) for line in held).most_common(1)[0][0]
        self.even = sum(abs(line.size - self.size) < _SIZE for line in held) >= _ALIKE * len(held)
        steps = sorted(step for above, line in pairwise(held) if (step := _step(above, line)) > 0)
        self.step = steps[min(len(steps) - 1, int(_USUAL * len(steps)))] if steps else 0.0
        self.edges = {(lines[at].page, lines[at].column): lines[at].x0 for at in reversed(starts)}
        later = [self._shift(line) for at, line in enumerate(held) if at not in self.starts] if labelled else []
        self.indent = _common([shift for shift in later if shift is not None])
        self.bold = any(_opens_bold(line) for line in held)
        self.italic = any(line.italic for line in held)
        self.rows = any(line.cells >= _CELLS for line in held)

    def _shift(self, line: Line) -> float | None:
        """The distance of a line from the left edge of the entries in its column."""
        edge = self.edges.get((line.page, line.column))
        return line.x0 - edge if edge is not None else None

    def changes_at(self, at: int) -> bool:
        """Whether a line differs from the list in size, in its distance from the line above, or in style."""
        above, line = self.lines[at - 1], self.lines[at]
        shift = self._shift(line)
        return (
            (self.even and abs(line.size - self.size) > _SIZE and line.letters > 1)
            or (self.step > 0 and _step(above, line) > _GAP * self.step)
            or (self.indent is not None and shift is not None and abs(shift - self.indent) > _INDENT)
            or (not self.bold and _opens_bold(line))
            or (not self.italic and line.italic)
            or (not self.rows and line.cells >= _CELLS)
        )


def _common(shifts: list[float]) -> float | None:
    """The indentation that nearly all lines have; None if they differ or are few."""
    middle = statistics.median(shifts) if len(shifts) >= _LEAST else None
    if middle is None or sum(abs(one - middle) < _INDENT for one in shifts) < _ALIKE * len(shifts):
        return None
    return middle


def _step(above: Line, line: Line) -> float:
    """The distance of a line from the one above it; 0 if they are in different columns."""
    return line.y0 - above.y0 if (above.page, above.column) == (line.page, line.column) else 0.0


def _opens_bold(line: Line) -> bool:
    opening = next((span for span in line.spans if span.text.strip()), line.spans[0])
    return opening.style.bold and sum(map(str.isalpha, opening.text)) > 2


def _end_by_words(lines: list[Line], starts: list[int], *, labelled: bool) -> int:
    """Index of the first of the last lines that are no reference by their words."""
    end = len(lines)
    if not labelled and sum(_is_dated(lines[a:b]) for a, b in pairwise([*starts, len(lines)])) >= _ALIKE * len(starts):
        while len(starts) > _LEAST and not _is_reference(lines[starts[-1] : end]):
            end = starts.pop()
    if end < len(lines):
        return end
    for at in range(starts[-1] + 1, len(lines)):
        if _may_end_above(lines, at) and _is_dated(lines[starts[-1] : at]) and _is_other_text(lines[at:]):
            return at
    return len(lines)


def _are_references(lines: list[Line], starts: list[int], at: int) -> bool:
    """Whether at least half of the entries from a line on, which begin at ``starts`` or there, are references."""
    bounds = [*sorted({at, *starts}), len(lines)]
    return 2 * sum(_is_reference(lines[a:b]) for a, b in pairwise(bounds)) >= len(bounds) - 1


def _is_dated(entry: list[Line]) -> bool:
    return _DATED.search(_text_of(entry)) is not None


def _is_reference(entry: list[Line]) -> bool:
    """Whether lines have an identifier or a publisher, or open with names and have a date or an address."""
    text = _text_of(entry)
    if find_doi(text) or find_arxiv(text):
        return True
    if _PUBLISHED.search(text) and not _is_other_text(entry):
        return True
    names = leading_names(text)
    sure = names is not None and (names.certain or names.dated)
    if _DATED.search(text):
        return sure or not _is_other_text(entry)
    return sure and find_url(text) is not None


def _is_other_text(lines: list[Line]) -> bool:
    """Whether lines are sentences or an address rather than a part of a reference."""
    text = _text_of(lines)
    words = text.split()
    if len(words) > _WORDS and len(_VERBS.findall(text)) >= max(2, _PROSE * len(words)):
        return True
    is_address = "@" in text or (person_names.is_affiliation(text) and not _PUBLISHED.search(text))
    return is_address and not _DATED.search(text)


def _text_of(lines: list[Line]) -> str:
    return " ".join(line.text for line in lines)
