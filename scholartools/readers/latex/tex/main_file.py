"""Which file of a LaTeX source is the paper: what was submitted to arXiv about it, else what the files look like."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scholartools.errors import InputFault
from scholartools.readers.common.yaml_data import load_yaml
from scholartools.readers.latex.tex.archive import NOTES
from scholartools.readers.latex.tex.source import decode_source, looks_like

_CLASS = re.compile(r"^[^%\n]*\\document(?:class|style)\s*+(?:\[[^\]]{0,2000}\]\s*+)?\{([^{}\n]{1,80})\}", re.MULTILINE)
_OPENING = re.compile(r"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_INPUT = re.compile(
    r"^[^%\n]*?\\(?:input|include|subfile|import|subimport)\*?(?:\s*+\{([^{}\n]{1,200})\}(?:\s*+\{([^{}\n]{1,200})\})?"
    r"|[ \t]++([^\s{}\\%]{1,200}))",
    re.MULTILINE,
)
_SIGNS = tuple(
    re.compile(rf"^[^%\n]*\\(?:{names})", re.MULTILINE)
    for names in (
        r"\w*title\b",
        r"begin\s*\{abstract|abstract\b",
        r"bibliography\b|printbibliography|begin\s*\{thebibliography|bibitem|addbibresource",
        r"(?:sub)?section\b|chapter\b",
    )
)
_TEXT = (".tex", ".ltx", ".latex", ".txt", "")
_USUAL = ("main", "paper", "ms", "article", "manuscript")
_PARTS = ("subfiles", "standalone")  # classes of documents that are parts of others
_OTHER_CLASSES = re.compile(r"beamer|letter|poster|slides|scrlttr|moderncv", re.IGNORECASE)
_OTHER_NAMES = re.compile(
    r"supp|appendix|(?<![a-z])si(?![a-z])|response|rebuttal|cover|letter|reply|template|sample|example|poster|slides|talk|diff|"
    r"instruction|guide|checklist",
    re.IGNORECASE,
)
_LONGEST_REACH = 3_000_000  # characters
_LONGEST_NOTES = 100_000  # bytes


@dataclass
class Choice:
    """The file that is the paper (None: no file is LaTeX), and the files that may be it as well."""

    main: str | None
    others: list[str] = field(default_factory=list)


def choose_main_file(files: Mapping[str, bytes]) -> Choice:
    """The file that is the paper.

    What arXiv's ``00README.json``, ``.yaml`` or ``.XXX`` names as the top level wins, and nothing it ignores is
    taken. Then a file with a class and a document, its own or of files that it inputs; one that is no supplement,
    letter or slides by its name or class; with most of title, abstract, bibliography and headings; that has a usual
    name, that inputs most files, the longest one with what it inputs, the first by name. Other whole documents are
    named, for they are not read.
    """
    told = _read_notes(files)
    candidates = [name for name in sorted(files) if _suffix_of(name) in _TEXT and told.get(name) != "ignore"]
    candidates = [name for name in candidates if looks_like(files[name])]
    named = [name for name, usage in told.items() if usage == "toplevel" and name in candidates]
    if named:
        return Choice(named[0], named[1:])
    if not candidates:
        return Choice(None)
    texts = {name: decode_source(files[name]) for name in candidates}
    ranks = {name: _rank_file(name, texts) for name in candidates}
    main = max(candidates, key=lambda name: (ranks[name], -candidates.index(name)))
    return Choice(main, [name for name in candidates if ranks[name].whole and name != main])


class _Rank(tuple):
    """What speaks for a file, the strongest first: a document of its own comes before anything else."""

    @property
    def whole(self) -> bool:
        return bool(self[0])


def _rank_file(name: str, texts: Mapping[str, str]) -> _Rank:
    """A file with all that it inputs: class and document may be in other files than its own."""
    own = texts[name]
    opens = _OPENING.search(own) is not None
    reached = _reach(name, texts) if opens or _CLASS.search(own) else own
    found = _CLASS.search(reached)
    kind = found[1].strip() if found else ""
    alone = found is not None and kind not in _PARTS
    other = _OTHER_CLASSES.search(kind) or _OTHER_NAMES.search(posixpath.basename(name))
    signs = sum(sign.search(reached) is not None for sign in _SIGNS)
    usual = posixpath.splitext(posixpath.basename(name))[0].casefold() in _USUAL
    whole = alone and _OPENING.search(reached) is not None
    return _Rank((whole, alone, opens, other is None, signs, usual, len(_INPUT.findall(own)), len(reached)))


def _reach(main: str, texts: Mapping[str, str]) -> str:
    """The text of a file and, behind it, of the files that it inputs, each once."""
    found = [main]
    size = 0
    for name in found:
        size += len(texts[name])
        folders = dict.fromkeys((posixpath.dirname(main), posixpath.dirname(name), ""))
        for first, second, bare in _INPUT.findall(texts[name]) if size < _LONGEST_REACH else ():
            asked = (posixpath.join(first, second), first) if second else (first or bare,)
            paths = [posixpath.normpath(posixpath.join(folder, one.strip())) for folder in folders for one in asked]
            inner = next((path + end for path in paths for end in (".tex", "") if path + end in texts), None)
            if inner is not None and inner not in found:
                found.append(inner)
    return "\n".join(texts[name] for name in found)


def _read_notes(files: Mapping[str, bytes]) -> dict[str, str]:
    """What arXiv's notes say of files: by name, ``toplevel`` or ``ignore``; the notes highest up count."""
    notes = [name for name in files if posixpath.basename(name).casefold().startswith(NOTES)]
    for name in sorted(notes, key=lambda name: (name.count("/"), name)):
        data = files[name]
        if len(data) > _LONGEST_NOTES:
            continue
        reader = _READERS.get(_suffix_of(name), _parse_note_lines)
        folder = posixpath.dirname(name)
        if told := {
            posixpath.normpath(posixpath.join(folder, file)): usage for file, usage in reader(decode_source(data))
        }:
            return told
    return {}


def _parse_note_lines(text: str) -> Iterable[tuple[str, str]]:
    """Of ``00README.XXX``: a file and what is said of it on each line."""
    for file, usage in re.findall(r"^[ \t]*([^\s#]\S*)[ \t]+(toplevelfile|ignore)\b", text, re.MULTILINE):
        yield file, usage.removesuffix("file")


def _parse_note_json(text: str) -> Iterable[tuple[str, str]]:
    try:
        return _iter_sources(json.loads(text))
    except (ValueError, RecursionError):
        return ()


def _parse_note_yaml(text: str) -> Iterable[tuple[str, str]]:
    try:
        return _iter_sources(load_yaml(text))
    except InputFault:
        return ()


def _iter_sources(notes: Any) -> Iterable[tuple[str, str]]:
    listed = notes.get("sources") if isinstance(notes, dict) else None
    found = (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()
    return [(str(one.get("filename")), str(one.get("usage"))) for one in found]


_READERS = {".json": _parse_note_json, ".yaml": _parse_note_yaml, ".yml": _parse_note_yaml}


def _suffix_of(name: str) -> str:
    return posixpath.splitext(name)[1].casefold()
