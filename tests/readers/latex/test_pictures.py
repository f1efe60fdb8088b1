"""Pictures of a LaTeX source's floats: which file goes with which caption, what is drawn of it, what is told."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pymupdf
import pytest
from support.run import ROOT, st

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def raster(colour: tuple[int, int, int], kind: str = "png", width: int = 40, height: int = 20) -> bytes:
    made = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, width, height))
    made.set_rect(made.irect, colour)
    return made.tobytes(kind)


def two_pages() -> bytes:
    """A PDF: a blue page; one that is red in its left half, green in its right one."""
    made = pymupdf.open()
    made.new_page(width=200, height=100).draw_rect((0, 0, 200, 100), color=None, fill=(0, 0, 1))
    second = made.new_page(width=200, height=100)
    second.draw_rect((0, 0, 100, 100), color=None, fill=(1, 0, 0))
    second.draw_rect((100, 0, 200, 100), color=None, fill=(0, 1, 0))
    return made.tobytes()


FILES = {
    "img/red.png": raster(RED),
    "green.jpg": raster(GREEN, "jpeg"),
    "blue.png": raster(BLUE),
    "pages.pdf": two_pages(),
    "old.eps": b"%!PS-Adobe-3.0 EPSF-3.0\n",
    "broken.png": b"\x89PNG\r\n\x1a\nnothing",
    "broken.pdf": b"%PDF-1.5 nothing",
}
PAPER = r"""\documentclass{article}
\graphicspath{{img/}} \newcommand{\here}{img}
\newcommand{\plot}[2]{\includegraphics[width=#1\linewidth]{#2}}
\begin{document}\section{One} Text that says something. \includegraphics{blue}
BODY
\end{document}"""


def parse(folder: Path, body: str) -> tuple[dict[str, Path], list[str]]:
    """The pictures of a paper by the ids of their captions, and what is told of the others."""
    source = folder / "source"
    for name, data in {**FILES, "main.tex": PAPER.replace("BODY", body).encode()}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    done = st("st-parse", "--figures", str(folder / "drawn"), str(source))
    (record,) = done.records
    told = [one["text"] for one in record["warnings"] if one["kind"] == "no-figure"]
    return {one["id"]: Path(one["image"]) for one in record["captions"] if one.get("image")}, told


def colours(picture: Path, *places: tuple[float, float]) -> list[tuple[int, ...]]:
    """The colours at places (shares of width and height), each channel as 0 or 255."""
    pixels = pymupdf.Pixmap(str(picture))
    found = [pixels.pixel(int(x * pixels.width), int(y * pixels.height)) for x, y in places]
    return [tuple(255 * (value > 127) for value in one[:3]) for one in found]


def test_each_caption_has_the_pictures_of_its_float(tmp_path: Path) -> None:
    drawn, told = parse(
        tmp_path,
        r"""
\begin{figure}\centering\plot{.5}{red}\caption{By graphicspath, through a macro.}\end{figure}
\begin{figure*}\subfloat[One]{\includegraphics{\here/red.png}}\begin{subfigure}{1cm}\includegraphics{green}\caption{Two}
\end{subfigure}\caption{Two parts.}\end{figure*}
\begin{figure}\begin{minipage}{1cm}\includegraphics{red}\caption{Left.}\end{minipage}
\begin{minipage}{1cm}\includegraphics{green.JPG}\caption{Right.}\end{minipage}\end{figure}
\begin{table}\caption{Above.}\includegraphics{blue}\caption{Above the next.}\includegraphics{red}\end{table}""",
    )
    assert list(drawn) == ["figure1", "figure2", "figure3", "figure4", "table1", "table2"] and not told
    middle = [colours(path, (0.25, 0.5), (0.75, 0.5)) for path in drawn.values()]
    assert middle == [[RED] * 2, [RED, GREEN], [RED] * 2, [GREEN] * 2, [BLUE] * 2, [RED] * 2]
    size = pymupdf.Pixmap(str(drawn["figure1"]))
    assert (size.width, size.height) == (40, 20)


def test_names_are_read_from_the_folder_of_the_paper_and_in_braces(tmp_path: Path) -> None:
    figure = r"\begin{figure}\includegraphics{NAME}\caption{C.}\end{figure}"
    body = "".join(figure.replace("NAME", name) for name in ("../a.b/red", "{{near/green.1}}", "{{near/green.1}.png}"))
    for name, data in {"a.b/red.png": raster(RED), "tex/near/green.1.png": raster(GREEN)}.items():
        (tmp_path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "source" / name).write_bytes(data)
    (tmp_path / "source" / "tex" / "paper.tex").write_text(PAPER.replace("BODY", body))
    (record,) = st("st-parse", "--figures", tmp_path / "drawn", tmp_path / "source").records
    drawn = [colours(Path(one["image"]), (0.5, 0.5)) for one in record["captions"]]
    assert drawn == [[RED], [GREEN], [GREEN]]


def test_page_trimmed_edges_and_quarter_turns_are_those_of_the_command(tmp_path: Path) -> None:
    shown = ["page=2", "page=2,trim={100bp 0 0 0},clip", "page=2,viewport=0 0 50 100,clip=true", "page=2,angle=90"]
    shown += ["page=2,trim=100 0 0 0"]
    body = "".join(rf"\begin{{figure}}\includegraphics[{one}]{{pages}}\caption{{C.}}\end{{figure}}" for one in shown)
    drawn, told = parse(tmp_path, body)
    assert not told and len(drawn) == 5
    found = [colours(path, (0.25, 0.25), (0.75, 0.75)) for path in drawn.values()]
    # A quarter turn counter-clockwise: what was on the right is on top.
    assert found == [[RED, GREEN], [GREEN] * 2, [RED] * 2, [GREEN, RED], [RED, GREEN]]


def test_what_cannot_be_drawn_is_told_and_costs_its_figure_alone(tmp_path: Path) -> None:
    inner = [
        r"\includegraphics{old}", r"\includegraphics{gone}", r"\includegraphics{broken.png}",
        r"\includegraphics{broken.pdf}", r"\includegraphics[page=9]{pages}", r"\includegraphics{../../out}",
        r"\begin{tikzpicture}\node{\includegraphics{red}};\end{tikzpicture}", "", r"\epsfig{file=old.eps,width=1in}",
        r"\includegraphics{red}\includegraphics{gone}", r"\includegraphics{red}",
    ]  # fmt: skip
    body = "".join(rf"\begin{{figure}}{one}\caption{{C.}}\end{{figure}}" for one in inner)
    drawn, told = parse(tmp_path, body + r"\begin{table}\begin{tabular}{l}1\end{tabular}\caption{T.}\end{table}")
    assert list(drawn) == ["figure11"] and len(told) == 11
    reasons = [
        "EPS is not drawn", "not in the source", "cannot be drawn", "cannot be drawn", "cannot be drawn",
        "not in the source", "only LaTeX can draw it", "no picture file", "EPS is not drawn", "gone: not in", "Table 1: set by",
    ]  # fmt: skip
    assert [reason for reason, one in zip(reasons, told) if reason not in one] == []


def test_an_archive_and_standard_input(tmp_path: Path) -> None:
    text = PAPER.replace("BODY", r"\begin{figure}\includegraphics{red}\caption{C.}\end{figure}").encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, data in {"main.tex": text, "img/red.png": FILES["img/red.png"]}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    for given, expected in ((packed.getvalue(), True), (text, False)):
        (record,) = st("st-parse", "--figures", tmp_path / "drawn", input=given).records
        assert bool(record["captions"][0].get("image")) is expected
        assert bool([one for one in record["warnings"] if one["kind"] == "no-figure"]) is not expected


@pytest.mark.slow
def test_pictures_change_the_signature_and_not_what_is_read(tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "paper" / "paper.tex"
    (plain,) = st("st-parse", source).records
    (drawn,) = st("st-parse", "--figures", tmp_path, source).records
    assert [Path(one["image"]).name for one in drawn["captions"] if "image" in one] == [
        "paper-figure1.png", "paper-figure2.png", "paper-figure3.png"
    ]  # fmt: skip
    assert plain["source"] == drawn["source"] and plain["sections"] == drawn["sections"]
    assert plain["provenance"][0]["signature"] != drawn["provenance"][0]["signature"]
