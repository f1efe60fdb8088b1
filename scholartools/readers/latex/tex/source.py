"""The files of a LaTeX source: decoding, and resolution of ``\\input``."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Mapping

from scholartools.file_kinds import marked_encoding
from scholartools.readers.latex.tex.tokens import clean_source, tokenize

_SIGNS = re.compile(
    rb"\\(documentclass|documentstyle|begin[ \t]*\{|(sub)*section\*?[ \t]*[\[{]|chapter\*?[ \t]*[\[{]|title[ \t]*[\[{]"
    rb"|usepackage|bibitem|newcommand|maketitle|input[ \t]*\{)"
)
_JSON = re.compile(rb'(?:\xef\xbb\xbf)?\s*+(?:\[\s*+)?\{\s*+"')  # records of papers quote their LaTeX
_CODING = re.compile(
    r"\\usepackage\s*+\[([a-z0-9-]{3,12})\]\s*+\{inputenc\}|^[ \t]*%.{0,40}coding:\s*([\w-]{3,12})", re.MULTILINE
)
_CODECS = {
    "latin1": "cp1252",
    "latin2": "iso8859-2",
    "latin5": "iso8859-9",
    "latin9": "iso8859-15",
    "ansinew": "cp1252",
    "cp1250": "cp1250",
    "cp1251": "cp1251",
    "cp1252": "cp1252",
    "koi8-r": "koi8-r",
    "applemac": "mac-roman",
}
_PREAMBLE = 20_000  # bytes that are searched for the encoding

# Files of the TeX distribution that papers input but do not include.
DISTRIBUTED = frozenset(
    "glyphtounicode pdfcolor epsf amssym.def amssym amstex psfig pstricks xy tikz lettrine IEEEabrv IEEEfull".split()
)


def looks_like(data: bytes) -> bool:
    """Whether the content is LaTeX source: it has a class, environment, heading or the like outside comments."""
    if b"\x00" in data[:4096] and not marked_encoding(data) or _JSON.match(data):
        return False
    plain = decode_source(data[:400_000]).encode("utf-8", errors="replace")
    return any(not _is_comment(plain, found.start()) for found in _SIGNS.finditer(plain))


def _is_comment(data: bytes, at: int) -> bool:
    line = data[data.rfind(b"\n", 0, at) + 1 : at][:200]
    return line.lstrip().startswith(b"%")


def decode_source(data: bytes, coding: str | None = None) -> str:
    """Decode a file as UTF-8 if valid, else in the encoding named in it or given as ``coding``, else Windows-1252."""
    if marked := marked_encoding(data):
        return data.decode(marked, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        named = coding_of(data[:_PREAMBLE].decode("latin-1")) or coding
        try:
            return data.decode(named or "cp1252")
        except (UnicodeDecodeError, LookupError):
            return data.decode("latin-1")


def coding_of(text: str) -> str | None:
    """The Python codec of the encoding named in a preamble; None for none, unknown ones and UTF-8."""
    found = _CODING.search(text)
    return _CODECS.get((found[1] or found[2]).casefold()) if found else None


class Source:
    """The files of a paper, which are decoded and tokenized on demand.

    Attributes:
        files: contents by relative POSIX path.
        main: path of the main file.
    """

    def __init__(self, files: Mapping[str, bytes], main: str) -> None:
        self.files = files
        self.main = main
        self.added: dict[str, str] = {}  # files from filecontents environments
        self._coding = coding_of(files[main][:_PREAMBLE].decode("latin-1"))
        self._folder = posixpath.dirname(main)
        self._bodies: dict[str, list[str]] = {}
        self._names = {name.casefold(): name for name in sorted(files, reverse=True)}

    def text(self, name: str) -> str:
        """A file's text, cleaned and canonically composed."""
        if name in self.added:
            return self.added[name]
        return unicodedata.normalize("NFC", clean_source(decode_source(self.files[name], self._coding)))

    def tokens(self, name: str) -> list[str]:
        return tokenize(self.text(name), package=name.endswith((".sty", ".cls")))

    def body(self, name: str) -> list[str]:
        """The tokens read by ``\\input`` of a file: all, or those of the document in it, followed by a space."""
        if name not in self._bodies:
            self._bodies[name] = [*_inner_document(self.tokens(name)), " "]
        return self._bodies[name]

    def find(self, name: str, *, suffix: str = ".tex", folder: str = "", reader: str = "") -> str | None:
        """The file of the source that TeX would read for a name; None if there is none, or it is outside the source.

        Args:
            folder: the folder given by ``\\import``.
            reader: the file with the command. Its folder is searched after that of the main file.
        """
        asked = name.strip().strip('"').replace("\\", "/")
        bases = (self._folder, posixpath.dirname(reader), "")
        for place in dict.fromkeys(posixpath.join(base, folder) for base in bases):
            path = posixpath.normpath(posixpath.join(place, asked))
            if not asked or asked.startswith(("/", "|", "~")) or path.startswith(".."):
                continue
            for candidate in (path + suffix, path):
                if candidate in self.added:
                    return candidate
                if found := self._names.get(candidate.casefold()):
                    return found
        return None

    def others(self, suffix: str) -> list[str]:
        """The files with a suffix, sorted by name, but those with the stem of the main file first."""
        stem = posixpath.splitext(self.main)[0]
        names = [name for name in [*self.files, *self.added] if name.casefold().endswith(suffix)]
        return sorted(set(names), key=lambda name: (posixpath.splitext(name)[0] != stem, name))


def _inner_document(tokens: list[str]) -> list[str]:
    """The body of a file that is a complete document, such as a subfile; else all tokens."""
    opening = ["\\begin", "{", "document", "}"]
    start = next((i for i, token in enumerate(tokens) if token == "\\begin" and tokens[i : i + 4] == opening), None)
    if start is None:
        return tokens
    closing = ["\\end", *opening[1:]]
    end = next((i for i, token in enumerate(tokens) if token == "\\end" and tokens[i : i + 4] == closing), len(tokens))
    return tokens[start + 4 : end]
