"""What providers send that is no good reply, and what a run makes of it: nothing leaks, nothing is lost, nothing unpaid."""

from __future__ import annotations

import base64
import json
import subprocess
import time
from urllib.parse import quote

import pytest
from support.run import BIN, environment, jsonl, st
from support.server import Server, completion, facets

from scholartools.cache import Cache, Selection, cache_file
from scholartools.llm.faults import clean_words
from scholartools.llm.reading import read_reply

KEY = "sk-live/Zq+84'canary\"0123456789=="
MODEL = ("--model", "openai/gpt-4o-mini")
PRICE_IN, PRICE_OUT = 0.15e-6, 0.6e-6


@pytest.fixture
def cache(tmp_path):
    return {"ST_CACHE": str(tmp_path / "cache")}


def papers(count: int, text: str = "They ask why. We do it. It works. So do more.") -> bytes:
    return jsonl(*({"id": f"p{n}", "abstract": f"Paper {n}. {text}"} for n in range(count)))


def run(server: Server | None, cache: dict, *args: str, data: bytes | None = None, model=MODEL, **env: str):
    env = {**cache, **(server.environment if server else {}), **env}
    return st("st-facets", *model, *args, input=papers(1) if data is None else data, env=env)


def answer(body: dict, content: str | None = None, finish: str = "stop", **usage) -> dict:
    """A completion for the request of a test, with the usage given."""
    made = completion(facets(body["messages"]) if content is None else content, finish)
    return {**made, "usage": usage} if usage else made


# Cost

AMHARIC = "ጥናታችን የሳይንስ ጽሑፎችን በራስ ሰር ለመመዘን አዲስ ዘዴ ያቀርባል። "
DIGITS = "0918273645546372819 " * 3
TEXTS = {
    "amharic": AMHARIC * 6,
    "digits": DIGITS * 6,
    "emoji": "🧪🔬👩🏽‍🔬 " * 20,
    "escapes": '"\\\n\t" ' * 60,
    "english": "a b c. " * 60,
}


class Meter:
    """Bills a token for each byte of the text of the messages and of the schema, 12 for each message, and reasoning."""

    def __init__(self, reasoning: int = 0) -> None:
        self.spent = 0.0
        self.reasoning = reasoning

    def __call__(self, body: dict, attempt: int):
        text = sum(len(message["content"].encode()) + 12 for message in body["messages"])
        text += len(json.dumps(body.get("response_format", ""), ensure_ascii=False).encode())
        reply = body["max_tokens"] - self.reasoning
        self.spent += text * PRICE_IN + (reply + self.reasoning) * PRICE_OUT
        usage = {"prompt_tokens": text, "completion_tokens": reply, "total_tokens": text + reply + self.reasoning}
        return 200, answer(body, **usage), {}


@pytest.mark.parametrize("text", TEXTS)
def test_max_cost_holds_for_every_text_whatever_the_tokenizer(cache, text):
    meter = Meter()
    with Server(respond=meter, latency=0.02) as server:
        limits = ("--max-tokens", "60", "--max-cost", "0.005", "--concurrency", "16")
        result = run(server, cache, *limits, data=papers(60, TEXTS[text]))
        asked = server.requests
    assert result.status == 4 and "--max-cost 0.005" in result.err
    assert 0 < asked < 60 and meter.spent <= 0.005


def test_reasoning_counts_against_max_cost(cache):
    meter = Meter(reasoning=400)
    with Server(respond=meter) as server:
        result = run(server, cache, "--max-tokens", "500", "--max-cost", "0.004", data=papers(40))
        assert 0 < server.requests < 40
    assert result.status == 4 and 0.002 < meter.spent <= 0.004


def test_the_bound_of_a_dry_run_is_not_passed_and_the_estimate_is_apart(cache):
    meter = Meter()
    with Server(respond=meter) as server:
        data = papers(8, TEXTS["amharic"])
        told = run(server, cache, "--max-tokens", "60", "--dry-run", data=data).records[0]["dry_run"]
        assert server.requests == 0 and told["to_send"] == 8
        run(server, cache, "--max-tokens", "60", data=data)
    assert set(told["estimate"]) == {"prompt_tokens", "prompt_usd"}
    assert told["estimate"]["prompt_usd"] < meter.spent <= told["bound"]["usd"]
    assert told["bound"]["reply_tokens"] == 8 * 60
    assert told["bound"]["usd"] < 2 * meter.spent


def test_a_dry_run_knows_no_bound_of_a_model_it_does_not_know(cache):
    told = run(None, cache, "--dry-run", model=("--model", "openai/mock")).records[0]["dry_run"]
    assert told["bound"] == {"prompt_tokens": None, "reply_tokens": None, "usd": None}
    told = run(None, cache, "--dry-run", "--max-tokens", "9", model=("--model", "openai/mock")).records[0]["dry_run"]
    assert told["bound"]["reply_tokens"] == 9 and told["bound"]["usd"] is None


def test_images_are_bounded_by_the_context_or_not_at_all():
    from scholartools.llm.usage import budget

    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 400_000}}
    request = {"messages": [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, picture]}]}
    assert budget.most_prompt_tokens(request, None) is None
    assert 128_000 < budget.most_prompt_tokens(request, 128_000) < 129_000


def test_a_dearer_tier_and_dearer_reasoning_are_part_of_the_price():
    from scholartools.llm.usage.budget import Bound, Price

    price = Price(1.0, 2.0, 100, reasoning=5.0, tiers=((1000, 3.0, 4.0),))
    assert price.of(1000, 10) == 1020 and price.of(1001, 10) == 3043
    assert price.of(10, 10, reasoning_tokens=4) == 10 + 6 * 2 + 4 * 5
    assert price.maximum_cost(Bound(1001, 10)) == 3003 + 50


# Odd answers

ODD_USAGE = [
    "12", [12], 5, True, {"prompt_tokens": "12", "completion_tokens": 3}, {"prompt_tokens": -900, "completion_tokens": -5},
    {"prompt_tokens": 1e3, "completion_tokens": 2.5}, {"prompt_tokens": True, "completion_tokens": False},
    {"prompt_tokens": 10**30, "completion_tokens": 1}, {"prompt_tokens": 0, "completion_tokens": 0},
    {"prompt_tokens": [], "completion_tokens": {}},
]  # fmt: skip


@pytest.mark.parametrize("usage", ODD_USAGE, ids=repr)
def test_a_usage_that_cannot_be_right_is_told_and_costs_what_was_set_aside(cache, usage):
    with Server(respond=lambda body, attempt: (200, {**answer(body), "usage": usage}, {})) as server:
        data = papers(3)
        first = run(server, cache, "--max-tokens", "100", "--max-cost", "1", data=data)
        assert first.status == 0 and server.requests == 3, first.err
        assert first.err.count("a usage that cannot be right: such calls") == 1
        assert "3 with a usage that cannot be right" in first.err
        limits = ("--max-tokens", "100", "--max-cost", "0.002", "--cache-namespace", "b")
        assert run(server, cache, *limits, data=papers(30)).status == 4, "nothing is credited"
        assert server.requests < 3 + 12
    again = run(None, cache, "--max-tokens", "100", "--replay", data=data)
    assert (again.status, again.out) == (0, first.out)
    key = first.records[0]["provenance"][-1]["calls"][0]
    [kept] = st("st-cache", "show", key, env=cache).records
    assert json.loads(kept["reply"]["body"])["usage"] == usage and "usage" in kept["reply"]["defect"]
    assert kept["reply"]["cost"] is None


ODD_PARTS = [
    {"content": 4}, {"content": {"background": []}}, {"content": True}, {"content": [{"type": "text", "text": 5}]},
    {"content": [7]}, {"content": None}, {"content": []}, {"refusal": ["no"]},
]  # fmt: skip


@pytest.mark.parametrize("part", [*ODD_PARTS, "finish", "message", "choice", "choices", "list", "number"], ids=repr)
def test_a_reply_of_an_odd_type_is_kept_and_replays_as_the_same_failure(cache, tmp_path, part):
    def respond(body, attempt):
        made = answer(body)
        choice = made["choices"][0]
        if isinstance(part, dict):
            choice["message"] |= part
        elif part == "finish":
            choice["finish_reason"] = {"type": "stop"}
        elif part in ("message", "choice", "choices"):
            made["choices"] = {"message": [{"message": "hello"}], "choice": ["hello"], "choices": {"0": choice}}[part]
        return 200, {"list": [made], "number": 12}.get(part, made) if isinstance(part, str) else made, {}

    with Server(respond=respond) as server:
        first = run(server, cache, "--retries", "1")
        sent = server.requests
    assert first.status == 1 and "internal" not in first.err
    [error] = first.records[0]["errors"]
    assert error["kind"] in ("unserved-reply", "provider") and error["reason"]
    bodies = [entry["reply"].get("body") for entry in st("st-cache", "show", error["calls"][0], env=cache).records]
    assert sum(body is not None for body in bodies) == sent, "every answer that was paid for is kept"
    (tmp_path / "out.jsonl").write_bytes(first.out)
    bundle = tmp_path / "calls.jsonl"
    assert st("st-cache", "export", "--used-by", tmp_path / "out.jsonl", "--output", bundle, env=cache).status == 0
    elsewhere = {"ST_CACHE": str(tmp_path / "elsewhere")}
    assert st("st-cache", "import", bundle, env=elsewhere).status == 0
    for place in (cache, elsewhere):
        again = run(None, place, "--replay")
        assert (again.status, again.out) == (1, first.out)


@pytest.mark.parametrize(
    "body", [b"\xff\xfe\x00", b'{"choices": [{"message": {"content": "caf', b"<html>busy</html>", b"", b"NaN"]
)
def test_bytes_that_are_no_reply_are_kept(cache, body):
    with Server(respond=lambda *_: (200, body, {})) as server:
        result = run(server, cache, "--retries", "0")
    [error] = result.records[0]["errors"]
    assert error["kind"] == "provider" and "not JSON" in error["reason"]
    kept = [entry["reply"].get("body") for entry in st("st-cache", "show", error["calls"][0], env=cache).records]
    assert body.decode(errors="backslashreplace") in kept
    assert run(None, cache, "--replay").out == result.out


def test_content_in_parts_is_read_without_the_thinking(cache):
    def respond(body, attempt):
        made = answer(body)
        text = made["choices"][0]["message"]["content"]
        parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": text}]
        made["choices"][0]["message"]["content"] = parts
        return 200, made, {}

    with Server(respond=respond) as server:
        assert run(server, cache).status == 0


@pytest.mark.parametrize(
    ("finish", "words"),
    [
        ("error", "ended the reply early: error"),
        ("MAX_TOKENS", "--max-tokens"),
        ("SAFETY", "early: SAFETY"),
        ("stop", "empty"),
    ],
)
def test_why_a_reply_was_not_used(cache, finish, words):
    with Server(respond=lambda body, _: (200, answer(body, "" if finish == "stop" else None, finish), {})) as server:
        result = run(server, cache)
    assert words in result.records[0]["errors"][0]["reason"]


# Secrets

SPELLINGS = {
    "plain": KEY, "json": json.dumps(KEY)[1:-1], "json twice": json.dumps(json.dumps(KEY))[3:-3], "address": quote(KEY, safe=""),
    "slashes": json.dumps(KEY)[1:-1].replace("/", "\\/"), "base64": base64.b64encode(KEY.encode()).decode(),
    "basic": base64.b64encode(b"me:" + KEY.encode() + b":x").decode(), "upper": KEY.upper(),
    "escapes": "".join(f"\\u{ord(character):04x}" for character in KEY),
}  # fmt: skip


def leaks(text: str) -> bool:
    """Whether a text holds 9 characters in a row of the key, in any spelling of it."""
    middle = base64.b64encode(b"\0\0\0" + KEY.encode())[4:-4].decode()
    known = [KEY, KEY.upper(), SPELLINGS["address"], SPELLINGS["json"], middle, SPELLINGS["escapes"][:54]]
    known += [base64.b64encode(b"\0" * shift + KEY.encode())[4:-4].decode() for shift in (1, 2)]
    return any(spelling[at : at + 9] in text for spelling in known for at in range(len(spelling) - 8))


def test_what_is_looked_for_would_be_found():
    assert leaks(f"x{KEY[4:14]}x") and all(leaks(spelling) for spelling in SPELLINGS.values())


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_key_at_every_cut_is_shown_nowhere(spelling):
    from scholartools.secrets import Redactor

    redactor = Redactor({KEY: "OPENAI_API_KEY"})
    for before in range(100):
        text = "x" * before + " " + SPELLINGS[spelling] + " tail"
        assert not leaks(redactor.message(text)) and "tail" in redactor.message(text)
        assert not leaks(redactor.reply(text)) and redactor.reply(text).startswith("x" * before)
        for cut in range(before, len(text)):
            assert not leaks(redactor.message(text[:cut]))


def test_a_key_with_needless_escapes_or_without_its_head_is_shown_nowhere():
    from scholartools.secrets import Redactor, spell_out_ascii

    redactor = Redactor({KEY: "OPENAI_API_KEY"})
    escaped = f"\\u{ord(KEY[0]):04x}{KEY[1:]}"
    assert not leaks(redactor.message(f'{{"x": "{escaped}"}}')) and not leaks(redactor.reply(spell_out_ascii(escaped)))
    for head in range(1, len(KEY) - 8):
        assert not leaks(redactor.message(f"the key ...{KEY[head:]} is wrong"))
    assert json.loads(spell_out_ascii(r'"\\u0041 \u0041 \u0022 \u005c"')) == '\\u0041 A " \\'


def test_a_reason_is_the_same_in_each_run():
    assert clean_words(f"no <litellm.Thing object at {hex(id(KEY))}> today") == "no <litellm.Thing object> today"


def test_a_usage_of_nan_is_no_count(cache):
    body = '{"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": NaN}}'
    reply = read_reply(body, None, 0.1)
    assert reply.text == "{}" and reply.prompt_tokens is None and reply.cost is None


def test_a_reply_keeps_what_is_no_secret():
    from scholartools.secrets import Redactor

    text = "See http://a.org/x?y=1 and sk-learn-is-not-a-key; ollama wins. Token: placeholder"
    assert Redactor({KEY: "A", "ollama": "B", "placeholder": "C"}).reply(text) == text


@pytest.mark.slow
@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_in_an_error_stands_in_no_output(cache, tmp_path, status):
    """The body is no JSON, and the key lies across the places where a message may be cut."""
    wait = "3600" if status == 429 else "0"  # longer than --max-wait: the run ends at once
    for number, before in enumerate((0, 150, 172, 185, 199, 260, 290)):
        body = ("no luck " * 40)[:before] + " " + KEY + " " + SPELLINGS["basic"] + " tail"
        with Server(respond=lambda *_, body=body: (status, body, {"Retry-After": wait, "X-Key": "1"})) as server:
            data = papers(1, f"Run {number}.")
            result = run(server, cache, "--retries", "1", data=data, OPENAI_API_KEY=KEY)
        assert result.status in (1, 4) and not leaks(result.err) and not leaks(json.dumps(result.records))
    bundle = st("st-cache", "export", env=cache)
    assert not leaks(bundle.out.decode()) and not leaks(
        json.dumps([json.loads(line) for line in bundle.out.splitlines()])
    )
    for path in (tmp_path / "cache").rglob("*"):
        assert KEY.encode() not in path.read_bytes()


def test_a_key_that_a_model_repeats_is_not_kept(cache):
    content = json.dumps({"background": [f"Paper 0. {KEY}"], "method": [], "result": [], "conclusion": []})
    with Server(answer=lambda _: content) as server:
        result = run(server, cache, OPENAI_API_KEY=KEY)
    shown = json.dumps(result.records) + result.err
    bundle = st("st-cache", "export", env=cache).out.decode()
    lines = [entry for entry in map(json.loads, bundle.splitlines()) if "reply" in entry]
    told = shown + "".join(entry["reply"]["text"] + entry["reply"]["body"] for entry in lines)
    assert len(lines) and not leaks(told) and "$OPENAI_API_KEY" in told


def test_an_export_takes_out_what_an_earlier_version_kept(cache):
    from scholartools.cache import Cache, Reply, cache_file, call_key

    request = {"model": "m", "messages": [{"role": "user", "content": "a"}]}
    with Cache.open(cache_file(cache["ST_CACHE"])) as kept:
        kept.put(call_key(request), request, Reply(f"provider: 400 {KEY}", "no-reply"), "p")
    assert leaks(json.loads(st("st-cache", "export", env=cache).out.splitlines()[-1])["reply"]["text"])
    clean = st("st-cache", "export", env={**cache, "OPENAI_API_KEY": KEY})
    assert not leaks(json.loads(clean.out.splitlines()[-1])["reply"]["text"])


# Reasons

REASONS = [
    ({"object": "error", "message": "the temperature is odd", "type": "BadRequestError", "code": 400}, "the temperature is odd"),
    ({"detail": "the temperature is odd"}, "the temperature is odd"),
    ({"detail": [{"loc": ["body", "temperature"], "msg": "must be finite", "type": "value_error"}]}, "body.temperature: must be finite"),
    ({"error": "the temperature is odd"}, "the temperature is odd"),
    ({"error": {"message": "Provider returned error", "metadata": {"raw": "the temperature is odd"}}}, "the temperature is odd"),
    ([{"error": {"code": 400, "message": "the temperature is odd", "status": "INVALID_ARGUMENT"}}], "the temperature is odd"),
    ({"message": "the temperature is odd"}, "the temperature is odd"),
    ("the temperature is odd", "the temperature is odd"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("status", "body", "words"),
    # an error for its status alone is none with status 200
    [(400, *reason) for reason in REASONS] + [(200, *reason) for reason in REASONS[:5]],
)
def test_the_reason_is_found_in_whichever_shape(cache, status, body, words):
    with Server(respond=lambda *_: (status, body, {})) as server:
        result = run(server, cache, "--retries", "1")
    [error] = result.records[0]["errors"]
    assert words in error["reason"] and words in result.err and "no reason given" not in result.err
    assert error["kind"] == ("refused" if status == 400 or body.get("code") == 400 else "provider")


OVERFLOWS = [
    (400, {"error": {"message": "Too much.", "code": "context_length_exceeded"}}),
    (400, {"error": {"message": "This model's maximum context length is 4096 tokens. However, you requested 9000."}}),
    (400, {"object": "error", "message": "The decoder prompt (length 9000) is longer than the maximum model length of 4096."}),
    (400, {"error": {"message": "the request exceeds the available context size", "type": "exceed_context_size_error"}}),
    (500, {"error": {"message": "the input length exceeds the context length"}}),
    (400, {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
    (400, [{"error": {"message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."}}]),
    (422, {"error": "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000"}),
    (400, {"message": "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"}),
    (413, "Payload Too Large"),
    (429, {"error": {"message": "Request too large for m on tokens per min (TPM): Limit 10, Requested 20."}}),
    (200, {"error": {"message": "maximum context length is 4096 tokens", "code": 400}}),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body"), OVERFLOWS)
def test_a_text_that_is_too_long_for_the_model_is_told_as_that(cache, status, body):
    with Server(respond=lambda *_: (status, body, {})) as server:
        result = run(server, cache)
        assert server.requests == 1
    [error] = result.records[0]["errors"]
    assert error["kind"] == "context-overflow" and "longer context" in error["reason"]
    assert "--split-words" not in error["reason"]
    assert run(None, cache, "--replay").out == result.out


def test_the_command_s_own_way_to_shorter_texts_is_named(cache):
    section = {"id": "s1", "heading": "Method", "level": 1, "role": "method", "text": "We do."}
    paper = {"id": 1, "title": "T", "abstract": "A.", "sections": [section], "limitations": []}
    with Server(respond=lambda *_: OVERFLOWS[0] + ({},)) as server:
        env = {**cache, **server.environment}
        result = st("st-generate", "limitations", *MODEL, input=jsonl(paper), env=env)
        again = st("st-generate", "limitations", *MODEL, "--replay", input=jsonl(paper), env=cache)
    assert "--split-words" in result.records[0]["errors"][0]["reason"] and again.out == result.out


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (429, {"message": "You have used it up.", "code": "insufficient_quota"}),
        (429, {"message": "You have used it up.", "type": "insufficient_quota"}),
        (429, {"message": "You exceeded your current quota, please check your plan and billing details."}),
        (403, {"message": "Your account has insufficient credits."}),
        (400, {"message": "Your credit balance is too low to access the API."}),
        (200, {"message": "used up", "code": "insufficient_quota"}),
    ],
)
def test_an_account_without_money_ends_the_run_at_once(cache, status, error):
    with Server(respond=lambda *_: (status, {"error": error}, {"Retry-After": "0"})) as server:
        result = run(server, cache, "--concurrency", "2", data=papers(30))
        assert server.requests <= 2
    assert result.status == 4 and "no money left" in result.err and error["message"] in result.err


def test_a_limit_that_time_lifts_is_no_want_of_money(cache):
    words = "Rate limit reached. Please try again in 0.05s. See https://a.org/account/billing to raise it."

    def respond(body, attempt):
        return (
            (429, {"error": {"message": words, "code": "rate_limit_exceeded"}}, {"Retry-After": "0"})
            if attempt == 1
            else None
        )

    with Server(respond=respond) as server:
        assert run(server, cache).status == 0


# Pauses


def test_429_without_retry_after_backs_off_for_all_calls_at_once():
    import asyncio
    import time

    from scholartools.llm.throttle import Throttle

    async def pauses() -> list[float]:
        throttle, found = Throttle(8), []
        for _ in range(9):
            throttle._resume = 0.0
            throttle.slow_down(time.monotonic(), None)
            found.append(throttle._resume - time.monotonic())
        before = throttle._resume
        throttle.slow_down(throttle._lowered - 1, None)
        assert throttle._resume == before, "a call of the same burst adds nothing"
        throttle.recover()
        throttle._resume = 0.0
        throttle.slow_down(time.monotonic(), None)
        return [*found, throttle._resume - time.monotonic()]

    found = asyncio.run(pauses())
    for number, pause in enumerate(found[:-1]):
        longest = min(2.0**number / 2, 60)
        assert longest / 2 - 0.1 <= pause <= longest
    assert found[-1] <= 1


def test_a_run_gets_through_429s_without_retry_after(cache):
    def respond(body, attempt):
        return (429, {"error": {"message": "slow down"}}, {}) if attempt == 1 else None

    with Server(respond=respond) as server:
        result = run(server, cache, "--concurrency", "4", data=papers(4))
    assert result.status == 0


@pytest.mark.parametrize(("path", "hint"), [("", True), ("/api", True), ("/v1", False)])
def test_an_address_without_v1_is_told(cache, path, hint):
    with Server(respond=lambda *_: (404, {"detail": "Not Found"}, {})) as server:
        address = f"http://127.0.0.1:{server.port}{path}"
        result = run(server, cache, OPENAI_BASE_URL=address)
    assert result.status == 4
    assert (f"try OPENAI_BASE_URL={address}/v1" in result.err) == hint


def test_an_address_of_the_calls_themselves_is_told(cache):
    with Server(respond=lambda *_: (404, {"detail": "Not Found"}, {})) as server:
        base = f"http://127.0.0.1:{server.port}/v1"
        result = run(server, cache, OPENAI_BASE_URL=f"{base}/chat/completions")
    assert (
        result.status == 4
        and f"ends in /chat/completions, which must be left out: try OPENAI_BASE_URL={base} " in result.err
    )


def test_a_long_pause_is_told_before_it_is_over(cache, tmp_path):
    def respond(body, attempt):
        return 429, {"error": {"message": "slow down"}}, {"Retry-After": "90"}

    with Server(respond=respond) as server:
        env = environment(**cache, **server.environment)
        told = open(tmp_path / "err", "wb")
        process = subprocess.Popen([BIN / "st-facets", *MODEL], stdin=subprocess.PIPE, stderr=told, env=env)
        process.stdin.write(papers(1))
        process.stdin.close()
        until = time.monotonic() + 30
        while b"90 s" not in (tmp_path / "err").read_bytes() and time.monotonic() < until:
            time.sleep(0.05)
        process.kill()
        process.wait()
    assert b"no call is sent for 90 s" in (tmp_path / "err").read_bytes()


# Formats


def refusing(*refused: str, status: int = 400, words: str = "response_format of this type is not supported"):
    """A server that takes no response format of these types."""

    def respond(body, attempt):
        kind = body.get("response_format", {"type": "text"})["type"]
        return (status, {"error": {"message": words}}, {}) if kind in refused else None

    return respond


LOCAL = ("--model", "openai/mock")


@pytest.mark.parametrize(
    ("refused", "taken", "steps"),
    [((), "json-schema", 0), (("json_schema",), "json-object", 1), (("json_schema", "json_object"), "text", 2)],
)
def test_auto_takes_the_first_format_that_the_server_knows(cache, tmp_path, refused, taken, steps):
    with Server(respond=refusing(*refused), latency=0.05) as server:
        first = run(server, cache, "--concurrency", "8", data=papers(30), model=LOCAL)
        sent = [body.get("response_format", {"type": "text"})["type"] for body in server.bodies]
    assert first.status == 0 and first.err.count("does not support --response-format") == steps, first.err
    assert sent.count(taken.replace("-", "_")) == 30 and len(sent) <= 30 + 8 * steps
    assert all(record["provenance"][-1]["response_formats"] == [taken] for record in first.records)
    replayed = run(None, cache, "--replay", data=papers(30), model=LOCAL)
    assert (replayed.status, replayed.out) == (0, first.out), "with no server, and no variable that names one"
    (tmp_path / "out.jsonl").write_bytes(first.out)
    bundle = tmp_path / "calls.jsonl"
    assert st("st-cache", "export", "--used-by", tmp_path / "out.jsonl", "--output", bundle, env=cache).status == 0
    elsewhere = {"ST_CACHE": str(tmp_path / "elsewhere")}
    assert st("st-cache", "import", bundle, env=elsewhere).status == 0
    assert run(None, elsewhere, "--replay", data=papers(30), model=LOCAL).out == first.out


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (422, {"detail": [{"loc": ["body", "response_format", "type"], "msg": "unexpected value"}]}),
        (400, {"object": "error", "message": "guided_json is not supported"}),
        (400, {"error": {"message": "Bad parameter.", "param": "response_format"}}),
        (200, {"error": {"message": "json_schema is unknown", "code": 400}}),
    ],
)
def test_a_refusal_of_the_format_is_known_in_many_words(cache, status, body):
    with Server(respond=lambda sent, _: (status, body, {}) if "response_format" in sent else None) as server:
        result = run(server, cache, model=LOCAL)
    assert result.status == 0 and result.records[0]["provenance"][-1]["response_formats"] == ["text"]


def test_a_server_that_breaks_down_at_every_format_is_not_stepped_down_but_told_of(cache):
    broken = (500, {"error": {"message": "oops"}}, {})
    with Server(respond=lambda sent, _: broken if "response_format" in sent else None) as server:
        result = run(server, cache, "--retries", "0", data=papers(1), model=LOCAL)
        assert result.status in (1, 4) and server.requests == 1
        assert "500: oops (if every call fails so, try --response-format text)" in result.err
        chosen = run(server, cache, "--response-format", "text", "--retries", "0", data=papers(1), model=LOCAL)
    assert chosen.status == 0


@pytest.mark.slow
def test_the_server_of_one_s_own_gets_the_schema_whatever_its_variable(cache):
    with Server() as server:
        env = {"HOSTED_VLLM_API_BASE": f"http://127.0.0.1:{server.port}/v1"}
        assert run(None, cache, model=("--model", "hosted_vllm/mock"), **env).status == 0
        env = {"LM_STUDIO_API_BASE": f"http://127.0.0.1:{server.port}/v1", "LM_STUDIO_API_KEY": "x"}
        assert run(None, cache, model=("--model", "lm_studio/mock"), **env).status == 0
        assert [body["response_format"]["type"] for body in server.bodies] == ["json_schema"] * 2


@pytest.mark.parametrize("chosen", ["json-schema", "json-object"])
def test_a_chosen_format_never_steps_down(cache, chosen):
    with Server(respond=refusing("json_schema", "json_object")) as server:
        result = run(server, cache, "--response-format", chosen, "--concurrency", "2", data=papers(9), model=LOCAL)
        assert server.requests <= 2
    assert result.status == 4 and f"--response-format {chosen}: the server does not support this format" in result.err
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("chosen", ["json-schema", "json-object", "text"])
def test_a_chosen_format_is_sent_and_is_part_of_key_and_signature(cache, chosen):
    with Server() as server:
        made = run(server, cache, "--response-format", chosen, model=LOCAL)
        sent = server.bodies[-1].get("response_format", {"type": "text"})["type"]
        assert sent == chosen.replace("-", "_")
        other = run(server, cache, "--response-format", "text" if chosen != "text" else "json-object", model=LOCAL)
        assert server.requests == 2
        auto = run(server, cache, model=LOCAL)
        assert server.requests == 2, "auto uses what there is"
    marks = [result.records[0]["provenance"][-1]["signature"] for result in (made, other)]
    assert marks[0] != marks[1]
    assert auto.out in (made.out, other.out)


def test_a_refreshed_reply_in_another_format_takes_the_place_of_the_old_one(cache):
    with Server() as server:
        run(server, cache, model=LOCAL)
    text = json.dumps({"background": ["Paper 0."], "method": [], "result": [], "conclusion": []})
    with Server(respond=refusing("json_schema"), answer=lambda _: text) as server:
        fresh = run(server, cache, "--refresh", model=LOCAL)
    assert fresh.records[0]["facets"][0]["method"] is None
    assert run(None, cache, "--replay", model=LOCAL).out == fresh.out


def test_a_question_asked_again_while_the_format_changes_is_sent_once(cache):
    with Server(respond=refusing("json_schema"), latency=0.1) as server:
        result = run(server, cache, "--concurrency", "8", data=papers(2) * 20, model=LOCAL)
        kinds = [body["response_format"]["type"] for body in server.bodies]
    assert result.status == 0 and kinds.count("json_object") == 2


def test_failures_after_a_step_down_replay_as_they_were(cache):
    def respond(body, attempt):
        if body["response_format"]["type"] == "json_schema":
            return 400, {"error": {"message": "json_schema is not supported"}}, {}
        return (200, answer(body, "", "stop"), {}) if "Paper 3" in json.dumps(body) else None

    with Server(respond=respond) as server:
        first = run(server, cache, data=papers(6), model=LOCAL)
    assert first.status == 1 and [bool(record.get("errors")) for record in first.records] == [n == 3 for n in range(6)]
    assert run(None, cache, "--replay", data=papers(6), model=LOCAL).out == first.out


@pytest.mark.parametrize("way", ["cache", "bundle"])
@pytest.mark.parametrize("order", [("text", "json-schema"), ("json-schema", "text"), ("json-object", "json-schema")])
def test_the_last_failure_in_any_format_is_replayed_whatever_the_clock_said(cache, tmp_path, order, way):
    """Two runs fail, the second with a clock set back: a replay fails as the second did."""
    with Server(respond=lambda body, _: (200, answer(body, f"{body.get('response_format')}", "length"), {})) as server:
        runs = [run(server, cache, "--response-format", name, model=LOCAL) for name in order]
    replies = [made.records[0]["errors"][0]["reply"] for made in runs]
    assert replies[0] != replies[1]
    with Cache.open(cache_file(cache["ST_CACHE"])) as first, Cache.open(tmp_path / "back.sqlite") as back:
        for key in sorted(first.keys(Selection()), key=first.place_of_unusable):
            for entry in first.every(key.hex()):
                back.put(entry.key, entry.request, entry.reply._replace(time=2e9 - entry.reply.time), entry.prompt)
    env = {"ST_CACHE": str(tmp_path / "back.sqlite")}
    if way == "bundle":
        bundle = st("st-cache", "export", env=env).out
        env = {"ST_CACHE": str(tmp_path / "imported.sqlite")}
        assert st("st-cache", "import", input=bundle, env=env).status == 0
    replayed = run(None, env, "--replay", "--any-endpoint", model=LOCAL)
    assert replayed.records[0]["errors"][0]["reply"] == replies[1]
