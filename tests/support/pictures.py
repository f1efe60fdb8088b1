"""Pictures for tests, and extraction of pictures from requests."""

from __future__ import annotations

import base64
import struct
import zlib


def pictures_of(body: dict) -> list[bytes]:
    """Pictures of a request, in order."""
    found = [
        part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]
    ]
    urls = [part["image_url"]["url"] for part in found if part["type"] == "image_url"]
    return [base64.b64decode(url.split(",", 1)[1]) for url in urls]


def png(colour: int) -> bytes:
    """PNG of one grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    data = zlib.compress(bytes([0, colour]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def prompt_of(messages: list[dict]) -> str:
    """Text of the user's message, which may also have pictures."""
    return text_of(next(message for message in messages if message["role"] == "user"))


def text_of(message: dict) -> str:
    """Text of a message, which may also have pictures."""
    return message["content"] if isinstance(message["content"], str) else message["content"][0]["text"]
