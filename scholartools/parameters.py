"""How a message names a parameter: as Python writes it, or as the option of a command.

A function that refuses a value names the parameter: ``f"{parameter('sections')}: the name is empty"``. Python users
read ``sections``; a command sets, while it runs, the spelling of its command line, and its users read ``--sections``.
Like a language of messages this is one setting for the whole process; worker processes get that of their parent.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

#: Takes a parameter's name and the values that a message gives it, none or more.
Spelling = Callable[..., str]


def python_spelling(name: str, *values: Any) -> str:
    """``name``, ``name=value`` or ``name=(first, second)``."""
    if not values:
        return name
    return f"{name}={values[0]}" if len(values) == 1 else f"{name}=({', '.join(map(str, values))})"


_spelling: Spelling = python_spelling


def parameter(name: str, *values: Any) -> str:
    """A parameter as the reader of messages writes it, with the values that it is to have where some are given.

    Args:
        name: of the parameter in Python.
        values: True and False are what a flag is, where it is one.
    """
    return _spelling(name, *values)


def fill_parameters(text: str) -> str:
    """A text with each ``{name}`` in it as :func:`parameter` writes it; for tables that are shown later."""
    return re.sub(r"\{(\w+)\}", lambda found: parameter(found[1]), text)


def get_spelling() -> Spelling:
    """The spelling of this process."""
    return _spelling


def set_spelling(spelling: Spelling) -> None:
    """Spell parameters so from now on."""
    global _spelling
    _spelling = spelling


@contextlib.contextmanager
def spell_parameters(spelling: Spelling) -> Iterator[None]:
    """Spell parameters so until the block ends."""
    before = get_spelling()
    set_spelling(spelling)
    try:
        yield
    finally:
        set_spelling(before)
