"""A second reader of formulas, which shares no code with the package, to check witnesses against the LaTeX.

docs/verify_certificates.py evaluates the trees of a witness. This module parses both formulas and evaluates them at the
witness's point, which reveals a tree that does not match its formula. It reports formulas that it cannot read.
"""

import math
import re

import numpy as np

TOKEN = re.compile(r"\d{1,3}(?:(?:\\,|\{,\})\d{3})+(?!\d)|\d+\{,\}\d+|\d+(?:\.\d+)?|\.\d+|\\[A-Za-z]+\*?|\\.|\S")
ROWS = re.compile(
    r"\\(?:begin|end)\{(?:split|aligned|align\*?|gathered|equation)\}|\\\\\s*&*\s*(?:\\q?quad)?\s*(?:\{\})?\s*(?=[=+-])|%.*"
)
DROPPED = set(
    r"\, \; \: \! \> \left \right \big \Big \bigg \Bigg \bigl \bigr \Bigl \Bigr \displaystyle \limits & ~".split()
)
ALIASES = (
    r"\le \leq \ge \geq \ne \neq \dfrac \frac \tfrac \frac \lvert | \rvert | \lVert \| \rVert \| \lbrace \{ \lt < \gt >"
)
ALIASES = (ALIASES + r" \widehat \hat \widetilde \tilde \overline \bar \bm \boldsymbol \cal \mathcal").split()
ALIASES = dict(zip(ALIASES[::2], ALIASES[1::2]))
TRUTHS = {"=": "equal", "\\neq": "differ", "<": "less", ">": "more", "\\leq": "less equal", "\\geq": "more equal"}
RELATIONS = set(TRUTHS) | set(r"\approx \propto \in \sim \equiv \simeq \triangleq \to \leftarrow \rightarrow".split())
KNOWN = {f"\\{name}": getattr(np, name) for name in "exp log sin cos tan sinh cosh tanh".split()} | {"\\ln": np.log}
# Tokens of a relation: \leq, \prec _ p, \not \leq, \overset { a } { \leq }, \xrightarrow { d }.
ARROW = "(?:[Ll]eft|[Rr]ight)arrow"
ONE_WAY = rf"(?:\\(?:[lg]eq|ll|gg|prec|succ|(?:sub|sup)set(?:eq)?|in|ni|to|mapsto|models|vdash|{ARROW})|[<>](?: =)?)"
ONE_WAY = re.compile(
    rf"(?:\\not )?{ONE_WAY}(?: _ (?:\{{[^{{}}]*(?:\{{[^{{}}]*\}})?[^{{}}]*\}}|\S+))?"
    rf"|\\(?:overset|stackrel|underset) \{{ .* \}} \{{ {ONE_WAY} \}}|\\x{ARROW} \{{[^{{}}]*\}}"
)
FONTS = set(
    r"\mathbf \mathcal \mathbb \mathrm \mathsf \boldsymbol \hat \tilde \bar \vec \dot \ddot \text \operatorname".split()
)
OPEN = {"(": ")", "[": "]", "\\{": "\\}", "\\langle": "\\rangle", "\\lfloor": "\\rfloor", "\\lceil": "\\rceil"}
ENDS = RELATIONS | set(OPEN.values()) | set("+ - , } ; / \\cdot \\times | \\| \\mid \\parallel".split())
MARKS = set(r"* \star \dagger \prime + -".split())
REFUSED = set(r"\infty \int \partial \nabla \ldots \dots \cdots \cup \cap \setminus \wedge \vee \rm ^ _ d".split())


class Unread(Exception):
    """The reader does not support a token or construct."""


class Reader:
    def __init__(self, tokens, witness):
        self.tokens, self.place, self.bars, self.bound, self.witness = tokens, 0, 0, {}, witness

    def peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted=""):
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise Unread(token or "the end")
        self.place += 1
        return token

    def raw(self):  # tokens of an argument: a braced group, one token, or one digit
        depth, start = 0, self.place
        if self.peek()[:1].isdigit():
            self.tokens[start : start + 1] = list(self.peek())
        while self.take() and (depth := depth + {"{": 1, "}": -1}.get(self.tokens[self.place - 1], 0)):
            pass
        return self.tokens[start + (self.tokens[start] == "{") : self.place - (self.tokens[start] == "{")]

    def inside(self, tokens, way):
        kept, self.tokens, self.place, self.bars = (self.tokens, self.place, self.bars), list(tokens), 0, 0
        value = way()
        if self.peek():
            raise Unread(self.peek())
        self.tokens, self.place, self.bars = kept
        return value

    def group(self):
        return self.inside(self.raw(), self.sum)

    def statement(self):
        sides, names = [self.sum()], []
        while self.peek() in RELATIONS:
            names.append(self.take())
            sides.append(self.sum())
        return sides, names

    def sum(self):
        total, first = 0.0, True
        while first or self.peek() in ("+", "-"):
            sign, first = 1.0, False
            while self.peek() in ("+", "-"):
                sign *= 1.0 if self.take() == "+" else -1.0
            total = total + sign * self.product()
        return total

    def product(self, ends=frozenset()):
        result = self.factor()
        while (token := self.peek()) and token not in ends:
            if token in ("\\cdot", "\\times", "/") and self.take():
                other = self.factor()
                if token == "/" and (ends or (self.peek() and self.peek() not in ENDS)):
                    raise Unread("a slash, which may be over more or less")
                result = result / other if token == "/" else times(result, other)
            elif token not in ENDS or (token in ("|", "\\|") and not self.bars):
                result = times(result, self.factor())
            else:
                break
        return result

    def factor(self):
        token = self.take()
        if token[0].isdigit() or (token[0] == "." and len(token) > 1):
            is_decimal = re.match(r"0\{|\d+\{,\}(?!\d{3}(?!\d))", token)
            value = float(re.sub(r"\\,|\{,\}", "." if is_decimal else "", token))
            ahead = "".join(self.tokens[self.place : self.place + 7])
            if token == "1" and re.match(r"\\frac\{?\d+\}?\{?\d", ahead):  # one and a half
                part = self.factor()
                return 1 + part if 0 < part < 1 else part
        elif token in ("|", "\\|"):
            self.bars += 1
            value = self.sum()
            self.bars -= self.take(token) == token
            if token == "\\|":
                index = self.inside(self.raw(), self.indices) if self.peek() == "_" and self.take() else []
                value = self.call("norm", index, [value])
            value = abs(value)
        elif token in ("(", "[", "\\lfloor", "\\lceil", "\\{", "\\langle"):
            self.place -= 1
            found = self.arguments()
            if token in ("\\{", "\\langle"):
                found = [self.call(token + OPEN[token], [], found)]
            value = {"\\lfloor": np.floor, "\\lceil": np.ceil}.get(token, lambda one: one)(*found)
        elif token == "{":
            self.place -= 1
            value = self.group()
        elif token in ("\\frac", "\\binom"):
            above, below = self.group(), self.group()
            ways = ((above - step) / (step + 1) for step in range(round(below)))
            value = above / below if token == "\\frac" else math.prod(ways)
        elif token == "\\sqrt":
            root = 1 / self.arguments()[0] if self.peek() == "[" else 0.5
            value = power(self.group(), root)
        elif token in KNOWN:
            exponent = self.group() if self.peek() == "^" and self.take() else 1.0
            is_open = self.peek() in ("(", "[")
            return (
                KNOWN[token](self.factor() if is_open else self.product(set(KNOWN) | {"\\sum", "\\prod"})) ** exponent
            )
        elif token in ("\\sum", "\\prod"):
            return self.big(token)
        elif token in ("\\max", "\\min") and self.peek() in OPEN:
            value = float((max if token == "\\max" else min)(self.arguments()))
        else:
            return self.letter(token)
        return self.powers(value, [])

    def powers(self, value, scripts):
        while scripts or self.peek() in ("^", "!"):
            if not scripts and self.peek() == "!":
                step = 0
                while self.peek() == "!":
                    step += len(self.take())
                value = float(math.prod(range(round(value), 0, -step)))
                continue
            script = scripts.pop(0) if scripts else self.take() and self.raw()
            if script == ["\\circ"]:
                value = value * math.pi / 180
                continue
            value = np.transpose(value) if script in (["\\top"], ["T"]) else power(value, self.inside(script, self.sum))
        return value

    def big(self, name):
        limits = {"_": [], "^": []}
        while (sign := self.peek()) in limits:
            self.place += 1
            limits[sign] = self.raw()
        lower, upper, start, total = limits["_"], limits["^"], self.place, float(name == "\\prod")
        if "=" in lower[1:2] and upper:
            low, high = self.inside(lower[2:], self.sum), self.inside(upper, self.sum)
            points = [(low + step, 1.0) for step in range(round(high - low) + 1)]
        else:
            named = name + "_" + "".join(lower[:1]) + "["
            found = [some for one, some in self.witness["ranges"].items() if one.startswith(named)]
            points = found[0] if len(found) == 1 else []
        before, kept = self.bound.get("".join(lower[:1])), dict(self.bound)
        for at, weight in points:
            self.place, self.bound = start, kept | {lower[0]: at}
            body = self.product()
            total = total + weight * body if name == "\\sum" else times(total, power(body, weight))
        if not points or before is not None:
            raise Unread("what a sum is over")
        self.bound = kept
        return total

    def letter(self, token):
        name, indices, scripts = token, [], []
        if token in FONTS:
            inner = self.raw()
            plain = len(inner) == 1 or all(len(one) == 1 and one.isalpha() for one in inner)
            if not plain and "_" not in inner and "^" not in inner and inner[0] in FONTS:
                plain = inner[1:2] + inner[3:] == ["{", "}"]
            if not plain:
                return self.powers(self.call(token, [], [self.inside(inner, self.sum)]), [])
            is_word = token in ("\\text", "\\operatorname") or (token == "\\mathrm" and len(inner) > 1)
            name = "".join(inner) if is_word and len(inner) > 1 else f"{token}{{{''.join(inner)}}}"
            name = name.replace("\\operatorname", "\\mathrm").replace("\\text", "\\mathrm")
        elif token in ("\\Pr", "\\det"):
            name = token[1:]
        elif token in REFUSED - {"d"} or not re.match(r"\\?[A-Za-z]+$|\*$", token):
            raise Unread(token)
        while self.peek() in ("_", "^", "'"):
            sign = self.take()
            script = self.raw() if sign != "'" else []
            if sign == "_":
                indices += self.inside(script, self.indices)
            elif not script or script[1:] == [] and script[0] in MARKS:
                name += "^" + script[0] if script and script != ["\\prime"] else "'"
            elif script[0] == "(" and script[-1] == ")":
                name, indices = name + "^bracket", indices + self.inside(script[1:-1], self.indices)
            else:
                scripts.append(script)
        if self.peek() in ("(", "[", "\\{") and any(one[0] == name for one in self.witness["calls"]):
            return self.powers(self.call(name, indices, self.arguments()), scripts)
        if name in ("e", "\\mathrm{e}") and scripts:
            return math.e ** self.inside(scripts[0], self.sum)
        key = name + (f"[{','.join(f'{one + 0.0:.6g}' for one in indices)}]" if indices else "")
        constants = self.bound if not indices else {}
        found = constants.get(name, self.witness["point"].get(key, math.pi if key == "\\pi" else None))
        if found is None or isinstance(found, dict):
            raise Unread(f"{key}, which the witness lacks")
        return self.powers(np.array(found) if isinstance(found, list) else found, scripts)

    def indices(self):  # juxtaposed indices are separate, like those between commas
        found, parts = [], [[]]
        while self.peek():
            parts = [*parts, []] if (token := self.take()) == "," else [*parts[:-1], [*parts[-1], token]]
        for part in parts:
            if part[:1] == ["\\rm"]:
                part = ["\\text" if len(part) > 2 else "\\mathrm", "{", *part[1:], "}"]
            whole = set(part) & set("+ - / ( ^ _ \\cdot".split())
            values = self.inside(part, (lambda: [self.sum()]) if whole else self.run)
            found += values
        return found

    def run(self):
        found = []
        while self.peek():
            found.append(self.factor())
        return found

    def arguments(self):
        closing, found = OPEN[self.take()], []
        self.bars += 1
        while True:
            found.append(self.sum())
            token = self.take()
            if token == closing:
                self.bars -= 1
                return self.given(found)
            if token not in (",", "|", "\\mid", "\\|", "\\parallel"):
                raise Unread(token)
            found += [] if token == "," else ["|" if token in ("|", "\\mid") else "\\|"]

    def given(self, found):  # arguments on both sides of a bar form one tuple
        bars = [one for one in found if isinstance(one, str)]
        if not bars:
            return found
        place = found.index(bars[0])
        if place != 1 or len(bars) > 1:
            raise Unread("bars")
        return [self.call("tuple " + bars[0], [], [found[0], *found[2:]])]

    def call(self, name, indices, arguments):
        given = [*indices, *([";"] if indices else []), *arguments]
        for called, written, value in self.witness["calls"]:
            alike = called == name and len(written) == len(given) and all(map(is_equal, written, given))
            if alike and not isinstance(value, dict):
                return np.array(value) if isinstance(value, list) else value
        raise Unread(f"{name} at arguments that the witness lacks")


def times(left, right):
    return left @ right if np.ndim(left) == np.ndim(right) == 2 else left * right


def power(base, exponent):
    if np.ndim(base) == 2:
        return np.linalg.matrix_power(base, round(exponent))
    if base < 0 and exponent != round(exponent):
        raise Unread("a root of a negative number")
    return base**exponent


def is_equal(left, right):
    if isinstance(left, str) or isinstance(right, str) or isinstance(left, dict):
        return isinstance(left, str) and isinstance(right, str) and left == right
    left, right = np.asarray(left), np.asarray(right)
    least = 1e-9 if np.all(left) and np.all(right) else 1e-3  # a sum that is zero has rounding errors
    return bool(np.all(np.abs(left - right) <= 1e-7 * np.maximum(least, np.maximum(np.abs(left), np.abs(right)))))


def is_true(sides, names):
    for left, name, right in zip(sides, names, sides[1:]):
        equal = is_equal(left, right)
        found = "equal" if equal else "differ"
        if name not in ("=", "\\neq") and not equal:
            found = "less" if left < right else "more"
        if found not in TRUTHS[name].split():
            return False
    return True


def statements(latex):
    found, depth = [[]], 0
    for token in TOKEN.findall(ROWS.sub(" ", latex)):
        token = ALIASES.get(token, token)
        depth += (token in OPEN or token == "{") - (token in OPEN.values() or token == "}")
        if not depth and token in ("\\\\", ",", ";"):
            found.append([])
        elif token not in DROPPED:
            found[-1].append(token)
    return [one[:-1] if one[-1:] == ["."] else one for one in found if one and one != ["."]]


def letters(side):
    return {token for token in side if token[-1].isalpha()} - FONTS


def is_exchanged(first, second):  # whether the sides of a one-way relation, or of "if", are exchanged
    one, other = ([token for row in statements(latex) for token in row] for latex in (first, second))
    for start in range(1, len(one) - 1):
        for end in range(start + 1, len(one)):
            left, middle, right = one[:start], one[start:end], one[end:]
            is_if = middle == ["\\text", "{", "i", "f", "}"]
            if [*right, *middle, *left] == other and (is_if or ONE_WAY.fullmatch(" ".join(middle))):
                pairs = ["{}", *OPEN.items()]
                whole = all(side.count(a) == side.count(b) for side in (left, right) for a, b in pairs)
                if is_if:
                    return whole and letters(left).isdisjoint(letters(right))
                return whole and not RELATIONS & {*left, *right} and letters(left) != letters(right)
    return False


def check(pair, certificate):
    """``checked``, ``failed``, or the reason why a witness is not read."""
    witness = certificate["witness"] or {}
    if "point" not in witness:
        return "checked" if is_exchanged(*pair) else "no point"
    try:
        read = []
        for latex, place in zip(pair, witness["statement"]):
            reader = Reader(statements(latex)[place], witness)
            read.append(reader.statement())
            if reader.peek():
                return reader.peek()
        if not all(np.all(np.isfinite(side)) for sides, _ in read for side in sides):
            return "a side that is no finite number"
        if "holds" in witness:
            return "checked" if [is_true(*one) for one in read] == witness["holds"] else "failed"
        one, other = witness.get("sides", [0, 0])
        return "failed" if is_equal(read[0][0][one], read[1][0][other]) else "checked"
    except (Unread, RecursionError, ArithmeticError, ValueError, TypeError, IndexError, KeyError) as error:
        return str(error) or type(error).__name__
