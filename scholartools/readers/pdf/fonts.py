"""Decoding of bitmap (Type 3) fonts, and of ligatures of other fonts, without a Unicode map.

TeX generates such fonts: glyph number n has the name "a" followed by n, and the numbers follow one of TeX's encodings:
T1 (also called Cork or EC), OT1 (Knuth's), or TS1 for bullets and other symbols. The glyphs present in a font indicate
the encoding. The tables are those of the LaTeX font encodings guide (encguide).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scholartools.readers.common.pdf_resources import Resources

_GLYPH = re.compile(r"/([^\s/\[\]<>()]+)")
_CODE = re.compile(r"/a(\d{1,3})(?![\w.])")
_DIFFERENCE = re.compile(r"(?<![^\s\[\]])(\d{1,5})(?![^\s/\]])|/([^\s/\[\]<>()]+)")
_LIGATURE = re.compile(r"[A-Za-z](?:_[a-z]){1,3}")  # the name of a glyph with several letters
_OTHER = re.compile(r"/(?!a\d|\.notdef|Type|Encoding|Differences)\w")
_NO_NAME = re.compile(r"[a-zA-Z]{1,2}\d+|\.notdef")
_LETTERS = frozenset(range(65, 91)) | frozenset(range(97, 123))
_LEAST_LETTERS = 3  # minimum letters among the glyphs of a text font

_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
_T1_LOW = "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—\u200b₀ıȷ"  # 0 to 26; the ligatures follow
_T1_HIGH = (
    "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£"  # 128 to 191; the rest is Latin 1 but for:
)
_T1 = (
    dict(enumerate(_T1_LOW))
    | dict(enumerate(_LIGATURES, 27))
    | dict(enumerate(_T1_HIGH, 128))
    | {39: "’", 96: "‘", 127: "-", 0xD7: "Œ", 0xDF: "SS", 0xF7: "œ", 0xFF: "ß"}
)
_OT1 = (
    dict(enumerate("ΓΔΘΛΞΠΣΥΦΨΩ"))
    | dict(enumerate(_LIGATURES, 11))
    | dict(enumerate("ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ", 16))
    | {34: "”", 39: "’", 60: "¡", 62: "¿", 92: "“", 96: "‘", 123: "–", 124: "—", 125: "˝", 126: "˜", 127: "¨"}
)
_TS1 = {
    0x88: "•",
    0xB7: "·",
    0x86: "‖",
    0x84: "†",
    0x85: "‡",
    0x89: "℃",
    0x9B: "№",
    0x8B: "¢",
    0x8C: "ƒ",
    0x97: "™",
    0x9E: "℮",
}
_T1_SIGNS = frozenset(range(27, 32)) | frozenset({16, 17, 21, 22}) | frozenset(range(128, 192))
_OT1_SIGNS = frozenset(range(11, 16)) | frozenset({92, 123, 124})

Table = Mapping[int, str]


@dataclass
class Fonts:
    """The bitmap fonts without a Unicode map of a document.

    Attributes:
        tables: the encoding tables of decoded fonts, by xref number.
        unknown: xref numbers of the fonts whose characters are guessed by the library.
        decoded: names of the fonts with tables.
        by_page: for each page with such fonts, by its number from 0, the font names in spans by xref number.
    """

    tables: dict[int, Table] = field(default_factory=dict)
    unknown: set[int] = field(default_factory=set)
    decoded: set[str] = field(default_factory=set)
    by_page: dict[int, dict[int, str]] = field(default_factory=dict)

    def tables_of(self, page: int) -> dict[str, Table]:
        """The encoding tables of the fonts of a page (number from 0), by the font name in spans."""
        return {name: self.tables[xref] for xref, name in self.by_page.get(page, {}).items() if xref in self.tables}

    def guessed_fonts(self, page: int) -> str:
        """Description of the fonts of a page whose characters are guessed; empty if there are none."""
        names = sorted({name for xref, name in self.by_page.get(page, {}).items() if xref in self.unknown})
        return "Type 3 fonts " + ", ".join(names) if names else ""


def fonts_of(document: Any, resources: Resources) -> Fonts:
    """Find the bitmap fonts of a document that have no Unicode map, and choose TeX's encoding tables for them."""
    found: dict[int, tuple] = {}
    fonts = Fonts()
    for number in range(document.page_count):
        if not resources.of_page(number).bitmap_fonts:
            continue
        try:
            listed = document.get_page_fonts(number)
        except Exception:  # noqa: BLE001  # a damaged page, which is reported when it is read
            continue
        for font in listed:
            if font[2] == "Type3" and font[0] not in found and _is_unmapped(document, font[0]):
                found[font[0]] = font
            if font[0] in found:
                fonts.by_page.setdefault(number, {})[font[0]] = font[4]
    _spell_ligatures(document, [xref for xref, is_bitmap in resources.bitmaps.items() if not is_bitmap])
    encodings = {xref: _encoding_of(document, xref) for xref in found}
    codes = {xref: _glyph_codes(encoding) for xref, encoding in encodings.items()}
    usual = _usual_table(one for one in codes.values() if one is not None)
    for xref, font in found.items():
        table = _glyph_table(codes[xref], usual)
        if table is not None:
            fonts.tables[xref] = table
            fonts.decoded.add(font[4])
        elif not font[3] or _is_guessed(encodings[xref]):  # without a name: bitmaps of an old TeX
            fonts.unknown.add(xref)
    return fonts


def decode_spans(blocks: Iterable[dict], tables: Mapping[str, Table]) -> None:
    """Translate the text of the spans of a page's blocks by the tables of their fonts, in place."""
    if not tables:
        return
    for block in blocks:
        for line in block.get("lines", ()):
            for span in line["spans"]:
                if span["font"] in tables:
                    span["text"] = span["text"].translate(tables[span["font"]])


def _spell_ligatures(document: Any, fonts: Iterable[int]) -> None:
    """Give fonts without a Unicode map one for their ligatures, in memory: the glyph "T_h" is "Th".

    The library reads only the first letter of such a name, so "The" would be "Te".
    """
    for xref in fonts:
        try:
            if not _is_unmapped(document, xref):
                continue
            spelt = _ligatures_of(_encoding_of(document, xref))
            if spelt:
                stream = document.get_new_xref()
                document.update_object(stream, "<<>>")
                document.update_stream(stream, _unicode_map(spelt))
                document.xref_set_key(xref, "ToUnicode", f"{stream} 0 R")
        except Exception:  # noqa: BLE001  # a damaged font, whose characters the library then guesses
            continue


def _ligatures_of(encoding: str) -> dict[int, str]:
    """The letters of the ligatures among the glyphs of an encoding, by code; without those that the library knows."""
    if "_" not in encoding:
        return {}
    found: dict[int, str] = {}
    code = 0
    for number, name in _DIFFERENCE.findall(encoding):
        if number:
            code = int(number)
            continue
        letters = name.replace("_", "")
        if code < 256 and _LIGATURE.fullmatch(name) and letters not in _LIGATURES:
            found[code] = letters
        code += 1
    return found


def _unicode_map(spelt: Mapping[int, str]) -> bytes:
    """A ToUnicode map of the PDF standard for some codes of one byte."""
    rows = "".join(f"<{code:02x}> <{letters.encode('utf-16-be').hex()}>\n" for code, letters in spelt.items())
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Ligatures def\n"
        f"1 begincodespacerange <00> <ff> endcodespacerange\n{len(spelt)} beginbfchar\n{rows}endbfchar\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end\n"
    ).encode()


def _is_unmapped(document: Any, xref: int) -> bool:
    return bool(document.xref_get_key(xref, "ToUnicode")[0] == "null")


def _encoding_of(document: Any, xref: int) -> str:
    """The source text of the font encoding's ``/Differences``; empty if there is none."""
    encoding = document.xref_get_key(xref, "Encoding")
    text = document.xref_object(int(encoding[1].split()[0])) if encoding[0] == "xref" else encoding[1]
    return str(text).partition("/Differences")[2]


def _glyph_codes(encoding: str) -> frozenset[int] | None:
    """The glyph numbers below 256, from names as TeX gives them; None if any name is different."""
    if _OTHER.search(encoding):
        return None
    return frozenset(int(number) for number in _CODE.findall(encoding) if int(number) < 256) or None


def _usual_table(fonts: Iterable[frozenset[int]]) -> Table | None:
    """The encoding of the document's text: T1 or OT1, by which of them its text fonts have more distinctive glyphs."""
    text = [one for one in fonts if _is_text(one)]
    t1, ot1 = (sum(len(one & signs) for one in text) for signs in (_T1_SIGNS, _OT1_SIGNS))
    return None if t1 == ot1 else _T1 if t1 > ot1 else _OT1


def _is_text(codes: frozenset[int]) -> bool:
    return len(codes & _LETTERS) >= _LEAST_LETTERS


def _glyph_table(codes: frozenset[int] | None, usual: Table | None) -> Table | None:
    """The encoding table of a font with these glyphs; None if unknown."""
    if codes is None:
        return None
    if not codes & _LETTERS and codes <= set(_TS1):
        return _TS1
    if not _is_text(codes) and not codes <= set(range(45, 58)):
        return None
    t1, ot1 = len(codes & _T1_SIGNS), len(codes & _OT1_SIGNS)
    return usual if t1 == ot1 else _T1 if t1 > ot1 else _OT1


def _is_guessed(encoding: str) -> bool:
    """Whether at least half of a font's glyph names carry no meaning."""
    names = _GLYPH.findall(encoding)
    return sum(_NO_NAME.fullmatch(name) is not None for name in names) >= 0.5 * len(names)
