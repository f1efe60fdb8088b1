"""Make untrusted names safe as labels of figures, and fit them to a width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scholartools.tasks.agree.figures.page import SIZE, has_glyph, text_width

_CUT = "\N{HORIZONTAL ELLIPSIS}"


def inert(name: str) -> str:
    """Escape the non-printable characters of a name, such as controls and directional marks, by their numbers.

    White space is collapsed. Letters of right-to-left scripts are kept; matplotlib handles them.
    """
    return "".join(one if one.isprintable() else _spell(one) for one in " ".join(name.split()))


def drawable(name: str) -> str:
    """An inert name in which characters that the font lacks are escaped by their numbers (``\\\\u4e2d``)."""
    return "".join(one if has_glyph(one) else _spell(one) for one in inert(name))


def fit(name: str, width: float, size: float = SIZE) -> str:
    """Fit a name to a width, as it is drawn; the middle of a longer one is cut, since names differ at their ends."""
    text = drawable(name)
    if text_width(text, size) <= width:
        return text
    low, high = 0, len(text)  # bounds of the number of characters that are kept
    while low < high:
        kept = (low + high + 1) // 2
        low, high = (kept, high) if text_width(_cut(text, kept), size) <= width else (low, kept - 1)
    return _cut(text, low)


def fit_all(names: Sequence[str], width: float, size: float = SIZE) -> dict[str, str]:
    """Fit different names to a width; names that become equal by that are numbered."""
    found = {name: fit(name, width, size) for name in names}
    often = Counter(found.values())
    alike = [name for name in found if often[found[name]] > 1]
    for place, name in enumerate(alike, 1):
        number = f" ({place})"
        found[name] = fit(name, width - text_width(number, size), size) + number
    return found


def wrap(text: str, width: float, size: float = SIZE) -> list[str]:
    """Wrap a text into lines of a width; a word that is wider than a line is cut."""
    lines: list[str] = []
    for word in drawable(text).split():
        if lines and text_width(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(fit(word, width, size))
    return lines


def widest(texts: Sequence[str], size: float = SIZE) -> float:
    """The width of the widest text; 0 if there are none."""
    return max((text_width(text, size) for text in texts), default=0.0)


def _cut(text: str, kept: int) -> str:
    return text[: (kept + 1) // 2] + _CUT + text[len(text) - kept // 2 :]


def _spell(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
