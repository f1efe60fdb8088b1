"""Prompts for a research question, in three variants, and parsing of the replies."""

from __future__ import annotations

import re
from typing import NamedTuple

from scholartools.llm.prompts import Prompt
from scholartools.llm.replies import PlainText, ReplyFault
from scholartools.llm.sampling import Sampling

# As published: gpt-4-0125-preview at temperature 1 and top_p 1.
_SAMPLING = Sampling(temperature=1, top_p=1)

#: The prompts by variant, in the order of the paper's three.
PROMPTS: dict[str, Prompt[PlainText]] = {
    variant: Prompt(f"generate-question-{variant}", PlainText, _SAMPLING)
    for variant in ("plain", "format", "structured")
}
VARIANTS = tuple(PROMPTS)

_PARTS = ("problem", "method", "question")
# Tags of a structured reply.
_TAG = re.compile(r"<(/?)(thinking|research_question|problem|method|question)(?:\s[^<>]*)?>", re.I)
_ANY_TAG = re.compile(r"</?[a-z_]+(?:\s[^<>]*)?>", re.I)
_LABEL = re.compile(r"^(?:\*\*)?(?:the )?(?:research )?question(?:\*\*)?:(?:\*\*)?\s*", re.I)


class Question(NamedTuple):
    """A question, and its problem and method if the reply marks them."""

    text: str
    problem: str | None = None
    method: str | None = None


def read_question(reply: PlainText) -> Question:
    """Parse a reply that consists of a single question; a label or quotation marks around it are removed.

    Raises:
        ReplyFault: it is empty, or has several paragraphs or lines.
    """
    lines = [line.strip() for line in reply.text.strip().splitlines() if line.strip()]
    if not lines:
        raise ReplyFault("the reply is empty")
    if len(lines) > 1:
        raise ReplyFault(f"the reply has {len(lines)} lines, where the question alone was to stand")
    text = _LABEL.sub("", lines[0]).strip()
    if text[:1] in ("{", "[", "<"):
        raise ReplyFault("the reply is JSON or in tags, where the question alone was to stand")
    for opening, closing in ('""', "“”", "''"):
        if len(text) > 1 and text[0] == opening and text[-1] == closing:
            text = text[1:-1].strip()
    if not text:
        raise ReplyFault("the reply has no question")
    return Question(text)


def read_structured(reply: PlainText) -> Question:
    """Parse a tagged reply: thinking, then one research question with its three parts.

    Raises:
        ReplyFault: a tag is missing, duplicate, not closed, empty or misplaced.
    """
    text = reply.text
    thinking = _element(text, "thinking")
    asked = _element(text, "research_question")
    if asked.start() < thinking.end():
        raise ReplyFault("<research_question> stands before the end of <thinking>")
    if not thinking["text"].strip():
        raise ReplyFault("<thinking> is empty")
    inner = asked["text"]
    found = {name: " ".join(_element(inner, name)["text"].split()) for name in _PARTS}
    for name, part in found.items():
        if not part:
            raise ReplyFault(f"<{name}> is empty")
        if _ANY_TAG.search(part):
            raise ReplyFault(f"there are tags left in <{name}>")
    if outside := [name for name in _PARTS if _count(text, name) != _count(inner, name)]:
        raise ReplyFault(f"<{outside[0]}> stands outside of <research_question>")
    return Question(found["question"], found["problem"], found["method"])


def _element(text: str, name: str) -> re.Match[str]:
    """The only element with a name.

    Raises:
        ReplyFault: there is none, several, or one that is not closed.
    """
    opened, closed = _count(text, name), sum(tag[1] == "/" and tag[2].lower() == name for tag in _TAG.finditer(text))
    if not opened:
        raise ReplyFault(f"there is no <{name}>")
    if opened > 1 or closed > 1:
        raise ReplyFault(f"there are {max(opened, closed)} elements <{name}>, where one was to stand")
    found = re.search(rf"<{name}(?:\s[^<>]*)?>(?P<text>.*?)</{name}>", text, re.I | re.S)
    if found is None:
        raise ReplyFault(f"<{name}> has no end")
    return found


def _count(text: str, name: str) -> int:
    return sum(not tag[1] and tag[2].lower() == name for tag in _TAG.finditer(text))
