"""Words: their parts side by side, and `${…}`."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.printer import quotes
from keysh.syntax.printer.blocks import substitution_pieces
from keysh.syntax.printer.print_context import (
    BRANCH_CONTEXT,
    DEFAULT_CONTEXT,
    DOUBLE_CONTEXT,
    JSON_CONTEXT,
    OPERAND_CONTEXT,
    PLAIN_CONTEXT,
    WORD_CONTEXT,
    PrintContext,
)
from keysh.syntax.printer.writer import forbid_line_end, joined_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.writer import Piece, Pieces, ScriptWriter

# The first character of a part's text; Text, Glob and Quoted carry their own.
FIRST_CHARACTERS = {
    ast.Tilde: "~",
    ast.DoubleQuoted: '"',
    ast.Brace: "{",
    ast.BraceRange: "{",
    ast.ProcessSubstitution: "<",
}
NAME_STARTS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
NAME_CHARACTERS = NAME_STARTS + "0123456789"
DEFAULT_OPERATORS = ("-", "=", "?", "+", ":-", ":=", ":?", ":+")


def word(writer: ScriptWriter, node: ast.Word, context: PrintContext) -> Pieces:
    """A word's parts, side by side. A lone `[` is no pattern in a command."""
    pieces = part_pieces(writer, node.parts, context)
    if (context is WORD_CONTEXT or context is PLAIN_CONTEXT) and is_bracket(node.parts, pieces):
        return (*pieces, joined_line)
    return pieces


def is_bracket(parts: Sequence[ast.Part], pieces: Pieces) -> bool:
    """Whether a word would be read as `[` or `[[`: as a pattern it was joined from two lines."""
    return len(pieces) == len(parts) <= 2 and all(
        isinstance(part, ast.Glob) and part.value == "[" for part in parts
    )


def part_pieces(
    writer: ScriptWriter, parts: Sequence[ast.Part], context: PrintContext, *, is_first: bool = True
) -> Pieces:
    """Return parts, each kept apart from the next."""
    pieces: list[Piece] = []
    last = len(parts) - 1
    is_first = is_first and writer.has_literals  # only there `...$xs` is more than text
    for i, part in enumerate(parts):
        following = first_character(parts[i + 1]) if i < last else ""
        if part.__class__ is ast.Variable:
            pieces.append(variable_before(part, following))
        elif part.__class__ is not ast.Text:
            pieces.append((part, context))
        elif context.is_quoted:
            text = quotes.quoted_text(
                writer.text, part.start, part.end, part.value, context, i == last
            )
            pieces.append(text)
        elif part.value[-1:] == "$" and i < last and isinstance(parts[i + 1], ast.Substitution):
            pieces += (
                quotes.printed_text(writer.text, part, "`", context, is_first and i == 0),
                in_backticks,
            )
        else:
            text = quotes.printed_text(writer.text, part, following, context, is_first and i == 0)
            pieces.append(text)
            if i == last and text.endswith("\r"):
                pieces.append(forbid_line_end)
        if following and not context.is_quoted and writer.is_broken(part.end, parts[i + 1].start):
            pieces.append(joined_line)
    return pieces


def first_character(part: ast.Part) -> str:
    """Return the first character of a part's text."""
    if isinstance(part, ast.Text | ast.Glob):
        return part.value[:1]
    if isinstance(part, ast.Quoted):
        return part.style[0]
    if isinstance(part, ast.ExtendedGlob):
        return part.operator
    return FIRST_CHARACTERS.get(part.__class__, "$")


def variable_before(node: ast.Variable, following: str) -> str:
    """Return `$x`, with braces if it had them or if the next character would extend its name."""
    name = node.name
    if name[:1] in NAME_STARTS:  # `${}` of bash has none
        needs_braces = following != "" and following in NAME_CHARACTERS
    else:
        needs_braces = len(name) > 1
    return f"${{{name}}}" if node.braced or needs_braces else "$" + name


def text(writer: ScriptWriter, node: ast.Text, context: PrintContext) -> Pieces:
    """Text alone."""
    return part_pieces(writer, [node], context)


def quoted_node(writer: ScriptWriter, node: ast.Quoted, context: PrintContext) -> Pieces:
    """`'x'`."""
    return (quotes.quoted_part(writer.text, node, context),)


def verbatim(writer: ScriptWriter, node: ast.Glob | ast.Tilde, context: PrintContext) -> Pieces:
    """`*`, `~user`."""
    return (node.value,)


def variable(writer: ScriptWriter, node: ast.Variable, context: PrintContext) -> Pieces:
    """`$x`."""
    return (variable_before(node, ""),)


def double_quoted(writer: ScriptWriter, node: ast.DoubleQuoted, context: PrintContext) -> Pieces:
    """`"…"`."""
    return (
        '"',
        *part_pieces(writer, node.parts, JSON_CONTEXT if context.is_json else DOUBLE_CONTEXT),
        '"',
    )


def extended_glob(writer: ScriptWriter, node: ast.ExtendedGlob, context: PrintContext) -> Pieces:
    """`@(a|b)`."""
    return (node.operator + "(", *separated_nodes(node.branches, "|", OPERAND_CONTEXT), ")")


def brace(writer: ScriptWriter, node: ast.Brace, context: PrintContext) -> Pieces:
    """`{a,b}`."""
    return ("{", *separated_nodes(node.branches, ",", BRANCH_CONTEXT), "}")


def separated_nodes(nodes: Sequence[Node], separator: str, context: PrintContext) -> Pieces:
    """Return nodes with a separator between."""
    pieces: list[Piece] = []
    for node in nodes:
        pieces += (separator, (node, context))
    return pieces[1:]


def brace_range(writer: ScriptWriter, node: ast.BraceRange, context: PrintContext) -> Pieces:
    """`{1..9..2}`."""
    step = f"..{node.step}" if node.step else ""
    return (f"{{{node.first}..{node.last}{step}}}",)


def substitution(writer: ScriptWriter, node: ast.Substitution, context: PrintContext) -> Pieces:
    """`$(…)`, for backticks too."""
    pieces = substitution_pieces(writer, node, "$(")
    if writer.is_in_backticks:
        writer.is_in_backticks = False
        return (begin_backticks, *pieces, end_backticks)
    return pieces


def in_backticks(writer: ScriptWriter) -> Pieces:
    """Keep backticks after a bare `$`, where `$(` would be something else."""
    writer.is_in_backticks = True
    return ()


def begin_backticks(writer: ScriptWriter) -> Pieces:
    """Begin text between backticks."""
    writer.outside.append(writer.out)
    writer.out = []
    return ()


def end_backticks(writer: ScriptWriter) -> Pieces:
    r"""End text between backticks: escape each `\` and backtick."""
    inside = "".join(writer.out).removeprefix("$(").removesuffix(")")
    writer.out = writer.outside.pop()
    return ("`", inside.replace("\\", "\\\\").replace("`", "\\`"), "`")


def process(writer: ScriptWriter, node: ast.ProcessSubstitution, context: PrintContext) -> Pieces:
    """`<(…)`."""
    return substitution_pieces(writer, node, node.direction + "(")


def expression(
    writer: ScriptWriter, node: ast.ArithmeticExpansion, context: PrintContext
) -> Pieces:
    """`$((…))`."""
    return ("$((", (node.expression, WORD_CONTEXT), "))") if node.expression else ("$(())",)


# ---------------------------------------------------------------- ${ … }


def reference(writer: ScriptWriter, node: ast.Reference, context: PrintContext) -> Pieces:
    """`u[tags][0]`."""
    return (node.name, *[(subscript, OPERAND_CONTEXT) for subscript in node.subscripts])


def subscript(writer: ScriptWriter, node: ast.Subscript, context: PrintContext) -> Pieces:
    """`[name]`; a literal `@` or `*` is kept apart from `]`."""
    parts = node.word.parts
    is_all = len(parts) == 1 and isinstance(parts[0], ast.Text) and parts[0].value in ("@", "*")
    return ("[", (node.word, OPERAND_CONTEXT), quotes.LINE_JOIN if is_all else "", "]")


def all_subscript(writer: ScriptWriter, node: ast.AllSubscript, context: PrintContext) -> Pieces:
    """`[@]`."""
    return (f"[{node.mark}]",)


def expansion_opening(node: ast.Expand | ast.Replace | ast.Slice) -> Pieces:
    """Return `${` and the reference."""
    return ("${!" if node.indirect else "${", (node.reference, OPERAND_CONTEXT))


def expand(writer: ScriptWriter, node: ast.Expand, context: PrintContext) -> Pieces:
    """`${x:-w}`."""
    operator, operand = node.operator, node.operand
    if operand is None:
        return (*expansion_opening(node), operator, "}")
    inside = (
        DEFAULT_CONTEXT if context.is_quoted and operator in DEFAULT_OPERATORS else OPERAND_CONTEXT
    )
    return (
        *expansion_opening(node),
        operator,
        operand_separator(operator, operand, node),
        (operand, inside),
        "}",
    )


def operand_separator(operator: str, operand: ast.Word, node: ast.Expand | ast.Replace) -> str:
    """Return what keeps an operator apart from an operand that would change it."""
    if not operand.parts:
        if isinstance(node, ast.Replace):  # an empty pattern, and the `/` after it
            return quotes.LINE_JOIN if node.replacement and operator in ("/", "//") else ""
        # `${#-}` would be the length of `$-`.
        return quotes.LINE_JOIN if node.reference.name == "#" and len(operator) == 1 else ""
    first = first_character(operand.parts[0])
    grows = operator in ("#", "%", "^", ",") and first == operator
    return quotes.LINE_JOIN if grows or (operator == "/" and first in ("/", "#", "%")) else ""


def replace(writer: ScriptWriter, node: ast.Replace, context: PrintContext) -> Pieces:
    """`${x/p/r}`."""
    pieces = (
        *expansion_opening(node),
        node.operator,
        operand_separator(node.operator, node.pattern, node),
    )
    if node.replacement is None:
        return (*pieces, (node.pattern, OPERAND_CONTEXT), "}")
    return (*pieces, (node.pattern, OPERAND_CONTEXT), "/", (node.replacement, OPERAND_CONTEXT), "}")


def slice_(writer: ScriptWriter, node: ast.Slice, context: PrintContext) -> Pieces:
    """`${x:offset:length}`; a sign or `}` right after the first `:` would mean something else."""
    pieces: list[Piece] = [*expansion_opening(node), ":"]
    if node.offset is not None:
        pieces += (" " if begins_with_sign(node.offset) else "", (node.offset, OPERAND_CONTEXT))
    elif not node.bounded:
        pieces.append(" ")
    if node.bounded:
        pieces.append(":")
        if node.length is not None:
            pieces.append((node.length, OPERAND_CONTEXT))
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


def length(writer: ScriptWriter, node: ast.Length, context: PrintContext) -> Pieces:
    """`${#x}`."""
    return ("${#", (node.reference, OPERAND_CONTEXT), "}")


def names_of(writer: ScriptWriter, node: ast.NamesOf, context: PrintContext) -> Pieces:
    """`${!prefix*}`."""
    return (f"${{!{node.prefix}{node.mark}}}",)
