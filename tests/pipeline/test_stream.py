"""The stream core, seen from outside: every line accounted for, whatever comes in and whoever leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from support.run import ABSTRACT, BIN, environment, jsonl, shell, st

GOOD = {"id": "p1", "abstract": ABSTRACT}


def test_file_stdin_and_dash_give_the_same_bytes(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(jsonl(GOOD))
    from_file = st("st-facets", tmp_path / "a.jsonl")
    assert from_file.status == 0
    assert from_file.out == st("st-facets", input=jsonl(GOOD)).out == st("st-facets", "-", input=jsonl(GOOD)).out
    assert (
        from_file.out == shell(f"st-facets < {tmp_path}/a.jsonl").out == shell(f"cat {tmp_path}/a.jsonl|st-facets").out
    )


def test_files_come_in_the_order_they_are_named(tmp_path):
    for name in "ab":
        (tmp_path / name).write_bytes(jsonl({**GOOD, "id": name}))
    result = st("st-facets", tmp_path / "b", "-", tmp_path / "a", input=jsonl({**GOOD, "id": "stdin"}))
    assert [record["id"] for record in result.records] == ["b", "stdin", "a"]


def test_unknown_keys_and_values_pass_untouched():
    strange = '{"deep":[1,2.50,{"é":"\\u00e9\\ud83d\\ude00"}]}'
    line = f'{{"z":{strange},"id":"x","big":123456789012345678901234567890,"abstract":"We test."}}'
    result = st("st-facets", input=line + "\n")
    assert b"123456789012345678901234567890" in result.out, "an integer beyond 64 bits must not become a float"
    record = result.records[0]
    assert {key: record[key] for key in ("z", "id", "big")} == {
        key: value for key, value in json.loads(line).items() if key != "abstract"
    }
    assert list(record)[:4] == ["z", "id", "big", "abstract"], "keys keep their order"


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        (b"not json", "not-json", "not JSON"),
        (b'{"id": NaN}', "not-json", "not JSON"),
        (b'{"id": "cut', "not-json", "not JSON"),
        (b"\xff\xfe{}", "not-utf8", "not UTF-8 at byte 1"),
        (b"[1]", "not-an-object", "JSON, but not an object"),
        (b"null", "not-an-object", "JSON, but not an object"),
        (b"\x00", "not-json", "not JSON"),
        (b"[" * 100_000, "not-json", "not JSON"),
        (b'{"id": "x"}', "missing-key", 'no "abstract"'),
        (b'{"id": "x", "abstract": 3}', "invalid-key", '"abstract"'),
    ],
)
def test_a_bad_line_is_reported_with_its_place_and_kept(line, kind, words):
    data = jsonl(GOOD) + b"\n" + line + b"\n" + jsonl(GOOD)
    result = st("st-facets", input=data)
    assert result.status == 1
    assert f"st-facets: -:3: {words}" in result.err or ("st-facets: -:3:" in result.err and words in result.err)
    assert len(result.err.splitlines()) == 1
    first, bad, last = result.records
    assert "errors" not in first and "errors" not in last
    assert [error["kind"] for error in bad["errors"]] == [kind]
    assert bad["errors"][0]["command"] == "st-facets"


def test_a_line_that_is_no_record_is_kept_to_the_byte():
    result = st("st-facets", input=b'caf\xe9\n{"a": tru}\n')
    import base64

    assert base64.b64decode(result.records[0]["line_base64"]) == b"caf\xe9"
    assert result.records[1]["line"] == '{"a": tru}'


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_the_end_of_a_line_does_not_change_what_is_wrong_with_it(end):
    result = st("st-facets", input='{"abstract": "x"' + end)
    assert result.err.splitlines()[0] == "st-facets: -:1: not JSON: unexpected end of data at column 17"


def test_a_fault_that_is_no_record_s_leaves_each_to_be_done_alone():
    from scholartools.io import Line
    from scholartools.pipeline.outcome import attempt_all

    def many(records):
        yield {**next(records), "by": "many"}
        raise RuntimeError

    lines = [Line(f"-:{number}", {"id": number}) for number in range(3)]
    found = attempt_all("st-x", lambda record: {**record, "by": "one"}, lines, many=many)
    assert [json.loads(outcome.content)["by"] for outcome in found] == ["many", "one", "one"]


def test_nothing_usable_is_exit_3():
    result = st("st-facets", input="{garbage\nmore garbage\n")
    assert result.status == 3
    assert result.err.splitlines()[0].startswith("st-facets: -:1: not JSON")
    assert len(result.records) == 2


def test_bom_crlf_blank_lines_and_a_last_line_without_end():
    data = b"\xef\xbb\xbf" + jsonl(GOOD).replace(b"\n", b"\r\n") + b"\r\n  \n" + jsonl(GOOD).rstrip()
    result = st("st-facets", input=data)
    assert result.status == 0 and len(result.records) == 2


def test_empty_input_is_no_error():
    result = st("st-facets", input=b"")
    assert (result.status, result.out, result.err) == (0, b"", "")


def test_a_line_of_50_mb_passes():
    record = {**GOOD, "ballast": "x" * 50_000_000}
    result = st("st-facets", input=jsonl(record))
    assert result.status == 0 and len(result.out) > 50_000_000


def test_errors_travel_on_and_are_not_added_to():
    section = {"id": "s1", "number": "1", "heading": "Results", "level": 1, "role": "result", "text": "It wins."}
    first = st("st-facets", input=b"garbage\n" + jsonl({**GOOD, "sections": [section]}))
    second = st("st-score", input=first.out)
    assert [error["command"] for error in second.records[0]["errors"]] == ["st-facets"]
    assert second.status == 1
    assert "1 of 2 records had failed before" in second.err


@pytest.mark.parametrize(("policy", "ids", "status"), [("keep", 3, 1), ("skip", 2, 1), ("stop", 1, 1)])
def test_on_error(policy, ids, status):
    result = st("st-facets", "--on-error", policy, input=jsonl(GOOD) + b"bad\n" + jsonl(GOOD))
    assert (len(result.out.splitlines()), result.status) == (ids, status)


def test_every_failing_record_of_a_thousand_is_kept():
    result = shell("yes '{}' | head -1000 | st-facets --on-error keep | wc -l")
    assert result.out.strip() == b"1000"


def test_quiet_says_nothing():
    result = st("st-facets", "--quiet", input="bad\n")
    assert (result.status, result.err) == (3, "")


def test_output_file_appears_whole(tmp_path):
    target = tmp_path / "out.jsonl"
    result = st("st-facets", "--output", target, input=jsonl(GOOD))
    assert result.out == b"" and target.read_bytes() == st("st-facets", input=jsonl(GOOD)).out
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_output_may_be_the_input(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(jsonl(GOOD))
    assert st("st-facets", path, "--output", path).status == 0
    assert "facets" in json.loads(path.read_bytes())


def test_output_that_cannot_be_opened_is_exit_2_before_any_work(tmp_path):
    result = st("st-facets", "--output", tmp_path / "none" / "x", input=jsonl(GOOD))
    assert result.status == 2
    assert result.err.count("\n") == 1 and "No such file or directory" in result.err


#: A record to each command, which writes something of it whatever is in it; without a model.
WRITES = {
    "st-agree": "majority", "st-annotate": None, "st-cache": None, "st-claims": "weaknesses", "st-eqsynth": "compare",
    "st-extract-limits": "", "st-facets": "", "st-fetch": None, "st-generate": "explanations --system copy-input", "st-judge": "match", "st-parse": None,
    "st-score": "", "st-table": None, "st-view": "--report",
}  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("command", sorted(path.name for path in BIN.glob("st-*")))
def test_a_full_disk_is_one_line_and_no_failed_record(command):
    """A Makefile lets the status 1 pass, which says that some records failed: behind it half of a file was taken for whole."""
    told = f"{command}: standard output: No space left on device\n"
    for line in (f"{command} --help", f"{command} --version"):
        result = shell(f"{line} > /dev/full")
        assert (result.status, result.err) == (6, told)
    if (task := WRITES[command]) is not None:
        record = json.dumps({"item": "1", "rater": "a", "value": 1, "positive": "a = b", "alternative": "a = c"})
        result = shell(f"echo '{record}' | {command} {task} --quiet > /dev/full")
        assert (result.status, result.err) == (6, told)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("command", sorted(WRITES))
def test_messages_that_cannot_be_written_cost_no_record_and_no_status(command):
    """The first message ended the run, with the status of a run some of whose records failed."""
    task = WRITES[command] or {"st-annotate": "x", "st-cache": "x", "st-fetch": "x"}.get(command, "")
    record = json.dumps({"item": "1", "rater": "a", "value": 1, "positive": "a = b", "alternative": "a = c"})
    line = f"printf '%s\\n' 'no JSON' '{record}' 'none either' '{record}' | {command} {task} --progress on"
    whole, full, gone = (shell(f"{line} 2> {where}") for where in ("/dev/null", "/dev/full", ">(exec 0<&-)"))
    assert full.status == gone.status == whole.status and full.out == gone.out == whole.out
    usage = shell(f"{command} --no-such-option 2> /dev/full")
    assert usage.status == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_an_output_is_whole_where_no_message_can_be_written(tmp_path):
    given = b"".join(b"no JSON\n" + jsonl(GOOD) for _ in range(3))
    (tmp_path / "given").write_bytes(given)
    done = shell(f"st-facets {tmp_path}/given --output {tmp_path}/out --jobs 2 2> /dev/full")
    assert done.status == 1 and not (tmp_path / "out.part").exists()
    assert [json.loads(line).get("id") for line in (tmp_path / "out").open()] == [None, "p1"] * 3


def test_a_missing_file_stops_before_any_output(tmp_path):
    (tmp_path / "a").write_bytes(jsonl(GOOD))
    result = st("st-facets", tmp_path / "a", tmp_path / "missing.jsonl")
    assert (result.status, result.out) == (3, b"")
    assert result.err == f"st-facets: {tmp_path}/missing.jsonl: No such file or directory\n"


def test_a_folder_as_file_is_one_line(tmp_path):
    result = st("st-facets", tmp_path)
    assert result.status == 3 and result.err == f"st-facets: {tmp_path}: Is a directory\n"


def test_a_reader_who_leaves_ends_the_command_with_141():
    result = shell(f"yes '{json.dumps(GOOD)}' | head -20000 | st-facets | head -1; echo ${{PIPESTATUS[2]}}")
    record, status = result.out.splitlines()
    assert json.loads(record)["id"] == "p1"
    assert (status, result.err) == (b"141", "")


def test_a_reader_who_leaves_ends_workers_too():
    result = shell(f"yes '{json.dumps(GOOD)}' | head -20000 | st-facets --jobs 2 | head -1; echo ${{PIPESTATUS[2]}}")
    assert (result.out.splitlines()[-1], result.err) == (b"141", "")


def start(*args: str) -> subprocess.Popen:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([str(BIN / args[0]), *args[1:]], env=environment(), **pipes)


def test_records_leave_one_by_one_while_input_stays_open():
    process = start("st-facets")
    process.stdin.write(jsonl(GOOD))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == "p1"
    process.communicate()
    assert process.returncode == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("sent", "status", "word"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 143, "terminated")],
)
def test_signals_end_with_one_line(jobs, sent, status, word):
    process = start("st-facets", "--jobs", jobs)
    process.stdin.write(jsonl(GOOD) * (1 if jobs == "1" else 16))
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(sent)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err.decode()) == (status, f"st-facets: {word}\n")


def test_nohup_keeps_a_run_going():
    line = ["nohup", str(BIN / "st-facets")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(line, env=environment(), **pipes)
    process.stdin.write(jsonl(GOOD))
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    out, _ = process.communicate(jsonl(GOOD), timeout=30)
    assert process.returncode == 0 and len(out.splitlines()) == 1


def test_an_interrupted_output_keeps_its_part(tmp_path):
    process = start("st-facets", "--output", str(tmp_path / "x"))
    process.stdin.write(jsonl(GOOD))
    process.stdin.flush()
    until = time.monotonic() + 20
    while not (tmp_path / "x.part").exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert [path.name for path in tmp_path.iterdir()] == ["x.part"]


def test_killed_parents_leave_no_workers():
    process = start("st-facets", "--jobs", "2")
    process.stdin.write(jsonl(GOOD) * 16)
    process.stdin.flush()
    process.stdout.readline()
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True).stdout.split()
    assert children
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and any(os.path.exists(f"/proc/{int(child)}") for child in children):
        time.sleep(0.1)
    assert not [child for child in children if os.path.exists(f"/proc/{int(child)}")]


# A task that writes to standard output, and is never done with the record 1.
BUSY = """
import os
from scholartools.commands.shared.command import command

def work(record):
    print("noise", flush=True)
    os.write(1, b"noise")
    while record["id"] == 1:
        pass
    return record

@command("st-busy", examples=())
def main(stream):
    return stream.map_records(work, chunk=1)

if __name__ == "__main__":
    main()
"""


def test_killed_parents_leave_no_busy_workers_that_hold_the_output(tmp_path):
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    process = subprocess.Popen(
        [sys.executable, script, "--jobs", "2"], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    process.stdin.write(jsonl({"id": 0}, {"id": 1}))
    process.stdin.flush()
    assert process.stdout.readline() == b'{"id":0}\n', "what a worker prints is no record"
    process.kill()
    begun = time.monotonic()
    assert process.stdout.read() == b"" and time.monotonic() - begun < 30
    process.communicate()


@pytest.mark.slow
def test_jobs_keep_the_order_and_the_bytes():
    data = jsonl(*({**GOOD, "id": number} for number in range(500)))
    assert st("st-facets", "--jobs", "2", input=data).out == st("st-facets", input=data).out


# Lines of all kinds; other processes decode them.
MIXED = [
    jsonl(GOOD), b"\xef\xbb\xbf" + jsonl(GOOD).replace(b"\n", b"\r\n"), b"\n", b"  \n", b"{no JSON\n", b"\xff\n", b"[1]\n", b"null\n",
    b'{"id": 1, "id": 2}\n', b"{}\n", b'{"abstract": 3}\n', b'{"abstract": "We test.", "x": 2.50, "y": [-0, 1e5]}\n', b'{"x": 2.50}\n',
    b'{"abstract": "We test.", "x": 123456789012345678901234567890}\n', b'{"abstract": "We \\ud800 test."}\n',
    b'{"errors": [{"command": "st-parse", "kind": "no-text", "reason": "none"}]}\n', jsonl({**GOOD, "ballast": "x" * 2_000_000}),
    b'{"abstract": "We test.", "x": ' + b"[" * 900 + b"]" * 900 + b"}\n",
]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "on_error"),
    [
        ("st-facets", "keep"),
        ("st-claims extract", "stop"),
        ("st-claims extract", "skip"),
        ("st-score --summary", "keep"),
    ],
)
def test_processes_change_nothing_of_what_is_written_and_said(line, on_error):
    data = b"".join(MIXED * (1 if on_error == "stop" else 3))
    one, *others = [st(*line.split(), "--on-error", on_error, "--jobs", jobs, input=data) for jobs in "124"]
    assert one.status in (1, 3) and one.err
    assert all((made.status, made.out, made.err) == (one.status, one.out, one.err) for made in others)


def test_split_input_gives_the_same_bytes():
    lines = [*jsonl(*({**GOOD, "id": number} for number in range(20))).splitlines(True), b"bad\n", b"{}\n"]
    whole = st("st-facets", input=b"".join(lines)).out
    assert whole == b"".join(st("st-facets", input=b"".join(lines[i : i + 7])).out for i in range(0, len(lines), 7))


def test_progress_goes_to_stderr_only():
    result = st("st-facets", "--progress", "on", input=jsonl(GOOD))
    assert len(result.records) == 1
    assert result.err.startswith("st-facets: 1 record, 0 failed")


def test_an_option_from_the_environment():
    assert len(st("st-facets", input="bad\n", env={"ST_ON_ERROR": "skip"}).out) == 0


def test_wrong_usage_is_one_line_and_exit_2():
    result = st("st-facets", "--on-eror", "keep")
    assert result.status == 2 and result.err.count("\n") == 1 and "--on-eror" in result.err


def test_a_closed_stdout_is_one_line():
    result = shell("echo '{}' | st-facets --quiet >&-")
    assert result.status == 2 and result.err.count("\n") == 1


@pytest.mark.parametrize("depth", [300, 990])
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("core", ["", "123456789012345678901234567890"])
def test_a_deeply_nested_record_costs_nothing_else(depth, jobs, core):
    deep = '{"abstract": "We test.", "x": ' + "[" * depth + core + "]" * depth + "}\n"
    result = st("st-facets", "--jobs", jobs, input=jsonl(GOOD).decode() + deep + jsonl(GOOD).decode())
    lines = result.out.splitlines()
    assert len(lines) == 3 and (b"[" * depth + core.encode() + b"]" * depth) in lines[1]
    assert b'"errors"' not in lines[0] + lines[2]


@pytest.mark.parametrize(
    ("line", "data"),
    [
        (["st-facets", "--on-error", "stop"], jsonl(GOOD) + b"bad\n" + jsonl(GOOD)),
        (["st-facets"], b"bad\n"),
        (["st-agree"], b"bad\n"),
        (["st-agree", "--on-error", "stop"], jsonl({"item": 1, "rater": "a", "value": 1}) + b"bad\n"),
    ],
)
def test_an_output_that_is_not_whole_never_takes_the_place_of_another(tmp_path, line, data):
    target = tmp_path / "out.jsonl"
    target.write_text("what was there\n")
    result = st(*line, "--output", target, input=data)
    assert result.status in (1, 3)
    assert target.read_text() == "what was there\n"
    assert f"{target}.part" in result.err.splitlines()[-1]


@pytest.mark.parametrize("target", ["/dev/stdout", ">(cat)"])
def test_output_to_a_pipe_by_name(tmp_path, target):
    (tmp_path / "in.jsonl").write_bytes(jsonl(GOOD))
    result = shell(f"st-facets --output {target} in.jsonl | cat; wait", cwd=tmp_path)
    assert result.err == "" and len(result.records) == 1


def test_output_named_dev_stdout_adds_to_what_is_there(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(jsonl(GOOD))
    shell("echo before > out; st-facets --output /dev/stdout in.jsonl >> out", cwd=tmp_path)
    assert (tmp_path / "out").read_text().startswith("before\n{")


def test_jobs_delay_no_record_while_input_stays_open():
    process = start("st-facets", "--jobs", "2")
    process.stdin.write(jsonl(GOOD) * 3)
    process.stdin.flush()
    assert [json.loads(process.stdout.readline())["id"] for _ in range(3)] == ["p1"] * 3
    process.communicate()


def test_errors_that_are_no_list_are_kept():
    record = st("st-facets", input=jsonl({"abstract": 3, "errors": "mine"}), is_described=False).records[0]
    assert record["errors"][0] == "mine" and record["errors"][1]["kind"] == "invalid-key"


# A task that is done at once with the first record, and with the second only once a file is there.
WAITING = """
import os, sys
from scholartools.commands.shared.command import command

def wait(record):
    while record["id"] == 2 and not os.path.exists(sys.argv[0] + ".done"):
        pass
    return record

@command("st-wait", examples=())
def main(stream):
    return stream.map_records(wait)

main()
"""


def test_a_record_that_is_done_waits_for_no_slow_one(tmp_path):
    script, done = tmp_path / "wait.py", tmp_path / "wait.py.done"
    script.write_text(WAITING)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, script], env=environment(), **pipes)
    process.stdin.write(jsonl({"id": 0}, {"id": 1}, {"id": 2}))
    process.stdin.close()
    first = [json.loads(process.stdout.readline()) for _ in range(2)]
    done.touch()
    assert [record["id"] for record in first] == [0, 1] and json.loads(process.stdout.read()) == {"id": 2}
    assert process.wait(30) == 0


@pytest.mark.parametrize("more", [(), ("--jobs", "2")])
def test_a_reader_who_leaves_ends_a_command_that_waits_for_input(more):
    process = start("st-facets", *more)
    process.stdin.write(jsonl(GOOD))
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(jsonl(GOOD))
    process.stdin.flush()
    assert process.wait(60) == 141
