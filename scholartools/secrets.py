"""Redact API keys and passwords in all texts from a provider before they are truncated, shown or stored."""

from __future__ import annotations

import base64
import functools
import html
import json
import os
import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

# Variables that contain a secret, and variables that contain a URL, which may include one.
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$")
_ADDRESS_NAME = re.compile(r"(BASE_URL|API_BASE|_PROXY|_proxy)$")
# A shorter value is a placeholder for a key that the server does not need, and may occur in messages and replies.
_SHORTEST, _SHORTEST_IN_REPLIES = 6, 16
# Number of characters of a secret that suffice to recognise a truncated one.
_HEAD = 8
_IN_ADDRESS = re.compile(r"(://[^\s?]+)\?\S+"), re.compile(r"://[^/\s@]+@")
_LOOKS_LIKE_KEY = re.compile(r"\bsk-[\w*-]{8,}")
_BEARER = re.compile(r"\b(bearer)\s+[\w.~+/=*-]{8,}", re.I)


# A printable ASCII character that is escaped in JSON without need; not a quote or a backslash.
_ESCAPED_ASCII = re.compile(r"(?<!\\)((?:\\\\)*)\\u00(?!22|5c)([2-7][0-9a-f])", re.I)


def spell_out_ascii(json_text: str) -> str:
    """Equivalent JSON without needless escapes of ASCII characters, which could hide a secret."""
    if "\\u00" not in json_text:
        return json_text
    return _ESCAPED_ASCII.sub(lambda found: found[1] + chr(int(found[2], 16)), json_text)


class Redactor:
    """Replace secrets in all encodings by the names of the variables that contain them."""

    def __init__(self, secrets: Mapping[str, str]) -> None:
        """Create a redactor of the secrets in ``{secret: name}``."""
        spelled = {
            spelling.lower(): (name, len(secret) >= _SHORTEST_IN_REPLIES)
            for secret, name in secrets.items()
            for spelling in _secret_spellings(secret)
            if len(spelling) >= _SHORTEST
        }
        self._spellings = sorted(spelled.items(), key=lambda item: -len(item[0]))
        self._long = [spelling for spelling, (_, long) in self._spellings if long]
        heads = sorted({re.escape(spelling[:_HEAD]) for spelling in spelled}, key=len, reverse=True)
        self._heads = re.compile("|".join(heads), re.I) if heads else None

    def message(self, text: str) -> str:
        """Message for users on one line, without secrets, parts of secrets, and queries of URLs."""
        text = spell_out_ascii(self._replace_all(text, whole=False))
        text = self._replace_tails(self._replace_all(text, whole=False))
        text = _IN_ADDRESS[1].sub("://", _IN_ADDRESS[0].sub(r"\1", text))
        return " ".join(_BEARER.sub(r"\1 [key]", _LOOKS_LIKE_KEY.sub("[key]", text)).split())

    def reply(self, text: str) -> str:
        """Reply of a model without complete long secrets; nothing else is changed."""
        lowered = text.lower()
        if not any(spelling in lowered for spelling in self._long):  # the usual case; this test is fast
            return text
        return self._replace_all(text, whole=True)

    def _replace_all(self, text: str, *, whole: bool) -> str:
        if self._heads is None:
            return text
        parts, copied, at = [], 0, 0
        lowered = text.lower() if len(text.lower()) == len(text) else text
        while (found := self._heads.search(lowered, at)) is not None:
            name, length = self._secret_at(lowered, found.start(), whole)
            if length:
                parts += [text[copied : found.start()], f"${name}"]
                copied = found.start() + length
            at = copied if length else found.start() + 1
        return "".join([*parts, text[copied:]])

    def _replace_tails(self, text: str) -> str:
        """Remove ends of secrets whose beginnings the sender had cut off."""
        lowered = text.lower() if len(text.lower()) == len(text) else text
        starts: dict[int, int] = {}
        for spelling in self._long:
            for found in re.finditer(re.escape(spelling[-_HEAD:]), lowered):
                start, end = found.span()
                while start and lowered[start - 1 : end] == spelling[start - 1 - end :]:
                    start -= 1
                starts[end] = min(start, starts.get(end, start))
        left = len(text)
        for end in sorted(starts, reverse=True):
            if end <= left:
                left = starts[end]
                text = f"{text[:left]}[key]{text[end:]}"
        return text

    def _secret_at(self, text: str, start: int, whole: bool) -> tuple[str, int]:
        """Name of the secret at a position and the length of its match; length 0 if there is none."""
        best = ("", 0)
        for spelling, (name, long) in self._spellings:
            if text.startswith(spelling, start):
                length = len(spelling) if long or not whole else 0
            else:
                length = 0 if whole else _common_words(text, start, spelling)
            if length > best[1]:
                best = (name, length)
        return best


# Secrets that services issued to this process, with their names.
_LEARNED: dict[str, str] = {}


def learn_secret(value: str, name: str) -> None:
    """Redact a secret issued by a service, such as a login token, from now on; ``name`` ends in TOKEN."""
    _LEARNED[value] = name


def current_redactor() -> Redactor:
    """Redactor for the current environment and the secrets issued by services."""
    names = [name for name in os.environ if _may_hold(name)]
    learned = [(name, value) for value, name in _LEARNED.items()]
    return _cached_redactor((*((name, os.environ[name]) for name in sorted(names)), *learned))


@functools.lru_cache(maxsize=1024)
def _may_hold(name: str) -> bool:
    return bool(_SECRET_NAME.search(name) or _ADDRESS_NAME.search(name))


@functools.lru_cache(maxsize=4)
def _cached_redactor(variables: tuple[tuple[str, str], ...]) -> Redactor:
    secrets: dict[str, str] = {}
    for name, value in variables:
        found = [value] if _SECRET_NAME.search(name) else _in_address(value)
        secrets |= {secret.strip(): name for secret in found if len(secret.strip()) >= _SHORTEST}
    return Redactor(secrets)


def _in_address(address: str) -> Iterator[str]:
    """Password, parameter values and query values of a URL, raw and decoded.

    The password ends at the last @, since a /, ? or # in it would end the host; a user without a password may be a key.
    """
    written = address.partition("://")[2] or address  # a proxy may lack a scheme
    user, colon, password = written.rpartition("@")[0].partition(":")
    secret = password if colon else user
    yield from (secret, unquote(secret))
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    yield from (value for _, value in parse_qsl(parts.query))
    for parameters in re.findall(r";([^/]*)", parts.path):
        yield from (value for _, value in parse_qsl(parameters, separator=";"))


def _common_words(text: str, start: int, spelling: str) -> int:
    """Length of the common prefix of a spelling and the text at a position; 0 if shorter than a recognisable part."""
    length = 0
    for ours, theirs in zip(spelling, text[start : start + len(spelling)]):
        if ours != theirs:
            break
        length += 1
    return length if length >= min(_HEAD, len(spelling)) else 0


def _secret_spellings(secret: str) -> Iterator[str]:
    """Spellings of a secret: raw, in JSON (also nested), in URLs, in HTML, and in base64 at each of 3 alignments."""
    yield secret
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield from (once, once.replace("/", "\\/"), json.dumps(once)[1:-1])
    yield "".join(f"\\u{ord(character):04x}" for character in secret)
    yield from (quote(secret), quote(secret, safe=""), quote_plus(secret), html.escape(secret))
    for shift in range(3):
        yield from _base64_core(secret.encode(errors="replace"), shift)


def _base64_core(secret: bytes, shift: int) -> Iterator[str]:
    """Characters of base64 that depend on this secret only, if ``shift`` bytes of a group of three precede it."""
    encoded = base64.b64encode(b"\0" * shift + secret).decode()
    first = -(-shift * 8 // 6)
    last = (shift + len(secret)) * 8 // 6
    yield from (part := encoded[first:last], part.replace("+", "-").replace("/", "_"))
