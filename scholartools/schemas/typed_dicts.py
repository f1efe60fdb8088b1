"""Prints the types of what is in a record as TypedDicts (``shapes.pyi``), by which mypy finds a misspelt key."""

from __future__ import annotations

import keyword
import types
import typing
from collections.abc import Iterator
from typing import Any, Literal

from scholartools.schemas.base import Model
from scholartools.schemas.paper import Paper

_HEAD = """\
# Made by `make schema` of the models beside this file: what is in a record, and what its readers give by key.
from typing import Any, Literal, NotRequired, Protocol, TypedDict, overload

Record = dict[str, Any]
"""


def main() -> None:
    """Print a TypedDict for each model below the record, then protocols of what reads one key of it."""
    print(_HEAD)
    for model in sorted(_models_below(Paper, set()) - {Paper}, key=lambda one: one.__name__):
        keys = {
            field.alias or name: written if field.is_required() else f"NotRequired[{written}]"
            for name, field in model.model_fields.items()
            for written in [_write(field.annotation)]
        }
        if any(map(keyword.iskeyword, keys)):
            fields = ", ".join(f"{key!r}: {written}" for key, written in keys.items())
            print(f"{model.__name__} = TypedDict({model.__name__!r}, {{{fields}}})")
        else:
            fields = "".join(f"    {key}: {written}\n" for key, written in keys.items())
            print(f"class {model.__name__}(TypedDict):\n{fields}")
    print(f"Key = Literal[{', '.join(map(repr, Paper.model_fields))}]")
    for name, more, lost in (("Read", "", ""), ("Need", ", hint: str", " | None")):
        print(f"class {name}(Protocol):")
        for key, field in Paper.model_fields.items():
            _print_overload(f"Literal[{key!r}]{more}", _write(field.annotation).removesuffix(lost))
        _print_overload(f"Key{more}", "Any")
    print("class PaperRecord(Protocol):\n    def __contains__(self, key: object, /) -> bool: ...")
    for function, end in (("__getitem__(self", ""), ("get(self", " | None")):
        for key, field in Paper.model_fields.items():
            given = _write(field.annotation).removesuffix(" | None")
            _print_overload(f"Literal[{key!r}], /", given + end, function)
    _print_overload("Key, default: Any, /", "Any", "get(self")


def _print_overload(key: str, given: str, function: str = "__call__(self, record: Record | PaperRecord") -> None:
    print(f"    @overload\n    def {function}, key: {key}) -> {given}: ...")


def _models_below(model: type[Model], found: set[type[Model]]) -> set[type[Model]]:
    """A model and those that its fields hold, added to what is found."""
    if model not in found:
        found.add(model)
        for field in model.model_fields.values():
            for one in _parts(field.annotation):
                if isinstance(one, type) and issubclass(one, Model):
                    _models_below(one, found)
    return found


def _parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for one in typing.get_args(annotation):
        yield from _parts(one)


def _write(annotation: Any) -> str:
    """An annotation as source text."""
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, parts))}]"
    if origin is typing.Annotated:
        return _write(parts[0])
    if origin in (types.UnionType, typing.Union):
        return " | ".join(map(_write, parts))
    if origin is not None:
        return f"{origin.__name__}[{', '.join(map(_write, parts))}]"
    return "None" if annotation is type(None) else annotation.__name__


if __name__ == "__main__":
    main()
