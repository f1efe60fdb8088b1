"""Names of rated texts, in long-form records, on sheets and in files of human scores."""

from __future__ import annotations

from typing import NamedTuple

from scholartools.errors import InputFault


class TextName(NamedTuple):
    """Components of the name of a rated text."""

    paper: str
    system: str
    item: str

    def long(self) -> str:
        """Name with the system, as in long-form records."""
        return f"{self.paper}/{self.system}/{self.item}"

    def short(self) -> str:
        """Name without the system."""
        return f"{self.paper}/{self.item}"


class KnownTexts:
    """Checks that the long-form names of the texts seen are unique."""

    def __init__(self) -> None:
        self._texts: dict[str, TextName] = {}

    def add(self, name: TextName) -> None:
        """Add a text; adding it again is allowed.

        Raises:
            InputFault: another text has the same name: item "1" of "b/c" of "a", and item "1" of "c" of "a/b".
        """
        written = name.long()
        if written.count("/") == 2:  # two slashes: unambiguous
            return
        if (other := self._texts.setdefault(written, name)) != name:
            reason = (
                f'"{written}" is item "{other.item}" of "{other.system}" of "{other.paper}" and item "{name.item}" of'
            )
            advice = "papers, systems or items need other names"
            raise InputFault(f'{reason} "{name.system}" of "{name.paper}": {advice}', kind="ambiguous-name")
