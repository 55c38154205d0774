"""XML: the tree as elements, one in the other."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def opening(row: Mapping[str, object]) -> str:
    """The start of a file's element; its type is the element's name."""
    attributes = "".join(
        f' {name}="{escaped(str(value))}"' for name, value in row.items() if name != "type"
    )
    return f"<{row['type']}{attributes}>"


def escaped(text: str) -> str:
    """A text without what XML itself means something by."""
    return "".join(ESCAPES.get(char, char) for char in text)
