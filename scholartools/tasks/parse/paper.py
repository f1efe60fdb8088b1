"""Parse the file of a paper into a paper record, by the reader for its content, with source and provenance."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from scholartools.errors import InputFault
from scholartools.readers.formats import READERS
from scholartools.records import Record, add_provenance, read
from scholartools.signature import Digest, fingerprint, library
from scholartools.tasks.parse.completeness import missing_part_warnings
from scholartools.wording import share_of

if TYPE_CHECKING:
    from scholartools.readers.latex.pictures import PictureFiles
    from scholartools.readers.reviews.form import Given
    from scholartools.tasks.parse.sources import Source

COMMAND = "st-parse"

# Double extensions that are removed from a file name to form the paper's id.
_ENDINGS = (".tar.gz", ".tei.xml")
# Keys of a paper by which reviews may be joined to it.
_JOINING = ("title", "doi", "arxiv")
# Four words, or a possible sentence in a script without spaces.
_SENTENCE = re.compile(r"\w+ \w+ \w+ \w+|[^\x00-\u02ff]{6}")
_ARXIV_NAME = re.compile(r"\d{4}\.\d{4,5}(v\d+)?")


@dataclass(frozen=True)
class Reading:
    """Options for reading a paper.

    Attributes:
        format: ``auto``, or one of :data:`scholartools.readers.formats.FORMATS`.
        figures: the folder for pictures of figures, tables and algorithms (PDF, LaTeX).
        ocr: whether to run OCR on pages without text (PDF).
        keep_hidden: whether to keep invisible text in the sections (PDF).
    """

    format: str = "auto"
    figures: Path | None = None
    ocr: bool = False
    keep_hidden: bool = False

    def signature_parameters(self) -> dict[str, Any]:
        """The options that are part of the signature."""
        named = {"figures": self.figures is not None, "ocr": self.ocr, "keep-hidden": self.keep_hidden}
        return {name: value for name, value in named.items() if value}


def stub(path: str) -> Record:
    """A record of an unread paper: its id (the file name without extension) and its path."""
    shown = path.encode(errors="surrogateescape").decode(errors="backslashreplace")
    return {"id": _paper_id(PurePath(shown)) if path != "-" else "stdin", "source": {"path": shown}}


def read_reviews(files: Sequence[bytes], n_papers: int, names: Sequence[str] = ()) -> list[Given]:
    """Read the reviews in several files, merged by paper.

    Args:
        files: the contents of the files.
        n_papers: the number of papers to which the reviews may belong.
        names: the names of the files, for messages.

    Raises:
        InputFault: a file has no reviews, or one review is in two files.
    """
    from scholartools.readers.reviews import reader as reviews

    given = []
    for number, data in enumerate(files):
        try:
            given.append(reviews.read(data))
        except InputFault as fault:
            reason = f"{names[number]}: {fault.reason}" if names else fault.reason
            raise InputFault(reason, kind=fault.kind) from None
    return reviews.combine_files(given, n_papers)


def join_reviews(stubs: Sequence[Record], given: Sequence[Given]) -> tuple[list[Record], list[str]]:
    """Add ``reviews`` to stubs by the papers' ids, titles or order; also returns notices about what was not joined.

    Args:
        stubs: records of :func:`stub`, with ``title``, ``doi`` and ``arxiv`` if known.

    Raises:
        InputFault: the reviews cannot be assigned to papers unambiguously.
    """
    from scholartools.readers.reviews import reader as reviews

    found, left = reviews.match_reviews(stubs, given)
    joined = []
    for stub, one in zip(stubs, found):
        plain = {key: value for key, value in stub.items() if key not in _JOINING}
        joined.append(plain if one is None else {**plain, "reviews": one.reviews, "warnings": one.warnings})
    without = sum(one is None for one in found)
    notices = [f"{notice['text']}: no paper has this id or title" for notice in left]
    texts = [review.get("text") or "" for one in given for review in one.reviews]
    if texts and not any(_SENTENCE.search(text) for text in texts):
        notices.append("no text in the file has a sequence of four words: is it a file of reviews?")
    if without:
        notices.append(f"{share_of(without, len(stubs), 'paper', 'have')} no reviews")
    return joined, notices


def add_title(record: Record, **how: Any) -> Record:
    """Add ``title``, ``doi`` and ``arxiv`` of the file to a stub, for joining reviews; arguments as for :func:`parse`.

    Raises:
        InputFault: as :func:`parse`.
    """
    read_paper = parse(record, **how)
    return {**record, **{key: read_paper.get(key) for key in _JOINING}}


def parse(
    record: Record,
    *,
    reading: Reading | None = None,
    stdin: bytes | None = None,
    real: Mapping[str, str] | None = None,
) -> Record:
    """Read the file that ``record["source"]["path"]`` names and return the paper record.

    Args:
        record: a record of :func:`stub` or :func:`join_reviews`.
        stdin: the bytes of the paper whose path is ``-``.
        real: maps paths in records to the paths to open, for names that are not UTF-8 and thus not valid in JSON.

    Raises:
        InputFault: the file cannot be read, or is not a paper with text; the reason names its kind.
    """
    from scholartools.tasks.parse.sources import load_source

    reading = reading or Reading()
    path = record["source"]["path"]
    source = load_source((real or {}).get(path, path), reading.format, stdin if path == "-" else None)
    paper = _read_source(source, reading, record["id"])
    origin = {"path": path, "format": paper.pop("format"), "sha256": source.sha256(), "pages": paper.pop("pages")}
    lacking = missing_part_warnings(paper, origin["pages"])
    warnings = [*paper.pop("warnings"), *lacking, *record.get("warnings", ())]
    given = {key: value for key, value in record.items() if key not in ("id", "source", "warnings")}
    parsed: Record = {"id": record["id"], "source": origin, **paper, **given, "warnings": warnings}
    beside = [{key: value for key, value in given.items() if key != "provenance"}, record.get("warnings", [])]
    told = {"given": fingerprint(beside)} if any(beside) else {}  # reviews, and keys from st-fetch
    options = {"library": _library_of(source.format, reading), **reading.signature_parameters(), **told}
    add_provenance(parsed, COMMAND, None, method=source.format, options=options, input=Digest(origin["sha256"]))
    return parsed


def stub_of_fetched(record: Record) -> Record:
    """Prepare a record of `st-fetch source` for :func:`parse`: the path of its first file, and its non-empty keys.

    Raises:
        InputFault: kind ``missing-key``: the record has no file.
    """
    files = read(record, "files") or []
    if not files or not isinstance(files[0].get("path"), str):
        raise InputFault('no "files": run st-fetch source first', kind="missing-key")
    known = {key: value for key, value in record.items() if value not in (None, "", [])}
    return {**known, "source": {"path": files[0]["path"]}}


def parse_fetched(record: Record, **how: Any) -> Record:
    """Parse the paper of :func:`stub_of_fetched` like :func:`parse`; keys from the service take precedence.

    Raises:
        InputFault: as :func:`parse`; kind ``changed``: the file is not the one that was fetched.
    """
    made = parse(record, **how)
    wanted = record["files"][0].get("sha256")
    if wanted is not None and made["source"]["sha256"] != wanted:
        raise InputFault(
            f"{made['source']['path']}: not the file that was fetched: its SHA-256 differs", kind="changed"
        )
    if isinstance(made.get("unknown"), dict):
        made["unknown"] = {key: why for key, why in made["unknown"].items() if made.get(key) is None}
    return made


def _paper_id(path: PurePath) -> str:
    for ending in _ENDINGS:
        if path.name.casefold().endswith(ending) and len(path.name) > len(ending):
            return path.name[: -len(ending)]
    if _ARXIV_NAME.fullmatch(path.name):  # a file name of arXiv: the part after the point is not an extension
        return path.name
    return path.stem or str(path)


def _read_source(source: Source, reading: Reading, stem: str) -> dict[str, Any]:
    """Read a source by the reader of its format; only that reader is imported."""
    if source.format == "pdf":
        from scholartools.readers.pdf import reader as pdf

        return pdf.read(
            source.data, figures=reading.figures, stem=stem, ocr=reading.ocr, keep_hidden=reading.keep_hidden
        )
    if source.files is not None:
        from scholartools.readers.latex import reader as latex

        album = _album(source, reading.figures, stem) if reading.figures is not None else None
        return latex.read(source.files, main=source.main, album=album)
    return importlib.import_module(READERS[source.format].module).read(source.data)


def _album(source: Source, folder: Path, stem: str) -> PictureFiles:
    """The picture files of a LaTeX source; if they cannot be loaded, the paper is read without them."""
    from scholartools.readers.latex.pictures import PICTURE_SUFFIXES, PictureFiles

    try:
        return PictureFiles(source.files_with(PICTURE_SUFFIXES), folder, stem)
    except InputFault as fault:
        return PictureFiles({}, folder, stem, str(fault))


def _library_of(format: str, reading: Reading) -> Any:
    """Versions of the libraries for a format: its packages, MuPDF (PDF, or if it draws), data of Tesseract (OCR)."""
    drawn = format == "latex" and reading.figures is not None
    if format != "pdf" and not drawn:
        return [library(name) for name in READERS[format].libraries]
    from scholartools.readers.common.mupdf import import_mupdf, library_version

    if drawn:
        return [*(library(name) for name in READERS[format].libraries), library_version()]
    if not reading.ocr:
        return library_version()
    from scholartools.readers.pdf import ocr

    return [library_version(), ocr.data_version(ocr.tessdata_folder(import_mupdf()))]
