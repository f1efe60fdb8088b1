"""Detect text files that are not papers, by name or content: data, programs, settings. Possible prose is accepted."""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata

from scholartools.file_kinds import HEAD, other_format, table_delimiter
from scholartools.readers.text import markdown

# Maximum number of lines that are examined; minimum number of lines of a program.
_LINES, _FEWEST = 400, 4
_CODE_SHARE = 0.5  # minimum share of lines of code in a program
_FIELDS = 3  # minimum number of fields in a table without header, separated by colons or bars
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
_SURE_CODE = re.compile(
    r"^(?:from [\w.]+ import \S.*|import [\w.]+(?: as \w+)?|(?:async )?def \w+\(.*|class \w+(?:\(.*\))?:)$", re.M
)
_RECIPE = re.compile(r"^[\w.%/$(){} -]+:[^\n=]*\n(?:\t[^\n]*(?:\n|\Z))+", re.M)
_SECTION = re.compile(r"^\[\[?[\w.:\"'/-]+\]\]?[ \t]*\n(?:[ \t]*(?:[#;].*)?\n)*[\w.\"'-]+[ \t]*[:=]", re.M)
_FEWEST_SURE = 3  # so many lines of Python, rules of a Makefile or sections of settings suffice
_CODE = re.compile(
    r"""^\s*(?:
        (?:from\s+[\w.]+\s+)?import\s+[\w.{*"'] | \#\s*include\b | using\s+[\w.]+; | package\s+[\w.]+;?\s*$
      | (?:async\s+)?def\s+\w+\( | class\s+\w+[(:{] | (?:export\s+)?(?:function|const|let|var)\s+\w+
      | (?:if|elif|for|while|with|try|except|switch|else|return)\b.*[:;{)]\s*$
      | (?:fi|done|esac|then|do)\s*$ | [\w.\[\]"'$-]+\s*(?:[-+*/|?:]?=|<-)\s*\S | \[\[?[\w.:"'\ -]+\]\]?\s*$
      | (?:\.PHONY|all|clean|install|test)\s*:(?!\S).* | [\w.]+\([^)]*\);?\s*$
      | [})\]]+[;,]?\s*$ | .*[;{]\s*$ | (?://|/\*|\*/|@\w+).*
    )""",
    re.X,
)

# Names and extensions of files that are not papers. Ambiguous extensions of one letter are left out.
_NAMES = frozenset(
    """makefile gnumakefile dockerfile containerfile cmakelists.txt requirements.txt jenkinsfile
        vagrantfile gemfile rakefile procfile crontab .gitignore .gitattributes .env""".split()
)
_ENDINGS = {
    "a program": """py pyi pyx pxd pxi r jl c h cc cpp cxx hh hpp hxx cu cuh inl java kt kts scala groovy clj go rs rb
        php pl pm lua tcl js mjs cjs jsx ts tsx vue svelte css scss sass less sh bash zsh fish csh ksh bat
        cmd ps1 vbs sql f f77 f90 f95 f03 f08 for asm hs ml mli erl ex exs el lisp scm rkt vim awk sed swift
        dart nim zig vhd sv pas cs vb m""",
    "settings": """toml ini cfg conf cnf yaml yml properties env lock service desktop editorconfig rules plist reg
        cmake mk am ac m4 gradle proto thrift in""",
    "data": """json jsonl ndjson csv tsv bib ris enw log diff patch po pot pem crt key srt vtt svg xsd dtd xsl ipynb
        typed ics vcf""",
    "mail": "eml emlx mbox msg mht mhtml",
}
_MOST_BEGINNING = 8_192  # characters in which the patterns below are searched for
# Beginnings of other kinds of files. A mail has a header that papers never have, or the sender's address and another.
_BEGINNINGS = (
    (re.compile(r"From \S+@\S+ .*\d\d:\d\d"), "mail"),
    (re.compile(r"(?:[\w-]+:.*\n(?:[ \t]+\S.*\n)*){0,40}?(?:Received|Return-Path|Delivered-To|Message-ID|MIME-Version|"
                r"DKIM-Signature|Newsgroups|Content-Transfer-Encoding|X-Mailer):", re.IGNORECASE), "mail"),
    (re.compile(r"(?=(?:[\w-]+:.*\n(?:[ \t]+\S.*\n)*){0,40}?From:[^\n]*\S@\S)"
                r"(?:[\w-]+:.*\n(?:[ \t]+\S.*\n)*){0,40}?(?:To|Subject|Date|Cc):", re.IGNORECASE), "mail"),
    (re.compile(r"WEBVTT\b|\d+[ \t\r]*\n\d\d:\d\d:\d\d[,.]\d{3} --> "), "subtitles"),
    (re.compile(r"<svg\b"), "a picture (SVG)"),
    (re.compile(r"BEGIN:V(?:CARD|CALENDAR)\b"), "a calendar or an address book"),
    (re.compile(r"HTTP/\d(?:\.\d)? \d{3}\b"), "the reply of a web server"),
    (re.compile(r"TY {1,2}- |%0 [A-Z]|PMID- ?\d|FN (?:Clarivate|Thomson)"), "a bibliography (RIS, EndNote)"),
    (re.compile(r"diff -{2}git |(?:Index: .*\n=+\r?\n)?--- \S.*\n\+\+\+ \S"), "a patch"),
)  # fmt: skip
_KINDS = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings.split()}

# A text of at least _FEWEST_WORDS words is prose if at least _PROSE_SHARE of them are in runs of _RUN words or more.
# Measured: at least .75 in five papers, at least .31 in ten texts of PDFs, at most .19 in 60 TOML files.
_FEWEST_WORDS, _PROSE_SHARE, _RUN = 40, 0.25, 6
_COMMENTS = re.compile(
    r'/\*(?:[^*/]|\*(?!/)|/(?!\*))*+\*/|"""(?:(?!""").)*+"""'
    r'|^(?:[ \t]*+(?P<mark>\#|//|;|%|--|!|dnl\b|")[^\n]*+\n)(?:[ \t]*+(?P=mark)[^\n]*+(?:\n|\Z))+',
    re.M | re.S,
)
# An entry of BibTeX, after comments and empty lines.
_BIBLIOGRAPHY = re.compile(
    r"(?:[ \t\r]*+(?:%[^\n]*+)?\n)*+[ \t]*+@[A-Za-z]++[ \t]*+\{[^\s{},]*+[ \t]*+,\s*+[A-Za-z]++\s*+="
)
_WORD = re.compile(r"[(\[“\"'‘*_]*+[^\W\d_]++(?:['’/-][^\W\d_]++)*+[.,;:!?)\]”\"'’*_]*+")
_SPACED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")


def other_name(path: str) -> str | None:
    """The kind of a file whose name shows that it is not a paper: "a program (.py)"; else None."""
    name = posixpath.basename(path.replace("\\", "/")).casefold()
    ending = name.rpartition(".")[2] if "." in name else ""
    if name in _NAMES:
        return f"settings or a program ({name})"
    return f"{_KINDS[ending]} (.{ending})" if ending in _KINDS else None


def other_text(text: str) -> str | None:
    """Describe the kind of a text that is not a paper, for messages; None if it may be a paper."""
    text = text.lstrip("\ufeff")
    if text.startswith(("#!", "-----BEGIN ")):
        return "a script" if text.startswith("#!") else "a key or a certificate"
    if text.startswith("version https://git-lfs.github.com/"):
        return "a pointer of Git LFS (git lfs pull downloads the file)"
    if _BIBLIOGRAPHY.match(text):
        return "a bibliography (BibTeX)"
    if re.match(r'\s*\{\s*"', text) or _is_json_lines(text):
        return "JSON or JSON lines"
    begins = text[:_MOST_BEGINNING].lstrip()
    for pattern, kind in _BEGINNINGS:
        if pattern.match(begins):
            return kind
    head = text[:HEAD].encode(errors="replace")[:HEAD]
    if other_format(head) is not None:
        is_table = table_delimiter(head) is not None
        return "a table (CSV, TSV)" if is_table and not re.match(r"\s*\[", text) else "JSON"
    own = _COMMENTS.sub("\n", _FENCED.sub("", text[:HEAD]))
    lines = [line for line in own.splitlines() if line.strip()][:_LINES]
    if len(lines) >= 2 and any(_are_rows(lines, divider) for divider in ":|"):
        return "a table of fields"
    for pattern, kind in ((_SURE_CODE, "a program"), (_RECIPE, "a Makefile"), (_SECTION, "settings (TOML, INI)")):
        if len(pattern.findall("\n".join(lines))) >= _FEWEST_SURE:
            return kind
    is_program = len(lines) >= _FEWEST and sum(bool(_CODE.match(line)) for line in lines) >= _CODE_SHARE * len(lines)
    has_prose = _has_prose(own)
    if is_program and not (has_prose and markdown.is_markdown(text)):
        return "a program"
    return None if has_prose else "a text without sentences"


def _is_json_lines(text: str) -> bool:
    """Whether each line of a text, or each that begins in the head of a long one, is a value of JSON."""
    end = text.find("\n", HEAD)
    lines = text[: end if end >= 0 else None].split("\n")  # not at U+2028, which texts of JSON may have
    try:
        return bool([json.loads(line) for line in lines if line.strip()])
    except (ValueError, RecursionError):
        return False


def _has_prose(text: str) -> bool:
    """Whether a text has runs of words as in sentences; also true if it is short or in a script without spaces."""
    words = text.split()
    letters = [sign for sign in text[:4000] if sign.isalpha()]
    spaced = sum(unicodedata.name(sign, "").startswith(_SPACED_SCRIPTS) for sign in letters)
    if len(words) < _FEWEST_WORDS or spaced < 0.9 * len(letters):
        return True
    in_runs = run = 0
    for word in [*words, ""]:
        if _WORD.fullmatch(word):
            run += 1
            continue
        in_runs, run = in_runs + (run if run >= _RUN else 0), 0
    return in_runs >= _PROSE_SHARE * len(words)


def _are_rows(lines: list[str], divider: str) -> bool:
    """Whether all lines have the same number of fields, as in /etc/passwd."""
    counts = {line.count(divider) + 1 for line in lines}
    return len(counts) == 1 and counts.pop() >= _FIELDS
