#!/usr/bin/env python3
"""The shell of a study that is made in parts: `make SHARDS=4` makes each step that works record by record in four parts at once.

    parts.py TARGET SCRIPT

The first command of the script that reads a file gets `--shard I/N`, and what it writes stands in a folder of its part; the parts
joined are the target. Parts are processes of this machine, or jobs of an array that SUBMIT begins: `SUBMIT="sbatch --wait"`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

#: Commands that read records and write each by itself; all others, and other tools before them, see the whole of their input.
BY_RECORD = re.compile(
    r"st-(extract-limits|facets|parse|eqsynth|score|generate \w+|judge (?!fit|mates|pools|sheet)\w|claims \w+)"
)
COMMAND = re.compile(
    r"(?<![\w./-])(st-[\w-]+(?: [a-z][\w-]*)?|python[\d.]*|perl|[gm]?awk|jq|head|tail|sed|sort|uniq|shuf|wc|tac|nl|paste|join|split)"
    r"(?=\s|$)"
)
#: What makes a result of all records together, in commands and tools that write one for each.
OF_ALL = re.compile(
    r"--(summary|truth|slurp|null-input|method all|method batcheval)\b| -\w*[sn]\w* |(?<![\w-])input(s|_line_number)?\b"
)
BASH = ["bash", "-e", "-o", "pipefail", "-c"]
#: Stands before the commands of scholartools: the first that reads a file gets the part, once for each part.
FIRST = """#!/bin/sh
PATH=${PATH#"$TOOLS":}
[ -p /dev/stdin ] || { mkdir "$TURN" 2> /dev/null && exec "${0##*/}" "$@" --shard "$PART"; }
exec "${0##*/}" "$@"
"""


JOB = """#!/bin/bash
set -e -o pipefail
I=${{I:-$SLURM_ARRAY_TASK_ID}}
mkdir {place}/$I
export PART=$I/{n_parts} TURN={place}/$I/turn TOOLS={tools}
export PATH="$TOOLS:$PATH"
{script}
[ -d $TURN ]
"""


def is_by_record(target: str, script: str) -> bool:
    """Whether each command of a script gives for a part of its records what it gives for them among all."""
    found = COMMAND.findall(script)
    return (
        target.endswith(".jsonl")
        and bool(found)
        and found[0] != "jq"
        and all(one == "jq" or BY_RECORD.match(one) for one in found)
        and not OF_ALL.search(script)
    )


def make_parts(target: str, script: str, n_parts: int) -> None:
    """Make a target of its parts, which stand in a folder until then.

    Raises:
        subprocess.CalledProcessError: a part has failed.
    """
    Path("parts").mkdir(exist_ok=True)
    for left in Path("parts").glob(f"{target}-*"):  # of a run that was ended
        shutil.rmtree(left, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix=f"{target}-", dir="parts"))
    tools = place / "tools"
    tools.mkdir()
    for name in {one.split()[0] for one in COMMAND.findall(script)} - {"jq"}:
        (tools / name).write_text(FIRST)
        (tools / name).chmod(0o755)
    job = place / "job.sh"
    own = re.sub(rf"(?<![\w./-]){re.escape(target)}", f"{place}/$I/{target}", script)
    job.write_text(JOB.format(place=place, n_parts=n_parts, tools=shlex.quote(str(tools.resolve())), script=own))
    sys.stdout.write(f"{target}: {n_parts} parts\n")  # in one piece: another step may write at the same time
    sys.stdout.flush()
    run_job(job, n_parts)
    parts = [place / str(number) / target for number in range(1, n_parts + 1)]
    with open(f"{target}.part", "wb") as whole:
        for part in parts:
            whole.write(part.read_bytes())
    os.replace(f"{target}.part", target)
    shutil.rmtree(place)


def run_job(job: Path, n_parts: int) -> None:
    """Each part once, at the same time; where one fails, the others are waited for, and the step has failed.

    Raises:
        subprocess.CalledProcessError: a part has failed.
    """
    if submit := os.environ.get("SUBMIT"):
        array = [f"--array=1-{n_parts}", f"--output={job.parent}/%a.log", str(job)]
        subprocess.run([*shlex.split(submit), *array], check=True, stdout=sys.stderr)
        return
    line = ["bash", str(job)]
    running = [
        subprocess.Popen(line, env={**os.environ, "I": str(number)}, stdin=subprocess.DEVNULL)
        for number in range(1, n_parts + 1)
    ]
    for one in running:
        one.wait()
    if failed := next((one for one in running if one.returncode), None):
        raise subprocess.CalledProcessError(failed.returncode, line)


def main(target: str, script: str) -> int:
    if not is_by_record(target, script):
        return subprocess.run([*BASH, script]).returncode
    try:
        make_parts(target, script, int(os.environ["SHARDS"]))
    except subprocess.CalledProcessError as fault:
        print(f"{target}: a part ended with {fault.returncode} (parts/{target}-*)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
