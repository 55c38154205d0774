"""Outline: a syntax tree as indented lines for people, or as JSON for programs."""

from __future__ import annotations

from keysh.diagnostics.display import visible
from keysh.syntax.node import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OUTLINE_INDENT = "  "
UNLABELED_FIELDS = ("value", "name", "text", "operator")


def outline(root: Node) -> str:
    """Return one line a node: its class and plain fields, with its children indented below."""
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
    """Return plain fields as words; some need no name."""
    return [
        field_text(value) if name in UNLABELED_FIELDS else f"{name}={field_text(value)}"
        for name, value in plain
    ]


def nodes_of_field(item: object) -> list[object]:
    """Return a field's nodes as a list."""
    return item if isinstance(item, list) else [item]


def split_fields(node: Node) -> tuple[list[tuple[str, object]], list[tuple[str, object]]]:
    """Return a node's plain fields, but for empty ones, and its fields that hold nodes."""
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
    """Whether a list holds nodes."""
    return isinstance(items[0], Node)


def field_text(value: object) -> str:
    """Return a plain field's value: strings quoted, control characters escaped."""
    if isinstance(value, str):
        return "'" + visible(value.replace("\\", "\\\\").replace("'", "\\'")) + "'"
    if isinstance(value, list):
        return "[" + ", ".join(field_text(item) for item in value) + "]"
    return "true" if value is True else str(value)


def to_json(root: Node) -> str:
    """Return the whole tree as `{"type": …, "start": …, "end": …, fields}`.

    It uses a work list: the tree may be deeper than `json` can recurse.
    """
    return "".join(json_pieces(root))


def json_pieces(root: Node) -> Iterator[str]:
    """Yield the JSON text in pieces."""
    from json import dumps  # noqa: PLC0415 - few trees are written as JSON

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
    """A string that is JSON already."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text
