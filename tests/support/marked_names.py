"""Random names of people and groups in XML, with the expected result of the readers."""

from __future__ import annotations

import random
from dataclasses import dataclass
from xml.sax.saxutils import escape

_SURNAMES = (
    "Roe", "O", "E", "Ng", "van der Berg", "de la Cruz", "Carvalho", "O'Neill", "D’Angelo", "Smith-Jones", "Li", "Ibn Sina", "Ünal",
    "Øst", "李", "김", "Иванов", "Παπαδόπουλος", "al-Khwarizmi", "Test", "And", "May", "University", "III", "López y Ruiz", "MacDonald",
)  # fmt: skip
_GIVEN = (
    "R", "R.", "J. A.", "C. da C.", "Jane B", "Jean-Pierre", "J.-P.", "", "Wei", "伟", "민준", "Лев Н.", "X Æ", "JAK", "de", "e.", "Jr.",
)  # fmt: skip
_GROUPS = (
    "The Cell Group",
    "WHO",
    "ATLAS Collaboration",
    "Smith and Sons, Inc.",
    "R Core Team",
    "BMJ & friends",
    "日本学会",
)
_EAST = ("李", "김")
_EAST_GIVEN = ("伟", "민준")


@dataclass(frozen=True)
class Marked:
    """A name in JATS and in TEI, and as expected in the record: "" for an empty name.

    TEI cannot mark names with the surname first; the reader recognises them by East Asian characters.
    """

    printed: str
    jats: str
    tei: str
    printed_in_tei: str


def draw_people(chance: random.Random) -> list[Marked]:
    """Random names, some of them odd or empty."""
    return [_draw_one(chance) for _ in range(chance.choice([1, 1, 2, 3, 5, 12]))]


def _draw_one(chance: random.Random) -> Marked:
    kind = chance.random()
    if kind < 0.05:
        return Marked("", "<name><surname/><given-names/></name>", "<persName><surname/></persName>", "")
    if kind < 0.2:
        group = chance.choice(_GROUPS)
        member = "<contrib-group><contrib><name><surname>Member</surname></name></contrib></contrib-group>"
        return Marked(
            group,
            f"<collab>{escape(group)}{chance.choice(['', member])}</collab>",
            f"<orgName>{escape(group)}</orgName>",
            group,
        )
    surname, given = chance.choice(_SURNAMES), chance.choice(_GIVEN)
    suffix, link = chance.choice(["", "", "", "Jr", "III"]), chance.choice(["", "", "", "van", "de la"])
    by_letters = surname in _EAST and given in _EAST_GIVEN
    eastern = by_letters or chance.random() < 0.1
    whole = f"{link} {surname}".strip()
    east, west = (" ".join(filter(None, (*order, suffix))) for order in ((whole, given), (given, whole)))
    return Marked(
        east if eastern else west,
        _in_jats(chance, surname, given, suffix, link, eastern),
        _in_tei(surname, given, suffix, link),
        east if by_letters else west,
    )


def _in_jats(chance: random.Random, surname: str, given: str, suffix: str, link: str, eastern: bool) -> str:
    title = chance.choice(["", "<prefix>Dr</prefix>"])
    parts = [
        f"<surname>{surname}</surname>",
        f"<given-names>{given}</given-names>" if given else chance.choice(["", "<given-names/>"]),
    ]
    parts += [f"<prefix>{link}</prefix>" if link else title, f"<suffix>{suffix}</suffix>" if suffix else ""]
    style = ' name-style="eastern"' if eastern else ""
    shape = chance.choice(["name", "string-name", "name-alternatives"])
    if shape == "string-name":
        return f"<string-name{style}>{', '.join(filter(None, parts))}</string-name>"
    name = f"<name{style}>{''.join(parts)}</name>"
    return (
        f"<name-alternatives>{name}<name><surname>Other</surname></name></name-alternatives>"
        if "alt" in shape
        else name
    )


def _in_tei(surname: str, given: str, suffix: str, link: str) -> str:
    parts = [
        f"<forename>{given}</forename>" if given else "",
        f"<nameLink>{link}</nameLink>" if link else "",
        f"<surname>{surname}</surname>" if surname else "",
        f"<genName>{suffix}</genName>" if suffix else "",
    ]
    return f"<persName>{''.join(parts)}</persName>"
