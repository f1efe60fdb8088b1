"""The stream of tokens that a source makes: files joined, macros expanded, conditionals decided, all within bounds."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile

from scholartools.readers.latex.tex import branches
from scholartools.readers.latex.tex.conditionals import Frame
from scholartools.readers.latex.tex.macros import RELAX, Macro, is_programming
from scholartools.readers.latex.tex.numbers import Answer, assign, expand_number
from scholartools.readers.latex.tex.scopes import Scopes
from scholartools.readers.latex.tex.tokens import PAR, PRIMITIVE, plain_text

MAX_TOKENS = 1_500_000  # read in all, however often macros repeat them
MAX_EXPANSION = 500_000  # tokens read from macros in all
MIN_EXPANSION = 20_000  # tokens that may be read from macros before the next one of a file ...
_REPEATS = 2  # ... and so many times more for each token of the files: arguments can be whole sections ...
_LEAST = 2_000  # ... and after each macro that does not end only half as many, but no fewer than this
MAX_FRAMES = 400  # macros in macros
_DEEPEST = 20  # short arguments in short arguments
_SHORT = 4_000  # tokens of an optional argument
_FRUITLESS, _NEAR = 60_000, 200  # tokens without the bracket that is looked for, after which it is looked for only near
_LONG = 20_000  # tokens of an argument that other text than braces ends

_CONDITIONAL = re.compile(r"\\if[A-Za-z@]*")
# Commands that begin with "if" and take their branches as arguments, or are signs.
_NOT_CONDITIONAL = re.compile(
    r"\\(?!ifcsname$)(iff|ifthenelse|if(def|undef)|if(str|num|dim|cs|boolexpr|toggle|bool|blank|block|inlist|punct|terms|capital|"
    r"cite|fieldundef|listundef|nameundef|entry|key|category|package|page|IfFile)[A-Za-z]+)"
)
_BRANCHING = frozenset(("\\else", "\\fi", "\\or"))
_CHAIN = 64  # of \\expandafter
_SAYING = frozenset("\\title \\author \\section \\abstract \\input \\include".split())


class Stream:
    """Tokens one by one, with what the paper defines.

    Args:
        definitions: what commands that define something do.
        known: whether the reader knows a command.
        protected, environments: commands and environments the paper cannot redefine: their meaning is the reader's.

    Attributes:
        macros, environments: what the source defines, by name.
        switches: whether the conditionals that ``\\newif`` made ("\\ifname"), and toggles ("toggle name"), are true.
        setters: the commands that set them.
        registers: the numbers of ``\\newcount``; counters: those of the document.
        scopes: what groups give back at their end.
        package: whether definitions come from a package: those of known commands are passed over, unless the source
            has given or taken their meaning before, and those that use a package's inner commands.
        in_text: whether the document has begun; loaded: the packages that it loads.
        left_out: the environments whose content the source leaves out (``\\excludecomment``).
        dropped: why tokens were not read, with how often.
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
        self._in_formulas: dict[str, Macro] = {}  # what the source calls by the name of one of the reader's commands
        # what the source takes the meaning from, and what has none
        self._undefined: dict[str, bool] = dict.fromkeys(("\\undefined", "\\@undefined"), True)
        self.switches: dict[str, bool] = {}
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
        self._known_environments = environments
        self._frames: list[Frame] = []
        self._read = 0
        self._made = 0  # of those that were read, by macros
        self._expanded = 0  # since the last token of a file
        self._before = 0  # the same, before the last token
        self._bound = MIN_EXPANSION
        self._within = 0  # short arguments that are being expanded in others
        self._searched = 0  # tokens in which what ends an argument was not found
        self._bracketless = 0  # the same for optional arguments
        self._last = ""  # the macro expanded last
        self._left = False  # whether macros were left since the last expansion began

    @property
    def room(self) -> int:
        """How many more tokens macros may make before the next one of a file."""
        return max(0, min(MAX_TOKENS - self._read, self._bound - self._expanded))

    @property
    def files(self) -> list[str]:
        """The files being read, the outermost first."""
        return [frame.file for frame in self._frames if frame.file is not None]

    def push(self, tokens: list[str] | None, file: str | None = None) -> None:
        """Put tokens, if there are any, before what is left; a macro too deep in others is dropped."""
        tokens = tokens or []
        while self._frames and self._frames[-1].at >= len(self._frames[-1].tokens) and not self._frames[-1].file:
            self._frames.pop()
        self._bound += _REPEATS * len(tokens) * (file is not None)
        if len(self._frames) >= MAX_FRAMES:
            self.dropped["macros nested too deep"] += 1
        elif tokens:
            self._frames.append(Frame(tokens, 0, file))

    def apart(self, tokens: list[str], file: str) -> Iterator[str]:
        """The tokens of a file, one by one and unexpanded, apart from what is being read."""
        outer, self._frames = self._frames, [Frame(tokens, 0, file)]
        try:
            while (token := self.next()) is not None:
                yield token
        finally:
            self._frames = outer

    def expanded(self, tokens: list[str]) -> list[str]:
        """A short argument with its macros expanded, such as a file name behind the macro of its folder."""
        return self._expand_within(tokens, self._expand_short)

    def _expand_within(self, tokens: list[str], expand: Callable[[], list[str]]) -> list[str]:
        """What tokens expand to, apart from the rest; themselves where that happens too deep in others."""
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
        """The body of ``\\edef``: what can be expanded is; where that becomes too much, the body as it is."""
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
        """Whether ``\\edef`` expands a token; what defines or sets something it leaves as it is."""
        expands = token in self.macros or token in branches.EXPANDABLE or token in _BRANCHING
        return expands or (token[0] == "\\" and self.is_conditional(token))

    def end_file(self) -> None:
        """``\\endinput``: the rest of the file that is being read is none of the paper."""
        for frame in reversed(self._frames):
            if frame.file is not None:
                frame.at = len(frame.tokens) if frame.file else frame.at
                return

    def drop(self) -> None:
        """Forget what has not been read: it comes after the end of the document."""
        self._frames.clear()

    def next(self) -> str | None:
        """The next token, unexpanded; None at the end of the source, and once where endless macros are left."""
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
        """Count a token of a macro; beyond the bounds, macros are left."""
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
        """Drop what macros have put before the rest of the file; an argument being read ends here."""
        self._left = True
        self._expanded = 0
        while self._frames and self._frames[-1].file is None:
            self._frames.pop()

    def peek(self) -> str | None:
        """The next token, left where it is."""
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
                self._expanded = self._before  # what is put back was no step forward
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
        """The next argument: the tokens in braces, or one token (one character of a word)."""
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
        """The tokens up to the brace that closes the group whose opening brace was just read."""
        found: list[str] = []
        depth = 1
        while (token := self.next()) is not None:
            depth += (token == "{") - (token == "}")
            if not depth:
                break
            found.append(token)
        return found

    def until(self, closing: tuple[str, ...], *, long: bool) -> list[str] | None:
        """The tokens before others that close them, outside of braces; None, with nothing read, where none do.

        Args:
            long: whether paragraphs may end before.
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
        """Read past what an environment holds, its ``\\end{name}`` too."""
        while (token := self.next()) is not None:
            if token == "\\end" and self.text_argument() == name:
                return

    def _read_several(self, count: int) -> list[str]:
        tokens = (self.next() for _ in range(count))
        return [*takewhile(lambda token: token is not None, tokens)]  # type: ignore[list-item]

    def _look_ahead(self, most: int) -> Iterator[str]:
        """The tokens that come next, to the end of the file."""
        for frame in reversed(self._frames):
            end = min(len(frame.tokens), frame.at + most)
            yield from map(frame.tokens.__getitem__, range(frame.at, end))
            most -= end - frame.at
            if frame.file is not None or most <= 0:
                return

    def optional(self) -> list[str] | None:
        """The argument in brackets; None, with nothing read, where there is none."""
        self.skip_spaces()
        if not self.take("["):
            return None
        if (count := self._find_bracket()) is None:
            self.push(["["])
            return None
        return self._read_several(count + 1)[:count]

    def _find_bracket(self) -> int | None:
        """How many tokens come before the bracket that ends an argument; None where no such bracket is near."""
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
        """The next argument as plain text: a label, a file name, a number."""
        return plain_text(self.argument())

    def text_optional(self) -> str | None:
        found = self.optional()
        return None if found is None else plain_text(found)

    def means(self, name: str) -> bool:
        """Whether a control sequence is a macro, a switch, or one that the reader knows."""
        known = name in self.macros or name in self.switches or name in self.registers
        return known or (name not in self._undefined and self._known(name))

    def macro(self, name: str) -> Macro | None:
        """What the source calls by a name, in formulas at least."""
        return self.macros.get(name) or self._in_formulas.get(name)

    def is_set(self, name: str) -> bool:
        """Whether a name is taken, as LaTeX asks: by a meaning other than ``\\relax``."""
        macro = self.macro(name)
        return macro != RELAX if macro else self.means(name)

    def define(self, name: str, macro: Macro) -> None:
        """Keep a macro, unless its body programs TeX; one with a protected name is for formulas only."""
        has_other_meaning = self.macro(name) is not None or name in self._undefined
        if not (self.package and self._known(name)) or has_other_meaning:
            self._keep(name, macro, self._in_formulas if name in self._protected else self.macros)

    def copy(self, name: str, other: str) -> None:
        """``\\let``: the name means from now on what the other one means now, or nothing if that means nothing."""
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

    def _forget(self, name: str) -> None:
        self.scopes.change(name)
        self._undefined.pop(name, None)
        self.macros.pop(name, None)
        self._in_formulas.pop(name, None)

    def set_switch(self, name: str, value: bool) -> None:
        self.scopes.change(name)
        self.switches[name] = value

    def set_register(self, name: str, value: int) -> None:
        self.scopes.change(name)
        self.registers[name] = value

    def provide(self, macros: Mapping[str, Macro]) -> None:
        """Keep macros of a package, except for names that mean something already."""
        for name, macro in macros.items():
            self._in_formulas.setdefault(name, macro)

    def define_environment(self, name: str, opening: Macro, closing: tuple[str, ...]) -> None:
        """Keep an environment, unless the reader knows it or it programs TeX."""
        if name not in self._known_environments and not self._is_programming((*opening.body, *closing)):
            self.environments[name] = (opening, closing)

    def _is_programming(self, body: tuple[str, ...]) -> bool:
        inner = self.package and any("@" in token and token.removeprefix(PRIMITIVE)[0] == "\\" for token in body)
        return inner or is_programming(body)

    def stands_for_several(self, token: str) -> bool:
        """Whether a token is a macro without arguments that stands for more than one token in a formula."""
        macro = self.macro(token)
        return macro is not None and not macro.parameters and not macro.opening and len(macro.body) > 1

    def step(self, token: str, *, text: bool = True) -> bool:
        """Do what a token means for the stream itself: expand, define, decide. Whether it was such a token.

        Args:
            text: whether spaces after a macro vanish; in mathematics they mean nothing and are kept for readers.
        """
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
        else:
            return token in ("\\the", "\\number") and expand_number(self, token)
        if text:
            self.skip_spaces()
        return True

    def _run_spelled(self, *, text: bool) -> None:
        """Do what a control sequence means that ``\\csname`` spells; one that nobody has defined means nothing."""
        name = branches.spelled_name(self)
        if name is None:
            self.dropped["a name that only TeX could spell"] += self.in_text and not self.package
        elif self.is_conditional(name):
            self._decide_condition(name, text=text)
        elif name[1:].isalpha() or self.means(name) or name in self._definitions or name in self.setters:
            self.push([name])

    def _expand_after(self, *, text: bool) -> None:
        """Expand the token behind the next one, once; a condition, or what defines a name, spells that name itself."""
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
            and _CONDITIONAL.fullmatch(token) is not None
            and (token in self.switches or not _NOT_CONDITIONAL.fullmatch(token))
        )

    def _decide_condition(self, token: str, *, text: bool, negated: bool = False) -> None:
        """Go on behind a condition that holds, else behind its ``\\else`` or ``\\fi``; unknown ones do not hold."""
        frame = self._frames[-1] if self._frames else Frame([])
        jump = frame.jump(self.is_conditional)
        start = frame.at
        if jump is None:
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
        """Count a condition that nobody knows, where one of its branches says something of the paper."""
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
        """What is read where some tokens are all that there is; they may stem from macros and count as such."""
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
