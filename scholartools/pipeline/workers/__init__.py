"""Who works on records outside this process: something that takes chunks of them, and gives back futures.

- ``contract``: what such workers are, for another kind.
- ``local``: processes of this machine.
"""

from __future__ import annotations

from scholartools.pipeline.workers.contract import Limits, Workers

__all__ = ["Limits", "Workers", "make_workers"]


def make_workers(jobs: int, limits: Limits | None) -> Workers | None:
    """So many processes of this machine; None for one process that needs no limits, which can be this one."""
    if jobs == 1 and limits is None:
        return None
    from scholartools.pipeline.workers.local import Processes

    return Processes(jobs, limits or Limits())
