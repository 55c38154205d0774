"""Builders: functions that turn the parts of a production into a node, named like the production.

The LALR parser calls them through `builder`. A token is `(type, value, start, end)`. Punctuation is
passed too, since a node's span reaches from its first part to its last. They know the tree, but
neither the lexer nor the source text.
"""

from __future__ import annotations

from keysh.syntax.builders import commands, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BUILDERS: dict[str, Any] = {**vars(words), **vars(commands)}


def builder(name: str) -> Callable[..., Any]:
    """Return the builder of a production; Python's keywords have a `_` appended."""
    build: Callable[..., Any] | None = BUILDERS.get(name) or BUILDERS.get(f"{name}_")
    if build is None:
        from keysh.syntax.builders import expressions  # noqa: PLC0415 - not all scripts have any

        build = getattr(expressions, name, None) or getattr(expressions, f"{name}_", None)
    if build is None:
        raise LookupError(f"no builder for the production {name}")
    return build
