"""Classify the texts of a first page that belong to neither title, abstract nor body."""

from __future__ import annotations

import re

from scholartools.readers.common import person_names

_KEYWORDS = re.compile(
    r"(?:some |additional )?(?:key\s?-?words?|author keywords|index terms|palabras clave|palavras-chave|"
    r"mots[- ]cl[ée]s|schl[üu]sselw|parole chiave)",
    re.IGNORECASE,
)
_SUBJECTS = re.compile(
    r"ccs concepts|categories and subject|general terms|jel\b|msc\b|pacs|subject|ams subject"
    r"|(?:19|20)\d\d mathematics|mathematics subject",
    re.IGNORECASE,
)
_BETWEEN_BARS = re.compile(r"[^|.@\d]{2,60}(?:\s\|\s[^|.@\d]{2,60}){2,9}")  # key words without a label
_EMAIL = re.compile(r"[\w.+{},\s-]*@[\w.-]+\.\w+")


def kind_of_front_text(text: str) -> str:
    """The ``kind`` of an entry of ``front_matter``: see :class:`scholartools.schemas.paper.FrontMatter`."""
    if _KEYWORDS.match(text):
        return "keywords"
    if _SUBJECTS.match(text):
        return "subjects"
    if "@" in text:
        email = _EMAIL.search(text)
        return "email" if email and len(email[0]) > 0.5 * len(text) else "affiliation"
    if person_names.names_in(text):
        return "authors"
    if person_names.is_affiliation(text):
        return "affiliation"
    return "keywords" if _BETWEEN_BARS.fullmatch(text) else "other"
