"""Tokenize LaTeX source: comments are removed, verbatim text is a single token. TeX is never run.

A token is a string: ``\\name`` (a control sequence), a special character or ligature, a run of letters or digits,
``" "`` for white space, ``\\par`` for an empty line, ``#1`` for a parameter, or verbatim text after a prefix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

PAR = "\\par"
VERBATIM = "\x00"  # prefix of a block of verbatim text
INLINE = "\x01"  # prefix of inline verbatim text (\verb, \url)
PRIMITIVE = "\x02"  # prefix of a control sequence with its original meaning, regardless of redefinitions

VERBATIM_ENVIRONMENTS = (
    "verbatim verbatim* Verbatim Verbatim* BVerbatim LVerbatim lstlisting lstlisting* minted minted* alltt comment "
    "filecontents filecontents* code Code CodeInput CodeOutput CCSXML"
).split()

_LEXEME = re.compile(
    r"(?P<space>[ \t\n\r]+)"
    r"|(?P<word>[^\W_]{1,60})"
    r"|\\begin[ \t]*\{(?P<verbatim>" + "|".join(map(re.escape, VERBATIM_ENVIRONMENTS)) + r")\}"
    r"|\\verb(?![A-Za-z])\*?(?P<fence>[^A-Za-z\s*])(?P<verb>[^\n]{0,400}?)(?P=fence)"
    r"|\\lstinline(?![A-Za-z])(?:\[[^\]\n]{0,200}\])?(?P<bar>[^A-Za-z\s*{\[])(?P<inline>[^\n]{0,400}?)(?P=bar)"
    r"|(?P<link>\\(?:url|nolinkurl|path|href|doi))(?![A-Za-z@])[ \t]*\{(?P<url>[^{}\n]{0,2000}+)\}"
    r"|(?P<name>\\(?:[A-Za-z]+|.|\n|$))"
    r"|%(?P<comment>[^\n]*(?:\n|$)[ \t]*)"
    r"|(?P<other>\#+\d?|-{1,3}|``|''|[?!]`|.)",
    re.DOTALL,
)
_NAME_WITH_AT = re.compile(r"\\[A-Za-z@]+")
_NAME_OF_EXPL3 = re.compile(r"\\[A-Za-z@_:]+")
_EXPL3_SWITCH = {"\\ExplSyntaxOn": True, "\\ExplSyntaxOff": False}
_AT_SWITCH = {"\\makeatletter": True, "\\makeatother": False, "\\ExplSyntaxOn": False}
_CONTROL = dict.fromkeys([*range(9), 11, *range(14, 32), 127, 0xFEFF]) | {12: "\n\n"}


def clean_source(text: str) -> str:
    """Normalise line ends and remove control characters."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROL)


def tokenize(text: str, *, package: bool = False) -> list[str]:
    """Tokenize text from :func:`clean_source`, in linear time.

    Args:
        package: whether ``@`` is a letter from the start, as in ``.sty`` and ``.cls`` files.
    """
    return _Lexer(text, package).tokens()


class _Lexer:
    def __init__(self, text: str, package: bool) -> None:
        self.text = text
        self.at_is_letter = package
        self.is_expl3 = False  # ``_`` and ``:`` are letters, and spaces are ignored
        self.at = 0
        self.found: list[str] = []
        self.unclosed: set[str] = set()  # verbatim environments without an end in the rest of the text

    def tokens(self) -> list[str]:
        text, end, match, append = self.text, len(self.text), _LEXEME.match, self.found.append
        while self.at < end and (lexeme := match(text, self.at)):
            self.at = lexeme.end()
            handler = _HANDLERS.get(lexeme.lastgroup or "")
            if handler:
                handler(self, lexeme)
            else:
                append(lexeme[0])
        return self.found

    def _lex_space(self, lexeme: re.Match[str]) -> None:
        if self.is_expl3:
            return
        self.found.append(PAR if lexeme[0].count("\n") > 1 else " ")

    def _lex_name(self, lexeme: re.Match[str]) -> None:
        name = lexeme[0]
        letters = _NAME_OF_EXPL3 if self.is_expl3 else _NAME_WITH_AT if self.at_is_letter else None
        if letters and (longer := letters.match(self.text, lexeme.start())):
            name, self.at = longer[0], longer.end()
        self.at_is_letter = _AT_SWITCH.get(name, self.at_is_letter)
        self.is_expl3 = _EXPL3_SWITCH.get(name, self.is_expl3)
        self.found.append("\\ " if name in ("\\\n", "\\\t", "\\") else name)

    def _lex_comment(self, lexeme: re.Match[str]) -> None:
        """Skip a comment with its line end; an empty line after it still ends the paragraph."""
        if self.text.startswith("\n", self.at) and not self.is_expl3:
            self.at = lexeme.end()
            self.found.append(PAR)

    def _lex_inline(self, lexeme: re.Match[str]) -> None:
        self.found.append(INLINE + (lexeme["verb"] if lexeme["verb"] is not None else lexeme["inline"]))

    def _lex_link(self, lexeme: re.Match[str]) -> None:
        self.found += [lexeme["link"], "{", INLINE + lexeme["url"], "}"]

    def _lex_verbatim(self, lexeme: re.Match[str]) -> None:
        name = lexeme["verbatim"]
        close = f"\\end{{{name}}}"
        end = -1 if name in self.unclosed else self.text.find(close, self.at)
        if end < 0:
            self.unclosed.add(name)
            self.found += ["\\begin", "{", name, "}"]
            return
        self.found += ["\\begin", "{", name, "}", VERBATIM + self.text[self.at : end], "\\end", "{", name, "}"]
        self.at = end + len(close)


_HANDLERS = {
    "space": _Lexer._lex_space,
    "verbatim": _Lexer._lex_verbatim,
    "verb": _Lexer._lex_inline,
    "inline": _Lexer._lex_inline,
    "url": _Lexer._lex_link,
    "name": _Lexer._lex_name,
    "comment": _Lexer._lex_comment,
}


def untokenize(tokens: Iterable[str]) -> str:
    """The tokens as source text, with a space between a control word and a following letter."""
    parts: list[str] = []
    after_word = False
    for token in tokens:
        token = token.removeprefix(PRIMITIVE)
        if token[:1] in (VERBATIM, INLINE):
            token = token[1:]
        if after_word and token[:1].isalpha():
            parts.append(" ")
        parts.append(token)
        after_word = len(token) > 1 and token[0] == "\\" and token[-1].isalpha()
    return "".join(parts)


def plain_text(tokens: Iterable[str]) -> str:
    """A short argument (a label, a file name, a number) as text, white space collapsed."""
    return " ".join(untokenize(tokens).replace(PAR, " ").split())
