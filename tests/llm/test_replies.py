"""What is made of a model's reply: one value or a reason, never a guess."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as some
from support.run import jsonl, st
from support.server import Server

from scholartools.llm import replies
from scholartools.llm.replies import Closed, Items, ReplyFault


class Rating(Closed):
    rating: Literal[1, 2, 3]


class Lists(Closed):
    first: list[str]
    second: list[str]


class Remark(Closed):
    text: str


class Remarks(Closed):
    found: Items[Remark]


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        ('{"rating": 3}', None),
        ("3", None),
        (" 3\n", None),
        ('```json\n{"rating": 3}\n```', "fence"),
        ("```\n3\n```", "fence"),
        ('The rating is {"rating": 3}.', "prose"),
        ('<think>Perhaps {"rating": 2}, or 1.</think>\n{"rating": 3}', "thinking"),
        ('<think>\n```json\n{"rating": 1}\n```\n</think>\n```json\n{"rating": 3}\n```', "fence"),
        ('```json\n{"rating": 3}\n```\nAgain: {"rating": 3}', "fence"),
        ("{'rating': 3,}", "json"),
    ],
)
def test_one_value_is_found_however_it_is_wrapped(text, repair):
    found, how, _ = replies.read(text, Rating)
    assert (found.rating, how) == (3, repair)


@pytest.mark.parametrize(
    "text",
    [
        '{"rating": 3 or 4}',
        '{"rating": 3} or {"rating": 2}',
        '{"rating": 2}\n{"rating": 3}',
        '```json\n{"rating": 2}\n```\nNo:\n```json\n{"rating": 3}\n```',
        'First {"rating": 2}, then\n```json\n{"rating": 3}\n```',
        '{"rating": 3, // or 4\n}',
        '{"rating": "3"}',
        '{"rating": 3/4}',
        '{"rating": 2.5}',
        '{"rating": 0}',
        '{"rating": [3]}',
        '{"rating": null}',
        '{"result": {"rating": 3}}',
        '{"rating": 3',
        "3 or 4",
        "[3]",
        "4",
        "null",
        '"3"',
        "NaN",
        '<think>It is {"rating": 3}',
    ],
)
def test_what_may_mean_something_else_is_no_rating(text):
    with pytest.raises(ReplyFault):
        replies.read(text, Rating)


def test_a_number_alone_stands_for_no_object_of_several_keys():
    with pytest.raises(ReplyFault, match="no JSON"):
        replies.read("3", Lists)


def test_the_reason_names_keys_that_were_not_asked_for():
    with pytest.raises(ReplyFault, match=r'rating: Field required \(not asked for: "Rating", "why"\)'):
        replies.read('{"Rating": 3, "why": "x"}', Rating)


@pytest.mark.parametrize("text", ['{"rating": 3, "Rating": 1}', "{'rating': 3, 'RATING': 1,}"])
def test_a_key_that_differs_in_capitals_alone_is_there_twice(text):
    with pytest.raises(ReplyFault, match="twice"):
        replies.read(text, Rating)


def test_an_item_of_another_shape_costs_that_item():
    made = replies.read('{"found": [{"text": "a"}, {"text": null}, 7, {"words": "b"}, {"text": "c"}]}', Remarks)
    assert [one.text for one in made.value.found] == ["a", "c"]
    assert [lack.split(": ")[1] for lack in made.lacks] == ["found.1.text", "found.2", "found.3.text"]


@pytest.mark.parametrize("text", ['{"found": [{"text": null}, 7]}', '{"found": null}', '{"found": {"text": "a"}}'])
def test_a_list_of_which_no_item_can_be_read_is_no_list(text):
    with pytest.raises(ReplyFault, match="found"):
        replies.read(text, Remarks)


def test_a_list_of_items_asks_for_what_a_plain_list_asks_for():
    class Plain(Closed):
        found: list[Remark]

    schemas = [model.model_json_schema() for model in (Remarks, Plain)]
    assert schemas[0]["properties"] == schemas[1]["properties"] and schemas[0]["$defs"] == schemas[1]["$defs"]


def test_thinking_inside_a_passage_is_text():
    text = json.dumps({"first": ["<think>so</think> they write"], "second": []})
    assert replies.read(text, Lists)[0].first == ["<think>so</think> they write"]


def test_a_repair_keeps_every_word():
    found, repair, _ = replies.read("{'first': ['caf\\u00e9 \\alpha\nit\\'s 4.2'], 'second': [],}", Lists)
    assert (found.first, repair) == (["caf\u00e9 \\alpha\nit's 4.2"], "json")


def test_schemas_allow_no_other_keys():
    assert Rating.model_json_schema()["additionalProperties"] is False


@given(some.text(max_size=60), some.integers(1, 3))
def test_words_around_a_rating_never_change_it(words, rating):
    try:
        found, _, _ = replies.read(f'{words}{{"rating": {rating}}}{words}', Rating)
    except ReplyFault:
        return
    assert found.rating == rating


def test_a_megabyte_of_braces_is_read_in_a_moment():
    with pytest.raises(ReplyFault):
        replies.read('{"rating": ' + "}{" * 200_000, Rating)


@pytest.mark.parametrize(
    "text",
    [
        '{"first": ["a"], "first": ["b"], "second": []}',
        '{"first": ["a"], "first": ["a"], "second": []}',
        '{"first": ["a"], "\\u0066irst": ["b"], "second": []}',
        'Here it is: {"first": ["a"], "first": ["b"], "second": []}',
        '```json\n{"first": ["a"], "first": ["b"], "second": []}\n```',
        '{"first": ["a"], "first": ["b"], "second": [],}',
        "{'first': ['a'], 'second': [], 'first': ['b']}",
    ],
)
def test_a_key_that_is_there_twice_is_told_to_the_model_and_none_is_chosen(text):
    with pytest.raises(ReplyFault, match="twice"):
        replies.read(text, Lists)


def drawn_object(draw, depth=0):
    """The JSON text of an object, its value, and whether a key stands twice in any of its objects."""
    keys = draw.choices(["a", "A", "b:", "c{", "\\u0064", "d", "straße", "STRASSE", "e"], k=draw.randint(0, 4))
    names = [json.loads(f'"{key}"').casefold() for key in keys]
    is_twice, pairs = len(set(names)) < len(names), []
    for key in keys:
        written = draw.choice(["1", "null", '"x"', '"a: b"', '"{"', "[]", '["A:", "a"]', '"\\u003a"'])
        if depth < 2 and draw.random() < 0.3:
            written, inner = drawn_object(draw, depth + 1)
            written, is_twice = (f"[{written}]" if draw.random() < 0.5 else written), is_twice or inner
        pairs.append(f'"{key}"{draw.choice(["", " "])}:{draw.choice(["", " "])}{written}')
    return "{" + ", ".join(pairs) + "}", is_twice


def test_a_key_that_is_there_twice_is_found_wherever_colons_and_braces_stand():
    draw, seen = random.Random(5), Counter()
    for _ in range(3000):
        text, is_twice = drawn_object(draw)
        try:
            assert replies._load_json(text) == json.loads(text)
            found = False
        except ReplyFault:
            found = True
        assert found is is_twice, text
        seen[is_twice, replies._is_flat_with_unique_keys(text, json.loads(text))] += 1
    assert not seen[True, True] and min(seen[True, False], seen[False, True], seen[False, False]) > 300


def test_a_reply_with_a_key_twice_is_asked_for_again(tmp_path):
    def answer(messages):
        good = json.dumps(GOOD)
        return good if len(messages) > 2 else good.replace("{", '{"background": ["We test 40 mice."], ', 1)

    with Server(answer=answer) as server:
        env = {"ST_CACHE": str(tmp_path / "cache"), **server.environment}
        result = st("st-facets", "--model", "openai/mock", input=jsonl({"id": 1, "abstract": TEXT}), env=env)
        assert 'the key "background" twice' in server.bodies[-1]["messages"][-1]["content"]
    [entry] = result.records[0]["facets"]
    assert result.status == 0 and entry["background"]["text"] == "Nobody knows why." and entry["method"] is None


# st-facets --model: the shapes that models give facets in place of lists of passages

TEXT = "Nobody knows why. We test 40 mice. Most of them sleep 4.2 hours. So sleep matters."
GOOD = {"background": ["Nobody knows why."], "method": [], "result": [], "conclusion": []}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({**GOOD, "method": "We test 40 mice."}, "method: Input should be a valid list"),
        ({**GOOD, "method": [{"text": "We test 40 mice."}]}, "method.0: Input should be a valid string"),
        ({"facets": GOOD}, 'background: Field required (not asked for: "facets")'),
        ({"Background": [], "Methods": []}, 'background: Field required (not asked for: "Background", "Methods")'),
    ],
)
def test_facets_of_another_shape_are_refused_with_what_is_wrong(reply, reason):
    from scholartools.tasks.facets.prompted import Reply

    with pytest.raises(ReplyFault) as refused:
        replies.read(json.dumps(reply), Reply)
    assert refused.value.reason == f"the JSON is not as asked for: {reason}"


def test_a_paraphrase_is_asked_again_with_the_reason(tmp_path):
    def answer(messages):
        return json.dumps(GOOD if len(messages) > 2 else {**GOOD, "background": ["No one knows the cause."]})

    with Server(answer=answer) as server:
        env = {"ST_CACHE": str(tmp_path), **server.environment}
        result = st("st-facets", "--model", "openai/mock", input=jsonl({"id": "a", "abstract": TEXT}), env=env)
        assert server.requests == 2
        assert "none of the passages is in the text" in server.bodies[1]["messages"][-1]["content"]
    assert result.status == 0, result.err
    assert result.records[0]["facets"][0]["background"]["text"] == "Nobody knows why."
