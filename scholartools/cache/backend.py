"""What keeps the tables of a cache: a connection to a file or to a server. For one thread at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from scholartools.cache.place import ServerAddress
    from scholartools.cache.statements import Statements
    from scholartools.errors import ModelFault


class Backend(Protocol):
    """A connection; every fault comes as a ModelFault.

    Attributes:
        readonly: nothing is written: as asked for, or because it may not be.
        patience: seconds to wait for another process, or for a server that does not answer.
        limit: seconds that a statement to a server may take, None for any.
    """

    readonly: bool
    patience: float
    limit: float | None

    @property
    def place(self) -> Path | ServerAddress:
        """Of the file, absolute, or the address of the database."""

    @property
    def statements(self) -> Statements:
        """The statements that it understands."""

    @property
    def is_locked(self) -> bool:
        """Whether it had to wait when it was last used."""

    @property
    def has_patience(self) -> bool:
        """Whether it would still wait."""

    def close(self) -> None:
        """Close the connection."""

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Run a statement; all its rows."""

    def changes(self, query: str, *values: Any) -> int:
        """Run a statement; the number of rows it wrote."""

    def each(self, query: str, *values: Any) -> Iterator[Any]:
        """Run a statement; its rows one by one."""

    def transaction(self, *, reading: bool = False) -> AbstractContextManager[None]:
        """Everything in the block or, if it raises, nothing; while ``reading``, all of one moment."""

    def begin_reading(self) -> bool:
        """Read one moment from now on, until :meth:`end_reading`; whether that begins here and is of use."""

    def end_reading(self) -> None:
        """End what :meth:`begin_reading` began, if it did."""

    def refuse_locked(self) -> None:
        """From now on wait for no other process."""

    def prove_writable(self) -> None:
        """Write what is there already, or raise ModelFault."""

    def shrink(self) -> None:
        """Free the space of deleted rows."""

    def size(self) -> int:
        """Bytes on the disk."""

    def integrity(self) -> str | list[str]:
        """ "ok", or faults in the structure of what is stored."""

    def fault(self, reason: str, kind: str = "cache") -> ModelFault:
        """A fault that names the place."""
