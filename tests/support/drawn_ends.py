"""Papers drawn by lot whose bibliographies are followed by what journals print there, so that all entries are known.

What follows stands right below the last entry, after a gap, or at the top of the next column or page; in the size of
the entries or another; with or without a heading. Its truth is that it is in no reference.
"""

from __future__ import annotations

import random
import textwrap
from dataclasses import dataclass, field

import pymupdf
from support.set_text import prose

WIDTH, HEIGHT = 595.0, 842.0
TOP, BOTTOM = 70.0, 780.0
FAMILY = "Lovelace Hopper Knuth Liskov Vogel Haddad Bergman Dupont Rossi Weber Nowak Silva Okafor Tanaka Moreau".split()
TITLES = (
    "The spread of rumours in small towns", "Estimating wages under imperfect information: evidence from mines",
    "Memory and attention in older readers", "Households, markets, and the state in early modern Europe",
    "Fast sorting on slow machines", "A randomised trial of walking after surgery and before long journeys by rail",
    "On the stability of thin films", "Bayesian methods for sparse counts in surveys with many small areas",
    "What do teachers know about dyslexia?", "Growth and decline of a mining district, 1890-1914",
)  # fmt: skip
JOURNALS = ("Journal of Rural Studies", "Annals of Statistics", "Physics of Fluids", "Economic Quarterly")

#: What journals print below a bibliography: a heading or None, and the text under it.
FOLLOWS: dict[str, list[tuple[str | None, str]]] = {
    "cite": [
        ("How to cite this article", "Roe J, Doe K. The form of pages and their readers. Journal of Open Pages 2019; 4:12."),
        (None, "Cite this article as: Roe J, Doe K. The form of pages and their readers. Open Pages. 2019;4:12."),
        (None, "How to cite this article: Roe, J. The form of pages and their readers. Open Pages 4, 12 (2019)."),
    ],
    "note": [
        ("Publisher's note", "The publisher remains neutral with regard to claims about maps and about institutions."),
        (None, "Publisher's Note The publisher remains neutral with regard to claims about maps and institutions."),
        (None, "Disclaimer: The views in this article are those of the authors and not of the board of the journal."),
    ],
    "lives": [
        (None, "Jane Roe received the B.S. degree in physics from the University of Leiden, where she works on the form "
               "of pages. Her interests are readers, columns and the end of books."),
        ("Biographies", "Jane Roe is a professor of reading at the University of Leiden. She works on the form of pages."),
        ("About the Authors", "Jane Roe is a professor of reading at the University of Leiden and works on pages."),
        (None, "JANE ROE is Professor of Reading in the Department of Letters at the University of Leiden. She is the "
               "author of two books about the form of pages."),
    ],
    "address": [
        (None, "Jane Roe, Department of Reading, University of Leiden, Leiden, The Netherlands. E-mail: roe@pages.example"),
        ("Author's address", "Department of Reading, University of Leiden, 4 Long Lane, Leiden, The Netherlands."),
        (None, "Address for correspondence: Dr Jane Roe, Department of Reading, University of Leiden, Leiden."),
        (None, "Correspondence to: J. Roe, Department of Reading, University of Leiden. Tel: 31 555 12345"),
        (None, "Department of Reading, University of Leiden, Long Lane 4, Leiden, The Netherlands"),
    ],
    "dates": [
        (None, "Received 4 May 2012; accepted 3 June 2012; published online 4 July 2012."),
        (None, "(Received May 4, 2012, accepted June 3, 2012)"),
        (None, "Manuscript received 4 May 2012; revised 3 June 2012. Editor: K. Doe."),
        (None, "Submetido em 4 de maio de 2012. Aceito em 3 de junho de 2012."),
        (None, "Recibido: 4 de mayo de 2012. Aceptado: 3 de junio de 2012."),
    ],
    "licence": [
        (None, "This is an Open Access article distributed under the terms of the Creative Commons Attribution License, "
               "which permits unrestricted use in any medium."),
        (None, "Open Access This article is licensed under a Creative Commons Attribution 4.0 International License, "
               "which permits use and sharing in any medium or format."),
        (None, "© 2012 Roe and Doe; licensee Open Pages Ltd. All rights reserved by the holders of these."),
        (None, "This work is licensed under a Creative Commons Attribution License. To view a copy visit the site."),
        (None, "Reproduced with permission of the copyright owner. Further reproduction prohibited without permission."),
    ],
    "advertisement": [
        ("Submit your next manuscript to Open Pages", "Convenient online submission and thorough review by many peers."),
        (None, "Submit your next manuscript to Open Pages and take full advantage of: convenient online submission, "
               "thorough peer review, no space constraints or figure charges."),
        (None, "Publish with Open Pages and every reader in the world can read your work free of charge. Your paper will "
               "be peer reviewed and published immediately upon acceptance."),
        (None, "For further information on this journal see our website or ask the board of the society of readers."),
    ],
    "appendix": [
        ("Appendix", "The readers of the first page were asked about columns, and all of them knew where to go on."),
        ("Appendix A. Proofs", "We show that readers of a page follow one column down before they start with the next."),
        ("Supplementary data", "Supplementary data associated with this article can be found in the online version."),
        ("Acknowledgements", "We thank the readers of the first page, who were asked about columns and their ends."),
    ],
    "prose": [
        (None, "The readers of the first page were asked about columns, and all of them knew where to go on. Those of "
               "the second page were not asked, as nobody had told them of the study."),
    ],
    "rows": [(None, "rows")],
    "nothing": [(None, "")],
}  # fmt: skip


@dataclass
class Drawn:
    """A PDF, the texts of its entries, the words that follow them, and the features drawn by lot."""

    data: bytes = b""
    entries: list[str] = field(default_factory=list)
    after: str = ""
    traits: dict[str, str] = field(default_factory=dict)


class _Sheet:
    """Columns of pages that are filled with lines from top to bottom."""

    def __init__(self, columns: int) -> None:
        self.document = pymupdf.open()
        self.frames = [(60.0, 535.0)] if columns == 1 else [(50.0, 285.0), (310.0, 545.0)]
        self.frame, self.y = -1, BOTTOM
        self.turn()

    def turn(self) -> None:
        """Go on at the top of the next column."""
        self.frame = (self.frame + 1) % len(self.frames)
        self.y = TOP
        if self.frame == 0:
            self.page = self.document.new_page(width=WIDTH, height=HEIGHT)

    def line(self, text: str, size: float, font: str, indent: float = 0.0) -> None:
        if self.y + size > BOTTOM:
            self.turn()
        self.y += 1.2 * size
        self.page.insert_text((self.frames[self.frame][0] + indent, self.y), text, fontsize=size, fontname=font)

    def fill(self, text: str, size: float, font: str = "tiro", first: float = 0.0, rest: float = 0.0) -> None:
        """Write a paragraph, its first line and the other lines indented."""
        left, right = self.frames[0]
        room = int((right - left - max(first, rest)) / (0.47 * size))
        rows = textwrap.wrap(text, room, break_on_hyphens=False)
        for at, row in enumerate(rows):
            self.line(row, size, font, rest if at else first)

    def skip(self, height: float) -> None:
        self.y += height if self.y > TOP else 0


def draw(lot: random.Random, **chosen: str) -> Drawn:
    """A paper with a bibliography and what follows it; ``chosen`` are features that are not drawn."""
    pick = lot.choice
    drawn = Drawn()
    traits = drawn.traits = {
        "kind": pick(list(FOLLOWS)),
        "style": pick(["[1]", "1.", "1", "hanging", "gaps", "indented"]),
        "columns": pick(["1", "2"]),
        "place": pick(["close", "gap", "wide", "turn"]),
        "size": pick(["same", "same", "smaller", "larger"]),
        **chosen,
    }
    kind = traits["kind"]
    size = pick([8.0, 9.0, 10.0])
    sheet = _Sheet(int(traits["columns"]))
    page = sheet.page
    page.insert_text((90, 100), "A Paper on How Pages Are Read", fontsize=18, fontname="tibo")
    page.insert_text((200, 125), "Ada Lovelace and Charles Babbage", fontsize=11, fontname="tiro")
    sheet.y = 150.0
    for heading, count in (("1 Introduction", 30), ("2 Methods", lot.randint(20, 60))):
        sheet.skip(12)
        sheet.line(heading, 12, "tibo")
        sheet.skip(4)
        for row in prose(heading[2:5].lower(), count, 13 if traits["columns"] == "1" else 7):
            sheet.line(row, 10, "tiro")
    sheet.skip(14)
    sheet.line("References", 12, "tibo")
    sheet.skip(4)
    apart = {"gaps": 0.6, "[1]": pick([0, 0.3]), "1.": pick([0, 0.3])}.get(traits["style"], 0) * size
    drawn.entries = _entries(lot, traits["style"])
    hang = pick([0.0, 14.0])  # labelled entries are set with and without hanging lines
    for entry in drawn.entries:
        first, rest = {"hanging": (0.0, 12.0), "indented": (12.0, 0.0), "gaps": (0.0, 0.0)}.get(
            traits["style"], (0.0, hang)
        )
        sheet.fill(entry, size, "tiro", first, rest)
        sheet.skip(apart)
    heading, text = pick(FOLLOWS[kind])
    drawn.after = text
    if kind != "nothing":
        _write_after(sheet, lot, traits, size, heading, text)
    drawn.data = sheet.document.tobytes()
    return drawn


def _write_after(
    sheet: _Sheet, lot: random.Random, traits: dict[str, str], size: float, heading: str | None, text: str
) -> None:
    if traits["place"] == "turn":
        sheet.turn()
    sheet.skip({"close": 0.0, "gap": size, "wide": 3 * size, "turn": 0.0}[traits["place"]])
    if traits["place"] == "close" and traits["size"] == "same" and not heading and traits["kind"] in ("rows", "prose"):
        sheet.skip(1.5 * size)  # else nothing but the sense of the words tells where the list ends
    after = size + {"same": 0.0, "smaller": -1.0, "larger": 1.0}[traits["size"]]
    if text == "rows":
        for row in range(lot.randint(3, 8)):
            for at in range(4):
                left = sheet.frames[sheet.frame][0] + 55 * at
                sheet.page.insert_text(
                    (left, sheet.y + 12), f"{row}.{lot.randint(10, 99)}", fontsize=after, fontname="tiro"
                )
            sheet.y += 12
        return
    if heading:
        sheet.skip(6)
        sheet.line(heading, lot.choice([after, after, 12.0]), "tibo")
        sheet.skip(2)
    sheet.fill(text, after, lot.choice(["tiro", "tiro", "tiit"]))


def _entries(lot: random.Random, style: str) -> list[str]:
    made = []
    for number in range(1, lot.randint(8, 30)):
        people = lot.sample(FAMILY, lot.randint(1, 3))
        title, journal, year = lot.choice(TITLES), lot.choice(JOURNALS), lot.randint(1970, 2018)
        where = f"{lot.randint(2, 90)}, {lot.randint(1, 400)}-{lot.randint(401, 900)}"
        if style in ("[1]", "1.", "1"):
            names = ", ".join(f"{lot.choice('ABCDE')}. {one}" for one in people)
            made.append(f"{style.replace('1', str(number))} {names}. {title}. {journal} {where}, {year}.")
        else:
            names = ", ".join(f"{one}, {lot.choice('ABCDE')}." for one in people)
            made.append(f"{names} ({year}). {title}. {journal}, {where}.")
    return made if style in ("[1]", "1.", "1") else sorted(made)
