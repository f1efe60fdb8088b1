"""Commands that define macros, operators, environments and switches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from scholartools.readers.latex.tex.branches import BRANCHES, next_operand, spelled_name
from scholartools.readers.latex.tex.loops import LOOPS
from scholartools.readers.latex.tex.macros import RELAX, Macro
from scholartools.readers.latex.tex.numbers import REGISTERS
from scholartools.readers.latex.tex.signatures import signed_macro
from scholartools.readers.latex.tex.stream import Stream
from scholartools.readers.latex.tex.tokens import PAR, plain_text

_DEFS = ("\\def", "\\gdef", "\\edef", "\\xdef", "\\protected@edef", "\\protected@xdef")
_PREFIXES = ("\\long", "\\global", "\\protected", "\\outer")
_LONGEST = 4_000  # maximum number of tokens of a macro that is appended to


def _new_command(stream: Stream) -> None:
    """``\\newcommand*{\\name}[2][default]{body}`` and similar commands."""
    stream.take("*")
    name = _read_name(stream)
    _define_command(stream, name)


def _provide_command(stream: Stream) -> None:
    """``\\providecommand``: define a command unless it is defined already."""
    stream.take("*")
    name = _read_name(stream)
    _define_command(stream, name if stream.macro(name) in (None, RELAX) else "")


def _define_command(stream: Stream, name: str) -> None:
    count = plain_text(stream.optional() or ["0"])
    default = stream.optional()
    body = stream.argument()
    parameters = int(count) if count.isdigit() and len(count) == 1 else 0
    stream.define(name, Macro(tuple(body), parameters, None if default is None else tuple(default)))


def _define_prefixed(stream: Stream, prefix: str) -> None:
    """``\\long\\def``: arguments may have several paragraphs. ``\\global\\let``: define outside groups."""
    prefixes = {prefix}
    stream.skip_spaces()
    while (token := stream.peek() or "") in _PREFIXES:
        prefixes.add(stream.next() or "")
        stream.skip_spaces()
    with stream.scopes.globally("\\global" in prefixes):
        if token in _DEFS:
            stream.next()
            _define_primitive(stream, token, long="\\long" in prefixes)
        elif token in DEFINITIONS or token in stream.setters or token in stream.registers:
            stream.step(stream.next() or "")


def _define_primitive(stream: Stream, how: str, *, long: bool = False) -> None:
    """``\\def\\name#1#2{body}``, also with other text between the parameters: ``\\def\\name#1\\end{body}``."""
    name = _read_name(stream)
    given: list[str] = []
    while (token := stream.next()) is not None and token not in ("{", PAR):
        given += [token] * (token != " ")
    if token == PAR:
        return
    body = stream.rest_of_group()
    places = [index for index, token in enumerate(given) if token[0] == "#"]
    if [given[index] for index in places] != [f"#{number}" for number in range(1, len(places) + 1)]:
        return
    texts = [tuple(given[a + 1 : b]) for a, b in zip([-1, *places], [*places, len(given)])]
    if texts[0][:1] == ("@",):
        return  # an internal name of a package, tokenized while "@" is not a letter
    if how.endswith(("edef", "xdef")):
        body = stream.expand_all(body)
    with stream.scopes.globally(how.endswith(("gdef", "xdef"))):
        stream.define(name, Macro(tuple(body), len(places), None, None, texts[0], tuple(texts[1:]), long))


def _copy_meaning(stream: Stream) -> None:
    """``\\let\\name=\\other``: copy the current meaning."""
    name = next_operand(stream)
    stream.skip_spaces()
    stream.take("=")
    other = next_operand(stream)
    if name[:1] == "\\" and other and other != name:
        stream.copy(name, other)


def _undefine(stream: Stream) -> None:
    """``\\undef\\name`` of etoolbox."""
    stream.copy(_read_name(stream), "\\undefined")


def _undefine_named(stream: Stream) -> None:
    stream.copy("\\" + stream.text_argument(), "\\undefined")


def _define_operator(stream: Stream) -> None:
    """``\\DeclareMathOperator*{\\name}{text}``."""
    command = "\\operatorname*" if stream.take("*") else "\\operatorname"
    name = _read_name(stream)
    stream.define(name, Macro((command.rstrip("*"), *"*" * command.count("*"), "{", *stream.argument(), "}")))


def _define_delimiters(stream: Stream) -> None:
    """``\\DeclarePairedDelimiter\\name{left}{right}``; delimiters of the starred form adapt to the content."""
    name = _read_name(stream)
    left, right = stream.argument(), stream.argument()
    _define_pair(stream, name, left, right, ["#1"], 1)


def _paired_with_body(stream: Stream) -> None:
    """``\\DeclarePairedDelimiterX\\name[2]{left}{right}{#1 \\delimsize\\vert #2}``."""
    name = _read_name(stream)
    count = plain_text(stream.optional() or ["1"])
    left, right, body = stream.argument(), stream.argument(), stream.argument()
    if count.isdigit() and len(count) == 1:
        _define_pair(stream, name, left, right, body, int(count))


def _define_pair(stream: Stream, name: str, left: list[str], right: list[str], body: list[str], count: int) -> None:
    """Define a macro for a pair of delimiters: ``\\name[\\big]{...}``, with the size as first argument."""
    inner = [_shift_parameter(token, 1) for token in body]
    sized = [token if token != "\\delimsize" else "#1" for token in inner]
    grown = [token if token != "\\delimsize" else "\\middle" for token in inner]
    starred = ("\\left", *left, " ", *grown, " ", "\\right", *right)
    stream.define(name, Macro(("#1", *left, " ", *sized, " ", "#1", *right), count + 1, (), starred))


def _shift_parameter(token: str, by: int) -> str:
    """Shift the number of a parameter; other tokens are unchanged."""
    return f"#{int(token[1:]) + by}" if token[0] == "#" and token[1:].isdigit() else token


def _document_command(stream: Stream) -> None:
    """``\\NewDocumentCommand{\\name}{s O{default} m}{body}``."""
    name = _read_name(stream)
    spec = plain_text(stream.argument())
    macro = signed_macro(spec, stream.argument())
    if macro is not None:
        stream.define(name, macro)


def _document_environment(stream: Stream) -> None:
    """``\\NewDocumentEnvironment{name}{O{default} m}{begin}{end}``.

    Of an unsupported specification only the leading mandatory arguments are read.
    """
    name, spec = stream.text_argument(), plain_text(stream.argument())
    begin, end = stream.argument(), stream.argument()
    opening = signed_macro(spec, begin)
    if opening is None:
        count = len(spec) - len(spec.lstrip("m "))
        opening = Macro(tuple(token for token in begin if token[0] != "#"), spec[:count].count("m"))
    stream.define_environment(name, opening, tuple(token for token in end if token[0] != "#"))


def _define_environment(stream: Stream) -> None:
    """``\\newenvironment{name}[1][default]{begin}{end}``."""
    stream.take("*")
    name = plain_text(stream.argument())
    count = plain_text(stream.optional() or ["0"])
    default = stream.optional()
    begin, end = stream.argument(), stream.argument()
    parameters = int(count) if count.isdigit() and len(count) == 1 else 0
    opening = Macro(tuple(begin), parameters, None if default is None else tuple(default))
    stream.define_environment(name, opening, tuple(end))


def _leave_out(stream: Stream) -> None:
    """``\\excludecomment{name}`` of the package comment: the environment is not printed."""
    stream.left_out.add(stream.text_argument())


def _leave_in(stream: Stream) -> None:
    stream.left_out.discard(stream.text_argument())


def _new_if(stream: Stream) -> None:
    """``\\newif\\ifname``: false until ``\\nametrue``."""
    name = _read_name(stream)
    if name.startswith("\\if"):
        stream.set_switch(name, False)
        for value in (True, False):
            stream.setters["\\" + name[3:] + str(value).casefold()] = (name, value)


def _read_name(stream: Stream) -> str:
    """The control sequence to define, in braces or not, literal or spelled by ``\\csname``."""
    stream.skip_spaces()
    found = stream.argument()
    if found == ["\\csname"]:
        return spelled_name(stream) or ""
    if "\\csname" in found:
        return stream.within(found, lambda: next_operand(stream))
    return next((token for token in found if token[0] == "\\"), "")


def _define_named(stream: Stream, how: str) -> None:
    """``\\@namedef{name}#1{body}``."""
    stream.push([how, "\\csname", *stream.argument(), "\\endcsname"])


def _append(stream: Stream, how: str) -> None:
    """``\\appto\\name{text}`` of etoolbox and similar: append or prepend to a macro, which may be undefined."""
    name, text = _read_name(stream), stream.argument()
    if how.startswith(("\\e", "\\x")):
        text = stream.expand_all(text)
    old = stream.macro(name) or Macro(())
    body = (*text, *old.body) if "preto" in how else (*old.body, *text)
    if len(body) <= min(stream.room, _LONGEST):
        with stream.scopes.globally(how[1] in "gx"):
            stream.define(name, replace(old, body=body))


def _patch(stream: Stream, how: str) -> None:
    """``\\apptocmd{\\name}{text}{done}{failed}``, which succeeds for macros of the source only."""
    name, text, done, failed = (stream.argument() for _ in range(4))
    known = len(name) == 1 and name[0] in stream.macros
    stream.push([how, *name, "{", *text, "}", *done] if known else failed)


def _keep_box(stream: Stream) -> None:
    """``\\sbox{\\name}{text}``, ``\\savebox{\\name}[width][place]{text}``: store the text for ``\\usebox``."""
    name = _read_name(stream)
    stream.optional()
    stream.optional()
    if name:
        stream.define(f"\\usebox {name}", Macro(("{", *stream.argument(), "}")))


def _use_box(stream: Stream) -> None:
    kept = stream.macro(f"\\usebox {_read_name(stream)}")
    stream.push(list(kept.body) if kept else [])


def _use_named(stream: Stream) -> None:
    stream.push(["\\csname", *stream.argument(), "\\endcsname"])


def _first_of_two(stream: Stream) -> None:
    first, _ = stream.argument(), stream.argument()
    stream.push(first)


_APPENDING = {
    f"\\{how}{kind}": functools.partial(_append, how=f"\\{how}{kind}")
    for kind in ("appto", "preto")
    for how in ("", "g", "e", "x")
} | {"\\g@addto@macro": functools.partial(_append, how="\\gappto")}

DEFINITIONS: dict[str, Callable[[Stream], None]] = {
    **dict.fromkeys(("\\algnewcommand", "\\algrenewcommand"), _new_command),
    "\\newcommand": _new_command,
    "\\renewcommand": _new_command,
    "\\providecommand": _provide_command,
    "\\DeclareRobustCommand": _new_command,
    "\\newrobustcmd": _new_command,
    **{name: functools.partial(_define_primitive, how=name) for name in _DEFS},
    **{name: functools.partial(_define_prefixed, prefix=name) for name in _PREFIXES},
    "\\@namedef": functools.partial(_define_named, how="\\def"),
    **{f"\\cs{how}": functools.partial(_define_named, how=f"\\{how}") for how in ("def", "gdef", "edef", "xdef")},
    **_APPENDING,
    **{f"\\{x}{how}cmd": functools.partial(_patch, how=f"\\{how}") for x in ("", "x") for how in ("appto", "preto")},
    "\\sbox": _keep_box,
    "\\savebox": _keep_box,
    "\\usebox": _use_box,
    **dict.fromkeys(("\\@nameuse", "\\csuse"), _use_named),
    "\\@firstoftwo": _first_of_two,
    "\\let": _copy_meaning,
    "\\undef": _undefine,
    "\\csundef": _undefine_named,
    "\\DeclareMathOperator": _define_operator,
    "\\DeclarePairedDelimiter": _define_delimiters,
    "\\DeclarePairedDelimiterX": _paired_with_body,
    "\\NewDocumentCommand": _document_command,
    "\\RenewDocumentCommand": _document_command,
    "\\ProvideDocumentCommand": _document_command,
    "\\DeclareDocumentCommand": _document_command,
    **{f"\\{how}DocumentEnvironment": _document_environment for how in ("New", "Renew", "Provide", "Declare")},
    "\\newenvironment": _define_environment,
    "\\renewenvironment": _define_environment,
    "\\newif": _new_if,
    **dict.fromkeys(("\\excludecomment", "\\excludeversion"), _leave_out),
    **dict.fromkeys(("\\includecomment", "\\includeversion"), _leave_in),
    **BRANCHES,
    **REGISTERS,
    **LOOPS,
}
