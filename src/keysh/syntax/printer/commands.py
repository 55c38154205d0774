"""Commands: simple and compound ones, lists, functions and redirections."""

from __future__ import annotations

import re

from keysh.syntax import ast
from keysh.syntax.lexer.command_words import TARGET_PATH, WORD_IN_BRACKETS
from keysh.syntax.lexer.reserved import RESERVED_WORDS
from keysh.syntax.printer import quotes
from keysh.syntax.printer.blocks import (
    block_separator,
    bracketed_block,
    condition,
    indented_lines,
    is_on_one_line,
    on_one_line,
    statements,
)
from keysh.syntax.printer.expressions import for_heads
from keysh.syntax.printer.print_context import (
    ASSIGNED_CONTEXT,
    ELEMENT_CONTEXT,
    NAMED_CONTEXT,
    PLAIN_CONTEXT,
    WORD_CONTEXT,
    PrintContext,
)
from keysh.syntax.printer.values import is_spread_out, item_lines, named_word, value_of
from keysh.syntax.printer.words import part_pieces, separated_nodes
from keysh.syntax.printer.writer import broken_line, dedent, gap, indent, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.writer import Mark, Piece, Pieces, ScriptWriter

# What may follow the last parameter, up to the closing parenthesis.
PARAMETERS_END = re.compile(r"(?>(?:[ \t\n,]++|\\\n|\#[^\n]*+)*)\)")
FUNCTION_NAME = re.compile(r"[A-Za-z_][^=]*(?<![@+!])", re.ASCII)


# ---------------------------------------------------------------- lists of commands


def script(writer: ScriptWriter, node: ast.Script, context: PrintContext) -> Pieces:
    """A whole script."""
    return statements(node.body, node.end + 1)


def block(writer: ScriptWriter, node: ast.Block, context: PrintContext) -> Pieces:
    """Commands, one after another."""
    return statements(node, node.end)


def background(writer: ScriptWriter, node: ast.Background, context: PrintContext) -> Pieces:
    """`command &`."""
    return ((node.command, WORD_CONTEXT), " &")


def coproc(writer: ScriptWriter, node: ast.Coproc, context: PrintContext) -> Pieces:
    """`coproc NAME { …; }`; a simple command takes no name."""
    is_named = node.name != "COPROC" and not isinstance(node.command, ast.Simple)
    return (f"coproc {node.name} " if is_named else "coproc ", (node.command, WORD_CONTEXT))


def chain(writer: ScriptWriter, node: ast.Chain, context: PrintContext) -> Pieces:
    """`a && b || c`."""
    return linked_commands(writer, node.commands, node.operators)


def pipeline(writer: ScriptWriter, node: ast.Pipeline, context: PrintContext) -> Pieces:
    """`time ! a | b`."""
    if not node.stages:  # `time` alone, which `!` may precede but not follow
        return ("! " * node.negations + node.timing,)
    words = node.timing + " " if node.timing else ""
    return (words + "! " * node.negations, *linked_commands(writer, node.stages, node.operators))


def linked_commands(
    writer: ScriptWriter, commands: Sequence[ast.Command], operators: Sequence[str]
) -> Pieces:
    """Commands with operators between; a line that was broken after one stays so."""
    pieces: list[Piece] = [(commands[0], WORD_CONTEXT)]
    is_indented = False
    for operator, before, command in zip(operators, commands, commands[1:], strict=False):
        pieces.append(" " + operator)
        if writer.is_broken(before.end, command.start):
            if not is_indented:
                pieces.append(indent)
            is_indented = True
            pieces.append(gap(command.start, blanks=False))
        else:
            pieces.append(" ")
        pieces.append((command, WORD_CONTEXT))
    return (*pieces, dedent) if is_indented else pieces


# ---------------------------------------------------------------- simple commands


def simple(writer: ScriptWriter, node: ast.Simple, context: PrintContext) -> Pieces:
    """Assignments, words and redirections, in the order of the source."""
    items: list[Node] = [*node.assignments, *node.arguments, *node.redirects]
    if node.redirects or len(node.assignments) > 1:
        items.sort(key=node_start)
    return spaced_words(writer, items, node.arguments[0] if node.arguments else None)


def node_start(node: Node) -> int:
    """Return where a node begins in the source."""
    return node.start


def command_name(writer: ScriptWriter, node: ast.Argument, *, is_first: bool) -> Pieces:
    """A command's name. One that looks reserved, or like `name[key]=`, was joined from two lines,
    and must stay so.
    """
    if not isinstance(node, ast.Word):
        return ((node, WORD_CONTEXT),)
    text = ""
    for part in node.parts:
        if not isinstance(part, ast.Text | ast.Glob):
            break
        text += part.value
    else:
        if is_first and (text in RESERVED_WORDS or text == "-p"):
            return (text[0] + quotes.LINE_JOIN + text[1:],)
    first = node.parts[0]
    is_path = TARGET_PATH.match(text, 0) and not WORD_IN_BRACKETS.match(text, 0)
    if is_path and isinstance(first, ast.Text) and len(text) > len(first.value):
        joined = first.value[0] + quotes.LINE_JOIN + first.value[1:]
        return (joined, *part_pieces(writer, node.parts[1:], WORD_CONTEXT, is_first=False))
    return ((node, WORD_CONTEXT),)


def spaced_words(
    writer: ScriptWriter, items: Sequence[Node], name: ast.Argument | None = None
) -> Pieces:
    r"""Words side by side, with `\` newline where the source has it. `name` is a command's."""
    pieces: list[Piece] = []
    before: Node | None = None
    is_indented = False
    for item in items:
        # A line joined at the very end of a word belongs to the word.
        if before is not None and writer.is_broken(before.end - 1, item.start):
            pieces += (broken_line,) if is_indented else (broken_line, indent)
            is_indented = True
        elif before is not None:
            pieces.append(" ")
        if item is name:
            pieces += command_name(writer, name, is_first=before is None)
        else:
            pieces.append((item, WORD_CONTEXT))
        before = item
    return (*pieces, dedent) if is_indented else pieces


def assign(writer: ScriptWriter, node: ast.Assign, context: PrintContext) -> Pieces:
    """`x=value`."""
    operator = "+=" if node.append else "="
    return ((node.target, PLAIN_CONTEXT), operator, *value_of(node.value, ASSIGNED_CONTEXT))


def named_argument(writer: ScriptWriter, node: ast.Named, context: PrintContext) -> Pieces:
    """`key=value` among arguments."""
    operator = "+=" if node.append else "="
    if isinstance(node.value, ast.Word):
        return (node.key + operator, *named_word(writer, node.value))
    return (node.key + operator, *value_of(node.value, NAMED_CONTEXT))


def redirect(writer: ScriptWriter, node: ast.Redirect, context: PrintContext) -> Pieces:
    """`2> file`, `2>&1`."""
    blank = "" if node.operator in (">&", "<&") else " "
    return (descriptor(node) + node.operator + blank, (node.target, PLAIN_CONTEXT))


def descriptor(node: ast.Redirect | ast.Heredoc) -> str:
    """Return the number or variable before an operator."""
    if node.fd is None:
        return ""
    return str(node.fd) if isinstance(node.fd, int) else f"{{{node.fd}}}"


def heredoc(writer: ScriptWriter, node: ast.Heredoc, context: PrintContext) -> Pieces:
    """`<<E`; the body follows the next newline."""
    writer.pending.append(node)
    operator, delimiter = "<<-" if node.strips else "<<", writer.delimiter_of(node)
    return (descriptor(node) + operator + quotes.heredoc_delimiter(delimiter, node.quoted),)


# ---------------------------------------------------------------- compound commands


def redirected_command(writer: ScriptWriter, node: ast.Redirected, context: PrintContext) -> Pieces:
    """A compound command with redirections."""
    return spaced_words(writer, [node.command, *node.redirects])


def group(writer: ScriptWriter, node: ast.Group, context: PrintContext) -> Pieces:
    """`{ …; }`."""
    if is_on_one_line(writer, node.start, node.body, node.end):
        return ("{ ", *on_one_line(node.body), block_separator(node.body), "}")
    return ("{", *indented_lines(node.body, node.end), "}")


def subshell(writer: ScriptWriter, node: ast.Subshell, context: PrintContext) -> Pieces:
    """`( … )`."""
    return bracketed_block(writer, node, "(")


def if_(writer: ScriptWriter, node: ast.If, context: PrintContext) -> Pieces:
    """`if …; then …; else …; fi`."""
    ends = [part.start for part in node.elifs]
    ends += [node.otherwise.start] if node.otherwise else []
    ends.append(node.end)
    pieces: list[Piece] = [*condition(writer, "if", node.start, node.condition, "then")]
    pieces += indented_lines(node.body, ends[0])
    for part, end in zip(node.elifs, ends[1:], strict=False):
        pieces += branch(writer, part, end)
    if node.otherwise:
        pieces += ("else", *indented_lines(node.otherwise, node.end))
    return (*pieces, "fi")


def branch(writer: ScriptWriter, node: ast.Elif, end: int) -> Pieces:
    """`elif …; then …`, up to the next word of the `if`."""
    head = condition(writer, "elif", node.start, node.condition, "then")
    return (*head, *indented_lines(node.body, end))


def elif_(writer: ScriptWriter, node: ast.Elif, context: PrintContext) -> Pieces:
    """`elif …; then …` alone."""
    return branch(writer, node, node.end)


def while_(writer: ScriptWriter, node: ast.While, context: PrintContext) -> Pieces:
    """`while …; do …; done`."""
    word = "until" if node.until else "while"
    head = condition(writer, word, node.start, node.condition, "do")
    return (*head, *indented_lines(node.body, node.end), "done")


def for_(writer: ScriptWriter, node: ast.For, context: PrintContext) -> Pieces:
    """`for x in a b; do …; done`, and `select`."""
    head: Pieces = ()
    if node.words is not None:
        head = (" in ", *spaced_words(writer, node.words)) if node.words else (" in",)
    word = "select" if isinstance(node, ast.Select) else "for"
    return (f"{word} {node.name}", *head, "; do", *indented_lines(node.body, node.end), "done")


def for_arithmetic(writer: ScriptWriter, node: ast.ForArithmetic, context: PrintContext) -> Pieces:
    """`for ((i = 0; i < 3; i++)); do …; done`."""
    head = for_heads(node.first, node.condition, node.step)
    return ("for ((", *head, ")); do", *indented_lines(node.body, node.end), "done")


def case(writer: ScriptWriter, node: ast.Case, context: PrintContext) -> Pieces:
    """`case … in … esac`."""
    pieces: list[Piece] = ["case ", (node.subject, PLAIN_CONTEXT), " in", indent]
    for item in node.clauses:
        # The last clause may lack `;;` and then extends to `esac`.
        is_open = item.body is not None and item.end == item.body.end
        pieces += (gap(item.start), clause_up_to(item, node.end if is_open else item.end))
    return (*pieces, gap(node.end, is_last=True), dedent, "esac")


def clause(writer: ScriptWriter, node: ast.Clause, context: PrintContext) -> Pieces:
    """`a | b) …;;` alone."""
    return (clause_up_to(node, node.end),)


def clause_up_to(node: ast.Clause, end: int) -> Mark:
    """A clause, with the comments up to an offset."""
    first = node.patterns[0].parts
    is_word = len(first) == 1 and isinstance(first[0], ast.Text) and first[0].value == "esac"
    head = ("(" if is_word else "", *separated_nodes(node.patterns, " | ", PLAIN_CONTEXT), ")")

    def write_clause(writer: ScriptWriter) -> Pieces:
        if is_on_one_line(writer, node.start, node.body, end):
            commands = (" ", *on_one_line(node.body)) if node.body else ()
            return (*head, *commands, " ", node.ending)
        *inside, last = indented_lines(node.body, end)
        return (*head, *inside, node.ending, last)

    return write_clause


# ---------------------------------------------------------------- functions


def function(writer: ScriptWriter, node: ast.Function, context: PrintContext) -> Pieces:
    """`f() …`, or `f(host, port: int = 80) …`."""
    is_plain = FUNCTION_NAME.fullmatch(node.name) and node.name not in RESERVED_WORDS
    name = node.name if is_plain else "function " + node.name
    if node.parameters is None:
        return (name + ("() " if is_plain else " "), (node.body, WORD_CONTEXT))
    return (name, *parameter_list(writer, node, node.parameters), " ", (node.body, WORD_CONTEXT))


def parameter_list(
    writer: ScriptWriter, node: ast.Function, parameters: list[ast.Parameter]
) -> Pieces:
    """`(host, port: int = 80)`; without any, a newline tells them from `f()`."""
    start = writer.text.find("(", node.start)
    closing = PARAMETERS_END.match(writer.text, parameters[-1].end if parameters else start)
    end = closing.end() if closing else node.body.start
    flat = ("(", *separated_nodes(parameters, ", ", ELEMENT_CONTEXT), ")")
    if not parameters or is_spread_out(writer, start, parameters, end, flat):
        return ("(", *item_lines(parameters, ",", end, ELEMENT_CONTEXT, line), ")")
    return flat


def parameter(writer: ScriptWriter, node: ast.Parameter, context: PrintContext) -> Pieces:
    """`*name: type? = default`."""
    pieces: list[Piece] = ["*" if node.rest else "", node.name]
    if node.type:
        pieces += (": ", node.type, "?" if node.nullable else "")
    if node.default is None:
        return pieces
    return (*pieces, " = ", (node.default, ELEMENT_CONTEXT))
