"""The bytes of a paper, wherever they lie: a file, standard input, a folder or an archive of LaTeX source."""

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

# Endings of files by which a folder is the source of one paper, whatever PDFs are in it.
_LATEX = (".tex", ".ltx", ".latex")


class Used(Mapping[str, bytes]):
    """Files by name, with the hash of each that was read."""

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
        """The hash of the one file that was read; of several, that of ``sha256sum``'s lines about them, by name."""
        if len(self._hashes) == 1:
            return next(iter(self._hashes.values()))
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self._hashes.items()))
        return hashlib.sha256(lines.encode(errors="surrogateescape")).hexdigest()


@dataclass(frozen=True)
class Source:
    """What is to be read.

    Attributes:
        format: one of :data:`scholartools.readers.formats.FORMATS`.
        data: the bytes of the file; empty for a folder.
        files: of a LaTeX source.
        main: the file that is the paper, where one was named.
        folder: where the files of a LaTeX source lie, if it is no archive.
    """

    format: str
    data: bytes = b""
    files: Used | None = None
    main: str | None = None
    folder: str | None = None

    def files_with(self, suffixes: tuple[str, ...]) -> Mapping[str, bytes]:
        """Other files of a LaTeX source than those that are read as text; they are not in the hash.

        Raises:
            InputFault: there are too many.
        """
        if is_archive(self.data):
            return tex_archive.from_archive(self.data, suffixes)
        return {} if self.folder is None else tex_archive.from_folder(self.folder, suffixes)

    def sha256(self) -> str:
        """The hash of what was read; ask after reading."""
        if self.files is None or is_archive(self.data):
            return hashlib.sha256(self.data).hexdigest()
        return self.files.sha256()


def load_source(path: str, format: str, data: bytes | None = None) -> Source:
    """The source at a path, or the one whose bytes are given.

    A LaTeX file is read with what it inputs from its own folder and the folders in that.

    Raises:
        InputFault: it cannot be read, or is no paper; the reason says what it is instead.
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
    """The PDFs of a folder and of the folders in it, by name; what is no folder, or LaTeX source, as it is."""
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
    """The format by content. A file that is named as a PDF and holds a page of text is a download that failed.

    Raises:
        InputFault: no paper.
    """
    # Imported here, since its patterns take longer to compile than a short PDF to read.
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
    """The files in the folder of a LaTeX file, that one among them; it alone where the folder is not one paper's."""
    try:
        files = tex_archive.from_folder(os.path.dirname(path) or ".")
    except InputFault:
        return {name: data}
    return _FilesWithOne(files, name, data)


class _FilesWithOne(Mapping[str, bytes]):
    """Files and one more, which may have any name."""

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
