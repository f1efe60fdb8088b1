"""What a rated text is called, in records in long form, on sheets and in files of people's scores."""

from __future__ import annotations

from typing import NamedTuple


class TextName(NamedTuple):
    """What a rated text is called."""

    paper: str
    system: str
    item: str

    def long(self) -> str:
        """With the system, as records in long form have it."""
        return f"{self.paper}/{self.system}/{self.item}"

    def short(self) -> str:
        """Without the system."""
        return f"{self.paper}/{self.item}"
