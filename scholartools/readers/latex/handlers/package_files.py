"""Read the definitions and options of the package files in the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scholartools.readers.latex.document.state import Document

_READ = ("\\newtheorem", "\\usepackage", "\\RequirePackage")


def read_package(document: Document, file: str, options: str) -> None:
    """Read only the definitions, switches and registers of a package file in the source.

    Args:
        document: the paper.
        file: name of the file.
        options: options of the package, between commas; those of the document class also apply.
    """
    given = [name.strip() for name in f"{document.parts.class_options},{options}".split(",") if name.strip()]
    outer, document.stream.package = document.stream.package, True
    _Package(document, given).read(document.source.tokens(file), file)
    document.stream.package = outer


@dataclass
class _Package:
    """A package file that is being read.

    Attributes:
        given: the options of the package and of the document class.
        code: the code of each option that the package declares.
        depth: number of open braces and conditionals around the current place, whose code may not be executed.
    """

    document: Document
    given: Sequence[str]
    code: dict[str, list[str]] = field(default_factory=dict)
    depth: int = 0

    def read(self, tokens: list[str], file: str) -> None:
        """Execute definitions, options and assignments among some tokens; other tokens are skipped."""
        for token in self.document.stream.apart(tokens, file):
            self._take(token)

    def _take(self, token: str) -> None:
        stream, meanings = self.document.stream, self.document.meanings
        if definition := meanings.definitions.get(token):
            definition(stream)
        elif token in _READ:
            meanings.commands[token](self.document)
        elif token in stream.setters:
            name, value = stream.setters[token]
            is_known = not self.depth or stream.switches.get(name) == value
            stream.set_switch(name, value if is_known else None)
        elif token in stream.registers and not self.depth:
            stream.step(token)
        elif token == "\\DeclareOption":
            name = "" if stream.take("*") else stream.text_argument().strip()
            self.code[name] = stream.argument()
        elif token == "\\ExecuteOptions":
            self._execute([name.strip() for name in stream.text_argument().split(",")])
        elif token == "\\ProcessOptions":
            self._execute(self.given if stream.take("*") else [name for name in self.code if name in self.given])
        elif token == "{" or stream.is_conditional(token):
            self.depth += 1
        elif token in ("}", "\\fi"):
            self.depth = max(0, self.depth - 1)

    def _execute(self, names: Sequence[str]) -> None:
        """Execute the code of some options."""
        for name in names:
            self.read(self.code.get(name, []), "")
