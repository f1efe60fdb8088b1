"""Which steps of a study are made in parts: drawn steps, of which it is known by construction whether parts can be joined."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from support.run import ROOT
from support.varied import command_paths

sys.path.insert(0, str(ROOT / "studies"))
import parts  # noqa: E402

OK = r'|| [[ " ${PIPESTATUS[*]}" =~ ^(\ [01])+$ ]]'
TARGET, MORE = "out.jsonl", "mv out.jsonl.more.part out.jsonl.part"
#: Commands that work record by record, with options that leave it so.
KNOWN = [
    "st-facets",
    "env -u ST_MODEL st-generate weaknesses --system a --no-split --max-words 300",
    "st-generate limitations --corpus whole.jsonl --relation all",
    "st-judge match --layout row --model openai/gpt-4.1",
    "st-judge rate --aspects criteria.json --method direct --method icl",
    "st-claims label --edit --seed 0 --targets gold",
    "st-score match soft --reference weaknesses --candidate generated.weaknesses",
    "st-extract-limits --merge",
]
#: What may see all records together, or is not known: in place of a command that reads a file, or one that reads a pipe.
HEADS = """sort {0}|tac {0}|cat {0}|perl -ne print {0}|./mine.sh {0}|/usr/bin/sort {0}|command sort {0}|"sort" {0}|so''rt {0}|\\sort {0}
$TOOL {0}|`sort {0}`|$(sort {0})|eval sort {0}|exec sort {0}|< {0} sort|jq -c . {0}|jq -s . {0}|st-view --report {0}|st-fetch papers {0}
st-agree alpha {0}|st-annotate apply batch {0}|st-judge fit geval {0}|st-judge pools {0}|st-score match --summary {0}|st-judge rate --method all {0}
st-score match --truth people.csv {0}|st-claims weaknesses --from people.csv {0}|st-judge rate --batch-by field {0}|st-facets --max-calls 3 {0}
st-facets --never-heard-of {0}|st-never-heard-of {0}|A=1 st-facets {0}|env PATH=. st-facets {0}|env -u PATH st-facets {0}|time st-facets {0}
! st-facets {0}|st-facets others|st-facets *.jsonl|st-facets {0} > log|st-facets {0} &|st-facets
st-facets {0}.gz|( st-facets {0} )|{{ st-facets {0}; }}|st-facets <(sort {0})|st-facets --corpus out.jsonl.part {0}|nohup st-facets {0}
st-facets {0} || st-facets {0}|st-facets {0} && sort {0}|if st-facets {0}; then true; fi|while read x; do st-facets {0}; done|xargs st-facets {0}
st-score rate {0}|st-score $one {0}|st-parse {0} out.jsonl.part|st-facets --model=a {0}|st-facets -o a {0}|st-facets {0} # whole""".replace(
    "\n", "|"
).replace("||", "\0")
MIDS = """sort -r|tac|awk '{print NR, $0}'|head -n 2|tail -n +2|sed 1d|uniq|nl|jq -c .|jq -n input|python -c pass|cat|tee log|st-table|shuf
st-score match --summary|st-facets out.jsonl.part|st-facets whole.jsonl|st-parse -|st-agree alpha|while read -r a; do echo "$a"; done|rev|cut -f 1
mapfile|xargs -n 1 echo|st-facets --output other.jsonl|dd|column -t|{ cat; }|( cat )|command sort|$SORT|"$SORT"|no-such-tool""".replace(
    "\n", "|"
)
UNKNOWN_HEADS = [one.replace("\0", "||") for one in HEADS.split("|") if one]
UNKNOWN_MIDS = [one for one in MIDS.split("|") if one]
UNKNOWN_LINES = [
    "sort out.jsonl.part > out.jsonl.more.part", "st-facets others.jsonl --output out.jsonl.part", "cp others.jsonl out.jsonl.part",
    "echo more >> out.jsonl.part", "cat whole.jsonl out.jsonl.part > out.jsonl.more.part", "f() { sort; }", "trap true EXIT", "cd elsewhere",
    "set +e", "PATH=.", "export A=b", "source lib.sh", ". lib.sh", "alias a=b", "mv whole.jsonl out.jsonl.part", "wait", "true", "exit 0",
    "st-facets out.jsonl.part --output whole.jsonl", "st-facets $other --output out.jsonl.more.part", "for one in *; do",
    "for PATH in .; do st-facets out.jsonl.part --output out.jsonl.more.part; done", "rm out.jsonl.part", "st-facets out.jsonl.part others.jsonl --output out.jsonl.more.part",
    "for one in --summary; do st-facets $one out.jsonl.part --output out.jsonl.more.part; done",
    "for one in $(seq 3); do st-facets out.jsonl.part --output out.jsonl.more.part; done",
]  # fmt: skip


class Drawn:
    """A step, and whether all of it is known."""

    def __init__(self, seed: int, n_strange: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        is_copied = self.chance.random() < 0.5
        places = self.chance.randint(1, 3)
        strange = set(self.chance.sample(range(places), min(places, n_strange)))
        if is_copied:
            self.lines.append("cp in.jsonl out.jsonl.part")
        for place in range(places):
            reads = "in.jsonl" if not (place or is_copied) else "out.jsonl.part"
            self.lines += self.part(reads, place in strange)
        self.lines.append("mv out.jsonl.part out.jsonl")
        self.script = "".join(line + self.chance.choice(["\n", "; "]) for line in self.lines).rstrip("; \n") + "\n"

    def part(self, reads: str, is_strange: bool) -> list[str]:
        """A pipe that makes the next state of what is being made, in a loop or not."""
        kind = self.chance.choice(["head", "mid", "line"]) if is_strange else ""
        pipe = [f"{self.chance.choice(KNOWN)} {reads}"]
        pipe += [self.chance.choice(KNOWN) for _ in range(self.chance.randint(0, 2))]
        if kind == "head":
            pipe[0] = self.chance.choice(UNKNOWN_HEADS).format(reads)
        elif kind == "mid":
            pipe.insert(self.chance.randint(1, len(pipe)), self.chance.choice(UNKNOWN_MIDS))
        pipe[-1] += f" --output out.jsonl.more.part {self.chance.choice([OK, ''])}"
        lines = [self.chance.choice([" | ", " \\\n  | "]).join(pipe), MORE]
        if kind == "line":
            lines.insert(self.chance.choice([0, 2]), self.chance.choice(UNKNOWN_LINES))
        elif reads != "in.jsonl" and self.chance.random() < 0.4:
            lines = [f"for one in {self.chance.choice(['a b', 'x/y', '1 2 3'])}; do {'; '.join(lines)}; done"]
            lines[0] = lines[0].replace("--system a", "--system ${one##*/}")
        return lines


def test_a_step_of_known_commands_is_made_in_parts():
    for seed in range(400):
        script = Drawn(seed, 0).script
        assert parts.is_by_record(TARGET, script), script
        assert not parts.is_by_record("out.json", script)


def test_a_step_with_anything_unknown_is_made_whole():
    met = set()
    for seed in range(4000):
        script = Drawn(seed, 1 + seed % 2).script
        assert not parts.is_by_record(TARGET, script), script
        met |= {one for one in UNKNOWN_LINES + UNKNOWN_MIDS if one in script}
    assert len(met) == len({*UNKNOWN_LINES, *UNKNOWN_MIDS})


def test_any_word_more_makes_a_known_step_one_that_is_not_cut():
    """A name that nobody has thought of, at each place where a word can stand."""
    chance = random.Random(1)
    for seed in range(150):
        script = Drawn(seed, 0).script
        at = [
            place for place, mark in enumerate(script) if mark in " \n|;" and OK[3:8] not in script[place : place + 40]
        ]
        place = chance.choice(at)
        tool = "".join(chance.choices("abcdefghij", k=5))
        for more in (
            f"; {tool};",
            f"| {tool} |",
            f" --{tool} ",
            f" $({tool}) ",
            f" ${tool} ",
            f" `{tool}` ",
            f" > {tool} ",
            f" && {tool} ",
        ):
            changed = script[:place] + more + script[place:]
            assert not parts.is_by_record(TARGET, changed), changed


#: Stands for commands that work record by record: each line gets its own name, and the size of a file that is read whole.
STAND_IN = """#!/bin/sh
name=${0##*/} shard=1/1 input=- output= size=0
while [ $# -gt 0 ]; do
  case $1 in
    --shard) shard=$2; shift;;
    --output) output=$2; shift;;
    --corpus | --aspects) size=$(wc -c < "$2"); shift;;
    --merge | --edit | --no-split) ;;
    --*) shift;;
    *.jsonl | *.part) input=$1;;
  esac
  shift
done
text=$(cat "$input"; echo .)
text=${text%.}
n=$(printf %s "$text" | wc -l) at=${shard%/*} of=${shard#*/}
printf %s "$text" | awk -v f=$((n * (at - 1) / of)) -v t=$((n * at / of)) -v m="*$name$size" 'NR > f && NR <= t {print $0 m}' > "$output.$$"
if [ "$output" ]; then mv "$output.$$" "$output"; else cat "$output.$$"; rm "$output.$$"; fi
"""


@pytest.fixture
def tools(tmp_path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in {word for one in KNOWN for word in one.split() if word.startswith("st-")}:
        (folder / name).write_text(STAND_IN)
        (folder / name).chmod(0o755)
    return folder


def test_parts_of_a_drawn_step_are_the_bytes_of_the_whole(tmp_path, tools):
    env = {"PATH": f"{tools}:{os.environ['PATH']}", "SHARDS": "2"}
    for seed in range(5):
        place = tmp_path / str(seed)
        place.mkdir()
        (place / "in.jsonl").write_text("".join(f'{{"id": {number}}}\n' for number in range(5)))
        (place / "whole.jsonl").write_text("passages\n")
        (place / "criteria.json").write_text("{}\n")
        script, made = Drawn(seed, 0).script, []
        for line in (["bash", "-e", "-o", "pipefail", "-c", script], [sys.executable, parts.__file__, TARGET, script]):
            done = subprocess.run(line, cwd=place, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            assert done.returncode == 0, (script, done.stderr)
            made.append((place / TARGET).read_bytes())
            (place / TARGET).unlink()
        assert made[0] == made[1] and made[0].count(b"\n") == 5 and b"*st-" in made[0], script
        assert done.stdout == f"{TARGET}: 2 parts\n"


def test_names_that_are_known_are_those_of_commands():
    """Each task has --shard; each option takes a value where it is said to, and none is of no command."""
    met = set()
    for path, command in command_paths():
        own = parts.COMMANDS.get(path[0])
        if own is None or (path[1:] and path[1] not in own.split()):
            continue
        options = {name: one for one in command.params for name in one.opts if name.startswith("--")}
        if path[1:] or not hasattr(command, "commands"):
            assert "--shard" in options, path
        for name, one in options.items():
            if name in parts.FLAGS | parts.VALUES:
                met.add(name)
                assert (name in parts.FLAGS) == one.is_flag and one.nargs == 1, (path, name)
    assert met == parts.FLAGS | parts.VALUES
