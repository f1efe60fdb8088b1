"""Choose the main file of a LaTeX source, by arXiv's notes about the submission, else by the contents of the files."""

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
_CLOSING = re.compile(r"^[^%\n]*\\end\s*\{document\}", re.MULTILINE)  # the opening may be in an input
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
_PARTS = ("subfiles", "standalone")  # classes of documents that are parts of other documents
_OTHER_CLASSES = re.compile(r"beamer|letter|poster|slides|scrlttr|moderncv", re.IGNORECASE)
_OTHER_NAMES = re.compile(
    r"supp|appendix|(?<![a-z])si(?![a-z])|response|rebuttal|cover|letter|reply|template|sample|example|poster|slides|talk|diff|"
    r"instruction|guide|checklist|bare_",
    re.IGNORECASE,
)
_LONGEST_REACH = 3_000_000  # characters
_LONGEST_NOTES = 100_000  # bytes


@dataclass
class Choice:
    """The main file (None if no file is LaTeX), and other files that may be the main file."""

    main: str | None
    others: list[str] = field(default_factory=list)


def choose_main_file(files: Mapping[str, bytes]) -> Choice:
    """Choose the main file.

    A file named as top level in arXiv's ``00README.json``, ``.yaml`` or ``.XXX`` takes precedence; files that these
    ignore are excluded. Otherwise the criteria are, in this order: a class and a document, in the file or its inputs;
    any of title, abstract, bibliography and headings; not a supplement, letter or slides by name or class; most of
    these four; a usual name; most inputs; the longest text including inputs; the first name. Other complete documents
    are returned as ``others``, since they are not read.
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
    """The criteria for a file in decreasing order of weight; the first is whether it is a complete document."""

    @property
    def whole(self) -> bool:
        return bool(self[0])


def _rank_file(name: str, texts: Mapping[str, str]) -> _Rank:
    """Rank a file with its inputs, which may have the class and the document."""
    own = texts[name]
    opens = (_OPENING.search(own) or _CLOSING.search(own)) is not None
    reached = _reach(name, texts) if opens or _CLASS.search(own) else own
    found = _CLASS.search(reached)
    kind = found[1].strip() if found else ""
    alone = found is not None and kind not in _PARTS
    other = _OTHER_CLASSES.search(kind) or _OTHER_NAMES.search(posixpath.basename(name))
    signs = sum(sign.search(reached) is not None for sign in _SIGNS)
    usual = posixpath.splitext(posixpath.basename(name))[0].casefold() in _USUAL
    whole = alone and _OPENING.search(reached) is not None
    return _Rank((whole, alone, opens, signs > 0, other is None, signs, usual, len(_INPUT.findall(own)), len(reached)))


def _reach(main: str, texts: Mapping[str, str]) -> str:
    """The text of a file followed by those of the files that it inputs, each once."""
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
    """The usage (``toplevel`` or ``ignore``) by file in arXiv's notes; those in the topmost folder count."""
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
    """Parse ``00README.XXX``, with a file and its usage on each line."""
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
