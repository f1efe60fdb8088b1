"""Find DOI, arXiv identifier, address and year in the text of a printed reference; recognise arXiv numbers."""

from __future__ import annotations

import re
from urllib.parse import unquote

_DASHES = str.maketrans("‐‑–−", "----")
# Invisible characters: soft hyphen, zero-width characters and byte-order mark.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
# "\_" of TeX may lose its underscore in print.
_DOI = re.compile(r"(?<![\d.])10\.\s?\d{4,9}\s?/\s?(?:[^\s\"“”<>\\]|\\[_ ]\s?|<[^\s<>]{1,40}>)+")
_LONGEST_MARKED = 400  # characters that are read of an element that marks a DOI
_DOI_GOES_ON = re.compile(r" (?=[\w.();:/-]*\d)([A-Za-z]{0,20}[\d.();:/-][\w.();:/-]*)")
_DOI_CUT = re.compile(r"(?:[.(_/-]|\(\d+\))$")
_BARE_YEAR = re.compile(r"\(?(?:1[89]|20)\d\d[a-z]?\)?[.,;)]*")
# Text that may follow a DOI without a space, such as the query or the fragment of its address.
_AFTER_DOI = re.compile(
    r",?(?:https?:|doi:|\[doi\]|url:?\s|(?<=\.)(?:url|epub)\Z|pmid|\?[\w.~%-]+=|(?<=[\w)])#[a-z][\w-]*\Z).*",
    re.IGNORECASE | re.DOTALL,
)
# Text that may follow a DOI within the element that marks it.
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
# An arXiv number as a whole word; those before April 2007 begin with two digits each of year and month.
_NUMBER = re.compile(
    rf"(?:(\d{{4}}\.\d{{4,5}})|({ARCHIVES})(?:\.[a-z]{{2}})?[/_]((?:9[1-9]|0[0-7])(?:0[1-9]|1[0-2])\d{{3}}))(v\d+)?(?:\.pdf)?",
    re.IGNORECASE | re.ASCII,
)
_URL = re.compile(
    r"(?:\b(?:url|available (?:from|at|online)|retrieved from)\b:?\s*)?(?:https?|ftp):\s?//\s?\S+|\bwww\.\S+", re.I
)
# Substrings of which each match of a pattern contains at least one.
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
    """The DOI in a text, without line breaks; None if there are several or its end was lost.

    If one DOI is a prefix of the other, one of them was broken, and the first is returned.
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
    """The DOI at a match, extended over a space if the match ends like a broken DOI."""
    whole, end = found[0], found.end()
    while len(whole) < _LONGEST_MARKED and _DOI_CUT.search(whole) and (more := _DOI_GOES_ON.match(text, end)):
        if _BARE_YEAR.fullmatch(more[1]) or _DOI.search(more[1]):
            break
        whole, end = whole + more[1], more.end()
    return _tidy_doi(whole)


def marked_doi(text: str) -> str | None:
    """The DOI in an element that marks one, or in an address; white space is ignored. None if there are several."""
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
    """The arXiv number of a word and its version ("v2" or ""); None for other words, such as report numbers.

    Spellings are normalised: ``math.GT/0309136v2`` and ``math_0309136v2.pdf`` give ``math_0309136``. The subject class
    is dropped, because arXiv identifies older papers without it.
    """
    found = _NUMBER.fullmatch(word)
    return ((found[1] or f"{found[2]}_{found[3]}").lower(), (found[4] or "").lower()) if found else None


def find_url(text: str) -> str | None:
    """The first address that is neither DOI nor arXiv identifier, without the punctuation after it."""
    addresses = ("".join(found[0].split()).rstrip(".,;:'’\")]}>") for found in _ADDRESS.finditer(text))
    return next((one for one in addresses if not _DOI.search(one) and not _ARXIV.search(one)), None)


def without_identifiers(text: str, mark: str = " ") -> str:
    """Replace DOIs, arXiv identifiers and addresses in a text by ``mark``."""
    for pattern in _SIGNS:
        text = pattern.sub(mark, text) if _may_match(pattern, text) else text
    return text


def _may_match(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a pattern of ``_SIGNS`` may match a text; about a hundred times faster than most searches."""
    folded = text.casefold()
    return any(sign in folded for sign in _SIGNS[pattern])


def find_year(text: str) -> int | None:
    """The year of a reference without a year after its names: the last in brackets, else the last one of all.

    Years in identifiers, addresses, page ranges and dates of access do not count.
    """
    plain = _NOT_PRINTED_THEN.sub(" ", without_identifiers(_ACCESSED.sub(" ", text)))
    bracketed = _BRACKETED_YEAR.findall(plain)
    found = bracketed or _ANY_YEAR.findall(plain)
    return int(found[-1]) if found else None
