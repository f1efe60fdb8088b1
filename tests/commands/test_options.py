"""Options of all commands: the variables that set them, a model that a variable names, options without effect."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from support.run import ROOT, environment, jsonl, st

from scholartools.commands.shared.man import COMMANDS, load_command
from scholartools.commands.shared.options import Option

RATINGS = ROOT / "fixtures" / "ratings.jsonl"


def all_options() -> Iterator[tuple[str, click.Option]]:
    """Each option but --help of each command and task, with the module of its command."""
    for module in COMMANDS:
        command = load_command(module)
        for one in [command, *getattr(command, "commands", {}).values()]:
            yield from ((module, option) for option in one.params if isinstance(option, click.Option))


# What the extras install, and the libraries that ask models and batches, by the names under which they are imported.
EXTRAS = {
    "torch", "transformers", "sacrebleu", "distributed", "dask", "tornado", "sentence_transformers", "pandas", "pyarrow",
    "matplotlib", "polars", "psycopg", "python_calamine", "xlsxwriter", "litellm", "openai", "aiohttp", "httpx",
}  # fmt: skip


def test_no_help_imports_a_library_of_an_extra():
    """Of all commands and tasks in one interpreter; the time that a help takes is in `make bench`."""
    code = """
import contextlib, io, sys
from scholartools.commands.shared.man import COMMANDS, load_command
n = 0
for module in COMMANDS:
    command = load_command(module)
    for task in [[], *([name] for name in getattr(command, "commands", {}))]:
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.suppress(SystemExit):
            command.main([*task, "--help"], prog_name=command.name)
        n += said.getvalue().startswith("Usage: ")
print(n, *sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    n_helps, *imported = done.stdout.split()
    assert int(n_helps) > 60 and "scholartools" in imported, done.stderr
    assert EXTRAS.isdisjoint(imported)


def test_each_option_has_the_variable_of_its_name():
    """Those that choose replies of st-cache have none: ST_MODEL is for the commands that ask one."""
    options = [(module, option) for module, option in all_options() if option.expose_value]
    assert len(options) > 500
    assert [(module, option.opts) for module, option in options if not isinstance(option, Option)] == []
    wrong = [
        (module, option.opts[0], option.envvar)
        for module, option in options
        if option.envvar != "ST_" + option.opts[0][2:].replace("-", "_").upper() and option.allow_from_autoenv
    ]
    assert wrong == []
    unset = {(module, option.opts[0]) for module, option in options if option.envvar is None}
    assert {module for module, name in unset if name != "--shard"} == {"cache"}


def test_a_variable_has_the_name_of_the_option_and_not_of_the_parameter():
    assert b"rouge" in st("st-score", env={"ST_LIST": "1"}).out
    line = ["st-claims", "label"]
    assert "no-such-file" in st(*line, env={"ST_FROM": "no-such-file"}).err
    assert "no-such-file" not in st(*line, env={"ST_PEOPLE": "no-such-file"}).err


def test_a_value_is_refused_of_the_variable_that_set_it():
    done = st("st-agree", RATINGS, env={"ST_JOBS": "0"})
    assert done.status == 2 and "'ST_JOBS'" in done.err and "--jobs" not in done.err
    assert "'--jobs'" in st("st-agree", "--jobs", "0", RATINGS).err


@pytest.mark.parametrize(
    "line",
    [
        "st-judge match --summary",
        "st-judge match --table",
        "st-generate experiments --input",
        "st-eqsynth --table",
        "st-eqsynth --verify",
        "st-facets --html",
        "st-claims label --from no-such-file",
    ],
)
def test_where_records_are_only_read_a_model_of_the_environment_is_left_aside(line):
    option = next(word for word in line.split() if word.startswith("--"))
    alone = st(*line.split(), input=b"")
    named = st(*line.split(), input=b"", env={"ST_MODEL": "openai/none"})
    assert (named.status, named.out, named.err) == (alone.status, alone.out, alone.err)
    typed = st(*line.split(), "--model", "openai/none", input=b"")
    assert typed.status == 2 and f"{option} cannot be used with --model: it asks no model" in typed.err


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("st-judge match --threshold .5", "st-judge match"),
        ("st-generate weaknesses --corpus x", "st-generate weaknesses"),
        ("st-eqsynth --ops sign", "st-eqsynth questions"),
    ],
)
def test_a_way_without_a_model_names_the_variable_that_bars_it(line, command):
    named = st(*line.split(), input=b"", env={"ST_MODEL": "openai/none"})
    assert named.status == 2
    assert f"cannot be used with --model, which ST_MODEL sets: leave it out with ST_MODEL= {command} ..." in named.err
    typed = st(*line.split(), "--model", "openai/none", input=b"")
    assert typed.status == 2 and "cannot be used with --model\n" in typed.err
    assert "--model" not in st(*line.split(), input=b"", env={"ST_MODEL": ""}).err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("st-claims select --model m --max-cost 0", "--model needs --topic"),
        ("st-claims select --max-cost 0", "--max-cost needs --topic"),
        ("st-eqsynth --all-aligned", "--all-aligned needs --filter model"),
        (
            "st-facets --prompt-dir no-such-folder --model m",
            "'--prompt-dir': Directory 'no-such-folder' does not exist",
        ),
        ("st-facets --html --temperature .5", "--temperature needs --model"),
        ("st-facets --model m --refresh --no-cache", "--refresh cannot be used with --no-cache"),
        ("st-facets --model m --jobs 2", "--jobs above 1 has no effect with --model; --concurrency"),
        ("st-judge sheet --guide --seed 3", "--seed cannot be used with --guide"),
        ("st-claims verify --model m --no-types --labels x", "--labels cannot be used with --no-types"),
        ("st-claims label --model m --images none --max-images 3", "--max-images needs --images all"),
        ("st-facets --quiet --progress on", "--progress on cannot be used with --quiet"),
        ("st-judge fit icl --trials 3", "--trials has no effect with icl: it is an option of autocalibrate"),
        (
            "st-judge fit icl --model m",
            "--model has no effect with icl: it is an option of autocalibrate or geval or coascore",
        ),
        (
            "st-judge fit geval --split .3 --model m",
            "--split has no effect with geval: it is an option of autocalibrate or icl",
        ),
        ("st-judge fit geval --candidate x --model m", "--candidate has no effect with geval"),
        ("st-judge rate --method geval --steps none --model m", "--steps none has no effect without --method analyze"),
        ("st-judge rate --min-samples 5 --model m", "--min-samples 5: no rating has more than 1"),
        ("st-judge rate --combine mode --model m", "--combine has no effect: no rating has more than one sample"),
        ("st-extract-limits --keywords=", "--keywords: the value is empty"),
        ("st-extract-limits --keywords a,,b", '--keywords: "" has no letter'),
        ("st-facets --model m --max-cost nan", "--max-cost: nan is not a finite number"),
        ("st-facets --model m --temperature nan", "--temperature: nan is not a finite number"),
        ("st-agree alpha --order low,high", "--order needs --level ordinal, not nominal"),
    ],
)
def test_an_option_without_effect_is_refused(line, message):
    done = st(*line.split(), input=b"")
    assert done.status == 2 and message in done.err and done.err.count("\n") == 1


def test_processes_beside_a_model_that_a_variable_names_are_refused_where_it_would_be_asked():
    env = {"ST_MODEL": "openai/none"}
    done = st("st-judge", "rate", "--jobs", "2", input=b"", env=env)
    assert done.status == 2 and "--jobs above 1 has no effect with --model, which ST_MODEL sets" in done.err
    assert st("st-judge", "rate", "--baselines", "--jobs", "2", input=b"", env=env).status == 0
    assert st("st-facets", input=b"", env={**env, "ST_JOBS": "2"}).status == 0


def test_variables_that_exclude_each_other_are_named_as_options():
    done = st("st-facets", "--model", "m", input=b"", env={"ST_REPLAY": "1", "ST_REFRESH": "1"})
    assert done.status == 2
    assert "--replay answers from the cache alone: it cannot be used with --refresh" in done.err


@pytest.mark.slow
def test_runs_name_the_system_that_nothing_was_scored_of():
    record = {"id": "a", "scores": [], "texts": ["a b"], "gold": "a b"}
    line = ("text", "--candidate", "texts.0", "--reference", "gold", "--runs", "nosuch,other", "--table")
    done = st("st-score", *line, input=jsonl(record))
    assert done.status == 2 and done.out == b"" and '--runs: no system "nosuch" has scores' in done.err


def test_weighted_kappa_of_words_is_refused_once():
    done = st("st-agree", "kappa", "--weights", "quadratic", RATINGS)
    assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1)
    assert "name the scale with --order LOW,...,HIGH" in done.err


@pytest.mark.parametrize(
    "line",
    [
        "st-claims label --from",
        "st-parse --reviews",
        "st-parse --files-from",
        "st-score rate --key id --truth",
        "st-generate weaknesses --corpus",
        "st-judge sheet --read",
        "st-judge sheet --aspects",
        "st-judge facets --model m --few-shot",
    ],
)
def test_a_file_that_an_option_names_and_that_is_missing_is_wrong_usage(line, tmp_path):
    done = st(*line.split(), "no-such-file", input=b"", env={"ST_CACHE": str(tmp_path)})
    assert (done.status, done.out) == (2, b"")
    assert done.err == f"{line.split()[0]}: {line.split()[-1]} no-such-file: No such file or directory\n"


def test_people_s_answers_do_not_stand_on_standard_input():
    done = st("st-claims", "label", "--from", "-", input=b"")
    assert (done.status, done.err) == (2, "st-claims: --from: standard input is for the papers; name a file\n")


def test_quiet_is_stronger_than_a_variable_that_asks_for_progress():
    done = st("st-agree", "alpha", "--quiet", RATINGS, env={"ST_PROGRESS": "on"})
    assert done.status == 0 and done.err == ""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("st-judge", "facets", "--samples", "two"), "'--samples': 'two' is not a whole number."),
        (("st-facets", "--max-cost", "two"), "'--max-cost': 'two' is not a number."),
        (("st-judge", "rate", "--min-mass", "half"), "'--min-mass': 'half' is not a number."),
    ],
)
def test_what_is_no_number_is_told_in_plain_words(command, said):
    run = st(*command)
    assert run.status == 2 and said in run.err and "range" not in run.err


WRITERS_OF_JSON_LINES = (
    ("st-agree", "alpha"), ("st-score", "text"), ("st-score", "text", "--summary"), ("st-facets",), ("st-parse",),
    ("st-judge", "rate", "--baselines"), ("st-judge", "sheet", "--read", "anna.csv"), ("st-cache", "list"),
    ("st-claims", "extract"), ("st-extract-limits",),
)  # fmt: skip


@pytest.mark.parametrize("ending", [".csv", ".tsv.gz", ".xlsx", ".PARQUET"])
@pytest.mark.parametrize("line", WRITERS_OF_JSON_LINES, ids=" ".join)
def test_no_file_of_json_lines_has_the_name_of_a_table(line, ending, tmp_path):
    """A workbook of JSON lines opens nowhere, and a CSV of them reads as other columns."""
    done = st(*line, "--output", str(tmp_path / f"out{ending}"), input=b"")
    assert (done.status, done.out, list(tmp_path.iterdir())) == (2, b"", [])
    assert f"out{ending} names a table" in done.err and "st-table" in done.err


def test_every_output_option_has_the_condition():
    outputs = [option for _, option in all_options() if option.opts[0] == "--output"]
    assert len(outputs) > 50
    assert [option.name for option in outputs if not getattr(option, "conditions", ())] == []


def test_what_writes_csv_may_be_named_so(tmp_path):
    scores, sheet, table = (tmp_path / name for name in ("scores.csv", "sheet.csv", "table.xlsx"))
    data = ROOT / "fixtures"
    assert st("st-score", "text", "--csv", data / "summaries.jsonl", "--output", str(scores)).status == 0
    assert st("st-judge", "sheet", data / "rated-questions.jsonl", "--output", str(sheet)).status == 0
    assert st("st-table", "papers", data / "summaries.jsonl", "--output", str(table)).status == 0
    assert scores.read_text().count(",") > 5 and sheet.read_text().count(",") > 5
    assert table.read_bytes()[:2] == b"PK"
    assert st("st-score", "text", "--csv", data / "summaries.jsonl", "--output", str(table)).status == 2


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("st-facets", "--output"), ("st-parse", "--files-from"), ("st-score text", "--candidate"), ("st-facets", "--model"),
        ("st-agree alpha", "--item"), ("st-table papers", "--columns"),
    ],
)  # fmt: skip
def test_an_empty_value_is_refused(command, option):
    """``--files-from "$LIST"`` without the variable read standard input, and ``--candidate ""`` scored other texts."""
    done = st(*command.split(), option, "", input=b"{}")
    assert (done.status, done.out, done.err.splitlines()[0]) == (
        2,
        b"",
        f"{command.split()[0]}: {option}: the value is empty",
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("st-facets --max-seconds nan", "--max-seconds: nan is not a finite number"),
        ("st-facets --max-seconds 1e400", "--max-seconds: inf is not a finite number"),
        ("st-facets --model m --max-cost nan", "--max-cost: nan is not a finite number"),
        ("st-parse --max-memory 99999999999999999999999", "--max-memory: 99999999999999999999999 is too large"),
        ("st-parse --max-memory 9999999999999999", "--max-memory: 9999999999999999 is too large"),
        ("st-parse --max-memory 9007199254740991", "not a paper"),
    ],
)
def test_a_number_that_bounds_nothing_is_refused(line, told):
    """With nan no bound held; so large a memory ended st-parse with an internal error."""
    done = st(*line.split(), input=b"{}")
    assert done.status in (2, 3) and told in done.err.splitlines()[0]
