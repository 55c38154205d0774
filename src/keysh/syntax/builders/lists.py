"""Builders of lists: `_items: item` and `_items: _items item`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def begin(*items: Any) -> list[Any]:
    """`_items: item`."""
    return list(items)


def append(items: list[Any], item: Any) -> list[Any]:
    """`_items: _items item`."""
    items.append(item)
    return items


def extend(items: list[Any], *more: Any) -> list[Any]:
    """`_items: _others item`."""
    items.extend(more)
    return items


def without_tokens(items: list[Any]) -> list[Any]:
    """Return a list's items without the commas."""
    return [item for item in items if item.__class__ is not tuple]


def begin_of(part: Any) -> int:
    """Return where a node or token begins."""
    start: int = part[2] if part.__class__ is tuple else part.start
    return start
