"""Builders: what each production of the grammar becomes. A builder has its production's name.

A token is `(type, value, start, end)`. Punctuation is an argument like any other: a node's span
reaches from its first part's start to its last part's end.
"""

from __future__ import annotations

from keysh.syntax.builders import commands, expressions, lists, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


BUILDERS: dict[str, Any] = {**vars(lists), **vars(expressions), **vars(words), **vars(commands)}


def builder(name: str) -> Callable[..., Any]:
    """The builder of a production; behind a name that Python keeps for itself stands `_`."""
    found: Callable[..., Any] | None = BUILDERS.get(name) or BUILDERS.get(f"{name}_")
    if found is None:
        raise LookupError(f"no builder for the production {name}")
    return found
