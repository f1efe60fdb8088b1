"""Read YAML in the files of a paper, safe from documents that expand to a huge size."""

from __future__ import annotations

from typing import Any

from scholartools.errors import InputFault

#: Maximum depth of nesting; the library's cost grows with the square of the depth.
DEEPEST = 50


def load_yaml(text: str) -> Any:
    """Parse a YAML document to plain values.

    Aliases are rejected, because a few hundred bytes with aliases can expand to gigabytes.

    Raises:
        InputFault: kind ``unreadable``: the text is not YAML, has an alias, or is nested too deep.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        """Rejects aliases and deep nesting."""

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
