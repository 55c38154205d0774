"""Words: their parts side by side, and `${…}`."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.printer import quotes
from keysh.syntax.printer.blocks import substituted
from keysh.syntax.printer.context import (
    BRANCH,
    DEFAULT,
    DOUBLE,
    JSON,
    OPERAND,
    PLAIN,
    WORD,
    Context,
)
from keysh.syntax.printer.writer import ends_badly, joined_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.writer import Piece, Pieces, Writer

# What the text of a part begins with; Text, Glob and Quoted say so themselves.
FIRST = {
    ast.Tilde: "~",
    ast.DoubleQuoted: '"',
    ast.Brace: "{",
    ast.BraceRange: "{",
    ast.ProcessSubstitution: "<",
}
NAME_STARTS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
NAME_CHARACTERS = NAME_STARTS + "0123456789"
DEFAULTS = ("-", "=", "?", "+", ":-", ":=", ":?", ":+")


def word(w: Writer, node: ast.Word, context: Context) -> Pieces:
    """The parts, side by side. A lone `[` is no pattern among commands."""
    pieces = fragments(w, node.parts, context)
    if (context is WORD or context is PLAIN) and is_bracket(node.parts, pieces):
        return (*pieces, joined_line)
    return pieces


def is_bracket(parts: Sequence[ast.Part], pieces: Pieces) -> bool:
    """Whether a word would be `[` or `[[`: a pattern is only one in which a line was joined."""
    return len(pieces) == len(parts) <= 2 and all(
        isinstance(part, ast.Glob) and part.value == "[" for part in parts
    )


def fragments(
    w: Writer, parts: Sequence[ast.Part], context: Context, *, is_first: bool = True
) -> Pieces:
    """Parts, each written so that it stays apart from the next."""
    pieces: list[Piece] = []
    last = len(parts) - 1
    for i, part in enumerate(parts):
        following = first_character(parts[i + 1]) if i < last else ""
        if part.__class__ is ast.Variable:
            pieces.append(variable_before(part, following))
        elif part.__class__ is not ast.Text:
            pieces.append((part, context))
        elif context.is_quoted:
            text = quotes.quoted(w.text, part.start, part.end, part.value, context, i == last)
            pieces.append(text)
        elif part.value[-1:] == "$" and i < last and isinstance(parts[i + 1], ast.Substitution):
            pieces += (quotes.bare(w.text, part, "`", context, is_first and i == 0), in_backticks)
        else:
            text = quotes.bare(w.text, part, following, context, is_first and i == 0)
            pieces.append(text)
            if i == last and text.endswith("\r"):
                pieces.append(ends_badly)
        if following and not context.is_quoted and w.is_broken(part.end, parts[i + 1].start):
            pieces.append(joined_line)
    return pieces


def first_character(part: ast.Part) -> str:
    """What a part's text begins with."""
    if isinstance(part, ast.Text | ast.Glob):
        return part.value[:1]
    if isinstance(part, ast.Quoted):
        return part.style[0]
    if isinstance(part, ast.ExtendedGlob):
        return part.operator
    return FIRST.get(part.__class__, "$")


def variable_before(node: ast.Variable, following: str) -> str:
    """`$x`, with braces where it had them or where what follows would belong to its name."""
    name = node.name
    if name[0] in NAME_STARTS:
        needs_braces = following != "" and following in NAME_CHARACTERS
    else:
        needs_braces = len(name) > 1
    return f"${{{name}}}" if node.braced or needs_braces else "$" + name


def text(w: Writer, node: ast.Text, context: Context) -> Pieces:
    """Text alone."""
    return fragments(w, [node], context)


def quoted(w: Writer, node: ast.Quoted, context: Context) -> Pieces:
    """`'x'`."""
    return (quotes.quoted_part(w.text, node, context),)


def verbatim(w: Writer, node: ast.Glob | ast.Tilde, context: Context) -> Pieces:
    """`*`, `~user`."""
    return (node.value,)


def variable(w: Writer, node: ast.Variable, context: Context) -> Pieces:
    """`$x`."""
    return (variable_before(node, ""),)


def double_quoted(w: Writer, node: ast.DoubleQuoted, context: Context) -> Pieces:
    """`"…"`."""
    return ('"', *fragments(w, node.parts, JSON if context.is_json else DOUBLE), '"')


def extended_glob(w: Writer, node: ast.ExtendedGlob, context: Context) -> Pieces:
    """`@(a|b)`."""
    return (node.operator + "(", *separated(node.branches, "|", OPERAND), ")")


def brace(w: Writer, node: ast.Brace, context: Context) -> Pieces:
    """`{a,b}`."""
    return ("{", *separated(node.branches, ",", BRANCH), "}")


def separated(nodes: Sequence[Node], separator: str, context: Context) -> Pieces:
    """Nodes with text between."""
    pieces: list[Piece] = []
    for node in nodes:
        pieces += (separator, (node, context))
    return pieces[1:]


def brace_range(w: Writer, node: ast.BraceRange, context: Context) -> Pieces:
    """`{1..9..2}`."""
    step = f"..{node.step}" if node.step else ""
    return (f"{{{node.first}..{node.last}{step}}}",)


def substitution(w: Writer, node: ast.Substitution, context: Context) -> Pieces:
    """`$(…)`, for backticks too."""
    pieces = substituted(w, node, "$(")
    if w.is_in_backticks:
        w.is_in_backticks = False
        return (begin_backticks, *pieces, end_backticks)
    return pieces


def in_backticks(w: Writer) -> Pieces:
    """Behind a bare `$`, where `$(` would be something else, a substitution keeps its backticks."""
    w.is_in_backticks = True
    return ()


def begin_backticks(w: Writer) -> Pieces:
    """What is written from here on, up to the end, stands between backticks."""
    w.outside.append(w.out)
    w.out = []
    return ()


def end_backticks(w: Writer) -> Pieces:
    r"""One more `\` before each `\` and backtick."""
    inside = "".join(w.out).removeprefix("$(").removesuffix(")")
    w.out = w.outside.pop()
    return ("`", inside.replace("\\", "\\\\").replace("`", "\\`"), "`")


def process(w: Writer, node: ast.ProcessSubstitution, context: Context) -> Pieces:
    """`<(…)`."""
    return substituted(w, node, node.direction + "(")


def expression(w: Writer, node: ast.ArithmeticExpansion, context: Context) -> Pieces:
    """`$((…))`."""
    return ("$((", (node.expression, WORD), "))") if node.expression else ("$(())",)


# ---------------------------------------------------------------- ${ … }


def reference(w: Writer, node: ast.Reference, context: Context) -> Pieces:
    """`u[tags][0]`."""
    return (node.name, *[(subscript, OPERAND) for subscript in node.subscripts])


def subscript(w: Writer, node: ast.Subscript, context: Context) -> Pieces:
    """`[name]`. `@` and `*` alone would be all of them."""
    parts = node.word.parts
    is_all = len(parts) == 1 and isinstance(parts[0], ast.Text) and parts[0].value in ("@", "*")
    return ("[", (node.word, OPERAND), quotes.JOIN if is_all else "", "]")


def all_subscript(w: Writer, node: ast.AllSubscript, context: Context) -> Pieces:
    """`[@]`."""
    return (f"[{node.mark}]",)


def opening(node: ast.Expand | ast.Replace | ast.Slice) -> Pieces:
    """`${` and what is expanded."""
    return ("${!" if node.indirect else "${", (node.reference, OPERAND))


def expand(w: Writer, node: ast.Expand, context: Context) -> Pieces:
    """`${x:-w}`."""
    operator, operand = node.operator, node.operand
    if operand is None:
        return (*opening(node), operator, "}")
    inside = DEFAULT if context.is_quoted and operator in DEFAULTS else OPERAND
    return (*opening(node), operator, apart(operator, operand, node), (operand, inside), "}")


def apart(operator: str, operand: ast.Word, node: ast.Expand | ast.Replace) -> str:
    """What parts an operator from an operand that would make it another operator."""
    if not operand.parts:
        if isinstance(node, ast.Replace):  # an empty pattern, and the `/` behind it
            return quotes.JOIN if node.replacement and operator in ("/", "//") else ""
        # `${#-}` would be the length of `$-`.
        return quotes.JOIN if node.reference.name == "#" and len(operator) == 1 else ""
    first = first_character(operand.parts[0])
    grows = operator in ("#", "%", "^", ",") and first == operator
    return quotes.JOIN if grows or (operator == "/" and first in ("/", "#", "%")) else ""


def replace(w: Writer, node: ast.Replace, context: Context) -> Pieces:
    """`${x/p/r}`."""
    pieces = (*opening(node), node.operator, apart(node.operator, node.pattern, node))
    if node.replacement is None:
        return (*pieces, (node.pattern, OPERAND), "}")
    return (*pieces, (node.pattern, OPERAND), "/", (node.replacement, OPERAND), "}")


def slice_(w: Writer, node: ast.Slice, context: Context) -> Pieces:
    """`${x:offset:length}`; a sign directly behind the first `:` would make it an operator."""
    pieces: list[Piece] = [*opening(node), ":"]
    if node.offset is not None:
        pieces += (" " if begins_with_sign(node.offset) else "", (node.offset, OPERAND))
    if node.bounded:
        pieces.append(":")
        if node.length is not None:
            pieces.append((node.length, OPERAND))
    return (*pieces, "}")


def begins_with_sign(node: ast.Arithmetic) -> bool:
    """Whether the text of an expression begins with `-` or `+`."""
    first: Node = node
    while not isinstance(first, ast.Unary | ast.Step):
        if isinstance(first, ast.Binary | ast.Power):
            first = first.operands[0]
        elif isinstance(first, ast.Conditional):
            first = first.choices[0].condition
        elif isinstance(first, ast.Sequence):
            first = first.expressions[0]
        else:
            return False
    return isinstance(first, ast.Unary) or first.before


def length(w: Writer, node: ast.Length, context: Context) -> Pieces:
    """`${#x}`."""
    return ("${#", (node.reference, OPERAND), "}")


def names_of(w: Writer, node: ast.NamesOf, context: Context) -> Pieces:
    """`${!prefix*}`."""
    return (f"${{!{node.prefix}{node.mark}}}",)
