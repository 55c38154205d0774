"""Blocks: commands one to a line, or on one line if they were so and are simple."""

from __future__ import annotations

import re
from itertools import pairwise

from keysh.syntax import ast
from keysh.syntax.printer.print_context import WORD_CONTEXT
from keysh.syntax.printer.writer import comment_behind, dedent, gap, indent, newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.printer.writer import Mark, Piece, Pieces, ScriptWriter

    Place = tuple[int, ast.Block, int]

# A comment after a condition.
TRAILING_COMMENT = re.compile(r"[ \t;]*#")


def each_command(block: ast.Block | None) -> Pieces:
    """Return commands, each on its own line with the comments before it.

    Each command's pieces are made when the command before it has been written, to save memory.
    """
    commands = block.commands if block else []

    def beginning_at(index: int) -> Mark:
        def write(writer: ScriptWriter) -> Pieces:
            if index == len(commands):
                return ()
            command = commands[index]
            return (gap(command.start), (command, WORD_CONTEXT), beginning_at(index + 1))

        return write

    return (beginning_at(0),)


def statements(block: ast.Block | None, end: int) -> Pieces:
    """Return the lines of a block up to its closing word."""
    return (*each_command(block), gap(end, is_last=True))


def indented_lines(block: ast.Block | None, end: int) -> Pieces:
    """Return a block's lines, indented."""
    return (indent, *statements(block, end), dedent)


def on_one_line(block: ast.Block) -> Pieces:
    """Return commands with `;` between them."""
    pieces: list[Piece] = [(block.commands[0], WORD_CONTEXT)]
    for before, command in zip(block.commands, block.commands[1:], strict=False):
        pieces += (command_separator(before), (command, WORD_CONTEXT))
    return pieces


def command_separator(command: ast.Command) -> str:
    """Return what separates a command from the next word on its line."""
    return " " if command.__class__ is ast.Background else "; "


def block_separator(block: ast.Block) -> str:
    """Return what follows the last command of a block."""
    return command_separator(block.commands[-1])


def is_on_one_line(
    writer: ScriptWriter, start: int, block: ast.Block | None, end: int, *, heredocs: bool = False
) -> bool:
    """Whether a block between two offsets stood on one line, has no comments and is simple.

    With `heredocs` the closing word may be on a later line, after a heredoc's body.
    """
    # A pending comment from further left goes after the opening word.
    if writer.has_comments(start, end) or writer.next_comment(start) >= 0:
        return False
    if block is None:
        return True
    waiting: list[Place] = [(start, block, end)]
    while waiting:
        start, block, end = waiting.pop()
        has_heredoc = False
        for command in block.commands:
            if writer.is_broken(start, command.start):
                return False
            start = command.end
            inner, is_simple, has_body = inner_blocks(writer, command)
            if not is_simple:
                return False
            waiting += inner
            has_heredoc = has_heredoc or has_body
        if writer.is_broken(start, end) and not (heredocs and has_heredoc):
            return False
    return True


def inner_blocks(writer: ScriptWriter, command: ast.Command) -> tuple[list[Place], bool, bool]:
    """Return the blocks in a command's brackets, whether it is simple, and if it has a heredoc."""
    blocks: list[Place] = []
    has_heredoc = False
    parts: list[ast.Command] = [command]
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Simple | ast.Redirected):
            has_heredoc |= any(item.__class__ is ast.Heredoc for item in part.redirects)
        if isinstance(part, ast.Group | ast.Subshell):
            blocks.append((part.start, part.body, part.end))
        elif isinstance(part, ast.Chain | ast.Pipeline):
            links = part.commands if isinstance(part, ast.Chain) else part.stages
            if any(writer.is_broken(a.end, b.start) for a, b in pairwise(links)):
                return blocks, False, has_heredoc
            parts += links
        elif isinstance(part, ast.Background | ast.Redirected):
            parts.append(part.command)
        elif not isinstance(part, ast.Simple | ast.Test | ast.ArithmeticCommand):
            return blocks, False, has_heredoc
    return blocks, True, has_heredoc


def condition(writer: ScriptWriter, word: str, start: int, block: ast.Block, then: str) -> Pieces:
    """`if …; then`: on one line if possible."""
    commands = block.commands
    first, last = commands[0].start, commands[-1].end
    if not writer.has_comments(start, first) and (
        len(commands) == 1 or is_on_one_line(writer, first, block, last)
    ):
        return (word + " ", *on_one_line(block), block_separator(block) + then)
    # Only a comment right after the last command belongs to it, and not to the body.
    comment = TRAILING_COMMENT.match(writer.text, last)
    end = comment_behind(comment.end() if comment else last)
    return (word, indent, *each_command(block), end, dedent, newline, then)


def bracketed_block(
    writer: ScriptWriter,
    node: ast.Subshell | ast.Substitution | ast.ProcessSubstitution,
    opener: str,
) -> Pieces:
    """`( … )` or a substitution. Two parentheses that touch would open arithmetic."""
    block = node.body
    may_end_later = node.__class__ is not ast.Subshell
    if not is_on_one_line(writer, node.start, block, node.end, heredocs=may_end_later):
        return (opener, *indented_lines(block, node.end - 1), ")")
    if block is None:
        return (opener, ")")
    blank = " " if begins_with_parenthesis(block.commands[0]) else ""
    return (opener + blank, *on_one_line(block), ")")


def substitution_pieces(
    writer: ScriptWriter, node: ast.Substitution | ast.ProcessSubstitution, opener: str
) -> Pieces:
    """A substitution, with the bodies of its heredocs inside it."""

    def begin(writer: ScriptWriter) -> Pieces:
        writer.substitutions.append(len(writer.pending))
        return ()

    def end(writer: ScriptWriter) -> Pieces:
        return (newline,) if len(writer.pending) > writer.substitutions.pop() else ()

    *pieces, last = bracketed_block(writer, node, opener)
    return (begin, *pieces, end, last)


def begins_with_parenthesis(node: ast.Command) -> bool:
    """Whether a command's text begins with `(`."""
    while not isinstance(node, ast.Subshell | ast.ArithmeticCommand):
        if isinstance(node, ast.Background | ast.Redirected):
            node = node.command
        elif isinstance(node, ast.Chain):
            node = node.commands[0]
        elif isinstance(node, ast.Pipeline) and not node.timing and not node.negations:
            node = node.stages[0]
        else:
            return False
    return True
