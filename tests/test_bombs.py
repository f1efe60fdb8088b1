"""Texts that once took minutes or gigabytes for their length; ``make bench-bombs`` times many more beside prose."""

from __future__ import annotations

import json
import random
import re

import pytest
from support import bomb_records
from support.bombs import (
    GROWTH,
    MOST,
    PLACES,
    SHAPES,
    STRUCTURES,
    Cost,
    drawn_unit,
    more_units,
    n_calls,
    prose,
    repeated,
)

from scholartools.errors import InputFault, ScholartoolsError
from scholartools.metrics.texts.overlap import Rouge
from scholartools.readers.references.identifiers import find_year
from scholartools.tasks import equations, parse

#: Characters of the texts whose calls are counted.
SIZE = 16_000


@pytest.mark.parametrize(
    ("place", "kind", "n"),
    [
        ("parse plain authors", "'('", 60_000),  # names with surnames first
        ("parse plain authors", "authors in lines", 60_000),
        ("parse plain references", "','", 60_000),  # "et al." behind commas
        ("generate experiments", "'A'", 30_000),  # names of data sets
        ("generate questions", "questions", 12_000),
        ("claims associate", "'1,'", 40_000),  # places in a paper
        ("eqsynth questions", "'$x$ '", 60_000),
    ],
)
def test_a_text_that_once_cost_its_square(place, kind, n):
    """An hour or so by what it was; that it ends is the test. A fault of the input is an answer too."""
    make = {**SHAPES, **STRUCTURES}[kind]
    try:
        assert PLACES[place](make(n))
    except ScholartoolsError as fault:
        assert fault.reason


@pytest.mark.parametrize(
    ("cost", "breaks"),
    [
        (Cost(0.04, 0.001), False),  # so little that nobody waits for it
        (Cost(9.0, 2.0, 3.0), False),  # 4.5 times for 4 times the length, 3 times prose
        (Cost(9.0, 1.4, 8.0), True),  # its square in time
        (Cost(0.9, 0.22, 0.2), True),  # 4.5 times prose
        (Cost(0.9, 0.22, 0.2, units=1.2), False),  # of which more is needed for as many words
        (Cost(0.01, error="IndexError: 1"), True),
        (Cost(0.01, memory=70_000_000, plain_memory=10_000_000), True),
        (Cost(0.01, memory=70_000_000, plain_memory=20_000_000), False),
    ],
)
def test_the_law_of_costs(cost, breaks):
    assert cost.is_too_much == breaks


@pytest.mark.parametrize(
    ("text", "units"),
    [("a" * 500, 1.0), ("word " * 100, 1.0), ("([" * 100, 5.0), ("中" * 9, 5.0 * 10 / 9), ("a\n" * 100, 40.0), ("It is so. " * 9, 6.0)],
)  # fmt: skip
def test_prose_of_as_many_units_is_longer(text, units):
    assert more_units(text) == pytest.approx(units)
    assert more_units(prose(20_000)) < 1.1


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_odd_texts_take_no_more_calls_than_the_law_allows(place):
    """Two texts of each place, by calls and not by seconds, which other processes change; thrice what the law allows."""
    work, makers = PLACES[place], {**SHAPES, **STRUCTURES}
    n_calls(work, prose(SIZE // 4, 1))  # imports
    plain = n_calls(work, prose(SIZE, 2))
    for kind in random.Random(f"law {place}").sample(sorted(makers), 2):
        few, many = (n_calls(work, makers[kind](size)) for size in (SIZE // 4, SIZE))
        if not place.startswith("quote"):  # of prose the quotation is found as it stands, and nothing is compared
            assert many <= max(3 * MOST * more_units(makers[kind](SIZE)) * plain, 10 * SIZE), (kind, many, plain)
        assert many <= max(4**GROWTH * few, 10 * SIZE), (kind, few, many)


@pytest.mark.parametrize(
    "place", ["facets", "limits section", "limits review", "claims extract", "chunks", "judge review"]
)
def test_a_short_unit_again_and_again_takes_no_more_calls_than_prose_of_its_length(place):
    """st-facets took 26 times the calls of prose for "II. "; each sentence was found, looked up and labelled by itself."""
    work, draw = PLACES[place], random.Random(f"drawn {place}")
    n_calls(work, prose(SIZE // 4, 1))  # imports
    plain = n_calls(work, prose(2 * SIZE, 2))
    for unit in ("II. ", "V! ", "A\n\n", "Results. ", *(drawn_unit(draw) for _ in range(3))):
        many = n_calls(work, repeated(unit)(2 * SIZE))
        assert many <= 3 * MOST * plain, (unit, many, plain)


@pytest.mark.slow
@pytest.mark.parametrize("name", bomb_records.COMMANDS)
def test_odd_records_end_without_an_internal_error(name):
    """A few of the thousands that the benchmark runs, small ones; its figures are no matter of a test."""
    bomb_records.prepare()
    command = bomb_records.COMMANDS[name]
    for kind in random.Random(f"bombs {name}").sample(sorted(command.makes), 6):
        assert bomb_records.run(command, command.makes[kind](5000))[2] is None, kind


def test_very_many_blank_lines_are_looked_at_once():
    """The first 65,536 bytes of a file took 2 s where they are blank lines, in every command: each line to the end."""
    from scholartools import file_kinds
    from scholartools.llm.replies import PlainText
    from scholartools.tasks.judge.rate import form_filling

    blank = "\n" * 1_000_000
    assert file_kinds.other_format(blank.encode()) is None
    told = file_kinds.other_format(f"{blank} \t\\documentclass{{article}}\n".encode())
    assert told is not None and told.startswith("LaTeX source")
    assert form_filling.read_list(PlainText(text=f"Here:{blank}1. one\n\n \n  **2) two\nand more"), 2) == [
        "one",
        "two and more",
    ]


def test_thresholds_of_very_many_levels_take_no_cube():
    """Each level was compared with all below it at each score: 831 ratings, all different, took 11 s in st-agree levels."""
    from scholartools.metrics.statistics.thresholds import assign_levels, fit_thresholds

    class Counting(float):
        def __lt__(self, other):
            asked.append(1)
            return float.__lt__(self, other)

        def __add__(self, other):
            return Counting(float.__add__(self, other))

        __radd__ = __add__

        def __sub__(self, other):
            return Counting(float.__sub__(self, other))

        def __abs__(self):
            return Counting(float.__abs__(self))

    asked: list[int] = []
    n = 120
    levels = [Counting(level) for level in range(n)]
    cuts = fit_thresholds(list(range(n)), levels, levels)
    assert assign_levels(range(n), cuts, levels) == levels
    assert len(asked) < 3 * n * n  # 870,000 before


def test_marked_texts_that_are_too_many_or_too_long_are_refused_alone():
    """Two of 400,000 characters took 10 s in one call of C, which no signal ends; 80,000 letters need a table of 51 GB."""
    from support.run import jsonl, st

    def rated(item, *given):
        return [{"item": item, "rater": rater, "value": value} for rater, value in zip("ab", given)]

    whole = [f"w{n}" for n in range(2_000)]
    rows = [*rated(1, ["中" * 400_000], ["中" * 400_000]), *rated(2, ["a"], ["a"]), *rated(3, [*whole, "x"], ["a"])]
    made = st("st-agree", "spans", input=jsonl(*rows))
    assert made.status == 1 and made.err.count("the square of their size") == 3
    values = [record for record in made.records if record["measure"] == "edit" and record.get("raters") == ["a", "b"]]
    assert [(one["value"], one["n_items"], one["dropped"]) for one in values] == [(1.0, 1, {"too-many": 3})]
    assert st("st-agree", "spans", input=jsonl(*rated(1, whole, ["中" * 200_000]))).status == 0


def _beside_each_other(formulas):
    """A paper with some equations in one section."""
    text, equations = "We see it.", []
    for number, formula in enumerate(formulas, 1):
        span = {"in": "s1", "start": len(text) + 1, "end": len(text) + 1 + len(formula)}
        text += f" {formula} holds."
        equations.append({"id": f"e{number}", "latex": formula, "span": span})
    section = {"id": "s1", "number": "1", "heading": "A", "level": 1, "role": "method", "text": text}
    return {"id": "p", "sections": [section], "equations": equations}


def test_a_formula_is_read_once_for_all_equations_that_it_stands_beside(monkeypatch):
    """266 short equations in one section took 10.6 s: each formula was read anew for the context of each other one."""
    from scholartools.tasks.equations.questions import making, shortcuts

    read, asked = shortcuts.read, []
    shortcuts.option_tokens.cache_clear()
    monkeypatch.setattr(shortcuts, "read", lambda latex: asked.append(latex) or read(latex))
    formulas = [f"q_{{{n}}} = r + {n}" for n in range(40)]
    making.make_questions(_beside_each_other(formulas), making.Options(per_paper=40))
    assert [asked.count(formula) for formula in formulas] == [1] * 40


def test_formulas_around_are_counted_where_options_are_compared(monkeypatch):
    """680 different formulas that give no question took 13 s: for each, the runs of tokens of all others were counted."""
    from scholartools.tasks.equations.questions import making, masking, shortcuts

    counted = []
    habits, holders = shortcuts.Habits, masking._Holders
    monkeypatch.setattr(shortcuts, "Habits", lambda formulas: counted.append(1) or habits(formulas))
    monkeypatch.setattr(masking, "_Holders", lambda formulas: counted.append(1) or holders(formulas))
    made = making.make_questions(_beside_each_other([f"n < {n}" for n in range(20)]), making.Options(masks=0))
    assert made.skipped.total() == 20 and not made.questions and not counted
    assert making.make_questions(_beside_each_other(["x = a + b", "y = c d"]), making.Options()).skipped and counted


@pytest.mark.slow
def test_a_paper_whose_equations_give_no_question_is_given_up(monkeypatch):
    """300 different ones took 9.4 s: each was tried, beside all others. A thousand take as many tries as ninety."""
    from scholartools.tasks.equations.questions import making

    tried, maker = [], making.QuestionMaker
    monkeypatch.setattr(making, "QuestionMaker", lambda *a: tried.append(1) or maker(*a))
    paper = _beside_each_other([f"x_{{{n}}} < {n}" for n in range(100)])
    made = making.make_questions(paper, making.Options(per_paper=2))
    assert len(tried) == 60 and made.skipped[making.GIVEN_UP] == 40 and made.skipped.total() == 100
    tried.clear()
    assert making.make_questions(paper, making.Options(per_paper=4)).skipped.total() == len(tried) == 100


def test_rouge_of_long_texts_has_no_table():
    """Two texts of 40,000 words: a table of Python's would have 1.6 thousand million cells."""
    scores = Rouge()("a b " * 20_000, "b a " * 20_000)
    assert scores["rougeL"].recall == 39_999 / 40_000


def test_a_reply_of_very_many_stray_quotes_is_refused():
    """The library that mends JSON looks through the rest at each: 20,000 characters took 15 s, prose .05 s."""
    from pydantic import BaseModel

    from scholartools.llm import replies

    class Asked(BaseModel):
        items: list[str]

    for token in ('"a', "[^1]: note\n", "([{"):
        for form in ('{"items": ["@"]}', '{"items": [@]}', '{"items": ["@",]}'):
            try:
                replies.read(form.replace("@", token * 200), Asked)
            except replies.ReplyFault as fault:
                assert "in the reply" in fault.reason
    with pytest.raises(replies.ReplyFault, match="more faults than can be mended"):
        replies.read('{"items": ["' + '"a' * 2_000 + '"]}', Asked)
    # Python's stack ended in it: an internal error, as if the reply were no reply.
    with pytest.raises(replies.ReplyFault, match="in the reply|not as asked for"):
        replies.read('{"items": [' + "(" * 2_000 + "]}", Asked)
    for deep in ("[" * 5_000, '{"a":' * 5_000, "[" * 5_000 + "]" * 5_000):
        with pytest.raises(replies.ReplyFault, match="in the reply|not as asked for"):
            replies.read(f'{{"items": [{deep}]}}', Asked)
    text = " ".join(f"It is {n}." for n in range(1_000))
    assert replies.read(f'{{"items": ["{text}",]}}', Asked).value.items == [text]
    # At each part of a list it goes through all before: 80,000 characters took 1.4 s, a megabyte minutes.
    with pytest.raises(replies.ReplyFault, match="too long to be mended"):
        replies.read('{"items": [' + "[^1]: note\n" * 100_000 + "]}", Asked)
    assert replies.read('{"items": ["' + "a " * 40_000 + '"]}', Asked).value.items == ["a " * 40_000]


def test_a_mended_reply_is_what_the_library_mends():
    import json_repair

    from scholartools.llm import replies

    draw, n_mended = random.Random(42), 0
    for _ in range(300):
        text = json.dumps({"items": [" ".join(draw.choices(["we", "a b", "so,", "x: y"], k=9)) for _ in range(4)]})
        for _ in range(draw.randrange(1, 5)):
            place = draw.randrange(len(text))
            text = text[:place] + draw.choice(["'", '"', ",", "]", "", "\n", "{"]) + text[place + draw.randrange(2) :]
        plain = json_repair.repair_json(text, return_objects=True, logging=True)
        assert json_repair.repair_json(replies._Watched(text), return_objects=True, logging=True) == plain
        n_mended += bool(plain[1])
    assert n_mended > 90


def test_the_longest_shared_run_of_words_is_found_without_comparing_all():
    """Each word of one text was compared with each of the other: 20,000 characters of prose took .6 s, 80,000 11 s."""
    from scholartools.text.ngrams import longest_shared_run

    def slowly(words, others, known):
        runs = {(end - start, -start) for start in range(len(words)) for end in range(start + 1, len(words) + 1)
                if f" {' '.join(words[start:end])} " in f" {' '.join(others)} "
                and not any(f" {' '.join(words[start:end])} " in f" {' '.join(text)} " for text in known)}  # fmt: skip
        length, start = max(runs, default=(0, 0))
        return words[-start : length - start]

    draw, n_known = random.Random(42), 0
    for _ in range(1500):
        words, others, *known = ([draw.choice("abcd") for _ in range(draw.randrange(12))] for _ in range(4))
        known = known[: draw.randrange(3)]
        given = [" ".join(text) for text in (words, others, *known)]
        found = slowly(words, others, known)
        assert longest_shared_run(given[0], given[1], given[2:]) == found
        n_known += found != slowly(words, others, [])
    assert n_known > 100
    run = [f"w{n % 7}" for n in range(40_000)]
    assert len(longest_shared_run(" ".join(run), " ".join(run[3:]))) == 39_997


def test_capitals_in_a_row_are_no_cue():
    """20,000 of them in a section took a second, and their square."""
    from scholartools.tasks.generate.experiments import cues

    former = re.compile(r"\b(?-i:[A-Z]{3,}\w*) (?:scores? )?(?:of|is|was) \$?\d+\.\d", re.I)
    measure, draw, n_found = cues.CUES["measure"], random.Random(42), 0
    for _ in range(3000):
        pieces = ["ABC", "A", "bc", " ", " of ", " is $", "1.5", "score", "scores", "WAS", "_", "é"]
        text = "".join(draw.choices(pieces, k=draw.randrange(2, 8)))
        if former.search(text):
            assert measure.search(text), text
            n_found += 1
    assert n_found > 5
    assert measure.search("A" * 400_000) is None


def test_the_end_of_a_cell_is_cut_without_trying_each_space():
    """10,000 characters of row ends before a letter took .9 s, and their square."""
    from scholartools.tasks.equations.questions import rules

    former = re.compile(r"(?:\s*(?:&|\\\\))+\s*$")
    draw, n_cut = random.Random(42), 0
    for _ in range(3000):
        text = "".join(draw.choices(["&", "\\", "\\\\", " ", "\n", "x", "a&"], k=draw.randrange(9)))
        assert rules._without_cell_end(text) == former.sub("", text)
        n_cut += former.search(text) is not None
    assert n_cut > 500
    assert rules._without_cell_end("\\\\ " * 100_000 + "x").endswith("x")


def test_a_paper_is_looked_through_once_for_all_that_a_review_names(monkeypatch):
    """Each place that a review names was sought in all sections: 80,000 characters of both took 1.8 s, now .15 s."""
    from scholartools.tasks.claims import mentions

    asked, read = [], mentions.read
    monkeypatch.setattr(mentions, "read", lambda *a: asked.append(1) or read(*a))
    section = {"heading": "A", "level": 1, "role": "other", "text": "We show it."}
    paper = {
        "sections": [{"id": f"s{n}", "number": f"1.{n}", **section} for n in range(99)],
        "references": [{"id": f"b{n}", "text": f"A. Smith{'abcdefghij'[n % 10]}. A. {1990 + n // 10}."} for n in range(99)],
    }  # fmt: skip
    text = " ".join(f"Section 1.{n} and Smith{'abcdefghij'[n % 10]} ({1990 + n // 10}) differ." for n in range(99))
    found = mentions.mentions(text, "review:r", 0, len(text), mentions.Places(paper))
    assert [one["at"] for one in found] == [name for n in range(99) for name in (f"s{n}", f"b{n}")]
    assert len(asked) < 5


def test_the_first_of_several_places_of_one_number_is_named():
    from scholartools.tasks.claims import mentions

    section = {"heading": "A", "level": 1, "role": "other", "text": "We show it."}
    paper = {
        "sections": [{"id": name, "number": number, **section} for name, number in (("a", None), ("b", "III"), ("c", "3"))],
        "captions": [{"id": name, "kind": "table", "label": label, "text": "A"}
                     for name, label in (("t1", "Table II"), ("t2", "Table 2"), ("t3", "Table 3"))],
        "references": [{"id": name, "text": text} for name, text in (
            ("b1", "J. Miller and A. Smith, 2019."), ("b2", "[2] A. Smith, 2018."), ("b3", "[2] A. O'Smith, 2019."),
            ("b4", "A. Smith. A, 2019."))],
    }  # fmt: skip
    text = "Section 3, Section III, Table 2, Table 3, [2], Smith (2019) and Miller (2020) are unclear."
    found = mentions.mentions(text, "review:r", 0, len(text), mentions.Places(paper))
    assert [one["at"] for one in found] == ["b", "b", "t1", "t3", "b2", "b3", None]


def test_a_key_that_stands_twice_is_found_among_very_many():
    """Each key was counted among all: 40,000 of them took 20 s."""
    from scholartools.json_text import DuplicateKey, loads_exactly

    keys = "".join(f'"k{n}":1,' for n in range(40_000))
    with pytest.raises(DuplicateKey, match='the key "z" occurs twice'):
        loads_exactly(f'{{{keys}"z":1,"z":2}}'.encode())


def test_a_heading_is_cut_without_trying_each_of_its_spaces():
    """10,000 spaces behind "Limitations" took 2 s, and their square."""
    from scholartools.tasks.limits import headings

    former = re.compile(r"(?i)\s+(?:and|und|et|y)\s+|[&,/:;\u2013\u2014]|\s-\s")
    draw, n_cut = random.Random(42), 0
    for _ in range(5000):
        text = "".join(draw.choices([" ", " ", "\n", "-", " - ", "and", "y", "a", ",", "AND "], k=draw.randrange(12)))
        parts = former.split(text)
        assert headings._PARTS.split(text) == parts
        n_cut += len(parts) > 1
    assert n_cut > 1000
    section = {"id": "s1", "number": "1", "level": 1, "role": "other", "text": "It is slow."}
    assert [*headings.heading_kinds([{**section, "heading": f"Limitations{' ' * 400_000}x"}])]


def test_a_heading_of_very_many_parts_is_refused():
    """A thousand ended in a RecursionError, 40,000 took the square of their number before."""
    import io

    from scholartools.table_files.reading import Reading, read_rows

    def read(heading, **how):
        return list(read_rows(io.BufferedReader(io.BytesIO(f"id,{heading}\np,x\n".encode())), "a.csv", Reading(**how)))

    for count in (33, 40_000):
        with pytest.raises(InputFault, match=f"of {count:,} parts 32 at most are read"):
            read(".".join("a" * count))
    [row] = read(".".join("a" * 32))
    depth, value = 0, row.record["a"]
    while isinstance(value, dict):
        depth, value = depth + 1, value["a"]
    assert (depth, value) == (31, "x")
    sentences = "We go. " * 50 + "End"
    assert read(sentences)[0].record[sentences] == "x"
    key = ".".join("a" * 40)
    assert read(key, is_rows=True)[0].record[key] == "x"


def test_a_year_after_very_many_digits():
    assert find_year("1" * 100_000 + ". A title, 2019.") == 2019


@pytest.mark.parametrize("formula", ["x" + "!" * 290, "x" + "!" * 900, "-" * 400 + "x"])
def test_a_tree_that_is_very_deep_has_a_verdict_that_is_not_wrong(formula):
    assert equations.certify(formula, formula + "+1")["verdict"] in ("undecided", "different")


def test_a_sentence_ends_once_in_a_run_of_ideographic_stops():
    from scholartools.text import sentences

    text = "很好。。。真的！？是。"
    assert [text[start:end] for start, end in sentences.spans(text)] == ["很好。。。", "真的！？", "是。"]


# Sentences, without which a text is no paper.
PROSE = "We measure how the bees fly over the fields in a dry summer. " * 40


def test_front_matter_with_aliases_is_refused():
    """468 bytes stood for 9 ** 9 words."""
    levels = "".join(
        f"{name}: &{name} [{','.join('*' + below for _ in range(9))}]\n" for below, name in zip("abcdefgh", "bcdefghi")
    )
    text = f"# One\n\n{PROSE}\n\n# Two\n\nMore of it.\n"
    plain, found = (
        parse.parse(parse.stub("-"), stdin=f"{front}{text}".encode())
        for front in ("", f"---\na: &a [x,x,x]\n{levels}title: *i\n---\n\n")
    )
    assert found["title"] == plain["title"] and "front-matter" in [one["kind"] for one in found["warnings"]]


def test_yaml_nested_too_deep_is_refused():
    """The library looks at each open bracket at each sign: 300 levels, where Python's stack ended, took .6 s."""
    from scholartools.readers.common import yaml_data

    deep = yaml_data.load_yaml("a: " + "[" * (yaml_data.DEEPEST - 2) + "]" * (yaml_data.DEEPEST - 2))
    for _ in range(yaml_data.DEEPEST - 3):
        deep = deep["a"] if isinstance(deep, dict) else deep[0]
    assert deep == [[]]
    for deeper in ("[" * 60 + "]" * 60, "{a: " * 60 + "1" + "}" * 60, "".join(f"{' ' * n}a:\n" for n in range(60))):
        with pytest.raises(InputFault, match="the YAML cannot be read"):
            yaml_data.load_yaml(deeper)
    assert yaml_data.load_yaml("[" + "[[1]], " * 200 + "]") == [[[1]]] * 200


def test_a_title_that_is_a_huge_integer_is_none():
    text = f"---\ntitle: 0x{'f' * 9000}\n---\n# One\n\nText is here.\n\n# Two\n\nMore of it.\n"
    assert parse.parse(parse.stub("-"), stdin=text.encode())["sections"]


def test_formulas_share_the_tables_that_they_are_read_with(monkeypatch):
    """The library's tables, made anew for each formula of a reference, took a hundred times what prose takes."""
    from pylatexenc.macrospec import LatexContextDb

    from scholartools.readers.latex.document.symbols import unicode_math

    unicode_math("\\frac{a}{b}")
    made, add = [], LatexContextDb.add_context_category
    monkeypatch.setattr(LatexContextDb, "add_context_category", lambda *a, **k: made.append(1) or add(*a, **k))
    assert [unicode_math(f"\\frac{{\\alpha}}{n}") for n in range(3)] == ["α/0", "α/1", "α/2"]
    assert not made


def test_simple_formulas_are_printed_as_the_library_prints_them():
    from scholartools.readers.latex.document import symbols

    draw = random.Random(25)
    signs = [*"abxN01 +-=()[],.;:_^*|{}", "\\alpha ", "\\ell", "\\in ", "\\times", "\\frac{a}{b}", "_{1}", "{ a}", "--"]
    formulas = ["".join(draw.choices(signs, k=draw.randrange(1, 9))) for _ in range(300)]
    simple = {formula: text for formula in formulas if (text := symbols._print_simple(formula)) is not None}
    assert len(simple) > 100
    assert simple == {formula: symbols._print_any(formula) for formula in simple}


def test_a_line_of_dashes_says_nothing_and_a_letter_after_it_ends():
    """5,000 dashes took their cube: minutes under a heading of limitations, in what a review lists."""
    from scholartools.tasks.limits import review_cues

    rule = re.compile("(?is)" + dict(review_cues.NOTHING)["it says nothing"])
    former = re.compile(r"(?is)\W*(?:none|no|-+)\W*$")
    draw = random.Random(25)
    for _ in range(2000):
        text = "".join(draw.choices(["-", "-", " ", ".", "a", "no", "None", "\n"], k=draw.randrange(6)))
        assert bool(rule.match(text)) == bool(former.match(text)), text
    assert not rule.match("-" * 100_000 + "a")


def test_what_stands_in_another_is_told_once_without_comparing_all():
    from scholartools.tasks.limits.merging import _tell_once

    def member(*places):
        return {"spans": [{"in": name, "start": start, "end": end} for name, start, end in places]}

    draw = random.Random(25)
    for _ in range(300):
        members = [
            member(*((draw.choice("ab"), start := draw.randrange(9), start + draw.randrange(1, 5)) for _ in range(draw.randrange(3))))
            for _ in range(draw.randrange(8))
        ]  # fmt: skip
        told = []
        for number, one in enumerate(members):
            before = [span for other in members[:number] for span in other["spans"]]
            is_held = (
                any(b["in"] == s["in"] and b["start"] <= s["start"] and s["end"] <= b["end"] for b in before)
                for s in one["spans"]
            )
            if not all(is_held):
                told.append(one)
        assert _tell_once(members) == told
    assert len(_tell_once([member(("s1", 2 * n, 2 * n + 1)) for n in range(50_000)])) == 50_000


def test_marks_inside_names_are_no_proposals(monkeypatch):
    """Each cost a proposal of a sentence and five patterns, though none of them begins one."""
    from scholartools.text import sentences

    asked, inside = [], sentences._is_inside
    monkeypatch.setattr(sentences, "_is_inside", lambda *a: asked.append(1) or inside(*a))
    assert sentences.spans("a? " * 500 + "b. We go.") == [(0, 1502), (1503, 1509)]
    assert len(asked) <= 2


def test_limitations_of_one_section_are_not_compared(monkeypatch):
    """All were, in a table of all pairs: 20,000 characters of headings took two seconds, four times as many 30."""
    from scholartools.tasks.limits import Merging, merging
    from scholartools.text.embeddings import sentence

    class Counting:
        def vectors(self, texts):
            asked.extend(texts)
            return inside.vectors(texts)

    asked, inside = [], sentence.embedder(None)
    monkeypatch.setattr(sentence, "embedder", lambda name=None: Counting())
    items = [{"text": f"item {n % 19_999} fails", "spans": [{"in": "s1", "start": n, "end": n}]} for n in range(20_000)]
    assert merging.by_similarity(items, Merging()) == ([[0, 19_999]], None)
    assert len(asked) <= 2


def test_what_is_joined_by_parts_is_what_is_joined_by_all_pairs():
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    from scholartools.tasks.limits import Merging, merging
    from scholartools.text.embeddings import sentence

    draw, n_joined = random.Random(25), 0
    words = "the method needs data labels English only few annotators no baseline small sample Needs".split()
    for _ in range(100):
        items = [
            {
                "text": " ".join(draw.choices(words, k=draw.randrange(1, 5))),
                "spans": [{"in": draw.choice(["s1", "s2", "review:r1"]), "start": 0, "end": 1}],
            }
            for _ in range(draw.randrange(2, 12))
        ]
        vectors = sentence.embedder(None).vectors([item["text"] for item in items]).astype(float)
        distances = (1 - vectors @ vectors.T).round(6).clip(0)
        for a, one in enumerate(items):
            for b, other in enumerate(items):
                if one["text"].casefold() == other["text"].casefold():
                    distances[a, b] = 0
                elif one["spans"][0]["in"] == other["spans"][0]["in"]:
                    distances[a, b] = 3
        threshold = draw.choice([0.3, 0.55, 0.8])
        tree = linkage(squareform(distances, checks=False), method="complete")
        labels = list(fcluster(tree, round(1 - threshold, 6), criterion="distance"))
        groups = [[place for place, label in enumerate(labels) if label == one] for one in dict.fromkeys(labels)]
        joined = [group for group in groups if len(group) > 1]
        assert merging.by_similarity(items, Merging(threshold)) == (joined, None)
        n_joined += len(joined)
    assert n_joined > 50


def test_two_long_lists_that_resemble_each_other_need_no_square_in_memory():
    """All distances at once took several tables of the square of the texts' number."""
    import tracemalloc

    import numpy as np
    from scipy.spatial.distance import squareform

    from scholartools.tasks.limits import merging

    n = 1500
    sources = [frozenset([f"s{number % 2}"]) for number in range(n)]
    distances = merging._Distances([f"the method needs data set {number}" for number in range(n)], sources, None)
    whole = distances.between(np.arange(n), np.arange(n))
    tracemalloc.start()
    pairs = distances.within(np.arange(n))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.array_equal(pairs, squareform(whole, checks=False)) and len(np.unique(pairs)) > 100
    assert most < 4 * n * n + 20 * merging._ROWS * n + 10_000_000
    assert most < 2 * whole.nbytes


def test_more_that_hang_together_than_memory_holds_stay_apart(monkeypatch):
    """Two lists of thousands that resemble each other took the square of their number in memory, then their record."""
    from scholartools.tasks.limits import Merging, extract, merging

    def section(name, text):
        named = {"heading": "Limitations", "level": 1, "role": "limitation", "number": None}
        return {"id": name, "text": text, **named}

    def chained(count, *more):
        forms = ("The method needs data set {}.", "The method needs a data set {}.")
        texts = ["\n\n".join([*(form.format(n) for n in range(2, count + 2)), *more]) for form in forms]
        return {"sections": [section(f"s{n}", text) for n, text in enumerate(texts)]}

    monkeypatch.setattr(merging, "MOST_TOGETHER", 6)
    assert len(extract(chained(3), merging=Merging())["limitations"]) < 6
    alone = extract(chained(4))["limitations"]
    assert len(alone) == 8
    left = extract(chained(4), merging=Merging())
    assert left["limitations"] == alone
    (entry,) = left["errors"]
    assert (entry["command"], entry["kind"], entry["missing"]) == ("st-extract-limits", "too-many", 8)
    assert entry["reason"].startswith("8 limitations that resemble each other in a chain are not merged")
    # It costs those that hang together alone, and the entry goes with the next run.
    others = "Glucose was measured at night by nobody."
    joined = extract({**left, **chained(4, others)}, merging=Merging())
    assert [len(item.get("members", [item])) for item in joined["limitations"]] == [1, 1, 1, 1, 2, 1, 1, 1, 1]
    assert len(joined["errors"]) == 1
    assert "errors" not in extract({**left, **chained(3)}, merging=Merging())
    # The bound is on those that hang together, not on all: four lists apart of two each.
    words = ("glucose", "telescope", "grammar", "robots")
    items = [{"text": f"{word} {end}", "spans": [{"in": place, "start": 0, "end": 1}]}
             for word in words for place, end in (("s1", "fails"), ("s2", "fails."))]  # fmt: skip
    assert merging.by_similarity(items, Merging(0.9)) == ([[0, 1], [2, 3], [4, 5], [6, 7]], None)


@pytest.mark.slow
def test_a_record_keeps_its_limitations_where_too_many_hang_together():
    """The command's view: one record of 4,200 that hang together between two others; half a minute."""
    from support.run import jsonl, st

    def paper(name, count):
        forms = ("The method needs data set {}.", "The method needs a data set {}.")
        named = {"heading": "Limitations", "level": 1, "role": "limitation", "number": None}
        texts = ["\n\n".join(form.format(n) for n in range(2, count + 2)) for form in forms]
        return {"id": name, "sections": [{"id": f"s{n}", "text": text, **named} for n, text in enumerate(texts)]}

    counts = (2, 2100, 3)
    made = st("st-extract-limits", "--merge", input=jsonl(*(paper(f"p{n}", n) for n in counts)))
    assert made.status == 1 and made.err.count("are not merged") == 1
    assert [len(record["limitations"]) < 2 * n for record, n in zip(made.records, counts)] == [True, False, True]
    assert [len(record.get("errors", ())) for record in made.records] == [0, 1, 0]


def test_what_states_no_limitation_is_told_without_comparing_all(monkeypatch):
    """Each sentence was looked up in a list: 80,000 characters of short questions took 2.1 s, all but .1 s there."""
    from scholartools.tasks.limits import passages

    class Place(tuple):
        __hash__ = tuple.__hash__

        def __eq__(self, other):
            asked.append(1)
            return tuple.__eq__(self, other)

    asked, text = [], "It is. " * 300
    split = passages._split_groups
    monkeypatch.setattr(passages, "_split_groups", lambda *a: [[*map(Place, group)] for group in split(*a)])
    assert passages.cut_passage(text, passages.Block(0, len(text), "Limitations", None))[0]
    assert len(asked) < 3000  # 45,000 before


def test_quotations_are_those_of_one_pattern():
    """The pattern tried 600 characters after each straight mark; where that closes is looked up now."""
    from scholartools.text import anchors

    former = re.compile(
        r"\u201c(?P<a>[^\u201c\u201d\n]{1,600})\u201d|(?<!\w)\"(?P<b>[^\"\n]{1,600})\"(?!\w)"
        r"|(?<![\w'\u2019])'(?P<c>(?:[^'\n]|'(?=\w)){1,600}?)'(?!\w)"
        r"|\u2018(?P<d>(?:[^\u2018\u2019\n]|\u2019(?=\w)){1,600}?)\u2019(?!\w)"
    )
    draw, pieces = random.Random(25), [*"''ab .,\n\u2018\u2019\u201c\u201d\"", "it's", "x" * 299, "x" * 598]
    for _ in range(2000):
        text = "".join(draw.choices(pieces, k=draw.randrange(20)))
        found = [text[start:end] for start, end in anchors._quotations(text, 0, len(text))]
        assert found == [hit[hit.lastgroup] for hit in former.finditer(text)], text


def test_brackets_that_cannot_be_links_are_not_tried(monkeypatch):
    """The parser of Markdown tried 20 of them in one another at each."""
    from markdown_it.parser_inline import ParserInline

    from scholartools.readers.text import markdown

    tried, skip = [], ParserInline.skipToken
    monkeypatch.setattr(ParserInline, "skipToken", lambda *a: tried.append(1) or skip(*a))
    assert markdown._Reader([]).plain("[" * 5000 + "![a]") == "[" * 5000 + "![a]"
    assert not tried
    text = "![a](" * 2000  # nothing ends a destination
    assert markdown._Reader([]).plain(text) == text
    assert not tried


def test_links_and_pictures_are_read_as_the_parser_reads_them(monkeypatch):
    from scholartools.readers.text import markdown

    draw = random.Random(25)
    pieces = [
        "[",
        "]",
        "(",
        ")",
        "](",
        "!",
        "![",
        "a",
        "b c d e",
        " ",
        "\n",
        "`",
        "*",
        "<u>",
        "\\",
        "u",
        '"t"',
        "[a]",
        "[a]: u\n",
    ]
    texts = ["".join(draw.choices(pieces, k=draw.randrange(1, 25))) for _ in range(400)]
    found = [(reader.plain(text), reader.captions) for text in texts for reader in [markdown._Reader([])]]
    monkeypatch.setattr(markdown, "_read_if_closed", lambda rule, state, silent: rule(state, silent))
    assert found == [(reader.plain(text), reader.captions) for text in texts for reader in [markdown._Reader([])]]


def test_each_line_above_the_abstract_is_read_for_names_once(monkeypatch):
    """6,700 lines without a name were read twice: 4.6 times what prose of as many lines takes."""
    from scholartools.readers.common import authors

    asked, split = [], authors._split_names
    monkeypatch.setattr(authors, "_split_names", lambda line: asked.append(line.text) or split(line))
    lines = "".join(f"\u2022 item {n}\n" for n in range(300))
    parse.parse(
        parse.stub("-"), stdin=f"A Title\n{lines}\nAbstract\n\nWe measure.\n\n1 Introduction\n\n{PROSE}\n".encode()
    )
    assert len(asked) < 320  # 600 before


def test_what_a_long_sentence_holds_is_collected_near_each_word():
    """The kinds of all words behind each word were copied: 80,000 characters of "we" took 1.3 s, a quarter of that now."""
    import tracemalloc

    from scholartools.tasks.limits import likelihood

    features = likelihood.sentence_features("we do not " * 8_000)
    tracemalloc.start()
    next(features)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    n_found = sum(1 for _ in features)
    most = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    assert n_found > 24_000 and most < 20_000, most  # 190,000 before


def test_a_text_of_blanks_is_wrapped_without_stripping_the_rest_for_each_line():
    """80,000 tabs in an abstract took 2.3 s, and their square."""
    from scholartools.tasks.views import plain_text

    assert plain_text._wrap_text("a" + "\t" * 80_000 + "b", "  ") == ["  a b"]
    assert plain_text._wrap_text("\u3000" * 80_000, "") == []
    assert plain_text._wrap_text(f"a.  b{' ' * 90}c\nd", "") == [f"a.  b{' ' * 90}c d"]


def test_the_same_reference_thousands_of_times_is_read_once(monkeypatch):
    """40,000 characters of "A" and blank lines among references took 1.2 s, ten times as long as references in prose."""
    from scholartools.readers.references import entries, tagger

    asked, read = [], tagger.read
    monkeypatch.setattr(tagger, "read", lambda texts: asked.append(len(texts)) or read(texts))
    body = "A Title\n\nAbstract\n\nWe measure.\n\n1 Introduction\n\nIt is so.\n\nReferences\n\n" + "A\n\n" * 2_000
    record = parse.parse(parse.stub("-"), reading=parse.Reading(format="text"), stdin=body.encode())
    assert len(record["references"]) == 2_000 and sum(asked) < 5
    asked.clear()
    different = [f"A. Smith. A title of part {n}. Journal, {1900 + n}." for n in range(90)]
    found = entries.parse_entries([*different, different[0]])
    assert max(asked) <= 64 and sum(asked) == 90
    assert found == [entries.parse_entry(text) for text in [*different, different[0]]]
    assert found[0] == found[-1] and found[0] is not found[-1] and found[0]["authors"] is not found[-1]["authors"]


def test_passages_of_the_same_words_are_compared_once(monkeypatch):
    """80,000 characters of "1! " in sections took 1.5 s in st-score support, 8 times as long as prose."""
    from scholartools.metrics.texts import overlap

    asked, recall = [], overlap.recall
    monkeypatch.setattr(overlap, "recall", lambda *sides: asked.append(1) or recall(*sides))
    values = [PLACES["score support"](repeated("1! ")(size)) for size in (3_000, 12_000)]
    assert len(asked) < 200  # 19,000 before
    assert values[0] and values[1]
