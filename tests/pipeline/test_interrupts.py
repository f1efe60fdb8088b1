"""A signal between any two instructions: the run ends, with one line, and nobody waits for a lock that is held."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from types import FrameType
from typing import Any

import pytest
from support.run import BIN, ROOT, environment, jsonl

from scholartools import interrupts
from scholartools.errors import Terminated
from scholartools.pipeline.parallel import ReadAhead

NUMBERS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """What signals do is of the test alone, which may be run by nohup or in the background of a script."""
    before = [(number, signal.getsignal(number)) for number in NUMBERS]
    for number in NUMBERS:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before:
        signal.signal(number, handler)


class Tracer:
    """Sends a signal to this process before the n-th instruction of a call, unless the call has fewer."""

    def __init__(self, n: int, number: int) -> None:
        self.left, self.number = n, number

    def call(self, function: Callable[[], Any]) -> Any:
        before = sys.gettrace()
        sys._getframe().f_trace_opcodes = True  # Python 3.12.1 has no such events if no frame wants them by now
        sys.settrace(self.enter)
        try:
            return function()
        finally:
            sys.settrace(before)

    def enter(self, frame: FrameType, event: str, argument: object) -> Callable:
        frame.f_trace_opcodes = True
        return self.count

    def count(self, frame: FrameType, event: str, argument: object) -> Callable:
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(self.number)
        return self.count


def interrupt(n: int, function: Callable[[], Any]) -> bool:
    """Call a function with a signal before its n-th instruction; whether there was one, which ended it then."""
    number = NUMBERS[n % 3]
    tracer = Tracer(n, number)
    try:
        with interrupts.obey_signals():
            tracer.call(function)
    except (KeyboardInterrupt, Terminated) as error:
        assert isinstance(error, KeyboardInterrupt) == (number == signal.SIGINT)
        return True
    return tracer.left <= 0  # it came once all was done


def is_free(function: Callable[[], Any]) -> bool:
    """Whether another thread gets through a call."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(20)
    return not thread.is_alive()


def test_a_future_is_free_whenever_the_signal_came():
    for n in itertools.count(1):
        future: Future[int] = Future()
        threading.Timer(0.001, future.set_result, [1]).start()
        was_sent = interrupt(n, lambda: interrupts.is_done(future) or interrupts.await_result(future))  # noqa: B023
        assert is_free(future.result), n
        if not was_sent:
            break
    assert n > 100


def test_a_future_is_looked_at_again_and_again_with_one_callback():
    future: Future[int] = Future()
    for n, _ in enumerate(interrupts.wait(future, 0.001)):
        assert len(future._done_callbacks) == 1
        if n == 3:
            future.set_result(1)
    assert n == 3 and list(interrupts.wait(future, 9)) == []


def test_reading_ahead_ends_whenever_the_signal_came():
    for n in itertools.count(1):
        ahead, future = ReadAhead(range(9), 2), Future()
        is_over = interrupt(n, lambda: [ahead.take(2, future) for _ in range(3)])  # noqa: B023
        assert is_free(ahead.close) and is_free(lambda: future.set_result(1)), n  # noqa: B023
        if not is_over:
            break
    assert n > 100


def test_marks_of_done_futures_do_not_stop_the_reader():
    """They fill the queue as items do, and the one who takes them waits for an item that has no room."""
    gate: SimpleQueue[None] = SimpleQueue()
    ahead = ReadAhead((gate.get() or number for number in range(4)), 2)
    futures = [Future() for _ in range(3)]
    assert [ahead.take(1, future, lambda: gate.put(None)) for future in futures] == [[0], [1], [2]]
    for future in futures:
        future.set_result(1)
    gate.put(None)
    ends = time.monotonic() + 5
    while not ahead._taken.empty() and time.monotonic() < ends:
        time.sleep(0.01)
    time.sleep(0.05)  # the reader has an item and finds no room
    taken: list = []
    assert is_free(lambda: taken.extend(ahead.take(1))) and taken == [3]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_a_finalizer_swallows_ends_the_run():
    class Thing:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(Terminated), interrupts.obey_signals():
        Thing()


def test_what_the_exception_of_a_signal_became_is_the_signal_s():
    def break_lock() -> None:
        lock = threading.Lock()
        with lock:
            lock.release()
            signal.raise_signal(signal.SIGHUP)

    with pytest.raises(Terminated) as caught, interrupts.obey_signals():
        break_lock()
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_held_signals_come_at_the_end_of_the_block():
    done = []
    with pytest.raises(KeyboardInterrupt), interrupts.obey_signals(), interrupts.hold_signals():
        with interrupts.hold_signals():
            signal.raise_signal(signal.SIGINT)
        done.append("the block")
    assert done


# What stands for a library that is being imported: Ctrl-C comes, and the library swallows the exception.
IMPORTED = """
import os, time
try:
    os.kill(os.getpid(), 2)
    time.sleep(0.1)
except BaseException:
    pass
os._exit(7)
"""


@pytest.mark.parametrize("command", sorted(path.name for path in (ROOT / "bin").iterdir()))
def test_ctrl_c_during_an_import_ends_every_command_with_one_line(tmp_path, command):
    (tmp_path / "click.py").write_text(IMPORTED)
    line, run_in = [str(BIN / command), "--help"], environment(PYTHONPATH=str(tmp_path))
    done = subprocess.run(line, capture_output=True, text=True, env=run_in)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", f"{command}: interrupted\n")
    closed = subprocess.run(["bash", "-c", '"$@" 2>&-', "", *line], capture_output=True, text=True, env=run_in)
    assert (closed.returncode, closed.stdout) == (130, "")
    ignored = subprocess.run(["bash", "-c", 'trap "" INT; "$@"', "", *line], capture_output=True, text=True, env=run_in)
    assert (ignored.returncode, ignored.stderr) == (7, "")


@pytest.mark.parametrize(
    "line",
    [
        ["st-facets", "fixtures/summaries.jsonl"],
        ["st-judge", "match", "fixtures/score-limitations.jsonl"],
        ["st-agree", "alpha", "fixtures/ratings.jsonl"],
        ["st-table", "--help"],
    ],
    ids=lambda line: line[0],
)
def test_ctrl_c_at_any_moment_shows_no_traceback_of_a_command(line):
    """One from the start of Python itself, before a line of ours, is allowed."""

    def run(seconds: float | None) -> tuple[int, str]:
        with subprocess.Popen(
            [str(BIN / line[0]), *line[1:]], cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as process:  # fmt: skip
            if seconds is not None:
                time.sleep(seconds)
                process.send_signal(signal.SIGINT)
            return process.wait(60), process.stderr.read()

    begin = time.monotonic()
    assert run(None)[0] == 0
    whole, ends = time.monotonic() - begin, []
    for n in range(16):
        status, err = run(whole * n / 16)
        ends.append(status)
        if status == 130:
            assert err.endswith(f"{line[0]}: interrupted\n") and "Traceback" not in err, (n, err)
        else:
            assert status in (-2, 1, 0) and "/scholartools/" not in err.replace("/scholartools/commands/start.py", "")
    assert 130 in ends


CHILD = """
import os, signal, sys
from scholartools.commands.facets import main
from scholartools.commands.shared import command

if __name__ == "__main__":
    n, number, left = int(sys.argv.pop(1)), int(sys.argv.pop(1)), 0
    files = "/threading.py", "/futures/_base.py", "/parallel.py", "/pebble/", "/workers/local.py", "/multiprocessing/"

    def count(frame, event, argument):
        global left
        if event == "opcode":
            left += 1
            if left == n:
                signal.raise_signal(number)
        return count

    def enter(frame, event, argument):
        if frame.f_code.co_filename.endswith(files[:3]) or any(one in frame.f_code.co_filename for one in files[3:]):
            frame.f_trace_opcodes = True
            return count

    check = command.check_conditions

    def check_and_trace(context):
        check(context)
        os.register_at_fork(after_in_child=lambda: sys.settrace(None))  # the signal is for this process
        sys._getframe().f_trace_opcodes = True  # as in Tracer
        sys.settrace(enter)

    command.check_conditions = check_and_trace
    try:
        main.main(sys.argv[1:])
    finally:
        sys.settrace(None)
        if left < n:
            print(left, file=sys.stderr)
"""


@pytest.mark.slow
def test_a_command_with_processes_ends_with_one_line_whenever_the_signal_came(tmp_path):
    (tmp_path / "child.py").write_text(CHILD)
    (tmp_path / "in.jsonl").write_bytes(jsonl({"id": "p1", "abstract": "We test. It works."}) * 40)

    def run(n: int, number: int) -> tuple[int, str]:
        line = [sys.executable, "child.py", n, number, "--jobs", 2, "in.jsonl"]
        with subprocess.Popen(
            list(map(str, line)), cwd=tmp_path, env=environment() | {"PATH": os.defpath}, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                err = process.communicate(timeout=60)[1]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        return process.returncode, err

    status, err = run(10**9, 2)
    assert status == 0
    for n in range(1, int(err), int(err) // 24):
        number = NUMBERS[n % 3]
        ends = (130, "st-facets: interrupted\n") if number == signal.SIGINT else (143, "st-facets: terminated\n")
        found = run(n, number)
        assert found == ends or (found[0] == 0 and int(found[1]) < n), n  # the number of instructions varies


def test_orjson_is_imported_before_a_signal_raises_an_exception():
    """An exception in the initialization of orjson ends the process by a segmentation fault, as of st-cache stats."""
    code = (
        "import sys; from scholartools.interrupts import obey_signals\n"
        "assert 'orjson' not in sys.modules\nwith obey_signals(): assert 'orjson' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], env=environment(), check=True)
