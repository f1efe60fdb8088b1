"""Workers outside this process: they take chunks of records and return futures.

- ``contract``: the interface of workers.
- ``local``: local processes. ``cluster``: a Dask cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scholartools.errors import UsageFault
from scholartools.pipeline.workers.contract import Limits, Workers

__all__ = ["Limits", "Workers", "make_workers"]

# Maximum number of local processes: more than any machine has processors, since all are started at once.
_MOST_JOBS = 1024


def make_workers(
    jobs: int,
    limits: Limits | None,
    scheduler: str | None = None,
    path_of: Callable[[Any], str | None] | None = None,
    tell: Callable[[str], None] = lambda _: None,
    *,
    forks: bool = False,
) -> Workers | None:
    """Create ``jobs`` local processes; None for one without limits, whose work this process can do.

    Args:
        scheduler: address of a Dask cluster to use instead.
        path_of: returns the file that the work on an item opens, which must exist on the workers.
        tell: tells the user that the run waits for workers of the cluster.
        forks: whether local processes may be forked, since this process holds nothing that they must not share.

    Raises:
        UsageFault: more local processes than any machine can use.
    """
    if scheduler is not None:
        from scholartools.pipeline.workers.cluster import Cluster

        return Cluster(scheduler, limits or Limits(), path_of, tell)
    if jobs > _MOST_JOBS:
        raise UsageFault(f"{jobs} is out of range: at most {_MOST_JOBS}", parameter="jobs")
    if jobs == 1 and limits is None:
        return None
    from scholartools.pipeline.workers.local import Processes

    return Processes(jobs, limits or Limits(), forks=forks)
