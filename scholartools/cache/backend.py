"""Interface of a database connection of a cache, to a file or a server. Not thread-safe."""

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
    """A database connection; every error is raised as ModelFault.

    Attributes:
        readonly: whether writing is disabled, by request or for lack of permission.
        patience: seconds to wait for a lock of another process, or for a server that does not respond.
        limit: timeout of a statement on a server in seconds, None for no limit.
    """

    readonly: bool
    patience: float
    limit: float | None

    @property
    def place(self) -> Path | ServerAddress:
        """Absolute path of the file, or address of the database."""

    @property
    def statements(self) -> Statements:
        """Statements in the dialect of the database."""

    @property
    def is_locked(self) -> bool:
        """Whether the last access had to wait."""

    @property
    def has_patience(self) -> bool:
        """Whether it would keep waiting."""

    def close(self) -> None:
        """Close the connection."""

    def rows(self, query: str, *values: Any) -> list[Any]:
        """Run a statement and return all rows."""

    def changes(self, query: str, *values: Any) -> int:
        """Run a statement and return the number of rows written."""

    def each(self, query: str, *values: Any) -> Iterator[Any]:
        """Run a statement and iterate over its rows."""

    def transaction(self, *, reading: bool = False) -> AbstractContextManager[None]:
        """Run the block in a transaction, rolled back if it raises; a ``reading`` transaction sees one snapshot."""

    def begin_reading(self) -> bool:
        """Start reading from one snapshot until :meth:`end_reading`; return whether a snapshot was started."""

    def end_reading(self) -> None:
        """End the snapshot of :meth:`begin_reading`, if there is one."""

    def refuse_locked(self) -> None:
        """Stop waiting for other processes from now on."""

    def prove_writable(self) -> None:
        """Check that writing works, by a write without effect; raise ModelFault if it does not."""

    def shrink(self) -> None:
        """Free the space of deleted rows."""

    def size(self) -> int:
        """Size on disk in bytes."""

    def integrity(self) -> str | list[str]:
        """ "ok", or errors in the structure of the database."""

    def fault(self, reason: str, kind: str = "cache") -> ModelFault:
        """Create an error that names the place of the cache."""
