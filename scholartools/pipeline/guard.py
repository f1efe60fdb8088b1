"""Whether a script may start processes: each of them runs the script once more, up to ``if __name__ == "__main__":``.

A script without that line would start processes from its processes, and each would end with a traceback.
"""

from __future__ import annotations

import functools
import multiprocessing
import sys

from scholartools.errors import UsageFault

_UNGUARDED = 86  # exit status of a process whose script starts processes again; no other meaning


def check_guard() -> None:
    """See that the program that runs can start processes; a script takes one process to find out, once.

    In a process that is being started, and runs the lines of the script, it ends that process without a word.

    Raises:
        UsageFault: the script starts its work outside ``if __name__ == "__main__":``.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(_UNGUARDED)
    if hasattr(sys.modules["__main__"], "__file__") and not _is_guarded():
        raise UsageFault(
            'a script that uses several processes must start its work under `if __name__ == "__main__":`, '
            "since every process runs the script's other lines"
        )


@functools.cache
def _is_guarded() -> bool:
    probe = multiprocessing.get_context("spawn").Process(target=_do_nothing)
    probe.start()
    probe.join()
    return probe.exitcode != _UNGUARDED


def _do_nothing() -> None:
    """The work of a process that only shows that processes can be started."""
