"""Builders: functions that turn the parts of a production into a node, named like the production.

The LALR parser calls them through `builder`. A token is `(type, value, start, end)`. Punctuation is
passed too, since a node's span reaches from its first part to its last. They know the tree, but
neither the lexer nor the source text.
"""

from __future__ import annotations

from keysh.syntax.builders import commands, expressions, lists, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


BUILDERS: dict[str, Any] = {**vars(lists), **vars(expressions), **vars(words), **vars(commands)}


def builder(name: str) -> Callable[..., Any]:
    """Return the builder of a production; Python's keywords have a `_` appended."""
    found: Callable[..., Any] | None = BUILDERS.get(name) or BUILDERS.get(f"{name}_")
    if found is None:
        raise LookupError(f"no builder for the production {name}")
    return found
