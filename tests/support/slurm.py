"""Slurm on this node, started for tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.run import environment

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "scontrol", "squeue")
needs_slurm = pytest.mark.skipif(
    os.geteuid() != 0 or any(shutil.which(one, path=f"{os.environ['PATH']}:/usr/sbin") is None for one in PROGRAMS),
    reason="it needs slurm-wlm, and starts it as root",
)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running_slurm(place: Path) -> Iterator[dict[str, str]]:
    """Run Slurm on this node with its files in a folder; yield the environment of its commands."""
    for name in ("state", "spool", "munge"):
        (place / name).mkdir(parents=True)
    (place / "munge").chmod(0o700)
    (place / "key").write_bytes(os.urandom(1024))
    (place / "key").chmod(0o400)
    node = socket.gethostname().split(".")[0]
    (place / "slurm.conf").write_text(
        f"ClusterName=test\nSlurmctldHost={node}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\n"
        f"AuthInfo=socket={place}/munge/socket\nSlurmctldPort={free_port()}\nSlurmdPort={free_port()}\n"
        f"StateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool\nSlurmctldPidFile={place}/ctld.pid\n"
        f"SlurmdPidFile={place}/d.pid\nSlurmctldLogFile={place}/ctld.log\nSlurmdLogFile={place}/d.log\n"
        "ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSelectType=select/cons_tres\nReturnToService=2\n"
        "MpiDefault=none\nSwitchType=switch/none\nJobCompType=jobcomp/none\n"
        f"NodeName={node} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN\n"
        f"PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP\n"
    )
    env = {**environment(), "SLURM_CONF": str(place / "slurm.conf")}
    env["PATH"] += f"{os.pathsep}/usr/sbin"
    lines = [
        ["munged", "--foreground", "--force", f"--key-file={place}/key", f"--socket={place}/munge/socket",
         f"--pid-file={place}/munge/pid", f"--log-file={place}/munge/log", f"--seed-file={place}/munge/seed"],
        ["slurmctld", "-D", "-c"],
        ["slurmd", "-D", "-c", "-N", node],
    ]  # fmt: skip
    running: list[subprocess.Popen] = []
    try:
        for line in lines:
            with (place / f"{line[0]}.out").open("wb") as out:
                running.append(subprocess.Popen(line, env=env, stdout=out, stderr=out))
            time.sleep(1)
        for _ in range(60):
            told = subprocess.run(["sinfo", "-h", "-o", "%t"], env=env, capture_output=True, text=True).stdout
            if told.strip() == "idle":
                break
            time.sleep(0.5)
        else:
            pytest.fail("\n".join(path.read_text(errors="replace")[-800:] for path in place.glob("*.log")))
        yield env
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
