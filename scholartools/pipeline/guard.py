"""Check that a script can start processes, each of which runs the script again up to ``if __name__ == "__main__":``.

Without that line, the processes of a script would start processes themselves, and each would fail with a traceback.
"""

from __future__ import annotations

import functools
import multiprocessing
import sys

from scholartools.errors import UsageFault

_UNGUARDED = 86  # exit status of a test process whose script starts processes again; otherwise unused


def check_guard() -> None:
    """Check that the running program can start processes; for a script, this starts one test process, once.

    In a process that is being spawned and runs the top level of the script, exit silently.

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
    """Target of the test process."""
