"""Random structured abstracts with known parts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from scholartools.tasks.facets import cues

# Ends of parts that were mistaken for the start of a heading.
_TAILS = (
    "from 2000 to 2020.", "in 2020.", "the mean was 1.5.", "aged 18 to 65.", "at a dose of 5 mg/kg.", "at 37 °C.", "by 50%.",
    "(p < 0.05).", "(n = 20).", "(Smith et al., 2019).", "as shown before [12].", "as is known.[3]", "as is known.12",
    "as is known.4,5", "as is known.7–9", "by Smith et al.", "in 1,000 rats.", "of stage III.", "in phase II.", "of type 2.",
    "with vitamin A.", "of 10^3.", "in rats (12).", "of (1) age, (2) sex and (3) dose.", "of age (1), sex (2), dose (3).",
    "of i) age; ii) sex.", "of a) age and b) sex.", "of group (a).", "of (a) age, (b) sex.", "1. age, 2. sex, 3. dose.", "is it so?", "of 3.14.", "between 1990 and 99.", "in Table 2.", "vol. 7.",
    "with a ratio of 1:2.", "of 0.5 to 1.", "called “cold”.", "(see Fig. 3).", "of 12 h.", "at 5 p.m.", "with IL-2.", "of COVID-19.",
    "with H2O.", "of 95% CI 1.2-1.9.", "of group B.", "in 5 of 20.", "scored 7/10.", "of 2 x 3.", "of −5.", "at pH 7.", "of $5.",
)  # fmt: skip
_OPEN_TAILS = (
    "from 2000 to 2020",
    "in 20 rats",
    "the mean was 1.5",
    "(n = 20)",
    "of 5 mg",
    "as known [4]",
    "by 50%",
    "in phase II",
)
_HEADS = (
    "We counted birds", "Two people looked", "20 of the samples were kept", "A total of 12 farms took part", "In 2019 birds came",
    "It is said that cats sleep", "The farms of 3 towns were seen", "Of 40 rats 3 were fed",
)  # fmt: skip
_MIDDLES = (
    "Patients aged 65 or older were fed {}", "The results and methods differ {}", "All of it was seen {}",
    "Methods that others use were seen {}", "Results of 3 farms agree {}", "There was a mean of 2.5 birds {}",
    "One was fed (range 2–4. 5 in all) {}",
)  # fmt: skip
_OFFERED = {
    facet: [name.strip() for name in names.split("|")] for facet, names in cues.HEADINGS.items() if facet != "other"
}
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
_DIGITS = [str(number) for number in range(1, 11)]
_LETTERED = ("({}) ", "{}) ", "{}. ")
_NUMBERS = ("{}. ", "({}) ", "{}) ", "{}.", "[{}] ", "{}.\u00a0", "{} ", "{} ", "{}\u00a0")
_WRAPS = (("**", "**"), ("__", "__"), ("*", "*"), ("[", "]"), ("## ", ""), ("• ", ""), ("- ", ""), ("<b>", "</b>"))


@dataclass(frozen=True)
class Part:
    """A part of an abstract: its facet, its printed heading with number and punctuation, and its text."""

    facet: str
    heading: str
    text: str


@dataclass(frozen=True)
class Style:
    """Style of an abstract's headings: case, numbering, surrounding characters, punctuation, separator of parts."""

    loud: bool
    number: str
    counts: Sequence[str]
    wrap: tuple[str, str]
    after: str
    between: str


def draw(seed: int) -> tuple[str, list[Part], list[int]]:
    """A random abstract, its parts, and the offset of each part."""
    chance = random.Random(seed)
    style = _draw_style(chance)
    parts = [_draw_part(chance, style, facet, number) for number, facet in enumerate(_draw_facets(chance), 1)]
    starts, text = [], ""
    for part in parts:
        starts.append(len(text))
        text += part.heading + part.text + style.between
    return text.rstrip(), parts, starts


def _draw_style(chance: random.Random) -> Style:
    between = chance.choice([" ", " ", "  ", "\n", "\n\n", "\r\n", "\r\n\r\n", ""])
    after = chance.choice([": ", ":", ". ", " - ", " – ", "—", "\n", "\r\n", ":\n", " | ", " ", ":\u00a0"])
    number = chance.choice(_NUMBERS) if between and chance.random() < 0.4 else ""
    wrap = chance.choice(_WRAPS) if not number and chance.random() < 0.3 else ("", "")
    if wrap[0] in ("## ", "• ", "- "):
        between = chance.choice(["\n", "\n\n", "\r\n"])
    if not between and not wrap[0]:
        after = chance.choice([": ", ":"])
    counts: Sequence[str] = _ROMAN if chance.random() < 0.3 else _DIGITS
    if number in _LETTERED and chance.random() < 0.5:
        counts = chance.choice(["abcdefghij", "ABCDEFGHIJ", [one.lower() for one in _ROMAN]])
    return Style(chance.random() < 0.5, number, counts, wrap, after, between)


def _draw_facets(chance: random.Random) -> list[str]:
    facets = ["background", "method", "result", "conclusion"]
    order = [facet for facet in facets for _ in range(chance.choice([1, 1, 1, 2]))]
    return order if chance.random() < 0.7 else order[: chance.randint(2, len(order))] + ["result", "conclusion"]


def _draw_part(chance: random.Random, style: Style, facet: str, number: int) -> Part:
    name = chance.choice(_OFFERED[facet])
    name = chance.choice([name, name, name, f"{name} of the study", f"main {name}"])
    name = name.upper() if style.loud else chance.choice([name.capitalize(), name.title()])
    count = style.counts[number - 1] if style.number else ""
    heading = style.number.format(count) + style.wrap[0] + name + style.wrap[1] + style.after
    tails: tuple[str, ...] = _TAILS if "\n" not in style.between or chance.random() < 0.7 else _OPEN_TAILS
    if not style.between:
        tails = tuple(tail for tail in _TAILS if not tail[-1].isdigit())
    said = [f"{chance.choice(_HEADS)} {chance.choice(_TAILS)}"]
    if style.after.strip():
        said += [chance.choice(_MIDDLES).format(chance.choice(_TAILS)) for _ in range(chance.choice([0, 0, 1, 2]))]
    said.append(f"{chance.choice(_HEADS)} {chance.choice(tails)}")
    return Part(facet, heading, " ".join(said))
