"""Outline: a tree as indented lines for people, or as JSON for programs."""

from __future__ import annotations

from keysh.diagnostics.display import visible
from keysh.syntax.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OUTLINE_INDENT = "  "
UNLABELED_FIELDS = ("value", "name", "text", "operator")


def outline(root: Node) -> str:
    """One line a node: its class, the fields that hold no nodes, and its children below it."""
    lines: list[str] = []
    waiting: list[tuple[int, str, object]] = [(0, "", root)]
    while waiting:
        depth, label, item = waiting.pop()
        prefix = OUTLINE_INDENT * depth + (f"{label}: " if label else "")
        if not isinstance(item, Node):
            lines.append(prefix.rstrip())
            waiting.extend((depth + 1, "", child) for child in reversed(nodes_of_field(item)))
            continue
        plain, below = split_fields(item)
        lines.append(prefix + " ".join([item.__class__.__name__, *field_words(plain)]))
        if len(below) == 1 and isinstance(below[0][1], list):
            below = [("", child) for child in below[0][1]]
        waiting.extend((depth + 1, name, value) for name, value in reversed(below))
    return "\n".join(lines) + "\n"


def field_words(plain: list[tuple[str, object]]) -> list[str]:
    """Plain fields as words; the name of the one that says what the node is goes without saying."""
    return [
        field_text(value) if name in UNLABELED_FIELDS else f"{name}={field_text(value)}"
        for name, value in plain
    ]


def nodes_of_field(item: object) -> list[object]:
    """A field that holds nodes, as a list."""
    return item if isinstance(item, list) else [item]


def split_fields(node: Node) -> tuple[list[tuple[str, object]], list[tuple[str, object]]]:
    """A node's plain fields, those at their usual value left out, and the ones holding nodes."""
    plain: list[tuple[str, object]] = []
    below: list[tuple[str, object]] = []
    for name in node.fields():
        value = getattr(node, name)
        if isinstance(value, Node) or (isinstance(value, list) and value and holds_nodes(value)):
            below.append((name, value))
        elif value not in (None, False, [], 0) and (value != "" or name == "value"):
            plain.append((name, value))
    return plain, below


def holds_nodes(items: list[object]) -> bool:
    """Whether a list is one of nodes."""
    return isinstance(items[0], Node)


def field_text(value: object) -> str:
    """A plain field's value: text in quotes, control characters spelled out."""
    if isinstance(value, str):
        return "'" + visible(value.replace("\\", "\\\\").replace("'", "\\'")) + "'"
    if isinstance(value, list):
        return "[" + ", ".join(field_text(item) for item in value) + "]"
    return "true" if value is True else str(value)


def to_json(root: Node) -> str:
    """The whole tree: `{"type": …, "start": …, "end": …, fields}`.

    Written out piece by piece from a work list: the tree may be deeper than what `json` can follow.
    """
    return "".join(json_pieces(root))


def json_pieces(root: Node) -> Iterator[str]:
    """The JSON text in pieces."""
    from json import dumps  # noqa: PLC0415 - only where it is asked for

    waiting: list[object] = [root]
    while waiting:
        item = waiting.pop()
        if isinstance(item, OutlineText):
            yield item.text
        elif isinstance(item, Node):
            head = {"type": item.__class__.__name__, "start": item.start, "end": item.end}
            yield dumps(head)[:-1]
            pieces: list[object] = []
            for name in item.fields():
                pieces += [OutlineText(f', "{name}": '), getattr(item, name)]
            waiting.append(OutlineText("}"))
            waiting.extend(reversed(pieces))
        elif isinstance(item, list):
            pieces = [OutlineText("[")]
            for i, child in enumerate(item):
                pieces += [OutlineText(", "), child] if i else [child]
            waiting.append(OutlineText("]"))
            waiting.extend(reversed(pieces))
        else:
            yield dumps(item)


class OutlineText:
    """Text that is JSON already."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text
