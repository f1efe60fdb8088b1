r"""Switches that a package file of the source sets, by itself or by the options given to it or to the class."""

from __future__ import annotations

import random

import pytest
from support.latex import body, read, said


def draw(chance: random.Random) -> tuple[str, str, str, dict[str, bool]]:
    """Options of the class and of a package, the package file, and the values of its switches."""
    names = [f"own{letter}" for letter in "abcdef"]
    values, lines, options = {}, [], []
    for name in names:
        values[name] = chance.random() < 0.5
        lines.append(rf"\newif\if{name}\{name}{str(values[name]).casefold()}")
    declared = chance.sample(names, 4)
    code = {}
    for name in declared:
        code[name] = chance.choice(names), chance.random() < 0.5
        options.append(rf"\DeclareOption{{{name}}}{{\{code[name][0]}{str(code[name][1]).casefold()}\def\unused{{x}}}}")
    executed = [chance.choice(declared)] if chance.random() < 0.5 else []
    of_class, given = (chance.sample([*names, "11pt"], chance.randint(0, 3)) for _ in range(2))
    star = chance.choice(["", "*"])
    order = [*of_class, *given] if star else [name for name in declared if name in {*of_class, *given}]
    for name in [*executed, *(name for name in order if name in code)]:
        values[code[name][0]] = code[name][1]
    lines += options + [rf"\ExecuteOptions{{{name}}}" for name in executed] + [rf"\ProcessOptions{star}\relax"]
    return ",".join(of_class), ", ".join(given), "\n".join(lines), values


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(1_000, 4_000), marks=pytest.mark.slow)])
def test_a_package_sets_its_switches_by_its_options(seeds: range) -> None:
    for seed in seeds:
        of_class, given, package, values = draw(random.Random(seed))
        text = " ".join(rf"\if{name} {name}\else no\fi{{}}" for name in values)
        source = (
            rf"\documentclass[{of_class}]{{article}}\usepackage[{given}]{{own}}"
            rf"\begin{{document}}\section{{One}}{text}\end{{document}}"
        )
        wanted = [name if value else "no" for name, value in values.items()]
        found = read(source, own_sty=package)["sections"][0]["text"].split()
        assert found == wanted, f"seed {seed}\n{source}\n{package}"


@pytest.mark.parametrize(
    "setting", [r"\ifx\x\y\ownatrue\fi", r"\AtEndOfPackage{\ownatrue}", r"\ifcase\x\or\ownatrue\fi", r"{\ownatrue}"]
)
def test_a_switch_that_only_tex_could_know_is_told(setting: str) -> None:
    record = body(r"\ifowna yes\else no\fi", r"\usepackage{own}", own_sty=rf"\newif\ifowna {setting}")
    assert record["sections"][0]["text"] == "no"
    assert [one["kind"] for one in record["warnings"]] == ["macros"]


@pytest.mark.parametrize("packaged", [False, True])
@pytest.mark.parametrize(
    ("made", "text", "printed"),
    [
        (r"\let\own\@firstoftwo", r"\own{one}{two}", "one"),
        (r"\let\own=\@secondoftwo", r"\own{one}{two}", "two"),
        (r"\let\own\@gobble", r"\own{one}two", "two"),
        (r"\newtoggle{a}\toggletrue{a}\let\own\iftoggle", r"\own{a}{one}{two}", "one"),
        (r"\newif\ififown\ifowntrue", r"\iffalse\ifowntrue no\fi\ififown one\else two\fi", "one"),
    ],
)
def test_a_copy_of_a_command_that_chooses_prints_one_of_its_texts(made, text, printed, packaged) -> None:
    others = {"own_sty": made} if packaged else {}
    preamble = r"\usepackage{own}" if packaged else rf"\makeatletter {made}\makeatother"
    assert said(text, preamble, **others) == printed


@pytest.mark.parametrize("value", [-9, 0, 7])
def test_a_package_sets_its_registers(value: int) -> None:
    text = rf"\ifnum\owna={value} yes\else no\fi"
    assert said(text, r"\usepackage{own}", own_sty=rf"\newcount\owna \owna={value}\relax") == "yes"
