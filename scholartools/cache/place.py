"""Location of a cache: a file on a local disk, or a database on a PostgreSQL server."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from urllib.parse import unquote

from scholartools.errors import ModelFault, UsageFault
from scholartools.parameters import parameter

# Start of a server address; and texts meant as such an address, with a missing slash or a prefix: no file has such a
# name.
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_MEANT_ADDRESS = re.compile(r"\W*(postgres(ql)?:|[a-z][a-z0-9+.-]+:/)|.*://", re.I | re.S)
_POSTGRES = ("postgresql", "postgres")
# One or several hosts with optional ports.
_HOST = r"(\[[^\]]*\]|[^:,]*)(:\d*)?"
_HOSTS = re.compile(f"{_HOST}(,{_HOST})*")


class Locked(ModelFault):
    """Another process held the lock of a file, or a server did not respond, for longer than the time to wait."""

    kind = "cache-locked"


class ServerAddress:
    """Address of a database; its text omits user, password and options.

    Attributes:
        url: the address as given, with the scheme in lower case, as PostgreSQL requires; must not be shown, since it
            may contain a password.
        is_clear: whether the secret parts can be identified: an "@" or "/" in a password must be written as %40 or %2F.
        secrets: the secret parts, as written in the address.
    """

    def __init__(self, url: str) -> None:
        scheme, _, rest = url.partition("://")
        self.url = f"{scheme.lower()}://{rest}"
        user, at, place = rest.partition("@")
        if not at or "/" in user:  # as PostgreSQL parses it
            user, place = "", rest
        place, _, options = place.partition("?")
        self._host, _, self._database = place.partition("/")
        given = [option.partition("=")[::2] for option in options.split("&")]
        self._options = {unquote(name): value for name, value in given}
        in_options = (value for name, value in self._options.items() if name.endswith("password"))
        self.secrets = {secret for secret in (user.partition(":")[2], *in_options) if secret}
        self.is_clear = "@" not in place + "".join(self._options) and _HOSTS.fullmatch(self._host) is not None

    def __str__(self) -> str:
        """Host and database, without secrets."""
        host, database = self._host, self._database
        if not self.is_clear:
            host = database = "..."
        named = {name: unquote(value) for name, value in self._options.items()}
        return f"postgresql://{host or named.get('host', '')}/{database.strip('/') or named.get('dbname', '')}"

    @property
    def has_password(self) -> bool:
        """Whether the address or its options contain a password."""
        return bool(self.secrets)


Place = Path | ServerAddress

NEEDS_PACKAGE = "a cache in PostgreSQL needs the package psycopg: pip install 'scholartools[postgres]'"


def default_place() -> Place:
    """Default place of the cache: ``$ST_CACHE``, else ``scholartools`` in ``$XDG_CACHE_HOME``, else in ``~/.cache``.

    Raises:
        UsageFault: as :func:`cache_place`.
        ModelFault: no variable is set and there is no home folder.
    """
    if named := os.environ.get("ST_CACHE"):
        return cache_place(named)
    return cache_file(user_folder())


def user_folder() -> Path:
    """Folder of scholartools in the user's cache folder."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path("~/.cache")) / "scholartools"


def cache_place(named: str | os.PathLike[str]) -> Place:
    """Place of a cache: a PostgreSQL database, or a file as in :func:`cache_file`.

    Raises:
        UsageFault: the address is of another kind of server or cannot be parsed (it is not shown, since it may contain
            a password); or the package for PostgreSQL is not installed.
        ModelFault: as :func:`cache_file`.
    """
    address = _ADDRESS.match(os.fspath(named))
    if address is None or address[1].lower() not in _POSTGRES:
        return cache_file(named)
    if importlib.util.find_spec("psycopg") is None:
        raise UsageFault(NEEDS_PACKAGE)
    place = ServerAddress(os.fspath(named))
    if not place.is_clear:
        raise UsageFault(
            "the address of the database cannot be read: postgresql://HOST/DATABASE; "
            'in a user or a password "@" is written %40, and "/" %2F (ST_CACHE)'
        )
    return place


def cache_file(named: str | os.PathLike[str]) -> Path:
    """File of a cache: ``named`` itself if it ends in ``.sqlite``, else ``calls.sqlite`` in that folder.

    Raises:
        UsageFault: it is a server address, which is not shown, since it may contain a password.
        ModelFault: the path starts with ``~`` and there is no home folder.
    """
    if address := _ADDRESS.match(os.fspath(named)):
        reason = f"a cache is a folder, a file or a postgresql:// database, not a server at {address[0]}..."
        if address[1].lower() in _POSTGRES:
            reason = f"needs a folder or a file on a local disk, not a database at {address[0]}..."
        raise UsageFault(f"{reason} (ST_CACHE, or {parameter('cache')})")
    if _MEANT_ADDRESS.match(os.fspath(named)):
        reason = "looks like the address of a database and cannot be read: postgresql://HOST/DATABASE, with two slashes"
        raise UsageFault(f"{reason} (ST_CACHE, or {parameter('cache')})")
    try:
        path = Path(named).expanduser().absolute()
    except RuntimeError:
        raise ModelFault(
            f"{named}: there is no home folder; set ST_CACHE to another path for the cache", kind="cache"
        ) from None
    if path.suffix != ".sqlite" and path.is_file():
        reason = "a file, but no cache: a cache is a folder, or a file whose name ends in .sqlite"
        raise ModelFault(f"{path}: {reason} (ST_CACHE, or {parameter('cache')})", kind="cache")
    return path if path.suffix == ".sqlite" else path / "calls.sqlite"
