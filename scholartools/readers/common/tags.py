"""Remove tags of HTML, JATS and MathML from a title or an abstract."""

from __future__ import annotations

import re

# Block-level and inline tags. Other names are not tags, since a text may say "n<m and k>2".
_PARTING = r"title|p|sec|h[1-6]|br|hr|div|li|ul|ol|dl|dt|dd|list|list-item|disp-formula|disp-quote|abstract"
_INLINE = (
    "i|b|u|s|a|q|em|strong|small|big|sub|sup|tt|code|pre|span|font|strike|cite|abbr|italic|bold|underline|monospace|sc|"
    "roman|sans-serif|overline|named-content|styled-content|fixed-case|ext-link|xref|uri|email|inline-formula|"
    "inline-graphic|tex-math|alternatives|label|math|mrow|mi|mn|mo|ms|mtext|msub|msup|msubsup|mfrac|msqrt|mroot|mstyle|"
    "mspace|mover|munder|munderover|mfenced|mtable|mtr|mtd|mpadded|mphantom|menclose|merror|mmultiscripts|mprescripts|"
    "none|semantics|annotation|annotation-xml"
)
_ATTRIBUTES = r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}'|[^\s\"'<>]{1,200}))*"
_TAG = re.compile(
    rf"<(?P<end>/)?(?P<space>(?:jats|mml|m|xhtml):)?(?:(?P<parting>{_PARTING})|(?P<inline>{_INLINE}))"
    rf"{_ATTRIBUTES}\s*(?P<empty>/)?>",
    re.IGNORECASE,
)


def without_tags(text: str) -> str:
    """Remove the tags from a text; block-level tags become a space."""
    folded = text.casefold() if "<" in text else ""

    def replace(found: re.Match[str]) -> str:
        name = found["parting"] or found["inline"]
        is_marked = found["end"] or found["empty"] or found["space"] or len(name) > 1
        if not is_marked and f"</{name.casefold()}>" not in folded:
            return found[0]  # a comparison: "a<b>c"
        return " " if found["parting"] else ""

    return _TAG.sub(replace, text)
