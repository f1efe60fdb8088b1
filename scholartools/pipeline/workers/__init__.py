"""Who works on records outside this process: something that takes chunks of them, and gives back futures.

- ``contract``: what such workers are, for another kind.
- ``local``: processes of this machine. ``cluster``: a Dask cluster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scholartools.pipeline.workers.contract import Limits, Workers

__all__ = ["Limits", "Workers", "make_workers"]


def make_workers(
    jobs: int,
    limits: Limits | None,
    scheduler: str | None = None,
    path_of: Callable[[Any], str | None] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Workers | None:
    """So many processes of this machine; None for one process that needs no limits, which can be this one.

    Args:
        scheduler: address of a Dask cluster, whose workers are taken instead.
        path_of: names the file that an item has opened, which must be there on such a worker.
        tell: tells a person that the run waits for the workers of a cluster.
    """
    if scheduler is not None:
        from scholartools.pipeline.workers.cluster import Cluster

        return Cluster(scheduler, limits or Limits(), path_of, tell)
    if jobs == 1 and limits is None:
        return None
    from scholartools.pipeline.workers.local import Processes

    return Processes(jobs, limits or Limits())
