"""What a program, or a command line, says of a model that cannot be: our own errors; and what a dry run tells."""

from __future__ import annotations

import pytest
from support.model_runs import papers
from support.run import st
from support.server import Server

from scholartools.errors import UsageFault
from scholartools.llm.settings import Settings
from scholartools.llm.usage import budget
from scholartools.pipeline import Limits, ask, estimate, run
from scholartools.tasks import facets


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": "hot"}, {"model": None}, {"model": 5}, {"max_tokens": 1.5}, {"samples": True}, {"samples": None},
        {"concurrency": None}, {"timeout": "1"}, {"max_wait": -1}, {"max_reply": 0}, {"seed": "7"}, {"top_p": [1]},
        {"samples": 10**12}, {"max_reply": 1e308}, {"seed": 2**63}, {"max_calls": 10**400}, {"retries": 10**400},
        *({name: 10**400} for name in ("temperature", "top_p", "timeout", "max_wait", "max_reply", "max_cost", "batch_wait")),
        *({name: "no"} for name in ("dry_run", "replay", "cache", "refresh", "several_per_call", "any_endpoint")),
        *({name: None} for name in ("dry_run", "replay", "cache", "refresh", "several_per_call", "any_endpoint")),
        {"cache": "off"}, {"replay": 1}, {"namespace": 5}, {"namespace": b"a"}, {"endpoint_name": True},
        {"prompt_dir": 1}, {"batch": {}}, {"batch_file": True},
    ],
)  # fmt: skip
def test_settings_of_another_type_are_refused_by_name(wrong):
    with pytest.raises(UsageFault, match=next(iter(wrong))):
        Settings(**{"model": "openai/m", **wrong})


def test_numbers_beyond_all_use_are_wrong_usage(tmp_path):
    """They were internal errors, or took all memory or processors before the first call."""
    huge = "9" * 400
    for args in (
        ("--max-calls", huge), ("--max-calls", str(2**63), "--budget", "b"), ("--max-reply", "1e308"), ("--seed", huge),
        ("--samples", str(10**12)), ("--max-tokens", huge), ("--retries", huge), ("--concurrency", huge),
    ):  # fmt: skip
        told = st("st-facets", "--model", "openai/m", *args, input=papers(2), env={"ST_CACHE": str(tmp_path / "cache")})
        assert (told.status, told.out) == (2, b"") and args[0] in told.err, args
        assert "out of range" in told.err or "too large" in told.err, args
    told = st("st-facets", "--jobs", str(2**63), input=papers(2))
    assert (told.status, told.out) == (2, b"") and "--jobs" in told.err


@pytest.mark.parametrize("given", ["gpt-4", None, {"model": "gpt-4"}])
def test_a_name_in_place_of_settings_is_refused(given):
    for caller in (ask, estimate):
        with pytest.raises(UsageFault, match=r"not Settings\(model=...\)"):
            caller([], facets.ask, given)


def test_what_is_missing_or_no_list_of_records_is_refused_in_our_own_words():
    settings = Settings("openai/m")
    for call, told in {
        Settings: "model: the name of a model is missing",
        lambda: ask(5): "not Settings", lambda: estimate(5): "not Settings",
        lambda: ask(5, settings=settings): "ask: no task is given",
        lambda: ask(5, facets.ask, settings): "the records are of the type int",
        lambda: estimate(None, facets.ask, settings): "the records are of the type NoneType",
        lambda: run(5, facets.label): "the records are of the type int",
        lambda: run(2.5, facets.label, jobs=2): "the records are of the type float",
    }.items():  # fmt: skip
        with pytest.raises(UsageFault, match=told):
            call()


def dry(tmp_path, *args: str, count: int = 3, **env: str):
    return st("st-facets", "--dry-run", *args, input=papers(count), env={"ST_CACHE": str(tmp_path), **env})


def test_a_misspelt_model_is_told_with_near_names_and_a_status(tmp_path):
    for quiet in ((), ("--quiet",)):
        told = dry(tmp_path, "--model", "openai/gpt-4o-mni", *quiet)
        assert told.status == 4 and "did you mean openai/gpt-4o-mini" in told.err
        assert told.records[0]["dry_run"]["to_send"] == 3
    assert "openai/gpt-4o" in budget.near_names("openai/gpt4o")
    assert dry(tmp_path, "--model", "hosted_vllm/mine").status == 0  # a server of one's own has no price


def test_a_dry_run_tells_three_sums_and_what_lowers_the_bound(tmp_path):
    price = ("--model", "openai/gpt-4o-mini")
    first = dry(tmp_path, *price)
    assert (
        first.status == 0
        and "likely replies: not known" in first.err
        and "--max-tokens N lowers the bound" in first.err
    )
    with Server() as server:
        done = st("st-facets", *price, input=papers(2), env={"ST_CACHE": str(tmp_path), **server.environment})
        assert done.status == 0
        told = dry(tmp_path, *price, count=6, **server.environment)
    # the mock says that each reply has 50 tokens
    assert told.records[0]["dry_run"]["likely"] == {"reply_tokens": 200}
    assert (
        "4 calls to send" in told.err
        and "likely replies: 200 tokens" in told.err
        and "upper bound if each call is sent once: " in told.err
    )
    assert "calls to send" not in dry(tmp_path, *price, "--quiet").err


def test_millions_of_tokens_can_be_read(tmp_path):
    told = dry(tmp_path, "--model", "openai/gpt-4o-mini", "--max-tokens", "16000", count=200)
    assert "upper bound if each call is sent once: 3." in told.err and " million tokens" in told.err


@pytest.mark.parametrize("wrong", [{"scheduler": 5}, {"name": b"x"}, {"bounds": 5}, {"limits": "hot"}])
def test_arguments_of_run_of_another_type_are_refused(wrong):
    with pytest.raises(UsageFault, match="is not"):
        run([], facets.label, **wrong)


@pytest.mark.parametrize("value", ["hot", 0, -1, True, float("nan"), []])
@pytest.mark.parametrize("argument", ["limits", "bounds"])
def test_limits_that_are_no_numbers_are_refused(argument, value):
    """They had no effect, or failed in another process."""
    for limits in (Limits(value, None), Limits(None, value)):
        with pytest.raises(UsageFault, match="is not a limit"):
            run([], facets.label, **{argument: limits})
