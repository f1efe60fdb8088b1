"""What a rated text is called, in records in long form, on sheets and in files of people's scores."""

from __future__ import annotations

from typing import NamedTuple

from scholartools.errors import InputFault


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


class KnownTexts:
    """The texts that were seen, by their names in long form, each of which must be one text's."""

    def __init__(self) -> None:
        self._texts: dict[str, TextName] = {}

    def add(self, name: TextName) -> None:
        """Take a text; one that was seen before may come again.

        Raises:
            InputFault: another text has its name, as item "1" of "b/c" of "a" and item "1" of "c" of "a/b" have.
        """
        written = name.long()
        if written.count("/") == 2:  # such a name can be split in one way only
            return
        if (other := self._texts.setdefault(written, name)) != name:
            reason = (
                f'"{written}" is item "{other.item}" of "{other.system}" of "{other.paper}" and item "{name.item}" of'
            )
            advice = "papers, systems or items need other names"
            raise InputFault(f'{reason} "{name.system}" of "{name.paper}": {advice}', kind="ambiguous-name")
