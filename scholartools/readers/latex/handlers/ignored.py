"""Commands and environments whose arguments or content are not part of the text."""

from __future__ import annotations

# Commands whose arguments do not print text, with their argument specifications.
DROPPED: dict[str, str] = {
    **dict.fromkeys(
        "\\vspace \\pagestyle \\thispagestyle \\pagenumbering \\phantom \\hphantom \\vphantom \\index \\glossary "
        "\\hyphenation \\hypersetup \\lstset \\tikzset \\geometry \\special \\pdfinfo \\usetikzlibrary "
        "\\markright \\includeonly \\bibliographyunit \\enlargethispage \\authorrunning "
        "\\titlerunning \\keywords \\ccsdesc \\acmConference \\acmDOI \\acmISBN \\acmYear \\setcopyright \\received "
        "\\shorttitle \\shortauthors \\shortauthor \\runningtitle \\icmltitlerunning \\icmlkeywords \\date \\pacs "
        "\\subjclass \\orcid \\newlength \\newsavebox \\pgfplotsset \\sisetup \\urlstyle "
        " \\vspace* \\fontfamily \\fontseries \\fontshape \\selectlanguage \\addvspace "
        "\\partmark \\chaptermark \\sectionmark \\subsectionmark \\subsubsectionmark \\needspace \\Needspace "
        "\\titlenote \\subtitlenote \\dedicatory \\acmBooktitle \\copyrightyear \\editor \\extrafloats".split(),
        "*m",
    ),
    **dict.fromkeys(
        "\\setlength \\addtolength \\fontsize \\markboth \\icmlaffiliation \\settowidth \\setkeys \\defcitealias "
        "\\icmlcorrespondingauthor".split(),
        "*mm",
    ),
    **dict.fromkeys("\\definecolor \\addcontentsline \\titlespacing".split(), "*mmm"),
    **dict.fromkeys(
        "\\includepdf \\captionsetup \\todo \\missingfigure \\color \\pagecolor \\thanksnote \\setlist "
        "\\fancyhead \\fancyfoot \\lhead \\rhead \\chead \\lfoot \\rfoot \\cfoot "
        "\\subjectclass \\editorial \\tikz \\copyrightnotice".split(),
        "*oom",
    ),
    **dict.fromkeys(
        "\\textcolor \\colorbox \\scalebox \\rotatebox \\raisebox \\foreignlanguage \\adjustbox \\cellcolor "
        "\\rowcolor".split(),
        "*om",
    ),
    **dict.fromkeys(("\\@gobble", "\\@secondoftwo"), "m"),
    **dict.fromkeys(
        "\\SetAlFnt \\SetAlCapSkip \\SetAlgoNlRelativeSize \\SetCommentSty \\SetKwSty \\SetArgSty".split(), "m"
    ),
    **dict.fromkeys(("\\APACinsertmetastar", "\\PrintBackRefs"), "m"),
    "\\SetInd": "mm",
    "\\SetNlSty": "mmm",
    **dict.fromkeys(("\\typeout", "\\message", "\\errmessage", "\\wlog"), "m"),
    **dict.fromkeys(("\\PackageInfo", "\\PackageWarning", "\\ClassInfo", "\\ClassWarning"), "mm"),
    **dict.fromkeys(("\\PackageError", "\\ClassError"), "mmm"),
    **dict.fromkeys(("\\patchcmd", "\\xpatchcmd"), "ommmmm"),
    "\\regexpatchcmd": "*mmmm",
    "\\fcolorbox": "omm",
    "\\resizebox": "*mm",
    "\\multicolumn": "mm",
    "\\discretionary": "mm",
    **dict.fromkeys(("\\hyperlink", "\\hypertarget", "\\cline", "\\arrayrulecolor"), "m"),
    **dict.fromkeys(("\\specialrule", "\\rowcolors"), "mmm"),
    **dict.fromkeys("\\toprule \\midrule \\bottomrule \\addlinespace".split(), "o"),
    "\\multirow": "omom",
    "\\parbox": "ooom",
    "\\rule": "omm",
    "\\pdfbookmark": "omm",
    **dict.fromkeys("\\currentpdfbookmark \\belowpdfbookmark \\subpdfbookmark".split(), "mm"),
    "\\bookmark": "om",
    "\\bookmarksetup": "m",
    "\\etocsettocstyle": "mm",
    "\\AddToHook": "mom",
    "\\printbibliography": "o",
    "\\makebox": "oo",
    "\\framebox": "oo",
    "\\lettrine": "o",
    "\\newacronym": "ommm",
    "\\newglossaryentry": "mm",
    "\\titleformat": "*mommmmo",
    "\\fancypagestyle": "mm",
    "\\newcolumntype": "mom",
    "\\DeclareUnicodeCharacter": "mm",
    "\\floatstyle": "m",
    "\\newfloat": "mmmo",
    "\\listoffigures": "",
    "\\pdfpageattr": "m",
    "\\AtEndDocument": "m",
    "\\AddToShipoutPicture": "*m",
}  # fmt: skip

# Environments whose content is not running text: tables, which may have display equations in columns ...
WITH_EQUATIONS = frozenset(
    "tabular tabular* tabularx tabulary tabu longtabu supertabular xtabular tabbing tblr NiceTabular".split()
)
# ... pictures that TeX draws or annotates ...
DRAWINGS = frozenset(
    "tikzpicture pgfpicture picture pspicture forest axis overpic circuitikz tikzcd fmffile diagram".split()
)
# ... and others, such as key words.
INNARDS = (
    WITH_EQUATIONS
    | DRAWINGS
    | frozenset(
        (
            "array keyword keywords IEEEkeywords Keywords CCSXML comment filecontents filecontents* "
            "highlights graphicalabstract prooftree"
        ).split()
    )
)

# Argument specifications of environments that print their content; others have no arguments.
ARGUMENTS: dict[str, str] = {
    **dict.fromkeys("adjustbox spacing".split(), "om"),
    "adjustwidth": "mm",
    "minipage": "ooom",
    **dict.fromkeys("tcolorbox mdframed framed leftbar quote quotation center changemargin landscape".split(), "o"),
    "list": "mm",
    "otherlanguage": "m",
    "otherlanguage*": "m",
    "CJK": "mm",
    "CJK*": "mm",
    "subequations": "",
}
