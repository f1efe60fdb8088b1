"""A command that is forked from a preloaded process does what it does in an interpreter of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import pytest
from support import no_network, preloaded, varied
from support.run import BIN, PAPER, ROOT, environment, jsonl

SCORES = jsonl(*({"id": str(n), "a": n, "b": n * n % 7} for n in range(9)))


@pytest.mark.parametrize(
    ("command", "args", "data"),
    [
        ("st-parse", [str(PAPER)], b""),
        ("st-facets", ["--jobs", "2"], jsonl({"id": "p", "abstract": "We propose a method. It beats the baseline."})),
        ("st-agree", ["correlate", "--x", "a", "--y", "b"], SCORES),
        ("st-agree", ["nothing"], b""),
        ("st-judge", ["match"], b"\xff\n"),
    ],
)
def test_forked_is_as_started(command: str, args: list[str], data: bytes):
    line, env = [str(BIN / command), *args], environment(ST_QUIET="1")
    forked = preloaded.run(line, data, env, str(ROOT), 60)
    started = subprocess.run(line, input=data, capture_output=True, env=env, cwd=ROOT, timeout=60)
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


def test_a_model_that_was_read_before_the_fork_is_the_one_of_a_command(tmp_path):
    (line, *_) = varied.LINES["st-judge facets"]
    test_forked_is_as_started("st-judge", ["facets"], line.make(tmp_path))


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("import sys; sys.exit('no')", 1, b"no\n"),
        ("import os; os.kill(os.getpid(), 9)", -9, b""),
        ("raise ValueError('bad')", 1, b"ValueError: bad\n"),
        ("import os; print(os.environ['OWN'], end=''); import sys; sys.stderr.write(os.getcwd())", 0, b"/"),
    ],
)
def test_the_end_of_a_script_is_told(tmp_path, code: str, status: int, said: bytes):
    script = tmp_path / "script.py"
    script.write_text(code)
    done = preloaded.run([str(script)], b"", environment(OWN="mine"), "/", 60)
    assert (done.returncode, done.stdout) == (status, b"mine" if "OWN" in code else b"")
    assert done.stderr.endswith(said)


def test_a_process_that_is_left_behind_with_the_output_open_ends_the_wait(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import os, time\nif not os.fork():\n    time.sleep(600)\n")
    with pytest.raises(subprocess.TimeoutExpired):
        preloaded.run([str(script)], b"", environment(), "/", 2)


@pytest.fixture
def in_shell(tmp_path):
    """Runs a line of bash in which a script named st-tried is forked; the script runs the code that is its argument."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    (scripts / "st-tried").write_text(f"#!{sys.executable}\nimport os, signal, sys, time\nexec(sys.argv[1])\n")
    (scripts / "st-tried").chmod(0o755)
    parent = preloaded.Parent()
    path = f"{parent.path(scripts)}{os.pathsep}{os.environ['PATH']}"

    def run(line: str, **more: str) -> tuple[int, bytes]:
        shell = ["bash", "-o", "pipefail", "-c", line]
        done = subprocess.run(shell, env=environment(PATH=path, **more), cwd=tmp_path, capture_output=True, timeout=60)
        return done.returncode, done.stdout

    yield run
    parent.end()


IS_FORKED = "print('numpy' in sys.modules)"


@pytest.mark.parametrize(
    ("line", "done"),
    [
        (f'st-tried "{IS_FORKED}"', (0, b"True\n")),
        (f'PYTHONHASHSEED=3 st-tried "{IS_FORKED}"', (0, b"False\n")),
        ("st-tried 'sys.exit(3)'; echo $?", (0, b"3\n")),
        ("st-tried 'os.kill(os.getpid(), 9)'; echo $?", (0, b"137\n")),
        ("cd / && st-tried 'print(os.getcwd(), os.environ[\"OWN\"])'", (0, b"/ mine\n")),
        ("echo ten | st-tried 'print(sys.stdin.read().strip() * 2)' | st-tried 'print(len(sys.stdin.read()))'", (0, b"7\n")),
        ("st-tried 'sys.exit(4)' | st-tried 'sys.stdin.read()'", (4, b"")),
        ("st-tried 'while True: print(1)' 2> /dev/null | head -n 1 | st-tried 'print(sys.stdin.read())'; echo ${PIPESTATUS[0]}", (0, b"1\n\n1\n")),
        ("st-tried 'import socket; print(__file__.endswith(\"scripts/st-tried\"), *sys.argv[2:])' a '' 'b\nc'", (0, b"True a  b\nc\n")),
    ],
)  # fmt: skip
def test_a_command_in_a_shell_is_forked(in_shell, line: str, done: tuple[int, bytes]):
    assert in_shell(line, OWN="mine") == done


def test_a_command_that_is_killed_in_its_shell_is_no_longer_there(in_shell, tmp_path):
    code = "print(os.getpid(), flush=True); os.fork(); time.sleep(600)"
    in_shell(f"st-tried '{code}' > pid & while [ ! -s pid ]; do sleep .1; done; kill -9 $!")
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        try:
            os.killpg(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("the command goes on")


def test_what_an_interpreter_reads_at_its_start_cannot_be_changed_by_a_fork():
    assert preloaded.is_possible(environment(ST_MODEL="openai/mock"))
    assert not preloaded.is_possible(environment(PYTHONHASHSEED="3"))
    assert not preloaded.is_possible(environment(MATPLOTLIBRC="/elsewhere"))


def test_no_test_reaches_another_machine(tmp_path):
    """Neither from this process nor from a command that is forked; what is on this machine answers."""
    code = "import socket\ntry:\n    socket.create_connection(('192.0.2.1', 9), 5)\nexcept OSError as error:\n    print(error)\n"
    (tmp_path / "s.py").write_text(code)
    forked = preloaded.run([str(tmp_path / "s.py")], b"", environment(), str(tmp_path), 60)
    assert b"tests connect to no other machine, such as 192.0.2.1" in forked.stdout
    with pytest.raises(OSError, match="no other machine"):
        socket.create_connection(("192.0.2.1", 9), 5)
    assert no_network.REFUSED.pop() == "192.0.2.1"
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
