"""Recognise names of persons in the lines below a title."""

from __future__ import annotations

import functools
import re

# Words of addresses, affiliations, dates and remarks: prefixes of words ("universities"), and whole words.
_STEMS = (
    "univ|instit|depart|dept|school|coll[eè]g|[eé]cole\\b|laborator|cent(?:er|re)s?\\b|facult|research|academ|corporat|street|avenue|"
    "correspond|contribut|e-?mail|editor|division|program|hospital|compan|nation|scien|technol|engineer|switzerland|"
    "member|fellow|student|copyright|proceeding|conference|workshop|submission|anonym|comput|physic|mathemat|statist|"
    "politec|polytech|hochschule|fakult|laborat|minist|foundation|societ|medic|biolog|chemi|genetic|microbio|department|"
    "faculd|reitor|orientad|advis|supervis|examin|betreu|disserta|thes[ie]s\\b|tesis?\\b|mestrad|doutora|licenciat|gradua|"
    "p[óo]s-?gradua|capstone|monogra|escola\\b|escuela|gutachter|referent|vorgelegt|diplom|"
    "университет|університет|институт|інститут|кафедр|факульт|академи|академі|лаборатор|научн|науков|исследоват|национальн|"
    "національн|школа\\b|центр\\b|колледж|больниц|министер"
)
_WORDS = (
    "labs?|inc|ltd|llc|gmbh|road|usa|uk|u\\.s\\.a|china|germany|france|canada|abstract|received|accepted|published|"
    "revised|equal|equally|authors?|edited|google|microsoft|meta|openai|deepmind|amazon|nvidia|ibm|adobe|huawei|tencent|"
    "alibaba|baidu|salesforce|facebook|group|italy|spain|box|building|cambridge|york|the|of|for|in|at|und|senior|volume|"
    "city|state|states|united|kingdom|india|japan|korea|australia|netherlands|sweden|austria|belgium|brazil|denmark|"
    "finland|norway|poland|singapore|taiwan|israel|ireland|hong kong|brain|ai|report|article|open access|calle|rue|rua|"
    "carnegie mellon|eth|mit|epfl|inria|cnrs|csic|cern|los angeles|san francisco|santa barbara|max planck|"
    "georgia tech|virginia tech|tel|fax|phone|orcid|keywords?|version|draft|preprint|technical|working|papers?|series|"
    "avenida|paseo|plaza|ciudad|campus|letras|ci[êe]ncias|s[ãa]o paulo|rio de janeiro|porto alegre|belo horizonte|"
    "buenos aires|new delhi|chapter|outline|key (?:points|messages|findings|words)|plain language|agency|agencies|"
    "agence|agentur|hygiene|health|environment|environmental|epidemiology|council|authority|administration|umc|"
    "(?:co-?)?director(?:a|es)?|autor(?:a|es)?|tutora?|"
    # Countries of several words, and more towns:
    "saudi arabia|new zealand|sri lanka|south africa|costa rica|el salvador|czech republic|puerto rico|viet nam|"
    "burkina faso|papua new guinea|san marino|sierra leone|cape verde|cabo verde|equatorial guinea|saint lucia|"
    "saint kitts|timor-leste|dominican republic|african republic|marshall islands|solomon islands|western sahara|"
    "new caledonia|french guiana|kuala lumpur|addis ababa|нижний новгород"
)
_AFFILIATION = re.compile(
    r"\b(?:univ|instit|depart|dept|school|coll[eè]g|[eé]cole\b|laborator|cent(?:er|re)s?\b|facult|academ|corporat|hospital|compan|"
    r"politec|polytech|hochschule|fakult|minist|foundation|societ|labs?\b|inc\b|ltd\b|gmbh|group\b|division|"
    r"университет|університет|институт|інститут|кафедр|факульт|академи|академі|лаборатор|школа\b|центр\b|колледж|больниц|"
    r"министер|ООО\b|UMC\b)",
    re.IGNORECASE,
)
_NOT_NAME = re.compile(
    rf"@|https?:|www\.|\d{{3}}|\b(?:{_STEMS})|(?<!-)\b(?:{_WORDS})\b(?!-)", re.IGNORECASE
)  # whole words only if not hyphenated: "Hye-In" is a name

_UNIVERSITY = re.compile(r"(?:KU|TU|UC|LMU|RWTH|KTH|UT) [A-Z]\w{2,}(?: [A-Z]\w+)?")  # with its town: "UT Austin"

_LETTER = re.compile(r"[^\W\d_]")
_WORD = r"[^\W\d_]+(?:[.’'‐-]+[^\W\d_]+)*\.?"
_NAME = re.compile(rf"{_WORD}(?:\s+{_WORD}){{1,5}}")
_MARK = "[\\d⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§¶∗⋆♯✉⊠♠♡♢♣\ue000-\uf8ff]"
_MARKS = re.compile(rf"(?:{_MARK}|\[[\d−–-]{{4,24}}\]|\biD\b)+(?:\s?,\s?{_MARK}+)*")
_BETWEEN = re.compile(r"\s*(?:,|;|·|•|&|\||\b(?:and|und|et|y|AND|и|та)\b(?!\.)|\be\b(?!\.))\s*")
_HONOURS = re.compile(
    r"(?:(?:senior|student|graduate|life|associate|ieee)\s+)*(?:member|fellow)|ieee|acm|osa|prof|dr",
    re.IGNORECASE,
)
_DEGREES = r"(?:Ph\.?\s?D|PHD|M\.\s?D|MD|[MB]\.?Sc|[MD]\.?Phil|Sc\.?D|Pharm\.?D|Dr\.?PH|MPH|MBA|MBBS|DVM)\.?"
_DEGREE_AFTER = re.compile(rf"(?:\s+{_DEGREES})+$")
_SUFFIX = re.compile(rf"(?:jr|sr|ii|iii|iv)\.?|{_DEGREES}|(?:(?:B\.?|M\.)[AS]|RN|FRCP)\.?", re.IGNORECASE)
_NICKNAME = re.compile(r"(?<=\w) (?:\([A-Z][\w’'-]+\)|[“\"‘'][A-Z][\w-]+[”\"’'])(?= \w)")  # "Chun-Kai (Karl) Huang"
_CLOSE_INITIAL = re.compile(r"(?<=\b[^\W\d_]\.)(?=[^\W\d_]{3})")  # "A.Lovelace"
_PREFIX = re.compile(r"\A(?:(?:by:?|authors?:|dr\.?|prof\.?|professor|mr\.|mrs\.|ms\.)\s+)+", re.IGNORECASE)
_CONSORTIUM = re.compile(
    r"(?:[Tt]he\s+)?((?:[A-Z0-9][\w’'-]*\s+){1,7}(?:Consortium|Collaboration|(?:Study|Working)\s+Group))"
)
_REMARK = re.compile(r"\(([^()]*)\)")
_MONTH = (  # in English, German, French, Spanish, Portuguese and Italian
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet"
    r"|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    r"|noviembre|diciembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio"
    r"|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre)\.?"
)
_DATE = re.compile(
    rf"\W*(?:{_MONTH}\W+\d{{1,2}}|\d{{1,2}}\W+(?:de )?{_MONTH}|{_MONTH})\W+(?:de )?(?:19|20)\d\d\W*", re.IGNORECASE
)
_TITLE_WORDS = 5  # so many words, three of them long, are a capitalised subtitle and not a name
_LONG_WORD = 10  # letters; surnames of nine are common
_LIST = 2  # minimum number of names in a list with surnames first
_ELIDED = ("d’", "d'", "l’", "l'", "al-", "el-", "t’", "t'")


@functools.lru_cache(maxsize=4096)
def names_in(text: str) -> tuple[str, ...]:
    """The parts of a text that read like names, in order, up to the first address or remark.

    Empty unless names outnumber the parts that are neither name nor address, as in "Santa Barbara, CA". A consortium
    counts as a name; names in a list "Surname, Given; Surname, Given" are reordered.
    """
    names: list[str] = []
    unlike = 0
    for part in names_surname_first(text) or parts_of(text):
        if is_honour(part):
            continue
        consortium = _CONSORTIUM.fullmatch(part)
        if says_otherwise(part) and not consortium:
            break
        if consortium or is_name(part):
            names.append(consortium[1] if consortium else part)
        else:
            unlike += 1
    return tuple(names) if len(names) > unlike else ()


def parts_of(text: str) -> list[str]:
    """Split a text at commas, conjunctions and marks such as raised numbers; a suffix ("Jr.") stays with its name.

    Titles, degrees and bracketed affiliations are dropped.
    """
    parts: list[str] = []
    for part in _BETWEEN.split(_MARKS.sub(",", " ".join(_REMARK.sub(_without_affiliation, text).split()))):
        plain = plain_name(" ".join(part.split()).strip(" '’\"():")).lstrip(".")
        plain = plain if re.search(r"\b[^\W\d_]\.$|\b[JS]r\.$", plain) else plain.rstrip(".")
        if parts and _SUFFIX.fullmatch(plain):
            is_of_name = plain[:2].casefold() in ("jr", "sr") and is_name(parts[-1])
            parts[-1] = f"{parts[-1]}, {plain}" if is_of_name else parts[-1]
        elif any(map(str.isalpha, plain)) or "@" in plain:
            parts.append(plain)
    return parts


def plain_name(text: str) -> str:
    """Remove the titles before a name ("Prof. Dr.") and the degrees after it ("PhD")."""
    name = _PREFIX.sub("", text, count=1)
    without = _DEGREE_AFTER.sub("", name)
    return without if is_name(without) else name


def is_honour(text: str) -> bool:
    """Whether a text is a membership grade, a society or a title: "Senior Member", "IEEE"."""
    return _HONOURS.fullmatch(text) is not None


def is_suffix(text: str) -> bool:
    """Whether a text is a suffix of a name: "PhD", "Jr."."""
    return _SUFFIX.fullmatch(text) is not None


def _without_affiliation(remark: re.Match[str]) -> str:
    return "," if says_otherwise(remark[1]) else remark[0]


def names_surname_first(text: str) -> list[str]:
    """The names of a list "Surname, Given; Surname, Given", reordered; empty if the text is not such a list."""
    entries = [entry.split(",") for entry in _MARKS.sub(",", text).split(";")]
    halves = [[half for half in entry if _LETTER.search(half)] for entry in entries]
    pairs = [tuple(map(str.strip, half)) for half in halves if half]
    if len(pairs) < _LIST or any(len(pair) != 2 for pair in pairs):
        return []
    names = [f"{given} {re.sub(r'^(?:and|&) ', '', surname)}" for surname, given in pairs]
    turned = not any(is_name(half) for half in pairs[0])
    return names if turned and all(map(is_name, names)) else []


def says_otherwise(text: str) -> bool:
    """Whether a word of the text marks it as an address, an affiliation or a remark."""
    return _NOT_NAME.search(text) is not None


def is_affiliation(text: str) -> bool:
    """Whether a text names an institution."""
    return _AFFILIATION.search(text) is not None


def is_date(text: str) -> bool:
    """Whether a text is a date with year: a day ("May 3, 2024", "3 mai 2024") or a month."""
    return _DATE.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether a text reads like one person's name: two to six words, capitalised except for particles."""
    plain = _CLOSE_INITIAL.sub(" ", _NICKNAME.sub("", text.partition(",")[0]))
    words = plain.split()
    if not 2 <= len(words) <= 6 or len(plain) > 60 or says_otherwise(plain) or not _NAME.fullmatch(plain):
        return False
    if len(words) >= _TITLE_WORDS and sum(len(word) >= _LONG_WORD for word in words) > 2:
        return False
    capital = all(word[0].isupper() or word.casefold() in PARTICLES or word.startswith(_ELIDED) for word in words)
    return capital and not _UNIVERSITY.fullmatch(plain) and any(len(word) > 2 or word[1:].islower() for word in words)


PARTICLES = frozenset(
    "van von vande vanden op olde der den de del della dalla dei degli dello di da dos das du do la le lo el al bin "
    "ibn ben ten ter te zu zur zum af av e y i t vander vom".split()
)
