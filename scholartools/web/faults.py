"""Check responses: an invalid one is worth a retry, ends the run, or fails one item."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson

from scholartools.errors import ModelFault, ScholartoolsError
from scholartools.pauses import asked_pause
from scholartools.secrets import current_redactor
from scholartools.web.request import Ask, Service

_HTML = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_LONGEST = 200  # maximum number of characters of a service's own message

# File types by their first bytes.
_MAGIC = (
    ("gzip", b"\x1f\x8b"), ("pdf", b"%PDF-"), ("postscript", b"%!PS"), ("zip", b"PK\x03\x04"),
)  # fmt: skip


class Again(Exception):
    """The request should be sent again.

    Attributes:
        reason: message of one line.
        pause: delay in seconds that the service requests, or None.
        limited: whether it is a rate limit, not a failure.
        unreachable: whether there was no response.
    """

    def __init__(
        self, reason: str, *, pause: float | None = None, limited: bool = False, unreachable: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason, self.pause, self.limited, self.unreachable = reason, pause, limited, unreachable


def check(service: Service, ask: Ask, status: int, head: Mapping[str, str], body: bytes) -> None:
    """Return if a response is usable: complete and of the requested type, or "not found".

    Raises:
        Again: the request should be repeated.
        ModelFault: no request to the service can succeed.
        ScholartoolsError: this request failed.
    """
    told = _words_of(body)
    if status == 429 or (status == 403 and re.search(r"too (fast|many)|rate limit|slow down", told, re.I)):
        raise Again(f"{service.name}: too many requests ({status})", pause=_pause_of(head, body), limited=True)
    if status == 403 and ask.may_be_private and _said(body).get("name") == "ForbiddenError":
        return
    if status in (401, 403):
        raise access_fault(service, status, told)
    if status >= 500 or status in (408, 425):
        raise Again(f"{service.name}: status {status}", pause=_pause_of(head, body))
    if status == 404 and (ask.accept == "file" or ask.is_page_if_missing or not _HTML.match(body)):
        return
    if status in (200, 404):
        _check_kind(service, ask, head, body)
        return
    raise ScholartoolsError(f"{service.name} refuses the request (status {status}): {told}", kind="refused")


def access_fault(service: Service, status: int, told: str) -> ModelFault:
    """Error for a service that requires authentication."""
    variable = service.key_variable
    ways = " or ".join([variable or "", *([" and ".join(service.login)] if service.login else [])])
    hint = f"set {ways}, or check the value" if variable else "it gives no access from here"
    if "ChallengeRequired" in told:
        hint = f"it asks for a challenge (captcha) that only a person can solve: {hint}"
    return ModelFault(f"{service.name} refuses access (status {status}): {hint}; see docs/fetch.md", kind="key")


def _check_kind(service: Service, ask: Ask, head: Mapping[str, str], body: bytes) -> None:
    """Reject a body of another type, or a truncated one.

    Raises:
        Again: an HTML page instead of data, or incomplete data.
    """
    if ask.accept == "file":
        _check_file(service, body)
        return
    is_page = _HTML.match(body) is not None or ("text/html" in head.get("content-type", "") and ask.accept != "text")
    if is_page:
        raise Again(f"{service.name} sent a page of HTML where {ask.accept} was asked for")
    if not body.strip():
        raise Again(f"{service.name} sent an empty answer")
    if ask.accept == "json":
        try:
            orjson.loads(body)
        except ValueError:
            raise Again(f"{service.name} sent no whole JSON") from None
    elif ask.accept == "xml":
        _check_xml(service, body)


def _check_file(service: Service, facts: bytes) -> None:
    """Reject an incomplete file or one that is not a paper, by its facts."""
    kind = orjson.loads(facts)["kind"]
    told = {"html": "a page of HTML instead of a file", "empty": "an empty file", "cut": "a file that was cut off"}
    if kind in told:
        raise Again(f"{service.name} sent {told[kind]}")
    if kind == "other":
        raise ScholartoolsError(f"{service.name} sent a file that is not a paper", kind="not-what-was-asked")


def _check_xml(service: Service, body: bytes) -> None:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        fromstring(body)
    except (ParseError, ValueError, LookupError, DefusedXmlException):
        raise Again(f"{service.name} sent no whole XML") from None


def kind_of_file(head: bytes) -> str | None:
    """File type from the first bytes: "gzip", "pdf", "postscript", "zip", "html", or None."""
    if _HTML.match(head):
        return "html"
    return next((kind for kind, magic in _MAGIC if head.startswith(magic)), None)


def _words_of(body: bytes) -> str:
    """Error message of a service, on one line with secrets redacted."""
    parts = [_said(body).get(name) for name in ("name", "error", "message", "status")]
    told = ": ".join(part for part in parts if isinstance(part, str)) or body[:2000].decode(errors="replace")
    return current_redactor().message(re.sub(r"<[^>]*>", " ", told))[:_LONGEST]


def _said(body: bytes) -> dict[str, Any]:
    """JSON object in a body; empty for anything else, such as a page of a proxy."""
    try:
        found = orjson.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _pause_of(head: Mapping[str, str], body: bytes) -> float | None:
    """Delay in seconds that a service requests, in a header or as ``resetTime`` in the body."""
    details = _said(body).get("details")
    return asked_pause(head, details.get("resetTime") if isinstance(details, dict) else None)
