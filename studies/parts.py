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
from collections.abc import Iterator
from pathlib import Path

#: Commands that read records and write each by itself, with their tasks that do. A step is made in parts where all that it says
#: is known from here on: any other command, option or word of the shell may see all records together.
COMMANDS = {
    "st-parse": "",
    "st-extract-limits": "",
    "st-facets": "",
    "st-eqsynth": "questions",
    "st-generate": "limitations weaknesses experiments explanations questions",
    "st-claims": "select extract weaknesses associate label edit verify contamination",
    "st-judge": "match entail equation review facets rate same-issue specificity",
    "st-score": "facets support text match soft entail equations review targets labels edits same-issue contamination",
}
FLAGS = {"--all", "--controls", "--drop", "--edit", "--merge", "--no-split", "--segment", "--vanilla"}
VALUES = {
    f"--{one}"
    for one in """aspects candidate concurrency context-words corpus embedder ensemble fetched few-shot figures images items labels
    layout max-images max-tokens max-words method model orders output reference reflect relation rerank response-format retries
    reviews samples sections seed split-words system targets temperature timeout top-k top-p votes""".split()
}
#: Methods of st-judge rate that rate a text by itself.
METHODS = {"direct", "analyze-rate", "rate-explain", "autocalibrate", "icl", "geval"}
#: How files end that a command can read a part of; of compressed ones and pipes it cannot.
READ = {"st-parse": (".jsonl", ".pdf", ".tex", ".xml", ".zip", ".gz")}
#: Options whose file each part reads whole.
WHOLE = {"--aspects", "--corpus", "--reviews"}
#: How each step goes on where some records have a fault: what rules.mk calls OK.
OK = r"""|| [[ " ${PIPESTATUS[*]}" =~ ^(\ [01])+$ ]]"""
TOKEN = re.compile(
    r"(?P<word>(?:[\w./,:=+@%-]|\$[a-z]+(?![\w])|\$\{[a-z]+(?:##\*/|/,/-)?\})+)|(?P<mark>\|(?!\|)|[;\n])|(?P<space>[ \t]+|\\\n)"
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


class Unknown(Exception):
    """A step says something of which it is not known whether parts give what the whole gives."""


def statements(script: str) -> Iterator[list[list[str]]]:
    """The lines of a script that are known kinds of shell, each as the words of its commands, which are joined by pipes.

    Raises:
        Unknown: there is anything else.
    """
    at, pipe = 0, list[list[str]]([[]])
    script = script.replace(OK, " ") + "\n"
    while at < len(script):
        if not (found := TOKEN.match(script, at)):
            raise Unknown
        at = found.end()
        if found.lastgroup == "word":
            pipe[-1].append(found[0])
        elif found[0] == "|":
            pipe.append([])
        elif found.lastgroup == "mark":
            if any(pipe):
                yield pipe
            pipe = [[]]


def is_by_record(target: str, script: str) -> bool:
    """Whether a step is known to give for a part of its records what it gives for them among all.

    It copies its input, or its first command reads it; commands after that read what is made of it, which gets the target's name.
    """
    try:
        check_step(target, script)
    except Unknown:
        return False
    return True


def check_step(target: str, script: str) -> None:
    """Raise Unknown but for a step that can be made in parts."""
    loops, has_begun, n_commands = list[str](), False, 0
    moves = [f"{target}.more.part", f"{target}.part"], [f"{target}.part", target]
    for first, *others in statements(script):
        head, *words = (first[1:] if first[:1] == ["do"] and loops else first) or [""]
        if head == "done" and loops and not words:
            loops.pop()
        elif head == "for" and is_list(target, words):
            loops.append(words[0])
        elif head == "cp" and len(words) == 2 and words[0].endswith(".jsonl") and words[1] == f"{target}.part":
            if has_begun or loops or words[0] == target:
                raise Unknown
            has_begun = True
        elif not (has_begun and head == "mv" and words in moves):
            check_pipe(target, [[head, *words], *others], loops, has_begun)
            has_begun, n_commands, others = True, n_commands + 1, []
        if others:
            raise Unknown
    if loops or not n_commands or not target.endswith(".jsonl"):
        raise Unknown


def is_list(target: str, words: list[str]) -> bool:
    """Whether a loop goes through words that are no options, no files of the step and no other variables."""
    return (
        len(words) > 2
        and re.fullmatch(r"[a-z]+ in", " ".join(words[:2])) is not None
        and not any(one.startswith(("-", target)) or "$" in one for one in words[2:])
    )


def check_pipe(target: str, pipe: list[list[str]], loops: list[str], has_begun: bool) -> None:
    """Raise Unknown but for commands that work record by record, of which the first alone reads a file."""
    for number, words in enumerate(pipe):
        if words[:2] == ["env", "-u"] and words[2:] and words[2].startswith("ST_"):
            words = words[3:]
        if not words or words[0] not in COMMANDS or set(re.findall(r"\$\{?([a-z]+)", " ".join(words))) - set(loops):
            raise Unknown
        given, files = arguments(words)
        check_options(target, given)
        writes = [value for name, value in given if name == "--output"]
        if number or has_begun or loops:
            is_known = words[0] != "st-parse" and files in ([[], ["-"]] if number else [[f"{target}.part"]])
        else:
            files += [value for name, value in given if name == "--fetched"]
            is_known = bool(files) and all(one.endswith(READ.get(words[0], ".jsonl")) for one in files)
        if not is_known or len(writes) != (number == len(pipe) - 1):
            raise Unknown


def arguments(words: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """The options of a command with their values, and the files that it reads.

    Raises:
        Unknown: an option is not known.
    """
    given, files, rest = list[tuple[str, str]](), list[str](), iter(words[1:])
    for word in rest:
        if word in VALUES:
            given.append((word, next(rest, "")))
        elif word in FLAGS:
            given.append((word, ""))
        elif word.startswith("-") and word != "-":
            raise Unknown
        else:
            files.append(word)
    tasks = COMMANDS[words[0]].split()
    while files and files[0] in tasks:
        del files[0]
    return given, files


def check_options(target: str, given: list[tuple[str, str]]) -> None:
    """Raise Unknown where a value makes something else of a command, or names a file that may be another than a part's."""
    for name, value in given:
        if name == "--method" and value not in METHODS:
            raise Unknown
        if name == "--output" and value not in (target, f"{target}.part", f"{target}.more.part"):
            raise Unknown
        if name in WHOLE and value.startswith(target):
            raise Unknown


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
    for name in set(re.findall(r"(?<![\w./-])st-[\w-]+", script)):
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
