"""A page of a figure; the only module that imports matplotlib. Positions are millimetres from the upper left corner.

Output is byte-identical for the same input and version of matplotlib on any machine: the font is loaded by its file and
not by name, a user's settings are ignored, there is no date, and ids of SVG elements have a fixed salt. Letters in SVG
are outlines, since the viewer's machine may lack the font; the text is in ``<title>`` and ``<desc>``. No text is parsed
as mathematics.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from typing import Any, Literal
from xml.sax.saxutils import escape

from scholartools.table_files.libraries import extra

Format = Literal["svg", "png", "pdf"]
Align = Literal["left", "center", "right"]

#: Font sizes in points, and line height in millimetres.
SIZE, SMALL, LINE = 7.0, 6.0, 3.1
#: Colours of text and axes, of secondary text, and of grid lines.
INK, GREY, PALE = "#000000", "#595959", "#d9d9d9"
#: From the palette of Okabe and Ito (2008), which is safe for colour-blind readers.
BLUE, SKY = "#0072B2", "#56B4E9"

_MM = 25.4
_POINT = 72 / _MM
_DPI = 300


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Context with this module's settings of matplotlib, independent of the user's.

    Raises:
        UsageFault: matplotlib is not installed.
    """
    with extra("plot", "matplotlib"):
        import matplotlib
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "text.parse_math": False, "svg.hashsalt": "scholartools", "svg.fonttype": "path", "pdf.fonttype": 42,
                "axes.linewidth": 0.6, "xtick.major.width": 0.6, "ytick.major.width": 0.6, "hatch.linewidth": 0.5,
                "xtick.major.size": 2.0, "ytick.major.size": 2.0, "axes.formatter.use_mathtext": False,
            }
        )  # fmt: skip
        yield


@functools.cache
def _font_file() -> str:
    import matplotlib

    return os.path.join(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")


@functools.cache
def _measuring_font() -> Any:
    from matplotlib.ft2font import FT2Font

    return FT2Font(_font_file())


@functools.cache
def font(size: float) -> Any:
    """The font of all text, loaded by its file, since a machine may have another font of this name."""
    from matplotlib.font_manager import FontProperties

    return FontProperties(fname=_font_file(), size=size)


@functools.lru_cache(maxsize=4096)
def text_width(text: str, size: float = SIZE) -> float:
    """The width of a line of text in millimetres; ``size`` in points."""
    from matplotlib.ft2font import LoadFlags

    face = _measuring_font()
    face.set_size(size, 72)
    face.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    return float(face.get_width_height()[0]) / 64 / _POINT


@functools.lru_cache(maxsize=4096)
def has_glyph(character: str) -> bool:
    """Whether the font has a character."""
    return bool(_measuring_font().get_char_index(ord(character)))


class Page:
    """A page to draw on.

    Attributes:
        figure: the figure of matplotlib.
        width, height: size of the page in millimetres.
    """

    def __init__(self, width: float, height: float) -> None:
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / _MM, height / _MM), dpi=_DPI, facecolor="white")

    def axes(self, left: float, top: float, width: float, height: float) -> Any:
        """Add axes at a position, with lines on the left and at the bottom and without ticks."""
        axes = self.figure.add_axes(
            (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        )
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_axisbelow(True)
        return axes

    def text(
        self, x: float, y: float, text: str, *, align: Align = "left", size: float = SIZE, colour: str = INK,
        turn: float = 0, middle: bool = False,
    ) -> None:  # fmt: skip
        """Draw a line of text at its baseline, or centred vertically (``middle``); ``turn``: degrees anticlockwise."""
        self.figure.text(
            x / self.width, 1 - y / self.height, text, ha=align, va="center" if middle else "baseline", color=colour,
            fontproperties=font(size), rotation=turn, rotation_mode="anchor", parse_math=False,
        )  # fmt: skip

    def line(self, x: Sequence[float], y: Sequence[float], colour: str = INK, width: float = 0.6) -> None:
        """Draw a line through positions on the page."""
        from matplotlib.lines import Line2D

        self.figure.add_artist(
            Line2D(
                [one / self.width for one in x], [1 - one / self.height for one in y], color=colour, linewidth=width,
                transform=self.figure.transFigure, solid_capstyle="butt",
            )
        )  # fmt: skip

    def save(self, kind: Format, title: str, description: str) -> bytes:
        """The bytes of the page as a file, with title and text alternative in its metadata."""
        made = io.BytesIO()
        nothing = {"svg": ("Date", "Creator"), "pdf": ("CreationDate", "Creator", "Producer"), "png": ("Software",)}
        said = {"svg": {}, "pdf": {"Title": title, "Subject": description},
                "png": {"Title": title, "Description": description}}  # fmt: skip
        metadata: dict[str, str | None] = {**dict.fromkeys(nothing[kind]), **said[kind]}
        self.figure.savefig(made, format=kind, dpi=_DPI if kind == "png" else 72, metadata=metadata)
        return _tell(made.getvalue(), title, description) if kind == "svg" else made.getvalue()


def add_box(axes: Any, left: float, low: float, width: float, height: float, **look: Any) -> None:
    """Add a rectangle to axes, in data coordinates."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((left, low), width, height, **look))


def _tell(svg: bytes, title: str, description: str) -> bytes:
    """Add title and text alternative to an SVG, as its first children."""
    start = svg.index(b"<svg")
    end = svg.index(b">", start)
    name = hashlib.sha256(svg).hexdigest()[:10]  # unique ids, since a web page may include several figures
    told = f'<title id="title-{name}">{escape(title)}</title>\n <desc id="desc-{name}">{escape(description)}</desc>'
    role = f' role="img" aria-labelledby="title-{name} desc-{name}"'
    return b"".join([svg[:end], role.encode(), b">\n ", told.encode(), svg[end + 1 :]])
