"""Prompts: templates that are filled with the inputs of a record, and the models of their replies.

To declare a prompt: write ``prompts/NAME.txt``, a pydantic model of the reply, and ``Prompt("NAME", Reply)``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from scholartools.errors import UsageFault
from scholartools.llm.replies import PlainText, ReplyFault, take_out_items
from scholartools.llm.sampling import AS_THE_RUN, Sampling
from scholartools.parameters import parameter

Reply = TypeVar("Reply", bound=BaseModel)

_ROLE = re.compile(r"^\[(system|user)\]\s*$", re.M)
_SLOT = re.compile(r"\{\{(\w+)\}\}")
# Fence lines that :func:`fence_text` puts around a text.
_INNER = "paper-"
_INNER_FENCE = re.compile(rf"^{_INNER}[0-9a-f]{{12,}}$", re.M)
# Pattern of a fence copied into a reply, and its maximum edit distance from the original.
_LIKE_FENCE = re.compile(r"(?:text|paper)[-\u2010-\u2015 _]?\w{6,}", re.I)
_SLIPS = 2


@dataclass(frozen=True)
class Prompt(Generic[Reply]):
    """A prompt template and the model of its reply.

    Attributes:
        name: name of its file in ``prompts/``, without ``.txt``.
        reply: pydantic model of the reply, or :class:`PlainText`.
        sampling: sampling parameters of the prompt; those of the run take precedence.
        own: text of a prompt without a file in ``prompts/``.
        has_value: whether the reply is a text that contains a value and explains it.

    The text has parts headed ``[system]`` and ``[user]``. ``{{name}}`` stands for an input; ``{{fence}}`` for a word
    that occurs in no input, to put around quoted text so that nothing in it can end the quotation; ``{{schema}}`` for
    the reply's JSON schema.
    """

    name: str
    reply: type[Reply]
    sampling: Sampling = AS_THE_RUN
    own: str | None = None
    has_value: bool = False

    def __hash__(self) -> int:
        """Hash only the name, which is fast: prompts are hashed for each record, and few share a name."""
        return hash(self.name)

    def text(self, folder: str | None) -> str:
        """The text of the prompt, from ``folder`` if it has a file of that name.

        Raises:
            UsageFault: the folder does not exist or a file in it cannot be read.
        """
        return _read_prompt(self.name, folder, self.own)

    def schema(self) -> str | None:
        """The JSON schema of the reply; None for :class:`PlainText`."""
        return None if issubclass(self.reply, PlainText) else _schema_text(self.reply)

    def digest(self, folder: str | None) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of text and schema: part of the signature."""
        return _prompt_digest(self.text(folder), self.reply)

    def take_out_fences(self, inputs: Mapping[str, str], folder: str | None, reply: Reply) -> list[str]:
        """Remove copies of the fences around the quoted texts, also with up to two wrong characters, from a reply.

        A copied fence would be mistaken for a word of a text; a word that occurs in a text is not removed. Items of
        lists and explanations are removed as a whole; in a text with a value, only the fences are blanked.

        Returns:
            The reason for each removed part.

        Raises:
            ReplyFault: a fence occurs elsewhere, or in all items of a list.
        """

        @functools.cache
        def words() -> set[str]:
            inner = {word for text in inputs.values() for word in _inner_fences(text)}
            return inner | ({_fence_word(inputs)} if "{{fence}}" in self.text(folder) else set())

        def copied_in(said: str) -> str | None:
            for word, _ in _copied_fences(said, words, inputs):
                return f'the reply copies the line "{word}", which only separates the texts in the prompt'
            return None

        if not isinstance(reply, PlainText):
            return take_out_items(reply, copied_in)
        if (reason := copied_in(reply.text)) is None:
            return []
        if not self.has_value:
            raise ReplyFault(reason)
        reply.blank([place for _, place in _copied_fences(reply.text, words, inputs)], reason)
        return [reason]

    def messages(
        self, inputs: Mapping[str, str], folder: str | None = None, images: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """The filled prompt as chat messages; images (data URLs) are part of the last one.

        Raises:
            UsageFault: a slot of the text has no input, or an input no slot.
        """
        filled = {**inputs, "fence": _fence_word(inputs), "schema": _schema_text(self.reply)}
        parts = _prompt_parts(self.name, self.text(folder), tuple(inputs))
        messages: list[dict[str, Any]] = [
            {"role": role, "content": _fill_template(part, filled)} for role, part in parts
        ]
        if images:
            text = {"type": "text", "text": messages[-1]["content"]}
            pictures = [{"type": "image_url", "image_url": {"url": url}} for url in images]
            messages[-1]["content"] = [text, *pictures]
        return messages


def fence_text(text: str) -> str:
    """Put a text between two fence lines that do not occur in it and depend only on it."""
    length, digest = 12, _digest_of(text)
    while (word := f"{_INNER}{digest[:length]}") in text:
        length += 1
    return f"{word}\n{text}\n{word}"


def _inner_fences(text: str) -> list[str]:
    """The fences that :func:`fence_text` put around parts of an input, without similar lines of a paper."""
    found = []
    for word in dict.fromkeys(_INNER_FENCE.findall(text)):
        _, *between = f"\n{text}\n".split(f"\n{word}\n")
        digest = word.removeprefix(_INNER)
        if any(_digest_of(part).startswith(digest) for part in between):
            found.append(word)
    return found


def _copied_fences(
    said: str, words: Callable[[], Collection[str]], inputs: Mapping[str, str]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """The fences that a reply copies, with their spans; similar words that occur in a text are not reported."""
    if not (like := [*_LIKE_FENCE.finditer(said)]):
        return
    from rapidfuzz.distance import Levenshtein

    for hit in like:
        one = hit[0]
        for word in words():
            near = one.casefold()[: len(word) + _SLIPS]
            is_near = word in one or Levenshtein.distance(near, word, score_cutoff=_SLIPS) <= _SLIPS
            if is_near and not any(one in text and one not in words() for text in inputs.values()):
                yield word, hit.span()
                break


def may_copy_fences(said: str) -> bool:
    """Whether a reply, or a string in its JSON, may contain copies that :meth:`Prompt.take_out_fences` removes.

    Among the escapes of JSON, only numeric ones can encode characters of a fence.
    """
    small = said.lower()  # a quick test, since the search takes 10 us per kB
    return "\\u" in said or (("text" in small or "paper" in small) and _LIKE_FENCE.search(said) is not None)


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _fence_word(inputs: Mapping[str, str]) -> str:
    """A word from the hash of the inputs that occurs in none of them."""
    everything = "\0".join(inputs.values())
    length, digest = 8, _digest_of(everything)
    while (word := f"text-{digest[:length]}") in everything:
        length += 1
    return word


@functools.cache
def _read_prompt(name: str, folder: str | None, given: str | None = None) -> str:
    if folder is not None:
        if not Path(folder).is_dir():
            raise UsageFault(f"{parameter('prompt_dir')} {folder}: no such folder")
        own = Path(folder) / f"{name}.txt"
        if own.exists():
            try:
                return _check_fields(name, own.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                raise UsageFault(f"{own}: cannot be read as UTF-8 text: {error}") from None
    if given is not None:
        return _check_fields(name, given)
    return _check_fields(name, (files("scholartools") / "prompts" / f"{name}.txt").read_text(encoding="utf-8"))


def _check_fields(name: str, text: str) -> str:
    if not _ROLE.search(text):
        raise UsageFault(f'prompt "{name}": no part headed [user] or [system]')
    return text


@functools.cache
def _prompt_parts(name: str, text: str, inputs: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """The role of each part of a prompt, and its text split at the slots (every second piece is the name of a slot).

    Raises:
        UsageFault: an input has no slot, or a slot no input.
    """
    _, *parts = _ROLE.split(text)
    pieces = [_SLOT.split(part.strip()) for part in parts[1::2]]
    slots = {slot for part in pieces for slot in part[1::2]}
    if missing := set(inputs) - slots:
        reason = f"{{{{{min(missing)}}}}} stands nowhere in its text, but is one of its inputs"
        raise UsageFault(f'prompt "{name}": {reason}: {", ".join(sorted(inputs))}')
    if unfilled := slots - {*inputs, "fence", "schema"}:
        raise UsageFault(f'prompt "{name}": nothing fills {{{{{min(unfilled)}}}}}')
    return list(zip(parts[::2], pieces))


def _fill_template(pieces: list[str], inputs: Mapping[str, str]) -> str:
    return "".join([inputs[piece] if index % 2 else piece for index, piece in enumerate(pieces)])


@functools.cache
def _prompt_digest(text: str, reply: type[BaseModel]) -> str:
    return hashlib.sha256(f"{text}\n{_schema_text(reply)}".encode()).hexdigest()[:16]


@functools.cache
def _schema_text(reply: type[BaseModel]) -> str:
    return json.dumps(reply.model_json_schema(), ensure_ascii=False)


def json_lines(entries: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object per line, for a prompt: no text in an entry can be mistaken for another entry."""
    return "\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
