"""Pictures of tables, figures and algorithms as they go to a model."""

from __future__ import annotations

import base64
import functools
from pathlib import Path

_MAGIC = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))


@functools.lru_cache(maxsize=64)
def data_url(path: str) -> str | None:
    """The data URL of a PNG or JPEG file; None where there is none that can be read."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return None
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    return None if kind is None else f"data:{kind};base64,{base64.b64encode(data).decode()}"
