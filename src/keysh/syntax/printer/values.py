"""Values: lists, records and arrays, on one line or one element to a line."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.lexer.values import JSON_CONSTANT, RECORD_START
from keysh.syntax.printer import quotes
from keysh.syntax.printer.print_context import (
    BRANCH_CONTEXT,
    ELEMENT_CONTEXT,
    NAMED_CONTEXT,
    PLAIN_CONTEXT,
    WORD_CONTEXT,
    PrintContext,
)
from keysh.syntax.printer.words import part_pieces, separated_nodes
from keysh.syntax.printer.writer import dedent, forbid_line_end, gap, indent, line, newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.writer import Mark, Piece, Pieces, ScriptWriter


def is_spread_out(
    writer: ScriptWriter, start: int, items: Sequence[Node], end: int, flat: Pieces
) -> bool:
    """Whether a value was on several lines, is too long for one, or contains a comment or takes one
    from further left.
    """
    if writer.has_comments(start, end) or writer.next_comment(start) >= 0:
        return True
    for item in items:
        if writer.is_broken(start, item.start):
            return True
        start = item.end
    if not items:
        return False
    # A single element gets no shorter on a line of its own.
    return writer.is_broken(start, end) or (
        writer.text != "" and len(items) > 1 and writer.is_too_long(flat)
    )


def item_lines(
    items: Sequence[Node], comma: str, end: int, context: PrintContext, ending: Mark
) -> Pieces:
    """Return items one to a line."""
    pieces: list[Piece] = [indent]
    for item in items:
        pieces += (gap(item.start, ending, blanks=False), (item, context), comma)
    return (*pieces, gap(end, ending, is_last=True, blanks=False), dedent)


def list_(writer: ScriptWriter, node: ast.List, context: PrintContext) -> Pieces:
    """`[a, b]`."""
    elements = node.elements
    is_pattern = context.is_assigned and len(elements) == 1 and is_bare_element(elements[0])
    comma = "," if is_pattern or has_open_bracket(elements) else ""
    flat = ("[", *separated_nodes(elements, ", ", ELEMENT_CONTEXT), comma, "]")
    if is_spread_out(writer, node.start, elements, node.end, flat):
        return ("[", *item_lines(elements, ",", node.end, ELEMENT_CONTEXT, line), "]")
    return flat


def has_open_bracket(elements: Sequence[ast.Value | ast.Spread]) -> bool:
    """Whether the last element has a lone `[`, which would take the closing `]`."""
    last = elements[-1] if elements else None
    word = last.word if isinstance(last, ast.Spread) else last
    return isinstance(word, ast.Word) and any(
        isinstance(part, ast.Glob) and part.value == "[" for part in word.parts
    )


def is_bare_element(element: ast.Value | ast.Spread) -> bool:
    """Whether the brackets of `x=[a]` could be meant as text."""
    if not isinstance(element, ast.Word):
        return False
    first = element.parts[0]
    if len(element.parts) > 1 or isinstance(first, ast.DoubleQuoted):
        return len(element.parts) > 1
    if isinstance(first, ast.Quoted):
        return first.style not in ("'", '"')
    return not (isinstance(first, ast.Text) and JSON_CONSTANT.match(first.value, 0))


def record(writer: ScriptWriter, node: ast.Record, context: PrintContext) -> Pieces:
    """`{name: amy}`. Among arguments `{}` is text, so an empty record is `{ }`."""
    pairs = node.pairs
    is_hidden = context.is_assigned and bool(pairs) and not has_record_key(pairs[0])
    blank = " " if context is NAMED_CONTEXT and not pairs else ""
    flat = ("{" + blank, *separated_nodes(pairs, ", ", ELEMENT_CONTEXT), "}")
    if is_hidden or is_spread_out(writer, node.start, pairs, node.end, flat):
        return ("{", *item_lines(pairs, ",", node.end, ELEMENT_CONTEXT, line), "}")
    return flat


def has_record_key(pair: ast.Pair | ast.Spread) -> bool:
    """Whether the first key distinguishes a record after `=` from text."""
    if isinstance(pair, ast.Spread):
        return True
    for part in pair.key.parts:
        if isinstance(part, ast.Text):
            if any(char in "{}[]$" for char in part.value):
                return False
        elif isinstance(part, ast.Quoted):
            if part.style not in ("'", '"'):
                return False
        elif isinstance(part, ast.DoubleQuoted):
            if any(p.__class__ not in (ast.Text, ast.Variable) for p in part.parts):
                return False
        elif not (isinstance(part, ast.Variable) and part.name.replace("_", "a").isalnum()):
            return False
    return True


def pair(writer: ScriptWriter, node: ast.Pair, context: PrintContext) -> Pieces:
    """`key: value`."""
    return ((node.key, ELEMENT_CONTEXT), ": ", (node.value, ELEMENT_CONTEXT))


def array(writer: ScriptWriter, node: ast.Array, context: PrintContext) -> Pieces:
    """`(a b)`; its lines end like those of commands."""
    entries = node.entries
    flat = ("(", *separated_nodes(entries, " ", WORD_CONTEXT), ")")
    if is_spread_out(writer, node.start, entries, node.end, flat):
        return ("(", *item_lines(entries, "", node.end, WORD_CONTEXT, newline), ")")
    return flat


def entry(writer: ScriptWriter, node: ast.Entry, context: PrintContext) -> Pieces:
    """`[key]=value`."""
    operator = "+=" if node.append else "="
    return ((node.subscript, PLAIN_CONTEXT), operator, *value_of(node.value, WORD_CONTEXT))


def value_of(value: ast.Value | None, context: PrintContext) -> Pieces:
    """Return the value after `=`, which may be empty."""
    return () if value is None else ((value, context),)


def spread(writer: ScriptWriter, node: ast.Spread, context: PrintContext) -> Pieces:
    """`...$xs`."""
    return ("...", (node.word, context))


def named_word(writer: ScriptWriter, node: ast.Word) -> Pieces:
    """Return the text after `key=` so that it is not read as a list or record."""
    parts = node.parts
    first = parts[0]
    pieces = part_pieces(writer, parts, NAMED_CONTEXT)
    if not writer.has_literals:
        return pieces
    shown = record_outline(parts)
    if shown == "{":
        return ("{", forbid_line_end)
    if shown[:2] == "{}" or not RECORD_START.match(shown, 0):
        return pieces
    if isinstance(first, ast.Brace):
        return (
            "{" + quotes.LINE_JOIN,
            *separated_nodes(first.branches, ",", BRANCH_CONTEXT),
            "}",
            *pieces[1:],
        )
    return ("{" + quotes.LINE_JOIN + str(pieces[0])[1:], *pieces[1:])


def record_outline(parts: Sequence[ast.Part]) -> str:
    """Return a word's text as far as it decides whether it could be a record."""
    text = ""
    for part in parts:
        if isinstance(part, ast.Text | ast.Glob | ast.Tilde):
            text += part.value
        elif isinstance(part, ast.Quoted):
            text += "'x'" if part.style in ("'", '"') else "\\"
        elif isinstance(part, ast.Brace):
            text += "{" + record_outline(part.branches[0].parts) + ","
        else:
            text += "x"
    return text
