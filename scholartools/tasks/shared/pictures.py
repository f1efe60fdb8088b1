"""Images of the figures and tables that a text mentions, as data URLs, and which are missing."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scholartools.errors import ScholartoolsError
from scholartools.parameters import parameter
from scholartools.records import Record

if TYPE_CHECKING:
    from scholartools.schemas.shapes import Caption

#: Default maximum number of images per request.
MOST_IMAGES = 20

_MAGIC = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))

_NUMBER = r"[A-Z]?\d+"
# "Figure 2", "Figs. 2, 3 and 5", "Tables 1-3".
_MENTION = re.compile(
    rf"\b(Fig|Tab)(?:ure|le)?s?\.?[\s~]{{0,2}}\(?({_NUMBER}[a-z]?(?:(?:\s?(?:,|and|&|to|-|\u2013)\s?){{1,2}}{_NUMBER}[a-z]?\b)*)",
    re.I,
)
# Maximum length of an expanded range: no paper has more figures, and ranges in the text may be wrong.
_WIDEST = 50
_KINDS = {"fig": "figure", "tab": "table"}


class Pictures(NamedTuple):
    """The images that accompany a text.

    Attributes:
        urls: data URLs.
        captions: captions of these, in the same order.
        missing: captions without an image.
    """

    urls: list[str]
    captions: list[Caption]
    missing: list[Caption]


@functools.lru_cache(maxsize=64)
def data_url(path: str) -> str | None:
    """The data URL of a PNG or JPEG file; None if it cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    return None if kind is None else f"data:{kind};base64,{base64.b64encode(data).decode()}"


def check_number(number: int, most: int, otherwise: str) -> None:
    """Check that a request does not have too many images.

    Args:
        otherwise: value of ``images`` that sends none.

    Raises:
        ScholartoolsError: there are more than ``most``.
    """
    if number > most:
        reason = (
            f"{number} pictures go with a question, {parameter('max_images')} is {most}: "
            f"raise it, or give {parameter('images', otherwise)}"
        )
        raise ScholartoolsError(reason, kind="too-many-images")


def check_some_picture(each: Sequence[Pictures], images: str) -> None:
    """Check that at least one of the images that the texts of a record mention is available.

    Args:
        each: the images of each text.
        images: value of the parameter ``images``.

    Raises:
        ScholartoolsError: all images are missing.
    """
    lost = {one["id"]: one.get("image") for pictures in each for one in pictures.missing}
    if lost and not any(pictures.urls for pictures in each):
        path = next((path for path in lost.values() if path), None)
        why = f'no file "{path}" in PNG or JPEG; paths count from the folder of the run' if path else "none was drawn"
        reason = (
            f"no picture of {', '.join(lost)}, with {parameter('images', images)}: {why}. Run st-parse with "
            f"{parameter('figures')}, or give {parameter('images', 'none')}"
        )
        raise ScholartoolsError(reason, kind="missing-picture")


def mentioned_numbers(text: str, kind: str) -> set[str]:
    """Numbers of the figures, or tables, that a text mentions."""
    return {number for found, number in _find_mentions(text) if found == kind}


def mentioned_captions(text: str, captions: Sequence[Caption], kinds: Sequence[str]) -> list[Caption]:
    """Captions of the given kinds ("figure", "table") that a text mentions, in the order of the record."""
    named = {kind: mentioned_numbers(text, kind) for kind in kinds}
    return [one for one in captions if number_in_label(one) in named.get(one["kind"], ())]


def load_pictures(chosen: Sequence[Caption], most: int) -> Pictures:
    """Load the images of captions.

    Args:
        most: maximum number of images.

    Raises:
        ScholartoolsError: there are more.
    """
    urls = [data_url(one["image"]) if one.get("image") else None for one in chosen]
    check_number(len(urls) - urls.count(None), most, "none")
    return Pictures(
        [url for url in urls if url is not None],
        [one for one, url in zip(chosen, urls) if url is not None],
        [one for one, url in zip(chosen, urls) if url is None],
    )


def _find_mentions(text: str) -> Iterator[tuple[str, str]]:
    """Kind and number of every figure and table that a text mentions; ranges are expanded."""
    for kind, listed in _MENTION.findall(text):
        parts = re.findall(rf"({_NUMBER})[a-z]?|(-|\u2013|\bto\b)", listed, re.I)
        for place, (number, is_range) in enumerate(parts):
            if number:
                yield _KINDS[kind.lower()], number.upper()
            elif is_range and 0 < place < len(parts) - 1:
                first, last = parts[place - 1][0], parts[place + 1][0]
                between = range(int(first) + 1, int(last)) if first.isdigit() and last.isdigit() else range(0)
                yield from ((_KINDS[kind.lower()], str(one)) for one in between[:_WIDEST])


def number_in_label(caption: Caption) -> str:
    """Number of a figure or table; empty if its label has none."""
    found = re.search(_NUMBER, caption["label"], re.I)
    return found[0].upper() if found else ""


def with_captions(text: str, pictures: Pictures) -> str:
    """Append the captions of its images to a text, in the order of the images."""
    if not pictures.captions:
        return text
    return "\n\n".join([text, "## Pictures, in this order", *(one["text"] for one in pictures.captions)])


def picture_account(each: Sequence[Pictures]) -> Record:
    """Entry keys that document the images sent with the texts: caption ids, hashes, and missing ones.

    Args:
        each: images of each text; with several texts, an image lists those it accompanied, numbered from 1.
    """
    images: dict[str, Record] = {}
    for number, pictures in enumerate(each, 1):
        for url, caption in zip(pictures.urls, pictures.captions):
            digest = hashlib.sha256(base64.b64decode(url.partition(",")[2])).hexdigest()
            image = images.setdefault(caption["id"], {"caption": caption["id"], "sha256": digest})
            if len(each) > 1:
                image.setdefault("pieces", []).append(number)
    missing = list(dict.fromkeys(one["id"] for pictures in each for one in pictures.missing))
    return {**({"images": list(images.values())} if images else {}), **({"images_missing": missing} if missing else {})}
