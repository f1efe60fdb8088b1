"""Whether a text file is certainly no paper: data, a script, a program. What may be prose is left to be read."""

from __future__ import annotations

import re

from scholartools.file_kinds import HEAD, other_format, table_delimiter
from scholartools.readers.text import markdown

# Lines that are looked at; a text of fewer than so many lines of code is none of a program.
_LINES, _FEWEST = 400, 4
_CODE_SHARE = 0.5
_FIELDS = 3  # of a table that is divided by colons or bars and has no header, at least
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
_SURE_CODE = re.compile(
    r"^(?:from [\w.]+ import \S.*|import [\w.]+(?: as \w+)?|(?:async )?def \w+\(.*|class \w+(?:\(.*\))?:)$", re.M
)
_FEWEST_SURE = 3  # lines of Python
_CODE = re.compile(
    r"""^\s*(?:
        (?:from\s+[\w.]+\s+)?import\s+[\w.{*"'] | \#\s*include\b | using\s+[\w.]+; | package\s+[\w.]+;?\s*$
      | (?:async\s+)?def\s+\w+\( | class\s+\w+[(:{] | (?:export\s+)?(?:function|const|let|var)\s+\w+
      | (?:if|elif|for|while|with|try|except|switch|else|return)\b.*[:;{)]\s*$
      | (?:fi|done|esac|then|do)\s*$ | [\w.\[\]"'$]+\s*(?:[-+*/|]?=|<-|:=)\s*\S | [\w.]+\([^)]*\);?\s*$
      | [})\]]+[;,]?\s*$ | .*[;{]\s*$ | (?://|/\*|\*/|@\w+).*
    )""",
    re.X,
)


def other_text(text: str) -> str | None:
    """What a text is that is no paper, in words for people; None where it may be one."""
    text = text.lstrip("\ufeff")
    if text.startswith("#!"):
        return "a script"
    if re.match(r'\s*\{\s*"', text):
        return "JSON or JSON lines"
    head = text[:HEAD].encode(errors="replace")[:HEAD]
    if other_format(head) is not None:
        is_table = table_delimiter(head) is not None
        return "a table (CSV, TSV)" if is_table and not re.match(r"\s*\[", text) else "JSON"
    lines = [line for line in _FENCED.sub("", text).splitlines() if line.strip()][:_LINES]
    if len(lines) >= 2 and any(_are_rows(lines, divider) for divider in ":|"):
        return "a table of fields"
    if len(_SURE_CODE.findall("\n".join(lines))) >= _FEWEST_SURE:
        return "a program"
    is_program = len(lines) >= _FEWEST and sum(bool(_CODE.match(line)) for line in lines) >= _CODE_SHARE * len(lines)
    return "a program" if is_program and not markdown.is_markdown(text) else None


def _are_rows(lines: list[str], divider: str) -> bool:
    """Whether all lines have the same number of fields, as in /etc/passwd."""
    counts = {line.count(divider) + 1 for line in lines}
    return len(counts) == 1 and counts.pop() >= _FIELDS
