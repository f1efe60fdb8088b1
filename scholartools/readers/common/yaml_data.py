"""YAML that came with a paper, read without what can make much of little."""

from __future__ import annotations

from typing import Any

from scholartools.errors import InputFault

#: The deepest nesting that is read; what the library keeps of each level costs the square of the depth.
DEEPEST = 50


def load_yaml(text: str) -> Any:
    """What a YAML document says, in plain values.

    Aliases are refused: a few hundred bytes with them stand for gigabytes.

    Raises:
        InputFault: kind ``unreadable``: it is no YAML, has an alias, or is nested too deep.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        """Knows no aliases, and no deep nesting."""

        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("an alias")
            self.depth += 1
            if self.depth > DEEPEST:
                raise yaml.YAMLError("nested too deep")
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    try:
        return yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputFault(f"the YAML cannot be read: {type(error).__name__}", kind="unreadable") from None
