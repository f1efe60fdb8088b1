"""Load the bytes of a paper from a file, standard input, or a folder or archive of LaTeX source."""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scholartools.errors import InputFault
from scholartools.io import why_unreadable
from scholartools.parameters import parameter
from scholartools.readers import formats
from scholartools.readers.common.file_types import is_archive, kind_of
from scholartools.readers.latex.tex import archive as tex_archive

# A folder with a file of such an extension is the source of one paper, even if it also has PDFs.
_LATEX = (".tex", ".ltx", ".latex")


class Used(Mapping[str, bytes]):
    """Files by name, which records the hash of each file that is read."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._hashes: dict[str, str] = {}

    def __getitem__(self, name: str) -> bytes:
        data = self._files[name]
        self._hashes[name] = hashlib.sha256(data).hexdigest()
        return data

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def sha256(self) -> str:
        """The hash of the only file that was read; for several files, of their ``sha256sum`` lines, sorted by name."""
        if len(self._hashes) == 1:
            return next(iter(self._hashes.values()))
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self._hashes.items()))
        return hashlib.sha256(lines.encode(errors="surrogateescape")).hexdigest()


@dataclass(frozen=True)
class Source:
    """The input for a reader.

    Attributes:
        format: one of :data:`scholartools.readers.formats.FORMATS`.
        data: the bytes of the file; empty for a folder.
        files: the files of a LaTeX source.
        main: the name of the paper's main file, if one was given.
        folder: the folder of a LaTeX source that is not an archive.
    """

    format: str
    data: bytes = b""
    files: Used | None = None
    main: str | None = None
    folder: str | None = None

    def files_with(self, suffixes: tuple[str, ...]) -> Mapping[str, bytes]:
        """Files of a LaTeX source with the given suffixes, such as pictures; they are not part of the hash.

        Raises:
            InputFault: there are too many.
        """
        if is_archive(self.data):
            return tex_archive.from_archive(self.data, suffixes)
        return {} if self.folder is None else tex_archive.from_folder(self.folder, suffixes)

    def sha256(self) -> str:
        """The hash of the data that was read; valid only after reading."""
        if self.files is None or is_archive(self.data):
            return hashlib.sha256(self.data).hexdigest()
        return self.files.sha256()


def load_source(path: str, format: str, data: bytes | None = None) -> Source:
    """Load the source at a path, or from ``data``.

    A LaTeX file is read together with the files that it inputs from its folder and subfolders.

    Raises:
        InputFault: the source cannot be read, or is not a paper; the reason names its kind.
    """
    if data is None and os.path.isdir(path):
        if format not in ("auto", "latex"):
            raise InputFault(f"a folder, not a file in the format {format}", kind="unreadable")
        return Source("latex", files=Used(tex_archive.from_folder(path)), folder=path)
    given = _read_bytes(path) if data is None else data
    known = _format_of(path, given) if format == "auto" else format
    if known != "latex":
        return Source(known, given)
    if is_archive(given):
        return Source(known, given, Used(tex_archive.from_archive(given)))
    if data is not None:
        return Source(known, given, Used({"paper.tex": given}), "paper.tex")
    name = posixpath.basename(path)
    return Source(known, given, Used(_files_beside(path, name, given)), name, os.path.dirname(path) or ".")


def papers_in(path: str, format: str) -> list[str]:
    """The sorted paths of the PDFs in a folder and its subfolders; a file or a folder of LaTeX source is kept."""
    if format not in ("auto", "pdf") or not os.path.isdir(path):
        return [path]
    found = []
    for folder, subfolders, files in os.walk(path):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        if format == "auto" and any(name.casefold().endswith(_LATEX) for name in files):
            return [path]
        found += [os.path.join(folder, name) for name in files if name.casefold().endswith(".pdf")]
    return sorted(found) or [path]


def _format_of(path: str, data: bytes) -> str:
    """Detect the format by content. Text in a file named ``.pdf`` is rejected, as it is usually a failed download.

    Raises:
        InputFault: the data is not a paper, or the file name contradicts it.
    """
    # Imported here because compiling its patterns takes longer than reading a short PDF.
    from scholartools.readers.text.other_text import other_name

    found = formats.format_of(data)
    if found == "text" and path.casefold().endswith(".pdf"):
        raise InputFault(
            f"{kind_of(data)}, although its name ends in .pdf; {parameter('format', 'text')} reads it as text",
            kind="not-a-pdf",
        )
    if found in ("text", "latex") and not is_archive(data) and (told := other_name(path)) is not None:
        raise InputFault(
            f"{told} by its name, not a paper; {parameter('format', found)} reads it all the same", kind="not-a-paper"
        )
    return found


def _files_beside(path: str, name: str, data: bytes) -> Mapping[str, bytes]:
    """The files in the folder of a LaTeX file, including itself; only itself if the folder cannot be loaded."""
    try:
        files = tex_archive.from_folder(os.path.dirname(path) or ".")
    except InputFault:
        return {name: data}
    return _FilesWithOne(files, name, data)


class _FilesWithOne(Mapping[str, bytes]):
    """A mapping of files with one file added, under any name."""

    def __init__(self, files: Mapping[str, bytes], name: str, data: bytes) -> None:
        self._files, self._name, self._data = files, name, data

    def __getitem__(self, name: str) -> bytes:
        return self._data if name == self._name else self._files[name]

    def __iter__(self) -> Iterator[str]:
        yield self._name
        yield from (name for name in self._files if name != self._name)

    def __len__(self) -> int:
        return len(self._files) + (self._name not in self._files)


def _read_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise InputFault(why_unreadable(path, error), kind="unreadable") from None
