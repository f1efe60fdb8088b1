"""Spelling of parameters in messages: as in Python, or as the option of a command.

A function that rejects a value names the parameter: ``f"{parameter('sections')}: the name is empty"``. Python users
read ``sections``; a command sets the spelling of its command line while it runs, so its users read ``--sections``. The
spelling is one setting for the whole process, as the language of messages would be; worker processes inherit it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

#: Function of a parameter's name and of the values that the message shows, if any.
Spelling = Callable[..., str]


def python_spelling(name: str, *values: Any) -> str:
    """``name``, ``name=value`` or ``name=(first, second)``."""
    if not values:
        return name
    return f"{name}={values[0]}" if len(values) == 1 else f"{name}=({', '.join(map(str, values))})"


_spelling: Spelling = python_spelling


def parameter(name: str, *values: Any) -> str:
    """Spell a parameter for the reader of a message, with its values if some are given.

    Args:
        name: name of the parameter in Python.
        values: values to show; True and False for a flag.
    """
    return _spelling(name, *values)


def fill_parameters(text: str) -> str:
    """Replace each ``{name}`` in a text by the spelling of the parameter; for messages in constants."""
    return re.sub(r"\{(\w+)\}", lambda found: parameter(found[1]), text)


def get_spelling() -> Spelling:
    """Spelling used in this process."""
    return _spelling


def set_spelling(spelling: Spelling) -> None:
    """Use this spelling from now on."""
    global _spelling
    _spelling = spelling


@contextlib.contextmanager
def spell_parameters(spelling: Spelling) -> Iterator[None]:
    """Use this spelling until the block ends."""
    before = get_spelling()
    set_spelling(spelling)
    try:
        yield
    finally:
        set_spelling(before)
