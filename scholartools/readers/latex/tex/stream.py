"""The token stream of a source: files are joined, macros expanded and conditionals evaluated, within limits."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile

from scholartools.readers.latex.tex import branches, expl3
from scholartools.readers.latex.tex.conditionals import Frame
from scholartools.readers.latex.tex.macros import RELAX, Macro, is_programming
from scholartools.readers.latex.tex.numbers import Answer, assign, expand_number
from scholartools.readers.latex.tex.scopes import Scopes
from scholartools.readers.latex.tex.tokens import PAR, PRIMITIVE, plain_text

MAX_TOKENS = 1_500_000  # maximum number of tokens read in total, including repetitions by macros
MAX_EXPANSION = 500_000  # maximum number of tokens read from macros in total
MIN_EXPANSION = 20_000  # initial bound on the tokens read from macros before the next token of a file
_REPEATS = 2  # increase of this bound per token of the files, since arguments can be whole sections
_LEAST = 2_000  # minimum of this bound, which is halved after each endless macro
MAX_FRAMES = 400  # maximum depth of nested macros
_DEEPEST = 20  # maximum depth of short arguments expanded within others
_SHORT = 4_000  # maximum number of tokens of an optional argument
_FRUITLESS, _NEAR = 60_000, 200  # after so many tokens searched in vain for a bracket, the range of further searches
_LONG = 20_000  # maximum number of tokens of a delimited argument

_CONDITIONAL = re.compile(r"\\if[A-Za-z@]*")
# Commands that start with "if" and take their branches as arguments, or are symbols.
_NOT_CONDITIONAL = re.compile(
    r"\\(?!ifcsname$)(iff|ifthenelse|if(def|undef)|if(str|num|dim|cs|boolexpr|toggle|bool|blank|block|inlist|punct|terms|capital|"
    r"cite|fieldundef|listundef|nameundef|entry|key|category|package|page|IfFile)[A-Za-z]+)"
)
_BRANCHING = frozenset(("\\else", "\\fi", "\\or"))
_CHAIN = 64  # maximum length of a chain of \\expandafter
_SAYING = frozenset("\\title \\author \\section \\abstract \\input \\include".split())


class Stream:
    """A stream of tokens with the definitions of the paper.

    Args:
        definitions: handlers of commands that define something.
        known: whether the reader has a meaning for a command.
        protected, environments: commands and environments that the paper cannot redefine in text.

    Attributes:
        macros, environments: definitions of the source, by name.
        switches: values of conditionals of ``\\newif`` ("\\ifname") and of toggles ("toggle name"); None if unknown.
        setters: the commands that set switches.
        registers, counters: registers of ``\\newcount``; counters of the document.
        scopes: the meanings to restore at the end of groups.
        package: whether definitions come from a package. Then those of known commands are ignored, unless the source
            has changed their meaning before, as are those that use internal commands.
        in_text, loaded: whether the document has begun; the loaded packages.
        left_out: environments whose content the source excludes (``\\excludecomment``).
        dropped: reasons why tokens were not read, with counts.
    """

    def __init__(
        self,
        definitions: Mapping[str, Callable[[Stream], None]],
        known: Callable[[str], bool],
        protected: frozenset[str],
        environments: frozenset[str],
    ) -> None:
        self.macros: dict[str, Macro] = {}
        self.environments: dict[str, tuple[Macro, tuple[str, ...]]] = {}
        self._in_formulas: dict[str, Macro] = {}  # macros that apply in formulas only, such as redefined commands
        # names that the source has undefined, and names without a meaning
        self._undefined: dict[str, bool] = dict.fromkeys(("\\undefined", "\\@undefined"), True)
        self.switches: dict[str, bool | None] = {}
        self.registers: dict[str, int] = {}
        self.counters: Mapping[str, int] = {}
        self.scopes = Scopes(self.macros, self._in_formulas, self._undefined, self.switches, self.registers)
        self.setters: dict[str, tuple[str, bool]] = {}
        self._definitions = definitions
        self._protected = protected
        self.package = False
        self.in_text = False
        self.loaded: set[str] = set()
        self.left_out: set[str] = set()
        self.dropped: Counter[str] = Counter()
        self._known = known
        self._programmed: set[str] = set()  # macros without a meaning here, since only TeX could run them
        self._known_environments = environments
        self._frames: list[Frame] = []
        self._read = 0
        self._made = 0  # number of tokens read from macros
        self._expanded = 0  # the same, since the last token of a file
        self._before = 0  # ``_expanded`` before the last token
        self._bound = MIN_EXPANSION
        self._within = 0  # depth of short arguments being expanded within others
        self._searched = 0  # tokens searched in vain for delimiters of arguments
        self._bracketless = 0  # the same for optional arguments
        self._last = ""  # the macro expanded last
        self._left = False  # whether macros were abandoned since the last expansion began

    @property
    def room(self) -> int:
        """The number of further tokens that macros may produce before the next token of a file."""
        return max(0, min(MAX_TOKENS - self._read, self._bound - self._expanded))

    @property
    def files(self) -> list[str]:
        """The files being read, the outermost first."""
        return [frame.file for frame in self._frames if frame.file is not None]

    def push(self, tokens: list[str] | None, file: str | None = None) -> None:
        """Put tokens, if any, before the remaining input; expansions that are nested too deeply are dropped."""
        tokens = tokens or []
        while self._frames and self._frames[-1].at >= len(self._frames[-1].tokens) and not self._frames[-1].file:
            self._frames.pop()
        self._bound += _REPEATS * len(tokens) * (file is not None)
        if len(self._frames) >= MAX_FRAMES:
            self.dropped["macros nested too deep"] += 1
        elif tokens:
            self._frames.append(Frame(tokens, 0, file))

    def apart(self, tokens: list[str], file: str) -> Iterator[str]:
        """The tokens of a file, unexpanded, read separately from the current input."""
        outer, self._frames = self._frames, [Frame(tokens, 0, file)]
        try:
            while (token := self.next()) is not None:
                yield token
        finally:
            self._frames = outer

    def expanded(self, tokens: list[str]) -> list[str]:
        """A short argument with its macros expanded, such as a file name with a macro for its folder."""
        return self._expand_within(tokens, self._expand_short)

    def _expand_within(self, tokens: list[str], expand: Callable[[], list[str]]) -> list[str]:
        """Expand tokens separately from the remaining input; they are unchanged if nested too deeply."""
        if self._within >= _DEEPEST:
            self.dropped["macros nested too deep"] += 1
            return tokens
        self._within += 1
        found = self.within(tokens, expand)
        self._within -= 1
        return found

    def _expand_short(self) -> list[str]:
        found: list[str] = []
        while (token := self.next()) is not None and len(found) <= _SHORT:
            if not self.step(token):
                found.append(token)
        return found

    def expand_all(self, tokens: list[str]) -> list[str]:
        """The expanded body of ``\\edef``; the original body if the expansion is too long."""
        found = self._expand_within(tokens, self._expand_expandable)
        return found if len(found) <= _SHORT else tokens

    def _expand_expandable(self) -> list[str]:
        found: list[str] = []
        while len(found) <= _SHORT and (token := self.next()) is not None:
            if token == "\\noexpand":
                found += [self.next() or " "]
            elif token == "\\unexpanded":
                found += self.argument()
            elif token == "\\protect":
                found += [token, self.next() or " "]
            elif not (self._is_expandable(token) and self.step(token)) and not (
                token == "\\arabic" and expand_number(self, token)
            ):
                found.append(token)
        return found

    def _is_expandable(self, token: str) -> bool:
        """Whether ``\\edef`` expands a token; definitions and assignments are not expanded."""
        expands = token in self.macros or token in branches.EXPANDABLE or token in _BRANCHING
        return expands or (token[0] == "\\" and self.is_conditional(token))

    def end_file(self) -> None:
        """``\\endinput``: skip the rest of the current file."""
        for frame in reversed(self._frames):
            if frame.file is not None:
                frame.at = len(frame.tokens) if frame.file else frame.at
                return

    def drop(self) -> None:
        """Discard the remaining input, after the end of the document."""
        self._frames.clear()

    def next(self) -> str | None:
        """The next token, unexpanded; None at the end of the source, and once when an endless macro is abandoned."""
        while self._frames:
            frame = self._frames[-1]
            if frame.at >= len(frame.tokens):
                self._frames.pop()
                continue
            if self._read >= MAX_TOKENS:
                self.dropped["the source expands to too much"] += 1
                self._frames.clear()
                return None
            self._read += 1
            self._before = self._expanded
            if frame.file is not None:
                self._expanded = 0
            elif self._is_too_much():
                return None
            frame.at += 1
            return frame.tokens[frame.at - 1]
        return None

    def _is_too_much(self) -> bool:
        """Count a token of a macro; above the limits, abandon macros and return True."""
        self._made += 1
        self._expanded += 1
        if self._made == MAX_EXPANSION + 1:
            self.dropped["macros that make too much: the rest is read without them"] += 1
            self.macros.clear()
            self._in_formulas.clear()
            self.environments.clear()
            self.scopes.forget()
        elif self._expanded > self._bound:
            self.dropped["a macro that does not end"] += 1
            self.macros.pop(self._last, None)
            self._bound = max(_LEAST, self._bound // 2)
        else:
            return False
        self._leave_macros()
        return True

    def _leave_macros(self) -> None:
        """Discard the tokens that macros put before the rest of the file; an argument being read ends here."""
        self._left = True
        self._expanded = 0
        while self._frames and self._frames[-1].file is None:
            self._frames.pop()

    def peek(self) -> str | None:
        """The next token, without reading it."""
        while self._frames:
            frame = self._frames[-1]
            if frame.at < len(frame.tokens):
                return frame.tokens[frame.at]
            self._frames.pop()
        return None

    def back(self, token: str) -> None:
        """Put back the token that was read last."""
        if self._frames:
            frame = self._frames[-1]
            if frame.at > 0 and frame.tokens[frame.at - 1] == token:
                frame.at -= 1
                self._read -= 1
                self._expanded = self._before  # a token that is put back does not count as progress
                return
        self._frames.append(Frame([token]))

    def take(self, token: str) -> bool:
        """Read the next token if it is this one."""
        if self.peek() != token:
            return False
        self.next()
        return True

    def skip_spaces(self) -> None:
        while self.peek() == " ":
            self.next()

    def argument(self) -> list[str]:
        """Read an argument: the tokens in braces, or a single token (one character of a word)."""
        self.skip_spaces()
        token = self.next()
        if token is None or token == PAR:
            return []
        if token == "{":
            return self.rest_of_group()
        if token == "}":
            self.back(token)
            return []
        if len(token) > 1 and token[0].isalnum():
            self.push([token[1:]])
            return [token[0]]
        return [token]

    def rest_of_group(self) -> list[str]:
        """Read up to the closing brace of the group whose opening brace was just read."""
        found: list[str] = []
        depth = 1
        while (token := self.next()) is not None:
            depth += (token == "{") - (token == "}")
            if not depth:
                break
            found.append(token)
        return found

    def until(self, closing: tuple[str, ...], *, long: bool) -> list[str] | None:
        """Read up to a delimiter outside braces; None, without reading anything, if it is not found.

        Args:
            closing: the tokens of the delimiter.
            long: whether there may be paragraph breaks before it.
        """
        found: deque[str] = deque(maxlen=len(closing))
        depth = count = 0
        for token in self._look_ahead(min(_LONG, MAX_EXPANSION - self._searched)):
            found.append(token)
            count += 1
            depth += (token == "{") - (token == "}")
            if depth < 0 or (token == PAR and not long):
                break
            if not depth and token == closing[-1] and tuple(found) == closing:
                return self._read_several(count)[: -len(closing)]
        self._searched += count
        return None

    def skip_environment(self, name: str) -> None:
        """Skip the content of an environment and its ``\\end{name}``."""
        while (token := self.next()) is not None:
            if token == "\\end" and self.text_argument() == name:
                return

    def _read_several(self, count: int) -> list[str]:
        tokens = (self.next() for _ in range(count))
        return [*takewhile(lambda token: token is not None, tokens)]  # type: ignore[list-item]

    def _look_ahead(self, most: int) -> Iterator[str]:
        """The next tokens, up to the end of the file, without reading them."""
        for frame in reversed(self._frames):
            end = min(len(frame.tokens), frame.at + most)
            yield from map(frame.tokens.__getitem__, range(frame.at, end))
            most -= end - frame.at
            if frame.file is not None or most <= 0:
                return

    def optional(self) -> list[str] | None:
        """Read an argument in brackets; None, reading only spaces, if there is none."""
        self.skip_spaces()
        if not self.take("["):
            return None
        if (count := self._find_bracket()) is None:
            self.push(["["])
            return None
        return self._read_several(count + 1)[:count]

    def _find_bracket(self) -> int | None:
        """The number of tokens before the closing bracket of an argument; None if it is not found nearby."""
        depth = count = 0
        for count, token in enumerate(self._look_ahead(_SHORT if self._bracketless < _FRUITLESS else _NEAR)):
            if token == "]" and not depth:
                return count
            depth += (token == "{") - (token == "}")
            if token == PAR or depth < 0:
                break
        self._bracketless += count
        return None

    def text_argument(self) -> str:
        """Read an argument as plain text: a label, a file name, a number."""
        return plain_text(self.argument())

    def text_optional(self) -> str | None:
        found = self.optional()
        return None if found is None else plain_text(found)

    def means(self, name: str) -> bool:
        """Whether a control sequence is a macro, switch or register, or known to the reader."""
        known = name in self.macros or name in self.switches or name in self.registers
        return known or (name not in self._undefined and self._known(name))

    def macro(self, name: str) -> Macro | None:
        """The macro of a name in the source, including those that apply in formulas only."""
        return self.macros.get(name) or self._in_formulas.get(name)

    def is_set(self, name: str) -> bool:
        """Whether LaTeX considers a name as defined: with a meaning other than ``\\relax``."""
        macro = self.macro(name)
        return macro != RELAX if macro else self.means(name)

    def define(self, name: str, macro: Macro) -> None:
        """Define a macro, unless its body programs TeX; one with a protected name applies in formulas only."""
        has_other_meaning = self.macro(name) is not None or name in self._undefined
        if not (self.package and self._known(name)) or has_other_meaning:
            self._keep(name, macro, self._in_formulas if name in self._protected else self.macros)

    def copy(self, name: str, other: str) -> None:
        """``\\let``: give a name the current meaning of another, or undefine it if the other is undefined."""
        if other in self.switches or other in ("\\iftrue", "\\iffalse"):
            value = self.switches.get(other, other == "\\iftrue")
            self._forget(name)
            self.switches[name] = value
            return
        macro = branches.meaning_of(self, other) or self._in_formulas.get(other)
        if macro is None and other in self._undefined:
            self._forget(name)
            self._undefined[name] = True
            return
        macro = macro or Macro((PRIMITIVE + other if other[0] == "\\" else other,))
        passed_over = self.package and self._known(name) and name not in self.macros and name not in self._undefined
        self._keep(name, macro, self._in_formulas if passed_over or name in self._protected else self.macros)

    def _keep(self, name: str, macro: Macro, among: dict[str, Macro]) -> None:
        if not name or self._made > MAX_EXPANSION:
            return
        self._forget(name)
        if not self._is_programming(macro.body):
            among[name] = macro
        elif is_programming(macro.body) and not self._known(name):
            self._programmed.add(name)

    def _forget(self, name: str) -> None:
        self.scopes.change(name)
        self._undefined.pop(name, None)
        self._programmed.discard(name)
        self.macros.pop(name, None)
        self._in_formulas.pop(name, None)

    def set_switch(self, name: str, value: bool | None) -> None:
        self.scopes.change(name)
        self.switches[name] = value

    def set_register(self, name: str, value: int) -> None:
        self.scopes.change(name)
        self.registers[name] = value

    def provide(self, macros: Mapping[str, Macro]) -> None:
        """Define macros of a package for formulas, except for names that are defined there already."""
        for name, macro in macros.items():
            self._in_formulas.setdefault(name, macro)

    def define_environment(self, name: str, opening: Macro, closing: tuple[str, ...]) -> None:
        """Define an environment, unless the reader knows it or it programs TeX."""
        if name not in self._known_environments and not self._is_programming((*opening.body, *closing)):
            self.environments[name] = (opening, closing)

    def _is_programming(self, body: tuple[str, ...]) -> bool:
        inner = self.package and any("@" in token and token.removeprefix(PRIMITIVE)[0] == "\\" for token in body)
        return inner or is_programming(body)

    def stands_for_several(self, token: str) -> bool:
        """Whether a token is a macro without arguments that expands to several tokens in a formula."""
        macro = self.macro(token)
        return macro is not None and not macro.parameters and not macro.opening and len(macro.body) > 1

    def step(self, token: str, *, text: bool = True) -> bool:
        """Expand a macro, or execute a definition or conditional; whether the token was one of these.

        Args:
            text: whether to skip spaces after the token; in mathematics they have no effect and are kept.
        """
        if token[0] == PRIMITIVE and (definition := self._definitions.get(token.removeprefix(PRIMITIVE))):
            definition(self)
            return True
        if token[0] != "\\":
            return False
        if macro := self.macros.get(token) or (None if text else self._in_formulas.get(token)):
            if text and token[-1].isalpha():
                self.skip_spaces()
            self._left, self._last = False, token
            expansion = macro.expand(self)
            if expansion is None:
                self.macros.pop(token, None)
                self._in_formulas.pop(token, None)
                self.dropped["a macro without what ends its argument"] += 1
            elif not self._left:
                self.push(expansion)
            return True
        if definition := self._definitions.get(token):
            definition(self)
            return True
        if token in self._programmed and self.in_text and not self.package:
            self.dropped["a macro that only TeX could run: its arguments are read as text"] += 1
        if not self._run_primitive(token, text=text):
            return token in ("\\the", "\\number") and expand_number(self, token)
        if text:
            self.skip_spaces()
        return True

    def _run_primitive(self, token: str, *, text: bool) -> bool:
        """Execute a command of the source's switches and registers, a conditional, or a function of expl3."""
        if token in self.setters:
            self.set_switch(*self.setters[token])
        elif token in self.registers:
            assign(self, token)
        elif self.is_conditional(token):
            self._decide_condition(token, text=text)
        elif token == "\\unless" and self.is_conditional(self.peek() or ""):
            self._decide_condition(self.next() or "", text=text, negated=True)
        elif token in _BRANCHING:
            self._jump_from_else(token)
        elif token in _EXPANDING:
            _EXPANDING[token](self, text=text)
        elif ":" in token[2:]:
            self._run_function(token)
        else:
            return False
        return True

    def _run_function(self, name: str) -> None:
        if not expl3.read_function(self, name):
            self.dropped["code of expl3 that only TeX could run: left out"] += self.in_text and not self.package

    def _run_spelled(self, *, text: bool) -> None:
        """Execute the control sequence spelled by ``\\csname``; undefined names with non-letters are ignored."""
        name = branches.spelled_name(self)
        if name is None:
            self.dropped["a name that only TeX could spell"] += self.in_text and not self.package
        elif self.is_conditional(name):
            self._decide_condition(name, text=text)
        elif name[1:].isalpha() or self.means(name) or name in self._definitions or name in self.setters:
            self.push([name])

    def _expand_after(self, *, text: bool) -> None:
        """``\\expandafter``: expand the token after the next one once.

        Conditionals and definitions are left to read a name spelled by ``\\csname`` themselves.
        """
        passed: list[str] = []
        self._left = False
        while (token := self.next()) is not None:
            if token in _BRANCHING or self.is_conditional(token):
                self.back(token)
                break
            passed.append(token)
            if token[-1].isalpha():
                self.skip_spaces()
            second = self.peek() or ""
            if second == "\\expandafter" and len(passed) < _CHAIN:
                self.next()
                continue
            spells = second == "\\csname" and passed[0] not in self._definitions
            if spells or second in self.macros or second in _BRANCHING or self.is_conditional(second):
                self.next()
                self.step(second, text=text)
            break
        if not self._left:
            self.push(passed)

    def is_conditional(self, token: str) -> bool:
        return (
            token.startswith("\\if")
            and token not in self.macros
            and token not in self._definitions
            and token not in self.setters
            and _CONDITIONAL.fullmatch(token) is not None
            and (token in self.switches or not _NOT_CONDITIONAL.fullmatch(token))
        )

    def _decide_condition(self, token: str, *, text: bool, negated: bool = False) -> None:
        """Continue after a true condition, else after its ``\\else`` or ``\\fi``; unknown conditions are false."""
        frame = self._frames[-1] if self._frames else Frame([])
        jump = frame.jump(self.is_conditional)
        start = frame.at
        if jump is None:
            self.dropped["a condition whose end is not read: all its branches are"] += self.in_text and not self.package
            return
        is_case = token == "\\ifcase"
        value = branches.case_of(self) if is_case else branches.holds(self, token, text=text)
        if value is None:
            self.note_unknown(frame.tokens[start : jump[1]])
        elif (value == 0) if is_case else (value is not negated):
            return
        while frame in self._frames and self._frames[-1] is not frame:
            self._frames.pop()
        if is_case:
            frame.at = frame.case(value, start - 1)
        else:
            frame.at = (jump[1] if jump[0] is None else jump[0]) + 1

    def note_unknown(self, skipped: list[str]) -> None:
        """Count an unknown condition, if one of its branches has content of the paper."""
        says = (
            any(token[0].isalpha() or token == branches.AGAIN for token in skipped)
            if self.in_text
            else not _SAYING.isdisjoint(skipped)
        )
        if says and not self.package:
            self.dropped["a condition that only TeX could decide: taken as false"] += 1

    def arguments_of(self, tokens: list[str], count: int) -> list[list[str]]:
        """The first arguments among tokens."""
        return self.within(tokens, lambda: [self.argument() for _ in range(count)])

    def within(self, tokens: list[str], read: Callable[[], Answer]) -> Answer:
        """Apply ``read`` with some tokens as the whole input; they count as tokens from macros."""
        outer, self._frames = self._frames, [Frame(tokens, 0, "")]
        expanded = self._expanded + len(tokens)
        try:
            return read()
        finally:
            self._frames, self._expanded = outer, expanded

    def _jump_from_else(self, token: str) -> None:
        if token == "\\fi" or not self._frames:
            return
        frame = self._frames[-1]
        jump = frame.jump(self.is_conditional)
        if jump is not None:
            frame.at = jump[1] + 1


_EXPANDING = {"\\csname": Stream._run_spelled, "\\expandafter": Stream._expand_after}
