"""Constants: the text of a node that is the same in every run."""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.node import Node

Text, Quoted, Word, DoubleQuoted = ast.Text, ast.Quoted, ast.Word, ast.DoubleQuoted


def constant_text(node: Node) -> str | None:
    """Return a constant node's text; None for any other node, and for a pattern."""
    kind = node.__class__  # half the time of `isinstance`; the checker and the compiler ask for all
    if kind is Text or kind is Quoted:
        return node.value  # type: ignore[attr-defined, no-any-return]
    if kind is not Word and kind is not DoubleQuoted:
        return None
    parts: list[Node] = node.parts  # type: ignore[attr-defined]
    if len(parts) == 1:
        return "[" if is_lone_bracket(parts[0]) else constant_text(parts[0])
    texts: list[str] = []
    for part in parts:
        text = constant_text(part)
        if text is None:
            return None
        texts.append(text)
    return "".join(texts)


def is_lone_bracket(part: Node) -> bool:
    """Whether a part is a `[` that opens no bracket expression, as in the command `[`."""
    return isinstance(part, ast.Glob) and part.value == "["


def unexpanded_text(node: Node) -> str:
    """Return a node's text where pattern characters and braces are literal."""
    if isinstance(node, ast.Glob):
        return node.value
    if isinstance(node, ast.ExtendedGlob):
        return f"{node.operator}({'|'.join(unexpanded_text(branch) for branch in node.branches)})"
    if isinstance(node, ast.Brace):
        return f"{{{','.join(unexpanded_text(branch) for branch in node.branches)}}}"
    if isinstance(node, ast.BraceRange):
        step = f"..{node.step}" if node.step else ""
        return f"{{{node.first}..{node.last}{step}}}"
    if isinstance(node, ast.Word):
        return "".join(unexpanded_text(part) for part in node.parts)
    return constant_text(node) or ""
