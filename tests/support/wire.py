"""A proxy for a PostgreSQL server that simulates network faults."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from pathlib import Path

# Maximum size of data in bytes that passes in mode "narrow".
_NARROW = 900


class Wire:
    """Forwards data between clients and the server.

    Attributes:
        mode: "whole"; "silent": sent data is lost, and so is all later data of its connection; "late": requests reach
            the server once the mode is "whole" again, though the client may be gone; "narrow": as "silent", for large
            data only. The end of a connection is forwarded only in mode "whole".
        lost: bytes of a request; once they occur, all further answers on this connection are lost.
        n_lost: number of occurrences of ``lost``.
    """

    def __init__(self, folder: Path, target: str) -> None:
        self._target = f"{target}/.s.PGSQL.5432"
        self.mode, self.lost, self.n_lost = "whole", b"", 0
        self._is_open = True
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen(50)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self._target)
                except OSError:  # the server is not running
                    client.close()
                    continue
                is_deaf = threading.Event()
                threading.Thread(target=self._tell, args=(client, server, is_deaf), daemon=True).start()
                threading.Thread(target=self._answer, args=(server, client, is_deaf), daemon=True).start()

    def _tell(self, client: socket.socket, server: socket.socket, is_deaf: threading.Event) -> None:
        is_silent = False
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                if self.lost and self.lost in data:
                    self.lost, self.n_lost = b"", self.n_lost + 1
                    is_deaf.set()
                if self.mode == "late":
                    self._wait_until_whole()
                is_silent = is_silent or self._loses(data)
                if not is_silent:
                    server.sendall(data)
        self._wait_until_whole()
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _answer(self, server: socket.socket, client: socket.socket, is_deaf: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                if self.mode == "late" or self._loses(data):
                    is_deaf.set()
                if not is_deaf.is_set():
                    client.sendall(data)
        self._wait_until_whole()
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)

    def _loses(self, data: bytes) -> bool:
        return self.mode == "silent" or (self.mode == "narrow" and len(data) > _NARROW)

    def _wait_until_whole(self) -> None:
        while self._is_open and self.mode != "whole":
            time.sleep(0.05)

    def close(self) -> None:
        """Stop forwarding."""
        self._is_open = False
        self._listener.close()
