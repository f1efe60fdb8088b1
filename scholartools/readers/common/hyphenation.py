"""Join printed lines to running text: remove hyphens at line ends, compose accents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scholartools.readers.common.page import Line

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W\d_]+(?:[-‐][^\W\d_]+)*)[-‐\u00ad]$")
_HYPHEN_SIGNS = ("-", "‐", "\u00ad")
_LONGEST = 80  # maximum length of a broken word, in characters
_NEXT = re.compile(r"[^\W\d_]+")
_SOLID = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")  # Chinese and Japanese are written without spaces
_HYPHENS = str.maketrans("‐", "-")
# Translation table for ASCII text: letters in lower case and hyphens; all other characters become spaces.
_ASCII_WORDS = bytes(ord(sign.lower()) if sign.isalpha() or sign == "-" else 32 for sign in map(chr, range(256)))

# Old TeX fonts print an accent and its letter as two characters; the combining mark of each such accent.
_ACCENTS = dict(zip("´`¨ˆ˜¯˘˙¸˛˚ˇ˝", "\u0301\u0300\u0308\u0302\u0303\u0304\u0306\u0307\u0327\u0328\u030a\u030c\u030b"))
_SPLIT_ACCENT = re.compile(r"([´`¨ˆ˜¯˘˙˚ˇ˝])\s?([A-Za-zıΑ-Ωα-ωϑϕϵ])")
# A cedilla may come before or after its letter; letters that commonly carry one (c, s, t) take precedence.
_CEDILLA = re.compile(r"([cCsStT])\s?¸|¸\s?([cCsStT])|([A-Za-z])\s?¸(?!\s?[cCsStT])|¸\s?([A-Za-z])")
_OGONEK = re.compile(r"˛\s?([AaEeIiUu])|([AaEeIiUu])\s?˛")  # "J˛edrzej"
_FIRST = frozenset(
    (
        "self non well high low multi semi cross co pre post inter intra sub super meta anti pro ex half all state "
        "real time long short large small two three four one first second third fine full data user end open so"
    ).split()
)
_SECOND = frozenset(
    (
        "based level free aware specific like wise driven related trained tuned aligned dependent independent scale "
        "term order time world shot hop step art of to end generated written annotated labeled supervised grained "
        "sized"
    ).split()
)


@dataclass(frozen=True)
class Vocabulary:
    """Counts of the case-folded words of a document that no line end breaks; compounds keep their hyphen."""

    words: Counter[str]

    def is_word(self, left: str, right: str) -> bool:
        """Whether ``left`` + ``right`` as one word is more frequent in the document than with a hyphen."""
        left, right = left.casefold(), right.casefold()
        return self.words[left + right] > self.words[f"{left}-{right}"]

    def is_compound(self, left: str, right: str) -> bool:
        """Whether ``left-`` at a line end and ``right`` on the next line are a compound that keeps its hyphen.

        The more frequent spelling in the rest of the document decides. If neither occurs, they are one word unless both
        are words of the document, and one of them is typical of compounds or both are repeated and have four letters
        or more.
        """
        left, right = left.casefold(), right.casefold()
        hyphened, solid = self.words[f"{left}-{right}"], self.words[left + right]
        if hyphened or solid:
            return hyphened > solid
        first, second = left.rpartition("-")[2], right
        known = min(self.words[first], self.words[second])
        usual = "-" in left or left in _FIRST or right in _SECOND
        return known > 0 and (usual or (known > 1 and min(len(first), len(second)) > 3))


def vocabulary_of(lines: Iterable[str]) -> Vocabulary:
    """Count the words of a document's lines, except words that a hyphen breaks at a line end.

    Each different compound also counts once for each of its parts.
    """
    whole: list[str] = []
    broken = False
    for line in lines:
        if line.isascii() and "`" not in line:
            text = line.encode().translate(_ASCII_WORDS).decode()
            found = _words_between_spaces(text)
        else:
            text = compose_accents(line).casefold().replace("‐", "-")
            found = _WORD.findall(text)
        ends_broken = _broken_word(text) is not None
        whole += found[broken : len(found) - ends_broken]
        broken = ends_broken
    words = Counter(whole)
    for compound in [word for word in words if "-" in word]:
        words.update(compound.split("-"))
    return Vocabulary(words)


def _words_between_spaces(text: str) -> list[str]:
    """The words of a text of letters, hyphens and spaces: same as ``_WORD.findall``, but much faster."""
    words = text.split()
    if "-" not in text:
        return words
    return [part for word in words for part in (_WORD.findall(word) if "-" in word else (word,))]


def compose_accents(text: str) -> str:
    """Put accents that are separate characters on their letters, then compose (NFC; NFKC would change mathematics)."""
    if text.isascii() and "`" not in text:
        return text
    if any(accent in text for accent in _ACCENTS):
        text = _SPLIT_ACCENT.sub(lambda m: m[2].replace("ı", "i") + _ACCENTS[m[1]], text)
        text = _CEDILLA.sub(lambda m: m[m.lastindex or 0] + _ACCENTS["¸"], text)
        text = _OGONEK.sub(lambda m: m[m.lastindex or 0] + _ACCENTS["˛"], text)
    return unicodedata.normalize("NFC", text)


def _broken_word(text: str) -> re.Match[str] | None:
    """Match the word that a hyphen breaks at the end of a line; group 1 is its part before the hyphen."""
    return _BROKEN.search(text[-_LONGEST:].rpartition(" ")[2]) if text.endswith(_HYPHEN_SIGNS) else None


def join_lines(lines: Iterable[Line], vocabulary: Vocabulary) -> str:
    """Join the lines to one line of text."""
    return join_texts((line.text for line in lines), vocabulary)


def join_texts(texts: Iterable[str], vocabulary: Vocabulary) -> str:
    """Join lines of text with spaces, or without a space if a hyphen breaks a word."""
    joined = ""
    parts: list[str] = []
    for text in map(compose_accents, texts):
        if not parts:
            parts.append(text)
        else:
            parts[-1], glue = _glue_lines(parts[-1], text, vocabulary)
            parts += [glue, text]
    joined = "".join(parts)
    return " ".join(joined.replace("\u00ad", "").split())


def _glue_lines(before: str, after: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """The line before, without its hyphen if that only breaks a word, and the separator from the next line."""
    last = before[-1:]
    if last.isascii() and last not in "-/":
        return before, " "
    broken = _broken_word(before)
    following = _NEXT.match(after)
    if _SOLID.match(before[-1:]) and _SOLID.match(after):
        return before, ""
    if before.endswith(("/", "–", "—")) and not before.endswith((" –", " —")):
        return before, ""
    if not broken or not following:
        return before, " " if not before.endswith("-") or before.endswith(" -") else ""
    left = broken[1].translate(_HYPHENS)
    last = left.rpartition("-")[2]
    if vocabulary.is_word(left, following[0]):
        return before[:-1], ""
    if last.isupper() != following[0][0].isupper():  # "LSTM-" + "based", "Kullback-" + "Leibler"
        return before, ""
    if vocabulary.is_compound(left, following[0]):
        return before, ""
    return before[:-1], ""
