"""Determine the role of a section from its heading."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from scholartools.readers.common.hyphenation import compose_accents

NUMBER = re.compile(
    r"(?:§+\s?)?((?i:appendix|section|chapter|annex|anhang|annexe|kapitel|chapitre|cap[íi]tulo|capitolo)\s+)?"
    r"(\d{1,2}\)|\d{1,2}(?:[.·]\d{1,2}){0,4}(?:[.:](?!\d))?|[A-Z](?:[.·]\d{1,2}){1,4}\.?|[A-Z][.:)]|[IVX]{1,5}[.:)]|[A-Z](?=\s+[A-Z])"
    r"|[A-Z](?=\s+\|)|(?<=\s)[A-Z](?=\s|$))(?![\d%])\s*(?:\|\s*)?"
)

_LATER = re.compile(r"(?!1$)\d{1,2}|(?!I$)[IVX]{1,5}")  # numbers of sections after the first, where a summary concludes
_SHORT = 40  # a bibliography's heading with its number is shorter, in characters
# Headings of bibliographies, without diacritics; _CITED is an optional "cited", "consulted" or the like.
_CITED = r"(?: (?:cited|consulted|citad[ao]s?|consultad[ao]s|citees?|citat[ae]|consultate|utilizad[ao]s))?"
_REFERENCES = (
    r"(?:(?:list of |cited |selected )?references?(?: cited| list| and (?:notes|bibliography))?|notes and references"
    r"|(?:selected |works? )?bibliography|works cited|sources cited|(?:cited )?literature(?: cited)?"
    rf"|(?:lista de )?referencias?(?: bibliograficas)?{_CITED}|(?:liste des )?references(?: bibliographiques| citees)?"
    rf"|(?:riferimenti|referencies)(?: bibliografici)?|bibliogra(?:f|ph)\w*{_CITED}|lit[te]?eratura?{_CITED}"
    r"|(?:litterature|ouvrages|travaux) cites?e?s?|(?:obras|opere|fuentes) (?:citad?t?as?|citate|consultadas)"
    r"|(?:verwendete |zitierte |benutzte )?(?:literatur|quellen)(?:verzeichnis|liste|angaben|nachweise?|hinweise)?"
    r"|(?:literatur|quellen)(?:verzeichnis|-)? und (?:literatur|quellen)(?:verzeichnis)?|schrifttum|referenzen"
    r"|literatuur(?:lijst)?|referent?ies|referenser|referencer|referanser|litteratur(?:forteckning|liste?)?|kall(?:or|forteckning)"
    r"|(?:pouzita |seznam |spis )?literatur[ay]|pismiennictwo|kirjallisuus(?:luettelo)?|lahteet|irodalom(?:jegyzek)?"
    r"|hivatkozasok|referinte|kaynak(?:lar|ca)|daftar pustaka|tai lieu tham khao"
    r"|(?:список )?(?:использованнои |использованных )?литератур[аы]"
    r"|список (?:использованных )?(?:литературы|источников)(?: .{0,20})?"
    r"|библиография|(?:список )?(?:використаних |використаноі )?(?:джерел|література)|βιβλιογραφια|αναφορες)"
)
_BIBLIOGRAPHY = re.compile(
    r"r[eé]f[eé]r|riferim|fuentes|bibliogra|lit[te]?eratu|works|cit[aé]|quelle|schrifttum|k[aä]ll|pi[sś]mien|kirjall|l[aä]hteet|irodalom"
    r"|hivatk|kaynak|pustaka|tham kh|литератур|література|источник|джерел|библиогр|βιβλιογρ|αναφορ|文[献獻]|참고",
    re.IGNORECASE,
)  # prefilter: each heading of a bibliography contains one of these
# The first role that matches wins; limitations come first, so that they win over any other role in the heading.
_WORDINGS: tuple[tuple[str, re.Pattern[str]], ...] = tuple((role, re.compile(wording)) for role, wording in (
    ("limitation", (r"limitation|limites|limitacion|limitac|limitazion|limiti\b|einschrankung|threats? to validity|"
                   r"validity threats|shortcoming|caveats|grenzen")),
    ("abstract", (r"^(abstract|((author|executive|reproducibility) )?summary|zusammenfassung|kurzfassung|resume|"
                 r"resumen|resumo|riassunto|sommario|resum|rezumat|samenvatting|sammanfattning|sammendrag|streszczenie|"
                 r"abstrakt?|ozet|kivonat|osszefoglalo|tiivistelma|аннотация|анотація|реферат|περιληψη)$")),
    ("reference", rf"^{_REFERENCES}$"),
    ("acknowledgement", (r"acknowledg|^funding|danksagung|remerciement|agradecimiento|agradecimento|ringraziament|"
                        r"^(financial|grant) (support|disclosure)|author(s'?)? contribution|^contributions of authors|"
                        r"competing interest|conflicts? of interest|declaration of|disclosures?$|disclosure of")),
    ("ethics", (r"\bethic|broader impact|societal impact|impact statement|social impact|ethik|ethique|etica\b|"
               r"responsible (nlp|ai)|potential (harm|risk|misuse)|reproducibility statement")),
    ("introduction", (r"^(a |an )?(general )?(introduct|introducc|introduca|introduzion|einleitung|einfuhrung)|"
                     r"introduction$|^((our|the|main|research) |.+ (and|&) )?motivations?$|^overview$|"
                     r"^(введение|вступ)$")),
    ("related", (r"related (work|literature|research|stud)|previous work|prior (work|art|research)|literature review|"
                r"state of the art|state-of-the-art|verwandte arbeiten|stand der (technik|forschung)|"
                r"travaux (connexes|anterieurs|existants)|etat de l.art|trabajos? relacionado|estado del arte|"
                r"trabalhos relacionados|estado da arte|lavori correlati|stato dell.arte")),
    ("appendix", r"^(appendi|supplement|supporting information|annex|anhang|apendice|appendice"
                 r"|additional (material|detail))"),
    ("future", r"^(future|open (problem|question|challenge)|outlook|ausblick|perspectives"
               r"|trabajos? futuro|trabalhos futuros)"),
    ("conclusion", r"conclu|schluss|fazit|^(closing|final|concluding) |^(summary|zusammenfassung) (and|und)"
                   r"|take-?aways|consideracoes finais|^(заключение|выводы|висновки)\b"),
    ("discussion", r"discuss|diskussion|discusion|implication|interpretation|lessons"),
    ("result", (r"\bresult|ergebnis|resultat|resultado|risultat|^(main )?findings|\banalysis of (the )?(result|error)|"
               r"error analysis|^performance\b|^evaluation$|^evaluation results")),
    ("experiment", (r"experiment|evaluat|ablation|empirical|benchmark|versuch|esperiment|expériment|simulation|"
                   r"case stud|implementation|^training$|hyper-?parameter|auswertung|baselines")),
    ("data", (r"\bdata\b|dataset|data set|corpus|corpora|\bdaten|donnees|datos|dados|^dati\b|annotation|participants|"
             r"^subjects$|stimuli")),
    ("method", (r"method|model|approach|algorithm|architecture|procedure|system (overview|description|design)"
                r"|framework|"
               r"materials|methodik|methodologie|metodo|material y|our (system|proposal)|proposed|theory|design\b|"
               r"problem (formulation|statement|definition|setting|setup)|formulation|statistical analysis|pipeline")),
    ("background", (r"background|preliminar|notation|foundation|hintergrund|grundlagen|contexte|antecedentes|"
                   r"fundament|terminolog|definitions|basics")),
    # Chinese and Japanese, without the voicing marks of kana.
    ("limitation", "局限|限界"), ("abstract", r"^(摘\s?要|要\s?旨|概要)$"), ("acknowledgement", "致谢|謝辞"),
    ("reference", r"^((参考|引用|參考)文[献獻]|참고 ?문헌)\W*(references\W*)?$"),
    ("introduction", "^(引言|绪论|緒論|序論|前言|はしめに)"), ("related", "相关工作|関連研究"),
    ("conclusion", "结论|結論|结语|まとめ|おわりに"), ("discussion", "讨论|討論|考察"), ("result", "结果|結果"),
    ("experiment", "实验|実験"), ("data", "数据"), ("method", "方法|手法"), ("background", "背景"),
))  # fmt: skip
_END_MATTER = re.compile(
    r"acknowledge?ments?( and .{3,40})?|danksagung|remerciements?|agradecimientos?|agradecimentos?|ringraziamenti"
    r"|(statements? of )?(credit )?(the )?author('?s'?)?(ship)? contributions?( statement)?|contributors"
    r"|credit author(ship)? (contribution )?statement|contributions? of (the )?authors"
    r"|(sources? of )?funding( (information|statement|sources?|details|support))?|financial (support|disclosures?)"
    r"|grant support"
    r"|(declaration|disclosure|statement)s? of (competing|conflicting|conflicts? of)( financial)? interests?"
    r"|(competing|conflicting|conflicts? of)( financial)? interests?( (statement|disclosure|declaration)s?)?"
    r"|(author )?disclosures?( statement)?|(statements and )?declarations?"
    r"|(data|code|software|materials?)((,| and|, and|/) (data|code|software|materials?|resources?))* "
    r"(availability|accessibility|sharing)( statement)?"
    r"|availability of .{4,40}|(open )?(data|science) (statement|access)|open practices( statement)?"
    r"|(electronic )?supplement(ary|al) (materials?|information|data|files?|figures)|supporting information"
    r"|associated content"
    r"|(ethics|ethical) (statement|approval|declarations?)|(statement of )?ethics|institutional review board statement"
    r"|(informed )?consent( (statement|(for|to) (publication|participate)))?|ethics approval and consent to participate"
    r"|statement on inclusion|orcid( ids?| iDs?)?|abbreviations|publisher'?s note|additional information"
    r"|how to cite( this article)?|reprints and permissions|author('?s'?)? (information|details|biograph(y|ies)|note)"
    r"|about the authors?|correspond(ence|ing authors?)|action editor|transparency( statement)?|peer review( .{4,20})?"
    r"|(end ?)?notes?|footnotes"
)
# All patterns in one: most headings match none of them, which a single search finds out.
_ANY_WORDING = re.compile("|".join(f"(?:{wording.pattern})" for _, wording in _WORDINGS))


@lru_cache(maxsize=4096)  # a line is compared with each of its neighbours
def number_of(heading: str) -> tuple[str | None, str]:
    """Split a heading into its number as printed (without the final dot), or None, and the words after it."""
    found = NUMBER.match(heading)
    if not found or not heading[found.end() :].strip():
        return None, heading.strip()
    words = heading[found.end() :].strip()
    glued = "|" not in found[0] and not found[0][-1:].isspace() and found[0][-1:].isalnum()
    if glued and not (words[:1].isupper() and words[1:2].islower()):
        return None, heading.strip()
    return found[0].strip().rstrip(".:| "), words.lstrip("—–-:. ")


@lru_cache(maxsize=1024)  # several parts of a reader look up the same headings
def role_of(heading: str) -> str:
    """The role of a section by the wording of its heading, apart from its number; ``other`` if it is unknown.

    "Limitations" wins over other roles in the same heading. Covers English, common wordings of German, French,
    Spanish, Portuguese and Italian, some of Chinese, Japanese and Russian, and bibliographies in some twenty languages.
    """
    number, words = number_of(" ".join(heading.split())[:300])
    plain = _plain_heading(words)
    if _ANY_WORDING.search(plain):
        role = next(role for role, wording in _WORDINGS if wording.search(plain))
        return "conclusion" if role == "abstract" and number and _LATER.fullmatch(number) else role
    return "appendix" if number and _plain_heading(number).startswith(("appendix", "anhang", "annex")) else "other"


@lru_cache(maxsize=4096)  # several parts of a reader look up the same lines
def heads_references(text: str) -> bool:
    """Whether a line can be the heading of a bibliography by :func:`role_of`; fast for lines of running text."""
    return len(text) < _SHORT and _BIBLIOGRAPHY.search(text) is not None and role_of(text) == "reference"


@lru_cache(maxsize=1024)
def is_end_matter(heading: str) -> bool:
    """Whether a heading belongs to end matter: acknowledgements, funding, interests, data availability, notes."""
    return _END_MATTER.fullmatch(_plain_heading(heading).replace("’", "'")) is not None


def _plain_heading(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", compose_accents(text).casefold())
    letters = "".join(char for char in decomposed if not unicodedata.combining(char))
    return letters.strip(" .:—–-")


CHAPTER = re.compile(
    r"(chapter|kapitel|chapitre|cap(?:[íi]|´ı)tulo|capitolo) "
    r"(\d{1,2}|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten)",
    re.IGNORECASE,
)  # alone on a line, with the title below it

# The label of an abstract, at the beginning of a line.
ABSTRACT_LABEL = re.compile(
    r"(abstract|a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|(?:(?:executive|reproducibility) )?summary|"
    r"zusammenfassung|r[ée]sum[ée]|resumen|resumo|riassunto|resum|rezumat|samenvatting|sammanfattning|sammendrag|"
    r"streszczenie|abstrakt?|[öo]zet|kivonat|[öo]sszefoglal[óo]|tiivistelm[äa]|аннотация|анотація|реферат|περ[ίι]ληψη)"
    r"\b(?!\s+of\b)(?:\s{0,3}\([^\W\d_][\w -]{2,30}\)$)?[\s.:—–-]*",  # "Abstract (English)"
    re.IGNORECASE,
)

# The heading of a table of contents or of a list of figures.
CONTENTS_LABEL = re.compile(
    r"((table of )?contents|(list|index) of (figures|tables|algorithms|listings|abbreviations|symbols|acronyms)"
    r"|inhalt(sverzeichnis|s[üu]bersicht)?|(abbildungs|tabellen|abk[üu]rzungs)verzeichnis"
    r"|table des (mati[èe]res|figures)|sommaire|[íi]ndice( general| de (figuras|tablas|tabelas|cuadros))?|sum[áa]rio"
    r"|contenidos?|conte[úu]do|lista de (figuras|tablas|tabelas|algoritmos|siglas|abreviaturas( e siglas)?|s[íi]mbolos"
    r"|ilustra[çc][õo]es|quadros)|indice( generale| delle figure)?|inhoud(sopgave)?|inneh[åa]ll(sf[öo]rteckning)?"
    r"|spis tre[śs]ci|obsah|содержание|оглавление|目\s?录|目\s?次)\W*",
    re.IGNORECASE,
)
