"""DOI, arXiv identifier and year in the text of a printed reference; what is one of arXiv's numbers."""

from __future__ import annotations

import re
from urllib.parse import unquote

_DASHES = str.maketrans("‐‑–−", "----")
# Characters that nobody sees: where a line may break, and a mark of the order of bytes.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# "\_" of TeX loses its underscore in print.
_DOI = re.compile(r"(?<![\d.])10\.\s?\d{4,9}\s?/\s?(?:[^\s\"“”<>\\]|\\[_ ]\s?|<[^\s<>]{1,40}>)+")
_LONGEST_MARKED = 400  # characters of an element that marks a DOI
_DOI_GOES_ON = re.compile(r" (?=[\w.();:/-]*\d)([A-Za-z]{0,20}[\d.();:/-][\w.();:/-]*)")
_DOI_CUT = re.compile(r"(?:[.(_/-]|\(\d+\))$")
_BARE_YEAR = re.compile(r"\(?(?:1[89]|20)\d\d[a-z]?\)?[.,;)]*")
_AFTER_DOI = re.compile(r",?(?:https?:|doi:|\[doi\]|url:?\s|(?<=\.)(?:url|epub)\Z|pmid).*", re.IGNORECASE | re.DOTALL)
# What follows a DOI in the element that marks it.
_BEHIND_DOI = re.compile(
    r"\s*\[doi\].*|[\s.,;]+(?:url|accessed|available|retrieved|epub|pmid|pmcid)\b.*|\s+\(?(?:19|20)\d\d\)?\s*\Z",
    re.I | re.S,
)

_NEXT_DOI = re.compile(r"(?<=[\s,;|])(?:and\s+)?(?=(?:https?://(?:dx\.)?doi\.org/|doi:\s?)?10\.\d{4,9}/)", re.I)

ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|"
    "q-alg|q-bio|q-fin|quant-ph|solv-int|stat|supr-con"
)
_NEW = r"\d\d(?:0[1-9]|1[0-2])\.\s?\d{4,5}(?!\d)"
_OLD = rf"(?:{ARCHIVES})(?:\.[A-Z]{{2}})?/\s?\d{{7}}(?!\d)"
_ARXIV = re.compile(
    r"(?:arxiv(?:\.org)?(?:[\s,:./(\[]{0,3}(?:preprints?|e-?prints?|page|abs|pdf|corr|arxiv)\b){0,3}[\s,:./(\[]{0,3}"
    rf"|\babs/|\bcorr[\s,]{{1,2}})((?i:{_NEW}|{_OLD}))|(?<![\w./])((?-i:{_OLD}))",
    re.IGNORECASE,
)
# A number as a word of its own: of those before April 2007 the first figures are year and month.
_NUMBER = re.compile(
    rf"(?:(\d{{4}}\.\d{{4,5}})|({ARCHIVES})(?:\.[a-z]{{2}})?[/_]((?:9[1-9]|0[0-7])(?:0[1-9]|1[0-2])\d{{3}}))(v\d+)?(?:\.pdf)?",
    re.IGNORECASE | re.ASCII,
)
_URL = re.compile(
    r"(?:\b(?:url|available (?:from|at|online)|retrieved from)\b:?\s*)?(?:https?|ftp):\s?//\s?\S+|\bwww\.\S+", re.I
)
# What each match of a pattern holds one of.
_SIGNS = {_URL: ("//", "www."), _DOI: ("10.",), _ARXIV: ("arxiv", "corr", "/")}

_ADDRESS = re.compile(r"(?:https?|ftp):\s?//\s?\S+", re.IGNORECASE)
_ACCESSED = re.compile(
    r"\b(?:last )?(?:accessed|retrieved|visited|cited|checked)\b(?: on)?:?[^;)\]]{0,40}?\b(?:19|20)\d\d", re.IGNORECASE
)
_NOT_PRINTED_THEN = re.compile(
    r"\b(?:pages?|pp?\.|article|no\.|vol\.|isbn:?|issn:?)\s?[\w–—-]+|(?<!\d)\d+\s?[–—-]\s?\d+|\d\s?[:/]\s?\w+",
    re.IGNORECASE,
)
_BRACKETED_YEAR = re.compile(r"\((?:[^()]{0,20}[\s,])?((?:1[5-9]|20)\d\d)[a-z]?\)")
_ANY_YEAR = re.compile(r"(?<![\w./:–-])((?:1[89]|20)\d\d)[a-z]?(?![\w/]|[–-]\d)")


def find_doi(text: str) -> str | None:
    """The DOI, without what breaks it at line ends; None of several, and where its end was lost.

    Of two that begin alike one was broken: the first is taken.
    """
    found = _DOI.search(text)
    if not found:
        return None
    doi = _doi_at(text, found)
    names = [one and one.casefold() for one in (doi, *(_doi_at(text, one) for one in _DOI.finditer(text, found.end())))]
    if None in names:
        return None
    first, *others = filter(None, names)
    return doi if all(one.startswith(first) or first.startswith(one) for one in others) else None


def _doi_at(text: str, found: re.Match[str]) -> str | None:
    """The DOI that begins with a match."""
    whole, end = found[0], found.end()
    while len(whole) < _LONGEST_MARKED and _DOI_CUT.search(whole) and (more := _DOI_GOES_ON.match(text, end)):
        if _BARE_YEAR.fullmatch(more[1]) or _DOI.search(more[1]):
            break
        whole, end = whole + more[1], more.end()
    return _tidy_doi(whole)


def marked_doi(text: str) -> str | None:
    """The DOI of an element that marks one, or of an address: white space within it is none of it. None of several."""
    parts = _NEXT_DOI.split(unquote(text)[:_LONGEST_MARKED])
    dois = [find_doi("".join(_BEHIND_DOI.sub("", part).split())) for part in parts if "10." in part]
    return dois[0] if len({f"{one}".casefold() for one in dois}) == 1 else None


def _tidy_doi(printed: str) -> str | None:
    plain = re.sub(r"\\[_ ]\s?", "_", printed)
    plain = _AFTER_DOI.sub("", _UNSEEN.sub("", "".join(plain.split()))).translate(_DASHES)
    while plain and (plain[-1] in ".,;:'’*" or any(_is_loose(plain, pair) for pair in ("()", "[]", "{}"))):
        plain = plain[:-1]
    return plain if not plain.endswith(("/", "(", "-", "_")) else None


def _is_loose(text: str, pair: str) -> bool:
    return text[-1] == pair[1] and text.count(pair[1]) > text.count(pair[0])


def find_arxiv(text: str) -> str | None:
    """The first arXiv identifier, new or old style, without its version."""
    found = _ARXIV.search(text) if _may_match(_ARXIV, text) else None
    return "".join((found[1] or found[2]).split()) if found else None


def arxiv_number(word: str) -> tuple[str, str] | None:
    """The number that a word is, and its version ("v2", or nothing); None of another word, such as a report's name.

    One spelling of all: ``math.GT/0309136v2`` and ``math_0309136v2.pdf`` are ``math_0309136``, as arXiv has it, which
    knows older ones without their subject.
    """
    found = _NUMBER.fullmatch(word)
    return ((found[1] or f"{found[2]}_{found[3]}").lower(), (found[4] or "").lower()) if found else None


def find_url(text: str) -> str | None:
    """The first address that is no DOI and no arXiv identifier, without the stop that ends its sentence."""
    addresses = ("".join(found[0].split()).rstrip(".,;:'’\")]}>") for found in _ADDRESS.finditer(text))
    return next((one for one in addresses if not _DOI.search(one) and not _ARXIV.search(one)), None)


def without_identifiers(text: str, mark: str = " ") -> str:
    """The text with DOIs, arXiv identifiers and addresses replaced by a mark."""
    for pattern in _SIGNS:
        text = pattern.sub(mark, text) if _may_match(pattern, text) else text
    return text


def _may_match(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text has a sign of those that a pattern looks for: a hundredth of the time that most searches take."""
    folded = text.casefold()
    return any(sign in folded for sign in _SIGNS[pattern])


def find_year(text: str) -> int | None:
    """The year of a reference that has none behind its names: one in brackets, else the last that is alone.

    Years in identifiers, addresses, page ranges and dates of access do not count.
    """
    plain = _NOT_PRINTED_THEN.sub(" ", without_identifiers(_ACCESSED.sub(" ", text)))
    bracketed = _BRACKETED_YEAR.findall(plain)
    found = bracketed or _ANY_YEAR.findall(plain)
    return int(found[-1]) if found else None
