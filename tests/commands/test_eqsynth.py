"""st-eqsynth from outside: papers in, questions out; certificates that hold; options that shortcuts do not solve."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from support.run import BIN, ROOT, environment, jsonl, shell, st

from scholartools.tasks.equations import certify, parse
from scholartools.tasks.equations.questions import compiling
from scholartools.tasks.equations.questions.context import split_statements
from scholartools.tasks.equations.questions.edits import Edit, apply
from scholartools.tasks.equations.questions.making import Options, make_questions
from scholartools.tasks.equations.questions.rewritings import find_rewritings
from scholartools.tasks.equations.questions.rules import DEFAULT_OPS, OPS, Slips
from scholartools.tasks.equations.questions.shortcut_table import Table, accuracies
from scholartools.tasks.equations.questions.shortcuts import option_tokens
from scholartools.tasks.equations.trees.typesetting import typeset
from scholartools.tasks.shared.questions import SIGNS

PAPER = ROOT / "fixtures" / "paper" / "paper.tex"
FORMULAS = [
    "y = \\sum_{i=1}^{n} a_i x_i + \\frac{1}{2} \\exp(-b)",
    "s(x) = \\sqrt{\\frac{\\sum_{j=1}^n (x_j - \\bar{x})^2}{n-1}}",
    "h_t = \\sigma(W_h h_{t-1} + U x_t)",
    "a \\leq \\max_i \\left| b_i - c \\right|",
    "L = \\int_0^1 f(x) \\, dx",
]


@pytest.fixture(scope="session")
def paper() -> bytes:
    return st("st-parse", PAPER).out


@pytest.fixture(scope="session")
def questions(paper: bytes) -> bytes:
    return st("st-eqsynth", "--seed", "1", "--compile", "off", input=paper).out


def record(section: str, *displays: str, **more: object) -> dict:
    """A paper whose section holds some displays, each in the place of an @."""
    equations, text = [], section
    for number, latex in enumerate(displays, 1):
        start = text.index("@")
        text = text[:start] + latex + text[start + 1 :]
        span = {"in": "s1", "start": start, "end": start + len(latex)}
        equations.append({"id": f"e{number}", "latex": latex, "span": span, "label": None})
    own = {"number": None, "heading": "One", "level": 1, "role": "method", "pages": []}
    return {"id": "p", "sections": [{"id": "s1", "text": text, **own}], "equations": equations, **more}


def synth(paper: dict, *args: str) -> list[dict]:
    return st("st-eqsynth", "--compile", "off", *args, input=json.dumps(paper)).records


@pytest.mark.slow
def test_questions_are_the_same_bytes_every_time_and_in_parts(paper, questions):
    assert st("st-eqsynth", "--seed", "1", "--compile", "off", input=paper).out == questions
    other = json.dumps(record("Text. @ More.", FORMULAS[0])).encode() + b"\n"
    parts = [st("st-eqsynth", "--seed", "1", "--compile", "off", input=part).out for part in (paper, other)]
    whole = st("st-eqsynth", "--seed", "1", "--compile", "off", "--jobs", "2", input=paper + other).out
    assert whole == b"".join(parts)
    assert st("st-eqsynth", "--seed", "2", "--compile", "off", input=paper).out != questions


def test_a_question_has_one_true_option_and_three_proven_wrong(questions):
    found = [json.loads(line) for line in questions.splitlines()]
    assert found
    for question in found:
        assert [option["correct"] for option in question["options"]].count(True) == 1
        assert sorted(question["order"]) == sorted(option["id"] for option in question["options"])
        truth = next(option["latex"] for option in question["options"] if option["correct"])
        for option in question["options"]:
            assert typeset(option["latex"]) == option["latex"]
            if not option["correct"]:
                assert option["certificate"]["verdict"] == "different"
                assert certify(truth, option["latex"])["verdict"] == "different"
                edits = [Edit(one["start"], one["end"], one["to"], one["op"]) for one in option["edits"]]
                assert typeset(apply(truth, edits)) == option["latex"]
        is_turned = any(edit["op"] == SIGNS for option in question["options"] for edit in option.get("edits", ()))
        counts = {
            tuple(sorted("+" if is_turned and token == "-" else token for token in option_tokens(option["latex"])))
            for option in question["options"]
        }
        assert len(counts) == 1 and len({len(option["latex"]) for option in question["options"]}) == 1
        sizes = sorted(len(option.get("edits", [])) for option in question["options"])
        assert sizes[0] == 0 and sizes[3] == sizes[1] + sizes[2]


@pytest.mark.slow
def test_ids_and_order_do_not_tell_which_is_true(paper):
    papers = [st("st-eqsynth", "--seed", str(seed), "--compile", "off", input=paper).records for seed in range(6)]
    places = [
        (next(one["id"] for one in question["options"] if one["correct"]), question["order"])
        for made in papers
        for question in made
    ]
    assert len({name for name, _ in places}) >= 3
    assert len({order.index(name) for name, order in places}) >= 3


@pytest.mark.parametrize("seed", ["0", *(pytest.param(seed, marks=pytest.mark.slow) for seed in "123")])
def test_questions_do_not_depend_on_the_order_of_sets(paper, questions, seed):
    """Each interpreter orders sets of texts by a seed of its own."""
    line = [str(BIN / "st-eqsynth"), "--seed", "1", "--compile", "off"]
    done = subprocess.run(line, env=environment(PYTHONHASHSEED=seed), input=paper, capture_output=True)
    assert done.stdout == questions


def test_verify_computes_certificates_again(questions):
    done = st("st-eqsynth", "--verify", input=questions)
    assert done.status == 0 and done.out == questions
    count = len(questions.splitlines())
    assert f"{count} question" in done.err and f"{3 * count} options verified" in done.err
    # A changed option of a question with masks would be found by what the text around then tells.
    question = next(one for one in map(json.loads, questions.splitlines()) if not one["context"]["masked"])
    wrong = next(option for option in question["options"] if not option["correct"])
    wrong["latex"] = wrong["latex"].replace("-", "+", 1) if "-" in wrong["latex"] else wrong["latex"] + " + 1"
    done = st("st-eqsynth", "--verify", input=json.dumps(question))
    assert done.status == 1
    assert question["id"] in done.err and wrong["id"] in done.err


def test_an_option_that_is_called_right_and_is_not_fails_to_verify(questions):
    question = json.loads(questions.splitlines()[0])
    wrong = next(option for option in question["options"] if not option["correct"])
    wrong["correct"] = True
    done = st("st-eqsynth", "--verify", input=json.dumps(question))
    assert done.status == 1 and '"correct" is true' in done.err


def test_whatever_is_changed_in_a_question_fails_to_verify(questions):
    """One run for all: each line is told, by what is wrong with it, and none ends in an internal error."""
    base = questions.splitlines()[0]
    forged = []
    given = json.loads(base)
    left = [option for option in given["options"] if len(option.get("edits", ())) < 2]

    def forge(said: str, **changes) -> None:
        question = json.loads(base)
        wrong = next(option for option in question["options"] if option["origin"] != "paper")
        paper = next(option for option in question["options"] if option["origin"] == "paper")
        targets = {"wrong": wrong, "paper": paper, "certificate": wrong["certificate"], "question": question}
        targets |= {"edit": wrong["edits"][0], "context": question["context"]}
        for target, values in changes.items():
            targets[target].update(values)
        forged.append((json.dumps(question), said))

    forge('"witness" is', certificate={"witness": {"seed": 5}})
    forge('"witness" is', certificate={"witness": None})
    forge('"by" is', certificate={"by": "tokens"})
    forge('"version" is', certificate={"version": 1})
    forge('"risk" is', certificate={"risk": ["none"]})
    forge('the paper\'s option is not "correct"', paper={"correct": False})
    forge('the paper\'s option is not the "equation"', question={"equation": {"latex": "a = b"}})
    forge("the letters that stand nowhere around it", wrong={"aligned": None})
    forge('"op" of an edit is not "exponent"', edit={"op": "exponent"})
    forge("was changed after it was made", question={"title": "Another"})
    forge("was changed after it was made", context={"after": given["context"]["after"] + " It is so."})
    forge("was changed after it was made", question={"digest": None})
    forge('"shortcuts" are not', question={"options": left, "order": [option["id"] for option in left]})
    forge('no "context"', question={"context": None})
    forge('"order" does not name each option once', question={"order": ["o1", "o1", "o2", "o3"]})
    forge('has no "latex" that is a text', wrong={"latex": 5})
    forge("are not edits", wrong={"edits": ["x"]})
    forge("are not edits", wrong={"edits": [{"op": "sign"}]})
    forge('has no "certificate"', wrong={"certificate": []})
    done = st("st-eqsynth", "--verify", input="\n".join(line for line, _ in forged), is_described=False)
    assert done.status == 1 and "internal" not in done.err
    told = dict(line.split(": ", 2)[1:] for line in done.err.splitlines() if line.startswith("st-eqsynth: -:"))
    for place, (_, said) in enumerate(forged, 1):
        assert said in told[f"-:{place}"], (place, said)


def test_formulas_that_nobody_can_read_are_undecided():
    odd = [
        "{" * 9000,
        "(" * 9000 + "a",
        "y = " + "+ a" * 300_000,
        "a^{b" * 5000,
        "= b",
        "y = \\left( a",
        "a\x00 = c",
        "",
        "\\",
    ]
    pairs = [{"positive": latex, "alternative": "a = b"} for latex in odd]
    done = st("st-eqsynth", "compare", input=jsonl(*pairs))
    assert done.status == 0
    assert [one["certificate"]["verdict"] for one in done.records] == ["undecided"] * len(odd)


def test_compare_certifies_anyones_pairs_and_verify_checks_them():
    pairs = [{"positive": "a = b", "alternative": "b = a", "mine": 1}, {"positive": "a = b", "alternative": "a = c"}]
    done = st("st-eqsynth", "compare", input="\n".join(map(json.dumps, pairs)))
    assert [one["certificate"]["verdict"] for one in done.records] == ["same", "different"]
    assert done.records[0]["mine"] == 1
    assert st("st-eqsynth", "--verify", input=done.out).status == 0
    forged = done.out.replace(b'"different"', b'"same"')
    assert st("st-eqsynth", "--verify", input=forged).status == 1
    assert st("st-eqsynth", "compare", input='{"positive": "a"}').status == 3


def test_the_equation_is_cut_out_and_what_restates_it_is_masked():
    side = "\\sum_{i=1}^n a_i x_i + \\frac{b}{c}"
    paper = record(
        f"Before $y = {side}$ here. @ Then $z = {side}$, and $y$ alone, @ and $q = a + b$.",
        f"y = {side}.",
        f"{side} = w",
    )
    made = synth(paper, "--per-paper", "9", "--seed", "4")
    context = next(one for one in made if one["equation"]["id"] == "e1")["context"]
    shown = context["before"] + context["after"]
    assert side not in shown
    assert shown.count("[masked equation]") == 3 and "$y$ alone" in shown and "$q = a + b$" in shown
    text = paper["sections"][0]["text"]
    masked = [text[one["start"] : one["end"]] for one in context["masked"]]
    assert masked == [f"$y = {side}$", f"$z = {side}$", f"{side} = w"]


def test_each_statement_of_a_display_is_an_equation_with_the_others_around():
    rows = [FORMULAS[0].replace("=", "&="), FORMULAS[2].replace("=", "&=", 1), "&= 0", "q &= 3"]
    display = ", \\\\ ".join(rows) + ". \\nonumber"
    paper = record("Let $k$ be. @ So $v$ is.", display)
    assert synth(paper, "--per-paper", "9") == []
    done = st("st-eqsynth", "--compile", "off", "--per-paper", "9", "--rows", "each", input=json.dumps(paper))
    assert [one["equation"]["id"] for one in done.records] == ["e1.1", "e1.2"]
    text = paper["sections"][0]["text"]
    for question in done.records:
        span = question["equation"]["span"]
        assert text[span["start"] : span["end"]] == question["equation"]["latex"]
    first, second = (one["context"] for one in done.records)
    assert first["before"].endswith("Let $k$ be.") and "\\[ q &= 3 \\] So $v$ is." in " ".join(first["after"].split())
    assert FORMULAS[0].replace("=", "&=") in second["before"] and rows[1] not in second["before"] + second["after"]
    assert st("st-eqsynth", "--verify", input=done.out).status == 0


@pytest.mark.parametrize(
    ("latex", "parts"),
    [
        ("a &= b \\\\ &= c, \\\\ d &= e \\nonumber", ["a &= b \\\\ &= c", "d &= e"]),
        ("x = a,\\quad y = b", ["x = a", "y = b"]),
        ("v = w \\quad \\text{for all } C \\subseteq D.", ["v = w", "\\text{for all }", "C \\subseteq D"]),
        ("f(x, k) | y, z \\sim N(m, s)", ["f(x, k) | y, z \\sim N(m, s)"]),
        ("\\begin{aligned} a &= b \\\\ c &= d\\end{aligned}", ["a &= b", "c &= d"]),
        ("a = \\oops", ["a = \\oops"]),
    ],
)
def test_statements_are_parted_by_line_breaks_wide_spaces_and_words_alone(latex, parts):
    paper = record("One @ two.", latex)
    found = split_statements(paper["equations"][0])
    text = paper["sections"][0]["text"]
    assert [text[one["span"]["start"] : one["span"]["end"]] for one in found] == parts
    assert [one["latex"] for one in found] == parts


def test_context_words_are_those_nearest_to_the_equation():
    paper = record("one two three @ four five six", FORMULAS[0], abstract="alpha beta")
    context = synth(paper, "--context-words", "2")[0]["context"]
    assert (context["before"], context["after"], context["words"]) == ("two three", "four five", [2, 2])
    assert synth(paper)[0]["context"]["before"].split() == ["Abstract", "alpha", "beta", "One", "one", "two", "three"]
    assert synth(paper, "--context-words", "0")[0]["context"]["before"] == ""


@pytest.mark.parametrize(
    ("latex", "reason"),
    [
        ("x + y", "no relation"),
        ("x = \\foo{y} + z", "unknown macro: \\foo"),
        ("x = y, \\quad u = v", "several statements"),
        ("x = " + "a + " * 300 + "b", "too long"),
        ("x = y", "no balanced set of options: counts of tokens would reveal the right one"),
    ],
)
def test_what_is_skipped_is_counted_with_its_reason(latex, reason):
    done = st("st-eqsynth", "--compile", "off", "--ops", "relation,bound", input=json.dumps(record("Text @.", latex)))
    assert (done.status, done.out) == (0, b"")
    assert reason in done.err and "1 paper without a usable equation" in done.err


@pytest.mark.parametrize("latex", [
    "A = \\left[ \\begin{array}{c|c} a + b & c \\\\ \\hline d & e^2 \\end{array} \\right]",
    "y = \\left\\{ \\begin{array}{l@{\\quad}l} a x + b & x > 0 \\\\ c - d & x < 0 \\end{array} \\right.",
])  # fmt: skip
def test_equations_with_an_array_become_questions(latex):
    """However its columns stand: all options say it in one way, and read as what the paper wrote."""
    [question] = synth(record("Text @.", latex))
    texts = [option["latex"] for option in question["options"]]
    assert all("\\begin{array}{cc}" in text and typeset(text) == text for text in texts)
    truth = next(option["latex"] for option in question["options"] if option["correct"])
    assert parse(truth).statements == parse(latex).statements and certify(latex, truth)["verdict"] == "same"
    if compiling.find_engine() == "pdflatex":
        assert all(one["ok"] for one in compiling.check(texts, "pdflatex"))


def test_bad_records_are_refused_in_one_line():
    broken = record("Text @ more.", FORMULAS[0])
    broken["equations"][0]["span"]["start"] -= 1
    done = st("st-eqsynth", input=json.dumps(broken))
    assert done.status == 3 and "does not name its LaTeX" in done.err
    broken = record("Text @ more, and @ again.", FORMULAS[0], FORMULAS[0])
    broken["equations"][1]["id"] = broken["equations"][0]["id"]
    done = st("st-eqsynth", input=json.dumps(broken))
    assert done.status == 3 and "two equations have the id" in done.err
    done = st("st-eqsynth", input='{"id": "p", "sections": []}')
    assert done.status == 3 and "run st-parse on LaTeX sources first" in done.err
    done = st("st-eqsynth", "--require", "2", "--compile", "off", input=json.dumps(record("T @.", FORMULAS[0])))
    assert done.status == 1 and "only 1 of 2 questions" in done.err


@pytest.mark.parametrize(
    "args",
    [
        ["--ops", "nonsense"],
        ["--negatives", "4"],
        ["--design", "star", "--equivalents", "1"],
        ["--table", "--verify"],
        ["--verify", "--seed", "1"],
        ["compare", "--design", "star"],
        ["compare", "--seed", "1"],
    ],
)
def test_options_that_make_no_sense_are_refused(args):
    assert st("st-eqsynth", *args, input="").status == 2


def test_an_action_shows_only_its_own_options_and_the_help_names_every_slip():
    assert b"--design" not in st("st-eqsynth", "compare", "--help").out
    words = st("st-eqsynth", "questions", "--help").out.decode().replace(",", " ").replace(")", " ").split()
    assert set(OPS) <= set(words)


def test_equivalents_add_a_true_option_that_is_proven_the_same(paper):
    for question in st("st-eqsynth", "--equivalents", "1", "--compile", "off", input=paper).records:
        truth = next(option["latex"] for option in question["options"] if option["origin"] == "paper")
        right = [option for option in question["options"] if option["correct"]]
        assert len(right) == 2 and len(question["options"]) == 4
        assert all(certify(truth, option["latex"])["verdict"] == "same" for option in right)
    made = st("st-eqsynth", "--equivalents", "1", "--compile", "off", input=paper)
    assert made.records and st("st-eqsynth", "--verify", input=made.out).status == 0


@pytest.mark.slow
def test_a_star_is_solved_by_the_option_in_the_middle_and_a_square_is_not(paper):
    record_ = json.loads(paper)
    found = {}
    for design in ("star", "square"):
        made = [
            question
            for seed in range(8)
            for question in make_questions(record_, Options(design=design, seed=seed, per_paper=9)).questions
        ]
        found[design] = accuracies(made)["medoid"]
    assert found["star"] > 0.9
    assert found["square"] <= 0.32  # of some ten questions, most of one equation


@pytest.mark.slow
def test_the_table_counts_and_warns_of_a_shortcut_that_solves_the_set(paper, tmp_path):
    papers = [paper.replace(b'"id":"paper"', b'"id":"paper-%d"' % n, 1) for n in range(8)]
    lines = [
        st("st-eqsynth", "--design", "star", "--seed", str(n), "--compile", "off", input=copy).out
        for n, copy in enumerate(papers)
    ]
    done = st("st-eqsynth", "--table", input=b"".join(lines))
    assert done.status == 0
    text = done.out.decode()
    assert "24 questions of 8 papers" in text and "medoid" in text and "verdicts: different 72" in text
    assert "the shortcut medoid alone solves" in done.err
    assert st("st-eqsynth", "--table", input='{"id": "x"}').status == 3


def test_a_shortcut_that_finds_the_truth_has_accuracy_one():
    def question(number: int) -> dict:
        texts = ["x = y + z + u + v", "x = y", "x = z", "x = u"]
        options = [{"id": f"o{n}", "latex": text, "correct": n == 0} for n, text in enumerate(texts)]
        return {"id": str(number), "paper": str(number % 3), "options": options, "context": {"before": "", "after": ""}}

    found = accuracies([question(number) for number in range(12)])
    assert (found["longest"], found["shortest"], found["n-grams"]) == (1.0, 0.0, 0.25)
    assert found["learned"] == 1.0
    table = Table()
    for number in range(30):
        table.add(question(number))
    assert any("longest" in warning for warning in table.warnings())
    alike = [{**question(number), "id": f"q{number}", "paper": [" p", "p", 1][number % 3]} for number in range(12)]
    done = st("st-eqsynth", "--table", input=jsonl(*alike))
    assert done.status == 0 and "12 questions of 3 papers" in done.out.decode()
    assert '8 names of papers differ only in white space or number format, and count as different: " p" (4)' in done.err


@pytest.mark.slow
@pytest.mark.parametrize("latex", FORMULAS)
def test_each_slip_changes_only_its_place_and_most_are_proven_wrong(latex):
    written = typeset(latex)
    slips = Slips(written, parse(written).statements).find(DEFAULT_OPS)
    assert slips
    verdicts = []
    for slip in slips:
        assert written[: slip.start] + written[slip.start : slip.end] + written[slip.end :] == written
        verdicts.append(certify(written, typeset(apply(written, [slip])))["verdict"])
    assert verdicts.count("different") > 0.5 * len(verdicts)


@pytest.mark.parametrize(
    ("op", "latex", "wrong"),
    [
        ("sign", "y = a + b", "y = a - b"),
        ("index", "y = x_{t - 1}", "y = x_t"),
        ("index-order", "y = c_{ij}", "y = c_{ji}"),
        ("bound", "y = \\sum_{i = 1}^nx_i", "y = \\sum_{i = 0}^nx_i"),
        ("operator", "y = \\sum_{i = 1}^nx_i", "y = \\prod_{i = 1}^nx_i"),
        ("function", "y = \\exp(x)", "y = \\log(x)"),
        ("exponent", "y = x^2 + 1", "y = x^3 + 1"),
        ("root", "y = \\sqrt{x}", "y = x"),
        ("constant", "y = 2x", "y = 3x"),
        ("fraction", "y = \\frac{a}{b}", "y = \\frac{b}{a}"),
        ("term", "y = a + b", "y = a"),
        ("factor", "y = \\frac{a}{b}", "y = a"),
        ("difference", "y = a - b", "y = b - a"),
        ("symbol", "y = a + bc", "y = a + ac"),
        ("relation", "y \\leq a", "y \\geq a"),
        ("bracket", "y = 2(b + c)d", "y = 2b + cd"),
        ("accent", "y = \\hat{a} + b", "y = a + b"),
        ("accent", "y = \\hat{a} + b", "y = \\hat{a} + \\hat{b}"),
        ("argument", "y = f(a, b)", "y = f(b, a)"),
        ("part", "y = f(a) + \\frac{1}{g(b)}", "y = g(b) + \\frac{1}{g(b)}"),
        ("part", "y = 2a + 7b", "y = 7a + 7b"),
        ("index", "y = a_i + b", "y = a + b"),
        ("exponent", "y = a^T + b", "y = a^T + b^T"),
        ("factor", "y = ab + c", "y = ab + ac"),
        ("exchange", "y = a^2 + b", "y = b^2 + b"),
    ],
)
def test_each_kind_of_slip_is_made(op, latex, wrong):
    written = typeset(latex)
    made = {typeset(apply(written, [slip])) for slip in Slips(written, parse(written).statements).find(frozenset([op]))}
    assert typeset(wrong) in made
    assert set(OPS) - DEFAULT_OPS == {"index-order"}


@pytest.mark.parametrize("latex", FORMULAS)
def test_rewritings_are_proven_the_same(latex):
    written = typeset(latex)
    rewritings = find_rewritings(written, parse(written).statements)
    for edit in rewritings:
        assert certify(written, apply(written, [edit]))["verdict"] == "same", edit
    assert rewritings or "=" not in latex


FAKE_TEX = """#!/bin/sh
echo "$openin_any $openout_any $*" >> "$FAKE_LOG"
pwd >> "$FAKE_LOG"
if grep -q 'a - b' formula.tex; then echo '! Fake error.'; exit 1; fi
"""


def test_options_that_do_not_compile_are_left_out(paper, tmp_path):
    """A stand-in for pdflatex: it is told to run no command, in an empty folder, and refuses one formula."""
    program, log = tmp_path / "pdflatex", tmp_path / "log"
    program.write_text(FAKE_TEX)
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "FAKE_LOG": str(log)}
    one = json.dumps(record("Text @.", "y = a + b c"))
    made = st("st-eqsynth", "--design", "star", "--ops", "sign,factor,exponent", input=one, env=environment).records
    texts = [option["latex"] for question in made for option in question["options"]]
    assert texts and not any("a - b" in text for text in texts)
    assert all(
        option["certificate"]["compile"] == {"engine": "pdflatex", "ok": True}
        for option in made[0]["options"]
        if "certificate" in option
    )
    said = log.read_text().splitlines()
    assert said[0].startswith("p p -draftmode -no-shell-escape") and str(ROOT) not in said[1]


def test_a_pdflatex_that_does_not_work_is_none(tmp_path):
    """Questions are made without it, and certificates say so; where compiling is required, the run ends."""
    program = tmp_path / "pdflatex"
    program.write_text("#!/bin/sh\nkill -9 $$\n")
    program.chmod(0o755)
    (tmp_path / "node").symlink_to("/bin/false")
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    one = json.dumps(record("Text @.", "y = a + b c"))
    [made] = st("st-eqsynth", input=one, env=environment).records
    assert {option["certificate"]["compile"]["engine"] for option in made["options"] if "certificate" in option} == {
        None
    }
    required = st("st-eqsynth", "--compile", "require", input=one, env=environment)
    assert required.status == 4 and "works here" in required.err


def test_an_equation_that_does_not_compile_is_told_with_the_reason(tmp_path):
    program = tmp_path / "pdflatex"
    program.write_text("#!/bin/sh\nif grep -q 'y =' formula.tex; then echo '! Fake error.'; exit 1; fi\n")
    program.chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = st("st-eqsynth", input=json.dumps(record("Text @.", "y = a + b c")), env=environment)
    assert done.out == b"" and "the paper's own does not compile: ! Fake error." in done.err


FAKE_NODE = """#!{python}
import json, sys
if "renderToString" not in sys.argv[2]:
    sys.exit(0)
formulas = json.load(sys.stdin)
print(json.dumps(["KaTeX parse error: fake" if "a - b" in one else None for one in formulas]))
"""


def test_katex_is_asked_where_there_is_no_pdflatex(tmp_path):
    """A stand-in for node with KaTeX, which refuses one formula."""
    program = tmp_path / "node"
    program.write_text(FAKE_NODE.format(python=sys.executable))
    program.chmod(0o755)
    one = json.dumps(record("Text @.", "y = a + b c"))
    made = st(
        "st-eqsynth", "--design", "star", "--ops", "sign,factor,exponent", input=one, env={"PATH": str(tmp_path)}
    ).records
    options = [option for question in made for option in question["options"]]
    assert options and not any("a - b" in option["latex"] for option in options)
    checks = [option["certificate"]["compile"] for option in options if "certificate" in option]
    assert checks and all(check == {"engine": "katex", "ok": True} for check in checks)
    texts = [one["certificate"]["compile"] for question in made for one in question["rejected"]]
    assert all(check["log"] == "KaTeX parse error: fake" for check in texts if check["ok"] is False)


def has_katex() -> bool:
    """Whether node is installed and finds KaTeX (NODE_PATH may name the folder that holds it)."""
    node = shutil.which("node")
    return bool(node) and not subprocess.run([node, "-e", "require('katex')"], capture_output=True).returncode


@pytest.mark.skipif(not has_katex(), reason="KaTeX is not installed")
def test_katex_finds_which_of_several_formulas_are_wrong():
    formulas = [
        "a = b",
        "\\frac{a}{b",
        "a & = b \\\\ & = c",
        "x_i_j",
        "\\operatorname{argmax}_x f(x)",
        "\\left( a",
        "\\foo",
    ]
    found = compiling.check(formulas, "katex")
    assert [one["ok"] for one in found] == [True, False, True, False, True, False, False]
    assert "Double subscript" in found[3]["log"]
    endless = compiling.check(["\\def\\a{\\a\\a}\\a"], "katex")
    assert endless[0]["ok"] is False


@pytest.mark.skipif(compiling.find_engine() != "pdflatex", reason="pdflatex is not installed")
def test_pdflatex_finds_which_of_several_formulas_are_wrong():
    formulas = ["a = b", "\\frac{a}{b", "a & = b \\\\ & = c", "x_i_j", "\\operatorname{argmax}_x f(x)", "\\left( a"]
    found = compiling.check(formulas, "pdflatex")
    assert [one["ok"] for one in found] == [True, False, True, False, True, False]
    assert "Double subscript" in found[3]["log"]


def test_without_anything_to_compile_with_certificates_say_so(paper, tmp_path):
    environment = {"PATH": str(tmp_path)}
    one = json.dumps(record("Text @.", FORMULAS[0]))
    done = st("st-eqsynth", input=one, env=environment)
    compiled = [option["certificate"]["compile"] for option in done.records[0]["options"] if "certificate" in option]
    assert all(check["engine"] is None and check["ok"] is None and check["reason"] for check in compiled)
    assert "not compiled" in done.err
    assert st("st-eqsynth", "--compile", "require", input=one, env=environment).status == 4


@pytest.mark.slow
def test_a_pipe_from_source_to_verified_questions():
    done = shell(f"st-parse {PAPER} | st-eqsynth --seed 3 --compile off | st-eqsynth --verify | wc -l")
    assert int(done.out) >= 1


def test_no_slip_moves_the_mark_of_a_column():
    written = typeset(r"p_k & = a + b_k \\ & \quad - c_k d")
    slips = Slips(written, parse(written).statements, ["p_n&", "b_1"]).find(DEFAULT_OPS)
    assert {"p_n", "b_k"} <= {slip.new for slip in slips if slip.start == 0}
    for slip in slips:
        assert apply(written, [slip]).count("&") == 2 and "&" not in slip.new


def test_a_formula_with_the_terms_of_the_equation_in_another_order_is_masked():
    paper = record("Here $\\frac{b}{c + d_i} = a p - Q$ and $Q = a + p$. @", "Q = a p - \\frac{b}{c + d_i}")
    context = synth(paper)[0]["context"]
    assert [one["why"] for one in context["masked"]] == ["same names"] and "$Q = a + p$" in context["before"]
