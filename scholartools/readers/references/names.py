"""Find the authors of a printed reference by the forms that names have in common bibliography styles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from scholartools.readers.common.person_names import PARTICLES, says_otherwise

_CONNECTORS = frozenset("of for at on in the and und des für pour".split())
_SUFFIXES = frozenset("jr sr ii iii iv ed eds editor editors others al hrsg phd md".split())
_GO_ON = PARTICLES | {"and", "und", "et", "eds", "editors"}
# Capitalised words of organisations, sites and programs beyond those of affiliations: "World Bank", "Common Crawl".
_BODIES = re.compile(
    r"\b(?:archiv|librar|museum|council|commission|committee|associat|federation|alliance|bureau|authorit|consorti|"
    r"wiki|international|europe|america|british|african|software|internet)"
    r"|\b(?:banks?|union|agency|office|board|services?|team|project|network|trust|fund|press|news|times|watch|party|"
    r"court|rights|world|global|royal|federal|public|creative|commons?|open|stack|digital|data|planet|systems?|web|"
    r"online|hugging|apache|washington|oxford)\b",
    re.IGNORECASE,
)
_LONGEST_NAME, _LONGEST_BODY = 6, 10  # maximum words of a person's name (initials not counted), of an organisation's

YEAR = r"(?:1[5-9]|20)\d\d"
_DATE = rf"(?:c\. ?)?{YEAR}[a-z]?(?:[–-](?:{YEAR})?|/{YEAR})?(?:, [A-Z][a-z]+[^()\[\]]{{0,12}})?"
_UNDATED = r"n\. ?d\.?|in press|forthcoming|to appear|submitted"
# Runs of spaces are bounded, because an unbounded one would be retried from each space.
_EVENT = re.compile(
    rf"(?P<dated>[.,;]?\s{{0,9}}[(\[](?:{_DATE}|{_UNDATED})[)\]][.,:;]?(?:\s+|$)|[.,]\s{{0,9}}(?:{_DATE})[.,:;]\s+|\s{_DATE}:\s+)"
    r"|(?P<stop>[.:](?=\s))"
    r"|(?P<gap>\s{0,9}[,;]\s*(?:(?:and|und|AND|UND|&)\s+)?|\s{1,9}(?:and|und|AND|UND|&|et(?!\s+al\b))\s+"
    r"|(?<=[\w.)])\s?/\s?(?=[^\W\d_a-z]))"  # "Jahoda, M./Zeisel, H."
)
_DATE_FIRST = re.compile(rf"(?:{_DATE}[.,:;]|[(\[](?:{_DATE}|{_UNDATED})[)\]][.,:;]?)\s+")
_FIRST_YEAR = re.compile(YEAR)
_ET_AL = re.compile(r"(?<![\s,])[\s,]*\b(?:et\.? al|and others|& al)\.?$")
_EDITORS = re.compile(r"(?<!\s)\s*\((?:edd?s?|editors?|hrsg|hrg|hg)\.?\)$", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(r"\s*[,;]\s*(?:and\s+|&\s+)?|\s+(?:and|&)\s+|\s?/\s?")
_HYPHENATED = re.compile(r"(?<=\.)[-‐]")  # "J.-P."
_DASHES = re.compile(r"[—–_-]{2,}|—")  # "the same author as above"
_TOKEN = re.compile(r"[^\W\d_]+(?:[-’'‘‐·][^\W\d_]+)*\.?|\S")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'‘‐·][^\W\d_]+)*")
_NEXT_WORD = re.compile(r"([^\W\d_]+(?:[-’'‐][^\W\d_]+)*)")
_NEXT_INITIAL = re.compile(r"[^\W\d_](?:[.,;])[-\s]*(\w*)")


class Names(NamedTuple):
    """The names at the start of a reference.

    Attributes:
        rest: offset of the text after the names and after a date that follows them.
        year: the year of that date, if any.
        dated: whether a date, or a substitute ("n. d."), follows the names.
        certain: whether the names clearly are of persons (initials, or several names), not just capitalised words.
        people: the names in order, each as printed: "Knuth, D. E.", "Jane Doe".
    """

    rest: int
    year: int | None
    dated: bool
    certain: bool
    people: tuple[str, ...] = ()


def leading_names(text: str) -> Names | None:
    """The names and the date at the start of a reference without its label; None if it starts otherwise.

    A single pass: commas, semicolons and "and" end a name; a full stop, a colon or a date may end the list.
    """
    closed: list[str] = []
    pieces: list[str] = []
    last = 0
    start = 0
    for event in _EVENT.finditer(text):
        shape = _name_shape(text[start : event.start()], organisations=not closed)
        if shape is None:
            return None
        piece = text[start : event.start()]
        if event.lastgroup == "gap":
            if not _may_follow(shape, closed):
                return None
            closed.append(shape)
            pieces.append(piece)
            start = event.end()
            last = len(pieces) if event[0].strip(" ,;") else last
        elif _may_follow(shape, closed) and _may_end(event, [*closed, shape], text):
            return _read_names(event, [*closed, shape], text)._replace(
                people=_join_people([*pieces, piece], [*closed, shape], last=last)
            )
    return None


def _join_people(pieces: list[str], shapes: list[str], *, last: int = 0) -> tuple[str, ...]:
    """Join the pieces between commas to names: initials belong to the surname before them; suffixes are dropped.

    Empty if some pieces look like surnames and others like given names, but their pairing is unclear.

    Args:
        pieces: as printed, with "et al." and "(eds.)".
        shapes: the shape of each piece, by :func:`_name_shape`.
        last: index of the piece after the last "and"; 0 if there is none.
    """
    shown = [(_EDITORS.sub("", _ET_AL.sub("", " ".join(piece.split()))).strip(), shape)
             for piece, shape in zip(pieces, shapes) if shape != "S"]  # fmt: skip
    halves = _count_halves([shape for _, shape in shown], last)
    if halves is None:
        return ()
    found: list[str] = []
    for index, (name, shape) in enumerate(shown):
        if found and (set(shape) == {"I"} or (index < halves and index % 2)):
            found[-1] += f", {name}." if shape[-1] == "I" and not name.endswith(".") else f", {name}"
        elif name:
            found.append(name)
    return tuple(found)


def _count_halves(shapes: list[str], last: int) -> int | None:
    """The number of pieces, from the first, that alternate between a surname and its given names.

    Returns:
        2 for "Knuth, Donald E., and Noah Smith", all for "Knuth, Donald and Smith, Noah A."; 0 if only initials
        follow surnames; None if unclear.
    """
    if not _is_half(shapes[:2]) or last == 1:  # "Knuth and Plass"
        short = [re.fullmatch(r"[pW]*WI+", shape) is not None for shape in shapes]  # "Marçais G", but also "Marco K."
        one_style = not any(short) or shapes[0].endswith("I") or (len(short) > 2 and all(short[1:]))
        return 0 if one_style else None
    if all(re.fullmatch(r"[WI][WI]*[pW]*W", shape) for shape in shapes[2:]):
        return 2
    twos = [shapes[at : at + 2] for at in range(0, len(shapes), 2)]
    return len(shapes) if last == len(shapes) - 2 and all(map(_is_half, twos)) else None


def _is_half(two: list[str]) -> bool:
    """Whether the shapes of two pieces fit a surname and full given names: "de la Cruz", "Marco K."."""
    surname, given = (*two, "", "")[:2]
    return re.fullmatch(r"p*W", surname) is not None and re.fullmatch(r"WW?I*", given) is not None


def people_in(text: str) -> list[str] | None:
    """The names in a text of only names; None if a part is not a name, or a single word that may be half a name."""
    pieces, shapes = _pieces_of(text)
    known = [shape for shape in shapes if shape is not None]
    people = _join_people(pieces, known) if len(known) == len(shapes) else ()
    return list(people) if people and are_whole(people) and not _is_cut(shapes) else None


def cuts_name(text: str) -> bool:
    """Whether a text ends in initials whose surname must follow it: "D. Hanahan and R."."""
    return _is_cut(_pieces_of(text)[1])


def _pieces_of(text: str) -> tuple[list[str], list[str | None]]:
    """Split a text at commas, semicolons and "and"; the pieces and their shapes by :func:`_name_shape`."""
    pieces = [piece for piece in _BETWEEN_NAMES.split(_ET_AL.sub("", text.strip(' ,.:;"“”'))) if piece.strip()]
    return pieces, [_name_shape(piece, organisations=False) for piece in pieces]


def _is_cut(shapes: list[str | None]) -> bool:
    """Whether the last piece is only initials that do not belong to the surname before them."""
    before, last = ["", "", *shapes][-2:]
    return set(last or "") == {"I"} and not _may_follow(last or "", [before or ""])


def are_whole(people: Iterable[str]) -> bool:
    """Whether each name has at least two words besides particles: "Knuth, D.", not "Knuth" or "de la Cruz" alone."""
    return all(len([word for word in _WORD.findall(name) if word not in PARTICLES]) > 1 for name in people)


def has_initial(name: str) -> bool:
    """Whether a name has initials, which names of organisations lack: "Jane A. Doe", "Doe JA"."""
    return "I" in (_name_shape(name.replace(",", ""), organisations=False) or "")


def is_person(name: str) -> bool:
    """Whether two or three capitalised words can be a person's name ("Jane Doe", "Doe, Jane"), not an organisation."""
    shape = _name_shape(name.replace(",", ""), organisations=False) or ""
    plain = " ".join(word for word in name.split() if word not in PARTICLES)  # "de la" also occurs in addresses
    own = not says_otherwise(plain) and not _BODIES.search(plain)
    return own and re.fullmatch(r"p*W[WI]?I*p*W|p*WWI+", shape) is not None


def is_list_of_names(text: str) -> bool:
    """Whether a text consists only of names, some with initials."""
    shapes = [
        _name_shape(piece, organisations=False) for piece in re.split(r"[,;]\s*(?:and\s+|&\s+)?|\s+(?:and|&)\s+", text)
    ]
    return None not in shapes and any("I" in (shape or "") for shape in shapes)


def is_initialed_name(text: str) -> bool:
    """Whether a text is one name, initials first: "J. A. van der Geer"."""
    return re.fullmatch(r"I+[pW]*W", _name_shape(text, organisations=False) or "") is not None


def is_full_name(text: str) -> bool:
    """Whether a text can be one full name, given name first: "Hugo Castellanos", "Grace M. van der Geer"."""
    return re.fullmatch(r"W[WI]?I*[pW]*W", _name_shape(text, organisations=False) or "") is not None


def _read_names(event: re.Match[str], shapes: list[str], text: str) -> Names:
    rest, year, dated = _end_of_names(event, text), _FIRST_YEAR.search(event["dated"] or ""), event["dated"] is not None
    if not dated and (date := _DATE_FIRST.match(text, rest)):
        rest, year, dated = rest + date.end(), _FIRST_YEAR.search(date[0]), True
    many = len(shapes) > 1 or _ET_AL.search(text[max(0, event.start() - 20) : event.start()])
    certain = any("I" in shape for shape in shapes) or (bool(many) and "O" not in shapes)
    return Names(rest, int(year[0]) if year else None, dated, certain)


def _name_shape(piece: str, *, organisations: bool) -> str | None:
    """The shape of a name: a letter per word (I initials, W capitalised, p particle), or "S" suffix, "O" organisation.

    None if the piece is not a name: it has digits, signs or other words in lower case.
    """
    piece = _HYPHENATED.sub(" ", _EDITORS.sub("", _ET_AL.sub("", piece.strip())))
    if not piece or piece.rstrip(".").casefold() in _SUFFIXES or _DASHES.fullmatch(piece):
        return "S"
    if len(piece) > 150:
        return None
    shape = ""
    for index, token in enumerate(_TOKEN.findall(piece)):
        shape += _token_kind(token, first=index == 0) if token != "." else ""
        if shape.endswith("x"):
            return None
    if set(shape) <= set("IWp") and len(shape) <= _LONGEST_NAME + shape.count("I"):
        return shape
    is_organisation = organisations and set(shape) <= set("IWpc") and len(shape) <= _LONGEST_BODY
    return "O" if is_organisation and shape[-1] == "W" else None


@lru_cache(maxsize=8192)  # initials, particles and given names repeat often
def _token_kind(token: str, *, first: bool) -> str:
    word = token.rstrip(".")
    if word in PARTICLES:
        return "p"
    if word in _CONNECTORS:
        return "c"
    if not (word[:1].isupper() or any(part[:1].isupper() for part in re.split(r"[-’'‘‐·]", word))):
        return "p" if word in ("’", "'", "‘") else "x"
    letters = word.replace("-", "").replace("‐", "")
    is_initial = len(letters) == 1 or (token.endswith(".") and len(letters) == 2 and letters[1].islower())
    return "I" if is_initial or (not first and len(letters) <= 3 and letters.isupper()) else "W"


def _may_follow(shape: str, closed: list[str]) -> bool:
    """Whether a piece may follow the previous ones: initials alone only after a surname, any other name always."""
    if set(shape) != {"I"}:
        return True
    return bool(closed) and "W" in closed[-1] and "I" not in closed[-1]


def _may_end(event: re.Match[str], shapes: list[str], text: str) -> bool:
    """Whether the list of names may end here, because no initial, surname or "and" follows."""
    if event["dated"]:
        return True
    if event[0][0] == ":":
        return any("I" in shape for shape in shapes) or len(shapes) > 1
    rest = text[_end_of_names(event, text) :][:200]
    initial = _NEXT_INITIAL.match(rest)
    if initial and (not initial[1].islower() or initial[1] in _GO_ON):  # "C. elegans" opens a title
        return False
    word = _NEXT_WORD.match(rest)
    if not word:
        return not rest.startswith(("&", "(ed", "(Ed", "(Hrsg", "(Hg", "(Hrg"))
    return word[1] not in _GO_ON and not (_is_open(shapes) and _is_surname(word, rest))


def _end_of_names(event: re.Match[str], text: str) -> int:
    end = event.end()
    while end < len(text) and text[end].isspace():
        end += 1
    return end


def _is_open(shapes: list[str]) -> bool:
    """Whether the last name may be a given name and a middle initial ("Noah A."), its surname still to come."""
    given = re.fullmatch(r"W[WIp]*I", shapes[-1]) is not None
    # In "Knuth, Donald E., and Noah A. Smith" only the first name has its surname first.
    before = shapes[2:-1] if re.fullmatch(r"[pW]+", shapes[0]) else shapes[:-1]
    return given and not any(re.fullmatch(r"[pW]+I", shape) for shape in before)


def _is_surname(word: re.Match[str], rest: str) -> bool:
    """Whether ``rest`` opens with a capitalised word and the end of a name: "Smith.", "Smith and ", "Smith (2019)"."""
    after = rest[word.end(1) :]
    return word[1][0].isupper() and re.match(r"[.,;:](?:\s|$)|\s+(?:and|&)\s|\s*[(\[]\d{4}", after) is not None
