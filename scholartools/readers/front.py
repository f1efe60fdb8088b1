"""The first page: title, authors, abstract."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scholartools.readers.columns import CELL
from scholartools.readers.headings import Heading
from scholartools.readers.hyphens import Vocabulary, compose, join_lines
from scholartools.readers.page import Body, Line, Page
from scholartools.readers.roles import role_of

_LABEL = re.compile(
    r"(abstract|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary|zusammenfassung|r[ée]sum[ée]|resumen|resumo|riassunto)\b(?!\s+of\b)[\s.:—–-]*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(key\s?-?words?|index terms|ccs concepts|categories and subject|general terms|acm reference format|"
    r"additional key\s?words|jel class|msc|pacs|subject(s| areas)|availability and implementation$|palabras clave|"
    r"palavras-chave|schl[üu]sselw|mots[- ]cl[ée]s|parole chiave|author keywords|1998 acm"
    r"|2010 mathematics|2000 mathematics)",
    re.IGNORECASE,
)
_STRUCTURED = re.compile(
    r"(background|objectives?|aims?|purpose|motivation|methods?|methodology(/principal findings)?|results?|findings|"
    r"conclusions?(/significance)?|materials and methods|design|setting|availability( and implementation)?|contact|"
    r"significance|implementation|supplementary information|discussion|introduction)\W*",
    re.IGNORECASE,
)
_NOT_TITLE = re.compile(
    r"(research (article|paper)|original (article|paper|research)|open access|article|review( article)?|preprint|"
    r"technical report|letter|communication|editorial|software|short paper|regular paper|arxiv\b.*|plos\b.*|"
    r"bmc\b.*|ieee\b.*transactions.*|journal of .*|vol(ume|\.).*|.*\bissn\b.*|https?:.*|www\..*|doi\b.*|.*©.*)\W*",
    re.IGNORECASE,
)
_NOT_NAME = re.compile(
    r"@|https?:|www\.|\b(?:univ|inst|depart|dept|school|college|lab|center|centre|facult|research|google|microsoft|group|"
    r"academy|corporation|inc|ltd|street|road|avenue|usa|uk|china|germany|france|canada|abstract|received|accepted|"
    r"published|corresponding|equal|contribution|author|email|e-mail|edited|editor|division|program|hospital|company|national|"
    r"science|sciences|technolog|engineering|switzerland|italy|spain|box|building|cambridge|york|the|of|for|in|at"
    r"|de la|"
    r"und|member|fellow|student|senior|copyright|proceedings|conference|workshop|volume|submission|anonymous|"
    r"computer|physics|mathematics|statistics|city|state|india|japan|korea|australia|netherlands|sweden"
    r"|brain|ai|report|article|open access)\w*\b|\d{3}",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:[^\W\d_]+(?:[.’'-]+[^\W\d_]+)*\.?)(?:\s+[^\W\d_]+(?:[.’'-]+[^\W\d_]+)*\.?){1,4}")
_MARKS = re.compile(r"[\d⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§¶∗⋆♯✉⊠]+(?:\s?,\s?[\d⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§¶∗⋆♯✉⊠]+)*")
_BETWEEN_NAMES = re.compile(r"\s*(?:,|;|·|•|&|\band\b|\bund\b|\bet\b|\by\b|\be\b|\n|\s{3,}|\|)\s*", re.IGNORECASE)
_PARTICLES = frozenset(("van von der den de la le da di dos del ten ter el al bin ibn y zu").split())
_END_MARKS = "*†‡§¶∗⋆⁰¹²³⁴⁵⁶⁷⁸⁹ "
_MIN_WORDS = 40  # of a paragraph to be an abstract that has no label


@dataclass(frozen=True)
class Abstract:
    """Where the abstract is: lines ``start`` to ``end`` (half open); ``body`` is where what follows it begins."""

    start: int
    end: int
    body: int
    label: str = ""


def take_title(page: Page, body: Body, hint: str, vocabulary: Vocabulary) -> str | None:
    """Take the title out of the first page: its largest text of two words or more, in the upper two thirds."""
    lines = sorted(page.lines, key=lambda line: (round(line.y0), line.x0))
    upper = [line for line in lines if line.y0 < 0.62 * page.height and not _NOT_TITLE.fullmatch(line.text)]
    groups = [group for group in _title_groups(upper) if _could_be_title(group) and not _heads_a_part(group)]
    if not groups:
        return None
    wanted = _squash(hint)
    by_hint = [group for group in groups if len(wanted) > 12 and _squash(_plain(group)) in (wanted, wanted[:-1])]
    best = by_hint[0] if by_hint else _largest(groups)
    if not by_hint and best[0].size < 1.05 * body.size and not (best[0].bold or _is_caps(best[0])):
        return None
    ids = set(map(id, best))
    page.lines = [line for line in page.lines if id(line) not in ids]
    return join_lines(best, vocabulary).rstrip(_END_MARKS)


def _largest(groups: list[list[Line]]) -> list[Line]:
    """The group set largest; of about one size the more emphatic, then the first.

    Names that are hardly larger than what stands above them are the authors (sizes that text recognition gives differ).
    """
    size = max(group[0].size for group in groups)
    best = max(
        (group for group in groups if group[0].size > 0.95 * size), key=lambda group: (_emphasis(group), -group[0].y0)
    )
    above = [group for group in groups if group[0].y0 < best[0].y0 and group[0].size > 0.85 * size]
    return max(above, key=lambda group: group[0].size) if above and _are_names(best) else best


def _are_names(group: list[Line]) -> bool:
    """Whether a group is nothing but the names of two people or more."""
    parts = [" ".join(part.split()).strip(" .'’\"") for part in _BETWEEN_NAMES.split(_MARKS.sub(",", _plain(group)))]
    names = [part for part in parts if sum(map(str.isalpha, part))]
    return len(names) > 1 and all(map(_is_name, names))


def _title_groups(lines: list[Line]) -> list[list[Line]]:
    """Lines of one look that follow each other; a line of the other column may stand between them."""
    groups: list[list[Line]] = []
    for line in lines:
        for group in groups[:-4:-1]:
            last = group[-1]
            if abs(last.size - line.size) < 0.6 and last.bold == line.bold and _is_next(last, line):
                group.append(line)
                break
        else:
            groups.append([line])
    return groups


def _is_next(last: Line, line: Line) -> bool:
    return line.y0 - last.y0 < 1.75 * max(line.size, last.size) and line.overlaps(last) and line.size > 0


def _could_be_title(group: list[Line]) -> bool:
    words = _plain(group).split()
    return (
        len(group) <= 6
        and 2 <= len(words) <= 45
        and _is_wordy(group)
        and words[0][0] not in "•[(@"
        and "@" not in words[-1]
    )


def _heads_a_part(group: list[Line]) -> bool:
    return role_of(_plain(group)) in ("abstract", "introduction") and len(_plain(group)) < 40


def _is_wordy(group: list[Line]) -> bool:
    letters = sum(line.letters for line in group)
    return letters >= 8 and letters > 0.7 * len(_plain(group).replace(" ", ""))


def _emphasis(group: list[Line]) -> int:
    return 2 * group[0].bold + _is_caps(group[0])


def _is_caps(line: Line) -> bool:
    return line.letters > 5 and line.text.upper() == line.text


def _plain(group: list[Line]) -> str:
    return " ".join(line.text for line in group)


def _squash(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def authors(lines: list[Line], body: Body) -> list[str]:
    """The names in the lines between title and abstract, in order."""
    names: list[str] = []
    for line in lines:
        if _LABEL.match(line.text) or (
            names and line.letters > 60 and line.size <= body.size and "." in line.text[-2:]
        ):
            break
        names += [name for name in _names(line) if name not in names]
    return names


def _names(line: Line) -> list[str]:
    text = re.sub(r"\s{3,}", CELL, "".join(span.text if not span.style.raised else "," for span in line.spans))
    parts = _BETWEEN_NAMES.split(_MARKS.sub(",", compose(text)))
    found = [" ".join(part.split()).strip(" .") for part in parts]
    if any(_NOT_NAME.search(part) for part in found if part) and len([p for p in found if p]) < 6:
        return [] if _NOT_NAME.search(found[0]) or len(found) < 3 else [p for p in found if _is_name(p)]
    return [part for part in found if _is_name(part)]


def _is_name(text: str) -> bool:
    words = text.split()
    if not 2 <= len(words) <= 5 or len(text) > 60 or _NOT_NAME.search(text) or not _NAME.fullmatch(text):
        return False
    return all(word[0].isupper() or word.casefold() in _PARTICLES for word in words) and any(
        len(word) > 2 for word in words
    )


def find_abstract(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """The abstract, by its label; without one, the longest paragraph of size before the first heading."""
    for index, line in enumerate(lines):
        if line.page > 2:
            break
        label = _LABEL.match(line.text)
        if label and _is_label(line, label):
            first = index if label.end() < len(line.text) else index + 1
            return _to_end(lines, headings, first, index, label[0] if first == index else "", body)
    return _unlabelled(lines, headings, body)


def _is_label(line: Line, label: re.Match[str]) -> bool:
    rest = line.text[label.end() :]
    if not rest:
        return True
    first = next((span for span in line.spans if span.text.strip()), line.spans[0])
    set_off = first.style != line.spans[-1].style or re.search(r"[.:—–-]\s*$", label[0]) is not None
    return set_off or label[1].isupper()


def _to_end(lines: list[Line], headings: list[Heading], first: int, start: int, label: str, body: Body) -> Abstract:
    """The abstract from its first line on: up to key words, the next heading, or a change of size."""
    later = [one for one in headings if one.start >= first and not _is_inside(one, headings, lines, first)]
    following = later[0].start if later else len(lines)
    end = first
    while end < following and not _AFTER.match(lines[end].text) and not _leaves(lines, first, end, body):
        end += 1
    keywords = end < following and _AFTER.match(lines[end].text)
    return Abstract(first, end, following if keywords else end, label)


def _leaves(lines: list[Line], first: int, index: int, body: Body) -> bool:
    """Whether the line is no longer in the abstract's size (and the next is not either)."""
    if index - first < 3:
        return False
    usual = lines[first + 1].size
    ahead = lines[index : index + 2]
    return all(abs(line.size - usual) > 0.7 for line in ahead)


def _is_inside(one: Heading, headings: list[Heading], lines: list[Line], first: int) -> bool:
    """Whether a heading is a part of a structured abstract: a usual word, small, the introduction still to come."""
    if one.number is not None or not _STRUCTURED.fullmatch(one.words) or lines[one.start].page > lines[first].page:
        return False
    after = [other for other in headings if other.start > one.start]
    return any(role_of(other.words) == "introduction" and other.look != one.look for other in after[:6])


def _unlabelled(lines: list[Line], headings: list[Heading], body: Body) -> Abstract | None:
    """The longest block before the introduction; where no heading opens it, the first block set unlike the body."""
    sure = [one for one in headings if one.number is not None or role_of(one.words) != "other"]
    opened = [one for one in sure[:1] if one.number in ("1", "I", "0") or role_of(one.words) == "introduction"]
    end = opened[0].start if opened else _front_end(lines, sure)
    blocks = [block for block in _blocks(lines[:end], body) if _words(lines, block) >= _MIN_WORDS]
    if not opened:
        blocks = [block for block in blocks if _differs(lines[block[0]], body)][:1]
    if not blocks or lines[blocks[0][0]].page > 2:
        return None
    start, stop = max(blocks, key=lambda block: _words(lines, block))
    for first, last in blocks:
        if first == stop and abs(lines[first].size - lines[start].size) < 0.3:
            stop = last
    return Abstract(start, stop, end if opened else stop)


def _front_end(lines: list[Line], sure: list[Heading]) -> int:
    """One past the last line of the first page before its first sure heading."""
    first_page = sum(line.page == 1 for line in lines)
    return min(first_page, sure[0].start) if sure else first_page


def first_prose(lines: list[Line], end: int, body: Body) -> int:
    """Where the first block of running text before line ``end`` begins; ``end`` where there is none."""
    return next((block[0] for block in _blocks(lines[:end], body) if _words(lines, block) >= _MIN_WORDS), end)


def _differs(line: Line, body: Body) -> bool:
    return abs(line.size - body.size) > 0.4 or line.bold or line.italic


def _blocks(lines: list[Line], body: Body) -> list[tuple[int, int]]:
    """Runs of lines of one look without a gap: first line, one past the last."""
    blocks: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        if blocks and _same_block(lines[index - 1], line, body):
            blocks[-1] = (blocks[-1][0], index + 1)
        else:
            blocks.append((index, index + 1))
    return blocks


def _same_block(above: Line, line: Line, body: Body) -> bool:
    near = -20 < line.y0 - above.y0 < 1.5 * body.leading or above.column != line.column or above.page != line.page
    return near and abs(above.size - line.size) < 0.5 and above.bold == line.bold


def _words(lines: list[Line], block: tuple[int, int]) -> int:
    return sum(len(line.text.split()) for line in lines[slice(*block)])
