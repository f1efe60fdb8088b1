"""Split plain text, often with hard line breaks, into blocks: find headings and paragraphs."""

from __future__ import annotations

import re

from scholartools.readers.common import numbering
from scholartools.readers.common.outline import Count, printed_number
from scholartools.readers.common.roles import role_of
from scholartools.readers.text.assemble import ABSTRACT, Block, FrontMatter

_LONGEST = 100  # maximum characters of a heading
_LONG_LINE = 130  # if a line has more characters, each line is a paragraph
_ITEM = re.compile(r"\s*(?:[-*•▪◦+]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+\S")
_LEADER = re.compile(r"\.{3,}|(?:\. ){3,}|\s{2,}\d{1,3}$")
_RULE = re.compile(r"\s*([=\-_*~#])(?:\s?\1){2,}\s*")
_OPEN_END = (".", ",", ";", ":", "-")
_SMALL = frozenset(
    "a an and as at by for from in into of on or the their to und vs with der die das des et de la y e".split()
)


def read_blocks(text: str) -> tuple[list[Block], FrontMatter]:
    """The blocks of a text in order; lines of only signs (rules) are left out."""
    groups = _group_lines(text.split("\n"))
    chosen = _find_headings(groups)
    found: list[Block] = []
    in_references = False
    for index, lines in enumerate(groups):
        if index in chosen:
            in_references = role_of(lines[0]) == "reference"
            found.append(Block(lines, level=-1))
        else:
            found += [Block(part) for part in ([lines] if in_references else _split_paragraphs(lines))]
    return found, FrontMatter()


def _group_lines(lines: list[str]) -> list[list[str]]:
    """Group lines between empty lines or rules; a first or last line that may be a heading is a group by itself."""
    groups: list[list[str]] = [[]]
    for line in lines:
        if line.strip() and not _RULE.fullmatch(line):
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    return [part for group in groups for part in _part_headings(group) if part]


def _part_headings(lines: list[str]) -> list[list[str]]:
    """Separate a first or last line that reads like a heading from the rest of its group."""
    if len(lines) < 2:
        return [lines]
    first = 1 if _could_head(lines[0]) and not _could_head(lines[1]) else 0
    last = (
        len(lines) - 1
        if _is_numbered(lines[-1]) and _could_head(lines[-1]) and lines[-2].rstrip().endswith(".")
        else None
    )
    return [lines[:first], lines[first:last], lines[last:] if last is not None else []]


def _find_headings(groups: list[list[str]]) -> set[int]:
    """Indices of groups that are headings: common ones, and numbered ones that continue the count.

    Successive numbered lines without text between them are lists or a table of contents.
    """
    could = [index for index, lines in enumerate(groups) if len(lines) == 1 and _could_head(lines[0])]
    listed = _find_lists(groups, could)
    count = Count()
    return {
        index
        for index in could
        if _is_usual(groups[index][0]) or (index not in listed and count.take(groups[index][0].strip())[0])
    }


def _find_lists(groups: list[list[str]], could: list[int]) -> set[int]:
    """Indices of numbered candidates in runs without text between them that are not each nested in the previous one."""
    paths = {index: numbering.path_of(printed_number(groups[index][0].strip())[0] or "") for index in could}
    listed: set[int] = set()
    run: list[int] = []
    for index in [*(index for index in could if paths[index]), -1]:
        # The first heading after a table of contents repeats a number of the table.
        if run and index == run[-1] + 1 and paths[index] not in [paths[one] for one in run]:
            run.append(index)
            continue
        if any(paths[below][: len(paths[above])] != paths[above] for above, below in zip(run, run[1:])):
            listed.update(run)
        run = [index]
    return listed


def _could_head(line: str) -> bool:
    """Whether a line, considered alone, reads like a heading."""
    text = line.strip()
    if not text or len(text) > _LONGEST or _LEADER.search(text):
        return False
    return _is_usual(text) or (_is_numbered(text) and _reads_like_heading(text))


def _is_usual(line: str) -> bool:
    """Whether a line without number is a common heading of papers, in the typography of headings."""
    text = line.strip().rstrip(": .")
    if not _is_title_case(text) or _is_numbered(text):  # cheaper than the wording, hence first
        return False
    return role_of(text) != "other" or re.fullmatch(ABSTRACT, text, re.IGNORECASE) is not None


def _is_numbered(line: str) -> bool:
    return printed_number(line.strip())[0] is not None


def _reads_like_heading(text: str) -> bool:
    words = printed_number(text)[1]
    letters = sum(map(str.isalpha, words))
    return (
        letters >= 3
        and letters > 0.7 * len(words.replace(" ", ""))
        and not words[0].islower()
        and not words.endswith(_OPEN_END)
        and ". " not in words
        and len(words.split()) <= 14
    )


def _is_title_case(text: str) -> bool:
    """Whether a line without number is in capitals, in title case, or of one or two words."""
    words = text.split()
    if not words or len(words) > 8 or not text[0].isupper() or text.endswith(_OPEN_END):
        return False
    if text.isupper() or len(words) <= 2:
        return True
    return all(word in _SMALL or word[0].isupper() for word in words)


def _split_paragraphs(lines: list[str]) -> list[list[str]]:
    """Split lines between empty lines into paragraphs: at items and indents, or at each line if lines are long."""
    if max(map(len, lines)) > _LONG_LINE:
        return [[line] for line in lines]
    indents = [_indent_of(line) for line in lines]
    margin = min(indents)
    found: list[list[str]] = []
    for index, line in enumerate(lines):
        above = lines[index - 1] if index else ""
        closed = above.rstrip().endswith((".", ":", "?", "!", ";"))
        item = _ITEM.match(line) and (closed or _ITEM.match(above) or index == 1)
        indented = closed and margin < indents[index] <= margin + 8 and indents[index - 1] == margin
        if found and not item and not indented:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _indent_of(line: str) -> int:
    shown = line.expandtabs()
    return len(shown) - len(shown.lstrip())
