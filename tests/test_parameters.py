"""Messages name parameters as their reader writes them: in Python, on a command line, in a worker process."""

from __future__ import annotations

import pytest
from support.run import jsonl, st

from scholartools import parameters
from scholartools.commands.shared.options import option_name
from scholartools.errors import InputFault, UsageFault
from scholartools.tasks.agree.reply_scores import Reading
from scholartools.tasks.shared.items import references


def test_python_reads_the_name_of_a_parameter():
    assert parameters.parameter("range", 0, 2) == "range=(0, 2)" and parameters.parameter("ocr", True) == "ocr=True"
    with pytest.raises(UsageFault, match=r"^range: the lowest"):
        Reading()
    with pytest.raises(InputFault, match=r'^no "gold" \(name another key with reference\): the record is empty$'):
        references({}, "gold")


@pytest.mark.parametrize(
    ("named", "option"),
    [
        (("split_words",), "--split-words"),
        (("format", "text"), "--format text"),
        (("range", "LOW", "HIGH"), "--range LOW HIGH"),
        (("replay", True), "--replay"),
        (("cache", False), "--no-cache"),
        (("namespace",), "--cache-namespace"),
    ],
)
def test_a_command_reads_its_option(named, option):
    with parameters.spell_parameters(option_name):
        assert parameters.parameter(*named) == option
        assert UsageFault("no", parameter="split_words").reason == "--split-words: no"
    assert parameters.parameter("split_words") == "split_words"


def test_a_table_is_filled_when_it_is_shown():
    assert parameters.fill_parameters("texts (or {reference})") == "texts (or reference)"
    with parameters.spell_parameters(option_name):
        assert parameters.fill_parameters("texts (or {reference})") == "texts (or --reference)"


@pytest.mark.parametrize("jobs", [1, 2])
def test_worker_processes_spell_as_their_command(jobs):
    done = st("st-score", "text", "--reference", "gold", "--jobs", str(jobs), input=jsonl({"id": "a"}, {"id": "b"}))
    assert [record["errors"][0]["reason"] for record in done.records] == [
        'no "gold" (name another key with --reference): the keys of the record are "id"'
    ] * 2
