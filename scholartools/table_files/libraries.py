"""Optional libraries for some table formats, installed as extras of the package."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from scholartools.errors import UsageFault


@contextlib.contextmanager
def extra(name: str, library: str) -> Iterator[None]:
    """Block that imports an optional library.

    Raises:
        UsageFault: it is not installed; the message says how to install it.
    """
    try:
        yield
    except ImportError:
        raise UsageFault(f'{library} is not installed: pip install "scholartools[{name}]"') from None
