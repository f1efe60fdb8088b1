"""The programming language of LaTeX 3 (expl3): functions such as ``\\tl_if_eq:nnTF``, whose name ends in a signature.

Definitions, switches and the commonest tests have their meaning. The arguments of any other function are left out with
a warning, since only TeX could run it.
"""

from __future__ import annotations

from collections.abc import Callable

from scholartools.readers.latex.tex.branches import (
    Reading,
    Test,
    branch_alone,
    choice,
    is_blank,
    is_same_text,
    is_void,
    number_test,
)
from scholartools.readers.latex.tex.macros import Macro
from scholartools.readers.latex.tex.tokens import PRIMITIVE

_CONSTANTS = {"\\c_true_bool": True, "\\c_false_bool": False}


def read_function(stream: Reading, name: str) -> bool:
    """Run an expl3 function whose name was just read; whether it has a meaning here, else its arguments are skipped."""
    if run := FUNCTIONS.get(name):
        run(stream)
        return True
    for kind in name.partition(":")[2]:
        if kind == "p":
            while stream.peek() not in (None, "{", "}"):
                stream.next()
        elif kind in "wD":
            break
        else:
            stream.argument()
    return False


def _is_true(stream: Reading) -> bool | None:
    name = _name(stream)
    return _CONSTANTS.get(name, stream.switches.get(name))


def _set_boolean(value: bool) -> Callable[[Reading], None]:
    return lambda stream: stream.set_switch(_name(stream), value)


def _name(stream: Reading) -> str:
    return next(iter(stream.argument()), "").removeprefix(PRIMITIVE)


def _define(stream: Reading) -> None:
    stream.push([PRIMITIVE + "\\def"])


def _new_tokens(stream: Reading) -> None:
    """``\\tl_new:N`` and its like: a variable that is empty at first."""
    stream.define(_name(stream), Macro(()))


def _set_tokens(stream: Reading) -> None:
    """``\\tl_set:Nn``: the text of a variable."""
    name = _name(stream)
    stream.define(name, Macro(tuple(stream.argument())))


_TESTS: dict[str, Test] = {
    "\\bool_if:N": _is_true,
    "\\tl_if_blank:n": is_blank,
    "\\tl_if_empty:n": is_void,
    **dict.fromkeys(("\\tl_if_eq:nn", "\\str_if_eq:nn"), is_same_text),
    "\\int_compare:nNn": number_test,
}
FUNCTIONS: dict[str, Callable[[Reading], None]] = {
    **{f"{name}TF": choice(test) for name, test in _TESTS.items()},
    **{f"{name}T": branch_alone(test, True) for name, test in _TESTS.items()},
    **{f"{name}F": branch_alone(test, False) for name, test in _TESTS.items()},
    **{f"\\cs_{how}{kind}:Npn": _define for how in ("new", "set", "gset") for kind in ("", "_protected", "_nopar")},
    **dict.fromkeys(("\\bool_new:N", "\\bool_set_false:N", "\\bool_gset_false:N"), _set_boolean(False)),
    **dict.fromkeys(("\\bool_set_true:N", "\\bool_gset_true:N"), _set_boolean(True)),
    "\\tl_new:N": _new_tokens,
    **dict.fromkeys(("\\tl_use:N", "\\use:n"), lambda stream: stream.push(stream.argument())),
    **dict.fromkeys(("\\tl_set:Nn", "\\tl_gset:Nn", "\\tl_const:Nn"), _set_tokens),
}
