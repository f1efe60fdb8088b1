"""Read the text files of a LaTeX source from a folder or an archive, with limits on number and size.

Nothing is written to disk, and files outside the source are not read: absolute paths, paths that leave it with ``..``
and links out of a folder are ignored without an error; the reader reports missing files.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from scholartools.errors import InputFault

SUFFIXES = (".tex", ".ltx", ".latex", ".bbl", ".bib", ".sty", ".cls", ".clo", ".def", ".inc", ".tikz", ".txt", ".json")
NOTES = "00readme"  # prefix of the names of arXiv's notes about a submission
MAX_FILES = 2_000  # maximum number of files kept
MAX_NAMES = 100_000  # maximum number of files examined
MAX_BYTES = 100_000_000  # maximum total size after decompression
MAX_DEPTH = 16  # maximum depth of folders

_BLOCK = 1 << 20
_PRINTS = ((b"%PDF-", "a PDF"), (b"%!PS", "PostScript"))
_DAMAGED = (OSError, EOFError, zlib.error, tarfile.TarError, zipfile.BadZipFile, RuntimeError, NotImplementedError,
            ValueError, LookupError)  # fmt: skip


class Files(Mapping[str, bytes]):
    """The text files of a folder by relative path, which are read on access.

    Raises:
        InputFault: on access, kind ``unreadable``: the file cannot be read, or the files read so far exceed
            ``MAX_BYTES``.
    """

    def __init__(self, root: Path, names: list[str]) -> None:
        self._root = root
        self._names = dict.fromkeys(names)
        self._sizes: dict[str, int] = {}  # of the files read so far

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        others = sum(self._sizes.values()) - self._sizes.get(name, 0)
        try:
            with open(self._root / name, "rb") as file:
                data = file.read(MAX_BYTES + 1 - others)
        except OSError as error:
            raise InputFault(f"{name}: {error.strerror}", kind="unreadable") from None
        self._sizes[name] = len(data)
        _check_bytes(others + len(data))
        return data

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def from_folder(path: str | os.PathLike[str], suffixes: tuple[str, ...] = SUFFIXES) -> Mapping[str, bytes]:
    """The files with the given suffixes in a folder and its subfolders.

    Raises:
        InputFault: kind ``unreadable``: not a folder, or too many files.
    """
    root = Path(path).resolve()
    if not root.is_dir():
        raise InputFault("not a folder", kind="unreadable")
    names: list[str] = []
    seen = 0
    for folder, subfolders, files in os.walk(root):
        inside = Path(folder).relative_to(root)
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        if len(inside.parts) >= MAX_DEPTH:
            subfolders.clear()
        seen += len(files)
        names += [
            (inside / name).as_posix()
            for name in sorted(files)
            if _is_wanted(name, suffixes) and _is_within(root, folder, name)
        ]
        _check_counts(len(names), seen)
    return Files(root, names)


def from_archive(data: bytes, suffixes: tuple[str, ...] = SUFFIXES) -> Mapping[str, bytes]:
    """The files with the given suffixes in an archive, sorted by name.

    An archive is a tar, tar.gz (bz2, xz), zip, or a single gzipped file, as arXiv provides papers with one file.

    Raises:
        InputFault: kind ``unreadable``: not an archive, a damaged one, or one that exceeds the limits.
    """
    try:
        if zipfile.is_zipfile(io.BytesIO(data)) and data[:2] == b"PK":
            return _from_zip(data, suffixes)
        return _from_tar(data, suffixes)
    except InputFault:
        raise
    except _DAMAGED as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputFault(f"a damaged archive: {reason}", kind="unreadable") from None


def _from_tar(data: bytes, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    plain = _gunzip_bounded(data) if data[:2] == b"\x1f\x8b" else data
    try:
        archive = tarfile.open(fileobj=io.BytesIO(plain), mode="r:*" if plain is data else "r:")
    except tarfile.TarError:
        if plain is data:
            raise InputFault("neither a tar nor a zip archive", kind="unreadable") from None
        return _single_file(plain)
    files: dict[str, bytes] = {}
    total = 0
    with archive:
        for count, member in enumerate(archive):
            name = _path_inside(member.name)
            _check_counts(len(files), count)
            if not member.isfile():
                continue
            total += member.size
            _check_bytes(total)
            if name and _is_wanted(name, suffixes) and (opened := archive.extractfile(member)):
                files[name] = opened.read()
    return _in_order(files)


def _single_file(data: bytes) -> dict[str, bytes]:
    """The single gzipped file, as in arXiv's papers with one file; a PDF or PostScript file is an error."""
    for mark, name in _PRINTS:
        if data.startswith(mark):
            raise InputFault(f"{name} packed with gzip: unpack it first (gunzip)", kind="unreadable")
    return {"main.tex": data}


def _from_zip(data: bytes, suffixes: tuple[str, ...]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    total = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for count, member in enumerate(archive.infolist()):
            name = _path_inside(member.filename)
            _check_counts(len(files), count)
            is_link = stat.S_ISLNK(member.external_attr >> 16)  # its content is the name of another file
            if member.is_dir() or is_link or not name or not _is_wanted(name, suffixes):
                continue
            with archive.open(member) as opened:
                files[name] = opened.read(MAX_BYTES + 1 - total)
            total += len(files[name])
            _check_bytes(total)
    return _in_order(files)


def _gunzip_bounded(data: bytes) -> bytes:
    """Decompress gzip block by block, to stop a decompression bomb before it fills the memory."""
    unpacker = zlib.decompressobj(wbits=31)
    parts: list[bytes] = []
    total = 0
    pending = data
    while pending and not unpacker.eof:
        parts.append(unpacker.decompress(pending, _BLOCK))
        pending = unpacker.unconsumed_tail
        total += len(parts[-1])
        _check_bytes(total)
    if not unpacker.eof:
        raise InputFault("a damaged archive: cut short", kind="unreadable")
    return b"".join(parts)


def _in_order(files: dict[str, bytes]) -> dict[str, bytes]:
    return dict(sorted(files.items()))


def _path_inside(name: str) -> str | None:
    """The name as a relative POSIX path; None if it leads out of the archive or is nested too deeply."""
    plain = posixpath.normpath(name.replace("\\", "/"))
    outside = plain.startswith(("/", "../")) or plain in ("..", ".") or plain[1:2] == ":"
    return None if outside or plain.count("/") >= MAX_DEPTH else plain


def _is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    base = posixpath.basename(name)
    wanted = base.casefold().endswith(suffixes) or base.casefold().startswith(NOTES)
    return wanted and not base.startswith(".") and "__MACOSX" not in name


def _is_within(root: Path, folder: str, name: str) -> bool:
    """Whether a file is a regular file within the root, not a link out of it."""
    real = Path(os.path.realpath(os.path.join(folder, name)))
    return real.is_relative_to(root) and real.is_file()


def _check_counts(kept: int, seen: int) -> None:
    if kept > MAX_FILES or seen > MAX_NAMES:
        raise InputFault(f"more than {MAX_FILES} text files: not the source of one paper", kind="unreadable")


def _check_bytes(total: int) -> None:
    if total > MAX_BYTES:
        raise InputFault(
            f"more than {MAX_BYTES // 1_000_000} MB unpacked: not the source of a paper", kind="unreadable"
        )
