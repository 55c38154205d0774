"""Values: lists, records and arrays, on one line or one element to a line."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.lexer.values import JSON_CONSTANT, RECORD
from keysh.syntax.printer import quotes
from keysh.syntax.printer.context import BRANCH, ELEMENT, NAMED, PLAIN, WORD, Context
from keysh.syntax.printer.words import fragments, separated
from keysh.syntax.printer.writer import dedent, ends_badly, gap, indent, line, newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.writer import Mark, Piece, Pieces, Writer


def is_spread_out(w: Writer, start: int, items: Sequence[Node], end: int, flat: Pieces) -> bool:
    """Whether a value stood on several lines, is too long for one, or holds comments or takes one
    from further left.
    """
    if w.has_comments(start, end) or w.next_comment(start) >= 0:
        return True
    for item in items:
        if w.is_broken(start, item.start):
            return True
        start = item.end
    if not items:
        return False
    # One element alone gets no shorter on a line of its own.
    return w.is_broken(start, end) or (w.text != "" and len(items) > 1 and w.is_too_long(flat))


def lines(items: Sequence[Node], comma: str, end: int, context: Context, ending: Mark) -> Pieces:
    """Items one to a line."""
    pieces: list[Piece] = [indent]
    for item in items:
        pieces += (gap(item.start, ending, blanks=False), (item, context), comma)
    return (*pieces, gap(end, ending, is_last=True, blanks=False), dedent)


def list_(w: Writer, node: ast.List, context: Context) -> Pieces:
    """`[a, b]`."""
    elements = node.elements
    is_pattern = context.is_assigned and len(elements) == 1 and is_bare(elements[0])
    comma = "," if is_pattern or has_open_bracket(elements) else ""
    flat = ("[", *separated(elements, ", ", ELEMENT), comma, "]")
    if is_spread_out(w, node.start, elements, node.end, flat):
        return ("[", *lines(elements, ",", node.end, ELEMENT, line), "]")
    return flat


def has_open_bracket(elements: Sequence[ast.Value | ast.Spread]) -> bool:
    """Whether the last element has a lone `[` to which the closing `]` would belong."""
    last = elements[-1] if elements else None
    word = last.word if isinstance(last, ast.Spread) else last
    return isinstance(word, ast.Word) and any(
        isinstance(part, ast.Glob) and part.value == "[" for part in word.parts
    )


def is_bare(element: ast.Value | ast.Spread) -> bool:
    """Whether the brackets of `x=[a]` around an element could be meant as text."""
    if not isinstance(element, ast.Word):
        return False
    first = element.parts[0]
    if len(element.parts) > 1 or isinstance(first, ast.DoubleQuoted):
        return len(element.parts) > 1
    if isinstance(first, ast.Quoted):
        return first.style not in ("'", '"')
    return not (isinstance(first, ast.Text) and JSON_CONSTANT.match(first.value, 0))


def record(w: Writer, node: ast.Record, context: Context) -> Pieces:
    """`{name: amy}`. Among arguments `{}` is text, and so the record has a blank."""
    pairs = node.pairs
    is_hidden = context.is_assigned and bool(pairs) and not shows_record(pairs[0])
    blank = " " if context is NAMED and not pairs else ""
    flat = ("{" + blank, *separated(pairs, ", ", ELEMENT), "}")
    if is_hidden or is_spread_out(w, node.start, pairs, node.end, flat):
        return ("{", *lines(pairs, ",", node.end, ELEMENT, line), "}")
    return flat


def shows_record(pair: ast.Pair | ast.Spread) -> bool:
    """Whether the first key is one by which a record behind `=` is told from text."""
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


def pair(w: Writer, node: ast.Pair, context: Context) -> Pieces:
    """`key: value`."""
    return ((node.key, ELEMENT), ": ", (node.value, ELEMENT))


def array(w: Writer, node: ast.Array, context: Context) -> Pieces:
    """`(a b)`; its lines are lines of commands."""
    entries = node.entries
    flat = ("(", *separated(entries, " ", WORD), ")")
    if is_spread_out(w, node.start, entries, node.end, flat):
        return ("(", *lines(entries, "", node.end, WORD, newline), ")")
    return flat


def entry(w: Writer, node: ast.Entry, context: Context) -> Pieces:
    """`[key]=value`."""
    operator = "+=" if node.append else "="
    return ((node.subscript, PLAIN), operator, *value_of(node.value, WORD))


def value_of(value: ast.Value | None, context: Context) -> Pieces:
    """What stands behind `=`, perhaps nothing."""
    return () if value is None else ((value, context),)


def spread(w: Writer, node: ast.Spread, context: Context) -> Pieces:
    """`...$xs`."""
    return ("...", (node.word, context))


def named_word(w: Writer, node: ast.Word) -> Pieces:
    """The text behind `key=`, which must not be read as a list or record."""
    parts = node.parts
    first = parts[0]
    pieces = fragments(w, parts, NAMED)
    shown = outline(parts)
    if shown == "{":
        return ("{", ends_badly)
    if shown[:2] == "{}" or not RECORD.match(shown, 0):
        return pieces
    if isinstance(first, ast.Brace):
        return ("{" + quotes.JOIN, *separated(first.branches, ",", BRANCH), "}", *pieces[1:])
    return ("{" + quotes.JOIN + str(pieces[0])[1:], *pieces[1:])


def outline(parts: Sequence[ast.Part]) -> str:
    """A word's text as far as it decides whether the word could be a record."""
    shown = ""
    for part in parts:
        if isinstance(part, ast.Text | ast.Glob | ast.Tilde):
            shown += part.value
        elif isinstance(part, ast.Quoted):
            shown += "'x'" if part.style in ("'", '"') else "\\"
        elif isinstance(part, ast.Brace):
            shown += "{" + outline(part.branches[0].parts) + ","
        else:
            shown += "x"
    return shown
