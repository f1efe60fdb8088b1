"""Foreign names as labels of figures: nothing in them acts, and they fit into the place they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scholartools.tasks.agree.figures.page import SIZE, has_glyph, text_width

_CUT = "\N{HORIZONTAL ELLIPSIS}"


def inert(name: str) -> str:
    """A name in characters that can be seen: what controls, turns the direction of writing, or ends a line is spelled.

    White space is one space. Letters of scripts from right to left stay; matplotlib sets them.
    """
    return "".join(one if one.isprintable() else _spell(one) for one in " ".join(name.split()))


def drawable(name: str) -> str:
    """An inert name in characters that the font has; the others are spelled by their numbers (``\\\\u4e2d``)."""
    return "".join(one if has_glyph(one) else _spell(one) for one in inert(name))


def fit(name: str, width: float, size: float = SIZE) -> str:
    """A name as it is drawn in a width: of a longer one the middle is left out, since names differ at their ends."""
    text = drawable(name)
    if text_width(text, size) <= width:
        return text
    low, high = 0, len(text)  # of the characters that are kept
    while low < high:
        kept = (low + high + 1) // 2
        low, high = (kept, high) if text_width(_cut(text, kept), size) <= width else (low, kept - 1)
    return _cut(text, low)


def fit_all(names: Sequence[str], width: float, size: float = SIZE) -> dict[str, str]:
    """Different names as they are drawn in a width, no two alike: where what is left of two is, they are numbered."""
    found = {name: fit(name, width, size) for name in names}
    often = Counter(found.values())
    alike = [name for name in found if often[found[name]] > 1]
    for place, name in enumerate(alike, 1):
        number = f" ({place})"
        found[name] = fit(name, width - text_width(number, size), size) + number
    return found


def wrap(text: str, width: float, size: float = SIZE) -> list[str]:
    """A text in lines of a width; a word that is wider than a line is cut."""
    lines: list[str] = []
    for word in drawable(text).split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(fit(word, width, size))
    return lines


def widest(texts: Sequence[str], size: float = SIZE) -> float:
    """The width of the widest of some texts; 0 of none."""
    return max((text_width(text, size) for text in texts), default=0.0)


def _cut(text: str, kept: int) -> str:
    return text[: (kept + 1) // 2] + _CUT + text[len(text) - kept // 2 :]


def _spell(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
